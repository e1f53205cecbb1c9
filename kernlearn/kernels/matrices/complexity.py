"""Bounds on the empirical Rademacher complexity of the base classes ``H_k`` of Voted Kernel Regularization.

``H_k = { x -> s K_k(x, x') : x' in X, s = +-1 }``, with ``kappa_k^2 = sup_x K_k(x, x)``, the supremum taken over the
training sample. Source: Cortes, Goyal, Kuznetsov and Mohri (2015), section 5.3. The constants of a bound only rescale
lambda, but whether the sample size m is kept decides which lambdas a fixed grid can reach: every reading has a name.

Every measure takes `counts`, shape (m,): how often an example counts. The sample then has as many examples as they add
up to.
"""

from collections.abc import Callable, Iterator
from math import comb

import numpy as np
from numpy.typing import ArrayLike

from kernlearn.errors import UserError
from kernlearn.kernels.core.family import KernelFamily
from kernlearn.kernels.families.polynomial import POLYNOMIALS
from kernlearn.kernels.matrices.gram import GramStack
from kernlearn.types import Array

#: Eigenvalues below minus this part of the largest are negative, not rounding errors.
NEGATIVE = 1e-8


def lemma3(stack: GramStack, counts: Array | None = None) -> Array:
    """Lemma 3: ``r_k = kappa_k sqrt(Tr K_k) / m`` (printed as VKRc), for positive definite kernels, shape (p,)."""
    diagonals = [stack.diagonal(k) for k in range(len(stack))]
    if min(d.min() for d in diagonals) < 0:
        raise UserError(f"algo.complexity=lemma3: the kernel is not positive definite, it has K(x, x) < 0{_ADVICE}")
    m = _size(stack, counts)
    traces = [d.sum() if counts is None else counts @ d for d in diagonals]
    return np.array([np.sqrt(d.max()) * np.sqrt(trace) / m for d, trace in zip(diagonals, traces, strict=True)])


def lemma4(stack: GramStack, counts: Array | None = None) -> Array:
    """Lemma 4 as the paper uses it: ``r_k = kappa_k^2 sqrt(d_k)`` (printed as VKR2), constants and m dropped."""
    return _kappa_squared(stack) * np.sqrt(feature_dimensions(stack))


def lemma4_m(stack: GramStack, counts: Array | None = None) -> Array:
    """Lemma 4 with the sample size kept: ``r_k = kappa_k^2 sqrt(d_k / m)``."""
    return lemma4(stack) / np.sqrt(_size(stack, counts))


def dimension(stack: GramStack, counts: Array | None = None) -> Array:
    """Lemma 4 without the kernel's size: ``r_k = sqrt(d_k / m)``, right for kernels with ``kappa_k = 1``."""
    return np.sqrt(feature_dimensions(stack) / _size(stack, counts))


def massart(stack: GramStack, counts: Array | None = None) -> Array:
    """Massart's lemma: ``r_k = max_j |K_k(., x_j)|_2 sqrt(2 log(2m)) / m``, for any kernel, shape (p,).

    With its centres x' in the sample, as in problem (1), ``H_k`` is a finite set of 2m functions, and the kernel need
    be neither positive definite nor symmetric. Source: Massart (2000), lemma 5.2.
    """
    m, roots = _size(stack, counts), None if counts is None else np.sqrt(counts)[:, None]
    norms = np.array([np.linalg.norm(K if roots is None else roots * K, axis=0).max() for K in _matrices(stack)])
    return norms * np.sqrt(2 * np.log(2 * m)) / m


