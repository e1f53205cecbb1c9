"""What a method claims of a problem, what is known of it from elsewhere, and whether the two agree."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf, isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernlearn.kernels.matrices.gram import NO_SUM

Array = NDArray[Any]
#: What a claim may be wrong by, as a part of the optimal value.
ALLOWED = 1e-9
#: Values are judged relative to at least this part of the value of the zero solution; what is less is rounding.
FLOOR = 1e-14
#: A rounding of a number, and one of a product with it.
ROUNDING = 2 * float(np.finfo(float).eps)


@dataclass
class Found:
    """A predictor with its claims, in the same form for points of paths and for fitted estimators."""

    coef: Array  # (outputs, p, n); of features (outputs, p)
    intercept: Array  # (outputs,)
    weights: Array | None  # (outputs, p), of the kernels as given
    objective: float
    dual_objective: float
    gap: float
    status: str
    dual: Array | None = None  # the point of the lower bound, of a binary problem
    facts: Mapping[str, Any] = field(default_factory=dict)  # what else is said


@dataclass
class Held:
    """A claim beside what is known.

    Attributes
    ----------
    what : str
        The parameters.
    found : Found
    ours : float
        The objective at the predictor, computed anew.
    best : float
        The objective at the oracle's feasible point.
    lower : float
        The oracle's lower bound, which says how much is known.
    zero : float
        The objective of the zero solution.
    violation : float
        By how much our point breaks its constraints, relative to their bounds.
    rounding : float
        By how much one rounding of every entry of the kernel matrices, and of every product, can move `ours`. What is
        wrong by less is no lie of the method: it is listed as rounding.
    dual_rounding : float
        The same for the lower bound that is claimed.
    """

    what: str
    found: Found
    ours: float
    best: float
    lower: float
    zero: float
    violation: float = 0.0
    rounding: float = 0.0
    dual_rounding: float = 0.0

    @property
    def scale(self) -> float:
        """What differences are relative to."""
        return max(abs(self.ours), FLOOR * self.zero) or 1.0

    @property
    def oracle_gap(self) -> float:
        """Relative distance of the oracle's bounds."""
        return (min(self.best, self.ours) - self.lower) / self.scale

    def findings(self) -> list[tuple[str, float, str]]:
        """Return what is wrong: its kind, by how much, and in words."""
        said, best = self.found, min(self.best, self.ours)
        if not all(isfinite(value) for value in (said.objective, said.dual_objective, said.gap, self.ours)):
            values = f"objective {said.objective}, bound {said.dual_objective}, gap {said.gap}"
            proves_nothing = said.status != "optimal" and isfinite(said.objective) and said.dual_objective == -inf
            return [("inaccurate" if proves_nothing else "false", inf, f"{self.what}: not finite: {values}")]
        wrong = []
        true = (self.ours - best) / self.scale
        both = self.rounding + self.dual_rounding
        for excess, rounding, words in (
            (true - said.gap, both, f"gap {said.gap:.2e} said, {true:.2e} true"),
            ((said.dual_objective - best) / self.scale, both, "lower bound above a feasible value"),
            (abs(said.objective - self.ours) / self.scale, self.rounding, "another objective at the predictor"),
        ):
            if excess > ALLOWED:
                kind = "false" if excess > ALLOWED + rounding / self.scale else "rounding"
                wrong.append((kind, excess, words))
        if self.violation > ALLOWED:
            wrong.append(("infeasible", self.violation, f"the point is infeasible by {self.violation:.2e}"))
        if said.status != "optimal":
            wrong.append(("inaccurate", said.gap, f"status {said.status}, gap {said.gap:.2e}"))
        values = f"P={said.objective!r} ours={self.ours!r} oracle={self.best!r} D={said.dual_objective!r}"
        return [(kind, by, f"{self.what}: {words} [{values} zero={self.zero:.3g}]") for kind, by, words in wrong]


def long(A: Any) -> Array:
    """Return an array in extended precision."""
    return np.asarray(A, dtype=np.longdouble)


def hinge(margins: Array) -> Any:
    """Return the sum of the hinge losses."""
    return np.maximum(0, 1 - margins).sum()


def best_bias(f: Array, y: Array) -> Any:
    """Return the b that minimises ``sum_i max(0, 1 - y_i (f_i + b))``: one of the breakpoints ``y_i - f_i``."""
    ends = y - f
    return ends[np.argmin(np.maximum(0, 1 - y * (f + ends[:, None])).sum(axis=1))]


def centred(K: Array) -> Array:
    """Return kernels centred in feature space (2.37), in extended precision."""
    K = long(K) - rows(long(K))
    return K - columns(K)


def rows(K: Array) -> Array:
    """Return the means of the rows of matrices."""
    return K.mean(axis=-1, keepdims=True)


def columns(K: Array) -> Array:
    """Return the means of the columns of matrices."""
    return K.mean(axis=-2, keepdims=True)


def dual_norm(v: Array, p: float) -> Any:
    """Return ``||v||_q`` with ``1/p + 1/q = 1``, without overflow."""
    top = v.max()
    if p == 1 or top == 0:
        return top
    q = 1.0 if p == inf else p / (p - 1.0)
    return top * ((v / top) ** q).sum() ** (1 / q)


def norm(mu: Array, p: float) -> Any:
    """Return ``||mu||_p``."""
    top = np.abs(mu).max()
    if p == inf or top == 0:
        return top
    return top * ((np.abs(mu) / top) ** p).sum() ** (1 / p)


def magnitude(K: Array, coef: Array, mu: Array) -> Any:
    """Return ``sum_k |w_k|^2 / mu_k`` with absolute values everywhere: what rounding errors are a part of."""
    squares = np.array([np.abs(c) @ (np.abs(k) @ np.abs(c)) for k, c in zip(K, coef, strict=True)])
    return (squares[mu > 0] / mu[mu > 0]).sum()


def reach(K: Array, coef: Array, intercept: Any = 0) -> Array:
    """Return what rounding may be worth in ``sum_kj coef_kj K_k(x_i, x_j) + b`` for every i.

    K has the roundings of kernel values. Coefficients whose sum counts as 0 leave out a constant part of the kernel.
    """
    sums, sizes = np.abs(coef.sum(axis=1)), np.abs(coef).sum(axis=1)
    constants = np.abs(K).max(axis=(1, 2)) / ROUNDING
    left_out = np.where(sums <= NO_SUM * sizes, sums, 0.0) @ constants
    return np.einsum("kij,kj->i", np.abs(K), np.abs(coef)) + abs(intercept) + left_out
