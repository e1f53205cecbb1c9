"""The values of the support vector machine's two programs (see `kernlearn.solvers.svm.solver`) at any point."""

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from kernlearn.certificates import relative_gap, status_of
from kernlearn.solvers.core.duplicates import first_equal
from kernlearn.solvers.core.gram import DenseGram, KernelGram
from kernlearn.solvers.core.solution import Solution
from kernlearn.types import Array

EPS = float(np.finfo(np.float64).eps)
#: Part of itself by which the sum of alpha over one class may differ from that over the other.
BALANCED = 1e-14
#: Part of the largest alpha, or of the terms of a sum, below which there is nothing but rounding.
NOISE = 1e-14
#: Part of its bound that an alpha may lack and be at it all the same.
AT_BOUND = 1e-9
#: Part of the objective that rounding may move in double precision.
SURE = 1e-9
#: Bytes of a part of the matrix in extended precision.
CHUNK_BYTES = 2**26


@dataclass(frozen=True)
class Values:
    """A point of (P) and a point of (D), and their values."""

    #: `objective`, `loss`: of (P), and the weighted sum of the hinge losses in it.
    objective: float
    loss: float
    #: Shape (n,): coefficients of ``f(x) = sum_j x_j K(x, x_j) + intercept``.
    x: Array
    intercept: float
    dual_objective: float
    #: Shape (n,).
    alpha: Array
    #: Value of (P) for ``f = 0`` and the better of two intercepts, if there is one.
    zero: float

    @property
    def gap(self) -> float:
        """Relative duality gap."""
        return relative_gap(self.objective, self.dual_objective, self.zero)

    def solution(
        self, tol: float, iterations: int, rounds: int, seconds: float, otherwise: str = "inaccurate"
    ) -> Solution:
        """Return the points as a solution; `otherwise` is the status of a gap above `tol`."""
        values = (self.x, self.objective, self.alpha, self.dual_objective, self.zero)
        status = status_of(self.gap, tol, otherwise)
        return Solution(*values, status, iterations, rounds, seconds, self.intercept)

    def at_another(self, before: float, C: float) -> "Values":
        """Return the same points at a larger C than they were evaluated at: the loss counts for more."""
        return replace(self, objective=self.objective + (C - before) * self.loss, zero=self.zero * C / before)


def added_up(x: Array, first: NDArray[np.intp]) -> Array:
    """Return coefficients with those of equal examples added up and given to the first of them, shape (n,).

    Parameters
    ----------
    x : array of shape (n,)
    first : integer array of shape (n,)
        For every example the first that equals it.
    """
    sums: Array = np.bincount(first, x, minlength=len(x)).astype(np.float64, copy=False)
    terms = np.bincount(first, np.abs(x), minlength=len(x))
    return np.where(np.abs(sums) > NOISE * terms, sums, 0.0)  # contradictory examples cancel


