"""Relative margin machines: a large margin relative to the spread of the outputs.

::

    (P)  min_{w,b}  1/2 |w|^2 + C sum_i max(0, 1 - y_i f(x_i))    subject to |f(x_i)| <= B for every i          (2.8)

with ``f(x) = w.Phi(x) + b``. With theta the largest output of the support vector machine of the same C, a B of theta or
more changes nothing, and a B of 1 or less leaves no margin: ``B = 1 + (theta - 1) r`` for fractions r of (0, 1].
Where B is free and has a price, it is as a rule the same family of solutions in other words::

    min_{w,b,t>=1}  1/2 |w|^2 + C sum_i max(0, 1 - y_i f(x_i)) + D (t + (nu/n) sum_i max(0, |f(x_i)| - t))      (2.12)

An infinite nu is (2.11), where no output is beyond t; with a finite one at most n/nu of them are. Source: Shivaswamy
(2010), Large Relative Margin and Applications, chapter 2; certificates are those of `kernlearn.solvers.BandSolver`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernlearn.algorithms.common.estimator import SingleKernelClassifier
from kernlearn.algorithms.common.method import PROGRAMS, Method
from kernlearn.algorithms.common.path import Point, single_kernel_point
from kernlearn.algorithms.common.prepare import CS, require_positive_definite
from kernlearn.algorithms.common.problem import Problem
from kernlearn.errors import UserError
from kernlearn.kernels import GramStack, KernelFamily
from kernlearn.parameters import Choice, Number, Numbers, Parameter
from kernlearn.solvers import BAND_SOLVERS, Solution

Array = NDArray[np.float64]

#: The bound on outputs that are all within [-1, 1] without one.
FAR = 2.0

TOL = Parameter(1e-6, Number(low=1e-12, high=1.0), "relative duality gap")
SOLVER = Parameter("homotopy", Choice(tuple(BAND_SOLVERS)), "our homotopy along B; OSQP, slow and independent of it")
FRACTION = Number(low=1e-6, high=1.0)
PARAMETERS: dict[str, Parameter] = {
    "Cs": CS,
    "fractions": Parameter(
        [1.0, 0.5, 0.25, 0.1, 0.05], Numbers(FRACTION), "B = 1 + r (theta - 1) for each, 1 is the SVM", "fraction"
    ),
    "tol": TOL,
    "solver": SOLVER,
}
PRICED: dict[str, Parameter] = {
    "Cs": CS,
    "Ds": Parameter([0.1, 1.0, 10.0, 100.0], Numbers(Number(positive=True)), "prices of the bound t", "D"),
    "nus": Parameter(None, Numbers(Number(low=1.0), optional=True), "at most n/nu outputs beyond t; null: none", "nu"),
    "tol": TOL,
    "solver": SOLVER,
}


def grid(family: KernelFamily, Cs: Sequence[float], fractions: Sequence[float], **_: Any) -> list[dict[str, float]]:
    """Return all triples of a kernel, C and fraction; the strongest regularisation and the widest band first."""
    require_positive_definite(family)
    return [
        {**member, "C": float(C), "fraction": float(r)}
        for member in family.members
        for C in sorted(Cs)
        for r in sorted(fractions, reverse=True)
    ]


def path(
    problem: Problem, *, Cs: Sequence[float], fractions: Sequence[float], tol: float = 1e-6, solver: str = "homotopy"
) -> Iterator[Point]:
    """Solve (2.8) for every kernel and C along B, from the support vector machine down; ``facts`` have the B."""
    stack, y = problem.inputs, problem.y
    for k, member in enumerate(stack.family.members):
        warm = BAND_SOLVERS[solver](stack.select(k).matrix(0), y, tol)
        for C in sorted(Cs):
            theta = warm.theta(C)
            for r in sorted(fractions, reverse=True):
                B = bound(theta, r)
                solution, intercept = warm.solve(float(C), B)
                values = {**member, "C": float(C), "fraction": float(r)}
                yield _point(values, len(stack), k, solution, intercept, {"B": B, "theta": theta})


def bound(theta: float, fraction: float) -> float:
    """Return B for a fraction of the way from 1 to theta; where no output is beyond 1, one that none comes near."""
    return 1.0 + fraction * (theta - 1.0) if theta > 1.0 else FAR


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
    stack = problem.inputs
    for k, member in enumerate(stack.family.members):
        warm = BAND_SOLVERS[solver](stack.select(k).matrix(0), problem.y, tol)
        for values in _prices(Cs, Ds, nus):
            C = values["C"]
            solution, intercept, B = warm.solve_priced(C, values.get("D", C), values.get("nu", inf))
            yield _point({**member, **values}, len(stack), k, solution, intercept, {"B": B})


def _prices(Cs: Sequence[float], Ds: Sequence[float] | None, nus: Sequence[float] | None) -> Iterator[dict[str, float]]:
    for C in sorted(Cs):
        for D in [{}] if Ds is None else [{"D": float(D)} for D in sorted(Ds)]:
            for nu in [{}] if nus is None else [{"nu": float(nu)} for nu in sorted(nus)]:
                yield {"C": float(C), **D, **nu}


def _point(
    values: dict[str, float], p: int, k: int, solution: Solution, intercept: float, facts: dict[str, float]
) -> Point:
    multipliers = solution.dual.sum(axis=0)
    point = single_kernel_point(values, p, k, solution.x, intercept, solution, multipliers)
    return replace(point, facts={name: np.array([value]) for name, value in facts.items()})


class RMMClassifier(SingleKernelClassifier):
    """The relative margin machine as a scikit-learn classifier; more than two classes by one-versus-rest.

    Parameters
    ----------
    kernel : {"polynomial", "polynomial_libsvm", "polynomial_unit", "gaussian", "linear", "precomputed"}
    degree : int
        Degree of the polynomial kernel ``(x.z + coef0)^degree``.
    gamma : float
        Parameter of the Gaussian kernel ``exp(-gamma |x - z|^2)``.
    coef0 : float
    C : float > 0
        Weight of the loss.
    fraction : float in (0, 1]
        The outputs are bounded by ``B = 1 + fraction (theta - 1)``, theta the largest one of the SVM; 1 is the SVM.
    B : float > 1, optional
        The bound itself, in the place of `fraction`.
    D : float > 0, optional
        The price of a bound that is free, in the place of both.
    nu : float >= 1, optional
        With `D`: at most n/nu training outputs may be beyond the bound; by default none.
    tol : float
        Relative duality gap to reach.
    solver : {"homotopy", "osqp"}
        Our homotopy along the bound, or OSQP with a finish of our own, slow and independent of it.

    Attributes
    ----------
    classes_, support_, n_support_, dual_coef_, objective_, dual_objective_, gap_
        As for `kernlearn.VKRClassifier`, with one kernel.
    intercept_ : array of shape (1,) or (n_classes,)

    References
    ----------
    P. K. Shivaswamy. Large Relative Margin and Applications. PhD thesis, Columbia University, 2010.
    """

    _semidefinite = True

    _declared = {
        **PARAMETERS,
        **PRICED,
        "B": Parameter(None, Number(low=1.0)),
    }
    _may_be_none = ("B", "D", "nu")

    def __init__(
        self,
        kernel: str = "polynomial",
        degree: int = 3,
        gamma: float = 1.0,
        coef0: float = 1.0,
        C: float = 1.0,
        fraction: float = 0.5,
        B: float | None = None,
        D: float | None = None,
        nu: float | None = None,
        tol: float = 1e-6,
        solver: str = "homotopy",
    ):
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.C = C
        self.fraction = fraction
        self.B = B
        self.D = D
        self.nu = nu
        self.tol = tol
        self.solver = solver

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if self.B is not None and self.D is not None:
            raise UserError(f"B={self.B}: with D={self.D} the bound is free; give one of the two")
        if self.nu is not None and self.D is None:
            raise UserError(f"nu={self.nu}: needs D, the price of the bound")

    def _solve_binary(self, stack: GramStack, y: Array, weights: Array | None) -> tuple[Array, float, Solution]:
        solver, C = BAND_SOLVERS[self.solver](stack.matrix(0), y, self.tol, weights), float(self.C)
        if self.D is not None:
            solution, intercept, _ = solver.solve_priced(C, float(self.D), inf if self.nu is None else float(self.nu))
        else:
            B = bound(solver.theta(C), float(self.fraction)) if self.B is None else float(self.B)
            solution, intercept = solver.solve(C, B)
        flat = replace(
            solution, dual=solution.dual.sum(axis=0)
        )  # one number an example, as support vectors are told by
        return flat.x[None], intercept, flat


METHODS = (
    Method(
        "rmm",
        "relative margin machine: an SVM whose outputs are within [-B, B]",
        PROGRAMS,
        PARAMETERS,
        grid,
        path,
    ),
    Method(
        "rmm_d",
        "relative margin machine whose bound on the outputs is free and has a price",
        PROGRAMS,
        PRICED,
        priced_grid,
        priced_path,
        variant=lambda nus=None, **_: "rmm_d" if nus is None else "rmm_nu",
    ),
    Method(
        "rmm_c_eq_d",
        "relative margin machine whose bound has the price C of the loss",
        PROGRAMS,
        {key: parameter for key, parameter in PRICED.items() if key != "Ds"},
        partial(priced_grid, Ds=None),
        partial(priced_path, Ds=None),
    ),
)
