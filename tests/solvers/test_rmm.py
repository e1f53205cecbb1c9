"""Machines with their outputs in a band: relative margins, in every form, and the Universum; against other solvers."""

import clarabel
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.svm import SVR

from kernlearn.solvers import BandSolver, SVMSolver
from tests.solvers.conditions import kkt_violation
from tests.solvers.test_svm import degenerate, gram

NAMES = ["moons", "copies", "contradictory", "ties", "two points", "unbalanced", "more features than points", "tiny"]


def instance(name, degree, n=60):
    X, y = degenerate(name)
    rows = np.random.default_rng(0).permutation(len(y))[:n]
    return gram(X[rows], degree), y[rows]


def widths(theta):
    return [1.0 + (max(theta, 1.01) - 1.0) * part for part in (1.5, 0.9, 0.5, 0.1)]


def optimum(K, y, C, B=None, cost=np.inf, D=0.0, n_band=None):
    """The value of (D) in alpha, l and l*, 3 n variables, by Clarabel."""
    n, rows = len(y), len(K)
    first = 0 if n_band is None else rows - n_band
    band = np.eye(rows)[:, first:]
    S = np.hstack([np.eye(rows)[:, :n] * y, -band, band])  # u = S (alpha, l, l*)
    m = S.shape[1]
    linear = np.concatenate([-np.ones(n), np.full(m - n, 1.0 if B is None else B)])
    upper = np.concatenate([np.full(n, C), np.full(m - n, cost)])
    bounded = np.flatnonzero(np.isfinite(upper))
    A, right = [S.sum(axis=0)[None], -np.eye(m), np.eye(m)[bounded]], [[0.0], np.zeros(m), upper[bounded]]
    if B is None:
        A, right = [*A, (np.arange(m) >= n)[None].astype(float)], [*right, [D]]
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = 1e-11
    cones = [clarabel.ZeroConeT(1), clarabel.NonnegativeConeT(sum(len(r) for r in right) - 1)]
    P = sparse.triu(sparse.csc_matrix(S.T @ K @ S), format="csc")
    found = clarabel.DefaultSolver(
        P, linear, sparse.csc_matrix(np.vstack(A)), np.concatenate(right), cones, settings
    ).solve()
    return D - found.obj_val


def check(solution, K, y, C, B, cost=np.inf, D=0.0, tol=1e-9):
    """Values and feasibility from the data alone; return the outputs."""
    alpha, above, below = solution.dual
    labelled = np.arange(len(K)) < len(y)
    banded = ~labelled if len(K) > len(y) else labelled
    labels = np.concatenate([y, np.ones(len(K) - len(y))])
    u = alpha * labels - above + below
    outer, limit = above + below, np.where(banded, cost, 0.0)
    assert solution.dual.min() >= 0 and (alpha <= C * labelled).all() and (outer <= limit * (1 + 1e-12)).all()
    assert abs(u.sum()) <= 1e-12 * np.abs(u).sum()
    f = K @ solution.x + solution.intercept
    beyond = np.maximum(0.0, np.abs(f) - B)[banded]
    primal = 0.5 * solution.x @ K @ solution.x + C * np.maximum(0, 1 - labels * f)[labelled].sum() + D * B
    if np.isfinite(cost):
        primal += cost * beyond.sum()
    else:
        assert beyond.max() <= 1e-9
    first = np.unique(K.round(9), axis=0, return_inverse=True)[1]  # of contradictory examples only the sum is seen
    u = np.bincount(first, u)
    places = [int(np.argmax(first == g)) for g in range(first.max() + 1)]
    dual = alpha.sum() - 0.5 * u @ K[np.ix_(places, places)] @ u
    dual += D - outer.sum() if D else -B * outer.sum()
    assert not D or outer.sum() <= D * (1 + 1e-12)
    assert solution.objective == pytest.approx(primal, rel=1e-8, abs=1e-10)
    assert solution.dual_objective == pytest.approx(dual, rel=1e-8, abs=1e-10)
    assert abs(primal - dual) <= 10 * tol * max(primal, 1e-6) and solution.status == "optimal"
    return f


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("degree", [1, 3])
def test_every_width_is_certified_and_keeps_the_conditions(name, degree):
    K, y = instance(name, degree)
    for C in (0.1, 10.0):
        solver = BandSolver(K, y, 1e-9)
        for B in widths(solver.theta(C)):
            solution = solver.solve(C, B)
            check(solution, K, y, C, B)
            assert kkt_violation(K, y, C, B, solution.dual, solution.intercept) <= 1e-9
        assert solver.fallbacks == 0
        assert solution.objective == pytest.approx(optimum(K, y, C, B), rel=1e-8)


