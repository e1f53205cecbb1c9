"""What is proved of a predictor, and the measure of how good it is."""

from dataclasses import dataclass

import numpy as np

#: Below this part of the value of the zero solution an objective is a sum of rounding errors.
ROUNDING = 1e-14
#: Rounding may put a lower bound above the objective by this part of it.
NEGATIVE = 1e-9
#: Kernel values are taken as they are, unless one rounding of each is worth more than this part of the objective.
NEGLIGIBLE = 1e-7


@dataclass(frozen=True)
class Certificate:
    """Two values of a minimisation problem: the objective at a predictor, and a lower bound on the optimum.

    Attributes
    ----------
    objective : float
        The value of the problem at the outputs of the predictor.
    dual_objective : float
        A lower bound of the optimal value. What rounding may be worth, in either value, is subtracted from it.
    zero : float
        The value of the zero solution, the unit of objectives that are nothing but rounding (see `relative_gap`).
    violation : float
        The largest violation of a constraint by the predictor, relative to the size of its bound.
    stretch : float
        Factor by which coefficients and intercept must be multiplied for this certificate to hold: 1, slightly more
        where that offsets rounding, or less where a band would be left.
    """

    objective: float
    dual_objective: float
    zero: float
    violation: float = 0.0
    stretch: float = 1.0

    def times(self, factor: float) -> "Certificate":
        """Return the certificate of the problem in other units: all its values times a factor."""
        P, D, zero = (factor * value for value in (self.objective, self.dual_objective, self.zero))
        return Certificate(P, D, zero, self.violation, self.stretch)

    @property
    def gap(self) -> float:
        """Relative duality gap."""
        return relative_gap(self.objective, self.dual_objective, self.zero)


def counted(rounding: float, objective: float, zero: float) -> float:
    """Return what the rounding of kernel values may be worth, or 0 where it is `NEGLIGIBLE`; NaN stays NaN."""
    return 0.0 if rounding <= NEGLIGIBLE * max(abs(objective), ROUNDING * zero) else rounding


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
