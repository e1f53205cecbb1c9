"""The methods of transduction on hostile graphs, held against the problems of the source written anew."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator
from scipy.optimize import nnls

from attacks.held import Array, long
from kernlearn.algorithms import ALGORITHMS, Problem, Signs
from kernlearn.algorithms.transduction.label_spreading import METHODS as SHARES
from kernlearn.kernels import make_family, make_inputs
from kernlearn.kernels.families.graph import laplacian

Values = dict[str, Any]
Finding = tuple[str, float, str]
#: What values recomputed in extended precision may differ by, as a part of the larger of both bounds, or of the zero
#: solution; and what an oracle may.
EXACT, KNOWN, ROUNDING = 1e-9, 1e-6, 1e-13


@dataclass
class Task:
    """A path over a graph: what it is told, its inputs, which examples are labelled, and how."""

    name: str
    inputs: Any
    y: Array
    labelled: Array
    values: Values
    traits: list[str]

    def run(self) -> list[Any]:
        """Return the points."""
        return list(ALGORITHMS[self.name].path(Problem(self.inputs, Signs(self.y), self.labelled), **self.values))


def draw_task(rng: Generator, name: str) -> Task:
    """Draw examples, a graph, labels and what a method is told."""
    n = int(rng.integers(4, 60))
    shape = str(
        rng.choice(["cloud", "lattice", "twins", "apart", "line", "equal"], p=[0.4, 0.15, 0.15, 0.15, 0.1, 0.05])
    )
    X = rng.normal(size=(n, int(rng.integers(1, 6))))
    if shape == "lattice":
        X = np.round(X)
    elif shape == "twins":
        X = X[rng.integers(0, max(1, n // 3), n)]
    elif shape == "apart":
        X = X + 50.0 * rng.integers(0, 4, (n, 1))
    elif shape == "line":
        X = 2.0 ** np.arange(n)[:, None]
    elif shape == "equal":
        X = np.ones_like(X)
    how: Values = {
        "neighbours": int(rng.choice([1, 3, 5, n])),
        "mutual": bool(rng.random() < 0.4),
        "weights": str(rng.choice(["binary", "heat"])),
        "metric": "cosine" if rng.random() < 0.2 else "euclidean",
        "normalised": bool(rng.random() < 0.3),
        "q": int(rng.choice([1, 2, 5, 20, 200])),
    }
    inputs = make_inputs(make_family("graph", **how), X * 10.0 ** int(rng.choice([-6, 0, 0, 0, 6])))
    labelled = np.sort(rng.permutation(n)[: rng.integers(2, min(n, 25) + 1)])
    y = np.where(rng.random(len(labelled)) < rng.choice([0.1, 0.5]), 1.0, -1.0)
    if rng.random() < 0.6:  # labels that follow from the examples
        y = np.where(X[labelled, 0] > np.median(X[labelled, 0]), 1.0, -1.0)
    y[:2] = 1.0, -1.0
    told: Values = {}
    for key in ALGORITHMS[name].parameters:
        if key == "Cs":
            told[key] = [float(n * 10.0 ** rng.uniform(-4, 4))]
        elif key == "fractions":
            told[key] = sorted({1.0, float(rng.choice([0.9, 0.5, 0.1, 1e-2]))})
        elif key in ("sigmas", "alphas"):
            told[key] = [
                float(10.0 ** rng.uniform(-1, 1)) if key == "sigmas" else float(rng.choice([0.01, 0.5, 0.999]))
            ]
        elif key == "epsilon":
            told[key] = float(rng.choice([1e-6, 0.0, 1e-5]))
    return Task(name, inputs, y, labelled, told, [f"{shape} n={n} l={len(y)}", str(how)])


def hold(task: Task, point: Any) -> list[Finding]:
    """Return what is wrong with a point."""
    solution, words = point.solutions[-1], f"{point.values}"
    found = [] if np.isfinite(point.predictor.outputs(task.inputs)).all() else [("false", np.inf, f"{words}: outputs")]
    if point.status != "optimal":
        found.append(("inaccurate", solution.gap, f"{words}: status {point.status}, gap {solution.gap:.1e}"))
    if task.name in {method.name for method in SHARES}:
        return found + _hold_shares(task, point, words)
    if task.name == "sgt":
        return found + _hold_sphere(task, point, words)
    if task.name.startswith("kta"):
        found += _hold_alignment(task, point, words)
    return found + _hold_machine(task, point, words)


def _apart(kind: str, what: str, ours: Any, other: Any, zero: Any, allowed: float, words: str) -> list[Finding]:
    scale = max(abs(ours), abs(other), ROUNDING * abs(zero) / allowed) or 1.0
    by = float(abs(ours - other) / scale)
    return [(kind, by, f"{words}: {what}: {float(ours)!r} and {float(other)!r}")] if not by <= allowed else []


def _hold_machine(task: Task, point: Any, words: str) -> list[Finding]:
    """Hold both bounds of a machine against their definitions, and the optimal value against Clarabel."""
    F, y, C, solution = long(task.inputs.U[task.labelled]), task.y, point.values["C"], point.solutions[-1]
    (delta,), coef, b = point.facts["weights"], long(point.predictor.coef[0]), point.predictor.intercept[0]
    chains, B = _chains(task, len(delta)), _band(task, point)
    f, zero = F @ coef + b, 2.0 * C * min((y > 0).sum(), (y < 0).sum())
    used = delta > 0
    found = [("infeasible", 1.0, f"{words}: a weight of 0 is used")] if (coef[~used] != 0).any() else []
    ours = 0.5 * (coef[used] ** 2 / delta[used]).sum() + C * np.maximum(0, 1 - y * f).sum()
    found += _apart("false", "another objective at the predictor", solution.objective, ours, zero, EXACT, words)
    if B is not None and (over := float(np.abs(f).max() / B - 1)) > EXACT:
        found.append(("infeasible", over, f"{words}: outputs beyond B={B!r}"))
    alpha, beta, eta = long(solution.dual)
    gam = alpha * y - beta + eta
    z2 = (F.T @ gam) ** 2
    if B is None and (beta.any() or eta.any()):
        found.append(("infeasible", 1.0, f"{words}: multipliers of no band"))
    off = max(-solution.dual.min(), (alpha.max() - C) / C, abs(gam.sum()) / (np.abs(gam).sum() or 1.0))
    if off > EXACT:
        found.append(("infeasible", float(off), f"{words}: multipliers"))
    lower = alpha.sum() - ((B or 0.0) * (beta + eta).sum())
    if chains is None:
        lower -= 0.5 * (z2 @ delta)
    else:
        N, base = chains
        lower -= 0.5 * (z2 @ base) + 0.5 * (N.T @ z2).max()
        least = delta - base
        order = least if task.name.startswith("mkl") else np.append(least[:2], least[1:-1] - least[2:])
        if abs(delta.sum() - 1) > EXACT or min(order.min(), least.min()) < -ROUNDING:
            found.append(("infeasible", float(-least.min()), f"{words}: weights {delta.sum()!r}"))
    found += _apart("false", "another lower bound", solution.dual_objective, lower, zero, EXACT, words)
    value = oracle(task, C, B, delta, chains)
    if value is None:
        return [*found, ("oracle", 0.0, f"{words}: Clarabel has no answer")]
    scale = max(abs(value), abs(float(ours)), ROUNDING * zero / KNOWN)
    for excess, what in ((ours - value, "a worse value than Clarabel"), (value - ours, "a better value than Clarabel")):
        if excess / scale > KNOWN + solution.gap * (what[2] == "w"):
            found.append(("false", float(excess / scale), f"{words}: {what}: {float(ours)!r} and {value!r}"))
    return found


def _band(task: Task, point: Any) -> float | None:
    """Return B; the widest is that of the largest output: given weights are solved with it, learned ones without."""
    if point.values.get("fraction", 1.0) == 1.0 and task.name.startswith(("sto", "mkl")):
        return None
    far = 2.0 if (theta := float(point.facts["theta"][0])) - 1.0 <= KNOWN else theta
    return float(point.facts["B"][0]) if "B" in point.facts else far


def _chains(task: Task, q: int) -> tuple[Array, Array] | None:
    """Return N and base of ``delta = base + N m``, m of the simplex, by (5.9) and (5.11), or None: delta is given."""
    if task.name.startswith("mkl"):
        return np.eye(q), np.zeros(q)
    if not task.name.startswith("sto"):
        return None
    T = np.triu(np.ones((q, q)))  # delta = T kappa
    T[0, 1:] = 0.0
    base = task.values["epsilon"] * T.sum(axis=1)
    return T / T.sum(axis=0) * (1.0 - base.sum()), base


def oracle(task: Task, C: float, B: float | None, delta: Array, chains: Any) -> float | None:
    """Return the optimal value: (5.4) of given weights with outputs in a band, or (5.6) over all weights."""
    import cvxpy as cp

    F, y = task.inputs.U[task.labelled], task.y
    unit = float(np.mean((F**2) @ delta)) or 1.0
    G, c = F / np.sqrt(unit), C * unit  # the kernel has the mean trace 1
    w, b, d = cp.Variable(F.shape[1]), cp.Variable(), cp.Variable(F.shape[1])
    limits = []
    if chains is None:
        f, norm = (G * np.sqrt(delta)) @ w + b, cp.sum_squares(w)
    else:
        N, base = chains
        m, u = cp.Variable(N.shape[1], nonneg=True), cp.Variable(len(base))
        f, norm = G @ w + b, cp.sum(u)  # w_j^2 <= u_j delta_j
        limits = [cp.sum(m) == 1, d == base + N @ m, cp.SOC(u + d, cp.vstack([2 * w, u - d]), axis=0)]
    limits += [] if B is None else [f <= B, f >= -B]
    program = cp.Problem(cp.Minimize(0.5 * norm + c * cp.sum(cp.pos(1 - cp.multiply(y, f)))), limits)
    try:
        program.solve(solver="CLARABEL", tol_gap_rel=1e-10, tol_gap_abs=1e-10, tol_feas=1e-10)
    except cp.SolverError:
        return None
    return float(program.value) / unit if program.status == "optimal" else None


def _hold_alignment(task: Task, point: Any, words: str) -> list[Finding]:
    """Hold aligned weights against the nearest matrix to yy' among multiples of the kernels: (5.2), as matrices."""
    F, y, (delta,) = task.inputs.U[task.labelled], task.y, point.facts["weights"]
    T = np.triu(np.ones((len(delta), len(delta))))
    T[0, 1:] = 0.0
    each = np.einsum("ij,kj->jik", F, F).reshape(len(delta), -1).T
    columns, target = each @ T, np.outer(y, y).ravel()
    sizes = np.linalg.norm(columns, axis=0)
    kappa, _ = nnls(columns / np.where(sizes > 0, sizes, 1.0), target)

    def aligned(K: Array) -> float:
        return float(K @ target / (np.linalg.norm(K) * np.linalg.norm(target) or 1.0))

    ours, best = aligned(each @ delta), aligned(columns @ (kappa / np.where(sizes > 0, sizes, 1.0)))
    found = [("false", best - ours, f"{words}: alignment {ours!r}, and {best!r}")] if best - ours > KNOWN else []
    if abs(delta.sum() - 1) > EXACT or (np.diff(delta[1:]) > ROUNDING).any() or delta.min() < 0:
        found.append(("infeasible", 1.0, f"{words}: weights out of order"))
    return found


