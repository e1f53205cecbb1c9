"""The optimisation problems of the papers, written anew for CVXPY and Clarabel.

Nothing here is taken from the solvers of the package. What an oracle returns is rigorous however well it solved: a
primal value is that of a feasible point, computed in extended precision, hence an upper bound of the optimal value; a
dual value is that of a feasible dual point, hence a lower bound. Equation numbers are those of the modules of
`kernlearn.algorithms`.
"""

import warnings
from dataclasses import dataclass
from math import inf
from typing import Any

import clarabel
import cvxpy as cp
import numpy as np
from scipy import sparse
from scipy.linalg import lu_factor, lu_solve

from attacks.gram import Gram, factor
from attacks.held import Array, best_bias, dual_norm, hinge, long, norm

#: Rounds in which the weights of kernels are improved after CVXPY.
ROUNDS = 12
TIGHT = {"tol_gap_abs": 1e-12, "tol_gap_rel": 1e-12, "tol_feas": 1e-11, "max_iter": 200}


@dataclass
class Best:
    """The value of a feasible point, a lower bound, and the weights of kernels if there are any."""

    value: Any = inf
    lower: Any = -inf
    mu: Array | None = None

    def offer(self, value: Any, lower: Any, mu: Array | None = None) -> None:
        """Keep what is better."""
        if value < self.value:
            self.value, self.mu = value, mu
        if lower > self.lower:
            self.lower = lower

    def times(self, factor: float) -> "Best":
        """Return the same in other units."""
        return Best(self.value * factor, self.lower * factor, self.mu)


def quadratic_program(P: Array, q: Array, A: Array, b: Array, equalities: int) -> Array:
    """Return the x that minimises ``1/2 x'Px + q.x``, ``Ax = b`` in the first rows and ``Ax <= b`` in the others."""
    settings = clarabel.DefaultSettings()
    settings.verbose, settings.max_threads = False, 1
    for key, value in TIGHT.items():
        setattr(settings, key, value)
    cones = [clarabel.ZeroConeT(equalities), clarabel.NonnegativeConeT(len(b) - equalities)]
    matrices = sparse.csc_matrix(np.triu(P)), q, sparse.csc_matrix(A), b, cones, settings
    return np.array(clarabel.DefaultSolver(*matrices).solve().x)


