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
#: What outputs may be off by, relative to the absolute values of their terms: coefficients whose sum is less than 1e-12
#: of their absolute sum count as adding up to 0, and a constant part of the kernel is left out. Of data that are no
#: integers, kernel values of examples far from zero are rounded, too.
OUTPUTS, ROUNDED = Fraction(5, 10**12), Fraction(10**4 * 512, 2**52)
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
    floor = FLOOR * abs(zero) if zero != inf else Fraction(0)
    unit, own = (max(abs(one), floor) or Fraction(1) for one in (value, Fraction(P)))
    best, findings = min(candidates), []
    for excess, what in (
        (
            (value - Fraction(P)) / unit - max(Fraction(gap), 0),
            "objective_ is below the exact objective of the predictor",
        ),
        ((Fraction(D) - best) / unit, "dual_objective_ is above the exact objective of a predictor"),
        (
            ((Fraction(P) - Fraction(D)) / own - Fraction(gap)) / max(1, abs(Fraction(gap))),
            "gap_ is less than (P - D) / P",
        ),
    ):
        if excess > slack:
            findings.append(("false", float(excess), f"{what}, by {float(excess):.1e} [{words}]"))
    if warned:
        findings.append(("inaccurate", gap, f"warned [{words}]"))
    elif tol is not None and gap > tol:
        findings.append(("false", gap, f"gap_ above tol={tol} without a warning [{words}]"))
    return findings


def predictions(estimator: Any, X: Any, outputs: Array, reach: Array, integer: bool) -> list[Finding]:
    """Hold the decision function against exact outputs, and predictions against scikit-learn's rule.

    Outputs, shape (outputs, n), may be off by rounding of the largest sum of absolute terms, `reach`:
    those of several classes are made equal where rounding decides between them.
    """
    regression = not hasattr(estimator, "classes_")
    shown = estimator.predict(X) if regression else estimator.decision_function(X)
    values = shown[None] if np.ndim(shown) == 1 else shown.T
    allowed = OUTPUTS if integer else ROUNDED
    off = [
        float(abs(Fraction(float(v)) - f) / (reach.max() or 1))
        for row, exactly in zip(values, outputs, strict=True)
        for v, f in zip(row, exactly, strict=True)
        if abs(Fraction(float(v)) - f) > allowed * reach.max()
    ]
    wrong = [("outputs", max(off), f"decision function off by {max(off):.1e} of its terms")] if off else []
    if not regression:
        chosen = (values[0] > 0).astype(int) if len(values) == 1 else values.argmax(axis=0)
        if (estimator.predict(X) != estimator.classes_[chosen]).any():
            wrong.append(("predict", 1.0, "predict is not the rule on decision_function"))
    return wrong
