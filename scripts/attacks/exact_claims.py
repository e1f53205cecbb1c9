"""The claims of a fitted estimator against exact values of its problem, and its predictions against its outputs."""

from fractions import Fraction
from math import inf, isfinite
from typing import Any

import numpy as np

from attacks.held import Array

#: What a claim may be off by, relative to the objective.
ALLOWED = Fraction(1, 10**9)
#: The package takes kernel values as exact up to this part of the objective; those of integers are exact.
KERNEL_VALUES = Fraction(1, 10**7)
#: Below this part of the value of the zero solution an objective is rounding.
FLOOR = Fraction(1, 10**14)
Finding = tuple[str, float, str]


def claims(
    estimator: Any, value: Any, zero: Any, candidates: list[Any], warned: bool, slack: Fraction = ALLOWED
) -> list[Finding]:
    """Hold objective, lower bound, gap and warning against exact values of feasible predictors."""
    P, D, gap = (float(getattr(estimator, key)) for key in ("objective_", "dual_objective_", "gap_"))
    tol = getattr(estimator, "tol", None)
    words = f"P={P!r} D={D!r} gap={gap:.2e} exact={float(value)!r} warned={warned}"
    if not all(map(isfinite, (P, D, gap))) or value == inf:
        return [] if warned else [("false", inf, f"not finite or infeasible, and no warning [{words}]")]
    unit = max(abs(value), FLOOR * abs(zero) if zero != inf else Fraction(0)) or Fraction(1)
    best, findings = min(candidates), []
    for excess, what in (
        (
            (value - Fraction(P)) / unit - max(Fraction(gap), 0),
            "objective_ is below the exact objective of the predictor",
        ),
        ((Fraction(D) - best) / unit, "dual_objective_ is above the exact objective of a predictor"),
        ((Fraction(P) - Fraction(D)) / (abs(Fraction(P)) or unit) - Fraction(gap), "gap_ is less than (P - D) / P"),
    ):
        if excess > slack:
            findings.append(("false", float(excess), f"{what}, by {float(excess):.1e} [{words}]"))
    if tol is not None and gap > tol and not warned:
        findings.append(("false", gap, f"gap_ above tol={tol} without a warning [{words}]"))
    return findings


def predictions(estimator: Any, X: Any, outputs: Array, reach: Array, integer: bool) -> list[Finding]:
    """Hold the decision function against exact outputs (outputs, n), and predictions against scikit-learn's rule."""
    regression = not hasattr(estimator, "classes_")
    shown = estimator.predict(X) if regression else estimator.decision_function(X)
    values = shown[None] if np.ndim(shown) == 1 else shown.T
    allowed = Fraction(64 * 2**-52) if integer else Fraction(1, 10**9)
    # settled to 0 where rounding decides
    off = [
        float(abs(Fraction(float(v)) - f) / r)
        for row, exactly, bounds in zip(values, outputs, reach, strict=True)
        for v, f, r in zip(row, exactly, bounds, strict=True)
        if abs(Fraction(float(v)) - f) > allowed * r
    ]
    wrong = [("outputs", max(off), f"decision function off by {max(off):.1e} of its terms")] if off else []
    if not regression:
        chosen = (values[0] > 0).astype(int) if len(values) == 1 else values.argmax(axis=0)
        if (estimator.predict(X) != estimator.classes_[chosen]).any():
            wrong.append(("predict", 1.0, "predict is not the rule on decision_function"))
    return wrong
