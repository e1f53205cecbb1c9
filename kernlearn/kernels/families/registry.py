"""Families of kernels on vectors, and the registry of all families.

Every kernel is an entrywise function of a base that is the same for the whole family: inner products for polynomials,
squared distances for Gaussians. The base is computed once; a member of the family costs a few entrywise operations.
Examples may be rows of a sparse matrix; the base is dense all the same.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from kernlearn.errors import UserError, closest
from kernlearn.kernels.core.family import (
    KernelFamily,
    exponential,
    exponential_error,
    exponential_less_constant,
    make_members,
    product_error,
    same,
    side_by_side,
)
from kernlearn.kernels.core.products import inner_products, lengths, squared_distances, squared_radii
from kernlearn.kernels.families.chains import chains
from kernlearn.kernels.families.dna import dna_signals
from kernlearn.kernels.families.exponentials import price_exponentials, values_of_exponentials
from kernlearn.kernels.families.intersections import basket, minimum
from kernlearn.kernels.families.nystrom import APPROXIMATIONS, nystrom
from kernlearn.kernels.families.polynomial import polynomial, polynomial_libsvm, polynomial_unit
from kernlearn.kernels.families.sequences import edit_distance, spectrum, weighted_degree
from kernlearn.kernels.families.spectrum import graph
from kernlearn.kernels.families.stumps import stumps
from kernlearn.kernels.families.substrings import substring
from kernlearn.parameters import Choice, Number
from kernlearn.plugins import Registry
from kernlearn.types import Array

#: The families whose members have a feature space of known finite dimension.
POLYNOMIALS = ("polynomial", "polynomial_libsvm", "polynomial_unit", "poly", "linear")
#: The name of the family that is computed without Gram matrices.
FEATURES = "features"


def gaussian(gammas: Sequence[float]) -> KernelFamily:
    """Gaussian kernels ``K_k(x, z) = exp(-gamma_k |x - z|^2)``.

    Raises `UserError` if a gamma is not a positive finite number.

    Parameters
    ----------
    gammas : sequence of float > 0
        Inverse squared widths.
    """
    return KernelFamily(
        "gaussian",
        make_members("gammas", gammas),
        squared_distances,
        exponential,
        less_constant=exponential_less_constant,
        streamed_price=_gaussian_price,
        streamed_values=_gaussian_values,
        streams=True,
        norms=squared_radii,
        error=exponential_error,
    )


def _gaussian_price(D: Array, v: Array, members: tuple[dict[str, Any], ...]) -> Array:
    return price_exponentials(D, v, [member["gamma"] for member in members])


def _gaussian_values(D: Array, less_constant: bool, gamma: float) -> Array:
    return values_of_exponentials(D, gamma, less_constant)


def sigmoid(slopes: Sequence[float], offset: float = 0.0) -> KernelFamily:
    """Sigmoid kernels ``K_k(x, z) = tanh(slope_k x.z + offset)``, which are not positive definite.

    Raises `UserError` if a slope is not a positive finite number or the offset is not finite.

    Parameters
    ----------
    slopes : sequence of float > 0

    References
    ----------
    H.-T. Lin and C.-J. Lin. A study on sigmoid kernels for SVM and the training of non-PSD kernels by SMO-type
    methods. Technical report, National Taiwan University, 2003.
    """
    transform = partial(_sigmoid_transform, offset=Number().check("offset", offset))
    return KernelFamily(
        "sigmoid",
        make_members("slopes", slopes),
        inner_products,
        transform,
        positive_definite=False,
        norms=lengths,
        error=_sigmoid_error,
    )


def linear() -> KernelFamily:
    """Linear kernel ``K(x, z) = x.z``; a single kernel."""
    return KernelFamily("linear", ({},), inner_products, same, bilinear=True, norms=lengths, error=product_error)


def mixed(gammas: Sequence[float], degrees: Sequence[int], coef0: float = 1.0) -> KernelFamily:
    """Gaussian kernels, the linear kernel and polynomial kernels together, in this order.

    Parameters
    ----------
    gammas : sequence of float > 0
    degrees : sequence of int >= 1
    coef0 : float >= 0
        As for `gaussian` and `polynomial`.

    References
    ----------
    Lanckriet et al. (2004), Learning the kernel matrix with semidefinite programming, JMLR 5: one of each kind.
    """
    kinds = [gaussian([gamma]) for gamma in gammas], [linear()], [polynomial([d], coef0) for d in degrees]
    return side_by_side("mixed", [part for kind in kinds for part in kind])


def views(n_views: int) -> KernelFamily:
    """Linear kernels ``K_k(x, z) = x^k.z^k`` of views: x consists of the parts x^1, ..., x^p of equal length.

    Raises `UserError` if it is not a positive integer.

    Parameters
    ----------
    n_views : int >= 1
        The number p.
    """
    n_views = Number(low=1, integer=True).check("n_views", n_views)
    members = tuple({"view": k} for k in range(1, n_views + 1))
    return KernelFamily(
        "views", members, partial(view_products, n_views=n_views), _view, norms=lengths, error=product_error
    )


def view_products(X: Array, Z: Array, n_views: int) -> Array:
    """Return the inner products of every view, shape (n, m, n_views).

    Raises `UserError` if the columns cannot be shared out equally.
    """
    if X.shape[1] % n_views:
        raise UserError(f"n_views={n_views}: the {X.shape[1]} features cannot be views of equal width")
    ends = range(0, X.shape[1] + 1, X.shape[1] // n_views)
    pairs = zip(ends, ends[1:], strict=False)
    return np.stack([inner_products(X[:, a:b], Z[:, a:b]) for a, b in pairs], axis=2)


def features() -> KernelFamily:
    """Rank-1 kernels ``K_k(x, z) = x_k z_k``, one for every feature; for methods that learn kernel weights.

    How many they are is known with the examples: the family lists none. See `kernlearn.kernels.FeatureStack`.
    """
    return KernelFamily(FEATURES, (), inner_products, same)


def precomputed(p: int | None = None) -> KernelFamily:
    """Return a family whose Gram matrices are given in the place of the examples.

    They are taken to be positive definite; where that matters, the matrices themselves are looked at.

    Parameters
    ----------
    p : int, optional
        The number of matrices, in an array of shape (p, n, m); without it, one matrix of shape (n, m).
    """
    recipe = "precomputed", {"p": p}
    if p is None:
        return KernelFamily("precomputed", ({},), same, same, recipe=recipe)
    return KernelFamily("precomputed", tuple({"kernel": k} for k in range(p)), _last_axis, _one_of, recipe=recipe)


# Module functions, not closures: a fitted estimator holds its family and has to pickle.


def _sigmoid_transform(B: Array, slope: float, offset: float) -> Array:
    return np.tanh(slope * B + offset)


def _sigmoid_error(r: Array, s: Array, K: Array, slope: float) -> Array:
    return slope * r * s


def _view(B: Array, view: int) -> Array:
    return np.ascontiguousarray(B[..., view - 1])


def _last_axis(K: Array, _: Array) -> Array:
    return np.moveaxis(K, 0, -1)


def _one_of(B: Array, kernel: int) -> Array:
    return B[..., kernel]


VECTOR_FAMILIES: dict[str, Callable[..., KernelFamily]] = {
    "polynomial": polynomial,
    "polynomial_libsvm": polynomial_libsvm,
    "polynomial_unit": polynomial_unit,
    "gaussian": gaussian,
    "linear": linear,
    "mixed": mixed,
    "sigmoid": sigmoid,
    "views": views,
    "min": minimum,
    "basket": basket,
}
SEQUENCE_FAMILIES: dict[str, Callable[..., KernelFamily]] = {
    "dna_signals": dna_signals,
    "edit_distance": edit_distance,
    "spectrum": spectrum,
    "substring": substring,
    "weighted_degree": weighted_degree,
}
#: Families of which Gram matrices are made.
GRAM_FAMILIES = VECTOR_FAMILIES | SEQUENCE_FAMILIES
#: Kernel families, and what is no kernel, by name, one configuration file each; those of plug-ins, too.
FAMILIES: Registry[Callable[..., Any]] = Registry(
    "FAMILIES", {**GRAM_FAMILIES, FEATURES: features, "stumps": stumps, "graph": graph, "chains": chains}
)


def make_family(
    name: str, approximate: str | None = None, rank: int | None = None, unit: str | None = None, **parameters: Any
) -> KernelFamily:
    """Build the family `name` of ``FAMILIES``.

    Parameters
    ----------
    name : str
    approximate : str, optional
        One of `APPROXIMATIONS`: other kernels of a `rank` in the place of these, see
        `kernlearn.kernels.families.nystrom`.
    rank : int, optional
    unit : str, optional
        What the parameters are multiples of. It changes the examples, not the family: see `kernlearn.kernels.in_unit`.
    **parameters
        Those of the family.

    Raises
    ------
    UserError
        If the name is unknown (the message lists the known ones) or a parameter is out of range, or if kernels that are
        not positive definite are to be approximated.
    """
    if name not in FAMILIES:
        known = sorted(FAMILIES)
        raise UserError(
            f"kernel.name={name}: unknown kernel family, choose one of {', '.join(known)}{closest(name, known)}"
        )
    family = FAMILIES[name](**parameters)
    if isinstance(family, KernelFamily):
        family = replace(family, recipe=(name, parameters))
    if approximate is None:
        return family
    Choice(APPROXIMATIONS).check("kernel.approximate", approximate)
    return nystrom(family, Number(low=1, integer=True).check("kernel.rank", rank))
