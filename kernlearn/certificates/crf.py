"""The linear-chain conditional random field: the value of (P) at its weights, and of (D) at its own probabilities.

::

    (P)  min_w  1/2 |w|^2 + C (log Z(w) - w.psi)
    (D)  max_p  C H(p) - 1/2 |C (psi - E_p psi)|^2

psi are the features of the labels that were seen, Z the product of the partition functions, H the entropy. At the
probabilities of w, (D) is ``(P) - |g|^2 / 2`` with the gradient ``g = w + C (E_w psi - psi)`` of (P). Logarithms and
expectations are those of forward and backward sums, with a relative error of some units in the last place for each
step. Source: Lafferty, McCallum and Pereira (2001).
"""

import numpy as np

from kernlearn.certificates.certificate import Certificate
from kernlearn.certificates.outputs import EPS
from kernlearn.twofold import dot, total
from kernlearn.types import Array

#: Relative error of a step of forward and backward sums.
STEP = 4.0 * EPS


def crf(
    w: Array, seen: Array, expected: Array, sizes: Array, log_partition: float, C: float, steps: int, zero: float
) -> Certificate:
    """Return what is proved of the weights of a conditional random field.

    Parameters
    ----------
    w, seen, expected : arrays of shape (D,)
        Weights, psi, and its expectation.
    sizes : array of shape (D,)
        The expectation of absolute values of the features, which its rounding goes by.
    log_partition : float
    C : float > 0
    steps : int
        The length of the longest chain.
    zero : float
        The value of (P) at ``w = 0``.
    """
    objective = 0.5 * total(w * w) + C * (log_partition - dot(w, seen))
    unsure = STEP * (0.5 * total(w * w) + C * (abs(log_partition) + total(np.abs(w) * (np.abs(seen) + sizes))))
    gradient = np.abs(w + C * (expected - seen)) + EPS * np.abs(w) + C * (STEP * steps * sizes + EPS * np.abs(seen))
    return Certificate(objective, objective - 0.5 * total(gradient * gradient) - unsure, zero)
