"""Tail sums of the eigenvalues of a kernel matrix, the local Rademacher complexity of its hypotheses.

``tail_theta(K) = Tr K - (lambda_1 + ... + lambda_theta)``, the eigenvalues in decreasing order. Source: Cortes, Kloft
and Mohri (2013), section 3; the theta largest eigenvalues come from the Lanczos method in O(n^2 theta).
"""

from collections.abc import Iterator

import numpy as np
from scipy.linalg import eigh
from scipy.sparse.linalg import ArpackError, eigsh

from kernlearn.kernels.core.stack import KernelStack
from kernlearn.types import Array

#: Lanczos is used for at most this part of the spectrum; beyond it the dense method is as fast.
LANCZOS_PART = 0.05
#: Eigenvalues that differ by at most this part of the largest one are equal: rounding moves them by less.
TIE = 1e-12
#: A tail below this part of the trace is rounding: the rank of the kernel is not above theta.
ZERO_TAIL = 1e-12


def leading(K: Array, theta: int) -> tuple[Array, Array]:
    """Return the theta largest eigenvalues of a symmetric matrix and their eigenvectors, (theta,) and (n, theta)."""
    n = len(K)
    theta = min(theta, n)
    if theta == 0 or not K.any():
        return np.zeros(theta), np.eye(n, theta)
    if theta <= LANCZOS_PART * n:
        start = np.random.default_rng(0).standard_normal(n)  # not 1, to which a centred kernel is orthogonal
        try:
            return eigsh(K, k=theta, which="LA", v0=start)
        except ArpackError:
            pass  # a cluster of eigenvalues at the cut: all of them then
    values, vectors = eigh(K, driver="evd")  # "evr", for some alone, loses those that are equal
    return values[n - theta :], vectors[:, n - theta :]


def head(K: Array, theta: int) -> float:
    """Return the sum of the theta largest eigenvalues of a positive semidefinite matrix."""
    return float(np.maximum(leading(K, theta)[0], 0.0).sum())


def tail_sums(stack: KernelStack, theta: int) -> Array:
    """Return ``tail_theta(K_k)`` of every kernel, 0 where the rank is at most theta, shape (p,)."""
    return _without_rounding(stack.traces() - stack.heads(theta), stack.traces())


def linear_tails(stack: KernelStack, mu: Array, theta: int) -> Array:
    """Return ``v_k = sum_{j > theta} u_j' K_k u_j``, u_j the eigenvectors of K_mu, shape (p,).

    It is a supergradient of the concave function ``tail_theta(K_mu)`` of mu: ``tail_theta(K_nu) <= v.nu`` for every nu,
    with equality for ``nu = mu`` (section 3.3).
    """
    return _tails_without(stack, leading(stack.combine(mu), theta)[1])


def tied_tails(stack: KernelStack, mu: Array, theta: int) -> Iterator[Array]:
    """Yield further supergradients where the eigenvalues theta and theta + 1 of K_mu are equal, one for each kernel.

    There the theta eigenvectors that are left out are not unique; those that leave least of kernel k yield a v whose
    ``v_k`` is the slope of the tail where ``mu_k`` grows. Where the eigenvalues differ there is nothing to yield, for
    the tail is differentiable.
    """
    K = stack.combine(mu)
    if not 0 < theta < len(K):
        return
    ends = leading(K, theta + 1)[0]
    if np.ptp(np.sort(ends)[:2]) > TIE * ends.max():
        return
    values, vectors = eigh(K, driver="evd")
    cut, margin = values[-theta], TIE * values[-1]
    above, equal = vectors[:, values > cut + margin], vectors[:, np.abs(values - cut) <= margin]
    for k in range(len(stack)):
        part = equal.T @ stack.combine(np.eye(len(stack))[k]) @ equal
        chosen = equal @ leading(part, theta - above.shape[1])[1]
        yield _tails_without(stack, np.hstack([above, chosen]))


def _tails_without(stack: KernelStack, vectors: Array) -> Array:
    """Return ``Tr K_k - sum_j u_j' K_k u_j`` for orthonormal columns u_j."""
    v = stack.traces()
    for u in vectors.T:
        v = v - stack.quadratic(u)
    return _without_rounding(v, stack.traces())


def _without_rounding(tails: Array, traces: Array) -> Array:
    return np.where(tails > ZERO_TAIL * traces, tails, 0.0)
