"""Two digits of MNIST apart: what figures 2.5 and 2.6 of Shivaswamy (2010) have in common."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernlearn.algorithms.common.relative_margin import bound
from kernlearn.datasets import Dataset, load
from kernlearn.evaluation.significance import holm, sign_test
from kernlearn.kernels import SCALINGS, GramStack, make_family
from kernlearn.papers.core.figures import Rows
from kernlearn.papers.core.measured import Claim, counted
from kernlearn.solvers import BandSolver
from kernlearn.types import Array

DEGREE = 5
#: Relative duality gap of every solution.
TOL = 1e-6


@dataclass(frozen=True)
class Part:
    """Examples of norm 1, shape (n, 784), and labels, +1 for the first of two digits and -1 for the second."""

    X: Any
    y: Array

    def __getitem__(self, rows: Any) -> "Part":
        return Part(self.X[rows], self.y[rows])


@lru_cache(maxsize=1)
def _mnist() -> Dataset:
    return load("mnist")


def two_digits(first: int, second: int) -> tuple[Part, Part]:
    """Return the published training and test part of two digits."""
    data = _mnist()
    rows = np.flatnonzero((data.y == first) | (data.y == second))
    (X,) = SCALINGS["unit"](data.X[rows])
    both, n = Part(X, np.where(data.y[rows] == first, 1.0, -1.0)), int(np.sum(rows < data.n_train))
    return both[:n], both[n:]


def kernel(X: Any, Z: Any) -> Array:
    """Return ``((1 + x.z)/2)^5``, which has the trace n on n examples of norm 1."""
    return GramStack(make_family("polynomial_unit", degrees=[DEGREE]), X, Z).matrix(0)


@dataclass(frozen=True)
class Machine:
    """A relative margin machine: its place in the grid, its coefficients and intercept, and its relative gap."""

    C: float
    fraction: float
    B: float
    coef: Array
    intercept: float
    gap: float

    def outputs(self, K: Array) -> Array:
        """Return the outputs for kernel values of shape (m, n) with the training examples."""
        return K @ self.coef + self.intercept


def machines(K: Array, y: Array, Cs: Sequence[float], fractions: Sequence[float]) -> Iterator[Machine]:
    """Yield the machines of a grid, for every C from the SVM (a fraction of 1) down, in the order given."""
    solver = BandSolver(K, y, TOL)
    for C in Cs:
        theta = solver.theta(C)
        for fraction in fractions:
            B = bound(theta, fraction)
            solution = solver.solve(C, B)
            yield Machine(C, fraction, B, solution.x, solution.intercept, solution.gap)


def wrong(outputs: Array, y: Array) -> NDArray[np.bool_]:
    """Return which examples are not on the side of their label."""
    return y * outputs <= 0.0


def discordance(svm: NDArray[np.bool_], rmm: NDArray[np.bool_]) -> dict[str, int]:
    """Return the errors of both machines, and those of only one of them."""
    counts = {"svm": svm, "rmm": rmm, "only_svm": svm & ~rmm, "only_rmm": rmm & ~svm}
    return {name: int(which.sum()) for name, which in counts.items()}


def significant(rows: Rows, names: Sequence[str], level: float, enough: float) -> list[Claim]:
    """Return whether the RMM errs significantly less than the SVM in enough of the rows, before and after correction.

    The test is McNemar's, exact, on the test examples that only one of the two has wrong; the correction is Holm's.

    Parameters
    ----------
    rows : list of dict
        From `discordance`.
    names : sequence of str
        Of the rows.
    enough : float
        Share of the rows.
    """
    p = [sign_test(int(row["only_svm"]), int(row["only_rmm"])) for row in rows]
    claims = []
    for words, values in (("", p), (f", with Holm's correction for {len(p)} tests", holm(p))):
        clear = [
            f"{name} (p={value:.2g})"
            for name, row, value in zip(names, rows, values, strict=True)
            if value < level and row["only_svm"] > row["only_rmm"]
        ]
        text = (
            f"the RMM errs less than the SVM on {100 * enough:g} % of them, McNemar's test at {100 * level:g} %{words}"
        )
        claims.append(counted(text, clear, len(clear) >= enough * len(rows)))
    return claims