@pytest.mark.parametrize("name", ["moons", "copies", "contradictory", "ties"])
def test_a_band_as_wide_as_the_outputs_is_the_support_vector_machine(name):
    K, y = instance(name, 3)
    for C in (0.1, 10.0):
        solver = BandSolver(K, y, 1e-9)
        svm = SVMSolver(K, y, 1e-9).solve(C)
        theta = solver.theta(C)
        for B in (theta, 2.0 * theta, 10.0 * theta):
            solution = solver.solve(C, max(B, 1.001))
            assert solution.objective == pytest.approx(svm.objective, rel=1e-9)
            assert solution.dual[1:].sum() <= 1e-9 * solution.dual[0].sum()
        tighter = solver.solve(C, 1.0 + 0.8 * (theta - 1.0))
        assert tighter.objective > svm.objective * (1 + 1e-7)


@pytest.mark.parametrize("name", ["moons", "copies", "contradictory", "ties"])
def test_the_solution_is_that_of_support_vector_regression_on_every_example_twice(name):
    """Targets y (B + 1) and 0, epsilon = B: the first has the kink at the margin 1, the second those at B and -B."""
    K, y = instance(name, 2, 40)
    C = 1.0
    solver = BandSolver(K, y, 1e-9)
    for B in widths(solver.theta(C))[1:]:
        solution = solver.solve(C, B)
        svr = SVR(kernel="precomputed", C=1.0, epsilon=B, tol=1e-9)
        svr.fit(np.tile(K, (2, 2)), np.concatenate([y * (B + 1.0), 0.0 * y]), np.repeat([C, 1e6], len(y)))
        theirs = svr.predict(np.tile(K, (1, 2)))
        np.testing.assert_allclose(K @ solution.x + solution.intercept, theirs, atol=1e-5)


@pytest.mark.parametrize("name", ["moons", "copies", "contradictory", "two points"])
def test_the_program_in_w_has_the_value_of_its_dual(name):
    """(2.8) itself, in w, b and xi, by Clarabel, where K is of inner products of the examples."""
    X, y = degenerate(name)
    rows = np.random.default_rng(0).permutation(len(y))[:40]
    X, y = X[rows] - X[rows].mean(axis=0), y[rows]
    if len(np.unique(y)) < 2:
        X, y = degenerate(name)
    (n, d), C = X.shape, 5.0
    solver = BandSolver(X @ X.T, y, 1e-9)
    for B in widths(solver.theta(C)):
        outputs, slack = np.hstack([X, np.ones((n, 1))]), np.eye(n)
        A = np.vstack(
            [
                np.hstack([-y[:, None] * outputs, -slack]),
                np.hstack([np.zeros((n, d + 1)), -slack]),
                *(np.hstack([sign * outputs, 0 * slack]) for sign in (1, -1)),
            ]
        )
        right = np.concatenate([-np.ones(n), np.zeros(n), np.full(2 * n, B)])
        P = sparse.csc_matrix(np.diag(np.concatenate([np.ones(d), np.zeros(n + 1)])))
        options = clarabel.DefaultSettings()
        options.verbose = False
        options.tol_gap_abs = options.tol_gap_rel = options.tol_feas = 1e-10
        q = np.concatenate([np.zeros(d + 1), np.full(n, C)])
        cones = [clarabel.NonnegativeConeT(len(right))]
        found = clarabel.DefaultSolver(P, q, sparse.csc_matrix(A), right, cones, options).solve()
        solution = solver.solve(C, B)
        assert solution.dual_objective == pytest.approx(found.obj_val, rel=1e-7, abs=1e-9)
        theirs = outputs @ np.array(found.x)[: d + 1]
        if name != "two points":
            np.testing.assert_allclose(X @ (X.T @ solution.x) + solution.intercept, theirs, atol=1e-4)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", NAMES)
