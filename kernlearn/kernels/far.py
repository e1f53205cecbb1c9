"""Linear kernels of examples far from the origin, whose inner products lose the digits that tell examples apart."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

from kernlearn.kernels.products import squared_norms

Array = NDArray[np.float64]
#: Examples are far when the square of their mean is this many times their mean square around it.
FAR = 1e4


@dataclass(frozen=True)
class Near:
    """Inner products around the mean c of the expansion points: ``<x - c, z_j - c>``, and how they drift.

    Of coefficients that add up to 0, ``sum_j beta_j <x, z_j> = sum_j beta_j (<x - c, z_j - c> + <c, z_j - c>)``.

    Attributes
    ----------
    products : array of shape (n, m)
    drift : array of shape (m,)
        ``<c, z_j - c>``.
    r, s : arrays of shape (n,), (m,)
        ``|x - c|`` and ``|z_j - c|``.
    """

    products: Array
    drift: Array
    r: Array
    s: Array

    def take(self, rows: NDArray[np.intp]) -> "Near":
        """Return those of some of the expansion points among themselves."""
        return Near(self.products[np.ix_(rows, rows)], self.drift[rows], self.r[rows], self.s[rows])

    def on(self, points: NDArray[np.intp]) -> "Near":
        """Return those of all examples with some of the expansion points."""
        return Near(self.products[:, points], self.drift[points], self.r, self.s[points])

    def at(self, rows: slice) -> "Near":
        """Return those of some of the examples."""
        return Near(self.products[rows], self.drift, self.r[rows], self.s)

    def magnitudes(self, r: Array, points: NDArray[np.intp]) -> Array:
        """Return bounds of the products of examples of sizes r with some expansion points, and of what these add up."""
        return 2.0 * np.outer(r, self.s[points])


def is_far(centre: Array, moved: Array) -> bool:
    """Return whether examples are far from the origin, by their mean and what is left of them without it."""
    return float(centre @ centre) > FAR * float(np.einsum("ij,ij->", moved, moved)) / len(moved)


def near_products(X: Array, Z: Array) -> Near | None:
    """Return what takes the place of the inner products of n with m examples, None where these are near the origin.

    Sparse examples, which do not stay so, are left where they are.
    """
    if issparse(X) or issparse(Z) or not len(Z):
        return None
    centre = Z.mean(axis=0)
    moved = Z - centre
    if not is_far(centre, moved):
        return None
    left = X - centre
    return Near(left @ moved.T, moved @ centre, np.sqrt(squared_norms(left)), np.sqrt(squared_norms(moved)))
