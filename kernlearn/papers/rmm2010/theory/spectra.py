"""Chapter 5 of Shivaswamy (2010) as checks: kernels of graph eigenvectors, and the programs that weigh them."""

from functools import cache
from itertools import product
from math import inf
from typing import Any

import numpy as np
from scipy.optimize import linprog

from kernlearn.algorithms.transduction.kta import solve_kta
from kernlearn.algorithms.transduction.spectral import machines
from kernlearn.algorithms.transduction.storm import largest_output, solve_storm
from kernlearn.algorithms.transduction.transforms import diffusion, gaussian_field
from kernlearn.datasets import load
from kernlearn.kernels import make_family, make_inputs
from kernlearn.papers.checks.figure import CORRECTION, ROUNDING, Check
from kernlearn.solvers import BandSolver, Bounds, QuadraticProgram, SVMSolver
from kernlearn.types import Array, Index

#: Of the solvers, and what their values may be apart by, relatively.
TOL, VALUES = 1e-8, 1e-6
C, EPSILON = 100.0, 1e-3
#: Of (5.9) and what follows from it.
Q = 12
#: Of the errors: data, labelled examples, splits, and the grids, of which each method has its best, as in section 5.5.
SETS, LABELLED, SPLITS = ("ionosphere", "breastcancer"), 30, range(10)
CS, SIGMAS = (10.0, 1e2, 1e3), (0.3, 1.0, 3.0)


@cache
def spectrum(q: int, n: int = 40) -> tuple[Array, Array, Index, Array]:
    """Return the eigenvalues and eigenvectors of a graph of n examples, and labelled ones of them with their labels."""
    rng, signs = np.random.default_rng(0), np.where(np.arange(n) % 2, 1.0, -1.0)
    X = rng.normal(size=(n, 2)) + 0.8 * signs[:, None]
    found: Any = make_inputs(make_family("graph", neighbours=8, mutual=False, q=q), X)
    labelled = rng.permutation(n)[:14]
    return found.theta, found.vectors, labelled, signs[labelled]


def by_values(q: int) -> float:
    """Return how far the optimal value of (5.3), with q eigenvectors beside the constant one, is from that of (5.4)."""
    theta, vectors, labelled, y = spectrum(q)
    V, delta = vectors[:, 1 : q + 1], 0.05 / theta[1 : q + 1]
    n, k = len(V), len(y)
    P = np.zeros((n + k, n + k))
    P[:n, :n] = (V / delta) @ V.T
    A = np.hstack([y[:, None] * np.eye(n)[labelled], np.eye(k)])
    free = np.concatenate([np.full(n, -inf), np.zeros(k)])
    bounds = Bounds(np.ones(k), np.full(k, inf), free, np.full(n + k, inf))
    by_nodes = QuadraticProgram(P, A, TOL).solve(np.concatenate([np.zeros(n), np.ones(k)]), bounds)
    F = V[labelled]
    return abs(by_nodes.objective / SVMSolver((F * delta) @ F.T, y, TOL).solve(1.0).objective - 1.0)


def saddle() -> float:
    """Return how far (5.6) at the weights found, (5.7) at the multipliers found, and (5.14) are from each other."""
    theta, vectors, labelled, y = spectrum(Q)
    F, off = vectors[labelled, :Q], []
    wide = largest_output(F, solve_storm(F, y, C, epsilon=EPSILON, tol=TOL))
    for B in (1.0 + 0.2 * (wide - 1.0), 1.0 + 0.5 * (wide - 1.0)):
        solution = solve_storm(F, y, C, B, epsilon=EPSILON, tol=TOL)
        least_max = BandSolver((F * solution.x) @ F.T, y, TOL).solve(C, B).objective
        alpha, beta, eta = solution.dual
        linear, gam = alpha.sum() - B * (beta + eta).sum(), alpha * y - beta + eta
        costs = 0.5 * (F.T @ gam) ** 2
        off += [abs((linear + ordered(costs, EPSILON)) / least_max - 1.0)]
        off += [abs((linear + refined(costs, EPSILON, exact=False)[0]) / least_max - 1.0)]
    return max(off)


