"""Kernels that scikit-learn has beside those of configurations, as families."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from kernlearn.errors import UserError
from kernlearn.kernels.core.family import (
    KernelFamily,
    exponential,
    exponential_less_constant,
    make_members,
    same,
)
from kernlearn.kernels.core.products import squared_distances
from kernlearn.types import Array


def laplacian(gammas: Sequence[float]) -> KernelFamily:
    """Laplacian kernels ``K_k(x, z) = exp(-gamma_k |x - z|_1)``."""
    return _exponentials("laplacian", _manhattan, gammas)


def chi2(gammas: Sequence[float]) -> KernelFamily:
    """Chi-squared kernels ``K_k(x, z) = exp(-gamma_k sum_j (x_j - z_j)^2 / (x_j + z_j))`` of features >= 0."""
    return _exponentials("chi2", _chi2_distances, gammas)


def matern(gammas: Sequence[float]) -> KernelFamily:
    """Matern kernels of smoothness 3/2: ``K_k(x, z) = (1 + r) exp(-r)`` with ``r = sqrt(6 gamma_k) |x - z|``.

    They are those of scikit-learn's ``Matern(length_scale=l, nu=1.5)`` for ``gamma = 1 / (2 l^2)``, as its ``RBF`` is
    the Gaussian kernel of this gamma.
    """
    return KernelFamily("matern", make_members("gammas", gammas), squared_distances, _matern)


def cosine() -> KernelFamily:
    """Cosine of the angle, ``K(x, z) = x.z / (|x| |z|)``, a family of one; 0 where a vector is 0."""
    return KernelFamily("cosine", ({},), _cosine, same)


# Module functions, not closures: a fitted estimator holds its family and has to pickle.


def _exponentials(name: str, base: Callable[[Any, Any], Array], gammas: Sequence[float]) -> KernelFamily:
    members = make_members("gammas", gammas)
    return KernelFamily(name, members, base, exponential, less_constant=exponential_less_constant)


def _chi2_distances(X: Array, Z: Array) -> Array:
    from sklearn.metrics.pairwise import additive_chi2_kernel

    if min(X.min(initial=0.0), Z.min(initial=0.0)) < 0.0:
        raise UserError("kernel=chi2: is for features >= 0, such as histograms; use another kernel")
    distances: Array = -additive_chi2_kernel(X, Z)
    return distances


def _matern(D: Array, gamma: float) -> Array:
    r = np.sqrt(6.0 * gamma * D)
    values: Array = (1.0 + r) * np.exp(-r)
    return values


def _manhattan(X: Any, Z: Any) -> Array:
    from sklearn.metrics.pairwise import manhattan_distances

    distances: Array = manhattan_distances(X, Z)
    return distances


def _cosine(X: Any, Z: Any) -> Array:
    from sklearn.metrics.pairwise import cosine_similarity

    values: Array = cosine_similarity(X, Z)
    return values


#: The families by name.
OF_SCIKIT_LEARN: dict[str, Callable[..., KernelFamily]] = {
    "laplacian": laplacian,
    "chi2": chi2,
    "matern": matern,
    "cosine": cosine,
}
