"""A small instance of every problem that a solver is registered for, with its values and its optimum.

The values are computed from the data and the points alone, the optimum by another solver (Clarabel, HiGHS, LAPACK).
Data come in units of `s`, which multiply the objective by a power of it.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import cvxpy as cp
import numpy as np
from scipy.optimize import minimize

from kernlearn.solvers import Bounds, Chains, Response
from tests.solvers.hinge_problems import DenseColumns, linprog_objective
from tests.solvers.test_weighted_features import literal

#: The gap that solvers are asked for.
TOL = 1e-6
RANDOM = np.random.default_rng(7)
N, C, B, LAMBDA, PRICE = 24, 2.0, 1.4, 0.05, 3.0
X = RANDOM.normal(size=(N, 4))
Y = np.where(X[:, 0] + 0.7 * RANDOM.normal(size=N) > 0.0, 1.0, -1.0)
LABELS = (X[:, :3] + 0.7 * RANDOM.normal(size=(N, 3))).argmax(axis=1)
K = X @ X.T
VOTES = np.where(RANDOM.random((30, N)) < 0.6, 1.0, -1.0)
COLUMNS, COST = RANDOM.normal(size=(1, N, 35)), RANDOM.uniform(0.02, 0.2, (1, 35))
COSINES = np.abs(RANDOM.normal(size=(12, 12)))
COSINES = COSINES @ COSINES.T / np.sqrt(np.outer(*2 * [(COSINES**2).sum(axis=1)]))
GAINS = RANDOM.random(12)
FACTORS, LINEAR = RANDOM.normal(size=(5, 9)), RANDOM.normal(size=9)
CHAINS = Chains(np.arange(6) % 3 == 0, 0.2 + RANDOM.random(6), 0.01 * RANDOM.random(6))
FEATURES = RANDOM.normal(size=(N, 6)) + 0.5 * Y[:, None]
KERNELS = RANDOM.normal(size=(6, N))

#: Solves the program again, from the solution before where that is given.
Again = Callable[..., Any]


class Problem(NamedTuple):
    """What the contract asks about a problem.

    `start(solver, s)` returns the solver's instance, or None, and `Again`; `values(solution, s)` the objective and the
    bound, None where that takes what a solution does not have; `optimum()` that of s = 1. `power` is None where a unit
    changes nothing but the instance.
    """

    start: Callable[[Any, float], tuple[Any, Again]]
    values: Callable[[Any, float], tuple[float, float | None]]
    optimum: Callable[[], float]
    power: float | None


def hinge(margins):
    return np.maximum(0.0, 1.0 - margins).sum()


def on_gram(*program, name="solve"):
    """Start a machine with a kernel; of its program, costs are divided by the unit of the kernel, a width is not."""

    def start(solver, s):
        machine = solver(s * K, Y, tol=TOL)
        costs = [value / s if is_cost else value for value, is_cost in program]
        return machine, lambda before=None: getattr(machine, name)(*costs)

    return start


def machine_values(solution, s, width=None, price=0.0):
    """Objective and bound of (P) and (D) of the SVM, with a hard band of a width, or one that has a price."""
    alpha, above, below = solution.dual if solution.dual.ndim == 2 else (solution.dual, 0.0, 0.0)
    f = s * K @ solution.x + solution.intercept
    u = alpha * Y - above + below
    assert np.min(solution.dual) >= 0.0 and alpha.max() <= C / s * (1.0 + 1e-12) and abs(u.sum()) <= 1e-9 * C / s
    assert width is None or np.abs(f).max() <= width * (1.0 + 1e-9)
    outer = np.sum(above + below)
    assert not price or outer <= price * (1.0 + 1e-9)
    objective = 0.5 * solution.x @ (s * K) @ solution.x + C / s * hinge(Y * f)
    bound = alpha.sum() - 0.5 * s * u @ K @ u
    if price:
        return objective + price * width, bound - outer + price
    return objective, bound - (outer * width if outer else 0.0)


def machine_optimum(width=None, price=0.0):
    w, b, B = cp.Variable(4), cp.Variable(), cp.Variable()
    f = X @ w + b
    value = 0.5 * cp.sum_squares(w) + C * cp.sum(cp.pos(1 - cp.multiply(Y, f)))
    if price:
        return least(value + price * B, [cp.abs(f) <= B, B >= 1])
    return least(value, [] if width is None else [cp.abs(f) <= width])


def least(value, constraints=()):
    return float(cp.Problem(cp.Minimize(value), list(constraints)).solve(solver="CLARABEL"))


def by_function(call):
    """Start a function that solves one program: `call(function, s, before)`, with the solution before or None."""
    return lambda solver, s: (None, lambda before=None: call(solver, s, before))


def linear_values(solution, s):
    Z, lambda_, a = np.sqrt(s) * X, s * LAMBDA, solution.dual / (s * LAMBDA)
    assert a.min() >= 0.0 and a.max() <= (1.0 + 1e-12) / (lambda_ * N)
    v = Z.T @ (a * Y)
    objective = 0.5 * lambda_ * solution.x @ solution.x + hinge(Y * (Z @ solution.x)) / N
    return objective, lambda_ * (a.sum() - 0.5 * v @ v)


def linear_optimum():
    w = cp.Variable(4)
    return least(0.5 * LAMBDA * cp.sum_squares(w) + cp.sum(cp.pos(1 - cp.multiply(Y, X @ w))) / N)


def all_classes_values(solution, s):
    A = solution.x
    F, own, each = s * K @ A, np.arange(N), C / s
    worst = (F + 1.0 - np.eye(3)[LABELS]).max(axis=1) - F[own, LABELS]
    return 0.5 * np.vdot(A, F) + each * worst.sum(), A[own, LABELS].sum() - 0.5 * np.vdot(A, F)


def by_cuts(solver, s):
    machine = solver(s * K, LABELS, 3, tol=TOL)
    return machine, lambda before=None: machine.solve(N * C / s)  # its C is that of the mean loss


def cuts_values(solution, s):
    A = solution.x[: 3 * N].reshape(N, 3)
    F, own = s * K @ A, np.arange(N)
    worst = (F + 1.0 - np.eye(3)[LABELS]).max(axis=1) - F[own, LABELS]
    return 0.5 * np.vdot(A, F) + C / s * worst.sum(), None


def all_classes_optimum():
    W = cp.Variable((4, 3))
    F, truth = X @ W, np.eye(3)[LABELS]
    losses = cp.max(F + (1.0 - truth), axis=1) - cp.sum(cp.multiply(F, truth), axis=1)
    return least(0.5 * cp.sum_squares(W) + C * cp.sum(losses))


UPPER = np.full(N, 3.0 / N)


def margin_values(solution, s):
    a, u = solution.x, solution.dual
    assert min(a.min(), u.min()) >= 0.0 and abs(a.sum() - 1.0) <= 1e-9
    assert (u <= UPPER * (1.0 + 1e-12)).all() and abs(u.sum() - 1.0) <= 1e-9
    margins = a @ VOTES
    soft = max(rho - UPPER @ np.maximum(0.0, rho - margins) for rho in margins)
    return 1.0 - soft, 1.0 - (VOTES @ u).max()


def margin_optimum():
    a, rho = cp.Variable(30, nonneg=True), cp.Variable()
    return least(1 - rho + UPPER @ cp.pos(rho - VOTES.T @ a), [cp.sum(a) == 1])


def on_columns(solver, s):
    machine = solver(DenseColumns(s * COLUMNS), tol=TOL)
    return machine, lambda before=None: machine.solve(s * COST)


def columns_values(solution, s):
    u = solution.dual.astype(float)
    assert u.min() >= 0.0 and u.max() <= (1.0 + 1e-12) / N
    assert (np.abs(s * COLUMNS[0].T @ u) <= s * COST[0] * (1.0 + 1e-9)).all()
    return hinge(s * COLUMNS[0] @ solution.x[0]) / N + s * COST[0] @ np.abs(solution.x[0]), u.sum()


def squared_start(solver, s):
    machine = solver(DenseColumns(s * COLUMNS), s * COST, tol=TOL)
    return machine, lambda before=None: machine.solve(C)


def squared_values(solution, s):
    a, alpha = solution.x[0], solution.dual
    assert alpha.min() >= 0.0 and alpha.max() <= C * (1.0 + 1e-12)
    norm = (np.abs(COLUMNS[0].T @ alpha) / COST[0]).max()
    objective = 0.5 * (s * COST[0] @ np.abs(a)) ** 2 + C * hinge(s * COLUMNS[0] @ a)
    return objective, alpha.sum() - 0.5 * norm**2


def squared_optimum():
    a = cp.Variable(35)
    return least(0.5 * cp.square(COST[0] @ cp.abs(a)) + C * cp.sum(cp.pos(1 - COLUMNS[0] @ a)))


def orthant_values(solution, s):
    x, z = solution.x, solution.dual
    assert x.min() >= 0.0 and (COSINES @ z >= s * GAINS * (1.0 - 1e-9)).all()
    return 0.5 * x @ COSINES @ x - s * GAINS @ x, -0.5 * z @ COSINES @ z


def orthant_optimum():
    x = cp.Variable(12, nonneg=True)
    return least(0.5 * cp.quad_form(x, cp.psd_wrap(COSINES)) - GAINS @ x)


P, ROWS = FACTORS.T @ FACTORS, np.ones((1, 9))
BOUNDS = Bounds(np.zeros(1), np.zeros(1), -np.ones(9), np.ones(9))


def quadratic_start(solver, s):
    program = solver(s * P, ROWS, tol=TOL)
    return program, lambda before=None: program.solve(s * LINEAR, BOUNDS)


def quadratic_values(solution, s):
    x, r = solution.x, s * P @ solution.x + s * LINEAR + ROWS.T @ solution.dual
    assert np.abs(x).max() <= 1.0 + TOL and abs(x.sum()) <= TOL
    return 0.5 * s * x @ P @ x + s * LINEAR @ x, -0.5 * s * x @ P @ x - np.abs(r).sum()


def quadratic_optimum():
    x = cp.Variable(9)
    return least(0.5 * cp.sum_squares(FACTORS @ x) + LINEAR @ x, [cp.abs(x) <= 1, cp.sum(x) == 0])


class Moments:
    """``J(mu) = y' (I + sum_k mu_k b_k b_k')^-1 y``, an inner problem in closed form."""

    def __init__(self, s):
        self.y = s * Y

    @property
    def zero(self):
        return float(self.y @ self.y)

    def matrix(self, mu):
        return np.eye(N) + KERNELS.T * mu @ KERNELS

    def respond(self, mu):
        alpha = np.linalg.solve(self.matrix(mu), self.y)
        return Response(float(self.y @ alpha), *self.bound(alpha), alpha, alpha, 0.0, 1)

    def bound(self, alpha):
        return float(2 * alpha @ self.y - alpha @ alpha), (KERNELS @ alpha) ** 2

    def curvature(self, mu, response, some):
        G = KERNELS[some].T * (KERNELS[some] @ response.alpha)
        return 2 * G.T @ np.linalg.solve(self.matrix(mu), G)


def weights_start(function, s):
    options = {"norm": 1.0} if function.__name__ == "alternate" else {}
    inner = Moments(s)
    return None, lambda before=None: function(inner, np.ones(6) if before is None else before.x, tol=TOL, **options)


def weights_values(solution, s):
    mu, inner = solution.x, Moments(s)
    assert mu.min() >= 0.0 and mu.sum() <= 1.0 + 1e-9
    constant, w = inner.bound(solution.dual)
    return float(inner.y @ np.linalg.solve(inner.matrix(mu), inner.y)), constant - w.max()


def weights_optimum():
    mu = cp.Variable(6, nonneg=True)
    matrix = np.eye(N) + sum(mu[k] * np.outer(b, b) for k, b in enumerate(KERNELS))
    return least(cp.matrix_frac(Y, matrix), [cp.sum(mu) <= 1])


def features_start(solver, s):
    machine = solver(np.sqrt(s) * FEATURES, Y, CHAINS, tol=TOL)
    return machine, lambda before=None: machine.solve(C / s)


def features_values(solution, s):
    F, delta, gam = np.sqrt(s) * FEATURES, solution.x, solution.extras["gam"]
    w = delta * (F.T @ gam)
    f = F @ w + solution.intercept
    alpha = solution.dual[0]
    assert alpha.min() >= 0.0 and alpha.max() <= C / s * (1.0 + 1e-12) and abs(alpha @ Y) <= 1e-9 * C / s
    z2 = (F.T @ (alpha * Y)) ** 2
    norm = (w[delta > 0.0] ** 2 / delta[delta > 0.0]).sum()
    bound = alpha.sum() - 0.5 * CHAINS.base @ z2 - 0.5 * (CHAINS.N.T @ z2).max()
    return 0.5 * norm + C / s * hinge(Y * f), bound


def ridge_values(solution, s):
    u, alpha, A = solution.x, solution.dual, COLUMNS[0]
    objective = ((s * Y - A @ u) ** 2).sum() / LAMBDA + np.abs(u).sum() ** 2 / C
    return objective, 2 * s * alpha @ Y - LAMBDA * alpha @ alpha - C * np.abs(A.T @ alpha).max() ** 2


def ridge_optimum():
    u = cp.Variable(35)
    return least(cp.sum_squares(Y - COLUMNS[0] @ u) / LAMBDA + cp.square(cp.norm1(u)) / C)


def ridge_call(function, s, before):
    likely = {} if before is None else {"likely": np.flatnonzero(before.x)}
    return function(DenseColumns(COLUMNS), s * Y, LAMBDA, C, tol=TOL, **likely)


def design_values(solution, s):
    weights, moments = solution.x, s * X.T @ X
    inverse = np.linalg.inv(0.5 * np.eye(4) + 0.5 * (X.T * weights) @ X)
    g = -0.5 * np.einsum("ij,jk,ik->i", X, inverse @ moments @ inverse, X)
    value = np.vdot(inverse, moments)
    assert weights.min() >= 0.0 and abs(weights.sum() - 1.0) <= 1e-9
    return value, value + g.min() - g @ weights


def design_optimum():
    weights = cp.Variable(N, nonneg=True)
    A = 0.5 * np.eye(4) + 0.5 * X.T @ cp.diag(weights) @ X
    root = np.linalg.cholesky(X.T @ X)
    return least(sum(cp.matrix_frac(column, A) for column in root.T), [cp.sum(weights) == 1])


def ellipsoid_values(solution, s):
    around, u = solution.extras["ellipsoid"], solution.dual
    beyond = np.maximum(0.0, (around.images(s * X) ** 2).sum(axis=1) - 1.0).sum()
    Z = s * (X - u @ X / u.sum())
    S = (Z.T * u) @ Z
    objective = -np.linalg.slogdet(around.A)[1] + 0.1 * beyond
    assert u.min() >= 0.0 and u.max() <= 0.1 * (1.0 + 1e-12)
    return np.exp(objective / 4.0), np.exp((0.5 * np.linalg.slogdet(2.0 * S)[1] + 2.0 - u.sum()) / 4.0)


def ellipsoid_optimum():
    A, b = cp.Variable((4, 4), PSD=True), cp.Variable(4)
    beyond = sum(cp.pos(cp.sum_squares(A @ x - b) - 1.0) for x in X)
    return float(np.exp(least(-cp.log_det(A) + 0.1 * beyond) / 4.0))


G3, B3 = K[:3, :3] - 4.0 * np.eye(3), K[0, :3]


def sphere_values(solution, s):
    z, multiplier = solution.x, float(solution.dual[0])
    assert abs(z @ z - 3.0) <= 1e-9
    shifted = s * G3 - multiplier * np.eye(3)
    assert np.linalg.eigvalsh(shifted)[0] >= -1e-9 * s
    return 0.5 * s * z @ G3 @ z - s * B3 @ z, -0.5 * s**2 * B3 @ np.linalg.pinv(shifted) @ B3 + 1.5 * multiplier


def sphere_optimum():
    def value(v):
        z = np.sqrt(3.0) * v / np.linalg.norm(v)
        return 0.5 * z @ G3 @ z - B3 @ z

    starts = np.random.default_rng(0).normal(size=(20, 3))
    return float(min(minimize(value, v, tol=1e-14).fun for v in starts))


OUTPUTS, COUNTS = np.abs(X), np.full(N, 1.0 / N)


def output_values(solution, s):
    w, a = solution.x, solution.dual
    objective = 0.5 * COUNTS @ (OUTPUTS @ w - s * Y) ** 2 + 0.5 * LAMBDA * w @ w
    pulled = OUTPUTS.T @ a
    return objective, s * a @ Y - 0.5 * (a**2 / COUNTS).sum() - pulled @ pulled / (2 * LAMBDA)


def output_optimum():
    A = np.vstack([np.sqrt(COUNTS)[:, None] * OUTPUTS, np.sqrt(LAMBDA) * np.eye(4)])
    return 0.5 * float(np.linalg.lstsq(A, np.append(np.sqrt(COUNTS) * Y, np.zeros(4)), rcond=None)[1][0])


def no_more(u):
    return float((VOTES @ u).max()), VOTES[:0]


def classes_call(function, s, before):
    start = None if before is None else before.x
    return function(s * K, LABELS, 3, C / s, tol=TOL, start=start)


def nothing_call(*arguments):
    """Start a function from nothing, with the arguments that the one given here returns for s."""
    return by_function(lambda function, s, before: function(*arguments[0](s)))


PROBLEMS = {
    "svm": Problem(on_gram((C, True)), machine_values, machine_optimum, -1.0),
    "band": Problem(
        on_gram((C, True), (B, False)), lambda x, s: machine_values(x, s, B), lambda: machine_optimum(B), -1.0
    ),
    "priced band": Problem(
        on_gram((C, True), (PRICE, True), name="solve_priced"),
        lambda x, s: machine_values(x, s, x.extras["B"], PRICE / s),
        lambda: machine_optimum(price=PRICE),
        -1.0,
    ),
    "linear svm": Problem(
        nothing_call(lambda s: (np.sqrt(s) * X, Y, s * LAMBDA, TOL)), linear_values, linear_optimum, 0.0
    ),
    "all classes": Problem(by_function(classes_call), all_classes_values, all_classes_optimum, -1.0),
    "all classes by cuts": Problem(by_cuts, cuts_values, all_classes_optimum, -1.0),
    "soft margin": Problem(nothing_call(lambda s: (VOTES, UPPER, no_more, TOL)), margin_values, margin_optimum, None),
    "hinge and norm 1": Problem(on_columns, columns_values, lambda: linprog_objective(COLUMNS, COST), 0.0),
    "hinge and squared norm 1": Problem(squared_start, squared_values, squared_optimum, 0.0),
    "non-negative quadratic program": Problem(
        nothing_call(lambda s: (COSINES, s * GAINS, TOL)), orthant_values, orthant_optimum, 2.0
    ),
    "quadratic program": Problem(quadratic_start, quadratic_values, quadratic_optimum, 1.0),
    "weights": Problem(weights_start, weights_values, weights_optimum, 2.0),
    "weighted features": Problem(features_start, features_values, lambda: literal(FEATURES, Y, C, None, CHAINS), -1.0),
    "ridge and squared norm 1": Problem(by_function(ridge_call), ridge_values, ridge_optimum, 2.0),
    "design": Problem(nothing_call(lambda s: (np.sqrt(s) * X, X, 0.5, TOL)), design_values, design_optimum, 1.0),
    "ellipsoid": Problem(nothing_call(lambda s: (s * X, 0.1, TOL)), ellipsoid_values, ellipsoid_optimum, 1.0),
    "sphere": Problem(nothing_call(lambda s: (s * G3, s * B3, 3.0, 0.0, TOL)), sphere_values, sphere_optimum, 1.0),
    "output weights": Problem(
        nothing_call(lambda s: (OUTPUTS, s * Y, LAMBDA, COUNTS)), output_values, output_optimum, 2.0
    ),
}
