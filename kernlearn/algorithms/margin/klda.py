"""The regularised kernel Fisher discriminant: class means far apart, and each class close to its mean.

Let ``K_c`` be the kernel columns of the n_c examples of class c, and ``M_c`` their mean::

    N = sum_c K_c (I - 11'/n_c) K_c' ,   d = M_+ - M_-
    (P)  min_alpha  alpha'(N + mu I) alpha - 2 alpha'd ,   alpha = (N + mu I)^-1 d
    f(x) = sum_i alpha_i K(x_i, x) + b ,   b = -alpha'(M_+ + M_-) / 2

f is 0 in the middle between the projected class means. For any alpha, ``r = (N + mu I) alpha - d`` proves ``(P) - min
(P) <= |r|^2 / mu``. mu is relative to the mean eigenvalue of ``K^2``, so a multiple of the kernel has the same
solution. If the class means coincide up to rounding, there is no direction: alpha is 0, and f is constant.

With ``threshold="svm"``, a support vector machine with C = 1 is trained on the single feature ``z = sum_i alpha_i
K(x_i, x)``, scaled to variance 1, and f is its output. The experiments of the source do this. It is better than the
middle of the means if the classes have different sizes or variances. Source: Mika et al. (1999), Fisher discriminant
analysis with kernels.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from kernlearn.algorithms.core.grid import grid_of
from kernlearn.algorithms.core.method import Method
from kernlearn.algorithms.core.path import Point, single_kernel_point
from kernlearn.algorithms.core.problem import Problem
from kernlearn.certificates.linear import COINCIDE, fisher, means_coincide
from kernlearn.parameters import Choice, Number, Numbers, Parameter
from kernlearn.solvers import Solution, SVMSolver
from kernlearn.solvers.core.solution import certified
from kernlearn.types import Array

#: Relative gap up to which a closed form counts as exact.
EXACT = 1e-6
#: Relative gap of the SVM that chooses a threshold.
LINE = 1e-9
PARAMETERS = {
    "mus": Parameter(
        [10.0**-k for k in range(7)],
        Numbers(Number(positive=True)),
        "weights of the ridge, relative to the mean eigenvalue of K^2",
        "mu",
    ),
    "threshold": Parameter(
        "means",
        Choice(("means", "svm")),
        "means: in the middle of the projected class means; svm: from an SVM on the projections",
    ),
}


def path(problem: Problem, *, mus: Sequence[float], threshold: str = "means") -> Iterator[Point]:
    """Solve (P) for every kernel and every mu, the largest first, by one eigendecomposition of N a kernel."""
    stack, y = problem.inputs, problem.y
    for k, member in enumerate(stack.family.members):
        single = stack.select(k)
        size = 2.0 ** (np.frexp(single.matrix(0).max())[1] - 1)  # a power of two: nothing is rounded
        K, coincide = single.matrix(0) / size, means_coincide(single, y)
        means = np.stack([K[:, y == sign].mean(axis=1) for sign in (1.0, -1.0)])
        within = K - np.where(y == 1.0, *means[:, :, None])  # every column less the mean of its class
        N, d, unit = within @ within.T, means[0] - means[1], float(np.vdot(K, K)) / len(y)
        values, vectors = np.linalg.eigh(N)
        coordinates = vectors.T @ d
        for mu in sorted(mus, reverse=True):
            ridge = (mu * unit) or 1.0  # a kernel that is 0
            alpha = vectors @ (coordinates / (np.maximum(values, 0.0) + ridge))
            alpha = np.zeros_like(alpha) if coincide else alpha
            solution = Solution(alpha / size, 0.0, alpha / size, 0.0, 0.0, "optimal", 1, 1, 0.0)
            solution = certified(solution, fisher(single, y, solution.x, ridge, size, float(coincide)), EXACT)
            if coincide:
                solution = replace(solution, status=COINCIDE)
            z, factor, intercept = K @ alpha, 1.0, -0.5 * float(alpha @ means.sum(axis=0))
            if threshold == "svm":
                factor, intercept = line(z, y)
            place = {**member, "mu": float(mu)}
            yield single_kernel_point(place, len(stack), k, factor * solution.x, intercept, solution)


def line(z: Array, y: Array) -> tuple[float, float]:
    """Return w and b of the SVM ``w z + b`` with C = 1 on one number, taken with variance 1.

    Parameters
    ----------
    z : array of shape (n,)
    y : array of shape (n,)
        Labels +-1.
    """
    mean, deviation = float(z.mean()), float(z.std()) or 1.0
    standard = (z - mean) / deviation
    solution = SVMSolver(np.outer(standard, standard), y, LINE).solve(1.0)
    w = float(solution.x @ standard) / deviation
    return w, solution.intercept - w * mean


METHOD = Method(
    "klda",
    "regularised kernel Fisher discriminant (one kernel)",
    "linear systems",
    PARAMETERS,
    grid_of({"mu": "-mus"}),
    path,
)
