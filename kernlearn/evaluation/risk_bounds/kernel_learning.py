"""Margin bounds for learning with p kernels (Rostamizadeh, 2010, sections 2.2 and 2.4).

With probability 1 - delta, every hypothesis h of a combination of p kernels with ``K_k(x, x) <= R^2`` has
``R(h) <= Rhat_rho(h) + complexity + confidence`` on m examples, for a margin rho chosen beforehand. The functions
return these two terms; `ratio` is rho/R, m and p may be arrays, and p any real number > 1. A bound of 1 or more says
nothing.
"""

from typing import Any

import numpy as np

#: Of Lemma 2.1.
ETA_0 = 23 / 22


def l1_complexity(m: Any, p: Any, ratio: float) -> Any:
    """Return the complexity term of Corollary 2.1, for convex combinations (sum of the weights 1)."""
    return 2 * np.sqrt(ETA_0 * np.e * np.ceil(np.log(p)) / ratio**2 / m)


def lq_complexity(m: Any, p: Any, ratio: float, r: int = 2) -> Any:
    """Return the complexity term of Corollary 2.2, for weights of q-norm 1 with 1/q + 1/r = 1, r an integer > 1."""
    return 2 * np.sqrt(ETA_0 * r * p ** (1 / r) / ratio**2 / m)


def trace_complexity(traces: Any, m: int, rho: float, r: int) -> float:
    """Return the complexity term of Corollaries 2.1 and 2.2 in the traces of the p kernel matrices, for a margin rho.

    For weights of sum 1 the bound holds with any integer r > 1, for weights of q-norm 1 with ``1/q + 1/r = 1``.
    """
    return float(2 * np.sqrt(ETA_0 * r * np.linalg.norm(traces, r)) / (m * rho))


def srebro_ben_david(m: Any, p: Any, ratio: float) -> Any:
    """Return the complexity term of Srebro and Ben-David (2006) as printed in section 2.2; it has no delta."""
    kernels = p * np.log(128 * np.e * m**3 / (ratio**2 * p))
    margin = 256 / ratio**2 * np.log(ratio * np.e * m / 8) * np.log(128 * m / ratio**2)
    return np.sqrt(8 * (2 + kernels + margin) / m)


def confidence(m: Any, delta: float) -> Any:
    """Return the confidence term of Corollaries 2.1 and 2.2."""
    return 3 * np.sqrt(np.log(2 / delta) / (2 * m))
