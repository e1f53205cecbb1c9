"""The support vector machine with a Universum: examples of neither class, on which the output should be near 0.

::

    (P)  min_{w,b}  1/2 |w|^2 + C sum_i max(0, 1 - y_i f(x_i)) + C_U sum_j max(0, |f(u_j)| - epsilon)

with ``f(x) = w.Phi(x) + b``, labelled examples x_i and examples u_j of the Universum. Source: Weston, Collobert, Sinz,
Bottou, Vapnik (2006), Inference with the Universum, ICML. Shivaswamy (2010), table 2.2, compares it with relative
margin machines.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from kernlearn.algorithms.core.certified import handed_out
from kernlearn.algorithms.core.grid import grid_of
from kernlearn.algorithms.core.method import PROGRAMS, Method
from kernlearn.algorithms.core.path import Point, rebuilt, single_kernel_point
from kernlearn.algorithms.core.prepare import CS
from kernlearn.algorithms.core.problem import Problem
from kernlearn.certificates import band
from kernlearn.errors import UserError
from kernlearn.parameters import Number, Numbers, Parameter
from kernlearn.solvers import BandSolver

PARAMETERS: dict[str, Parameter] = {
    "Cs": CS,
    "C_universums": Parameter(
        [0.01, 0.1, 1.0], Numbers(Number(positive=True)), "weights C_U of the loss on the Universum", "C_universum"
    ),
    "epsilon": Parameter(0.1, Number(low=0.0), "outputs on the Universum up to epsilon have no loss"),
    "tol": Parameter(1e-6, Number(low=1e-12, high=1.0), "relative duality gap"),
}


def path(
    problem: Problem, *, Cs: Sequence[float], C_universums: Sequence[float], epsilon: float = 0.1, tol: float = 1e-6
) -> Iterator[Point]:
    """Solve (P) on the whole grid; the inputs without a label, which come last, are the Universum."""
    stack, y, weights = problem.inputs, problem.y, problem.weights
    if stack.shape[1] == len(y):
        raise UserError("u_svm learns from a Universum, examples of none of the classes, and there is none")
    for k, member in enumerate(stack.family.members):
        single = stack.select(k)
        K, drift = single.matrix_with_bias(0)
        solver = BandSolver(K, y, tol, weights)
        for C in sorted(Cs):
            for cost in sorted(C_universums):
                solution = solver.solve(float(C), epsilon, float(cost))
                values = {**member, "C": float(C), "C_universum": float(cost)}
                multipliers = solution.dual.sum(axis=0)
                costs = np.append(np.zeros(len(y)), np.full(len(K) - len(y), float(cost)))
                bounds: dict[str, Any] = {"C": float(C), "B": epsilon, "costs": costs, "weights": weights}
                prove = partial(band, single, y, multipliers=solution.dual, **bounds)
                solution = handed_out(solution, drift, prove, tol)
                point = values, len(stack), k, solution.x, solution.intercept
                yield single_kernel_point(*point, solution, multipliers)


METHOD = Method(
    "u_svm",
    "SVM with a Universum: extra examples of neither class, whose outputs are kept near 0 (one kernel)",
    PROGRAMS,
    PARAMETERS,
    grid_of({"C": "Cs", "C_universum": "C_universums"}),
    path,
    universum=True,
    class_weight=True,
    certificate=rebuilt("u_svm"),
)