def solve_conic(problem: cp.Problem) -> bool:
    """Solve by Clarabel, tightly; return whether there is a point at all."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # whatever it says of its accuracy, its point is evaluated here
            problem.solve(solver=cp.CLARABEL, max_threads=1, **TIGHT)
    except cp.error.SolverError:
        return False
    return all(variable.value is not None and np.isfinite(variable.value).all() for variable in problem.variables())


def svm_value(G: Gram, y: Array, C: float, beta: Array) -> Any:
    """Return (P) of the soft-margin SVM at ``f = K beta + b`` with the best b, whatever the errors of K."""
    f, errors = G.K @ beta, G.E @ np.abs(beta)
    margins = y * (f + best_bias(f, y))
    return beta @ f / 2 + np.abs(beta) @ errors / 2 + C * hinge(margins - errors)


def feasible_alpha(alpha: Array, y: Array, C: float) -> Array:
    """Return a point near alpha with ``0 <= alpha <= C`` and ``alpha.y = 0``: the larger side is scaled down."""
    alpha = np.clip(long(alpha), 0, long(C))
    sides = [alpha[y > 0].sum(), alpha[y < 0].sum()]
    least = min(sides)
    return alpha * np.where(y > 0, least / (sides[0] or 1), least / (sides[1] or 1))


def solve_svm(G: Gram, y: Array, C: float) -> tuple[Array, Any, Any]:
    """Return beta, (P) and (D) of the soft-margin SVM."""
    s = G.scale
    G, C, n = G.over(s), C * s, len(y)  # (K / s, C s) has the solution alpha s and the value (P) s
    K = G.K
    A = np.vstack([np.ones(n), np.eye(n), -np.eye(n)])
    b = np.concatenate([[0.0], np.where(y > 0, C, 0.0), np.where(y > 0, 0.0, C)])
    beta = long(quadratic_program(K.astype(float) + 1e-15 * np.eye(n), -y, A, b, 1))
    candidates = [np.zeros(n, dtype=np.longdouble)]
    if np.isfinite(beta).all():
        candidates += [feasible_alpha(beta * y, y, C) * y, *_polished(K, y, C, beta)]
    values = [svm_value(G, y, C, beta) for beta in candidates]
    bounds = [(beta * y).sum() - beta @ K @ beta / 2 for beta in (feasible_alpha(c * y, y, C) * y for c in candidates)]
    return candidates[int(np.argmin(values))] / s, min(values) / s, max(bounds) / s


def _polished(K: Array, y: Array, C: float, beta: Array) -> list[Array]:
    """Return the solution of the equations of the free examples, for some guesses which these are."""
    alpha, found = beta * y, []
    for part in (1e-3, 1e-5, 1e-7):
        free = (alpha > part * min(C, alpha.max())) & (alpha < (1 - part) * C)
        upper = alpha >= (1 - part) * C
        if not free.any():
            continue
        point = np.where(upper, C * y, long(0))
        m = int(free.sum())
        system = np.ones((m + 1, m + 1))
        system[:m, :m], system[m, m] = K[np.ix_(free, free)], 0.0
        right = np.append((y - K @ point)[free], -point.sum())
        try:
            point[free] = refined(system, right)[:m]
        except np.linalg.LinAlgError:
            continue
        if np.isfinite(point).all():
            found.append(point)
    return found


def refined(A: Array, right: Array) -> Array:
    """Solve linear equations with residuals in extended precision."""
    A, right = long(A), long(right)
    factors = lu_factor(A.astype(float))
    if not np.diagonal(factors[0]).all():
        raise np.linalg.LinAlgError
    x = np.zeros(len(right), dtype=np.longdouble)
    for _ in range(6):
        x = x + lu_solve(factors, (right - A @ x).astype(float))
    return x


def quadratics(K: Array, beta: Array) -> Array:
    """Return ``beta' K_k beta`` for every k."""
    return np.maximum(K @ beta @ beta, 0)


def q_norm(s: cp.Variable, p: float) -> cp.Expression:
    """Return ``||s||_q``, ``1/p + 1/q = 1``; a q above 30 counts as infinite, which only makes the start worse."""
    if p == inf:
        return cp.sum(s)
    return cp.max(s) if p < 1.035 else cp.pnorm(s, p / (p - 1.0))


def weights_from(constraints: list[Any], p: float) -> Array:
    """Return weights from the multipliers of ``s_k >= ...``, of p-norm 1."""
    mu = np.array([max(float(np.sum(constraint.dual_value)), 0.0) for constraint in constraints])
    mu = mu if mu.any() and np.isfinite(mu).all() else np.ones(len(mu))
    return long(mu) / norm(long(mu), p)


