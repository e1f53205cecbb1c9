"""Polynomial kernels, in three scales, and in any."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from kernlearn.kernels.core.choice import COEF0, DEGREES, KernelChoice
from kernlearn.kernels.core.family import KernelFamily, make_members
from kernlearn.kernels.core.products import inner_products, lengths, mean_lengths, mean_products
from kernlearn.kernels.fused.powers import price_powers
from kernlearn.kernels.fused.sums import Kernels
from kernlearn.parameters import Number, Parameter
from kernlearn.types import Array


def integer_power(B: Array, degree: int) -> Array:
    """Return ``B**degree`` entrywise by repeated squaring, several times faster than ``numpy.power``.

    The layout in memory is that of B: products of other columns of the same values would be rounded otherwise.
    """
    result, square = None, B
    while degree:
        if degree & 1:
            result = square.copy(order="K") if result is None else np.multiply(result, square, out=result)
        degree >>= 1
        if degree:
            square = np.multiply(square, square, out=None if square is B else square)
    assert result is not None
    return result


def polynomial(degrees: Sequence[int], coef0: float = 1.0) -> KernelFamily:
    """Polynomial kernels ``K_k(x, z) = (x.z + coef0)^k``.

    Raises `UserError` if a degree is not a positive integer or `coef0` is negative or not finite.

    Parameters
    ----------
    degrees : sequence of int >= 1
    coef0 : float >= 0
        A negative value would not be positive definite.
    """
    return _polynomial("polynomial", inner_products, lengths, degrees, coef0, 1.0)


def polynomial_libsvm(degrees: Sequence[int], coef0: float = 1.0) -> KernelFamily:
    """Polynomial kernels ``K_k(x, z) = (x.z / n_features + coef0)^k``, with LibSVM's default ``gamma``.

    Parameters and errors are those of `polynomial`. Source: Chang and Lin (2011), whose default ``coef0`` is 0.
    """
    return _polynomial("polynomial_libsvm", mean_products, mean_lengths, degrees, coef0, None)


def polynomial_unit(degrees: Sequence[int], coef0: float = 1.0) -> KernelFamily:
    """Polynomial kernels ``K_k(x, z) = ((x.z + coef0) / (1 + coef0))^k``, so that ``K_k(x, x) = 1`` if x has norm 1.

    Their matrices on n such examples have the trace n, whatever the degree, so that one C means the same for all of
    them. Parameters and errors are those of `polynomial`. Source: Shivaswamy (2010), section 2.7.
    """
    coef0 = Number(low=0).check("coef0", coef0)
    part = 1 / (1 + coef0)
    base, norms = partial(_part_of_products, part=part), partial(lengths, part=part)
    return _polynomial("polynomial_unit", base, norms, degrees, coef0 / (1 + coef0), part)


def poly(gammas: Sequence[float], degrees: Sequence[int], coef0: float = 0.0) -> KernelFamily:
    """Polynomial kernels of scikit-learn, ``K(x, z) = (gamma x.z + coef0)^k``, one for every gamma and degree.

    Parameters
    ----------
    gammas : sequence of float > 0
    degrees : sequence of int >= 1
    coef0 : float >= 0
        As for `polynomial`.
    """
    degrees_of, coef0 = make_members("degrees", degrees, integer=True), Number(low=0).check("coef0", coef0)
    return KernelFamily(
        "poly",
        tuple({**gamma, **degree} for gamma in make_members("gammas", gammas) for degree in degrees_of),
        inner_products,
        partial(_poly_transform, coef0=coef0),
        less_constant=partial(_poly_less_constant, coef0=coef0),
        streams=True,
        norms=lengths,
        error=_poly_error,
    )


def _part_of_products(X: Array, Z: Array, part: float) -> Array:
    return part * inner_products(X, Z)


def _polynomial(
    name: str,
    base: Callable[[Array, Array], Array],
    norms: Callable[[Any, Any], tuple[Array, Array]],
    degrees: Sequence[int],
    coef0: float,
    factor: float | None,
) -> KernelFamily:
    """Return the family whose base is a multiple of inner products: None stands for 1 over the number of features."""
    members = make_members("degrees", degrees, integer=True)
    coef0 = Number(low=0).check("coef0", coef0)
    transform, price = partial(_polynomial_transform, coef0=coef0), partial(_polynomial_price, coef0=coef0)
    less_constant = partial(_polynomial_less_constant, coef0=coef0)
    return KernelFamily(
        name,
        members,
        base,
        transform,
        less_constant=less_constant,
        price=price,
        fused=partial(_fused, factor=factor, coef0=coef0),
        streams=True,
        norms=norms,
        error=_polynomial_error,
    )


# Module functions, not closures: a fitted estimator holds its family and has to pickle.


def _fused(members: tuple[dict[str, Any], ...], d: int, factor: float | None, coef0: float) -> Kernels:
    degrees = np.array([member["degree"] for member in members])
    return Kernels(degrees, True, 1.0 / d if factor is None else factor, coef0)


def _polynomial_price(B: Array, v: Array, members: tuple[dict[str, Any], ...], coef0: float) -> Array:
    return price_powers(B, v, [member["degree"] for member in members], coef0)


def _polynomial_error(r: Array, s: Array, K: Array, degree: int) -> Array:
    """Return ``d |B + c|^(d-1) r s``, the derivative of ``K = (B + c)^d`` in B times what B adds up at most."""
    return degree * np.abs(K) ** (1.0 - 1.0 / degree) * (r * s)


def _polynomial_transform(B: Array, degree: int, coef0: float) -> Array:
    return integer_power(B + coef0, degree)


def _polynomial_less_constant(B: Array, degree: int, coef0: float) -> Array:
    """Return ``(B + c)^d - c^d``, exact where B is next to nothing beside c."""
    if coef0 == 0.0 or np.abs(B).max(initial=0.0) > 0.5 * coef0:
        return _polynomial_transform(B, degree, coef0) - coef0**degree
    return coef0**degree * np.expm1(degree * np.log1p(B / coef0))


def _poly_transform(B: Array, gamma: float, degree: int, coef0: float) -> Array:
    return _polynomial_transform(gamma * B, degree, coef0)


def _poly_less_constant(B: Array, gamma: float, degree: int, coef0: float) -> Array:
    return _polynomial_less_constant(gamma * B, degree, coef0)


def _poly_error(r: Array, s: Array, K: Array, gamma: float, degree: int) -> Array:
    return gamma * _polynomial_error(r, s, K, degree)


PRODUCTS = {
    "degrees": Parameter(list(range(1, 11)), DEGREES, "exponents k, one kernel for each"),
    "coef0": Parameter(1.0, COEF0, "what is added to the inner product"),
}
KERNELS = {
    "polynomial": KernelChoice(polynomial, PRODUCTS),
    "polynomial_libsvm": KernelChoice(polynomial_libsvm, PRODUCTS),
    "polynomial_unit": KernelChoice(polynomial_unit, PRODUCTS),
}
#: The families whose members have a feature space of known finite dimension.
POLYNOMIALS = (*KERNELS, "poly", "linear")
