"""Multiple kernel learning with several classes at once and the lp norm of the weights.

::

    min_{mu >= 0, ||mu||_p <= 1}  min_w  1/2 sum_k |w_k|^2 / mu_k + C sum_i xi_i ,
               xi_i = max_c ( [c != y_i] + f_c(x_i) - f_{y_i}(x_i) ) ,
               f_c(x) = sum_k w_k.psi_k(x, c) ,   psi_k(x, c) = e_c (x) phi_k(x) / sqrt(t_k)

one set of weights for all classes. It is the problem of Cortes, Kloft and Mohri (2013), section 5, who use UFO for it
(Orabona and Luo 2011; `algo=ufo_mkl`). With ``t_k = tail_theta(K_k)`` it is their multi-class ``conv``.
Source: Kloft, Brefeld, Sonnenburg and Zien (2011); Crammer and Singer (2001).
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernlearn.algorithms.common.inner import squares
from kernlearn.algorithms.common.reductions import signs
from kernlearn.algorithms.core.grid import grid_of
from kernlearn.algorithms.core.method import KERNEL_LEARNING, Method
from kernlearn.algorithms.core.path import Point, Prove, combined_point, rebuilt
from kernlearn.algorithms.core.predictor import Expansion, joined
from kernlearn.algorithms.core.prepare import prepare
from kernlearn.algorithms.core.problem import Problem
from kernlearn.algorithms.kernel_learning.conv import PARAMETERS as CONV
from kernlearn.algorithms.kernel_learning.conv import grid as conv_grid
from kernlearn.algorithms.kernel_learning.lp_mkl import PARAMETERS as MKL
from kernlearn.certificates import Certificate, weighted_multiclass
from kernlearn.certificates.kernel_weights import tail_sizes
from kernlearn.kernels import KernelStack, tail_sums
from kernlearn.parameters import Parameter
from kernlearn.solvers import Response, Solution, multiclass_derivative, newton, solve_multiclass_svm
from kernlearn.solvers.core.clock import subprogram
from kernlearn.solvers.core.solution import certified
from kernlearn.types import Array

#: What the SVM is more exact than the weights, whose steps are judged by differences of its values.
EXACT = 0.01

TOL = replace(MKL["tol"], default=1e-4)
PARAMETERS: dict[str, Parameter] = {"norm": CONV["norm"], **MKL, "Cs": CONV["Cs"], "tol": TOL}
CONV_PARAMETERS: dict[str, Parameter] = {**CONV, "tol": TOL}


class MulticlassInner:
    """The multi-class SVM with ``K_mu = sum_k mu_k K_k / t_k`` as an inner problem, each solved from the one before.

    Parameters
    ----------
    stack : KernelStack of shape (p, n, n)
    y : integer array of shape (n,)
        Classes 0, 1, ..., n_classes - 1.
    C : float > 0
    sizes : array of shape (p,)
        The t_k.
    tol : float
        Relative gap of the problem around this one.
    weights : array of shape (n,), optional
        Factors > 0 of C for every example.
    """

    def __init__(
        self,
        stack: KernelStack,
        y: NDArray[np.integer],
        C: float,
        sizes: Array,
        tol: float,
        weights: Array | None = None,
    ):
        self.weights = np.ones(len(y)) if weights is None else weights
        self.stack, self.y, self.C, self.sizes, self.tol = stack, y, float(C), sizes, EXACT * tol
        self.n_classes = int(y.max()) + 1
        self.A: Array | None = None

    @property
    def zero(self) -> float:
        """Value of f = 0."""
        return self.C * float(self.weights.sum())

    @subprogram()
    def respond(self, mu: Array) -> Response:
        """Solve the SVM with K_mu."""
        K = self.stack.combine(mu / self.sizes)
        options: dict[str, Any] = {"tol": self.tol, "start": self.A, "weights": self.weights}
        solution = solve_multiclass_svm(K, self.y, self.n_classes, self.C, **options)
        self.A = solution.dual
        constant, w = self.bound(solution.dual)
        iterations = max(1, solution.iterations)
        return Response(solution.objective, constant, w, solution.dual, solution.x, 0.0, iterations)

    def bound(self, A: Array) -> tuple[float, Array]:
        """Return ``c = sum_i A_{i,y_i}`` and ``w_k = 1/2 tr(A'K_k A) / t_k``."""
        quadratic = np.sum([squares(self.stack, column) for column in A.T], axis=0)
        return float(A[np.arange(len(self.y)), self.y].sum()), 0.5 * quadratic / self.sizes

    def curvature(self, mu: Array, response: Response, some: NDArray[np.intp]) -> Array:
        """Return ``sum_c G_kc' P G_lc``, ``G_kc = K_k A_c / t_k``, -P the derivative of A by K_mu A."""
        G = np.stack([self.stack.images(column, some).T / self.sizes[some] for column in response.alpha.T])
        K = self.stack.combine(mu / self.sizes)
        PG = multiclass_derivative(K, self.y, self.C, response.alpha, G, self.weights)
        return np.tensordot(G, PG, axes=((0, 1), (0, 1)))


def path(
    problem: Problem,
    *,
    Cs: Sequence[float],
    norm: float = 1.0,
    centre: bool = True,
    normalise: str = "mean_diagonal",
    tol: float = 1e-4,
) -> Iterator[Point]:
    """Solve the problem for every C, warm."""
    kernels, t = prepare(problem.inputs, centre, normalise)
    for C, solution in _solve_path(kernels, problem, Cs, t, norm, tol):
        yield _point(problem, kernels, {"C": C}, t, solution, norm, centre, tol)


def conv_path(
    problem: Problem,
    *,
    thetas: Sequence[int],
    Cs: Sequence[float],
    norm: float = 1.0,
    centre: bool = True,
    tol: float = 1e-4,
) -> Iterator[Point]:
    """Solve it with kernels divided by their tails for every theta and C, warm in C; the grid is that of ``conv``."""
    kernels, _ = prepare(problem.inputs, centre, "none")
    for theta in thetas:
        t = tail_sizes(kernels, tail_sums(kernels, theta))
        for C, solution in _solve_path(kernels, problem, Cs, t, norm, tol):
            values = {"theta": int(theta), "C": C}
            yield _point(problem, kernels, values, t, solution, norm, centre, tol)


def _solve_path(
    stack: KernelStack, problem: Problem, Cs: Sequence[float], sizes: Array, norm: float, tol: float
) -> Iterator[tuple[float, Solution]]:
    """Solve the problem for one C after another, the strongest regularisation first, weights and SVM warm."""
    inner = MulticlassInner(stack, problem.y, min(Cs), sizes, tol, problem.weights)
    mu = np.ones(len(stack))
    for C in sorted(Cs):
        inner.C = float(C)
        solution = newton(inner, mu, norm=norm, tol=tol)
        mu = solution.x
        yield float(C), solution


def _point(
    problem: Problem,
    stack: KernelStack,
    values: dict[str, float],
    sizes: Array,
    solution: Solution,
    norm: float,
    centre: bool,
    tol: float,
) -> Point:
    """Return a solution as a certified point of a path."""
    mu = solution.x / sizes
    point = joint_point(problem, stack, values, mu, solution.extras["response"].alpha, solution)
    predictor = point.predictor
    assert isinstance(predictor, Expansion)
    proof = prove(problem.y, mu, solution.dual, values["C"], sizes, norm, centre, problem.weights)
    solution = certified(solution, proof(problem.inputs, predictor.coef, predictor.intercept), tol)
    return replace(point, solutions=(solution,))


def joint_point(
    problem: Problem, stack: KernelStack, values: dict[str, float], mu: Array, A: Array, solution: Solution
) -> Point:
    """Return the point of ``f_c(x) = sum_k mu_k sum_j A_jc K_k(x, x_j)``, mu weights of the kernels as given.

    Parameters
    ----------
    A : array of shape (n, n_classes)
    solution : Solution
        Of all classes; it is not certified here.
    """
    pairs = zip(signs(problem.y, A.shape[1]), outputs(A), strict=True)
    points = [combined_point(stack, s, values, mu, beta, 0.0, solution) for s, beta in pairs]
    alignment = np.concatenate([point.facts["alignment"] for point in points])
    predictor = joined([point.predictor for point in points])
    assert isinstance(predictor, Expansion)
    predictor = replace(predictor, multipliers=A.T)
    return Point(values, predictor, (solution,), {"weights": mu[None], "alignment": alignment})


def prove(
    y: NDArray[np.integer],
    mu: Array,
    A: Array,
    C: float,
    sizes: Array,
    norm: float,
    centred: bool,
    weights: Array | None = None,
) -> Prove:
    """Return what proves a predictor of all classes with the weights mu of the kernels as given."""

    def of(inputs: Any, coef: Array, intercept: Array) -> Certificate:
        return weighted_multiclass(inputs, y, coef, intercept, mu, A, C, sizes, norm, centred=centred, weights=weights)

    return of


def outputs(A: Array) -> list[Array]:
    """Return the coefficients of every class, or of two classes those of ``f_1 - f_0``, as scikit-learn has it."""
    return [A[:, 1] - A[:, 0]] if A.shape[1] == 2 else list(A.T)


def _method(name: str, description: str, version: int, parameters: Any, points: Any, run: Any) -> Method:
    return Method(
        name,
        description,
        KERNEL_LEARNING,
        parameters,
        points,
        run,
        version=version,
        variant=lambda norm, **_: f"{name}_l{norm:g}",
        weighs=True,
        class_weight=True,
        targets=("classes",),
        certificate=rebuilt(name),
    )


METHODS = (
    _method(
        "multiclass_mkl",
        "multiple kernel learning for all classes at once: multi-class hinge loss, kernel weights of bounded norm",
        5,
        PARAMETERS,
        grid_of({"C": "Cs"}, one_kernel=False),
        path,
    ),
    _method(
        "multiclass_conv",
        "conv for all classes at once: each kernel is divided by the sum of its eigenvalues without the largest ones",
        6,
        CONV_PARAMETERS,
        conv_grid,
        conv_path,
    ),
)
