"""The values of kernel machines whose outputs are kept in a band (`kernlearn.solvers.bands.solver`) at any point."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernlearn.solvers.core.solution import Solution
from kernlearn.solvers.svm.values import AT_BOUND, BALANCED, EPS, NOISE, SURE, Products, Values, best_intercept
from kernlearn.types import Array


@dataclass(frozen=True)
class Band:
    """What a program asks for: the factor C, the costs c_j of outputs beyond the band, and B or its price D."""

    C: float
    #: Shape (n,): infinite where an output must not be beyond B, 0 where it may be anywhere.
    costs: Array
    #: None where it is free, from 1 on.
    B: float | None
    #: Price of a free B.
    D: float = 0.0

    @cached_property
    def hard(self) -> NDArray[np.bool_]:
        """Which outputs must not be beyond B."""
        return np.isinf(self.costs)

    @cached_property
    def hard_rows(self) -> slice | NDArray[np.bool_]:
        """The same as an index, which copies nothing where that is all of them."""
        return slice(None) if self.hard.all() else self.hard

    @cached_property
    def soft(self) -> Array | None:
        """Finite costs, 0 for hard ones, or None where all are hard."""
        return None if self.hard.all() else np.where(self.hard, 0.0, self.costs)

    @cached_property
    def any_hard(self) -> bool:
        """Whether there is an output that must not be beyond B."""
        return bool(self.hard.any())


@dataclass(frozen=True)
class BandValues(Values):
    """A point of (P) and a point of (D), and their values.

    ``alpha`` are the rows alpha, l and l*, shape (3, n).
    """

    #: Of the point of (P).
    B: float

    def solution(
        self, tol: float, iterations: int, rounds: int, seconds: float, otherwise: str = "inaccurate"
    ) -> Solution:
        """Return the points as a solution, whose ``extras`` have the B."""
        return replace(super().solution(tol, iterations, rounds, seconds, otherwise), extras={"B": self.B})


class BandEvaluator(Products):
    """(P) and (D) of `kernlearn.solvers.bands.solver` on one Gram matrix."""

    def at(self, u: Array, intercept: float, band: Band, kinks: NDArray[np.bool_] | None = None) -> BandValues:
        """Return the values at ``u = alpha y - l + l*``, put into its bounds, with the better of two intercepts.

        If the outputs exceed a hard band, by rounding or far from the solution, f and the intercept are scaled down by
        one factor. The value is thus that of a point within the band.

        Parameters
        ----------
        kinks : bool array of shape (n,), optional
            Examples whose margin should be 1: f may be stretched by rounding errors, see `Evaluator.at`.
        """
        multipliers = self._feasible(u, band)
        x = self.net(self._joined(multipliers))
        Kx = self.K @ x
        used = self.weights > 0
        other = best_intercept(Kx[used], self.y[used], self.weights[used])
        hard = Kx[band.hard_rows]
        if band.B is not None and band.any_hard:
            other = float(np.clip(other, -band.B - hard.min(), max(band.B - hard.max(), -band.B - hard.min())))
        candidates, known = [], (float(x @ Kx), self._dual(multipliers, x, Kx, band), self._zero(band))
        for b in (intercept, other):
            stretches = {1.0}
            if kinks is not None and kinks.any():
                stretches.add(1.0 / min(1.0, max(0.5, float((self.y * (Kx + b))[kinks].min()))))
            stretched = [self._valued(x, Kx, b, s, multipliers, band, *known) for s in stretches]
            candidates.append(min(stretched, key=lambda values: values.objective))
        best, middle = min(candidates, key=lambda values: values.objective), candidates[1]
        pinned = (multipliers > 0.0) & (multipliers < (1.0 - AT_BOUND) * self._bounds(band))
        if not pinned.any() and middle.objective <= best.objective * (1.0 + SURE):
            return middle  # nothing but the loss says where the intercept is: as for the SVM
        return best

    def sure(self, values: BandValues, band: Band) -> BandValues:
        """Return the values in extended precision, where rounding may have moved them by more than `SURE`.

        Rounding may move an output by `EPS` times the products that it is a sum of. Below `SURE` that covers a band
        that is left by rounding, too: a point in the band costs at most that much more.
        """
        loose = band.C * self.weights + (0.0 if band.soft is None else band.soft)
        most = loose.sum() * self._roots.max() if band.any_hard else loose @ self._roots  # hard: one output moves all
        moved = EPS * float(most * (self._roots @ np.abs(values.x)))
        if moved <= SURE * abs(values.objective):
            return values
        x = values.x.astype(np.longdouble)
        u = self.net(self._joined(values.alpha)).astype(np.longdouble)
        Kx = self._exact_product(x)
        Ku = Kx if np.array_equal(x, u) else self._exact_product(u)
        known = x @ Kx, self._dual(values.alpha, u, Ku, band), values.zero
        return self._valued(x, Kx, values.intercept, 1.0, values.alpha, band, *known)

    def nothing(self, band: Band) -> BandValues:
        """Return ``f = 0`` with the best intercept, and multipliers 0."""
        none = np.zeros(len(self.y))
        return self.at(none, 0.0, band)

    def _valued(
        self, x: Any, Kx: Any, b: float, s: float, multipliers: Array, band: Band, square: Any, dual: Any, zero: float
    ) -> BandValues:
        """Return the values of (P) at s times a point, or less where a hard band asks for it; `square` is ``x'Kx``."""
        f = Kx + b
        if band.B is not None and band.any_hard:
            s = min(s, band.B / (float(np.abs(f[band.hard_rows]).max()) or band.B))
        f, B = s * f, band.B
        B = _cheapest(np.abs(f), band) if B is None else B
        loss = (self.weights * np.maximum(0.0, 1.0 - self.y * f)).sum()
        beyond = 0.0 if band.soft is None else (band.soft * np.maximum(0.0, np.abs(f) - B)).sum()
        objective = 0.5 * s**2 * max(square, 0.0) + band.C * loss + beyond + band.D * B
        point = (float(objective), float(loss), np.asarray(s * x, np.float64), s * b, float(dual), multipliers)
        return BandValues(*point, zero=zero, B=float(B))

    def _dual(self, multipliers: Array, u: Any, Ku: Any, band: Band) -> Any:
        """Return the value of (D)."""
        alpha, above, below = multipliers
        outer = above.sum() + below.sum()
        linear = alpha.sum() - (outer - band.D if band.B is None else band.B * outer)
        return linear - 0.5 * max(u @ Ku, 0.0)

    def _feasible(self, u: Array, band: Band) -> Array:
        """Return alpha, l and l* of u, cut to their bounds and with ``sum_i u_i = 0``, shape (3, n)."""
        bound = band.C * self.weights
        v = np.clip(self.y * u, -band.costs, bound + band.costs)
        v = np.where(np.abs(v) > NOISE * np.abs(v).max(initial=0.0), v, 0.0)
        positive, negative = float(np.maximum(self.y * v, 0.0).sum()), float(np.maximum(-self.y * v, 0.0).sum())
        if abs(positive - negative) > BALANCED * max(positive, negative):
            larger = self.y * v > 0 if positive > negative else self.y * v < 0
            v = np.where(larger, v * (min(positive, negative) / max(positive, negative)), v)
        if band.B is None:  # sum(l + l*) <= D
            outer = float(np.abs(v - np.clip(v, 0.0, bound)).sum())
            v = v * min(1.0, band.D / (outer or band.D))
        alpha = np.clip(v, 0.0, bound)
        rest = self.y * (v - alpha)
        return np.stack([alpha, np.maximum(-rest, 0.0), np.maximum(rest, 0.0)])

    def _bounds(self, band: Band) -> Array:
        """Return the upper bounds of alpha, l and l*, shape (3, n)."""
        return np.stack([band.C * self.weights, band.costs, band.costs])

    def _joined(self, multipliers: Array) -> Array:
        alpha, above, below = multipliers
        return alpha * self.y - above + below

    def _zero(self, band: Band) -> float:
        """Return the value of (P) for ``f = 0`` and the best intercept."""
        bs = [0.0, 1.0] if band.B is None or band.B >= 1.0 else [0.0, 1.0, band.B]  # beyond 1 both losses grow
        values = []
        for b in {s * b for b in bs for s in (-1.0, 1.0)}:
            B = max(1.0, abs(b)) if band.B is None else band.B
            if abs(b) <= B or not band.any_hard:
                beyond = 0.0 if band.soft is None else band.soft.sum() * max(0.0, abs(b) - B)
                loss = float((self.weights * np.maximum(0.0, 1.0 - self.y * b)).sum())
                values.append(band.C * loss + beyond + band.D * B)
        return float(min(values))