def local(stack: GramStack, radius: ArrayLike = np.inf, counts: Array | None = None) -> Array:
    """Local complexity: ``r_k(s) = sqrt( (2/m) sum_j min(s, lambda_kj) )``, lambda_kj the eigenvalues of ``K_k / m``.

    It bounds the complexity of the functions h in the unit ball of the reproducing kernel Hilbert space (which holds
    all of ``H_k`` where ``kappa_k <= 1``) with ``E h^2 <= s``, and so tells apart normalised kernels, for which Lemma 3
    is one constant. For ``s = inf`` it is the trace bound ``sqrt(2 Tr(K_k / m) / m)``. Source: section 5.3 and
    problem (2) of the paper.

    Raises `UserError` if a kernel matrix is not symmetric or has a negative eigenvalue.

    Parameters
    ----------
    stack : GramStack of shape (p, m, m)
        Positive definite kernels.
    radius : float or array
        The radius s >= 0, or several: the eigenvalues are computed once for all.
    counts : array of shape (m,), optional

    Returns
    -------
    array of shape (p,), or (len(radius), p)
    """
    m, roots = _size(stack, counts), None if counts is None else np.sqrt(counts)
    weighted = (K if roots is None else roots[:, None] * K * roots for K in _matrices(stack))
    eigenvalues = np.stack([_eigenvalues(K) / m for K in weighted])
    truncated = np.minimum(np.asarray(radius, dtype=float)[..., None, None], eigenvalues)
    return np.sqrt(2 / m * truncated.sum(axis=-1))


def feature_dimensions(stack: GramStack) -> Array:
    """Return ``d_k = C(N + k, k)`` (eq. 3), the feature dimension of a polynomial of degree k in N variables."""
    if stack.family.name == "linear":
        return np.array([float(stack.n_features)])
    return np.array(
        [float(comb(stack.n_features + member["degree"], member["degree"])) for member in stack.family.members]
    )


def require_defined(complexity: str, family: KernelFamily) -> None:
    """Check that a complexity measure is defined for a family.

    Raises `UserError` if it counts features and the kernels are not polynomial: their feature space has no such
    dimension; or if it holds for positive definite kernels and these are not.
    """
    if complexity in ("lemma4", "lemma4_m", "dimension") and family.name not in POLYNOMIALS:
        raise UserError(
            f"algo.complexity={complexity}: counts the features of polynomial kernels, the {family.name} kernel has "
            f"none to count; use algo.complexity={'lemma3' if family.positive_definite else 'massart'}"
        )
    if complexity in ("lemma3", "local") and not family.positive_definite:
        raise UserError(
            f"algo.complexity={complexity}: holds for positive definite kernels, the {family.name} kernel is not"
            f"{_ADVICE}"
        )


_ADVICE = "; use algo.complexity=massart, which holds for any kernel"


def _size(stack: GramStack, counts: Array | None) -> float:
    """Return how many examples there are."""
    return stack.shape[1] if counts is None else float(counts.sum())


def _kappa_squared(stack: GramStack) -> Array:
    return np.array([stack.diagonal(k).max() for k in range(len(stack))])


def _matrices(stack: GramStack) -> Iterator[Array]:
    """Yield the kernel matrices, one at a time in memory."""
    return (stack.select(k).matrix(0) for k in range(len(stack)))


def _eigenvalues(K: Array) -> Array:
    """Return the eigenvalues of a positive definite matrix, none of them below zero."""
    if not np.allclose(K, K.T, rtol=NEGATIVE, atol=NEGATIVE * np.abs(K).max()):
        raise UserError(f"algo.complexity=local: the kernel matrix is not symmetric{_ADVICE}")
    eigenvalues = np.linalg.eigvalsh(K)
    if eigenvalues[0] < -NEGATIVE * eigenvalues[-1]:
        raise UserError(
            "algo.complexity=local: the kernel matrix is not positive definite, it has the eigenvalue "
            f"{eigenvalues[0]:.3g}{_ADVICE}"
        )
    return np.maximum(eigenvalues, 0.0)


#: Complexity measures by name: each maps a training stack to the penalties r_k, shape (p,); `local` takes radii too.
COMPLEXITIES: dict[str, Callable[..., Array]] = {
    "lemma3": lemma3,
    "lemma4": lemma4,
    "lemma4_m": lemma4_m,
    "dimension": dimension,
    "massart": massart,
    "local": local,
}