class Products:
    """Products with one Gram matrix of labelled examples, in double and in extended precision.

    The coefficients of equal examples are added up and given to the first of them. Those of contradictory examples
    cancel: their separate products would leave rounding errors of the size of ``C K`` in f.

    Parameters
    ----------
    K : array of shape (n, n), DenseGram or KernelGram
    y : array of shape (n,)
        Labels +-1.
    weights : array of shape (n,), optional
        Factors of C for every example.
    """

    def __init__(self, K: Array | DenseGram | KernelGram, y: Array, weights: Array | None = None):
        self.K: Any = K
        self.y, self.weights = y, np.ones(len(y)) if weights is None else weights
        diagonal = K.diagonal()
        scale = float(np.abs(diagonal).max(initial=0.0)) or 1.0
        self._roots = np.sqrt(np.maximum(diagonal, 0.0))
        random = np.random.default_rng(0).standard_normal((len(y), 2))
        product = K @ random if isinstance(K, np.ndarray) else K.fingerprints(random)
        #: Rows of equal examples agree, those of others do not, with probability 1.
        self.projections = product / (scale * np.sqrt(len(y)))
        self.first = first_equal(self.projections)

    @classmethod
    def of(cls, other: "Products") -> Self:
        """Return the values of another program with the same matrix, labels and weights."""
        values = cls.__new__(cls)
        values.__dict__.update(other.__dict__)
        return values

    def net(self, x: Array) -> Array:
        """Return the coefficients with those of equal examples added up."""
        return added_up(x, self.first)

    def image(self, x: Array) -> Array:
        """Return ``K x`` of coefficients that are not added up yet, shape (n,)."""
        return self.K @ self.net(x)

    def _exact_product(self, x: Any) -> Any:
        used = np.flatnonzero(x)
        rows = max(1, CHUNK_BYTES // (16 * len(used) or 1))
        parts = [self.K[i : i + rows, used].astype(np.longdouble) @ x[used] for i in range(0, len(x), rows)]
        return np.concatenate(parts)


class Evaluator(Products):
    """(P) and (D) on one Gram matrix.

    Parameters
    ----------
    K, y, weights
        As for `Products`, the weights > 0.
    bias : bool
        Whether there is an intercept; without one it is 0, and the alpha of the classes need not have the same sum.
    """

    def __init__(self, K: Array | DenseGram | KernelGram, y: Array, weights: Array | None = None, bias: bool = True):
        super().__init__(K, y, weights)
        self.bias = bias

    def nothing(self, C: float) -> Values:
        """Return ``f = 0`` with the better intercept, and ``alpha = 0``."""
        none, zero = np.zeros(len(self.y)), self._zero_value(C)
        return Values(zero, zero / C, none, self._best_intercept(none), 0.0, none, zero)

    def _zero_value(self, C: float) -> float:
        return zero_value(self.y, C, self.weights) if self.bias else C * float(self.weights.sum())

    def _balanced(self, alpha: Array) -> Array:
        return balanced(alpha, self.y) if self.bias else alpha

    def _best_intercept(self, f: Array) -> float:
        return best_intercept(f, self.y, self.weights) if self.bias else 0.0

    def at(self, alpha: Array, intercept: float, C: float, kinks: NDArray[np.bool_] | None = None) -> Values:
        """Return the values at ``x = alpha y``, added up, and alpha.

        With many free examples at a large C, rounding of their margins, which are 1, dominates (P). If it improves the
        value, x and the intercept are scaled so that the smallest margin of the examples `kinks` is 1.
        """
        alpha = self._balanced(np.where(alpha > NOISE * alpha.max(initial=0.0), alpha, 0.0))
        x = self.net(alpha * self.y)
        Kx = self.K @ x
        if not ((alpha > 0.0) & (alpha < (1.0 - AT_BOUND) * C * self.weights)).any():
            intercept = self._best_intercept(Kx)  # nothing but the loss says where it is
        quadratic, margins = _square(x, Kx), self.y * (Kx + intercept)
        stretch = 1.0
        if kinks is not None and kinks.any():
            stretch = 1.0 / min(1.0, max(0.5, float(margins[kinks].min())))
        objective, loss, s = min((*self._primal(quadratic, margins, C, s), s) for s in {1.0, stretch})
        dual_objective = float(alpha.sum()) - 0.5 * quadratic
        return Values(objective, loss, s * x, s * intercept, dual_objective, alpha, self._zero_value(C))

    def sure(self, values: Values, C: float) -> Values:
        """Return the values in extended precision, where rounding may have moved them by more than `SURE`.

        The margins are sums of products of up to ``|x_j| sqrt(K_ii K_jj)``, each rounded to `EPS`.
        """
        moved = EPS * C * float((self.weights @ self._roots) * (self._roots @ np.abs(values.x)))
        if moved <= SURE * abs(values.objective):
            return values
        x, beta = values.x.astype(np.longdouble), self.net(values.alpha * self.y).astype(np.longdouble)
        Kx = self._exact_product(x)
        Kbeta = Kx if np.array_equal(x, beta) else self._exact_product(beta)
        margins = self.y * (Kx + values.intercept)
        loss = (self.weights * np.maximum(0.0, 1.0 - margins)).sum()
        objective = 0.5 * max(x @ Kx, 0.0) + C * loss
        dual_objective = values.alpha.astype(np.longdouble).sum() - 0.5 * max(beta @ Kbeta, 0.0)
        return replace(values, objective=float(objective), loss=float(loss), dual_objective=float(dual_objective))

    def mended(self, values: Values, C: float) -> Values:
        """Return a point of another C, or one that rounding has put out of place, with the best intercept.

        Its alpha is shortened to the bounds of C, by one factor, which keeps its sum over the classes equal.
        """
        Kx = self.K @ values.x
        quadratic, candidates = _square(values.x, Kx), {values.intercept, self._best_intercept(Kx)}
        objective, loss, intercept = min((*self._primal(quadratic, self.y * (Kx + b), C, 1.0), b) for b in candidates)
        share = (values.alpha / self.weights).max(initial=0.0)  # of the bounds
        alpha = self._balanced(values.alpha * min(1.0, C / (share or C)))
        beta = self.net(alpha * self.y)
        dual_objective = float(alpha.sum()) - 0.5 * _square(beta, self.K @ beta)
        return Values(objective, loss, values.x, intercept, dual_objective, alpha, self._zero_value(C))

    def _primal(self, quadratic: float, margins: Array, C: float, stretch: float) -> tuple[float, float]:
        """Return (P) and the loss in it at a multiple of a point."""
        loss = float((self.weights * np.maximum(0.0, 1.0 - stretch * margins)).sum())
        return 0.5 * stretch**2 * quadratic + C * loss, loss


def balanced(alpha: Array, y: Array) -> Array:
    """Return alpha with ``sum_i alpha_i y_i = 0``: (D) is a lower bound for no other.

    The class with the larger sum is scaled down, unless the difference is but the rounding of the sums.
    """
    positive, negative = float(alpha[y > 0].sum()), float(alpha[y < 0].sum())
    if abs(positive - negative) <= BALANCED * max(positive, negative):
        return alpha
    larger = y > 0 if positive > negative else y < 0
    return np.where(larger, alpha * (min(positive, negative) / max(positive, negative)), alpha)


def zero_value(y: Array, C: float, weights: Array) -> float:
    """Return the value of (P) for ``f = 0``: every example of the lighter class has the loss 2."""
    return 2.0 * C * float(min(weights[y > 0].sum(), weights[y < 0].sum()))


def best_of(found: list[Values]) -> Values:
    """Return the point of (P) with the least value beside the point of (D) with the greatest, of finite ones."""
    found = [values for values in found if np.isfinite(values.objective) and np.isfinite(values.dual_objective)]
    primal, dual = min(found, key=lambda v: v.objective), max(found, key=lambda v: v.dual_objective)
    return replace(primal, dual_objective=dual.dual_objective, alpha=dual.alpha)


def best_intercept(f: Array, y: Array, weights: Array) -> float:
    """Return the middle of all b that minimise ``sum_i w_i max(0, 1 - y_i (f_i + b))``, as LibSVM does.

    The loss is convex and piecewise linear. Its slope is minus the weight of the positive examples far to the left, and
    grows by w_i at ``b = y_i - f_i``; where classes have equal weights, it is flat between two of these.
    """
    order = np.argsort(y - f, kind="stable")
    slopes, none = np.cumsum(weights[order]) - weights[y > 0].sum(), EPS * len(y) * weights.sum()
    first, last = int(np.argmax(slopes >= -none)), int(np.argmax(slopes > none))
    kinks = (y - f)[order]
    return float(0.5 * (kinks[first] + kinks[last]))


def _square(x: Array, Kx: Array) -> float:
    """Return ``x'Kx``, which only rounding makes negative."""
    return max(float(x @ Kx), 0.0)
