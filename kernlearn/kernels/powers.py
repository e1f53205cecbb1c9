"""Products with all powers of a matrix at once, compiled: the matrices of ten degrees are never formed."""

import numpy as np
from numpy.typing import NDArray

from kernlearn.compiled import compiled

Array = NDArray[np.float64]


def price_powers(base: Array, v: Array, degrees: list[int], coef0: float) -> Array:
    """Return ``sum_i v_i (base_ij + coef0)^k`` for every degree k, shape (len(degrees), m).

    Parameters
    ----------
    base : array of shape (n, m), C-contiguous
    v : array of shape (n,)
        Rows with ``v_i = 0`` cost nothing.
    degrees : list of int >= 1
    coef0 : float
    """
    sums = np.zeros((max(degrees), base.shape[1]))
    _add_powers(base, v, coef0, sums)
    return sums[np.array(degrees) - 1]


@compiled
def _add_powers(base, v, coef0, sums):
    power = np.empty(base.shape[1])
    for i in range(base.shape[0]):
        if v[i] != 0.0:
            row = base[i]
            power[:] = v[i]
            for k in range(sums.shape[0]):
                total = sums[k]
                for j in range(len(power)):
                    power[j] *= row[j] + coef0
                    total[j] += power[j]
