"""What a solver gives back, and the measure of how good it is."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

#: Below this part of the value of the zero solution an objective is a sum of rounding errors.
ROUNDING = 1e-14
#: Rounding may put a lower bound above the objective by this part of it.
NEGATIVE = 1e-9


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


def with_status(solution: Solution, tol: float) -> Solution:
    """Return a solution whose values have changed with the status of its gap; what else went wrong stays."""
    otherwise = "inaccurate" if solution.status == "optimal" else solution.status
    return replace(solution, status=status_of(solution.gap, tol, otherwise))


def relative_gap(objective: float, dual_objective: float, zero: float) -> float:
    """Return ``(P - D) / max(|P|, ROUNDING * zero)``.

    It does not change when the problem is put in other units: P, D and the value `zero` of the zero solution then
    change by the same factor. A value below 0 is rounding, or a defect (see `status_of`). Of an objective 0 that no
    bound proves, in a problem with `zero` 0, it is infinite.
    """
    difference, unit = objective - dual_objective, max(abs(objective), ROUNDING * zero)
    if unit == 0.0:
        return float(np.copysign(np.inf, difference)) if difference else 0.0
    return difference / unit


def status_of(gap: float, tol: float, otherwise: str = "inaccurate") -> str:
    """Return ``"optimal"`` if a gap is at most `tol`, and not negative but for rounding; `otherwise` if not.

    A lower bound above the objective proves that one of the two is wrong, and nothing else.
    """
    return "optimal" if -min(tol, NEGATIVE) <= gap <= tol else otherwise
