"""Families of kernels that share one base matrix.

Every kernel here is an entrywise function of a matrix that is the same for the whole family: inner products for
polynomials, squared distances for Gaussians. The base matrix is computed once; a member of the family costs a few
entrywise operations.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernlearn.errors import UserError

Array = NDArray[np.float64]


@dataclass(frozen=True)
class KernelFamily:
    """An ordered set of kernels ``K_1, ..., K_p`` that are entrywise functions of one base matrix.

    Attributes
    ----------
    name : str
        The name of the family, as in ``FAMILIES``.
    members : tuple of dict
        One dictionary of parameters a kernel, e.g. ``({"degree": 1}, {"degree": 2})``.
    base : callable
        ``base(X, Z)`` gives the base matrix, shape (len(X), len(Z)).
    transform : callable
        ``transform(B, **member)`` maps base values to kernel values, entry by entry.
    """

    name: str
    members: tuple[dict[str, Any], ...]
    base: Callable[[Array, Array], Array]
    transform: Callable[..., Array]

    def __len__(self) -> int:
        return len(self.members)


def inner_products(X: Array, Z: Array) -> Array:
    """Return the matrix of inner products ``x.z``, shape (len(X), len(Z))."""
    return X @ Z.T


def squared_norms(X: Array) -> Array:
    """Return ``|x|^2`` for every row of X."""
    return np.einsum("ij,ij->i", X, X)


def squared_distances(X: Array, Z: Array) -> Array:
    """Return the matrix of squared Euclidean distances, shape (len(X), len(Z)), never negative.

    Both sets are moved by the mean of `Z` first: distances do not change, and the cancellation in
    ``|x|^2 + |z|^2 - 2 x.z`` is that of centred data.
    """
    centre = Z.mean(axis=0)
    X, Z = X - centre, Z - centre
    D = squared_norms(X)[:, None] + squared_norms(Z)[None, :] - 2.0 * (X @ Z.T)
    return np.maximum(D, 0.0, out=D)


def integer_power(B: Array, degree: int) -> Array:
    """Return ``B**degree`` entrywise by repeated squaring, several times faster than ``numpy.power``."""
    result, square = None, B
    while degree:
        if degree & 1:
            result = square if result is None else result * square
        degree >>= 1
        if degree:
            square = square * square
    assert result is not None
    return result.copy() if result is B else result


def polynomial(degrees: Sequence[int], coef0: float = 1.0) -> KernelFamily:
    """Polynomial kernels ``K_k(x, z) = (x.z + coef0)^k``.

    Parameters
    ----------
    degrees : sequence of int >= 1
    coef0 : float >= 0
        A negative value would not be positive definite.

    Raises
    ------
    UserError
        If a degree is not a positive integer or `coef0` is negative or not finite.
    """
    if not (np.isfinite(coef0) and coef0 >= 0):
        raise UserError(f"kernel.coef0={coef0}: must be a finite number >= 0")
    for degree in degrees:
        if int(degree) != degree or degree < 1:
            raise UserError(f"kernel.degrees: {degree} is not an integer >= 1")
    members = tuple({"degree": int(degree)} for degree in degrees)
    return KernelFamily(
        "polynomial",
        _non_empty("degrees", members),
        inner_products,
        partial(_polynomial_transform, coef0=float(coef0)),
    )


def gaussian(gammas: Sequence[float]) -> KernelFamily:
    """Gaussian kernels ``K_k(x, z) = exp(-gamma_k |x - z|^2)``.

    Parameters
    ----------
    gammas : sequence of float > 0
        Inverse squared widths.

    Raises
    ------
    UserError
        If a gamma is not a positive finite number.
    """
    for gamma in gammas:
        if not (np.isfinite(gamma) and gamma > 0):
            raise UserError(f"kernel.gammas: {gamma} is not a positive number")
    members = tuple({"gamma": float(gamma)} for gamma in gammas)
    return KernelFamily(
        "gaussian",
        _non_empty("gammas", members),
        squared_distances,
        _gaussian_transform,
    )


def linear() -> KernelFamily:
    """Return the linear kernel ``K(x, z) = x.z``, a family of one."""
    return KernelFamily("linear", ({},), inner_products, _same)


def precomputed() -> KernelFamily:
    """Return a family of one kernel whose Gram matrix is given in the place of the examples."""
    return KernelFamily("precomputed", ({},), _same, _same)


# Module functions, not closures: a fitted estimator holds its family and has to pickle.


def _polynomial_transform(B: Array, degree: int, coef0: float) -> Array:
    return integer_power(B + coef0, degree)


def _gaussian_transform(B: Array, gamma: float) -> Array:
    return np.exp(-gamma * B)


def _same(B: Array, _: Array | None = None) -> Array:
    return B


#: Kernel families by name, one configuration file each.
FAMILIES: dict[str, Callable[..., KernelFamily]] = {
    "polynomial": polynomial,
    "gaussian": gaussian,
    "linear": linear,
}


def make_family(name: str, **parameters: Any) -> KernelFamily:
    """Build the family `name` of ``FAMILIES``.

    Raises
    ------
    UserError
        If the name is unknown (the message lists the known ones) or a parameter is out of range.
    """
    if name not in FAMILIES:
        raise UserError(f"kernel.name={name}: unknown kernel family, choose one of {', '.join(sorted(FAMILIES))}")
    return FAMILIES[name](**parameters)


def _non_empty(key: str, members: tuple[dict[str, Any], ...]) -> tuple[dict[str, Any], ...]:
    if not members:
        raise UserError(f"kernel.{key} is empty: give at least one value")
    values = [tuple(member.values()) for member in members]
    if len(set(values)) < len(values):
        raise UserError(f"kernel.{key} names the same kernel twice")
    return members
