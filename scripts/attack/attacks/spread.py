"""Oracles of the machines that look at more than margins: an ellipsoid around the examples, and a Universum."""

from typing import Any

import cvxpy as cp
import numpy as np

from attacks import known, oracles
from attacks.gram import Gram, factor
from attacks.held import ROUNDING, Array, Found, hinge, long
from attacks.known import Known

Values = dict[str, Any]
#: Directions that CVXPY finds ellipsoids of, the least of which has this part of the largest variance, or none at all.
DIRECTIONS, FLAT, NONE = 6, 1e-6, 1e-13
#: Part of the value that the accuracy of that ellipsoid makes uncertain: about the root of that of its volume.
LOOSE = 3e-4


def labelled(y: Array) -> int:
    """Return how many of the examples, the first, have a label where the others are a Universum: both classes do."""
    return max(len(y) // 2, 1 + max(int(np.argmax(y > 0)), int(np.argmax(y < 0))))


def enclosed(X: Array, E: float) -> tuple[Array, Array] | None:
    """Return A and b of (2.3), or None where CVXPY finds none."""
    d = X.shape[1]
    A, b = cp.Variable((d, d), PSD=True), cp.Variable(d)
    outside = [cp.pos(cp.sum_squares(A @ x - b) - 1.0) for x in X]
    if not oracles.solve_conic(cp.Problem(cp.Minimize(E * sum(outside) - cp.log_det(A)))):
        return None
    return np.array(A.value), np.array(b.value)


def ellipsoid(K: Array, y: Array, told: Values, values: Values, said: Found) -> Known | None:
    """Algorithm 2.1, in the coordinates of the examples; None where rounding decides which directions they have."""
    G, C, n = Gram.of(K, True), values["C"], len(y)
    spectrum = np.linalg.eigvalsh(G.K[0].astype(float)) / (np.abs(K).max() or 1.0)
    if ((spectrum > NONE) & (spectrum < FLAT * max(spectrum[-1], 1e-3))).any():
        return None
    F = factor(G.K[0])
    F = F / (np.linalg.norm(F, axis=0) / np.sqrt(n))
    if not 1 <= F.shape[1] <= DIRECTIONS or (found := enclosed(F, values["E"])) is None:
        return None
    A, b = found
    images = long(F @ A - b)
    kernel = images @ images.T
    H = Gram(kernel, ROUNDING * np.abs(kernel), kernel, ROUNDING * np.abs(kernel))
    _, best, _ = oracles.solve_svm(H, y, C)
    f = known.expansion(G.raw, said.coef[0], said.intercept[0])
    w = np.linalg.lstsq(F @ A, (f - f.mean()).astype(float), rcond=None)[0]
    ours = w @ w / 2 + C * hinge(y * f)
    errors = known.reach(G.reach, said.coef[0], ROUNDING * said.intercept[0])
    loose = LOOSE * max(ours, best) + C * errors.sum()
    return Known(ours, best, -np.inf, C * n, rounding=loose, dual_rounding=loose)


def universum(K: Array, y: Array, told: Values, values: Values, said: Found) -> Known:
    """Hold the machine of Weston et al. (2006): the last examples have no label, and outputs near 0."""
    G, n, m, epsilon = Gram.of(K, True), len(y), labelled(y), told["epsilon"]
    C, cost, s = values["C"], values["C_universum"], G.scale

    def value(f: Array, errors: Array) -> Any:
        outside = np.maximum(0, np.abs(f[m:]) + errors[m:] - epsilon).sum()
        return C * hinge(y[:m] * f[:m] - errors[:m]) + cost * outside

    coef = long(said.coef[0])
    f, errors = (
        known.expansion(G.raw, coef, said.intercept[0]),
        known.reach(G.reach, coef, ROUNDING * said.intercept[0]),
    )
    ours = coef[0] @ G.raw[0] @ coef[0] / 2 + value(f, 0 * errors)
    rounding = known.magnitude(G.reach, coef, np.ones(1)) / 2 + C * errors[:m].sum() + cost * errors[m:].sum()
    rest = np.eye(n)[:, m:]
    M = np.hstack([np.eye(n)[:, :m] * y[:m], -rest, rest])
    upper = np.concatenate([np.full(m, C * s), np.full(2 * (n - m), cost * s)])
    q = np.where(np.arange(len(upper)) < m, -1.0, epsilon)
    P = M.T @ (G.K[0] / s).astype(float) @ M + 1e-15 * np.eye(len(upper))
    A = np.vstack([np.ones(n) @ M, np.eye(len(upper)), -np.eye(len(upper))])
    z = oracles.quadratic_program(P, q, A, np.concatenate([[0.0], upper, 0 * upper]), 1)
    found = []
    for beta in (long(np.nan_to_num(M @ z)) / s, long(np.zeros(n))):
        f, errors = G.K[0] @ beta, G.E[0] @ np.abs(beta)
        kinks = np.concatenate([y[:m] - f[:m], epsilon - f[m:], -epsilon - f[m:]])
        quadratic = beta @ f / 2 + np.abs(beta) @ errors / 2
        found += [quadratic + value(f + b, errors) for b in kinks]
    return Known(ours, min(found), -np.inf, C * m, rounding=rounding, dual_rounding=rounding)
