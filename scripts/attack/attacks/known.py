"""Every problem of the package held against its oracle: the objective at our predictor, the best value, a bound."""

from dataclasses import dataclass, replace
from math import inf
from typing import Any

import numpy as np

from attacks import oracles
from attacks.gram import Gram, alignment, best_alignment, tails
from attacks.held import ROUNDING, Array, Found, Held, hinge, long, magnitude, norm, reach
from attacks.lp import solve_lp

#: A coefficient of a kernel that has no weight.
LOST = inf


@dataclass
class Known:
    """What is known of one problem, or of several together; see `attacks.held.Held`."""

    ours: Any
    best: Any
    lower: Any
    zero: Any
    violation: Any = 0.0
    rounding: Any = 0.0
    dual_rounding: Any = 0.0

    def __add__(self, other: "Known") -> "Known":
        values = self.ours + other.ours, self.best + other.best, self.lower + other.lower, self.zero + other.zero
        roundings = self.rounding + other.rounding, self.dual_rounding + other.dual_rounding
        return Known(*values, max(self.violation, other.violation), *roundings)

    def held(self, what: str, found: Found) -> Held:
        """Return it beside the claim."""
        values = self.ours, self.best, self.lower, self.zero, self.violation, self.rounding, self.dual_rounding
        return Held(what, found, *(float(value) for value in values))


def with_dual(what: Known, G: Gram, mu: Array, dual: Array | None) -> Known:
    """Return the same with what the errors of the kernels make uncertain of the bound of a dual point."""
    if dual is None or dual.shape != G.K.shape[1:2]:
        return what
    alpha = np.abs(long(dual))
    return replace(what, dual_rounding=alpha @ (np.tensordot(long(mu), G.E, axes=1) @ alpha))


def block_norms(K: Array, coef: Array, mu: Array) -> Any:
    """Return ``sum_k |w_k|^2 / mu_k``, ``w_k = sum_j coef_kj phi_k(x_j)``; infinite where mu_k is 0 and w_k is not."""
    squares = np.array([c @ (k @ c) for k, c in zip(K, coef, strict=True)])
    lost = (mu <= 0) & (np.abs(coef).max(axis=1) > 0)
    return LOST if lost.any() else (squares[mu > 0] / mu[mu > 0]).sum()


def expansion(K: Array, coef: Array, intercept: float) -> Array:
    """Return f at the training examples."""
    return np.einsum("kij,kj->i", K, coef) + long(intercept)


def svm(G: Gram, y: Array, C: float, coef: Array, intercept: float, mu: Array) -> Known:
    """Soft-margin SVM with given weights of the kernels."""
    ours, rounding = _svm_at(G, y, C, coef, intercept, mu)
    _, best, lower = oracles.solve_svm(G.combine(mu), y, C)
    return Known(ours, best, lower, _zero_svm(y, C), rounding=rounding)


def _svm_at(G: Gram, y: Array, C: float, coef: Array, intercept: float, mu: Array) -> tuple[Any, Any]:
    coef, mu = long(coef), long(mu)
    margins, errors = y * expansion(G.raw, coef, intercept), reach(G.reach, coef, ROUNDING * intercept)
    rounding = magnitude(G.reach, coef, mu) / 2 + C * errors[margins < 1 + errors].sum()
    return block_norms(G.raw, coef, mu) / 2 + C * hinge(margins), rounding


def _zero_svm(y: Array, C: float) -> float:
    return C * 2 * min((y > 0).sum(), (y < 0).sum())


def ridge(G: Gram, y: Array, lambda_: float, coef: Array, intercept: float, mu: Array, mean: Any = 0.0) -> Known:
    """Kernel ridge regression with given weights of the kernels, of labels from which a mean is taken."""
    ours, rounding = _ridge_at(G, y, lambda_, coef, intercept, mu)
    _, best, lower = oracles.solve_ridge(G.combine(mu), long(y) - mean, lambda_)
    alpha, errors = np.abs(expansion(G.raw, long(coef), intercept) - y) / lambda_, np.tensordot(long(mu), G.E, axes=1)
    return Known(ours, best, lower, ((long(y) - mean) ** 2).sum() / lambda_, 0.0, rounding, alpha @ errors @ alpha)