def _hold_sphere(task: Task, point: Any, words: str) -> list[Finding]:
    """Hold (5.1) against all stationary points, by the quadratic eigenvalue problem, and against random functions."""
    V, y, n, C = task.inputs.V, task.y, len(task.inputs.vectors), point.values["C"]
    positive = y > 0
    P = np.where(positive, 1.0 / positive.sum(), 1.0 / (~positive).sum())
    ratio = np.sqrt((~positive).sum() / positive.sum())
    tau, Q, some = np.where(positive, ratio, -1.0 / ratio), np.arange(1.0, V.shape[1] + 1) ** 2, V[task.labelled]

    def value(z: Array) -> Any:
        return 0.5 * (long(z) ** 2 @ Q) + C * ((long(z) @ long(some).T - tau) ** 2 @ P)

    solution = point.solutions[0]
    ours, zero = value(solution.x), C * float(P @ tau**2)
    found = _apart("false", "another objective", solution.objective, ours, zero, EXACT, words)
    if (off := abs(float(solution.x @ solution.x) / n - 1)) > EXACT:
        found.append(("infeasible", off, f"{words}: not on the sphere"))
    q = len(Q)
    G, b = np.diag(Q) + 2 * C * some.T @ (P[:, None] * some), 2 * C * some.T @ (P * tau)
    lambdas = np.linalg.eigvals(np.block([[G, -np.eye(q)], [-np.outer(b, b) / n, G]]))
    points = list(np.random.default_rng(0).normal(size=(200, q)))
    points += [np.linalg.lstsq(G - mu * np.eye(q), b, rcond=None)[0] for mu in lambdas.real]
    sizes = [np.linalg.norm(z) for z in points]
    best = min(value(z * np.sqrt(n) / size) for z, size in zip(points, sizes, strict=True) if size > 0)
    if (excess := float((ours - best) / max(abs(best), ROUNDING * zero))) > KNOWN + solution.gap:
        found.append(("false", excess, f"{words}: a worse value than a point of the sphere: {ours!r} and {best!r}"))
    return found


