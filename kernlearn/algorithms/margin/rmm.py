"""Relative margin machines: a large margin relative to the spread of the outputs.

::

    (P)  min_{w,b}  1/2 |w|^2 + C sum_i max(0, 1 - y_i f(x_i))    subject to |f(x_i)| <= B for every i          (2.8)

with ``f(x) = w.Phi(x) + b``. Let theta be the largest absolute output of the SVM with the same C. If ``B >= theta``,
the bound has no effect, and B must exceed 1 to leave a margin. So B is chosen between them: ``B = 1 + (theta - 1) r``
with a fraction r in (0, 1]. `rmm_d` makes the bound a variable t with the weight D in the objective. Its solutions are
usually those of (2.8) for some B::

    min_{w,b,t>=1}  1/2 |w|^2 + C sum_i max(0, 1 - y_i f(x_i)) + D (t + (nu/n) sum_i max(0, |f(x_i)| - t))      (2.12)

An infinite nu is (2.11), where no output is beyond t. With a finite nu, at most n/nu outputs are. Source: Shivaswamy
(2010), Large Relative Margin and Applications, chapter 2.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from math import inf
from typing import Any

import numpy as np

from kernlearn.algorithms.common.relative_margin import FRACTION, bands
from kernlearn.algorithms.core.certified import handed_out
from kernlearn.algorithms.core.grams import by_rows, gram_with_bias
from kernlearn.algorithms.core.grid import grid_of
from kernlearn.algorithms.core.method import PROGRAMS, Method
from kernlearn.algorithms.core.path import Point, rebuilt, single_kernel_point
from kernlearn.algorithms.core.prepare import CS, require_positive_definite
from kernlearn.algorithms.core.problem import Problem
from kernlearn.certificates import band
from kernlearn.kernels import KernelFamily
from kernlearn.kernels.matrices.streamed import MAX_MATRIX_BYTES
from kernlearn.parameters import Choice, Number, Numbers, Parameter
from kernlearn.solvers import BAND_SOLVERS, PRICED_SOLVERS, KernelGram, Solution, broken_conditions
from kernlearn.types import Array

#: How near a bound, as a part of it, a multiplier of a priced band is there: two solutions are mixed, of near bands.
MIXED = 1e-6

TOL = Parameter(1e-6, Number(low=1e-12, high=1.0), "relative duality gap")
SOLVER = Parameter(
    "homotopy",
    Choice(tuple(BAND_SOLVERS)),
    "homotopy: our homotopy along B; osqp: slow; smo: our SMO with active sets; auto: smo from 400 examples on",
)
PRICED_SOLVER = Parameter(
    "homotopy", Choice(tuple(PRICED_SOLVERS)), "homotopy: our homotopy along B; osqp: slow, for comparison"
)
PARAMETERS: dict[str, Parameter] = {
    "Cs": CS,
    "fractions": Parameter(
        [1.0, 0.5, 0.25, 0.1, 0.05],
        Numbers(FRACTION),
        "fractions r: B = 1 + r (theta - 1), where theta is the largest output of the SVM; B = 2 if theta is at most 1",
        "fraction",
    ),
    "tol": TOL,
    "solver": SOLVER,
}
PRICED: dict[str, Parameter] = {
    "Cs": CS,
    "Ds": Parameter(
        [0.1, 1.0, 10.0, 100.0], Numbers(Number(positive=True)), "weights of the bound t in the objective", "D"
    ),
    "nus": Parameter(
        None, Numbers(Number(low=1.0), optional=True), "at most n/nu outputs are beyond t; null: no output is", "nu"
    ),
    "tol": TOL,
    "solver": PRICED_SOLVER,
}


def make_solver(K: Array | KernelGram, y: Array, tol: float, solver: str, weights: Array | None = None) -> Any:
    """Return the solver of a name for bands of a given width; `weights` are factors of C for every example."""
    return (
        by_rows(K, y, tol, solver, weights) if isinstance(K, KernelGram) else BAND_SOLVERS[solver](K, y, tol, weights)
    )


def path(
    problem: Problem,
    *,
    Cs: Sequence[float],
    fractions: Sequence[float],
    tol: float = 1e-6,
    solver: str = "homotopy",
    B: float | None = None,
) -> Iterator[Point]:
    """Solve (2.8) for every kernel and C along B, from the support vector machine down.

    A `B` that is given stands in the place of those that the fractions say. ``facts`` have the B, and by how much the
    conditions of the source are broken (``kkt``, in units of f).
    """
    stack, y, weights = problem.inputs, problem.y, problem.weights
    for k, member in enumerate(stack.family.members):
        single = stack.select(k)
        K, drift = gram_with_bias(single)
        warm = make_solver(K, y, tol, solver, weights)
        for C in sorted(Cs):
            for fraction, facts in bands(partial(warm.theta, C), fractions, B):
                width = facts["B"]
                solution = warm.solve(float(C), width)
                values = {**member, "C": float(C), **fraction}
                broken = broken_conditions(
                    K @ solution.x + solution.intercept, y, C * problem.counts, width, solution.dual
                )
                prove = partial(band, single, y, multipliers=solution.dual, C=float(C), B=width, weights=weights)
                solution = handed_out(solution, drift, prove, tol)
                yield _point(values, len(stack), k, solution, {**facts, "kkt": broken})


def priced_grid(
    family: KernelFamily,
    Cs: Sequence[float],
    Ds: Sequence[float] | None = None,
    nus: Sequence[float] | None = None,
    **_: Any,
) -> list[dict[str, float]]:
    """Return all kernels, C, D (without `Ds` as large as C) and nu, the strongest regularisation first."""
    require_positive_definite(family)
    return [{**member, **values} for member in family.members for values in _prices(Cs, Ds, nus)]


def priced_path(
    problem: Problem,
    *,
    Cs: Sequence[float],
    Ds: Sequence[float] | None = None,
    nus: Sequence[float] | None = None,
    tol: float = 1e-6,
    solver: str = "homotopy",
) -> Iterator[Point]:
    """Solve (2.11), or (2.12) for every nu, on the whole grid; without `Ds` with ``D = C``."""
    stack, y, weights = problem.inputs, problem.y, problem.weights
    for k, member in enumerate(stack.family.members):
        single = stack.select(k)
        K, drift = single.matrix_with_bias(0)
        warm = PRICED_SOLVERS[solver](K, y, tol, weights)
        for values in _prices(Cs, Ds, nus):
            C, nu = values["C"], values.get("nu", inf)
            D = values.get("D", C)
            solution = warm.solve_priced(C, D, nu)
            f, cost, B = K @ solution.x + solution.intercept, D * nu / len(y), solution.extras["B"]
            broken = broken_conditions(f, y, C * problem.counts, B, solution.dual, cost, MIXED)
            prove = partial(band, single, y, multipliers=solution.dual, C=C, B=B, costs=cost, price=D, weights=weights)
            solution = handed_out(solution, drift, prove, tol)
            yield _point({**member, **values}, len(stack), k, solution, {"B": B, "kkt": broken})


def _prices(Cs: Sequence[float], Ds: Sequence[float] | None, nus: Sequence[float] | None) -> Iterator[dict[str, float]]:
    for C in sorted(Cs):
        for D in [{}] if Ds is None else [{"D": float(D)} for D in sorted(Ds)]:
            for nu in [{}] if nus is None else [{"nu": float(nu)} for nu in sorted(nus)]:
                yield {"C": float(C), **D, **nu}


def _point(values: dict[str, float], p: int, k: int, solution: Solution, facts: dict[str, float]) -> Point:
    multipliers = solution.dual.sum(axis=0)
    point = single_kernel_point(values, p, k, solution.x, solution.intercept, solution, multipliers)
    return replace(point, facts={name: np.array([value]) for name, value in facts.items()})


METHODS = (
    Method(
        "rmm",
        "relative margin machine: an SVM whose outputs stay within [-B, B] (one kernel)",
        PROGRAMS,
        PARAMETERS,
        grid_of({"C": "Cs", "fraction": "-fractions"}),
        path,
        max_matrix_bytes=MAX_MATRIX_BYTES,
        rows_only=True,
        class_weight=True,
        certificate=rebuilt("rmm"),
    ),
    Method(
        "rmm_d",
        "relative margin machine that also learns the bound on its outputs; D times the bound is added to the "
        "objective (one kernel)",
        PROGRAMS,
        PRICED,
        priced_grid,
        priced_path,
        variant=lambda nus=None, **_: "rmm_d" if nus is None else "rmm_nu",
        class_weight=True,
        certificate=rebuilt("rmm_d"),
    ),
    Method(
        "rmm_c_eq_d",
        "rmm_d with D = C, so one parameter fewer (one kernel)",
        PROGRAMS,
        {key: parameter for key, parameter in PRICED.items() if key != "Ds"},
        partial(priced_grid, Ds=None),
        partial(priced_path, Ds=None),
        class_weight=True,
        certificate=rebuilt("rmm_c_eq_d"),
    ),
)
