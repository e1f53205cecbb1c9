"""What structured machines have in common: sequences and classes as one problem, and its solutions as predictors."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from math import inf
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from kernlearn.algorithms.core.decoder import Decoder, KernelDecoder
from kernlearn.algorithms.core.path import Point
from kernlearn.algorithms.core.predictor import Expansion, Predictor
from kernlearn.algorithms.core.prepare import require_positive_definite
from kernlearn.algorithms.core.problem import Problem, Sequences
from kernlearn.certificates.structured import structured_classes
from kernlearn.kernels import GramStack
from kernlearn.kernels.families.chains import Windows
from kernlearn.parameters import Choice, Number, Numbers, Parameter
from kernlearn.solvers import Solution
from kernlearn.solvers.core.solution import certified, with_status
from kernlearn.solvers.structured.cuts import Flow
from kernlearn.solvers.structured.joint_weights import best_within, decode
from kernlearn.solvers.structured.solver import MAX_ROUNDS, STRUCTURED_SOLVERS, TOL, StructuredSolver
from kernlearn.types import Array

#: What the solutions of a machine are.
P = TypeVar("P", bound=Predictor, covariant=True)

PARAMETERS: dict[str, Parameter] = {
    "Cs": Parameter([1e-2, 1e-1, 1.0, 10.0, 100.0], Numbers(Number(positive=True)), "weights of the mean loss", "C"),
    "tol": Parameter(TOL, Number(low=1e-9, high=1e-1), "relative duality gap"),
    "max_rounds": Parameter(
        MAX_ROUNDS, Number(low=1, high=10**6, integer=True), "rounds of cutting planes at one point"
    ),
    "solver": Parameter(
        STRUCTURED_SOLVERS[0],
        Choice(STRUCTURED_SOLVERS),
        "solver of the problems over cuts; descent: our coordinate descent, osqp: slow",
    ),
}


class Machine(NamedTuple, Generic[P]):
    """One kernel of a family, with a solver that goes from point to point."""

    values: dict[str, Any]
    solver: StructuredSolver
    #: The predictor of a solution for a C and a B, and the solution with what this predictor is worth.
    finish: Callable[[Solution, float, float], tuple[P, Solution]]

    def point(self, values: dict[str, float], solution: Solution, B: float = inf) -> Point:
        """Return a solution as a point of a path.

        Its facts are the largest output, B if there is one, the cuts of the program, those that the path has added so
        far, and the largest norm of such.
        """
        cuts = self.solver.cuts
        facts = {
            "theta": self.solver.theta,
            "cuts": float(len(cuts)),
            "added": float(cuts.added),
            "radius": cuts.radius,
        }
        facts |= {"B": B} if B < inf else {}
        known = {name: np.array([value]) for name, value in facts.items()}
        predictor, solution = self.finish(solution, values["C"], B)
        return Point({**self.values, **values}, predictor, (solution,), known)


def members(family: Any) -> list[dict[str, Any]]:
    """Return the parameters of the kernels of a family one by one; of sequences there is one, without any.

    Raises `UserError` if the kernels are not positive definite.
    """
    if family.name == "chains":
        return [{}]
    require_positive_definite(family)
    return list(family.members)


def machines(problem: Problem, tol: float, max_rounds: int, solver: str) -> Iterator[Machine[Predictor]]:
    """Yield a machine for every kernel."""
    inputs, target = problem.inputs, problem.target
    k, options = int(getattr(target, "number", 0)), (tol, max_rounds, solver)
    if isinstance(target, Sequences):
        yield machine_of_sequences(inputs, problem.y, k, options)
        return
    for number, member in enumerate(inputs.family.members):
        yield machine_of_classes(inputs, number, member, problem.y, k, options)


def machine_of_sequences(
    inputs: Windows, y: NDArray[np.integer], k: int, options: tuple[float, int, str]
) -> Machine[Decoder]:
    """Return the machine of sequences.

    Parameters
    ----------
    inputs : Windows
        Of N places.
    y : array of shape (N,)
        Numbers from 0 to k - 1.
    options : (float, int, str)
        Tolerance, rounds and solver, as for `StructuredSolver`.
    """
    solver = StructuredSolver(inputs.matrix(), y.astype(np.intp), k, inputs.chains.starts, *options)

    def finish(solution: Solution, C: float, B: float) -> tuple[Decoder, Solution]:
        solution = replace(solution, dual=flows_of(solver))
        A, T = solver.parts(solution.x)
        if inputs.degree > 1:
            return KernelDecoder(A, T), solution
        # Where features are large, sums of A cancel, and the rounding of w = X'A moves margins: w itself is certified.
        X, tol = inputs.chains.values, options[0]
        W = X.T @ A
        decoded = decode(X @ W, T, solver.starts, solver.labels)
        objective, s = best_within(float(np.vdot(W, W) + np.vdot(T, T)), decoded, C / solver.n, B)
        return Decoder(s * W, s * T), with_status(replace(solution, x=s * solution.x, objective=objective), tol)

    return Machine({}, solver, finish)


def machine_of_classes(
    stack: GramStack,
    number: int,
    member: dict[str, Any],
    y: NDArray[np.integer],
    k: int,
    options: tuple[float, int, str],
) -> Machine[Expansion]:
    """Return the machine of all classes of single examples, with the kernel of a number and its parameters.

    Its predictor is an `Expansion`. Of y, shape (n,), and the others see `machine_of_sequences`.
    """
    K = stack.matrix(number)
    solver = StructuredSolver(K, y.astype(np.intp), k, None, *options)

    single = stack.select(number)

    def finish(solution: Solution, C: float, B: float) -> tuple[Expansion, Solution]:
        A, V = solver.parts(solution.x)[0], solver.dual_point.A
        coef = outputs(A)
        proof = structured_classes(single, y, coef, V, C, B)
        coef, solution = proof.stretch * coef, certified(replace(solution, dual=V), proof, options[0])
        full = np.zeros((len(coef), len(stack), len(K)))
        full[:, number] = coef
        return Expansion(full, np.zeros(len(coef)), A.T), solution

    return Machine(dict(member), solver, finish)


def flows_of(solver: StructuredSolver) -> Array:
    """Return the dual point of the last solution as flows, for `kernlearn.certificates.own.labellings`.

    Returns
    -------
    array of shape (5, m)
        The number of a, b or b*, the place, the label before, of a first place 0, the label, and the amount.
    """
    sequences, ways, multipliers, _ = solver.dual_point
    k, N, parts = solver.k, len(solver.labels), []
    for j, (i, way) in enumerate(zip(sequences, ways, strict=True)):
        a, b = solver.starts[i], solver.starts[i + 1]
        truth, amounts = solver.labels[a:b], np.ones(b - a)
        if isinstance(way, Flow):
            u, before, after = np.unravel_index(way.at, (b - a, k + 1, k + 1))
            before, after = np.where(before < k, before, truth[u]), np.where(after < k, after, truth[1:][u])
            here, amounts = np.append(np.zeros(k + 1, np.intp), u + 1), np.append(way.P[0], way.amounts)
            before = np.append(np.zeros(k + 1, np.intp), before)
            after = np.concatenate([np.arange(k), truth[:1], after])
        else:
            here, before, after = np.arange(b - a), np.append(0, way[:-1]), way
        keys = ((a + here) * k + before) * k + after
        for kind in np.flatnonzero(multipliers[:, j]).tolist():
            parts.append(np.stack([keys + kind * N * k * k, multipliers[kind, j] * amounts]))
    keys, amounts = np.concatenate([np.zeros((2, 0)), *parts], axis=1)
    edges, each = np.unique(keys.astype(np.intp), return_inverse=True)
    return np.stack([*np.unravel_index(edges, (3, N, k, k)), np.bincount(each, amounts, minlength=len(edges))])


def outputs(A: Array) -> Array:
    """Return what belongs to every class, shape (k, n), or of two to the second less the first, shape (1, n)."""
    return (A[:, 1] - A[:, 0])[None] if A.shape[1] == 2 else A.T
