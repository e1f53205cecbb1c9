"""Oracles of the methods for two classes that use one kernel at a time, beside the SVM, written anew from papers."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator

from attacks import known, oracles, spread
from attacks.data import draw_penalty
from attacks.gram import Gram, factor
from attacks.held import ROUNDING, Array, Found, best_bias, hinge, long
from attacks.known import Known

Values = dict[str, Any]
#: A margin below this part of the radius counts as none, as the hard-margin SVM has it; what is near is not decided.
NO_MARGIN = 1e-4
#: A bound on multipliers of a problem that has none.
FREE = 1e10


@dataclass(frozen=True)
class Oracle:
    """How a method is attacked.

    Attributes
    ----------
    draw : callable
        ``draw(rng, K)``: what it is told.
    hold : callable
        ``hold(K, y, told, values, said)``: what is known of its point, of kernel K alone, shape (1, n, n); None where
        the problem has no answer.
    unit : callable, optional
        ``unit(told, s)`` for the kernel times s: what it is told then, and the factor of the objective.
    ordered : bool
        Whether it is another run where the examples stand in another order.
    """

    draw: Callable[[Generator, Array], Values]
    hold: Callable[[Array, Array, Values, Values, Found], Known | None]
    unit: Callable[[Values, float], tuple[Values, float]] | None = None
    ordered: bool = True


def _some(rng: Generator, unit: float, low: float = -4.0, high: float = 4.0) -> list[float]:
    return sorted({draw_penalty(rng, unit, low, high) for _ in range(rng.integers(1, 4))})


def _size(K: Array) -> float:
    return float(np.mean(np.diagonal(K, axis1=1, axis2=2))) or 1.0


def _machine(G: Gram, y: Array, C: float, said: Found) -> tuple[Any, Any]:
    """Return ``1/2 |w|^2 + C sum hinge`` at a predictor, and its rounding."""
    return known._svm_at(G, y, C, said.coef[0], said.intercept[0], np.ones(1))


def box_program(K: Array, y: Array, C: float) -> Array:
    """Return ``beta = a y`` for the a that maximises the dual of the SVM without bias."""
    n, s = len(y), float(np.trace(K)) / len(K) or 1.0
    rows, upper = np.vstack([np.eye(n), -np.eye(n)]), np.full(n, C * s)
    P = (y[:, None] * K * y / s).astype(float) + 1e-15 * np.eye(n)
    a = oracles.quadratic_program(P, -np.ones(n), rows, np.concatenate([upper, np.zeros(n)]), 0)
    return long(np.clip(np.nan_to_num(a), 0.0, C * s) * y) / s


def svm_through_origin(G: Gram, y: Array, C: float) -> tuple[Any, Any]:
    """Return (P) and (D) of the SVM without bias, at a feasible point of each."""
    K, found = G.K[0], [long(np.zeros(len(y))), box_program(G.K[0], y, C)]
    lower = max((beta * y).sum() - beta @ K @ beta / 2 for beta in found)
    errors = [(G.E[0] @ np.abs(beta)) for beta in found]
    values = [
        beta @ K @ beta / 2 + np.abs(beta) @ e / 2 + C * hinge(y * (K @ beta) - e)
        for beta, e in zip(found, errors, strict=True)
    ]
    return min(values), lower


def _soft(K: Array, y: Array, told: Values, values: Values, said: Found) -> Known:
    """(15.5), (15.6) with their mean loss: the SVM in other units."""
    unit = 2.0 * values["lambda"]
    C, homogenous = 1.0 / (unit * len(y)), told["homogenous"]
    G = Gram.of(K, not homogenous)
    ours, rounding = _machine(G, y, C, said)
    best, lower = svm_through_origin(G, y, C) if homogenous else oracles.solve_svm(G.combine(np.ones(1)), y, C)[1:]
    alpha = np.abs(long(said.dual)) / unit
    return Known(*(unit * v for v in (ours, best, lower, C * len(y), 0.0, rounding, alpha @ G.E[0] @ alpha)))


def _sgd(K: Array, y: Array, told: Values, values: Values, said: Found) -> Known:
    """(15.12) at the mean of the iterates, with the bound of (D)."""
    lambda_ = values["lambda"]
    G, C = Gram.of(K + told["constant"] ** 2, False), 1.0 / (lambda_ * len(y))
    inner = Found(said.coef, np.zeros(1), None, 0.0, 0.0, 0.0, "")
    ours, rounding = _machine(G, y, C, inner)
    best, lower = svm_through_origin(G, y, C)
    alpha = np.abs(long(said.dual)) / lambda_
    return Known(*(lambda_ * v for v in (ours, best, lower, C * len(y), 0.0, rounding, alpha @ G.E[0] @ alpha)))


def separation(K: Array, y: Array, homogenous: bool) -> tuple[Any, Any]:
    """Return ``|w|^2`` of a hyperplane with margins of 1 (infinite if none was found), and a lower bound."""
    G = Gram.of(K, not homogenous)
    matrix, radius = G.K[0], float(np.diagonal(K[0]).max()) or 1.0
    value, lower = long(np.inf), long(0.0)
    for C in (1e3 / radius, 1e6 / radius, FREE / radius):
        beta = box_program(matrix, y, C) if homogenous else oracles.solve_svm(G.combine(np.ones(1)), y, C)[0]
        f, norm2 = matrix @ beta, beta @ matrix @ beta
        b = 0.0 if homogenous else -(f[y > 0].min() + f[y < 0].max()) / 2
        margin = (y * (f + b)).min() - (G.E[0] @ np.abs(beta)).max()
        if margin > 0:
            value = min(value, norm2 / margin**2)
        a = np.maximum(beta * y, 0) if homogenous else oracles.feasible_alpha(beta * y, y, FREE)
        if (below := (a * y) @ matrix @ (a * y)) > 0:
            lower = max(lower, a.sum() ** 2 / below)
    return value, lower


def _hard(K: Array, y: Array, told: Values, values: Values, said: Found) -> Known | None:
    """(15.2), (15.3); where nothing is separated, that."""
    homogenous, G = told["homogenous"], Gram.of(K, not told["homogenous"])
    best, lower = separation(K, y, homogenous)
    if said.status == "not separable":
        hidden = best > 1.0 / (NO_MARGIN**2 * np.diagonal(K[0]).max())
        return None if hidden else Known(np.inf, best, lower, best)
    coef, errors = long(said.coef[0]), known.reach(G.reach, long(said.coef[0]), ROUNDING * said.intercept[0])
    f = known.expansion(G.raw, coef, said.intercept[0])
    ours, off = coef[0] @ G.raw[0] @ coef[0], 1 - ((y * f) + errors).min()
    rounding = known.magnitude(G.reach, coef, np.ones(1)) + 2 * errors.max() * ours
    alpha = np.abs(long(said.dual))
    return Known(ours, best, lower, best, max(off, 0), rounding, 2 * alpha @ G.E[0] @ alpha)


def _perceptron(K: Array, y: Array, told: Values, values: Values, said: Found) -> Known:
    """Count the examples that are not on their side, and the bounds of what a run proves."""
    K = K + told["constant"] ** 2
    beta = long(said.coef[0][0])
    margins, errors = y * (long(K[0]) @ beta), ROUNDING * np.abs(K[0]) @ np.abs(beta)
    # What rounding, that of kernel values included, cannot tell from 0 is 0 in the decision function, and no margin.
    margins = np.where(said.facts["outputs"][0] == 0.0, 0.0, margins)
    wrong, close = float((margins <= 0).sum()), float((np.abs(margins) <= errors).sum())
    updates, margin = float(said.facts["updates"][0]), float(said.facts["margin"][0])
    off = abs(np.abs(beta).sum() - updates) if (np.abs(beta) == np.round(np.abs(beta))).all() else np.inf
    norm2, radius2 = beta @ long(K[0]) @ beta, np.diagonal(K[0]).max()
    off = max(off, norm2 / (updates * radius2 or 1.0) - 1 - 1e-9, 0)  # |w|^2 <= T rho^2, whatever the data
    if not wrong and margin > 0:
        best, lower = separation(K, y, True)
        gamma2 = 1.0 / best if best > 0 else 0.0  # a margin that there is, so that gamma is not less
        off = max(off, updates * gamma2 / radius2 - 1 - 1e-6)  # T <= (rho/gamma)^2
        off = max(off, margin**2 * lower - 1 - 1e-6, gamma2 / float(said.facts["margin_bound"][0]) ** 2 - 1 - 1e-6)
    return Known(wrong, 0.0, 0.0, float(len(y)), off, close, close)


def _klda(K: Array, y: Array, told: Values, values: Values, said: Found) -> Known:
    """Hold the regularised quadratic of the discriminant; its solution by refined linear equations."""
    K = long(K[0])
    means = [K[:, y == sign].mean(axis=1) for sign in (1.0, -1.0)]
    within = K - np.where(y[None, :] > 0, means[0][:, None], means[1][:, None])
    A, d = within @ within.T, means[0] - means[1]
    A = A + (values["mu"] * (K * K).sum() / len(y) or long(1.0)) * np.eye(len(y))
    exact = oracles.refined(A, d) if np.diagonal(A).all() else 0 * d
    alpha = long(said.coef[0][0])
    ours, best = (a @ A @ a - 2 * a @ d for a in (alpha, exact))
    size = np.abs(K).max()
    rounding = ROUNDING * len(y) * (np.abs(alpha).sum() * 4 * size + (np.abs(alpha).sum() * size) ** 2 * len(y))
    return Known(ours, best, -np.inf, abs(best), rounding=rounding, dual_rounding=rounding)


def _means(K: Array, y: Array, told: Values, values: Values, said: Found) -> Known:
    """Hold the scatter about the means, and f as the difference of squared distances to them."""
    K = long(K[0])
    c = [np.where(y == sign, 1 / long((y == sign).sum()), 0) for sign in (1.0, -1.0)]
    distances = [np.diagonal(K) - 2 * K @ one + one @ K @ one for one in c]
    apart = (c[0] - c[1]) @ K @ (c[0] - c[1])
    size = np.abs(K).max()
    f = K @ long(said.coef[0][0]) + long(said.intercept[0])
    off = 0.0
    if apart > 1e-6 * size:
        off = np.abs(f * apart - (distances[1] - distances[0])).max() / size - 1e-9
    scatter = np.where(y > 0, distances[0], distances[1]).sum()
    rounding = 8 * ROUNDING * len(y) * size
    return Known(scatter, scatter, scatter, np.trace(K), max(off, 0), rounding, rounding)


def _ridge_mean(K: Array, y: Array, told: Values, values: Values, said: Found) -> Known:
    """(16.8), which is lambda times ridge regression at 2 lambda m."""
    centre, ridge = told["centre"], 2.0 * values["lambda"] * len(y)
    mean = long(y).mean() if centre else 0.0
    what = known.ridge(Gram.of(K, centre), y, ridge, said.coef[0], said.intercept[0], np.ones(1), mean)
    unit = values["lambda"]
    return Known(*(unit * v for v in (what.ours, what.best, what.lower, what.zero, 0.0, what.rounding)))


def _whitened(K: Array, y: Array, told: Values, values: Values, said: Found) -> Known:
    """(2.4), by whitening the coordinates of the examples."""
    G, n, D, C = Gram.of(K, True), len(y), values["D"], values["C"]
    t = np.trace(K[0]) / n or 1.0
    coef = long(said.coef[0][0])
    projected = G.raw[0] @ coef
    quadratic = (1 - D) * (coef @ projected) + D / t * ((projected - projected.mean()) ** 2).mean()
    _, rounding = _machine(G, y, C, said)
    ours = quadratic / 2 + C * hinge(y * (projected + long(said.intercept[0])))
    F = factor(G.K[0])
    M = (1 - D) * np.eye(F.shape[1]) + D / (n * t) * F.T @ F
    matrix = long(F @ np.linalg.solve(M, F.T)) if F.shape[1] else G.K[0]
    matrix, uncertain = (matrix + matrix.T) / 2, (1e-14 / (1 - D)) * np.abs(G.raw[0]).max()
    H = Gram(matrix, uncertain * np.eye(n) + ROUNDING * np.abs(matrix), matrix, G.E[0])
    _, best, lower = oracles.solve_svm(H, y, C)
    loose = n * np.abs(long(said.dual)).sum() * C * uncertain if said.dual is not None else 0.0
    return Known(ours, best, lower, C * n, rounding=rounding / (1 - D) + loose, dual_rounding=loose)


def _in_band(f: Array, y: Array, B: float) -> tuple[Any, Any]:
    """Return the part of f that fits into the band, and the best b for it there."""
    width = f.max() - f.min()
    part = min(long(1.0), 2 * B * (1 - 1e-15) / width) if width > 0 else long(1.0)
    f = f * part
    low, high = -B - f.min(), B - f.max()
    ends = np.concatenate([[low, high], np.clip(y - f, low, high)])
    return part, ends[np.argmin([hinge(y * (f + b)) for b in ends])]


def _signs_program(K: Array, y: Array, upper: Array, q: Array, total: float | None) -> Array:
    """Return v of the dual of a band: ``a y - e_+ + e_-``, ``0 <= (a, e_+, e_-) <= upper``, at most `total` of e."""
    n, M = len(y), np.hstack([np.diag(y), -np.eye(len(y)), np.eye(len(y))])
    P = M.T @ K.astype(float) @ M + 1e-15 * np.eye(3 * n)
    finite = np.isfinite(upper)
    parts = [np.ones(n) @ M, -np.eye(3 * n), np.eye(3 * n)[finite]]
    right = [np.zeros(1), np.zeros(3 * n), upper[finite]]
    if total is not None:
        parts, right = [*parts, np.repeat([0.0, 1.0, 1.0], n)], [*right, np.array([total])]
    return long(np.nan_to_num(M @ oracles.quadratic_program(P, q, np.vstack(parts), np.concatenate(right), 1)))


def _band(K: Array, y: Array, told: Values, values: Values, said: Found) -> Known:
    """(2.8), with the B that the method says."""
    G, C, B, n = Gram.of(K, True), values["C"], float(said.facts["B"][0]), len(y)
    ours, rounding = _machine(G, y, C, said)
    f, s = known.expansion(G.raw, long(said.coef[0]), said.intercept[0]), G.scale
    reach = known.reach(G.reach, long(said.coef[0]), ROUNDING * said.intercept[0]).max()
    upper = np.concatenate([np.full(n, C * s), np.full(2 * n, np.inf)])
    v = _signs_program(G.K[0] / s, y, upper, np.concatenate([-np.ones(n), np.full(2 * n, B)]), None) / s
    values_at = []
    for beta in (v, long(said.coef[0][0]), 0 * v):
        part, b = _in_band(G.K[0] @ beta, y, B)
        beta = beta * part
        errors = G.E[0] @ np.abs(beta)
        inside = (np.abs(G.K[0] @ beta + b) <= B * (1 + 1e-12)).all()
        value = beta @ G.K[0] @ beta / 2 + np.abs(beta) @ errors / 2 + C * hinge(y * (G.K[0] @ beta + b) - errors)
        values_at.append(value if inside else np.inf)
    off = max((np.abs(f).max() - reach) / B - 1 - 1e-7, 0)  # the tolerance of a band
    return Known(ours, min(values_at), -np.inf, C * n, off, rounding + 1e-9 * ours, rounding + 1e-9 * ours)


def _priced(K: Array, y: Array, told: Values, values: Values, said: Found) -> Known:
    """(2.12), and (2.11) without nu, at the best t."""
    C = values["C"]
    G, D, nu, n = Gram.of(K, True), values.get("D", C), values.get("nu", np.inf), len(y)
    ours, rounding = _machine(G, y, C, said)

    def cost(f: Array) -> Any:
        size = np.abs(f)
        if nu == np.inf:
            return D * max(size.max(), 1)
        return min(D * (t + nu / n * np.maximum(0, size - t).sum()) for t in np.append(np.maximum(size, 1), 1))

    f = known.expansion(G.raw, long(said.coef[0]), said.intercept[0])
    ours, s = ours + cost(f), G.scale
    most = np.full(2 * n, D * s * nu / n)
    v = _signs_program(
        *(G.K[0] / s, y, np.concatenate([np.full(n, C * s), most])),
        *(np.concatenate([-np.ones(n), np.ones(2 * n)]), D * s),
    )
    found = []
    for beta in (v / s, 0 * v):
        f, errors = G.K[0] @ beta, G.E[0] @ np.abs(beta)
        for b in np.concatenate([y - f, [best_bias(f, y), -(f.max() + f.min()) / 2]]):
            value = beta @ f / 2 + np.abs(beta) @ errors / 2 + C * hinge(y * (f + b) - errors)
            found.append(value + cost(np.abs(f + b) + errors))
    reach = known.reach(G.reach, long(said.coef[0]), ROUNDING * said.intercept[0])
    rounding = rounding + D * (reach.max() if nu == np.inf else nu / n * reach.sum())
    return Known(ours, min(found), -np.inf, C * n + D, rounding=rounding, dual_rounding=rounding)


def _times(*keys: str, power: float = -1.0) -> Callable[[Values, float], tuple[Values, float]]:
    """Return how grids of penalties change with the size s of the kernel, by a power; the objective by 1/s."""

    def unit(told: Values, s: float) -> tuple[Values, float]:
        return told | {key: [v * s**power for v in told[key]] for key in keys if told.get(key)}, 1.0 / s

    return unit


def _nus(rng: Generator) -> list[float] | None:
    return None if rng.random() < 0.4 else sorted({float(nu) for nu in rng.choice([1.0, 2.0, 4.0, 20.0], 2)})


#: The methods that are attacked so.
ORACLES = {
    "soft_svm": Oracle(lambda rng, K: {"lambdas": _some(rng, _size(K)), "homogenous": bool(rng.random() < 0.5)}, _soft),
    "hard_svm": Oracle(lambda rng, K: {"homogenous": bool(rng.random() < 0.5)}, _hard, lambda told, s: (told, 1.0 / s)),
    "sgd_svm": Oracle(
        lambda rng, K: {
            "lambdas": _some(rng, _size(K)),
            "epochs": [1, 7, 100],
            "constant": float(rng.choice([0.0, 1.0])) * _size(K) ** 0.5,
        },
        _sgd,
        ordered=False,
    ),
    "perceptron": Oracle(
        lambda rng, K: {
            "constant": min(float(rng.choice([0.0, 1.0])) * _size(K) ** 0.5, 1e6),
            "max_updates": int(rng.choice([1, 100, 100_000])),
        },
        _perceptron,
        ordered=False,
    ),
    "nearest_mean": Oracle(lambda rng, K: {}, _means, lambda told, s: (told, s)),
    "klda": Oracle(lambda rng, K: {"mus": _some(rng, 1.0, -7, 1)}, _klda, lambda told, s: (told, 1.0)),
    "krr_mean": Oracle(
        lambda rng, K: {"lambdas": _some(rng, _size(K)), "centre": bool(rng.random() < 0.3)}, _ridge_mean
    ),
    "sigma_svm": Oracle(
        lambda rng, K: {
            "Cs": _some(rng, 1.0 / _size(K)),
            "shares": sorted({float(D) for D in rng.choice([0.0, 0.5, 0.99, 0.99999], 2)}),
        },
        _whitened,
        _times("Cs"),
    ),
    "rmm": Oracle(
        lambda rng, K: {
            "Cs": _some(rng, 1.0 / _size(K)),
            "fractions": sorted({float(r) for r in rng.choice([1.0, 0.5, 0.1, 1e-3], 2)}),
        },
        _band,
        _times("Cs"),
    ),
    "rmm_d": Oracle(
        lambda rng, K: {"Cs": _some(rng, 1.0 / _size(K)), "Ds": _some(rng, 1.0 / _size(K)), "nus": _nus(rng)},
        _priced,
        _times("Cs", "Ds"),
    ),
    "u_svm": Oracle(
        lambda rng, K: {
            "Cs": _some(rng, 1.0 / _size(K)),
            "C_universums": _some(rng, 1.0 / _size(K)),
            "epsilon": float(rng.choice([0.0, 0.1, 1.0])),
        },
        spread.universum,
        _times("Cs", "C_universums"),
        ordered=False,
    ),
    "ekm": Oracle(
        lambda rng, K: {
            "Cs": _some(rng, 1.0, -2, 2),
            "Es": sorted(float(E) for E in 10.0 ** rng.uniform(-2, 1, 2)),
            "tol": 1e-9,
        },
        spread.ellipsoid,
        lambda told, s: (told, 1.0),
    ),
    "rmm_c_eq_d": Oracle(lambda rng, K: {"Cs": _some(rng, 1.0 / _size(K)), "nus": _nus(rng)}, _priced, _times("Cs")),
}
