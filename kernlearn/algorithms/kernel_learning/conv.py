"""Kernel learning with a convex bound on the local Rademacher complexity.

::

    min_{mu >= 0, ||(t_k mu_k)_k||_p <= 1}  min_{w,b}  1/2 ||w||^2_{K_mu} + C sum_i max(0, 1 - y_i f(x_i))

Here ``t_k = tail_theta(K_k)`` is the sum of the eigenvalues of K_k without the theta largest. With ``p = 1`` this is
the hypothesis set H2 of the source. It is multiple kernel learning on the kernels ``K_k / t_k`` (section 4.1). Source:
Cortes, Kloft and Mohri (2013).
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from kernlearn.algorithms.core.method import KERNEL_LEARNING, Method
from kernlearn.algorithms.core.path import Point, rebuilt
from kernlearn.algorithms.core.prepare import prepare, require_positive_definite
from kernlearn.algorithms.core.problem import Problem
from kernlearn.algorithms.kernel_learning.lp_mkl import NORM, point, solve_path
from kernlearn.algorithms.kernel_learning.lp_mkl import PARAMETERS as MKL
from kernlearn.certificates.kernel_weights import tail_sizes
from kernlearn.kernels import KernelFamily, tail_sums
from kernlearn.parameters import Number, Numbers, Parameter

PARAMETERS: dict[str, Parameter] = {
    "thetas": Parameter(
        [1, 2, 4, 8, 16],
        Numbers(Number(low=0, integer=True)),
        "numbers of largest eigenvalues that the sum leaves out",
        "theta",
    ),
    "norm": NORM,
    "Cs": replace(MKL["Cs"], default=[1e-2, 1e-1, 1.0, 10.0, 100.0]),
    **{key: MKL[key] for key in ("centre", "tol")},  # to divide K_k by its tail is to normalise it
}


def grid(family: KernelFamily, thetas: Sequence[int], Cs: Sequence[float], **_: Any) -> list[dict[str, float]]:
    """Return all pairs of theta and C; for each theta the strongest regularisation first."""
    require_positive_definite(family)
    return [{"theta": int(theta), "C": float(C)} for theta in thetas for C in sorted(Cs)]


def path(
    problem: Problem,
    *,
    thetas: Sequence[int],
    Cs: Sequence[float],
    norm: float = 1.0,
    centre: bool = True,
    tol: float = 1e-6,
) -> Iterator[Point]:
    """Solve the problem for every theta and C, warm in C."""
    kernels, _ = prepare(problem.inputs, centre, "none")
    options: dict[str, Any] = {"norm": norm, "tol": tol, "weights": problem.weights}
    for theta in thetas:
        t = tail_sizes(kernels, tail_sums(kernels, theta))
        for C, solution in solve_path(kernels, problem.y, Cs, t, **options):
            values = {"theta": int(theta), "C": float(C)}
            yield point(problem, kernels, values, solution, t, norm, tol)


METHOD = Method(
    "conv",
    "convex kernel learning: each kernel is divided by the sum of its eigenvalues without the largest ones",
    KERNEL_LEARNING,
    PARAMETERS,
    grid,
    path,
    version=7,
    variant=lambda norm, **_: f"conv_l{norm:g}",
    weighs=True,
    class_weight=True,
    certificate=rebuilt("conv"),
)