def costs_of(seed: int) -> Array:
    """Return ``1/2 (gamma.ubar_i)^2`` for every eigenvector i, for a gamma that is drawn, shape (Q,)."""
    _, vectors, labelled, _ = spectrum(Q)
    costs: Array = 0.5 * (vectors[labelled, :Q].T @ np.random.default_rng(seed).normal(size=len(labelled))) ** 2
    return costs


def ordered(costs: Array, epsilon: float) -> float:
    """Return the optimal value of (5.8), or with an epsilon that of (5.9)."""
    q = len(costs)
    falls = np.eye(q, k=1)[1:-1] - np.eye(q)[1:-1]  # delta_{i+1} - delta_i, from the second on
    found: Any = linprog(-costs, falls, np.full(q - 2, -epsilon), np.ones((1, q)), [1.0], bounds=(epsilon, None))
    return float(found.fun)


def straight(costs: Array, with_first: bool) -> float:
    """Return the optimal value of lemma 23: as printed lambda_1 is in the second line, too."""
    q = len(costs)
    A = np.hstack([np.eye(q, k=-1) - np.eye(q), np.ones((q, 1))])  # of lambda and tau
    if not with_first:
        A[1, 0] = 0.0
    found: Any = linprog(np.eye(q + 1)[-1], A_eq=A, b_eq=costs, bounds=[(0.0, None)] * q + [(None, None)])
    return -float(found.fun)


def refined(costs: Array, epsilon: float, *, exact: bool) -> tuple[float, Array, Array]:
    """Return the optimal value of (5.10), or with ``<=`` that of (5.13), its slacks and its multipliers."""
    q = len(costs)
    sums = np.concatenate([costs[:1], np.cumsum(costs[1:])])
    A = np.hstack([np.eye(q), -np.maximum(np.arange(q), 1.0)[:, None]])  # of lambda and tau
    objective, bounds = np.append(np.full(q, -epsilon), 1.0), [(0.0, None)] * q + [(None, None)]
    found: Any
    if exact:
        found = linprog(objective, A_eq=A, b_eq=-sums, bounds=bounds)
        return -float(found.fun), np.zeros(q), found.eqlin.marginals
    found = linprog(objective, A, -sums, bounds=bounds)
    return -float(found.fun), found.slack, -found.ineqlin.marginals


def lemma_23(with_first: bool) -> float:
    """Return how far the dual of lemma 23 is from (5.8), relatively, at most."""
    return max(abs(straight(costs_of(s), with_first) / ordered(costs_of(s), 0.0) - 1.0) for s in range(20))


def theorem_24() -> float:
    """Return how far (5.10) is from (5.9), relatively, at most."""
    values = (
        (refined(costs_of(s), e, exact=True)[0], ordered(costs_of(s), e)) for s, e in product(range(10), (1e-6, 1e-3))
    )
    return max(abs(one / other - 1.0) for one, other in values)


def from_differences(kappa: Array) -> Array:
    """Return the weights of the differences kappa, (5.11)."""
    return np.concatenate([kappa[:1], np.cumsum(kappa[:0:-1])[::-1]])


def in_kappa(sign: float) -> float:
    """Return how far (5.12) is from the objective of (5.9), relatively, with a sign of its term of kappa_1."""
    off = []
    for seed in range(10):
        kappa, costs = np.random.default_rng(seed).random(Q), costs_of(seed)
        value = -float(kappa[1:] @ np.cumsum(costs[1:])) + sign * kappa[0] * costs[0]
        off.append(abs(value / -float(from_differences(kappa) @ costs) - 1.0))
    return max(off)


def lemma_25() -> float:
    """Return the largest slack of (5.13), by its largest quadratic term, and how far (5.11) misses the sum 1."""
    off = []
    for seed, epsilon in product(range(10), (1e-6, 1e-3)):
        costs = costs_of(seed)
        _, slack, kappa = refined(costs, epsilon, exact=False)
        off += [float(slack.max() / costs.sum()), abs(float(kappa @ np.maximum(np.arange(Q), 1.0)) - 1.0)]
    return max(off)


def rises() -> float:
    """Return by how much a weight of a parametric kernel is above the one before it, at most."""
    theta = spectrum(Q)[0]
    steps = (np.diff(form(theta, sigma)) for form in (diffusion, gaussian_field) for sigma in SIGMAS)
    return max(0.0, *(float(step.max()) for step in steps))