def _ridge_at(G: Gram, y: Array, lambda_: float, coef: Array, intercept: float, mu: Array) -> tuple[Any, Any]:
    coef, mu = long(coef), long(mu)
    residual, errors = expansion(G.raw, coef, intercept) - y, reach(G.reach, coef, ROUNDING * intercept)
    rounding = magnitude(G.reach, coef, mu) + 2 * (np.abs(residual) @ errors) / lambda_
    return block_norms(G.raw, coef, mu) + (residual**2).sum() / lambda_, rounding


def mkl(G: Gram, t: Array, y: Array, C: float, p: float, coef: Array, intercept: float, mu: Array) -> Known:
    """Multiple kernel learning of the kernels ``K_k / t_k``, ``||mu t||_p <= 1``."""
    ours, rounding = _svm_at(G, y, C, coef, intercept, mu)
    best, loose = oracles.solve_mkl(G.over(t[:, None, None]), y, C, p), looseness(G, t)
    off, rounding = max(violation(mu * t, p) - loose, 0), rounding + loose * ours
    return Known(ours, best.value, best.lower, _zero_svm(y, C), off, rounding)


def violation(mu: Array, p: float) -> Any:
    """Return by how much ``mu >= 0``, ``||mu||_p <= 1`` does not hold."""
    return max(norm(mu, p) - 1, -mu.min(), 0)


def looseness(G: Gram, t: Array) -> Any:
    """Return what the errors of the kernels make uncertain of their sizes t, as a part."""
    n, traces = len(G.K[0]), np.trace(G.E, axis1=1, axis2=2)
    return (8 * n * traces / t).max() if (np.trace(G.K, axis1=1, axis2=2) > 2 * t).any() else (traces / t).max()


def local_sizes(G: Gram, mu: Array, theta: int, method: str, p: float) -> Array | None:
    """Return the sizes t_k of ``conv``, or those of ``dc`` linearised at its own solution; None if not unique.

    ``s_k = t_k v_k^(1/p)``, ``v_k = sum_{j > theta} u_j' K_k u_j / t_k``, u_j the eigenvectors of ``sum_k nu_k K_k /
    t_k``, ``nu_k = (t_k mu_k)^p``; what t_k is above the tail of kernel k counts in addition.
    """
    t = tails(G, theta)
    if method == "conv":
        return t
    nu = (t * mu / (t * mu).max()) ** p
    values, vectors = np.linalg.eigh(G.combine(nu / t).K.astype(float))
    n = len(values)
    if 0 < theta < n and values[n - theta] - values[n - theta - 1] < 1e-6 * values[-1]:
        return None
    U = long(vectors[:, : max(n - theta, 0)])
    spectra = [np.maximum(np.linalg.eigvalsh(k.astype(float)), 0) for k in G.K]
    beyond = long([values[: max(n - theta, 0)].sum() for values in spectra])
    v = (np.array([(U * (k @ U)).sum() for k in G.K]) + t - beyond) / t
    return t * np.maximum(v, 0) ** (1 / long(p))


def lkrr(
    G: Gram,
    t: Array,
    y: Array,
    penalties: tuple[float, float, int, float],
    coef: Array,
    intercept: float,
    mu: Array,
    mean: Any = 0.0,
) -> Known:
    """Ridge regression with weights of the kernels ``K_k / t_k``; penalties are lambda, Lambda, the norm and mu0."""
    lambda_, Lambda, p, mu0 = penalties
    ours, rounding = _ridge_at(G, y, lambda_, coef, intercept, mu)
    best = oracles.solve_lkrr(G.over(t[:, None, None]), long(y) - mean, lambda_, Lambda, p, mu0)
    weights = long(mu) * t
    off = max(norm((weights - mu0) / Lambda, p) - 1, -weights.min() / Lambda, 0)
    far = looseness(G, t) * (1 + mu0 * len(t) / Lambda)  # of a small ball its middle is the larger part of the weights
    zero = ((long(y) - mean) ** 2).sum() / lambda_
    return Known(ours, best.value, best.lower, zero, max(off - far, 0), rounding + far * ours)


