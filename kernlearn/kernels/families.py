"""Families of kernels on vectors, and the registry of all families.

Every kernel is an entrywise function of a base that is the same for the whole family: inner products for polynomials,
squared distances for Gaussians. The base is computed once; a member of the family costs a few entrywise operations.
Examples may be rows of a sparse matrix; the base is dense all the same.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from kernlearn.errors import UserError, closest
from kernlearn.kernels.dna import dna_signals
from kernlearn.kernels.family import (
    KernelFamily,
    exponential,
    exponential_less_constant,
    make_members,
    same,
    side_by_side,
)
from kernlearn.kernels.intersections import basket, minimum
from kernlearn.kernels.powers import price_powers
from kernlearn.kernels.sequences import edit_distance, spectrum, weighted_degree
from kernlearn.kernels.spectrum import graph
from kernlearn.kernels.stumps import stumps
from kernlearn.kernels.substrings import substring
from kernlearn.parameters import Number
from kernlearn.plugins import Registry

Array = NDArray[np.float64]

#: The families whose members have a feature space of known finite dimension.
POLYNOMIALS = ("polynomial", "polynomial_libsvm", "polynomial_unit", "linear")
#: A squared distance below this part of ``|x|^2 + |z|^2`` is computed from the difference, which cancels nothing.
CLOSE = 1e-6
#: Bytes of differences that are formed at a time.
PAIRS_BYTES = 2**26
#: The name of the family that is computed without Gram matrices.
FEATURES = "features"


def inner_products(X: Array, Z: Array) -> Array:
    """Return the matrix of inner products ``x.z``, shape (n, m), of n and m examples."""
    return _dense(X @ Z.T)


def mean_products(X: Array, Z: Array) -> Array:
    """Return the matrix of ``x.z / n_features``, shape (n, m)."""
    return inner_products(X, Z) / X.shape[1]


def squared_norms(X: Any) -> Array:
    """Return ``|x|^2`` for every row of X."""
    return np.asarray((X * X).sum(axis=1)) if isinstance(X, sparse.csr_array) else np.einsum("ij,ij->i", X, X)


def squared_distances(X: Array, Z: Array) -> Array:
    """Return the matrix of squared Euclidean distances, shape (n, m), never negative.

    Both sets are moved by the mean of `Z` first, unless they are sparse and would not stay so: distances do not change,
    and the cancellation in ``|x|^2 + |z|^2 - 2 x.z`` is that of centred data.
    """
    if not isinstance(Z, sparse.csr_array):
        centre = Z.mean(axis=0)
        X, Z = X - centre, Z - centre
    D = squared_norms(X)[:, None] + squared_norms(Z)[None, :]
    close = CLOSE * D
    D -= 2.0 * inner_products(X, Z)
    if not isinstance(Z, sparse.csr_array):
        _recompute(D, X, Z, np.flatnonzero(D < close))
    return np.maximum(D, 0.0, out=D)


def _recompute(D: Array, X: Array, Z: Array, pairs: NDArray[np.intp]) -> None:
    """Put the squared distances of some pairs, counted row by row, into D as sums of squares of differences."""
    step = max(1, PAIRS_BYTES // (8 * X.shape[1] or 1))
    for start in range(0, len(pairs), step):
        i, j = np.divmod(pairs[start : start + step], D.shape[1])
        D[i, j] = squared_norms(X[i] - Z[j])


def integer_power(B: Array, degree: int) -> Array:
    """Return ``B**degree`` entrywise by repeated squaring, several times faster than ``numpy.power``."""
    result, square = None, B
    while degree:
        if degree & 1:
            result = square.copy() if result is None else np.multiply(result, square, out=result)
        degree >>= 1
        if degree:
            square = np.multiply(square, square, out=None if square is B else square)
    assert result is not None
    return result


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
    return _polynomial("polynomial", inner_products, degrees, coef0)


def polynomial_libsvm(degrees: Sequence[int], coef0: float = 1.0) -> KernelFamily:
    """Polynomial kernels ``K_k(x, z) = (x.z / n_features + coef0)^k``, with LibSVM's default ``gamma``.

    Parameters and errors are those of `polynomial`. Source: Chang and Lin (2011), whose default ``coef0`` is 0.
    """
    return _polynomial("polynomial_libsvm", mean_products, degrees, coef0)


def polynomial_unit(degrees: Sequence[int], coef0: float = 1.0) -> KernelFamily:
    """Polynomial kernels ``K_k(x, z) = ((x.z + coef0) / (1 + coef0))^k``, 1 where an example of norm 1 meets itself.

    Their matrices on n such examples have the trace n, whatever the degree, so that one C means the same for all of
    them. Parameters and errors are those of `polynomial`. Source: Shivaswamy (2010), section 2.7.
    """
    coef0 = Number(low=0).check("coef0", coef0)
    return _polynomial(
        "polynomial_unit", partial(_part_of_products, part=1 / (1 + coef0)), degrees, coef0 / (1 + coef0)
    )


def _part_of_products(X: Array, Z: Array, part: float) -> Array:
    return part * inner_products(X, Z)


def _polynomial(name: str, base: Callable[[Array, Array], Array], degrees: Sequence[int], coef0: float) -> KernelFamily:
    members = make_members("degrees", degrees, integer=True)
    coef0 = Number(low=0).check("coef0", coef0)
    transform, price = partial(_polynomial_transform, coef0=coef0), partial(_polynomial_price, coef0=coef0)
    less_constant = partial(_polynomial_less_constant, coef0=coef0)
    return KernelFamily(name, members, base, transform, less_constant=less_constant, price=price)


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
    return KernelFamily(
        "gaussian",
        make_members("gammas", gammas),
        squared_distances,
        exponential,
        less_constant=exponential_less_constant,
    )


def sigmoid(slopes: Sequence[float], offset: float = 0.0) -> KernelFamily:
    """Sigmoid kernels ``K_k(x, z) = tanh(slope_k x.z + offset)``, which are not positive definite.

    Parameters
    ----------
    slopes : sequence of float > 0
    offset : float

    Raises
    ------
    UserError
        If a slope is not a positive finite number or the offset is not finite.

    References
    ----------
    H.-T. Lin and C.-J. Lin. A study on sigmoid kernels for SVM and the training of non-PSD kernels by SMO-type
    methods. Technical report, National Taiwan University, 2003.
    """
    transform = partial(_sigmoid_transform, offset=Number().check("offset", offset))
    return KernelFamily("sigmoid", make_members("slopes", slopes), inner_products, transform, positive_definite=False)


def linear() -> KernelFamily:
    """Linear kernel ``K(x, z) = x.z``, a family of one."""
    return KernelFamily("linear", ({},), inner_products, same)


def mixed(gammas: Sequence[float], degrees: Sequence[int], coef0: float = 1.0) -> KernelFamily:
    """Gaussian kernels, the linear kernel and polynomial ones, in this order.

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
    """Linear kernels ``K_k(x, z) = x^k.z^k`` of views: x is x^1, ..., x^p side by side, all of the same length.

    Parameters
    ----------
    n_views : int >= 1
        The number p.

    Raises
    ------
    UserError
        If it is not a positive integer.
    """
    n_views = Number(low=1, integer=True).check("n_views", n_views)
    members = tuple({"view": k} for k in range(1, n_views + 1))
    return KernelFamily("views", members, partial(view_products, n_views=n_views), _view)


