"""Machines that come of linear systems, of counts, or of means, with one kernel.

The kernel Fisher discriminant, of the direction ``z = sum_i alpha_i K(x_i, .)`` with class means ``zbar_c``::

    (P)  min_alpha  sum_i (z_i - zbar_c(i))^2 + rho |alpha|^2 - 2 (zbar_+ - zbar_-)

With half its gradient ``r = K u - K e + rho alpha``, ``u_i = z_i - zbar_c(i)`` and ``e_i = y_i / n_c(i)``, (P) is at
most ``|r|^2 / rho`` above its least value. Source: Mika et al. (1999).
"""

import numpy as np
from numpy.typing import NDArray

from kernlearn.certificates.certificate import Certificate
from kernlearn.certificates.outputs import EPS, Inputs, outputs
from kernlearn.twofold import dot, total

Array = NDArray[np.float64]

#: The status of a method that needs class means that differ.
COINCIDE = "the class means coincide: nothing tells the classes apart"


def fisher(inputs: Inputs, y: Array, alpha: Array, rho: float, unit: float = 1.0) -> Certificate:
    """Return what is proved of a direction of the kernel Fisher discriminant.

    Parameters
    ----------
    inputs : GramStack of shape (1, n, n)
    y : array of shape (n,)
        Labels +-1.
    alpha : array of shape (n,)
    rho : float > 0
        The ridge in units of the square of `unit`.
    unit : float
        A power of two of the size of the kernel values, so that their squares neither under- nor overflow.
    """
    z = outputs(inputs, alpha[None])
    e = difference_of(y)
    within = z.high.copy()
    for sign in (1.0, -1.0):
        own = y == sign
        within[own] = (z.high[own] - total(z.high[own]) / own.sum()) + z.low[own]
    apart = dot(e, z.high, z.low)
    scaled = unit * alpha
    square = total(within * within) + rho * total(scaled * scaled)
    slope = outputs(inputs, (within - e)[None])
    r = np.abs((slope.high + slope.low) / unit + rho * scaled) + slope.rounding / unit
    unsure = 2.0 * float(np.linalg.norm((within - e) * z.rounding)) + 8.0 * EPS * (square + 2.0 * abs(apart))
    objective = square - 2.0 * apart
    return Certificate(objective, objective - total(r * r) / rho - unsure, 0.0)


def difference_of(y: Array) -> Array:
    """Return the difference of the class means as an expansion, shape (n,)."""
    e: Array = np.where(y > 0, 1.0 / max(1.0, float(np.sum(y > 0))), -1.0 / max(1.0, float(np.sum(y < 0))))
    return e


def means_coincide(inputs: Inputs, y: Array) -> bool:
    """Return whether the means of the classes differ by no more than the rounding of kernel values."""
    d = outputs(inputs, difference_of(y)[None])
    return bool((np.abs(d.high + d.low) <= d.rounding).all())
