"""The contract of solvers: what one has, what it returns, and the measure of how good that is."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from kernlearn.certificates import Certificate, relative_gap, status_of

#: The ``SOLVERS`` of a room: classes, or functions that solve one program, by the problem that they solve. One test,
#: `tests/solvers/test_contract.py`, runs over all of them.
Register = Mapping[str, tuple[Callable[..., Any], ...]]


class SolverError(RuntimeError):
    """The solver refused a problem or stopped without an answer; the message says at which step."""


@dataclass(frozen=True)
class Solution:
    """A primal point and a dual point of a minimisation problem, with what they prove about each other.

    Every ``solve`` of a solver, and every function that solves a program, returns one.

    Attributes
    ----------
    x : array
        Primal point.
    objective : float
        Primal objective at `x`, recomputed from the problem data.
    dual : array
        Feasible dual point, recomputed likewise; in extended precision where it is feasible in no other.
    dual_objective : float
        Its objective, a lower bound of the optimal value.
    zero : float
        Objective of the point 0. An objective that is less than `ROUNDING` of it is nothing but rounding, and no gap is
        measured by less (see `relative_gap`).
    status : str
        ``"optimal"`` when the gap is within the tolerance asked for (see `status_of`), otherwise what went wrong.
    iterations : int
        Iterations of the underlying solver (simplex pivots for a linear program).
    rounds : int
        Outer rounds: cutting planes, working sets.
    seconds : float
        Wall time.
    intercept : float
        The constant of the predictor that `x` are the coefficients of; 0 where there is none.
    extras : mapping
        What else the solver of a problem finds, by name: its docstring says which names there are.
    """

    x: NDArray[np.float64]
    objective: float
    dual: NDArray[np.float64]
    dual_objective: float
    zero: float
    status: str
    iterations: int
    rounds: int
    seconds: float
    intercept: float = 0.0
    extras: Mapping[str, Any] = field(default_factory=dict)

    @property
    def gap(self) -> float:
        """Relative duality gap, see `relative_gap`."""
        return relative_gap(self.objective, self.dual_objective, self.zero)

    def times(self, factor: float) -> "Solution":
        """Return the solution of the problem whose objective is so many times as large."""
        if factor == 1.0:
            return self
        return replace(
            self,
            objective=factor * self.objective,
            dual=factor * self.dual,
            dual_objective=factor * self.dual_objective,
            zero=factor * self.zero,
        )


@runtime_checkable
class Solver(Protocol):
    """Solves one program after another on the same data, each from what is known of those before.

    The data are those of its constructor, the rest of a program are the arguments of `solve`. Factors of matrices have
    a ``solve`` of their own, for linear systems: they are no solvers.
    """

    def solve(self, *program: Any, **options: Any) -> Solution:
        """Return the certified solution of a program."""
        ...


@runtime_checkable
class Resumable(Solver, Protocol):
    """A solver that another process can go on as, with the same results to the last bit."""

    def state(self) -> Any:
        """Return all that the next solution owes to those before it, as JSON can keep it."""
        ...

    def restore(self, state: Any) -> None:
        """Go on as the solver would, on the same data, whose `state` this was."""
        ...


def with_status(solution: Solution, tol: float) -> Solution:
    """Return a solution whose values have changed with the status of its gap; what else went wrong stays."""
    otherwise = "inaccurate" if solution.status == "optimal" else solution.status
    return replace(solution, status=status_of(solution.gap, tol, otherwise))


def with_remark(solution: Solution, status: str) -> Solution:
    """Return a solution that is optimal with another status, which says of what; any other as it is."""
    return replace(solution, status=status) if solution.status == "optimal" else solution


def certified(solution: Solution, certificate: Certificate, tol: float) -> Solution:
    """Return a solution with the values that its predictor has, and their status.

    It is optimal if the gap and the violations of constraints are within `tol`.
    """
    P, D = certificate.objective, certificate.dual_objective
    proved = with_status(replace(solution, objective=P, dual_objective=D, zero=certificate.zero), tol)
    infeasible = proved.status == "optimal" and not certificate.violation <= tol
    return replace(proved, status="infeasible") if infeasible else proved
