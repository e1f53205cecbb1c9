"""The structured relative margin machine: a large margin relative to the spread of all outputs.

::

    (P)  min_w  1/2 |w|^2 + C/n sum_i max(0, 1 - min_{y != y_i} w.dpsi_i(y))
                subject to  |w.dpsi_i(y)| <= B  for all i and y                                              (4.4)

It is `struct_svm` with bounds on the outputs. Let theta be the largest absolute output of `struct_svm` with the same C,
over all labellings. If ``B >= theta``, the bound has no effect. So ``B = 1 + r (theta - 1)`` with a fraction r in (0,
1], as for `rmm`. The source takes a fraction of theta itself. Solved and certified by
`kernlearn.solvers.structured.solver`. Source: Shivaswamy (2010), chapter 4.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from kernlearn.algorithms.common.relative_margin import FRACTION, bands
from kernlearn.algorithms.core.method import PROGRAMS, Method
from kernlearn.algorithms.core.path import Point
from kernlearn.algorithms.core.problem import Problem
from kernlearn.algorithms.structured.machines import PARAMETERS as MACHINES
from kernlearn.algorithms.structured.machines import machines, members
from kernlearn.parameters import Numbers, Parameter
from kernlearn.solvers.structured.solver import StructuredSolver

PARAMETERS: dict[str, Parameter] = {
    "Cs": MACHINES["Cs"],
    "fractions": Parameter(
        [1.0, 0.5, 0.25],
        Numbers(FRACTION),
        "fractions r: B = 1 + r (theta - 1), where theta is the largest output of struct_svm; B = 2 if theta is "
        "at most 1",
        "fraction",
    ),
    **{key: parameter for key, parameter in MACHINES.items() if key != "Cs"},
}


def grid(family: Any, Cs: Sequence[float], fractions: Sequence[float], **_: Any) -> list[dict[str, float]]:
    """Return all triples of a kernel, C and fraction; the strongest regularisation and the widest bound first."""
    return [
        {**member, "C": float(C), "fraction": float(r)}
        for member in members(family)
        for C in sorted(Cs)
        for r in sorted(fractions, reverse=True)
    ]


def path(
    problem: Problem,
    *,
    Cs: Sequence[float],
    fractions: Sequence[float],
    tol: float,
    max_rounds: int,
    solver: str,
    B: float | None = None,
) -> Iterator[Point]:
    """Solve (P) for every kernel and C, from the support vector machine down; ``facts`` have theta of each, and B.

    A `B` that is given stands in the place of those that the fractions say.
    """
    for machine in machines(problem, tol, max_rounds, solver):
        for C in sorted(Cs):
            for fraction, facts in bands(partial(_largest, machine.solver, float(C)), fractions, B):
                solution = machine.solver.solve(float(C), facts["B"])
                yield machine.point({"C": float(C), **fraction}, solution, facts["B"])


def _largest(solver: StructuredSolver, C: float) -> float:
    """Return the largest output of the support vector machine."""
    solver.solve(C)
    return solver.theta


METHOD = Method(
    "struct_rmm",
    "structured relative margin machine: struct_svm with outputs within [-B, B]",
    PROGRAMS,
    PARAMETERS,
    grid,
    path,
    targets=("classes", "sequences"),
    version=6,
)
