"""The experiment of figures 2.1 to 2.4 of Shivaswamy (2010): lines between two Gaussians, whose best one is known.

Examples are (x, 1) and lines their weights (w, b), so that outputs are one product. Lines are the columns of a matrix.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.stats import norm

from kernlearn.algorithms.common.relative_margin import bound
from kernlearn.datasets.sets.generators import COVARIANCE, MEANS, gaussians
from kernlearn.evaluation import best_of
from kernlearn.solvers import BandSolver
from kernlearn.types import Array

#: Examples that validate, and as many that test: 100,000 for each Gaussian.
LARGE = 200_000
#: The grids; a fraction of 1 is the SVM.
CS = (1.0, 10.0, 100.0, 1e3, 1e4)
FRACTIONS = (1.0, 0.6, 0.4, 0.2, 0.1, 0.05)
#: Relative duality gap of every solution.
TOL = 1e-6


@dataclass(frozen=True)
class Part:
    """Examples: ``X`` of shape (n, 3), the last column 1, and labels +-1."""

    X: Array
    y: Array

    def error_pct(self, lines: Array) -> Array:
        """Return the error of every line, shape (k,)."""
        return np.array([100.0 * np.mean((self.X @ line > 0) != (self.y > 0)) for line in lines.T])


@dataclass(frozen=True)
class Machine:
    """A solution: its place in the grid, its line of shape (3,), and its relative duality gap."""

    C: float
    fraction: float
    B: float
    line: Array
    gap: float


class Draw:
    """Training, validation and test part of one repetition, in the box [0, 1]^2 and, perhaps, stretched in there.

    Parameters
    ----------
    n : int
        Examples that train.
    stretch : float
        s of (2.14), along the line of the Bayes rule.
    """

    def __init__(self, seed: int, n: int, stretch: float = 1.0):
        X, y = gaussians(n + 2 * LARGE, seed)
        low, width = X.min(axis=0), np.ptp(X, axis=0)
        self._map, self._shift = np.diag(1.0 / width), -low / width
        w = self.bayes[:2]
        axes = np.column_stack([w, [-w[1], w[0]]]) / np.linalg.norm(w)
        stretching = axes @ np.diag([1.0, stretch]) @ axes.T  # (2.14)
        self._map, self._shift = stretching @ self._map, stretching @ self._shift
        X, signs = np.column_stack([X @ self._map.T + self._shift, np.ones(len(X))]), 2.0 * y - 1.0
        ends = [0, n, n + LARGE, len(X)]
        self.train, self.validation, self.test = (
            Part(X[start:end], signs[start:end]) for start, end in zip(ends, ends[1:], strict=False)
        )

    @property
    def bayes(self) -> Array:
        """The Bayes rule (2.13) as a line, for the means and the covariance as they are after the maps."""
        minus, plus = self._means
        w = np.linalg.solve(self._map @ COVARIANCE @ self._map.T, plus - minus)
        return np.append(w, -0.5 * w @ (plus + minus))

    def risk_pct(self, lines: Array) -> Array:
        """Return the probability of an error of every line, which is known exactly, shape (k,)."""
        w, b = lines[:2], lines[2]
        spread = np.sqrt(np.sum(w * (self._map @ COVARIANCE @ self._map.T @ w), axis=0))
        minus, plus = (
            norm.cdf(sign * (mean @ w + b) / spread) for sign, mean in zip((1, -1), self._means, strict=True)
        )
        return 50.0 * (minus + plus)

    def solve(self, C: float, B: float) -> tuple[Array, float]:
        """Return the line for one C and B, and the relative gap of the solution."""
        solution = self._solver.solve(C, B)
        w = self._centred.T @ solution.x
        return np.append(w, solution.intercept - w @ self._middle), solution.gap

    def grid(self, Cs: Sequence[float] = CS, fractions: Sequence[float] = FRACTIONS) -> Iterator[Machine]:
        """Return the relative margin machines of the whole grid, the strongest regularisation first."""
        for C in Cs:
            theta = self._solver.theta(C)
            for fraction in fractions:
                B = bound(theta, fraction)
                yield Machine(C, fraction, B, *self.solve(C, B))

    def best(self) -> dict[str, Machine]:
        """Return the SVM and the RMM of the grid that err least on the validation part, of equal ones the first."""
        machines = list(self.grid())
        errors = self.validation.error_pct(np.column_stack([machine.line for machine in machines])).tolist()
        bounded = [machine.fraction < 1.0 for machine in machines]  # False, the SVM, comes before True
        return {"svm": machines[best_of(bounded, errors)], "rmm": machines[best_of(errors)]}

    @property
    def _middle(self) -> Array:
        return self.train.X[:, :2].mean(axis=0)

    @cached_property
    def _centred(self) -> Array:
        """The training part about its mean, which b makes up for: the same machine, with less rounding."""
        return self.train.X[:, :2] - self._middle

    @cached_property
    def _solver(self) -> BandSolver:
        return BandSolver(self._centred @ self._centred.T, self.train.y, TOL)

    @property
    def _means(self) -> Array:
        return MEANS @ self._map.T + self._shift
