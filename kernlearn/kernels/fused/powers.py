# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
"""Products with all powers of a matrix at once, compiled: the matrices of ten degrees are never formed."""

import numpy as np

from kernlearn.compiled import compiled
from kernlearn.types import Array

#: Columns whose sums, of ten degrees, stay in the fastest cache while rows pass by.
TILE = 256


def price_powers(base: Array, v: Array, degrees: list[int], coef0: float) -> Array:
    """Return ``sum_i v_i (base_ij + coef0)^k`` for every degree k, shape (len(degrees), m).

    Parameters
    ----------
    base : array of shape (n, m), C-contiguous
    v : array of shape (n,)
        Rows with ``v_i = 0`` cost nothing.
    degrees : list of int >= 1
    """
    sums = np.zeros((max(degrees), base.shape[1]))
    _add_powers(base, v, coef0, sums)
    return sums[np.array(degrees) - 1]


@compiled
def _add_powers(base, v, coef0, sums):
    power, factor = np.empty(TILE), np.empty(TILE)
    for start in range(0, base.shape[1], TILE):
        m = min(TILE, base.shape[1] - start)
        tile = slice(start, start + m)
        for i in range(base.shape[0]):
            if v[i] != 0.0:
                row = base[i, tile]
                for j in range(m):
                    power[j], factor[j] = v[i], row[j] + coef0
                for k in range(0, sums.shape[0] - 1, 2):
                    odd, even = sums[k, tile], sums[k + 1, tile]
                    for j in range(m):  # two powers at once: a load and a store less
                        once = power[j] * factor[j]
                        twice = once * factor[j]
                        odd[j] += once
                        even[j] += twice
                        power[j] = twice
                if sums.shape[0] % 2:
                    last = sums[-1, tile]
                    for j in range(m):
                        last[j] += power[j] * factor[j]
