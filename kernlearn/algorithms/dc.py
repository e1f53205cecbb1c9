"""Kernel learning with the local Rademacher complexity itself, by differences of convex functions.

::

    min_{mu >= 0, tail_theta(K_mu) <= 1}  min_{w,b}  1/2 ||w||^2_{K_mu} + C sum_i max(0, 1 - y_i f(x_i))       (7)

The tail is concave in mu, so the problem is not convex. At mu0 its linear upper bound is ``v.mu``, ``v_k =
sum_{j>theta} u_j' K_k u_j`` with the eigenvectors u_j of K_mu0; with ``v.mu <= 1`` the problem (8) is multiple kernel
learning on the kernels ``K_k / v_k``. mu0 is stationary if it solves (8) itself, and the duality gap of (8) at mu0 says
how far it is from that. Only local solutions are found. For another p than 1 the constraint is ``||(v_k mu_k)_k||_p <=
1``. Source: Cortes, Kloft and Mohri (2013), section 4.2, Algorithm 1; the printed K_{mu - mu0} in (8) is read as K_mu.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kernlearn.algorithms.combined import CombinedKernelClassifier, Fit
from kernlearn.algorithms.conv import PARAMETERS as CONV
from kernlearn.algorithms.conv import tail_sizes
from kernlearn.algorithms.inner import SVMInner
from kernlearn.algorithms.lp_mkl import check_norm, point, solve_mkl
from kernlearn.algorithms.path import PathPoint
from kernlearn.algorithms.prepare import PARAMETERS as PREPARE
from kernlearn.algorithms.prepare import prepare
from kernlearn.kernels import KernelStack, Stack, linear_tails, tail_sums
from kernlearn.parameters import Choice, Number, Parameter
from kernlearn.solvers import Response, Solution, evaluate

Array = NDArray[np.float64]

#: Steps by name: the solution of (8), or the printed one, a single step of the alternation (9)-(11) towards it.
STEPS = ("solve", "alternate")

PARAMETERS: dict[str, Parameter] = {
    **CONV,
    "tol": Number(low=1e-8, high=1e-1),
    "normalise": PREPARE["normalise"],
    "step": Choice(STEPS),
    "max_iter": Number(low=1, integer=True),
}


def solve_dc(
    stack: KernelStack,
    y: Array,
    C: float,
    theta: int,
    *,
    norm: float = 1.0,
    start: Array | None = None,
    tol: float = 1e-6,
    step: str = "solve",
    max_iter: int = 200,
) -> tuple[Solution, Response]:
    """Find a stationary point of (7).

    Parameters
    ----------
    stack : KernelStack of shape (p, n, n)
    y : array of shape (n,)
        Labels +-1.
    C : float > 0
    theta : int >= 0
    norm : float >= 1
    start : array of shape (p,), optional
        Weights to start from; uniform by default.
    tol : float
        Relative duality gap of (8) at the weights returned.
    step : {"solve", "alternate"}
    max_iter : int
        Largest number of linearisations.

    Returns
    -------
    solution : Solution
        ``x`` are the weights mu of the kernels as given; ``objective`` and ``dual_objective`` are the value of (7) at
        mu and the lower bound of (8) linearised at mu, so that the gap certifies that mu is stationary. `rounds`
        counts linearisations, `iterations` SVMs.
    response : Response
        The SVM with these weights.
    """
    begin = perf_counter()
    mu = np.ones(len(stack)) if start is None else start
    inner = SVMInner(stack, y, C, np.ones(len(stack)), tol)
    rounds = svms = 0
    while rounds < max_iter:
        rounds += 1
        v = inner.sizes = tail_sizes(stack, linear_tails(stack, mu, theta))
        here, response = evaluate(inner, mu * v, norm=norm, tol=tol)  # v.mu = 1: the constraint of (7) is met
        svms += 1
        if step == "alternate":
            moved = (here.x**2 * response.w) ** (1.0 / (norm + 1.0))  # (9) with (11), for any p
        elif here.status != "optimal":
            solved, _ = solve_mkl(inner, norm=norm, start=here.x, tol=tol)
            svms, moved = svms + solved.rounds, solved.x
            here = _with_bound(here, solved, tol)
        if here.status == "optimal":
            break
        mu = moved / v
    seconds = perf_counter() - begin
    return replace(here, x=here.x / v, iterations=svms, rounds=rounds, seconds=seconds), response


def _with_bound(here: Solution, solved: Solution, tol: float) -> Solution:
    """Return `here` with the lower bound of `solved`, another solution of the same problem, if that is better."""
    if solved.dual_objective <= here.dual_objective:
        return here
    here = replace(here, dual=solved.dual, dual_objective=solved.dual_objective)
    return replace(here, status="optimal" if here.gap <= tol else "inaccurate")


def path(
    stack: Stack,
    y: Array,
    *,
    thetas: Sequence[int],
    Cs: Sequence[float],
    norm: float = 1.0,
    centre: bool = True,
    tol: float = 1e-6,
    normalise: str = "none",
    step: str = "solve",
    max_iter: int = 200,
) -> Iterator[PathPoint]:
    """Find a stationary point for every theta and C, each from uniform weights of the normalised kernels, as printed.

    To normalise changes nothing in (7) but the start: a kernel divided by t has the weight mu t.
    """
    kernels, t = prepare(stack, centre, normalise)
    options: dict[str, Any] = {"norm": norm, "tol": tol, "start": 1.0 / t, "step": step, "max_iter": max_iter}
    for theta in thetas:
        for C in sorted(Cs):
            solution, response = solve_dc(kernels, y, C, theta, **options)
            yield point(kernels, y, {"theta": int(theta), "C": float(C)}, solution.x, solution, response)


class LocalRademacherClassifier(CombinedKernelClassifier):
    """Kernel learning with local Rademacher complexity; more than two classes by one-versus-rest.

    Parameters
    ----------
    method : {"conv", "dc"}
        The convex bound on the complexity, or the complexity itself, up to a stationary point.
    theta : int >= 0
        How many of the largest eigenvalues of a kernel the complexity leaves out.
    norm : float >= 1
        Of the weights times the tails.
    step : {"solve", "alternate"}
        Of ``method="dc"``: solve every linearisation, or take a single step of the printed alternation.
    max_iter : int
        Of ``method="dc"``: largest number of linearisations.
    C : float > 0, optional
        By default the number of training examples: a tail sums that many eigenvalues, so that kernels divided by their
        tails are as many times smaller than those that other methods divide by their mean diagonal.
    kernel, gammas, degrees, coef0, centre, tol
        As for `kernlearn.TwoStageClassifier`.

    Attributes
    ----------
    weights_, classes_, support_, n_support_, intercept_, objective_, dual_objective_, gap_
        As for `kernlearn.TwoStageClassifier`. With ``method="dc"`` the gap is that of the linearised problem.
    """

    normalise = "none"  # to divide a kernel by its tail is to normalise it

    def __init__(
        self,
        method: str = "conv",
        theta: int = 1,
        norm: float = 1.0,
        step: str = "solve",
        max_iter: int = 200,
        kernel: str = "gaussian",
        gammas: ArrayLike = (0.1, 1.0, 10.0),
        degrees: ArrayLike = (1, 2, 3),
        coef0: float = 1.0,
        C: float | None = None,
        centre: bool = True,
        tol: float = 1e-6,
    ):
        self.method = method
        self.theta = theta
        self.norm = norm
        self.step = step
        self.max_iter = max_iter
        self.kernel = kernel
        self.gammas = gammas
        self.degrees = degrees
        self.coef0 = coef0
        self.C = C
        self.centre = centre
        self.tol = tol

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_norm(self.norm)
        Choice(("conv", "dc")).check("method", self.method)
        Choice(STEPS).check("step", self.step)
        Number(low=0, integer=True).check("theta", self.theta)
        Number(low=1, integer=True).check("max_iter", self.max_iter)
        if self.C is not None:
            Number(positive=True).check("C", self.C)

    def _solve(self, stack: KernelStack, t: Array, y: Array) -> Fit:
        C = float(len(y) if self.C is None else self.C)
        if self.method == "dc":
            options: dict[str, Any] = {"step": self.step, "max_iter": self.max_iter, "tol": self.tol}
            solution, response = solve_dc(stack, y, C, self.theta, norm=self.norm, **options)
            return solution.x, response.alpha * y, response.intercept, solution
        t = tail_sizes(stack, tail_sums(stack, self.theta))
        solution, response = solve_mkl(SVMInner(stack, y, C, t, self.tol), norm=self.norm, tol=self.tol)
        return solution.x / t, response.alpha * y, response.intercept, solution
