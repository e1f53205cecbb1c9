"""Kernel matrices with what is uncertain of them."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import nnls

from attacks.data import Less
from attacks.held import ROUNDING, Array, centred, columns, long, rows

#: Eigenvalues below this part of the largest are left out of a factor of a kernel.
RANK = 1e-14
#: A kernel whose centred part has a mean diagonal below this part of its largest entry counts as constant, as zero.
CONSTANT = 1e-13


@dataclass
class Gram:
    """Kernel matrices, p of them or one.

    Attributes
    ----------
    K, E : array
        The matrices of the problem, centred if asked for, and what their entries may be wrong by.
    raw, reach : array
        The matrices as a predictor meets them, and what it may lose with them.
    """

    K: Array
    E: Array
    raw: Array
    reach: Array

    @classmethod
    def of(cls, K: Array, centre: bool, less: Less | None = None) -> "Gram":
        """Return given matrices (p, n, n), centred in feature space (2.37) if asked for; an entry may be rounded once.

        What is centred may be given without a constant (`less`), which no predictor of it sees either.
        """
        raw, E = (long(K), ROUNDING * np.abs(long(K))) if less is None or not centre else (less.K, less.E)
        if not centre:
            return cls(raw, E, raw, E)
        E = E + 2 * (rows(E) + columns(E) + rows(columns(E)))
        K = centred(raw)
        size = len(K[0]) * np.abs(raw).max(axis=(1, 2))
        constant = np.trace(K, axis1=1, axis2=2) <= CONSTANT * size
        return cls(np.where(constant[:, None, None], 0, K), E, raw, E)

    def over(self, size: Any) -> "Gram":
        """Return the kernels divided by a size, or each by its own."""
        return Gram(self.K / size, self.E / size, self.raw / size, self.reach / size)

    def combine(self, mu: Array) -> "Gram":
        """Return ``sum_k mu_k K_k``; what keeps it from being positive semidefinite counts as an error."""
        mu = long(mu)
        K, E, raw, reach = (np.tensordot(mu, A, axes=1) for A in (self.K, self.E, self.raw, self.reach))
        values = np.linalg.eigvalsh(K.astype(float)) if np.isfinite(K).all() else np.zeros(1)
        return Gram(K, E + (max(-values[0], 0.0) + ROUNDING * abs(values[-1])) * np.eye(len(K)), raw, reach)

    def one(self, k: int) -> "Gram":
        """Return kernel k alone, as a stack of one."""
        return Gram(self.K[[k]], self.E[[k]], self.raw[[k]], self.reach[[k]])

    @property
    def scale(self) -> float:
        """The mean of the diagonals."""
        return float(np.trace(self.K, axis1=-2, axis2=-1).mean()) / self.K.shape[-1] or 1.0


def factor(K: Array) -> Array:
    """Return R with ``RR' = K``, of as many columns as K has rank."""
    values, vectors = np.linalg.eigh(K.astype(float))
    kept = values > RANK * max(values[-1], 0.0)
    return vectors[:, kept] * np.sqrt(values[kept])


def tails(G: Gram, theta: int) -> Array:
    """Return ``sum_{j > theta} lambda_j(K_k)``: at least 1e-6 of the trace, and 1 for a kernel that is zero."""
    found = []
    for k in G.K:
        values = np.maximum(np.linalg.eigvalsh(k.astype(float)), 0.0)
        tail = values[: max(len(values) - theta, 0)].sum()
        found.append(max(tail, 1e-6 * np.trace(k)) if np.trace(k) > 0 else 1.0)
    return long(found)


def best_alignment(K: Array, y: Array) -> Any:
    """Return the largest centred alignment with yy' of a non-negative combination (3.10), K centred."""
    y = long(y) - long(y).mean()
    units = np.sqrt((K * K).sum(axis=(1, 2)))
    K = K[units > 0] / units[units > 0][:, None, None]
    if not len(K) or not y.any():
        return long(0.0)
    flat = K.reshape(len(K), -1).astype(float)
    target = np.outer(y, y) / (y @ y)
    v, _ = nnls(flat.T, target.ravel().astype(float))
    return alignment(np.tensordot(v, K, axes=1), y) if v.any() else long(0.0)


def alignment(K: Array, y: Array) -> Any:
    """Return ``<K, yy'>_F / (||K||_F ||yy'||_F)`` of a centred kernel and centred labels."""
    size = np.sqrt((K * K).sum()) * (y @ y)
    return y @ K @ y / size if size > 0 else long(0.0)
