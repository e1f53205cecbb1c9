"""Functions on a graph: label propagation and spreading, the spectral graph transducer, machines on its eigenvectors.

Propagation and spreading, with weights W of the edges and indicators Y of the labels (zero rows without one)::

    (P1)  min_F  1/4 sum_ij W_ij |F_i - F_j|^2   subject to   F = Y on labelled examples
    (P2)  min_F  1/2 tr F'AF - (1 - alpha) tr Y'F ,   A = I - alpha S

The minimum of (P1) is in [0, 1]; there ``1/2 tr F'LF >= tr F'LG - 1/2 tr G'LG`` for any G. No eigenvalue of A is below
``1 - alpha``: a gradient g proves ``(P2) - min (P2) <= |g|^2 / (2 (1 - alpha))``.

The transducer, with eigenvectors V at the labelled examples, ``Q_ii = i^2``, weights P and targets tau::

    (P3)  min_z  1/2 z'Qz + C (Vz - tau)'P(Vz - tau)    subject to  z.z = n

For a multiplier lambda below all eigenvalues of ``Q + 2C V'PV``, ``(P3) - lambda/2 (z.z - n)`` is convex, and with its
gradient g at z nowhere on the sphere less than its value at z by more than ``|g| (|z| + sqrt(n))``.

Machines on eigenvectors u_j at the labelled examples have outputs in a band, or not (B infinite)::

    (P4)  min_{delta,w,b}  1/2 sum_j w_j^2 / delta_j + C sum_i max(0, 1 - y_i f_i)   subject to  |f_i| <= B ,
                           f_i = sum_j w_j u_ij + b
    (D4)  max              sum_i alpha_i - B sum_i (beta_i + eta_i) - 1/2 s(z^2) ,  z_j = sum_i gam_i u_ij
          subject to       gam = alpha o y - beta + eta,  1.gam = 0,  0 <= alpha <= C,  beta, eta >= 0

with the largest ``s(v) = delta.v`` of the weights delta that are allowed.

Sources: Zhu and Ghahramani (2002); Zhou et al. (2004); Joachims (2003); Shivaswamy (2010), chapter 5.
"""

from collections.abc import Callable

import numpy as np
from scipy import sparse

from kernlearn.certificates.certificate import Certificate
from kernlearn.certificates.outputs import EPS, Outputs
from kernlearn.certificates.svm import balanced, hinge, imbalance, zero_value
from kernlearn.twofold import add_products, total
from kernlearn.types import Array


def propagation(weights: sparse.csr_array, Y: Array, F: Array) -> Certificate:
    """Return what is proved of the values F of label propagation, in [0, 1], those of `Y` where there is a label.

    Parameters
    ----------
    weights : csr_array of shape (n, n)
    Y, F : arrays of shape (n, 2)
    """
    W = sparse.coo_array(weights)
    labelled = (Y != 0).any(axis=1)
    violation = float(np.abs(F - Y)[labelled].max(initial=0.0))
    i, j, w = W.row, W.col, W.data[:, None]
    steps = w * (F[i] - F[j])
    objective = 0.25 * total((steps * (F[i] - F[j])).ravel())
    LF, sizes = np.zeros_like(F), np.zeros_like(F)
    np.add.at(LF, i, steps)
    np.add.at(sizes, i, np.abs(steps))
    unsure = EPS * (2.0 + np.sqrt(np.bincount(i, minlength=len(F))))[:, None] * sizes
    free = np.minimum(0.0, LF - unsure)[~labelled]
    bound = total((Y * LF)[labelled].ravel()) + total(free.ravel()) - objective
    bound -= total(unsure[labelled].ravel()) + 4.0 * EPS * objective
    zero = 0.25 * total((w * (Y[i] - Y[j]) ** 2).ravel())
    return Certificate(objective, bound, zero, violation)


