"""Gaussian, sigmoid and linear kernels on vectors, several kinds together, views and single features.

Every kernel is an entrywise function of a base that is the same for the whole family: inner products for polynomials,
squared distances for Gaussians. The base is computed once; a member of the family costs a few entrywise operations.
Examples may be rows of a sparse matrix; the base is dense all the same.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from kernlearn.errors import UserError
from kernlearn.kernels.core.choice import (
    COEF0,
    DEGREES,
    GAMMAS,
    POSITIVE,
    UNIT,
    KernelChoice,
)
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
from kernlearn.kernels.families.polynomial import polynomial
from kernlearn.kernels.fused.exponentials import values_of_exponentials
from kernlearn.kernels.fused.sums import Kernels
from kernlearn.parameters import Number, Parameter
from kernlearn.types import Array

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
        streamed_values=_gaussian_values,
        fused=_fused,
        streams=True,
        norms=squared_radii,
        error=exponential_error,
    )


def _fused(members: tuple[dict[str, Any], ...], d: int) -> Kernels:
    return Kernels(np.array([member["gamma"] for member in members]))


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


KERNELS = {
    "gaussian": KernelChoice(
        gaussian, {"gammas": Parameter([1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1.0], POSITIVE, GAMMAS), **UNIT}
    ),
    "linear": KernelChoice(linear, {}),
    "mixed": KernelChoice(
        mixed,
        {
            "gammas": Parameter([1.0], POSITIVE, "inverse widths of the Gaussian kernels"),
            "degrees": Parameter([2], DEGREES, "exponents of the polynomial kernels"),
            "coef0": Parameter(1.0, COEF0, "what these add to the inner product"),
        },
    ),
    "sigmoid": KernelChoice(
        sigmoid,
        {
            "slopes": Parameter([0.01, 0.1, 1.0, 10.0], POSITIVE, "one kernel for each; with algo.complexity=massart"),
            "offset": Parameter(0.0, Number(), "what is added to slope times inner product"),
        },
    ),
    "views": KernelChoice(
        views,
        {
            "n_views": Parameter(
                12,
                Number(low=1, high=1000, integer=True),
                "views of an example; protein_fold has 12, with scaling=none",
            )
        },
    ),
    FEATURES: KernelChoice(features, {}, takes="features"),
}
