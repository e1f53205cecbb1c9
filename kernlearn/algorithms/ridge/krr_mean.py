"""Kernel ridge regression with a mean loss, in the scaling of the textbook.

::

    (P)  min_w   lambda |w|^2 + 1/(2m) sum_i (<w, psi(x_i)> - y_i)^2                                            (16.8)
    (D)  max_alpha  lambda (-2 lambda m |alpha|^2 - alpha'K alpha + 2 alpha.y) ,    alpha = (K + 2 lambda m I)^-1 y

This is lambda times the problem of `algo=krr` with ``2 lambda m``, and is solved in this form. If the examples have
weights, m is their sum. There is no intercept, unless kernels and labels are centred. Source: Shalev-Shwartz and
Ben-David (2014), Understanding Machine Learning, exercise 3 of chapter 16, which asks for alpha.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from kernlearn.algorithms.core.method import RIDGE, Method
from kernlearn.algorithms.core.path import Point, rebuilt
from kernlearn.algorithms.core.problem import Problem
from kernlearn.algorithms.ridge import krr
from kernlearn.parameters import Flag, Number, Numbers, Parameter

PARAMETERS: dict[str, Parameter] = {
    "lambdas": Parameter(
        [10.0**-k for k in range(8)], Numbers(Number(positive=True)), "weights of the squared norm", "lambda_"
    ),
    "centre": Parameter(False, Flag(), "centre the kernels in feature space, and the labels"),
}


def path(problem: Problem, *, lambdas: Sequence[float], centre: bool = False) -> Iterator[Point]:
    """Solve for every kernel and every lambda, the largest first, from one eigendecomposition a kernel."""
    unit = 2.0 * float(problem.counts.sum())
    points = krr.path(problem, lambdas=[unit * lambda_ for lambda_ in lambdas], centre=centre, normalise="none")
    for point, values in zip(points, krr.METHOD.grid(problem.inputs.family, lambdas=lambdas), strict=True):
        (of_sums,), lambda_ = point.solutions, values["lambda"]
        solution = replace(
            of_sums,
            objective=lambda_ * of_sums.objective,
            dual_objective=lambda_ * of_sums.dual_objective,
            zero=lambda_ * of_sums.zero,
        )
        yield replace(point, values=values, solutions=(solution,))


METHOD = Method(
    "krr_mean",
    "kernel ridge regression with the mean instead of the sum of the losses (one kernel)",
    RIDGE,
    PARAMETERS,
    krr.METHOD.grid,
    path,
    version=2,
    targets=("reals",),
    certificate=rebuilt("krr_mean"),
)