def spreading(A: sparse.csc_array, Y: Array, F: Array, alpha: float) -> Certificate:
    """Return what is proved of the values F of label spreading.

    Parameters
    ----------
    A : csc_array of shape (n, n)
        ``I - alpha S``.
    Y, F : arrays of shape (n, 2)
    alpha : float in (0, 1)
    """
    AF, part = A @ F, 1.0 - alpha
    unsure = EPS * np.sqrt(2.0 + np.diff(sparse.csr_array(A).indptr))[:, None] * (abs(A) @ np.abs(F) + part * Y)
    objective = total((0.5 * F * AF - part * Y * F).ravel())
    gradient = np.abs(AF - part * Y) + unsure
    bound = objective - total((gradient**2).ravel()) / (2.0 * part) - total((np.abs(F) * unsure).ravel())
    return Certificate(objective, bound, abs(objective))


def transducer(V: Array, P: Array, tau: Array, n: float, C: float, z: Array, multiplier: float) -> Certificate:
    """Return what is proved of the coefficients z of the spectral graph transducer.

    Parameters
    ----------
    V, P, tau, z : arrays of shapes (l, q), (l,), (l,) and (q,)
    n, C : float
    multiplier : float
        The lambda of the sphere.
    """
    Q = np.arange(1.0, V.shape[1] + 1.0) ** 2
    residual = V @ z - tau
    G = 2.0 * C * (V.T * P) @ V
    G.flat[:: len(G) + 1] += Q
    values = np.linalg.eigvalsh(G)
    lacking = max(0.0, multiplier - float(values[0])) + EPS * float(np.abs(values).max())  # of being convex
    gradient = Q * z + 2.0 * C * V.T @ (P * residual) - multiplier * z
    square = total(z * z)
    objective = 0.5 * total(Q * z * z) + C * total(P * residual * residual)
    far = float(np.linalg.norm(gradient)) * (np.sqrt(square) + np.sqrt(n))
    unsure = 8.0 * EPS * (objective + C * total(P * (np.abs(V) @ np.abs(z) + np.abs(tau)) * np.abs(residual)))
    convex = 0.5 * lacking * (np.sqrt(square) + np.sqrt(n)) ** 2
    bound = objective - 0.5 * multiplier * (square - n) - far - convex - unsure
    return Certificate(objective, bound, C * total(P * tau * tau) + 0.5 * n, abs(square - n) / n)


def machine(
    F: Array,
    y: Array,
    w: Array,
    intercept: float,
    delta: Array,
    multipliers: Array,
    C: float,
    B: float,
    support: Callable[[Array], float],
) -> Certificate:
    """Return what is proved of a machine on eigenvectors of a graph.

    A band is kept to as in `kernlearn.certificates.band`: see `Certificate.stretch`.

    Parameters
    ----------
    F, y : arrays of shapes (l, q) and (l,)
        The eigenvectors at the labelled examples, and their labels +-1.
    w, intercept, delta : arrays of shape (q,), and float
    multipliers : array of shape (3, l)
        alpha, beta and eta; they are cut to their bounds, and balanced.
    C, B : float
    support : callable
        The largest ``delta.v`` for an array v >= 0 of shape (q,).
    """
    high, low, squares = np.zeros(len(y)), np.zeros(len(y)), np.zeros(len(y))
    add_products(F, w, high, low, squares)
    f = Outputs(high, low, EPS * np.abs(high)).plus(intercept)
    widest, bounds = float(f.largest().max()), np.full(len(y), C)
    shrink = min(1.0, B / widest) if widest > 0.0 else 1.0
    loss, more = hinge(f.times(shrink), y, bounds)
    used = delta > 0.0
    square = np.inf if w[~used].any() else total(w[used] ** 2 / delta[used])
    objective = 0.5 * shrink**2 * square + loss  # (P4)
    alpha, outer = np.clip(multipliers[0], 0.0, C), np.maximum(multipliers[1:], 0.0)
    terms = balanced(np.stack([alpha * y, -outer[0], outer[1]]))
    alpha, outside = np.abs(terms[0]), total(np.abs(terms[1:]).ravel())
    gam = terms.sum(axis=0)
    z = F.T @ gam
    off = EPS * np.sqrt(len(y)) * (np.abs(F).T @ np.abs(gam))
    square, most = support(z * z), support((np.abs(z) + off) ** 2)
    lower = total(alpha) - (B * outside if outside else 0.0) - 0.5 * square  # (D4)
    rounding = more + 0.5 * (most - square) + imbalance(gam, f) + 8.0 * EPS * (objective + total(alpha))
    return Certificate(objective, lower - rounding, zero_value(y, bounds), stretch=shrink)
