# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
"""The multi-class support vector machine by an interior point method, and the derivative of its solution.

The optimality conditions of (D) in `kernlearn.solvers.svm.multiclass`, A class by class, with the slacks
``s_ci = C w_i [c = y_i] - A_ci`` of the bounds, their multipliers z and the multipliers b of the sums::

    (AK)_ci - [c = y_i] + z_ci + b_i = 0 ,   sum_c A_ci = 0 ,   s_ci z_ci = 0 ,   s, z >= 0 .

Newton's method for ``s_ci z_ci = t``, t to 0, with the predictor and the corrector of Mehrotra (1992); it takes 5 to 20
iterations however ill-conditioned K is. An iteration solves a `RowSystem`: a Cholesky factor of K for every class and
one more for b. Most multipliers soon are large, which leaves their classes only the examples near the margin.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import blas, lapack

from kernlearn.certificates import relative_gap
from kernlearn.compiled import compiled
from kernlearn.types import Array

#: Iterations after which the method gives up.
MAX_ITERATIONS = 60
#: The part of the gap per entry that s z is at the start.
START = 0.1
#: The part of the way to the boundary that a step goes.
TO_BOUNDARY = 0.99
#: D in multiples of the trace of K, which no eigenvalue exceeds, from which on K is small beside it; and the least D.
HEAVY, MIN_DIAGONAL = 10.0, 1e-12
#: Parts of the trace of K that D counts as at least, one after the other.
LIFTS = (MIN_DIAGONAL, 1e-9, 1e-6)


class Values(NamedTuple):
    """The objectives of (P) and (D) for some A, that of A = 0, and the relative gap."""

    objective: float
    dual: float
    zero: float

    @classmethod
    def of(cls, A: Array, F: Array, y: NDArray[np.intp], C: float, weights: Array) -> "Values":
        """Return those for A and ``F = AK``, shape (m, n), and factors of C for every example, shape (n,)."""
        i = np.arange(len(y))
        quadratic = float(np.vdot(A, F))
        loss = F + 1.0
        loss[y, i] -= 1.0
        slack = float((weights * (loss.max(axis=0) - F[y, i])).sum())
        return cls(0.5 * quadratic + C * slack, float(A[y, i].sum()) - 0.5 * quadratic, C * float(weights.sum()))

    @property
    def gap(self) -> float:
        """The relative gap."""
        return relative_gap(self.objective, self.dual, self.zero)


class RowSystem:
    """``X_c (K + diag D_c) + b = R_c`` for every class c, with ``sum_c X_c = 0``.

    With ``M_c = (K + diag D_c)^-1`` it is ``(sum_c M_c) b = sum_c M_c R_c``. Where D is large beside K, M_c is taken
    to be diagonal: the solution is a little off there, and `refined` makes good for it.

    Parameters
    ----------
    K : array of shape (n, n)
    D : array of shape (m, n)
        Positive; infinite where X is to be 0.

    Raises
    ------
    numpy.linalg.LinAlgError
        If a matrix is not positive definite in floating point numbers.
    """

    def __init__(self, K: Array, D: Array):
        self.K, self.D = K, D
        trace = float(np.trace(K)) or 1.0
        D = np.maximum(D, MIN_DIAGONAL * trace)
        heavy = D > HEAVY * trace
        self.diagonal = np.where(heavy, 1.0 / D, 0.0)
        self.blocks: list[tuple[int, NDArray[np.intp], Array]] = []
        total = np.diag(self.diagonal.sum(axis=0))
        for c, light in enumerate(~heavy):
            S = np.flatnonzero(light)
            if len(S):
                # Of all these matrices, LAPACK's in Fortran's order, only the lower triangles are there.
                factor = _accept(lapack.dpotrf(_block(K, S, D[c]).T, lower=1, overwrite_a=1))
                inverse = _accept(lapack.dpotri(factor, lower=1, overwrite_c=1))
                _add_block(total, S, inverse.T)
                self.blocks.append((c, S, inverse))
        self.factor = _accept(lapack.dpotrf(total.T, lower=1, overwrite_a=1))

    def solve(self, R: Array) -> tuple[Array, Array]:
        """Return X and b for R of shape (m, n), or for several such, of shape (m, n, r)."""
        diagonal = self.diagonal.reshape(self.diagonal.shape + (1,) * (R.ndim - 2))
        X = diagonal * R
        for c, S, inverse in self.blocks:
            X[c, S] = _product(inverse, R[c, S])
        b = _accept(lapack.dpotrs(self.factor, X.sum(axis=0), lower=1))
        X -= diagonal * b
        for c, S, inverse in self.blocks:
            X[c, S] -= _product(inverse, b[S])
        return X, b

    def refined(self, R: Array) -> tuple[Array, Array]:
        """Return X and b after one step of iterative refinement, for finite D."""
        X, b = self.solve(R)
        more = self.solve(R - X @ self.K - self.D * X - b)
        return X + more[0], b + more[1]


def _accept(result: tuple[Array, int]) -> Array:
    if result[1]:
        raise np.linalg.LinAlgError("a matrix is not positive definite")
    return result[0]


def _product(inverse: Array, X: Array) -> Array:
    product: Array = blas.dsymm(1.0, inverse, X.reshape(len(X), -1), lower=1)
    return product.reshape(X.shape)


@compiled
def _block(K, S, d):
    """Return the upper triangle of ``K_SS + diag d_S``."""
    block = np.empty((len(S), len(S)))
    for i in range(len(S)):
        for j in range(i, len(S)):
            block[i, j] = K[S[i], S[j]]
        block[i, i] += d[S[i]]
    return block


@compiled
def _add_block(total, S, block):
    """Add the upper triangle of a matrix to that of the rows and columns S."""
    for i in range(len(S)):
        for j in range(i, len(S)):
            total[S[i], S[j]] += block[i, j]


def interior_point(K: Array, y: NDArray[np.intp], C: float, weights: Array, A: Array, tol: float) -> tuple[Array, int]:
    """Return a feasible A with a relative gap of `tol`, or the best one found, and the number of iterations.

    Parameters
    ----------
    K : array of shape (n, n)
    y : array of shape (n,)
        Classes 0, 1, ...
    C : float > 0
    weights : array of shape (n,)
        Factors > 0 of C for every example.
    A : array of shape (n_classes, n)
        A feasible point to start near to.
    """
    labels, iterations = _labels(A, y), 0
    best, lowest = A, Values.of(A, A @ K, y, C, weights)
    A, s, z, b = _start(K, labels, C * weights, A, START * (lowest.objective - lowest.dual) / A.size)
    while lowest.gap > tol and iterations < MAX_ITERATIONS:
        iterations += 1
        try:
            system = RowSystem(K, z / s)
        except np.linalg.LinAlgError:
            break
        residual = labels - A @ K - z - b
        mean, target = float(np.vdot(s, z)) / A.size, np.zeros_like(A)  # the predictor heads for s z = 0
        for _ in range(2):
            shift = target / s - z  # dz = shift + z dA / s , for ds = -dA
            dA, db = system.refined(residual - shift)
            dz = shift + z * dA / s
            length = min(_length(s, -dA), _length(z, dz))
            step = min(1.0, length)
            ahead = float(np.vdot(s - step * dA, z + step * dz)) / A.size
            target = mean * (ahead / mean) ** 3 + dA * dz
        step = min(1.0, TO_BOUNDARY * length)
        A, s, z, b = A + step * dA, s - step * dA, z + step * dz, b + step * db
        values = Values.of(A, A @ K, y, C, weights)
        if values.gap < lowest.gap:
            best, lowest = A, values
    return best, iterations


def _start(K: Array, labels: Array, costs: Array, A: Array, t: float) -> tuple[Array, Array, Array, Array]:
    """Return A, s, z and b near to A with products s z of about t, or more; costs are the C of every example."""
    g = A @ K - labels
    level = g.max(axis=0)
    z = np.maximum(level - g, np.sqrt(t * np.maximum(np.diagonal(K), MIN_DIAGONAL * np.trace(K))))
    s = np.maximum(costs * labels - A, t / z)
    others = np.where(labels > 0, 0.0, s)
    room = np.maximum(costs - (labels * s).sum(axis=0), 0.5 * costs)
    others *= np.minimum(1.0, room / others.sum(axis=0))
    A = labels * others.sum(axis=0) - others
    s = costs * labels - A
    return A, s, np.maximum(level - g, t / s), -level


def _length(x: Array, dx: Array) -> float:
    """Return how far x may go along dx until one entry is 0."""
    with np.errstate(over="ignore"):
        ratios: Array = np.divide(-x, dx, out=np.full_like(x, np.inf), where=dx < 0)
    return float(ratios.min())


def derivative(K: Array, y: NDArray[np.intp], costs: Array, A: Array, G: Array) -> Array:
    """Return how A, shape (m, n), falls to first order as AK grows by each of G, shape (m, n, r).

    Costs, shape (n,), are the C of every example.

    It is that of a point of the central path near A: ``D = z / s`` is 0 for the entries within their bounds and
    infinite for those at them, but for the accuracy of A. Where rounding has made K indefinite, more and more is added
    to its diagonal.
    """
    labels = _labels(A, y)
    g = A @ K - labels
    s, z = np.maximum(costs * labels - A, 0.0), g.max(axis=0) - g
    D = np.divide(z, s, out=np.full_like(A, np.inf), where=s > 0)
    for lift in LIFTS:
        try:
            return RowSystem(K, np.maximum(D, lift * np.trace(K))).solve(G)[0]
        except np.linalg.LinAlgError:
            continue
    return np.zeros_like(G)  # Newton's method goes on as steepest descent


def _labels(A: Array, y: NDArray[np.intp]) -> Array:
    labels = np.zeros_like(A)
    labels[y, np.arange(len(y))] = 1.0
    return labels
