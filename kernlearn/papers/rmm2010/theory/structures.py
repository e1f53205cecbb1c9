"""Chapter 4 of Shivaswamy (2010) as checks: the structured program, and the cutting planes of algorithm 4.1."""

from functools import cache
from itertools import product
from math import inf
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize_scalar

from kernlearn.papers.checks.figure import CORRECTION, Check
from kernlearn.solvers import Bounds, QuadraticProgram
from kernlearn.solvers.structured.solver import StructuredSolver
from kernlearn.types import Array, Index

#: Of the solvers, and what their values may be apart by, relatively.
TOL, VALUES = 1e-8, 1e-6
C, B = 10.0, 1.5
#: Of algorithm 4.1: what a margin, and a bound, may be broken by.
EPSILON, EPSILON_B = 0.1, 0.05


class Run(NamedTuple):
    """What algorithm 4.1 has done."""

    #: By how much each added constraint raised the dual objective, and by how much it should at least.
    gains: Array
    least: Array
    #: The largest norm of ``dpsi``.
    radius: float
    #: The largest and the least ``w.dpsi_i(y)`` at the end.
    largest: float
    smallest: float


def classes(seed: int = 0) -> tuple[Array, Index]:
    """Return 12 examples of three classes, shape (12, 3), of which one is on the wrong side, and their classes."""
    rng, labels = np.random.default_rng(seed), np.arange(12) % 3
    X = 2.0 * np.eye(3)[labels] + 0.5 * rng.normal(size=(12, 3))
    X[0] = [-2.0, 3.0, 0.0]
    return X, labels


def of_classes(X: Array, labels: Index) -> Array:
    """Return ``dpsi_i(y)`` for every example and class, shape (n, k, kd)."""
    k, rows = int(labels.max()) + 1, np.eye(int(labels.max()) + 1)
    psi = np.einsum("yk,id->iykd", rows, X).reshape(len(X), k, -1)
    differences: Array = psi[np.arange(len(X)), labels][:, None] - psi
    return differences


def over_constraints(chosen: list[tuple[int, int, int]], differences: Array) -> tuple[Array, float]:
    """Return w and the objective of (4.5), with some constraints (number of the set, i, y), by a quadratic program."""
    kind, i, y = np.array(chosen).T
    signed = np.where(kind == 1, -1.0, 1.0)[:, None] * differences[i, y]
    loss = (kind == 0) * (i == np.arange(len(differences))[:, None]) * 1.0
    many, few = np.full(len(chosen), inf), np.full(len(loss), inf)
    bounds = Bounds(-few, np.full(len(loss), C / len(loss)), np.zeros(len(chosen)), many)
    solution = QuadraticProgram(signed @ signed.T, loss, TOL).solve(np.where(kind == 0, -1.0, B), bounds)
    return solution.x @ signed, -solution.objective


@cache
def algorithm(seed: int = 0, as_printed: bool = False) -> Run:
    """Run algorithm 4.1, with ``argmax -G`` or, as printed, ``argmin -G`` for its third constraint."""
    X, labels = classes(seed)
    differences = of_classes(X, labels)
    n, k, size = differences.shape
    radii = np.linalg.norm(differences, axis=2).max(axis=1)
    chosen: list[tuple[int, int, int]] = []
    w, values, least, changed = np.zeros(size), [0.0], [], True
    while changed:
        changed = False
        for i in range(n):
            margins, others = differences[i] @ w, np.delete(np.arange(k), labels[i])
            low, high = (int(others[f(margins[others])]) for f in (np.argmin, np.argmax))
            slack = max([0.0, *(1.0 - margins[y] for kind, j, y in chosen if (kind, j) == (0, i))])
            third = high if as_printed else low
            broken = (
                1.0 - margins[low] - slack - EPSILON,
                margins[high] - B - EPSILON_B,
                -margins[third] - B - EPSILON_B,
            )
            kind = int(np.argmax(broken))
            if broken[kind] > 0.0:
                chosen.append((kind, i, (low, high, third)[kind]))
                w, value = over_constraints(chosen, differences)
                of_loss = min(C * EPSILON / (2.0 * n), EPSILON**2 / (8.0 * radii[i] ** 2))
                least.append(of_loss if kind == 0 else EPSILON_B**2 / (2.0 * radii[i] ** 2))
                values.append(value)
                changed = True
    outputs = differences @ w
    return Run(np.diff(values), np.array(least), float(radii.max()), float(outputs.max()), float(outputs.min()))


def gains() -> float:
    """Return the largest quotient of what a constraint should at least add to the dual objective, and what it adds."""
    return max(float((run.least / run.gains).max()) for run in map(algorithm, range(3)))


