"""The solvers behind kernel learning, on problems without kernels, against independent oracles."""

import numpy as np
import pytest
from scipy.optimize import minimize, nnls

from kernlearn.solvers import (
    Response,
    SVMSolver,
    alternate,
    cutting_planes,
    evaluate,
    newton,
    solve_nnqp,
)
from kernlearn.solvers.core.lp import CuttingPlanes
from kernlearn.solvers.kernel_weights.simplex_qp import descend_over_simplex
from kernlearn.solvers.kernel_weights.weights import Progress
from tests.conftest import moons


def cosines(p, n, seed=0):
    """Matrix and right side of a non-negative least squares problem with non-negative inner products."""
    rng = np.random.default_rng(seed)
    B = rng.random((n, p)) ** 3
    B /= np.linalg.norm(B, axis=0)
    b = B @ np.where(rng.random(p) < 0.3, rng.normal(size=p), 0.0) + 0.1 * rng.normal(size=n)
    return B, b


@pytest.mark.parametrize(("p", "n"), [(1, 5), (8, 20), (60, 100), (60, 20)])  # the last is singular
def test_non_negative_quadratic_programs_are_those_of_nnls(p, n):
    B, b = cosines(p, n)
    solution = solve_nnqp(B.T @ B, B.T @ b)
    x, _ = nnls(B, b)
    assert solution.status == "optimal" and 0 <= solution.gap + 1e-14 <= 1e-9
    assert solution.objective == pytest.approx(0.5 * x @ (B.T @ B) @ x - B.T @ b @ x, rel=1e-8, abs=1e-14)
    assert (solution.x >= 0).all() and (B.T @ B @ solution.dual >= B.T @ b - 1e-9 * np.abs(b).max()).all()
    if n > p:
        np.testing.assert_allclose(solution.x, x, atol=1e-7)


def test_nothing_that_helps_is_nothing():
    solution = solve_nnqp(np.eye(3), np.array([-1.0, 0.0, -2.0]))
    assert not solution.x.any() and solution.gap == 0.0 and solution.status == "optimal"


def test_duplicate_and_zero_variables():
    B, b = cosines(5, 20)
    once = solve_nnqp(B.T @ B, B.T @ b)
    more = np.hstack([B, B, np.zeros((20, 1))])
    twice = solve_nnqp(more.T @ more, more.T @ b)
    assert twice.status == "optimal" and twice.objective == pytest.approx(once.objective, rel=1e-8)


@pytest.mark.parametrize("low", [0.0, 0.02])
def test_quadratic_programs_over_a_simplex(low):
    rng = np.random.default_rng(1)
    G, c = rng.normal(size=(4, 8)), rng.normal(size=8)
    H, x = G.T @ G, np.full(8, 1 / 8)
    found = descend_over_simplex(H, c, x, np.full(8, low))
    oracle = minimize(
        lambda z: 0.5 * z @ H @ z + c @ z,
        x,
        jac=lambda z: H @ z + c,
        bounds=[(low, 1)] * 8,
        constraints={"type": "eq", "fun": lambda z: z.sum() - 1, "jac": lambda z: np.ones(8)},
        options={"ftol": 1e-14, "maxiter": 1000},
    )
    assert found.sum() == pytest.approx(1.0) and found.min() >= low - 1e-12
    assert 0.5 * found @ H @ found + c @ found <= oracle.fun + 1e-8
    np.testing.assert_array_equal(x, np.full(8, 1 / 8))


class Quadratic:
    """max_alpha 2 alpha.y - |alpha|^2 - sum_k mu_k (alpha.b_k)^2, with b_0 = b_1 and b_2 = 0."""

    def __init__(self, p=6, n=9, seed=3):
        rng = np.random.default_rng(seed)
        self.B, self.y = rng.normal(size=(p, n)), rng.normal(size=n)
        self.B[1], self.B[2] = self.B[0], 0.0
        self.zero = float(self.y @ self.y)

    def matrix(self, mu):
        return np.eye(len(self.y)) + self.B.T * mu @ self.B

    def value(self, mu):
        return float(self.y @ np.linalg.solve(self.matrix(mu), self.y))

    def respond(self, mu):
        alpha = np.linalg.solve(self.matrix(mu), self.y)
        return Response(self.value(mu), *self.bound(alpha), alpha, alpha, 0.0, 1)

    def bound(self, alpha):
        return float(2 * alpha @ self.y - alpha @ alpha), (self.B @ alpha) ** 2

    def curvature(self, mu, response, some):
        G = self.B[some].T * (self.B[some] @ response.alpha)
        return 2 * G.T @ np.linalg.solve(self.matrix(mu), G)


def by_slsqp(inner, norm, radius):
    p = len(inner.B)
    constraint = {"type": "ineq", "fun": lambda mu: radius - np.linalg.norm(mu, norm)}
    start = np.full(p, 0.9 * radius / p)
    options = {"ftol": 1e-13, "maxiter": 2000}
    return minimize(
        inner.value, start, bounds=[(1e-12, None)] * p, constraints=constraint, options=options, method="SLSQP"
    ).fun


