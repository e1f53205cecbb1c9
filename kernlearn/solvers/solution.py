"""What a solver gives back, and the measure of how good it is."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

#: Objectives below this are treated as this when a gap is made relative: the problems here are scaled so that the
#: zero solution has objective 1 or more, and rounding alone moves such a value by 1e-16.
OBJECTIVE_FLOOR = 1e-6


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
        Feasible dual point, recomputed likewise.
    dual_objective : float
        Its objective, a lower bound of the optimal value.
    status : str
        ``"optimal"`` when the gap is within the tolerance asked for, otherwise what went wrong.
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
    status: str
    iterations: int
    rounds: int
    seconds: float

    @property
    def gap(self) -> float:
        """Relative duality gap, see `relative_gap`."""
        return relative_gap(self.objective, self.dual_objective)


def relative_gap(objective: float, dual_objective: float) -> float:
    """Return ``(P - D) / max(|P|, OBJECTIVE_FLOOR)``; a negative value can only be rounding."""
    return (objective - dual_objective) / max(abs(objective), OBJECTIVE_FLOOR)
