"""The nearest class mean in feature space.

Let ``c_+`` and ``c_-`` be the means of the classes in feature space. The predicted class of x is that of the nearer
mean::

    f(x) = (|psi(x) - c_-|^2 - |psi(x) - c_+|^2) / |c_+ - c_-|^2
         = 2 <c_+ - c_-, psi(x)> / |c_+ - c_-|^2 + (|c_-|^2 - |c_+|^2) / |c_+ - c_-|^2

f is 1 at ``c_+`` and -1 at ``c_-``, whatever the scale of the kernel. The means minimise the scatter ``sum_i |psi(x_i)
- c_{y_i}|^2`` in closed form. The scatter is the objective and also its own lower bound. If the means coincide up to
rounding, f is 0, and the status says so. Source: Shalev-Shwartz and Ben-David (2014), Understanding Machine Learning,
chapter 16, exercise 6.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from kernlearn.algorithms.core.certified import LOST
from kernlearn.algorithms.core.grid import grid_of
from kernlearn.algorithms.core.method import Method
from kernlearn.algorithms.core.path import Point, single_kernel_point
from kernlearn.algorithms.core.problem import Problem
from kernlearn.certificates.linear import COINCIDE, means_coincide
from kernlearn.solvers import Solution

#: How far outputs may be from those of the means, in units of the distance of these, far from the origin.
SAME = 1e-6


def path(problem: Problem) -> Iterator[Point]:
    """Yield the classifier of every kernel."""
    stack, y, counts = problem.inputs, problem.y, problem.counts
    for k, member in enumerate(stack.family.members):
        single = stack.select(k)
        K, drift = single.matrix_with_bias(0)  # f is the same wherever the origin is: its coefficients add up to 0
        totals = [np.sum(counts[y == sign]) for sign in (1.0, -1.0)]
        parts = [counts * (y == sign) / (total or 1.0) for sign, total in zip((1.0, -1.0), totals, strict=True)]
        means = np.stack(parts)  # as expansions
        inner = means @ K @ means.T
        difference = means[0] - means[1]
        distance = float(difference @ K @ difference)
        coincide = distance <= 0.0 or means_coincide(single, y)
        scale = 0.0 if coincide else 1.0 / distance
        zero = float(np.trace(K) if problem.weights is None else counts @ np.diagonal(K))
        scatter = float(zero - sum(total * inner[c, c] for c, total in enumerate(totals)))
        solution = Solution(means, scatter, means, scatter, zero, "optimal", 1, 1, 0.0)
        intercept, coef = scale * float(inner[1, 1] - inner[0, 0]), 2.0 * scale * difference
        solved = K @ coef + intercept
        intercept -= float(drift @ coef)
        if not np.abs(single.expand(coef[None]) + intercept - solved).max() <= SAME:
            solution = replace(solution, status=LOST)
        if coincide:
            solution = replace(solution, status=COINCIDE)
        yield single_kernel_point(dict(member), len(stack), k, coef, intercept, solution)


METHOD = Method(
    "nearest_mean",
    "nearest class mean in feature space (one kernel)",
    "means",
    {},
    grid_of({}),
    path,
)
