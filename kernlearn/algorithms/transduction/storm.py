"""STORM and STOAM: weights of graph eigenvectors that are learned jointly with an SVM or a relative margin machine.

::

    min_delta max_{alpha,beta,eta}  1.alpha - B 1.(beta + eta) - 1/2 gam' Ubar diag(delta) Ubar' gam          (5.6)
    with gam = alpha o y - beta + eta,   1.gam = 0,   0 <= alpha <= C,   beta, eta >= 0
    subject to delta_1, delta_q >= eps,   delta_i >= delta_{i+1} + eps for 2 <= i < q,   sum delta = 1        (5.9)

The first eigenvector, the constant one, is exempt from the order. With ``delta_1 = kappa_1``, ``delta_i = sum_{j >= i}
kappa_j`` (5.11) and ``kappa = eps + kappa'`` it is multiple kernel learning over nested kernels ``B_1 = u_1 u_1'``,
``B_i = 1/(i-1) sum_{2 <= j <= i} u_j u_j'``; its dual is (5.14). STORM bounds the outputs by B, STOAM does not.
``mkl_r`` and ``mkl_s`` are the same two methods with weights in any order. Source: Shivaswamy (2010), sections
5.4 and 5.5.
"""

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from kernlearn.algorithms.core.method import KERNEL_LEARNING, Method
from kernlearn.algorithms.core.path import Point
from kernlearn.algorithms.core.problem import Problem
from kernlearn.algorithms.transduction.spectral import (
    CS,
    FRACTIONS,
    INPUTS,
    TOL,
    Machine,
    as_point,
    band,
    grid,
    labelled_block,
)
from kernlearn.errors import UserError
from kernlearn.parameters import Number, Parameter
from kernlearn.solvers import Chains, Solution, WeightedFeatures
from kernlearn.types import Array

EPSILON = Parameter(1e-6, Number(low=0.0, high=1.0), "smallest difference between two weights in a row")


def ordered(q: int, epsilon: float) -> Chains:
    """Return weights of sum 1 that fall from the second on: (5.9) by (5.11).

    Raises `UserError` if the differences leave nothing to learn.

    Parameters
    ----------
    epsilon : float
        The least difference of two weights in a row.
    """
    starts = np.arange(q) < 2
    sizes = np.maximum(np.arange(float(q)), 1.0)  # of the nested kernels B_i
    base = epsilon * np.where(np.arange(q) < 1, 1.0, q - np.arange(float(q)))
    if base.sum() >= 1.0:
        raise UserError(f"epsilon={epsilon:g}: differences of {q} weights add up to more than 1; use a smaller one")
    return Chains(starts, (1.0 - base.sum()) / sizes, base)


def unordered(q: int) -> Chains:
    """Return any weights of sum 1."""
    return Chains(np.ones(q, dtype=np.bool_), np.ones(q), np.zeros(q))


def solve_storm(
    F: Array,
    y: Array,
    C: float,
    B: float | None = None,
    *,
    order: bool = True,
    epsilon: float = 1e-6,
    tol: float = 1e-6,
) -> Solution:
    """Solve (5.14), without B that of STOAM, without the order that of (5.6).

    Parameters
    ----------
    F : array of shape (l, q)
        The eigenvectors, by increasing eigenvalue, on the labelled examples.
    y : array of shape (l,)
        Labels +-1, both of them.
    C : float > 0
    B : float > 1, optional

    Returns
    -------
    Solution
        See `kernlearn.solvers.WeightedFeatures.solve`.
    """
    chains = ordered(F.shape[1], epsilon) if order else unordered(F.shape[1])
    return WeightedFeatures(F, y, chains, tol).solve(float(C), None if B is None else float(B))


def path(
    problem: Problem,
    *,
    Cs: Sequence[float],
    fractions: Sequence[float] | None = None,
    epsilon: float = 1e-6,
    tol: float = 1e-6,
    order: bool = True,
) -> Iterator[Point]:
    """Solve the whole grid; theta, which defines B, is the largest labelled output without a band."""
    F, y = labelled_block(problem)
    chains = ordered(F.shape[1], epsilon) if order else unordered(F.shape[1])
    solver = WeightedFeatures(F, y, chains, tol)
    for C in map(float, sorted(Cs)):
        wide = solver.solve(C)
        theta = largest_output(F, wide)
        if fractions is None:
            yield as_point(problem, Machine({"C": C}, *_parts(wide), {"theta": theta}), F, tol, (), chains.support)
            continue
        for r in map(float, sorted(fractions, reverse=True)):
            B = band(theta, r)
            solution = wide if r == 1.0 else solver.solve(C, B)
            machine = Machine({"C": C, "fraction": r}, *_parts(solution), {"theta": theta, "B": B}, B)
            yield as_point(problem, machine, F, tol, (), chains.support)


def largest_output(F: Array, solution: Solution) -> float:
    """Return theta, the largest output of a solution on its own examples."""
    return float(np.abs(F @ (solution.x * (F.T @ solution.extras["gam"])) + solution.intercept).max())


def _parts(solution: Solution) -> tuple[Array, Array, float, Solution]:
    return solution.x, solution.extras["gam"], solution.intercept, solution


def _method(name: str, description: str, *, order: bool, bounded: bool) -> Method:
    parameters = {"Cs": CS, **({"fractions": FRACTIONS} if bounded else {}), **({"epsilon": EPSILON} if order else {})}
    return Method(
        name,
        description,
        KERNEL_LEARNING,
        {**parameters, "tol": TOL},
        grid,
        partial(path, order=order),
        sees_all=True,
        inputs=INPUTS,
        version=2,
    )


METHODS = (
    _method(
        "stoam",
        "SVM and weights of graph eigenvectors, learned jointly; smoother eigenvectors get larger weights",
        order=True,
        bounded=False,
    ),
    _method("storm", "stoam with outputs within [-B, B], as in relative margin machines", order=True, bounded=True),
    _method(
        "mkl_s",
        "stoam with weights in any order: multiple kernel learning with one kernel for each graph eigenvector",
        order=False,
        bounded=False,
    ),
    _method("mkl_r", "mkl_s with outputs within [-B, B], as in relative margin machines", order=False, bounded=True),
)