def test_a_priced_width_is_the_best_one(name):
    """(2.11), and (2.12): Clarabel finds the same value, and the program of that width has the same solution."""
    K, y = instance(name, 2, 40)
    for C, D, nu in ((10.0, 0.1, np.inf), (10.0, 10.0, np.inf), (1.0, 1e4, np.inf), (10.0, 10.0, 2.0), (1.0, 1.0, 5.0)):
        solver = BandSolver(K, y, 1e-9)
        solution = solver.solve_priced(C, D, nu)
        cost = D * nu / len(y)
        check(solution, K, y, C, solution.extras["B"], cost, D)
        assert solution.extras["B"] >= 1.0
        assert solution.objective == pytest.approx(optimum(K, y, C, None, cost, D), rel=1e-8)
        if solution.extras["B"] > 1.0:
            given = solver.solve(C, solution.extras["B"], cost)
            assert given.objective + D * solution.extras["B"] == pytest.approx(solution.objective, rel=1e-8)


def test_a_high_price_makes_the_band_as_narrow_as_the_margin_and_a_low_one_none():
    K, y = instance("moons", 3)
    solver = BandSolver(K, y, 1e-9)
    assert solver.solve_priced(1.0, 1e5).extras["B"] == pytest.approx(1.0, abs=1e-9)
    solution = solver.solve_priced(1.0, 1e-7)
    svm = SVMSolver(K, y, 1e-9).solve(1.0)
    assert solution.extras["B"] == pytest.approx(solver.theta(1.0), rel=1e-4)
    assert solution.objective == pytest.approx(svm.objective + 1e-7 * solution.extras["B"], rel=1e-8)


def test_at_most_one_of_nu_outputs_is_beyond_the_band():
    K, y = instance("moons", 3)
    for nu in (1.5, 2.0, 4.0, 10.0):
        solution = BandSolver(K, y, 1e-9).solve_priced(10.0, 1.0, nu)
        assert solution.extras["B"] > 1.0
        assert (np.abs(K @ solution.x + solution.intercept) > solution.extras["B"] * (1 + 1e-9)).mean() <= 1.0 / nu


@pytest.mark.parametrize("name", ["moons", "copies", "contradictory", "ties", "tiny"])
def test_a_universum_has_its_outputs_near_0(name):
    K, y = instance(name, 3)
    n = 40
    for C in (0.1, 10.0):
        solver = BandSolver(K, y[:n], 1e-9)
        theta, before = solver.theta(C), np.inf
        for cost, epsilon in ((0.1, 0.5 * theta), (1.0, 0.1), (10.0, 0.01), (1.0, 0.0)):
            solution = solver.solve(C, epsilon, cost)
            check(solution, K, y[:n], C, epsilon, cost)
            assert solution.objective == pytest.approx(optimum(K, y[:n], C, epsilon, cost, n_band=20), rel=1e-8)
        for cost in (0.01, 1.0, 100.0):
            solution = solver.solve(C, 0.1, cost)
            beyond = np.maximum(0.0, np.abs(K[n:] @ solution.x + solution.intercept) - 0.1).sum()
            assert beyond <= before * (1 + 1e-9) + 1e-12
            before = beyond


