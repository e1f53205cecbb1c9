"""The ellipsoidal kernel machine: an SVM after a map of the ellipsoid around the examples to the unit ball.

Algorithm 2.1 computes the ellipsoid of smallest volume around the training examples. Examples may be outside at a cost,

::

    (P)  min_{A,b}  -ln |A| + E sum_i max(0, |A x_i - b|^2 - 1)                                             (2.3)

Then it trains an SVM on ``u_i = A x_i - b = Sigma^(-1/2) (x_i - mu)``, so the scale of the examples has no effect. The
x_i are the coordinates of the examples in the span of their centred images in feature space (with the linear kernel, of
the examples themselves). New examples are projected there.

If there are as many dimensions as examples, all u_i are equally far from each other. So this method needs a kernel
whose images span few dimensions. If the variances along two directions differ by a factor of more than 1e8, as with
features of different scales, the directions with the smallest variances are left out, and the status says so. Then
standardise the features. Source: Shivaswamy (2010), Large Relative Margin and Applications, section 2.1, which prints
Sigma = A^(-1/2) for A^(-2) and has no experiment. See `kernlearn.solvers.kernel_weights.ellipsoid`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from kernlearn.algorithms.core.certified import in_kernel_given
from kernlearn.algorithms.core.grid import grid_of
from kernlearn.algorithms.core.method import PROGRAMS, Method
from kernlearn.algorithms.core.path import Point, single_kernel_point
from kernlearn.algorithms.core.prepare import CS
from kernlearn.algorithms.core.problem import Problem
from kernlearn.kernels import GramStack
from kernlearn.kernels.matrices.centring import centre
from kernlearn.parameters import Number, Numbers, Parameter
from kernlearn.solvers import Solution, SVMSolver, solve_ellipsoid
from kernlearn.twofold import dot
from kernlearn.types import Array

#: A direction with a smaller part of the largest variance is left out: blown up, rounding would be seen in it. So is
#: one with less than rounding leaves of the largest entry. Of the others, so many times above that, the status tells.
RANK, EPS, ABOVE = 1e-8, float(np.finfo(np.float64).eps), 100.0
#: Where directions that are no rounding were left out: scaled features have them.
LEFT_OUT = "inaccurate: directions left out"

PARAMETERS: dict[str, Parameter] = {
    "Cs": CS,
    "Es": Parameter(
        [0.01, 0.1, 1.0],
        Numbers(Number(positive=True)),
        "weights of the examples outside of the ellipsoid, of which there are at most d/(2E)",
        "E",
    ),
    "tol": Parameter(1e-6, Number(low=1e-12, high=1.0), "relative duality gap, of the ellipsoid and of the SVM"),
}


class Enclosed:
    """Training examples in an ellipsoid that is the unit ball.

    Parameters
    ----------
    stack : GramStack of shape (1, n, n)

    Attributes
    ----------
    matrix : array of shape (n, n)
        Their inner products ``u_i . u_j``.
    solution : Solution
        Of (P), with coordinates that have the covariance I.
    """

    def __init__(self, stack: GramStack, E: float, tol: float):
        K, self._drift = stack.centred_matrix(0)
        values, vectors = np.linalg.eigh(centre(K))
        n = len(K)
        rounding = n * EPS * float(np.abs(K).max())
        kept = values > max(RANK * max(float(values[-1]), 0.0), rounding)
        self._means, self._vectors = K.mean(axis=0), vectors[:, kept]
        self._vectors -= self._vectors.mean(axis=0)  # rounding left a part of ones, which K - means makes large
        self._to_coordinates = np.sqrt(n) / values[kept]
        if kept.any():
            coordinates = (K - self._means) @ self._vectors * self._to_coordinates  # as those of others are
            self.solution = solve_ellipsoid(coordinates, E, tol)
            self._ellipsoid = self.solution.extras["ellipsoid"]
            if np.any(~kept & (values > ABOVE * rounding)):
                self.solution = replace(self.solution, status=LEFT_OUT)
            self._images = self._ellipsoid.images(coordinates)
            self.matrix = self._images @ self._images.T
        else:  # all examples are the same
            self.solution = Solution(np.zeros(n), 0.0, np.zeros(n), 0.0, 0.0, "optimal", 0, 0, 0.0)
            self.matrix = np.zeros((n, n))

    def certified(self, solution: Solution) -> Solution:
        """Return a solution of the SVM with the status of the ellipsoid where that is not optimal."""
        return solution if self.solution.status == "optimal" else replace(solution, status=self.solution.status)

    def expansion(self, beta: Array) -> tuple[Array, float]:
        """Return ``sum_j beta_j u_j . u(x)`` as coefficients of the kernel as given, shape (n,), and a constant."""
        if not self._vectors.shape[1]:
            return np.zeros(len(beta)), 0.0
        weights = self._ellipsoid.A.T @ (self._images.T @ beta)
        coef = self._vectors @ (self._to_coordinates * weights)
        return coef, -(dot(self._means + self._drift, coef) + float(weights @ self._ellipsoid.centre))


def path(problem: Problem, *, Cs: Sequence[float], Es: Sequence[float], tol: float = 1e-6) -> Iterator[Point]:
    """Solve (P) for every kernel and E, and then the SVM, warm in C; ``facts`` have the gap of (P)."""
    stack, y, weights = problem.inputs, problem.y, problem.weights
    for k, member in enumerate(stack.family.members):
        single = stack.select(k)
        for E in sorted(Es):
            enclosed = Enclosed(single, float(E), tol)
            solver = SVMSolver(enclosed.matrix, y, tol, weights=weights)
            for C in sorted(Cs):
                solution = solver.solve(float(C))
                coef, b, proved = in_kernel_given(enclosed, single, solution, y, float(C), tol, weights)
                proved = replace(proved, dual=np.stack([solution.dual, enclosed.solution.dual]))
                values = {**member, "E": float(E), "C": float(C)}
                point = single_kernel_point(values, len(stack), k, coef, b, enclosed.certified(proved), solution.dual)
                yield replace(point, facts={"ellipsoid_gap": np.array([enclosed.solution.gap])})


METHOD = Method(
    "ekm",
    "ellipsoidal kernel machine: maps the smallest ellipsoid around most examples to a ball, then trains an SVM "
    "(one kernel)",
    PROGRAMS,
    PARAMETERS,
    grid_of({"E": "Es", "C": "Cs"}),
    path,
    version=3,
    class_weight=True,
)
