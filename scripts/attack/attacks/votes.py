"""The methods that vote over stumps on hostile examples, held against programs over the votes written out."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator
from scipy.optimize import linprog

from attacks import oracles
from attacks.data import Sample, draw_sample
from attacks.held import FLOOR, Array, Found, Held, long
from kernlearn.algorithms import ALGORITHMS, Problem, Signs
from kernlearn.algorithms.boosting.votes import Vote
from kernlearn.kernels.families.stumps import Stumps, stumps

Values = dict[str, Any]
#: What a criterion may miss the best of all stumps by, as a part: sums of weights are rounded.
CHOSEN = 1e-9
#: A largest weight of a stump, and what counts as no edge, as the methods have them.
LARGEST, NOTHING = 0.5 * np.log(1.0 / np.finfo(float).eps), 1e-12


@dataclass
class Task:
    """A path over stumps: what it is told, its inputs, and the votes of all stumps written out, shape (S, n)."""

    name: str
    inputs: Stumps
    votes: Array
    y: Array
    values: Values
    traits: list[str]

    def run(self) -> list[Any]:
        """Return the points."""
        return list(ALGORITHMS[self.name].path(Problem(self.inputs, Signs(self.y)), **self.values))


def draw_task(rng: Generator, name: str) -> Task:
    """Draw examples, stumps and what a method is told."""
    sample: Sample = draw_sample(rng)
    number, draw = int(rng.choice([0, 0, 3, 50])), str(rng.choice(["examples", "range"]))
    inputs = stumps(number, draw).fit(sample.X, int(rng.integers(2**31)))
    columns = sample.X[:, inputs.used].T
    votes = np.where(columns[inputs.owners] > inputs.thresholds[:, None], 1.0, -1.0)
    rounds = int(rng.choice([1, 5, 30]))
    told: Values = {"rounds": rounds}
    if name in ("lpboost", "qpboost"):
        told |= {"over": str(rng.choice(["adaboost", "all"])), "tol": 1e-9}
        penalties = 10.0 ** rng.uniform(-5, 3, 2) if name == "qpboost" else rng.choice([1.0, 0.5, 0.2, 0.03], 2)
        told["Cs" if name == "qpboost" else "nus"] = sorted({float(v) for v in penalties})
    else:
        told["every"] = int(rng.choice([1, 7]))
        if name == "ebboost":
            told["lambdas"] = sorted({float(v) for v in rng.choice([0.0, 1e-3, 0.5, 1.0, 10.0, 1e4], 2)})
        if name == "adaboost_reg":
            told["Cs"] = sorted({float(v) for v in rng.choice([0.0, 1e-2, 1.0, 100.0, 1e6], 2)})
    y = np.where(sample.classes > 0, 1.0, -1.0)
    return Task(name, inputs, votes, y, told, [*sample.traits, f"{len(votes)} stumps"])


def hold(task: Task, point: Any) -> list[tuple[str, float, str]]:
    """Return what is wrong with a point."""
    vote: Vote = point.predictor
    chosen, alphas = vote.rounds.stumps[: vote.number], vote.rounds.alphas[: vote.number]
    signed = long(task.votes * task.y)
    margins = long(alphas) @ signed[chosen] if len(chosen) else 0 * signed[0]
    missing = np.abs(vote.outputs(task.inputs)[0] * task.y - margins).max() / (np.abs(alphas).sum() or 1.0)
    wrong = [("false", float(missing), f"{point.values}: outputs are not the votes")] if missing > 1e-9 else []
    if task.name in ("lpboost", "qpboost"):
        return wrong + hold_program(task.name, point, _voting(task, signed), margins)
    return wrong + hold_rounds(task.name, point, signed, chosen, alphas)


def _voting(task: Task, signed: Array) -> Array:
    """Return the signed votes that a program may weigh: of all stumps with their negations, or of those found."""
    every = np.vstack([signed, -signed])
    if task.values["over"] == "adaboost":
        boosted = Task("adaboost", task.inputs, task.votes, task.y, {"rounds": task.values["rounds"], "every": 1}, [])
        found = boosted.run()[-1].predictor
        pairs = {(s, np.sign(a)) for s, a in zip(found.rounds.stumps, found.rounds.alphas, strict=True)}
        every = np.stack([sign * signed[s] for s, sign in pairs] or [signed[0], -signed[0]])
    return every


def hold_program(name: str, point: Any, every: Array, margins: Array) -> list[tuple[str, float, str]]:
    """Hold a linear (`lpboost`) or quadratic program over signed votes, shape (k, n)."""
    (solution,), n = point.solutions, every.shape[1]
    every = np.unique(every.astype(float), axis=0) if name == "lpboost" else every.astype(float)
    weights, k = long(point.predictor.rounds.alphas), len(every)
    if name == "lpboost":
        upper = 1.0 / (point.values["nu"] * n)
        rho = max(m - upper * np.maximum(0, m - margins).sum() for m in margins)
        ours, off = 1 - rho, abs(np.abs(weights).sum() - 1)
        A = np.hstack([-every.T, np.ones((n, 1)), -np.eye(n)])  # rho - xi <= margin
        cost = np.concatenate([np.zeros(k), [-1.0], np.full(n, upper)])
        bounds = [(0, None)] * k + [(None, None)] + [(0, None)] * n
        ones = np.concatenate([np.ones(k), np.zeros(n + 1)])[None]
        result = linprog(cost, A, np.zeros(n), ones, np.ones(1), bounds, method="highs-ds")
        a = long(np.maximum(result.x[:k], 0))
        m = (a / a.sum()) @ every
        best, zero = 1 - max(r - upper * np.maximum(0, r - m).sum() for r in m), 1.0
    else:
        C = point.values["C"]
        ours, off, zero = weights @ weights + C * np.maximum(0, 1 - margins).sum(), 0.0, C * n
        u = oracles.quadratic_program(*_dual(every, n, C), 0)[:n] * C
        a = np.maximum(every @ long(np.clip(np.nan_to_num(u), 0, C)), 0) / 2
        best = min(a @ a + C * np.maximum(0, 1 - a @ every).sum(), C * n)
    values = solution.objective, solution.dual_objective, solution.gap, point.status
    held = Held(
        *(str(point.values), Found(np.zeros(0), np.zeros(0), None, *values), float(ours), float(best), -np.inf),
        *(zero, max(float(off) - 1e-12, 0.0), 1e-13 * zero, 1e-13 * zero),
    )
    return held.findings()


def _dual(every: Array, n: int, C: float) -> tuple[Array, Array, Array, Array]:
    """Return the dual of QPBoost for ``u / C`` and ``z_s >= 0``, with ``max(0, e_s)^2 = min (e_s + z_s)^2``, over C."""
    k = len(every)
    M = np.hstack([every, np.eye(k)]) * C**0.5
    q = np.concatenate([-np.ones(n), np.zeros(k)])
    rows = np.vstack([-np.eye(n + k), np.eye(n, n + k)])
    return M.T @ M / 2, q, rows, np.concatenate([np.zeros(n + k), np.ones(n)])


def hold_rounds(
    name: str, point: Any, signed: Array, chosen: Array, alphas: Array, best: bool = True
) -> list[tuple[str, float, str]]:
    """Hold every round: its vote against all others, where it is to be the best, its weight, and the objective."""
    values, n = point.values, signed.shape[1]
    lambda_, C = values.get("lambda", 0.0), values.get("C", 0.0)
    soft, wrong = long(np.zeros(n)), []
    rounded = np.zeros(n)  # soft in double precision: w, which depends on it, adds to it, so that rounding errors grow
    perfect = len(chosen) == 1 and np.abs(signed[chosen[0]].sum()) == n
    for r, (s, alpha) in enumerate(zip(chosen, alphas, strict=True) if not perfect else ()):
        w = np.exp(soft.min() - soft)
        w /= w.sum()
        edges = signed @ w
        if name == "ebboost" and lambda_ > 0:
            squares = signed @ (w * w)
            sides = [((1 + sign * edges) / 2, ((w * w).sum() + sign * squares) / 2) for sign in (1, -1)]
            P = [np.maximum((1 - lambda_) * W * W + lambda_ * n * Q, 0) for W, Q in sides]
            value = np.sqrt(P[0] * P[1]) + (1 - lambda_) * sides[0][0] * sides[1][0]
            missed = (value[s] - value.min()) / (np.abs(value).min() + lambda_ + 1)
            ratio = P[0][s] / P[1][s] if P[1][s] > 0 else np.inf
            expected = np.clip(np.log(ratio) / 4 if ratio > 0 else -np.inf, -LARGEST, LARGEST)
        else:
            missed = np.abs(edges).max() - np.abs(edges[s])
            ratio = (1 + edges[s]) / (1 - edges[s]) if edges[s] < 1 else np.inf
            expected = np.clip(np.log(ratio) / 2 if ratio > 0 else -np.inf, -LARGEST, LARGEST)
        error = 2 * float(np.abs(soft - rounded).max() + np.finfo(float).eps * np.abs(soft).max())
        if best and missed > CHOSEN + error:
            wrong.append(("false", float(missed), f"{values}: round {r} takes a stump that is not the best"))
        gains = signed[s] * np.sign(alpha) + C * w
        if C > 0:  # its slope is 0, or points beyond the largest weight
            tilted = w * np.exp(-abs(alpha) * gains)
            size = (tilted * np.abs(gains)).sum() or 1.0
            slope = (tilted * gains).sum() / size
            error *= 1 + C * (abs(alpha) + (tilted * w).sum() / size)  # that of w is in the gains, too
            apart = (
                0.0 if tilted.sum() < FLOOR else abs(slope) if abs(alpha) < LARGEST * (1 - 1e-12) else max(-slope, 0.0)
            )
        else:
            apart = abs(alpha - expected) / max(1.0, abs(expected)) if abs(expected) < 15 else 0.0
        if apart > 1e-6 + error:
            wrong.append(("false", float(apart), f"{values}: round {r} has the weight {alpha!r}, not {expected}"))
        soft += abs(alpha) * gains
        e = np.exp(rounded.min() - rounded)
        rounded += abs(alpha) * (signed[s].astype(float) * np.sign(alpha) + C * e / e.sum())
    (solution,) = point.solutions
    if perfect:  # its weight is 1, as scikit-learn has it
        soft = abs(alphas[0]) * (signed[chosen[0]] * np.sign(alphas[0]) + C / n)
    e = np.exp(-soft)
    ours = e.mean() if name == "adaboost_reg" else e.mean() ** 2 + lambda_ * ((e - e.mean()) ** 2).mean()
    apart = abs(solution.objective - ours) / max(float(ours), 1e-12)
    if apart > 1e-8:
        wrong.append(("false", float(apart), f"{values}: objective {solution.objective!r}, anew {float(ours)!r}"))
    if not perfect and point.status != "optimal":
        wrong.append(("inaccurate", solution.gap, f"{values}: {point.status}, gap {solution.gap:.1e}"))
    return wrong