def _cheapest(outputs: Array, band: Band) -> float:
    """Return the B >= 1 of least ``D B + sum_j c_j max(0, |f_j| - B)``."""
    order = np.argsort(-outputs, kind="stable")
    costs = np.cumsum(band.costs[order])  # of those beyond, as B falls
    pays = int(np.argmax(costs >= band.D * (1.0 + 1e-12))) if (costs >= band.D * (1.0 + 1e-12)).any() else -1
    return max(1.0, float(outputs[order[pays]]) if pays >= 0 else 1.0)


def broken_conditions(
    f: Array,
    y: Array,
    bound: Array,
    B: float,
    multipliers: Array,
    cost: float = np.inf,
    at: float = AT_BOUND,
) -> float:
    """Return by how much outputs f and multipliers break the optimality conditions, in units of f.

    The stopping rule of Shivaswamy (2010) for (2.9), with ``f(x_i) <= B`` where l_i is 0, which the source prints as
    ``f(x_i) <= B - eps``; where l_i is at a finite cost f may be beyond B. `bound` are those of alpha, shape (n,). A
    multiplier within `at` of a bound, as a part of it, is at it.
    """
    alpha, above, below = multipliers
    smallest = at * np.minimum(bound, cost)
    broken = [
        np.where(alpha < (1.0 - at) * bound, 1.0 - y * f, 0.0),
        np.where(alpha > at * bound, y * f - 1.0, 0.0),
        np.where(above < (1.0 - at) * cost, f - B, 0.0),
        np.where(above > smallest, B - f, 0.0),
        np.where(below < (1.0 - at) * cost, -f - B, 0.0),
        np.where(below > smallest, B + f, 0.0),
    ]
    return max(0.0, float(np.max(broken)))