def solve_mkl(G: Gram, y: Array, C: float, p: float) -> Best:
    """Solve multiple kernel learning, ``||mu||_p <= 1``."""
    s = G.scale
    G, C = G.over(s), C * s
    K = G.K
    n, mu = len(y), np.ones(len(K)) / norm(np.ones(len(K)), p)
    alpha, sizes = cp.Variable(n), cp.Variable(len(K))
    bounds = [cp.sum_squares(factor(k).T @ cp.multiply(y, alpha)) <= sizes[i] for i, k in enumerate(K)]
    objective = cp.Maximize(cp.sum(alpha) - q_norm(sizes, p) / 2)
    starts = [mu]
    if solve_conic(cp.Problem(objective, [alpha >= 0, alpha <= C, y @ alpha == 0, *bounds])):
        starts.insert(0, weights_from(bounds, p))
    best = Best()
    for mu in starts:
        for _ in range(ROUNDS):
            beta, value, _ = solve_svm(G.combine(mu), y, C)
            w = quadratics(K, beta)
            feasible = feasible_alpha(beta * y, y, C)
            before = best.value
            best.offer(value, feasible.sum() - dual_norm(quadratics(K, feasible * y), p) / 2, mu)
            if p == inf or not w.any() or best.value - best.lower < 1e-11 * best.value:
                break
            if before - best.value < 1e-13 * best.value:
                break
            mu = (mu**2 * w) ** (1 / (long(p) + 1))
            mu = mu / norm(mu, p)
    if alpha.value is not None:
        feasible = feasible_alpha(alpha.value, y, C)
        best.offer(inf, feasible.sum() - dual_norm(quadratics(K, feasible * y), p) / 2)
    return best.times(1 / s)


def ridge_value(G: Gram, y: Array, lambda_: float, alpha: Array) -> Any:
    """Return (2.8) at ``w = sum_i alpha_i Phi(x_i)``, whatever the errors of K."""
    f, errors = G.K @ alpha, G.E @ np.abs(alpha)
    return alpha @ f + np.abs(alpha) @ errors + ((np.abs(y - f) + errors) ** 2).sum() / lambda_


def solve_ridge(G: Gram, y: Array, lambda_: float) -> tuple[Array, Any, Any]:
    """Return alpha, (P) and (D) of kernel ridge regression."""
    y = long(y)
    try:
        alpha = refined(G.K + long(lambda_) * np.eye(len(y)), y)
    except np.linalg.LinAlgError:
        alpha = long(np.zeros(len(y)))
    lower = 2 * alpha @ y - lambda_ * alpha @ alpha - alpha @ G.K @ alpha
    return alpha, ridge_value(G, y, lambda_, alpha), lower


def solve_lkrr(G: Gram, y: Array, lambda_: float, Lambda: float, p: int, mu0: float) -> Best:
    """Solve ridge regression with weights: ``||mu - mu0||_2 <= Lambda`` for p = 2, ``||mu||_1 <= Lambda`` for p = 1."""
    u = float(np.abs(y).max()) or 1.0
    s = G.scale
    G, y, lambda_ = G.over(s), long(y) / u, lambda_ / s  # y / u, K / s, lambda / s: the value is (P) s / u^2
    K = G.K
    alpha, v = cp.Variable(len(y)), cp.Variable(len(K))
    unit = 1.0 / lambda_  # alpha is about y / lambda
    bounds = [cp.sum_squares(factor(k).T @ alpha) * unit <= v[i] for i, k in enumerate(K)]
    spread = cp.max(v) if p == 1 else cp.norm(v)
    objective = 2 * (y.astype(float) @ alpha) - cp.sum_squares(alpha) - mu0 * cp.sum(v) - Lambda * spread
    best, starts = Best(), [np.ones(len(K)) / norm(np.ones(len(K)), p)]
    if solve_conic(cp.Problem(cp.Maximize(objective), bounds)):
        starts.insert(0, weights_from(bounds, p))
        if p == 2 and (size := np.linalg.norm(v.value)) > 0:
            starts.insert(0, np.maximum(v.value, 0) / size)
    for direction in starts:
        for _ in range(ROUNDS):
            mu = mu0 + Lambda * long(direction)
            a, value, _ = solve_ridge(G.combine(mu), y, lambda_)
            w, before = quadratics(K, a), best.value
            best.offer(value, 2 * a @ y - lambda_ * a @ a - mu0 * w.sum() - Lambda * dual_norm(w, p), mu)
            if not w.any() or before - best.value < 1e-13 * best.value:
                break
            # (9): the weights that are best for fixed norms of the blocks, for mu0 = 0 only
            step = (long(direction) ** 2 * w) ** (1 / long(p + 1)) if mu0 == 0 else w
            direction = step / norm(step, p)
    return best.times(u * u / s)