def _hold_shares(task: Task, point: Any, words: str) -> list[Finding]:
    """Hold label propagation and spreading against dense systems of equations."""
    W, n = task.inputs.graph.weights, len(task.inputs.vectors)
    Y = np.zeros((n, 2))
    Y[task.labelled] = np.column_stack([task.y < 0, task.y > 0])
    F, solution = point.solutions[0].x, point.solutions[0]
    if "alpha" in point.values:
        alpha = point.values["alpha"]
        d = W.toarray().sum(axis=1)
        root = np.where(d > 0, 1.0 / np.sqrt(np.where(d > 0, d, 1.0)), 0.0)
        other = np.linalg.solve(np.eye(n) - alpha * root[:, None] * W.toarray() * root, (1 - alpha) * Y)
    else:
        L, other, known = laplacian(W).toarray(), Y.copy(), Y.any(axis=1)
        other[~known] = np.linalg.lstsq(L[np.ix_(~known, ~known)], -L[np.ix_(~known, known)] @ Y[known], rcond=1e-12)[0]
        energy = 0.5 * float((long(F) * (long(L) @ long(F))).sum())
        if (excess := (energy - 0.5 * float((other * (L @ other)).sum())) / (energy or 1.0)) > KNOWN and energy > EXACT:
            return [("false", excess, f"{words}: a smoother function is known")]
        return _apart("false", "another energy", solution.objective, energy, L.trace(), EXACT, words)
    by = float(np.abs(F - other).max())
    return [("false", by, f"{words}: shares differ by {by:.1e}")] if by > KNOWN else []
