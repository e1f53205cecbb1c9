"""Alignment of kernels with each other and with labels.

Source: Rostamizadeh (2010), section 2.3 (centred: definition 2.4; without centring: (2.41)).
"""

import numpy as np

from kernlearn.kernels.core.stack import KernelStack
from kernlearn.kernels.matrices.centring import centre, norms_of, products_of
from kernlearn.types import Array

#: Alignments above this are never rounding.
FAINT = 1e-6
#: Relative rounding error of the sums of products that an alignment is made of.
ROUNDING = 16.0 * float(np.finfo(np.float64).eps)


def alignment(K: Array, L: Array, *, centred: bool = True) -> float:
    """Return ``<K_c, L_c>_F / (||K_c||_F ||L_c||_F)`` (definition 2.4); without centring ``Ahat(K, L)`` (2.41).

    0 if one of them is zero, which has no angle to anything.
    """
    if centred:
        K, L = centre(K), centre(L)
    size = np.linalg.norm(K) * np.linalg.norm(L)
    return float(np.vdot(K, L) / size) if size > 0 else 0.0


def alignments(stack: KernelStack, y: Array, *, centred: bool = True) -> Array:
    """Return the alignment of every kernel with ``K_Y = yy'``, shape (p,).

    ``<K, yy'>_F = y'Ky`` and ``||yy'||_F = |y|^2``. For rank-1 kernels ``vv'`` it is the squared correlation of v and
    y, at O(n) each.
    """
    if centred:
        stack, y = stack.centred(), y - y.mean()
    sizes = norms_of(stack) * (y @ y)
    return np.divide(stack.quadratic(y), sizes, out=np.zeros(len(stack)), where=sizes > 0)


def unaligned(stack: KernelStack, y: Array) -> bool:
    """Return whether no kernel has an alignment with the labels that is more than rounding.

    Rounding of kernel values, of the size of the largest before centring, moves an alignment by its ratio to the norm.
    """
    rho, p = alignments(stack, y), len(stack)
    if rho.max() > FAINT:
        return False
    norms, largest = norms_of(stack), np.array([stack.largest_given(one) for one in np.eye(p)])
    return bool((rho * norms <= ROUNDING * largest).all())


def alignment_by_products(stack: KernelStack, mu: Array, y: Array) -> Array:
    """Return the centred alignment of ``K_mu`` with ``yy'`` (definition 2.4), shape (1,), without making K_mu."""
    stack, y = stack.centred(), y - y.mean()
    size = float(np.sqrt(max(float(mu @ products_of(stack) @ mu), 0.0)) * (y @ y))
    return np.array([mu @ stack.quadratic(y) / size if size > 0 else 0.0])
