"""Kernel learning with the local Rademacher complexity itself, by differences of convex functions.

::

    min_{nu >= 0, tail_theta(sum_k nu_k K_k / t_k) <= 1}  min_{w,b}  1/2 ||w||^2_{K_mu} + C sum_i max(0, 1 - y_i f(x_i))

with the sizes ``t_k`` of `kernlearn.algorithms.kernel_learning.conv` and ``nu_k = (t_k mu_k)^p``. For ``p = 1`` the
constraint is ``tail_theta(K_mu) <= 1``, problem (7). For ``theta = 0`` it is ``||(t_k mu_k)_k||_p <= 1``, lp-norm
multiple kernel learning. The source gives no formula for p > 1. Our interpretation keeps its (5): the tail is concave
and homogeneous, so it is at least ``sum_k nu_k``, and the weights allowed here are among those that conv allows.

*What is linearised.* The objective is convex in nu, because it decreases with mu, and mu is concave in nu. The tail is
concave, so only the constraint is not convex. With the eigenvectors u_j of ``sum_k nu0_k K_k / t_k`` the tail is at
most ``v.nu``, ``v_k = sum_{j > theta} u_j' K_k u_j / t_k``, with equality at nu0. In its place this bound gives

::

    sum_k v_k nu_k <= 1,    that is    ||(s_k mu_k)_k||_p <= 1,  s_k = t_k v_k^{1/p}                                 (8)

which is lp-norm multiple kernel learning on the kernels ``K_k / s_k``, and is solved to a certificate.

*Why the objective descends.* Every nu that (8) allows is feasible, because the bound is never below the tail, and nu0
is allowed, because they agree there. So the minimum of (8) is feasible and no higher than nu0. Scaling it up to a tail
of 1 lowers the objective again.

*What the gap says.* Linearise (8) at the returned weights. No weights that it allows have an objective that is lower by
more than the gap. At gap 0 the returned weights are a critical point of the problem. Nothing is proved about the
distance from the global minimum. If the eigenvalues theta and theta + 1 are equal, there are several linearisations
(8). The gap is then the largest one over the linearisations that leave out the best eigenvectors for one kernel, so
there is no descent towards any kernel.

A kernel of rank theta or less has no tail. So the difference between its size and its tail counts in addition, ``nu_k
(1 - tail_k / t_k)``, here as in conv. This term is linear and stays in (8).

Source: Cortes, Kloft and Mohri (2013), section 3.3, Algorithm 1; the printed ``K_{mu - mu0}`` in (8) is read as K_mu.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from time import perf_counter
from typing import Any

from kernlearn.algorithms.common.inner import SVMInner
from kernlearn.algorithms.core.method import KERNEL_LEARNING, Method
from kernlearn.algorithms.core.path import Point, Prove, combined_point, proved, rebuilt
from kernlearn.algorithms.core.prepare import PARAMETERS as PREPARE
from kernlearn.algorithms.core.prepare import prepare
from kernlearn.algorithms.core.problem import Problem
from kernlearn.algorithms.kernel_learning.conv import PARAMETERS as CONV
from kernlearn.algorithms.kernel_learning.conv import grid
from kernlearn.algorithms.kernel_learning.lp_mkl import prove, solve_mkl
from kernlearn.certificates import Certificate
from kernlearn.certificates.kernel_weights import tail_sizes
from kernlearn.kernels import KernelStack, linear_tails, tail_sums, tied_tails
from kernlearn.parameters import Choice, Number, Parameter
from kernlearn.solvers import Solution, evaluate
from kernlearn.solvers.core.solution import with_status
from kernlearn.types import Array

#: Steps by name: the solution of (8), or the printed one, a single step of the alternation (9)-(11) towards it.
STEPS = ("solve", "alternate")

PARAMETERS: dict[str, Parameter] = {
    **CONV,
    "tol": Parameter(1e-6, Number(low=1e-8, high=1e-1), "relative duality gap, of the linearised problem"),
    "normalise": replace(PREPARE["normalise"], default="none", meaning="what each kernel is divided by at the start"),
    "step": Parameter(
        "solve", Choice(STEPS), "solve: solve every linearisation; alternate: one step of the printed alternation"
    ),
    "max_iter": Parameter(200, Number(low=1, integer=True), "largest number of linearisations"),
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
    weights: Array | None = None,
) -> Solution:
    """Descend to a critical point of the problem.

    Parameters
    ----------
    stack : KernelStack of shape (p, n, n)
    y : array of shape (n,)
        Labels +-1.
    C : float > 0
    theta : int >= 0
    norm : float >= 1
        The p of the problem; infinity is allowed.
    start : array of shape (p,), optional
        Weights to start from, not all zero; uniform by default.
    tol : float
        Relative duality gap of (8) at the weights returned.
    step : {"solve", "alternate"}
    max_iter : int
        Largest number of linearisations.
    weights : array of shape (n,), optional
        Factors > 0 of C for every example.

    Returns
    -------
    Solution
        ``x`` are the weights mu of the kernels as given, the best found; ``objective`` is their value, never above
        that of the start. ``dual_objective`` is a lower bound of (8) linearised at mu, so that the gap certifies a
        critical point, not a global minimum. `rounds` counts linearisations, `iterations` SVMs. The status is
        ``"inaccurate"`` if `max_iter` is reached, or if the accuracy of the SVMs allows no further descent. ``extras``
        have the ``response``, the SVM with these weights, and ``sizes``, the s_k of (8) linearised at mu, shape (p,).
    """
    begin = perf_counter()
    tails = tail_sums(stack, theta)
    t = tail_sizes(stack, tails)
    nu = t if start is None else t * start
    nu = (nu / nu.max()) ** norm
    inner = SVMInner(stack, y, C, t, tol, weights)
    best: Solution | None = None
    rounds = svms = 0
    while rounds < max_iter:
        rounds += 1
        steps = []
        for part in chain([linear_tails(stack, nu / t, theta)], tied_tails(stack, nu / t, theta)):
            steps.append(_step(inner, nu, (part + (t - tails)) / t, t, norm, step, tol))
            svms += steps[-1][0].iterations
            if steps[-1][0].status != "optimal":
                break
        here, ahead = max(steps, key=lambda found: found[0].gap)
        if best is not None and here.objective >= best.objective:
            break
        best, nu = here, ahead
        if here.status == "optimal":
            break
    assert best is not None
    return replace(best, iterations=svms, rounds=rounds, seconds=perf_counter() - begin)


def _step(inner: SVMInner, nu: Array, v: Array, t: Array, norm: float, step: str, tol: float) -> tuple[Solution, Array]:
    """Return the weights of nu with their gap in (8), their SVM and the s_k of (8), and the nu to which (8) leads."""
    sizes = inner.sizes = t * v ** (1.0 / norm)
    here = evaluate(inner, (v * nu) ** (1.0 / norm), norm=norm, tol=tol)  # scaled to v.nu = 1
    svms, moved = 1, here.x
    if step == "alternate":
        moved = (here.x**2 * here.extras["response"].w) ** (1.0 / (norm + 1.0))  # (9) with (11), for any p
    elif here.status != "optimal":
        solved = solve_mkl(inner, norm=norm, start=here.x, tol=tol)
        svms, moved = svms + solved.rounds, solved.x
        here = _with_bound(here, solved, tol)
    extras = {**here.extras, "sizes": sizes}
    return replace(here, x=here.x / sizes, iterations=svms, extras=extras), moved**norm / v


def _with_bound(here: Solution, solved: Solution, tol: float) -> Solution:
    """Return `here` with the lower bound of `solved`, another solution of the same problem, if that is better."""
    if solved.dual_objective <= here.dual_objective:
        return here
    return with_status(replace(here, dual=solved.dual, dual_objective=solved.dual_objective), tol)


def prove_dc(
    stack: KernelStack,
    y: Array,
    solution: Solution,
    C: float,
    theta: int,
    norm: float,
    weights: Array | None = None,
) -> Prove:
    """Return what proves a solution of (8) as a predictor; a tail above 1 is a violation."""
    of_linearised = prove(y, solution.x, solution.dual, C, solution.extras["sizes"], norm, weights)
    tails = tail_sums(stack, theta)
    t = tail_sizes(stack, tails)
    nu = (t * solution.x) ** norm
    tail = float((linear_tails(stack, nu / t, theta) + (t - tails)) / t @ nu)

    def of(inputs: Any, coef: Array, intercept: float) -> Certificate:
        proof = of_linearised(inputs, coef, intercept)
        return replace(proof, violation=max(proof.violation, tail - 1.0))

    return of


def path(
    problem: Problem,
    *,
    thetas: Sequence[int],
    Cs: Sequence[float],
    norm: float = 1.0,
    centre: bool = True,
    tol: float = 1e-6,
    normalise: str = "none",
    step: str = "solve",
    max_iter: int = 200,
) -> Iterator[Point]:
    """Descend to a critical point for every theta and C, each from uniform weights of the normalised kernels.

    That is the start which is printed. To normalise changes nothing in the problem but the start: a kernel divided by t
    has the weight mu t.
    """
    kernels, t = prepare(problem.inputs, centre, normalise)
    y, weights = problem.y, problem.weights
    options: dict[str, Any] = {"norm": norm, "tol": tol, "start": 1.0 / t, "step": step, "max_iter": max_iter}
    for theta in thetas:
        for C in sorted(Cs):
            solution = solve_dc(kernels, y, C, theta, weights=weights, **options)
            values, response = {"theta": int(theta), "C": float(C)}, solution.extras["response"]
            multipliers = (response.coef, response.intercept, solution, response.alpha)
            here = combined_point(kernels, y, values, solution.x, *multipliers)
            proof = prove_dc(kernels, y, solution, float(C), int(theta), norm, weights)
            yield proved(here, problem.inputs, proof, tol)


METHOD = Method(
    "dc",
    "kernel learning with the local Rademacher complexity as a non-convex constraint; finds a critical point",
    KERNEL_LEARNING,
    PARAMETERS,
    grid,
    path,
    version=7,
    variant=lambda norm, **_: f"dc_l{norm:g}",
    weighs=True,
    class_weight=True,
    certificate=rebuilt("dc"),
)