def constraints() -> float:
    """Return the largest quotient of the number of added constraints and the bound of theorem 21."""
    quotients = []
    for run in map(algorithm, range(3)):
        squares, n = run.radius**2, 12
        bound = max(2.0 * squares * C / EPSILON_B**2, 2.0 * n / EPSILON, 8.0 * C * squares / EPSILON**2)
        quotients.append(len(run.gains) / bound)
    return max(quotients)


def outside(as_printed: bool) -> float:
    """Return by how much outputs are beyond B at the end, in units of epsilon_B."""
    runs = [algorithm(seed, as_printed) for seed in range(3)]
    return max(max(run.largest, -run.smallest) - B for run in runs) / EPSILON_B


def chains() -> tuple[Array, Index, Index]:
    """Return six sequences of three places: their features, shape (18, 2), labels 0 and 1, and where they begin."""
    rng, labels = np.random.default_rng(0), np.random.default_rng(1).integers(0, 2, 18)
    return np.where(labels, 1.0, -1.0)[:, None] + rng.normal(size=(18, 2)), labels, np.arange(0, 19, 3)


def enumerated(bound: float) -> float:
    """Return the objective of (4.4) of sequences, over all labellings of each, by one quadratic program."""
    X, labels, starts = chains()
    rows, eye = [], np.eye(2)

    def psi(x: Array, y: Index) -> Array:
        return np.concatenate([(eye[y].T @ x).ravel(), (eye[y[:-1]].T @ eye[y[1:]]).ravel()])

    ways, n = [np.array(y) for y in product((0, 1), repeat=3)], len(starts) - 1
    for i, (a, b) in enumerate(zip(starts, starts[1:], strict=False)):
        truth = labels[a:b]
        rows += [(i, psi(X[a:b], truth) - psi(X[a:b], y)) for y in ways if (y != truth).any()]
    D, losses = np.array([row for _, row in rows]), np.array([np.eye(n)[i] for i, _ in rows])
    d, m = D.shape[1], len(D)
    A = np.block([[D, losses], [D, np.zeros((m, n))]])
    low, high = np.concatenate([np.ones(m), np.full(m, -bound)]), np.concatenate([np.full(m, inf), np.full(m, bound)])
    lower = np.concatenate([np.full(d, -inf), np.zeros(n)])
    P, q = np.diag([*np.ones(d), *np.zeros(n)]), np.concatenate([np.zeros(d), np.full(n, C / n)])
    return QuadraticProgram(P, A, TOL).solve(q, Bounds(low, high, lower, np.full(d + n, inf))).objective


def structured() -> float:
    """Return how far the cutting planes, primal and dual, are from the program over all labellings, relatively."""
    X, labels, starts = chains()
    off = []
    for bound in (10.0, 4.0, 2.0):
        solution = StructuredSolver(X @ X.T, labels, 2, starts, TOL).solve(C, bound)
        best = enumerated(bound)
        off += [abs(solution.objective / best - 1.0), abs(solution.dual_objective / best - 1.0)]
    return max(off)


def gain(along_an_axis: bool) -> float:
    """Return how far the gain of lemma 19, or of corollary 20, is from that of the best step, relatively, at most."""
    off = []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        J = (root := rng.normal(size=(6, 4))) @ root.T
        h, start = J @ rng.normal(size=6), rng.normal(size=6)
        step = np.eye(6)[seed % 6] if along_an_axis else rng.normal(size=6)

        def value(x: Array, J: Array = J, h: Array = h) -> float:
            return float(h @ x - 0.5 * x @ J @ x)

        best = minimize_scalar(lambda t, start=start, step=step, value=value: -value(start + t * step))
        slope, r = h - J @ start, seed % 6
        stated = slope[r] ** 2 / (2.0 * J[r, r]) if along_an_axis else (slope @ step) ** 2 / (2.0 * step @ J @ step)
        off.append(abs(stated / (-best.fun - value(start)) - 1.0))
    return max(off)


CHECKS = {
    "(4.5)": Check("the structured RMM, primal and dual, is the RMM over all labellings", structured, 1e-5),
    "lemma 19": Check("the best step in a direction gains what the lemma says", lambda: gain(False), VALUES),
    "corollary 20": Check("the best step along an axis gains what the corollary says", lambda: gain(True), VALUES),
    "(4.6)": Check(
        "a constraint of either kind gains at least what it should",
        gains,
        1.0,
        number="what it should gain is {} of what it gains",
    ),
    "theorem 21": Check("algorithm 4.1 adds at most as many constraints as the bound says", constraints, 1.0),
    "algorithm 4.1 a": Check(
        "no output is beyond B by more than epsilon_B",
        lambda: outside(False),
        1.0,
        CORRECTION,
        number="excess in epsilon_B {}",
    ),
    "algorithm 4.1 b": Check(
        "as printed, with argmin -G, no output is beyond B by more than epsilon_B",
        lambda: outside(True),
        1.0,
        number="excess in epsilon_B {}",
    ),
}
