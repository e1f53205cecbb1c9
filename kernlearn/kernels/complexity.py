"""Bounds on the empirical Rademacher complexity of the base classes ``H_k`` of Voted Kernel Regularization.

``H_k = { x -> s K_k(x, x') : x' in X, s = +-1 }``, with ``kappa_k^2 = sup_x K_k(x, x)``, the supremum taken over the
training sample. Source: Cortes, Goyal, Kuznetsov and Mohri (2015), section 5.3. The constants of a bound only rescale
lambda, but whether the sample size m is kept decides which lambdas a fixed grid can reach: every reading has a name.
"""

from collections.abc import Callable
from math import comb

import numpy as np
from numpy.typing import NDArray

from kernlearn.errors import UserError
from kernlearn.kernels.families import KernelFamily
from kernlearn.kernels.gram import GramStack

Array = NDArray[np.float64]


def lemma3(stack: GramStack) -> Array:
    """Lemma 3: ``r_k = kappa_k sqrt(Tr K_k) / m`` (printed as VKRc), for positive definite kernels, shape (p,)."""
    diagonals = [stack.diagonal(k) for k in range(len(stack))]
    return np.array([np.sqrt(d.max()) * np.sqrt(d.sum()) / len(d) for d in diagonals])


def lemma4(stack: GramStack) -> Array:
    """Lemma 4 as the paper uses it: ``r_k = kappa_k^2 sqrt(d_k)`` (printed as VKR2), constants and m dropped."""
    return _kappa_squared(stack) * np.sqrt(feature_dimensions(stack))


def lemma4_m(stack: GramStack) -> Array:
    """Lemma 4 with the sample size kept: ``r_k = kappa_k^2 sqrt(d_k / m)``."""
    return lemma4(stack) / np.sqrt(stack.base.shape[0])


def dimension(stack: GramStack) -> Array:
    """Lemma 4 without the kernel's size: ``r_k = sqrt(d_k / m)``, right for kernels with ``kappa_k = 1``."""
    return np.sqrt(feature_dimensions(stack) / stack.base.shape[0])


def feature_dimensions(stack: GramStack) -> Array:
    """Return ``d_k = C(N + k, k)`` (eq. 3), the feature dimension of a polynomial of degree k in N variables."""
    if stack.family.name == "linear":
        return np.array([float(stack.n_features)])
    return np.array(
        [float(comb(stack.n_features + member["degree"], member["degree"])) for member in stack.family.members]
    )


def require_defined(complexity: str, family: KernelFamily) -> None:
    """Check that a complexity measure is defined for a family.

    Raises
    ------
    UserError
        If it counts features and the kernels are not polynomial: their feature space has no such dimension.
    """
    if complexity != "lemma3" and family.name not in ("polynomial", "linear"):
        raise UserError(
            f"algo.complexity={complexity}: counts the features of polynomial kernels, the {family.name} kernel has "
            "none to count; use algo.complexity=lemma3"
        )


def _kappa_squared(stack: GramStack) -> Array:
    return np.array([stack.diagonal(k).max() for k in range(len(stack))])


#: Complexity measures by name: each maps a training stack to the penalties r_k, shape (p,).
COMPLEXITIES: dict[str, Callable[[GramStack], Array]] = {
    "lemma3": lemma3,
    "lemma4": lemma4,
    "lemma4_m": lemma4_m,
    "dimension": dimension,
}