def voted(G: Gram, y: Array, penalties: Array, coef: Array) -> Known:
    """Voted Kernel Regularization and the norm-1 SVM: hinge loss and a weighted l1 norm."""
    coef, m = long(coef), len(y)
    Lambda = np.repeat(penalties, m)
    margins, errors = y * expansion(G.raw, coef, 0.0), reach(G.reach, coef)
    ours = hinge(margins) / m + (Lambda * np.abs(coef).ravel()).sum()
    best = solve_lp(np.concatenate(list(G.raw), axis=1), y, Lambda)
    return Known(ours, best.value, best.lower, 1.0, rounding=errors[margins < 1 + errors].sum() / m)


def multiclass(G: Gram, t: Array, y: Array, C: float, p: float, coef: Array, intercept: Array, mu: Array) -> Known:
    """Multi-class multiple kernel learning, coef of shape (classes, p, n), or (1, p, n) for two classes."""
    coef, intercept, mu = long(coef), long(intercept), long(mu)
    if len(coef) == 1:  # f_1 - f_0
        coef, intercept = np.stack([-coef[0] / 2, coef[0] / 2]), np.stack([-intercept[0] / 2, intercept[0] / 2])
    loose, pairs = looseness(G, t), list(zip(coef, intercept, strict=True))
    errors = np.stack([reach(G.reach, c, ROUNDING * b) for c, b in pairs], axis=1)
    F = np.stack([expansion(G.raw, c, b) for c, b in pairs], axis=1)
    rounding = sum(magnitude(G.reach, c, mu) for c in coef) / 2 + 2 * C * errors.max(axis=1).sum()
    wrong = np.arange(len(coef))[None, :] != y[:, None]
    losses = (wrong + F - F[np.arange(len(y)), y][:, None]).max(axis=1)
    ours = sum(block_norms(G.raw, c, mu) for c in coef) / 2 + C * losses.sum()
    best = oracles.solve_multiclass_mkl(G.over(t[:, None, None]), y, C, p, len(coef))
    off = max(violation(mu * t, p) - loose, 0)
    return Known(ours, best.value, best.lower, C * len(y), off, rounding + loose * ours)


def first_stage(weighting: str, G: Gram, t: Array, y: Array, mu: Array) -> Any:
    """Return by how much weights miss their definition (3.4), (3.5), or the best alignment (3.10); G is centred."""
    mu, p = long(mu), len(G.K)
    if weighting == "unif":
        return np.abs(mu * t * p - 1).max()
    y = long(y) - long(y).mean()
    if weighting == "align":
        rho = np.maximum([alignment(k, y) for k in G.K], 0)
        return np.abs(mu * t - (rho / norm(rho, 2) if rho.any() else 1 / p)).max()  # equal where nothing is aligned
    return best_alignment(G.K, y) - alignment(np.tensordot(mu, G.K, axes=1), y)


def sizes(G: Gram, normalise: str) -> Array:
    """Return what the kernels are divided by, 1 for a kernel that is zero."""
    K = G.K
    size = {
        "none": np.ones(len(K), dtype=np.longdouble),
        "trace": np.trace(K, axis1=1, axis2=2),
        "mean_diagonal": np.trace(K, axis1=1, axis2=2) / K.shape[1],
        "frobenius": np.sqrt((K * K).sum(axis=(1, 2))),
    }[normalise]
    return np.where(size > 0, size, 1)


def complexities(name: str, K: Array, n_features: int, degrees: list[int] | None, radius: float | None) -> Array:
    """Return the r_k of Voted Kernel Regularization (section 5.3 of the paper)."""
    from math import comb

    K, m = long(K), K.shape[1]
    diagonals = np.diagonal(K, axis1=1, axis2=2)
    if name == "lemma3":
        return np.sqrt(diagonals.max(axis=1)) * np.sqrt(diagonals.sum(axis=1)) / m
    if name == "massart":
        return np.sqrt((K**2).sum(axis=1)).max(axis=1) * np.sqrt(2 * np.log(long(2 * m))) / m
    if name == "local":
        spectra = np.maximum(np.array([np.linalg.eigvalsh(k.astype(float)) for k in K]), 0) / m
        return np.sqrt(2 / long(m) * np.minimum(radius, spectra).sum(axis=1))
    count = [n_features] if degrees is None else [comb(n_features + k, k) for k in degrees]
    d = long([float(c) for c in count])
    kappa = diagonals.max(axis=1)
    return {"lemma4": kappa * np.sqrt(d), "lemma4_m": kappa * np.sqrt(d / m), "dimension": np.sqrt(d / m)}[name]