def test_without_cost_a_universum_changes_nothing():
    K, y = instance("moons", 3)
    solution = BandSolver(K, y[:40], 1e-9).solve(1.0, 0.1, 1e-12)
    svm = SVMSolver(K[:40, :40], y[:40], 1e-9).solve(1.0)
    assert solution.objective == pytest.approx(svm.objective, rel=1e-9)


@pytest.mark.parametrize("name", ["moons", "copies", "contradictory", "ties", "unbalanced"])
def test_every_break_of_the_path_solves_the_program_of_its_width(name):
    K, y = instance(name, 3)
    C = 10.0
    solver, seen = BandSolver(K, y, 1e-9), []
    solver.solve(C, solver.theta(C))
    path, done = solver._path.copy(), False
    path.aim(path.C, solver._kinks(1.0 + 1e-3))
    while not done:
        _, done = path.advance(1)
        B, u = solver._width(path), solver._spread(path)
        v = y * u
        alpha = np.clip(v, 0.0, C)
        rest = y * (v - alpha)
        multipliers = np.stack([alpha, np.maximum(-rest, 0.0), np.maximum(rest, 0.0)])
        assert kkt_violation(K, y, C, B, multipliers, path.b) <= 1e-7  # ties are kept apart by about 1e-9
        seen.append((B, multipliers[1:].sum()))
    widths, outer = np.array(seen).T
    assert len(seen) > 10 and (np.diff(widths) <= 1e-8).all() and (np.diff(outer) >= -1e-6 * outer.max()).all()


@pytest.mark.parametrize("scale", [1e-8, 1e8])
def test_a_priced_width_is_the_same_in_other_units(scale):
    K, y = instance("moons", 3)
    one = BandSolver(K, y, 1e-9).solve_priced(10.0, 3.0)
    other = BandSolver(scale * K, y, 1e-9).solve_priced(10.0 / scale, 3.0 / scale)
    assert other.extras["B"] == pytest.approx(one.extras["B"], rel=1e-9)


def test_a_stalled_homotopy_is_told_and_its_value_is_true(monkeypatch):
    K, y = instance("moons", 3)
    solver = BandSolver(K, y, 1e-9)
    solver.solve(10.0, 30.0)
    monkeypatch.setattr("kernlearn.solvers.svm.path.MAX_STEPS", 0)
    solution = solver.solve(10.0, 1.1)
    assert solver.fallbacks > 0 and solution.status == "inaccurate" and solution.gap > 1e-6
    f = K @ solution.x + solution.intercept
    assert np.abs(f).max() <= 1.1 * (1 + 1e-12)  # not the solution, but a point of the program
    exact = BandSolver(K, y, 1e-9).solve(10.0, 1.1).objective
    assert solution.dual_objective <= exact * (1 + 1e-12) and exact <= solution.objective * (1 + 1e-12)


@settings(max_examples=40, deadline=None)
@given(
    n=st.integers(4, 40),
    d=st.integers(1, 6),
    degree=st.integers(1, 5),
    levels=st.integers(2, 6),
    C=st.sampled_from([1e-3, 1.0, 100.0]),
    seed=st.integers(0, 10**6),
)
def test_random_programs_are_certified(n, d, degree, levels, C, seed):
    random = np.random.default_rng(seed)
    X, y = random.integers(levels, size=(n, d)) / levels, random.choice([-1.0, 1.0], size=n)
    y[:2] = [-1.0, 1.0]
    K = gram(X, degree)
    K /= np.diagonal(K).max()
    solver = BandSolver(K, y)
    for B in (*widths(solver.theta(C)), 1.01, 5.0):
        check(solver.solve(C, B), K, y, C, B, tol=1e-6)
    D = float(10.0 ** random.uniform(-2, 2)) * C
    nu = float(random.choice([np.inf, 1.5, 5.0]))
    solution = solver.solve_priced(C, D, nu)
    check(solution, K, y, C, solution.extras["B"], D * nu / n, D, tol=1e-6)