@cache
def errors(name: str) -> dict[str, float]:
    """Return the least mean error of every method on the unlabelled examples of a data set, over its grid."""
    data = load(name)
    y = np.where(data.y == data.y.max(), 1.0, -1.0)
    found: Any = make_inputs(make_family("graph", mutual=False, standardise=True, q=50), data.X)
    theta, U = found.theta[:50], found.vectors[:, :50]
    wrong: dict[tuple[str, float, float], list[float]] = {}

    def note(method: str, sigma: float, C: float, f: Array, unlabelled: Index) -> None:
        wrong.setdefault((method, sigma, C), []).append(float(np.mean(y[unlabelled] * f[unlabelled] <= 0.0)))

    for split in SPLITS:
        order = np.random.default_rng(split).permutation(len(y))
        labelled, others = order[:LABELLED], order[LABELLED:]
        F, s = U[labelled], y[labelled]
        parametric = product((("diffusion", diffusion), ("Gaussian field", gaussian_field)), SIGMAS)
        weights = [(method, sigma, form(theta, sigma)) for (method, form), sigma in parametric]
        for method, sigma, delta in [*weights, ("KTA", 0.0, solve_kta(F, s).x)]:
            for machine in machines(F, s, delta, CS, None, TOL):
                f = U @ (delta * (F.T @ machine.gam)) + machine.intercept
                note(method, sigma, machine.values["C"], f, others)
        for C in CS:
            learned = solve_storm(F, s, C)
            note("STOAM", 0.0, C, U @ (learned.x * (F.T @ learned.extras["gam"])) + learned.intercept, others)
    means = {key: float(np.mean(values)) for key, values in wrong.items()}
    return {method: min(mean for key, mean in means.items() if key[0] == method) for method, *_ in means}


def against(method: str, parametric: str) -> float:
    """Return the largest quotient, over data sets, of the error of a method and of a parametric kernel."""
    return max(errors(name)[method] / errors(name)[parametric] for name in SETS)


CHECKS = {
    "section 5.2 a": Check(
        "the weights of diffusion kernels and Gaussian fields fall", rises, 0.0, number="largest rise {}"
    ),
    "section 5.2 b": Check(
        "KTA errs less than diffusion kernels",
        lambda: against("KTA", "diffusion"),
        1.0,
        number="largest error {} of theirs",
    ),
    "section 5.2 c": Check(
        "KTA errs less than Gaussian fields",
        lambda: against("KTA", "Gaussian field"),
        1.0,
        number="largest error {} of theirs",
    ),
    "section 5.2 d": Check(
        "STOAM errs less than diffusion kernels",
        lambda: against("STOAM", "diffusion"),
        1.0,
        number="largest error {} of theirs",
    ),
    "section 5.2 e": Check(
        "STOAM errs less than Gaussian fields",
        lambda: against("STOAM", "Gaussian field"),
        1.0,
        number="largest error {} of theirs",
    ),
    "theorem 22 a": Check("(5.3) is (5.4) with all eigenvectors, q = n - 1", lambda: by_values(39), VALUES, CORRECTION),
    "theorem 22 b": Check(
        "as printed, (5.3) is (5.4) with fewer eigenvectors, here q = 10", lambda: by_values(10), VALUES
    ),
    "(5.7)": Check("min and max in (5.6) change places, and give (5.14)", saddle, VALUES),
    "lemma 23 a": Check(
        "without lambda_1 in its second line, the dual has the value of (5.8)",
        lambda: lemma_23(False),
        ROUNDING,
        CORRECTION,
    ),
    "lemma 23 b": Check(
        "as printed, the dual has the value of (5.8) with lambda_1 in its second line", lambda: lemma_23(True), ROUNDING
    ),
    "theorem 24": Check("the dual of (5.9) has its value", theorem_24, VALUES),
    "(5.12) a": Check(
        "with the term of kappa_1 subtracted, (5.12) is (5.9) in kappa", lambda: in_kappa(-1.0), ROUNDING, CORRECTION
    ),
    "(5.12) b": Check(
        "as printed, with the term of kappa_1 added, (5.12) is (5.9) in kappa", lambda: in_kappa(1.0), ROUNDING
    ),
    "lemma 25": Check("all inequalities of (5.13) are active, and their multipliers are kappa", lemma_25, ROUNDING),
}