@pytest.mark.parametrize("radius", [1.0, 30.0])
@pytest.mark.parametrize("norm", [1.0, 1.05, 1.5, 2.0, 4.0])
def test_newton_finds_the_minimum_and_proves_it(norm, radius):
    inner = Quadratic()
    solution = newton(inner, np.ones(6), norm=norm, radius=radius, tol=1e-9)
    assert solution.status == "optimal" and 0 <= solution.gap + 1e-15 <= 1e-9 and solution.rounds < 60
    assert np.linalg.norm(solution.x, norm) == pytest.approx(radius) and (solution.x >= 0).all()
    assert (
        solution.objective == pytest.approx(inner.value(solution.x), rel=1e-12) == solution.extras["response"].objective
    )
    assert solution.objective == pytest.approx(by_slsqp(inner, norm, radius), rel=1e-6)


def test_the_infinite_norm_has_uniform_weights():
    solution = newton(Quadratic(), np.ones(6), norm=np.inf, radius=3.0)
    np.testing.assert_allclose(solution.x, 3.0)
    assert solution.gap <= 1e-12 and solution.rounds == 1


def test_newton_goes_on_while_it_comes_nearer():
    """J is 1 / (1 + mu b^2) in a weight whose best value is small: from 0 it grows by a factor a step, which is slow.

    The first weights happen to be nearly as good, so that for some steps the best gap so far does not change.
    """
    inner = Quadratic()
    inner.B, inner.y = np.diag([3.1, 3.3, 3.5, 3.7, 3.9, 300.0]), np.array([1.0, 1.1, 1.2, 1.1, 1.0, 0.3])
    solution = newton(inner, np.ones(6), tol=1e-4)
    assert solution.status == "optimal" and solution.rounds < 20


@pytest.mark.parametrize(
    ("own", "stalled"),
    [
        ([0.02, 0.4, 0.34, 0.16, 0.075, 0.034, 0.019], False),  # nearer and nearer
        ([0.02, 0.4, 0.03, 0.04, 0.4, 0.03, 0.04], True),  # round and round
        ([0.02, 0.4, 0.03, 0.04, 0.4, 0.03, 0.009], False),
    ],
)
def test_what_a_stall_is(own, stalled):
    progress = Progress(1.0, 1.0, 1e-4, 1.0)
    for gap in own:
        progress.add(np.ones(1), Response(1.0, 1.0, np.array([gap]), np.zeros(1), np.zeros(1), 0.0, 1))
    assert progress.stalled == stalled


@pytest.mark.parametrize("radius", [1.0, 30.0])
def test_three_methods_agree(radius):
    inner = Quadratic()
    best = newton(inner, np.ones(6), radius=radius, tol=1e-9).objective
    planes = cutting_planes(inner, np.ones(6), radius=radius, tol=1e-7)
    turns = alternate(inner, np.ones(6), norm=1.0, radius=radius, tol=1e-4)
    assert planes.status == turns.status == "optimal"
    assert best <= planes.objective <= best * (1 + 1e-7) and best <= turns.objective <= best * (1 + 1e-4)
    assert planes.dual_objective <= best * (1 + 1e-9)
    newton2 = newton(inner, np.ones(6), norm=2.0, radius=radius, tol=1e-9)
    turns2 = alternate(inner, np.ones(6), norm=2.0, radius=radius, tol=1e-7)
    assert turns2.objective == pytest.approx(newton2.objective, rel=1e-7)


def test_a_bound_holds_for_every_weight():
    inner, rng = Quadratic(), np.random.default_rng(0)
    for norm in (1.0, 1.5, 2.0):
        solution = evaluate(inner, rng.random(6), norm=norm)
        for _ in range(50):
            mu = rng.random(6)
            assert inner.value(mu / np.linalg.norm(mu, norm)) >= solution.dual_objective


def test_planes_have_their_minimum_where_the_multipliers_say():
    rng, planes = np.random.default_rng(0), CuttingPlanes(3, radius=2.0)
    W, c = rng.random((6, 3)), rng.random(6)
    for i in range(6):
        mu, multipliers = planes.add(c[i], W[i])
    value = (c - W @ mu).max()
    assert mu.sum() == pytest.approx(2.0) and multipliers.sum() == pytest.approx(1.0)
    assert value == pytest.approx(multipliers @ c - 2.0 * (multipliers @ W).max())  # the dual program


def test_an_svm_started_from_another_one_is_the_same():
    X, y = moons(80)
    D = ((X[:, None] - X) ** 2).sum(axis=-1)
    X[1], y[1] = X[0], y[0]  # two equal examples
    similar = SVMSolver(np.exp(-D), y).solve(2.0)
    cold = SVMSolver(np.exp(-1.3 * D), y, 1e-9).solve(2.0)
    warm = SVMSolver(np.exp(-1.3 * D), y, 1e-9, similar.dual).solve(2.0)
    assert warm.objective == pytest.approx(cold.objective, rel=1e-9) and warm.intercept == pytest.approx(
        cold.intercept, abs=1e-6
    )
    nothing = SVMSolver(np.exp(-1.3 * D), y, 1e-9, np.zeros(80)).solve(2.0)
    assert nothing.objective == pytest.approx(cold.objective, rel=1e-9)
