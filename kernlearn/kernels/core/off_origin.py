"""Linear kernels of examples off the origin, whose inner products lose the digits that tell examples apart."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

from kernlearn.kernels.core.products import squared_norms
from kernlearn.twofold import add_products
from kernlearn.types import Array

#: Examples are off the origin when the square of their mean is this many times their mean square around it.
OFF_ORIGIN = 1e4


@dataclass(frozen=True)
class CentredProducts:
    """Inner products around a centre c, the mean of the training examples: ``<x - c, z_j - c>``, and how they drift.

    Of coefficients that add up to 0, ``sum_j beta_j <x, z_j> = sum_j beta_j (<x - c, z_j - c> + <c, z_j - c>)``.
    """

    #: Shape (n, m).
    products: Array
    #: Shape (m,): ``<c, z_j - c>``.
    drift: Array
    #: `r`, `s`, shape (n,), (m,): ``|x - c|`` and ``|z_j - c|``.
    r: Array
    s: Array
    #: Shape (d,).
    centre: Array

    def take(self, rows: NDArray[np.intp]) -> "CentredProducts":
        """Return those of some of the expansion points among themselves."""
        products = self.products[np.ix_(rows, rows)]
        return CentredProducts(products, self.drift[rows], self.r[rows], self.s[rows], self.centre)

    def on(self, points: NDArray[np.intp]) -> "CentredProducts":
        """Return those of all examples with some of the expansion points."""
        return CentredProducts(self.products[:, points], self.drift[points], self.r, self.s[points], self.centre)

    def at(self, rows: slice) -> "CentredProducts":
        """Return those of some of the examples."""
        return CentredProducts(self.products[rows], self.drift, self.r[rows], self.s, self.centre)

    def magnitudes(self, r: Array, points: NDArray[np.intp]) -> Array:
        """Return bounds of the products of examples of sizes r with some expansion points, and of what these add up."""
        return 2.0 * np.outer(r, self.s[points])


def is_off_origin(centre: Array, moved: Array) -> bool:
    """Return whether examples are far from the origin, by their mean and what is left of them without it."""
    return float(centre @ centre) > OFF_ORIGIN * float(np.einsum("ij,ij->", moved, moved)) / len(moved)


def centred_products(X: Array, Z: Array, centre: Array | None = None) -> CentredProducts | None:
    """Return what takes the place of the inner products of n with m examples, None where these are near the origin.

    With a centre, that of the training examples, they are around it in any case. Sparse examples, which do not stay so,
    are left where they are.
    """
    if issparse(X) or issparse(Z) or not len(Z):
        return None
    c = Z.mean(axis=0) if centre is None else centre
    moved = Z - c
    if centre is None and not is_off_origin(c, moved):
        return None
    left = X - c
    # The drift is large: each is rounded once, so that it is the same for an expansion point among others.
    drift, rest, squares = np.zeros(len(Z)), np.zeros(len(Z)), np.zeros(len(Z))
    add_products(moved, c, drift, rest, squares)
    return CentredProducts(left @ moved.T, drift + rest, np.sqrt(squared_norms(left)), np.sqrt(squared_norms(moved)), c)
