"""The alignment of a weighted kernel with the labels: its value at given weights, and an upper bound over all weights.

::

    (P)  max_{mu >= 0}  a.mu / sqrt(mu'M mu) ,   a_k = <K_k, L> / |L|_F ,   M_kl = <K_k, K_l>_F
    (D)  min_z  sqrt(z'Mz)   subject to   Mz >= a

as ``a.mu <= z'M mu <= sqrt(z'Mz) sqrt(mu'M mu)``. No alignment is above 1. Source: Cortes, Mohri and Rostamizadeh
(2012).
"""

from kernlearn.certificates.certificate import Certificate
from kernlearn.certificates.outputs import EPS
from kernlearn.twofold import dot
from kernlearn.types import Array


def alignment(M: Array, a: Array, mu: Array, z: Array) -> Certificate:
    """Return what is proved of weights: minus their alignment, and minus the largest there may be.

    Parameters
    ----------
    M : array of shape (p, p)
    a, mu : arrays of shape (p,)
    z : array of shape (p,)
        It is stretched until it is feasible. If no multiple is, the bound is 1.
    """
    size, rounding = _norm(M, mu), 8.0 * EPS * len(a) ** 0.5
    reached = dot(a, mu) / size if size > 0.0 else 0.0
    wanted, there = a > 0.0, M @ z
    most = 1.0
    if not wanted.any():
        most = 0.0
    elif (there[wanted] > 0.0).all():
        stretch = float((a[wanted] / there[wanted]).max()) * (1.0 + rounding)
        if (stretch * there >= a)[~wanted].all():
            most = min(1.0, stretch * _norm(M, z))
    return Certificate(-reached, -most - rounding * most, 1.0)


def _norm(M: Array, v: Array) -> float:
    return max(0.0, dot(v, M @ v)) ** 0.5