def view_products(X: Array, Z: Array, n_views: int) -> Array:
    """Return the inner products of every view, shape (n, m, n_views).

    Raises
    ------
    UserError
        If the columns cannot be shared out equally.
    """
    if X.shape[1] % n_views:
        raise UserError(f"n_views={n_views}: the {X.shape[1]} features cannot be views of equal width")
    ends = range(0, X.shape[1] + 1, X.shape[1] // n_views)
    pairs = zip(ends, ends[1:], strict=False)
    return np.stack([inner_products(X[:, a:b], Z[:, a:b]) for a, b in pairs], axis=2)


def features() -> KernelFamily:
    """Rank-1 kernels ``K_k(x, z) = x_k z_k``, one for every feature, for methods that weigh kernels (normalise=trace).

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
    if p is None:
        return KernelFamily("precomputed", ({},), same, same)
    return KernelFamily("precomputed", tuple({"kernel": k} for k in range(p)), _last_axis, _one_of)


# Module functions, not closures: a fitted estimator holds its family and has to pickle.


def _polynomial_price(B: Array, v: Array, members: tuple[dict[str, Any], ...], coef0: float) -> Array:
    return price_powers(B, v, [member["degree"] for member in members], coef0)


def _polynomial_transform(B: Array, degree: int, coef0: float) -> Array:
    return integer_power(B + coef0, degree)


def _polynomial_less_constant(B: Array, degree: int, coef0: float) -> Array:
    """Return ``(B + c)^d - c^d``, exact where B is next to nothing beside c."""
    if coef0 == 0.0 or np.abs(B).max(initial=0.0) > 0.5 * coef0:
        return _polynomial_transform(B, degree, coef0) - coef0**degree
    return coef0**degree * np.expm1(degree * np.log1p(B / coef0))


def _sigmoid_transform(B: Array, slope: float, offset: float) -> Array:
    return np.tanh(slope * B + offset)


def _view(B: Array, view: int) -> Array:
    return np.ascontiguousarray(B[..., view - 1])


def _dense(P: Any) -> Array:
    return P.toarray() if isinstance(P, sparse.csr_array) else P


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
    "FAMILIES", {**GRAM_FAMILIES, FEATURES: features, "stumps": stumps, "graph": graph}
)


def make_family(name: str, **parameters: Any) -> KernelFamily:
    """Build the family `name` of ``FAMILIES``.

    Raises
    ------
    UserError
        If the name is unknown (the message lists the known ones) or a parameter is out of range.
    """
    if name not in FAMILIES:
        known = sorted(FAMILIES)
        raise UserError(
            f"kernel.name={name}: unknown kernel family, choose one of {', '.join(known)}{closest(name, known)}"
        )
    return FAMILIES[name](**parameters)
