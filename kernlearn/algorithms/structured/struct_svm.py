"""The structured support vector machine: a margin of 1 between the true labelling and all other labellings.

::

    (P)  min_w  1/2 |w|^2 + C/n sum_i max(0, 1 - min_{y != y_i} w.dpsi_i(y))                                 (4.3)

with ``dpsi_i(y) = psi(x_i, y_i) - psi(x_i, y)``. For sequences, psi counts the features of each label and the pairs of
neighbouring labels. For classes, psi has x in the block of the class. With two classes it is the support vector machine
without bias, with 2/n times this C. The margin is 1 however many labels are wrong. Solved and certified by
`kernlearn.solvers.structured.solver`. Source: Shivaswamy (2010), chapter 4; Tsochantaridis et al. (2005).
"""

from collections.abc import Iterator, Sequence
from typing import Any

from kernlearn.algorithms.core.method import PROGRAMS, Method
from kernlearn.algorithms.core.path import Point
from kernlearn.algorithms.core.problem import Problem
from kernlearn.algorithms.structured.machines import PARAMETERS, machines, members


def grid(family: Any, Cs: Sequence[float], **_: Any) -> list[dict[str, float]]:
    """Return all pairs of a kernel and a C, the strongest regularisation first."""
    return [{**member, "C": float(C)} for member in members(family) for C in sorted(Cs)]


def path(problem: Problem, *, Cs: Sequence[float], tol: float, max_rounds: int, solver: str) -> Iterator[Point]:
    """Solve (P) for every kernel and C, each C from the cuts of the one before."""
    for machine in machines(problem, tol, max_rounds, solver):
        for C in sorted(Cs):
            yield machine.point({"C": float(C)}, machine.solver.solve(float(C)))


METHOD = Method(
    "struct_svm",
    "structured support vector machine: a label for every position of a sequence, or all classes at once",
    PROGRAMS,
    PARAMETERS,
    grid,
    path,
    targets=("classes", "sequences"),
    version=4,
)
