"""Sizes of kernels and constraints on their weights, in exact arithmetic as far as there are no eigenvalues."""

from fractions import Fraction
from math import inf

import numpy as np

from attacks.exact import HALF, Case, power
from attacks.held import Array

#: The least tail of a spectrum, as a part of the trace.
TAIL = Fraction(1, 10**6)


def centred(K: Array) -> Array:
    """Return a kernel centred in feature space (2.37)."""
    n = len(K)
    rows = K.sum(axis=1) / n
    return K - rows[:, None] - rows[None, :] + rows.sum() / n


def sizes(case: Case) -> Array:
    """Return what the kernels are divided by, 1 for a kernel that is zero."""
    n = len(case.y)
    found = []
    for k in case.K:
        K = centred(k) if case.told["centre"] else k
        trace = np.trace(K)
        if case.told.get("theta") is not None:
            values = np.maximum(np.linalg.eigvalsh(K.astype(float)), 0.0)
            tail = Fraction(float(values[: max(n - case.told["theta"], 0)].sum())) if case.told["theta"] else trace
            size = max(tail, TAIL * trace)
        elif case.told["normalise"] == "frobenius":
            size = power((K * K).sum(), HALF)
        else:
            size = {"none": Fraction(1), "trace": trace, "mean_diagonal": trace / n}[case.told["normalise"]]
        found.append(size if size > 0 else Fraction(1))
    return np.array(found, dtype=object)


def violation(case: Case) -> float:
    """Return by how much the weights of the kernels break their constraint; 0 where they have none."""
    if case.mu is None or "Lambda" not in case.told and "norm" not in case.told:
        return 0.0
    worst = 0.0
    for mu in case.mu:
        weights = (mu * case.sizes).astype(float)
        p, radius, middle = float(case.told["norm"]), float(case.told.get("Lambda", 1.0)), case.told.get("mu0", 0.0)
        if case.told.get("method") == "dc":  # the tail of the sum, which is at least this
            continue
        shift = weights - middle if p == 2 and "Lambda" in case.told else weights
        size = float(np.abs(shift).max()) if p == inf else float((np.abs(shift) ** p).sum() ** (1 / p))
        worst = max(worst, size / radius - 1, -weights.min() / radius)
    return worst
