"""What one example changes of LKRR (`l2_krr`), on drawn problems and on some that refute statements about it."""

from functools import cache
from math import sqrt
from typing import NamedTuple

import numpy as np

from kernlearn.algorithms.common.ridge import solve_krr
from kernlearn.algorithms.ridge.l2_krr import solve_l2_krr
from kernlearn.kernels import DenseStack
from kernlearn.types import Array

#: Relative duality gap of LKRR.
TOL = 1e-12
#: Drawn problems.
DRAWS = 150


class Problem(NamedTuple):
    """Two samples that differ in one point, and kernels on their points and others.

    Points 0 to m - 2 are in both samples, point m - 1 is in S and point m in S'.
    """

    #: Shape (p, N, N).
    K: Array
    #: Labels of the points 0 to m, shape (m + 1,).
    y: Array
    lambda_: float
    Lambda: float
    #: Shape (p,).
    mu0: Array

    @property
    def m(self) -> int:
        """The size of a sample."""
        return len(self.y) - 1

    @property
    def samples(self) -> tuple[list[int], list[int]]:
        """The points of S and of S'."""
        m = self.m
        return list(range(m)), [*range(m - 1), m]


class Change(NamedTuple):
    """What LKRR makes of both samples, in the words of section 2.3.2."""

    #: Weights of S and S'.
    mu: tuple[Array, Array]
    #: Values at all points: of S, of S', and of each sample with the weights of the other.
    h: dict[tuple[int, int], Array]
    #: The ``v`` of S with its weights, of S' with those of S, and of S' with its own.
    v: tuple[Array, Array, Array]
    #: ``||Delta_K alpha||`` on S'.
    alpha: float
    R: float
    R_0: float
    #: The bound of ``|h(x) - y(x)|``; a point without a label has the one that is best for it.
    M: float
    #: The smaller of the smallest eigenvalues of K and K' (2.32), with the weights of either sample.
    smallest: float


def kernel_ridge(problem: Problem, mu: Array, sample: int) -> tuple[Array, Array]:
    """Return alpha, and the values at all points, of kernel ridge regression with some weights."""
    some, K = problem.samples[sample], np.tensordot(mu, problem.K, 1)
    alpha = solve_krr(K[np.ix_(some, some)], problem.y[some], problem.lambda_).x
    return alpha, alpha @ K[some]


def learn(problem: Problem, sample: int) -> Array:
    """Return the weights of LKRR."""
    some = problem.samples[sample]
    stack = DenseStack(problem.K[:, some][:, :, some])
    y, Lambda, mu0 = problem.y[some], problem.Lambda, problem.mu0
    return solve_l2_krr(stack, y, problem.lambda_, Lambda=Lambda, mu0=mu0, tol=TOL).x


def change_of(problem: Problem) -> Change:
    """Return what one example changes."""
    mu = learn(problem, 0), learn(problem, 1)
    alpha, h = {}, {}
    for weights in (0, 1):
        for sample in (0, 1):
            alpha[weights, sample], h[weights, sample] = kernel_ridge(problem, mu[weights], sample)

    def v(weights: int, sample: int) -> Array:
        some, a = problem.samples[sample], alpha[weights, sample]
        return np.maximum(problem.K[:, some][:, :, some] @ a @ a, 0.0)

    diagonals = np.einsum("kii->ki", problem.K)
    size = max(diagonals.max(), *((weights @ diagonals).max() for weights in mu))
    labels = 0.5 * (h[0, 0] + h[1, 1])
    labels[: problem.m + 1] = problem.y
    M = max(np.abs(h[0, 0] - labels).max(), np.abs(h[1, 1] - labels).max())
    matrices = [np.tensordot(weights, problem.K[:, some][:, :, some], 1) for weights in mu for some in problem.samples]
    return Change(
        mu,
        h,
        (v(0, 0), v(0, 1), v(1, 1)),
        float(np.linalg.norm(alpha[1, 1] - alpha[0, 1])),
        sqrt(size),
        float(np.sqrt((diagonals**2).sum(axis=0)).max()),
        float(M),
        max(0.0, min(float(np.linalg.eigvalsh(K)[0]) for K in matrices)),
    )


def drawn(seed: int) -> Problem:
    """Return a problem with Gram matrices of drawn features, of very unlike sizes, parameters and labels."""
    rng = np.random.default_rng(seed)
    m, p, d = rng.integers(1, 12), rng.integers(2, 6), rng.integers(1, 5)
    F = rng.normal(size=(p, m + 5, d)) * 10.0 ** rng.uniform(-1.0, 0.3, (p, 1, 1))
    K = F @ F.transpose(0, 2, 1) / (F**2).sum(axis=2).max()
    y = rng.normal(size=m + 1) * 10.0 ** rng.uniform(-1.0, 1.0)
    return Problem(
        K, y, 10.0 ** rng.uniform(-3, 2), 10.0 ** rng.uniform(-1, 1), float(rng.integers(2)) * rng.uniform(size=p)
    )


def scaled(problem: Problem, c: float) -> Problem:
    """Return the problem with all kernels and lambda times c, which changes no prediction."""
    return problem._replace(K=c * problem.K, lambda_=c * problem.lambda_)


def diagonal(*entries: float) -> Array:
    """Return a kernel with which no point has to do with another."""
    return np.diag(entries)


#: One kernel, m = 1: S has (1/4, 0) with the label 1, S' has (0, 1) with 0.01; at (1, 0) h is 2 and h' is 0.
LEFT_BEHIND = Problem(
    np.array([[[1 / 16, 0.0, 1 / 4], [0.0, 1.0, 0.0], [1 / 4, 0.0, 1.0]]]),
    np.array([1.0, 0.01]),
    1 / 16,
    1.0,
    np.zeros(1),
)
#: The example of S has the first kernel alone, that of S' the second, m = 1.
EXCHANGED = Problem(np.stack([diagonal(1.0, 0.0), diagonal(0.0, 1.0)]), np.ones(2), 1 / 3, 1.0, np.zeros(2))
#: The example of S has the first kernel alone, that of S' all of 16, m = 1.
SPREAD = Problem(np.stack([diagonal(float(k == 0), 1.0) for k in range(16)]), np.ones(2), 100.0, 0.25, np.zeros(16))
#: The examples of S and of S' have one feature for each of two kernels, (0.8, 1) and (1, 0.8), m = 1.
TURNED = Problem(
    np.stack([np.outer(f, f) for f in ([0.8, 1.0, -0.8], [1.0, 0.8, 1.0])]), np.ones(2), 0.5, 2.0, np.zeros(2)
)
#: Problems by which statements are refuted; with large R, as a power of R is lost in print.
EXAMPLES = (LEFT_BEHIND, EXCHANGED, scaled(EXCHANGED, 1e6), SPREAD, scaled(TURNED, 1e8))


@cache
def changes() -> tuple[tuple[Problem, Change], ...]:
    """Return the drawn problems and the examples, with what changes."""
    problems = [*map(drawn, range(DRAWS)), *EXAMPLES]
    return tuple((problem, change_of(problem)) for problem in problems)
