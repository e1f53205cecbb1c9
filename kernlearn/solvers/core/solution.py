"""What a solver gives back, and the measure of how good it is."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from kernlearn.certificates import Certificate, relative_gap, status_of


@dataclass(frozen=True)
class Solution:
    """A primal point and a dual point of a minimisation problem, with what they prove about each other.

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
