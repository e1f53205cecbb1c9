"""The combination of kernels that is best aligned with the labels.

::

    max_{||mu||_2 = 1}  <K_mu_c, yy'>_F / ||K_mu_c||_F  =  (mu.a) / sqrt(mu'M mu) ,                           (3.9)
    a_k = <K_kc, yy'>_F ,    M_kl = <K_kc, K_lc>_F

over all mu (proposition 3.2) or over mu >= 0 (3.10), where it is a non-negative least squares problem (proposition
3.3). Source: Rostamizadeh (2010), section 3.2; Cortes, Mohri and Rostamizadeh (2012).
"""

from dataclasses import replace

import numpy as np

from kernlearn.certificates.alignment import alignment
from kernlearn.kernels import KernelStack
from kernlearn.kernels.matrices.centring import alignments, products_of
from kernlearn.solvers import Solution, solve_nnqp
from kernlearn.solvers.core.solution import certified
from kernlearn.types import Array

#: Eigenvalues of M, in units in which its diagonal is one, below this part of the largest count as zero.
SINGULAR = 1e-10


def solve_alignf(stack: KernelStack, y: Array, *, tol: float = 1e-9) -> Solution:
    """Solve (3.10), ``v* = argmin_{v >= 0} v'Mv - 2 v.a`` (3.11), ``mu* = v* / ||v*||``.

    Parameters
    ----------
    stack : KernelStack of shape (p, n, n)
        It is centred here.
    y : array of shape (n,)
        Labels +-1 or real ones.
    tol : float
        Relative duality gap.

    Returns
    -------
    Solution
        ``x`` are the weights mu of the kernels as given, of norm 1; all zero if no kernel has anything to do with the
        labels. ``objective`` is minus the alignment reached, ``dual_objective`` minus an upper bound of what can be.
    """
    cosines, rho, norms = _cosines(stack, y)
    solution = solve_nnqp(cosines, rho, tol)
    v = np.divide(solution.x, norms, out=np.zeros(len(norms)), where=norms > 0)
    mu = v / (np.linalg.norm(v) or 1.0)
    return certified(replace(solution, x=mu), alignment(cosines, rho, mu * norms, solution.dual), tol)


def solve_alignf_linear(stack: KernelStack, y: Array) -> Array:
    """Return ``mu* = M^-1 a / ||M^-1 a||`` (proposition 3.2), some of it negative as a rule, shape (p,).

    Where M is singular it is the pseudo-inverse; K_mu need not be positive semidefinite.
    """
    cosines, rho, norms = _cosines(stack, y)
    x = np.linalg.lstsq(cosines, rho, rcond=SINGULAR)[0]
    v = np.divide(x, norms, out=np.zeros(len(norms)), where=norms > 0)
    return v / (np.linalg.norm(v) or 1.0)


def weigh(stack: KernelStack, y: Array, sizes: Array, Lambda: float = 1.0) -> Array:
    """Return the weights (3.10) of the kernels ``K_k / t_k``, of norm Lambda, shape (p,)."""
    return _scaled(solve_alignf(stack, y).x * sizes, Lambda)


def weigh_linear(stack: KernelStack, y: Array, sizes: Array, Lambda: float = 1.0) -> Array:
    """Return the weights of proposition 3.2 of the kernels ``K_k / t_k``, of norm Lambda, shape (p,)."""
    return _scaled(solve_alignf_linear(stack, y) * sizes, Lambda)


def _scaled(mu: Array, Lambda: float) -> Array:
    return Lambda * mu / (np.linalg.norm(mu) or 1.0)


def _cosines(stack: KernelStack, y: Array) -> tuple[Array, Array, Array]:
    """Return M and a for centred kernels of Frobenius norm one, and these norms."""
    stack = stack.centred()
    M = products_of(stack)
    norms = np.sqrt(np.maximum(np.diagonal(M), 0.0))
    units = np.where(norms > 0, norms, 1.0)
    return M / units[:, None] / units, alignments(stack, y), norms