def multiclass_value(G: Gram, y: Array, C: float, A: Array) -> Any:
    """Return (P) of the multi-class SVM at ``f_c = sum_i A_ic K(x_i, .)``, A of shape (n, classes)."""
    F, errors = G.K @ A, G.E @ np.abs(A)
    wrong = np.arange(A.shape[1])[None, :] != y[:, None]
    losses = (wrong + F - F[np.arange(len(y)), y][:, None]).max(axis=1)
    rounding = (np.abs(A) * errors).sum() / 2 + 2 * C * errors.max(axis=1).sum()
    return (A * F).sum() / 2 + C * losses.sum() + rounding


def feasible_rows(A: Array, y: Array, C: float) -> Array:
    """Return a point near A with ``sum_c A_ic = 0`` and ``A_ic <= C [c = y_i]``."""
    own = np.arange(A.shape[1])[None, :] == y[:, None]
    A = np.where(own, 0, np.minimum(long(A), 0))
    total = -A.sum(axis=1, keepdims=True)
    A = A * np.minimum(1, C / np.where(total > 0, total, 1))
    return np.where(own, -A.sum(axis=1, keepdims=True), A)


def solve_multiclass_svm(G: Gram, y: Array, C: float, classes: int) -> tuple[Array, Any]:
    """Return A and (P) of the multi-class SVM."""
    n, s = len(y), G.scale
    G, C = G.over(s), C * s
    own = (np.arange(classes)[None, :] == y[:, None]).astype(float)
    P = np.kron(G.K.astype(float), np.eye(classes)) + 1e-15 * np.eye(n * classes)
    rows = np.vstack([np.kron(np.eye(n), np.ones(classes)), np.eye(n * classes)])
    A = quadratic_program(P, -own.ravel(), rows, np.concatenate([np.zeros(n), C * own.ravel()]), n)
    zero = np.zeros((n, classes), dtype=np.longdouble)
    A = feasible_rows(A.reshape(n, classes), y, C) if np.isfinite(A).all() else zero
    values = [(multiclass_value(G, y, C, point), i) for i, point in enumerate((A, zero))]
    value, i = min(values)
    return (A, zero)[i] / s, value / s


def solve_multiclass_mkl(G: Gram, y: Array, C: float, p: float, classes: int) -> Best:
    """Solve multiple kernel learning with the multi-class hinge loss."""
    s = G.scale
    G, C = G.over(s), C * s
    K = G.K
    own = (np.arange(classes)[None, :] == y[:, None]).astype(float)
    A, sizes = cp.Variable((len(y), classes)), cp.Variable(len(K))
    bounds = [cp.sum_squares(factor(k).T @ A) <= sizes[i] for i, k in enumerate(K)]
    objective = cp.Maximize(cp.sum(cp.multiply(own, A)) - q_norm(sizes, p) / 2)
    starts = [np.ones(len(K)) / norm(np.ones(len(K)), p)]
    if solve_conic(cp.Problem(objective, [cp.sum(A, axis=1) == 0, C * own >= A, *bounds])):
        starts.insert(0, weights_from(bounds, p))
    best = Best()
    for mu in starts:
        for _ in range(ROUNDS // 2):
            point, value = solve_multiclass_svm(G.combine(mu), y, C, classes)
            before, feasible = best.value, feasible_rows(point, y, C)
            w = np.array([(feasible * (k @ feasible)).sum() for k in K])
            best.offer(value, (feasible * own).sum() - dual_norm(np.maximum(w, 0), p) / 2, mu)
            if p == inf or not w.any() or before - best.value < 1e-11 * best.value:
                break
            mu = (mu**2 * np.maximum(w, 0)) ** (1 / (long(p) + 1))
            mu = mu / norm(mu, p)
    return best.times(1 / s)
