"""Sections 2 and 4: the bounds of the paper on classes whose complexity and risk are known but for the draws."""

from functools import lru_cache, partial
from math import e, log, sqrt

import numpy as np

from kernlearn.algorithms.ridge.l1_krr import solve_l1_krr
from kernlearn.datasets import load
from kernlearn.kernels import SCALINGS, DenseStack, GramStack, make_family
from kernlearn.papers.checks.local import (
    Spectrum,
    complexity,
    cosines,
    fixed_point,
    local_bound,
    point,
    table,
    truncated,
)
from kernlearn.papers.localrad2013.blocks import block_complexity
from kernlearn.types import Array

DELTA = 0.05
#: Of the lower bound of theorem 3: the largest for which it holds here, rounded down.
CONSTANT = 0.5
#: Numbers of examples, and of radii between 1/n and 1.
SIZES, RADII = (25, 100, 400), 5
#: Draws of a mean, and of a quantile.
MEAN, MANY = 100, 500


# Section 2.1: bounds (1) and (2)


@lru_cache
def risks_of_thresholds(n: int, noise: float) -> tuple[Array, Array, float, float]:
    """Return what (1) and (2) are about, for the losses of 101 thresholds on the line.

    x is uniform on [0, 1], y the sign of ``x - 1/2``, wrong with a probability. The loss is the 0-1 loss.

    Returns
    -------
    excess, deviation : arrays of shape (MANY,)
        ``E[g_n] - E[g*]`` of the empirical risk minimiser, and ``sup |E[g] - mean of g|``, of every sample.
    complexity, largest_square : float
        The Rademacher complexity of the losses, and ``sup E[g^2]``.
    """
    rng, cuts = np.random.default_rng(n), np.linspace(0.0, 1.0, 101)
    risk = noise + (1.0 - 2.0 * noise) * np.abs(cuts - 0.5)
    excess, deviation, suprema = [], [], []
    for _ in range(MANY):
        x = rng.random(n)
        y = np.where(rng.random(n) < noise, -1.0, 1.0) * np.sign(x - 0.5)
        losses = y[:, None] * (x[:, None] - cuts) <= 0.0
        mean = losses.mean(axis=0)
        excess.append(risk[np.argmin(mean)] - risk.min())
        deviation.append(np.abs(mean - risk).max())
        suprema.append((rng.choice([-1.0, 1.0], n) @ losses).max() / n)
    return np.array(excess), np.array(deviation), float(np.mean(suprema)), float(risk.max())


def excess_and_deviation() -> float:
    """Return the largest quotient of the excess risk and twice the largest deviation of a mean, over all samples."""
    return max(float((excess / (2.0 * sup)).max()) for excess, sup, _, _ in _of_thresholds())


def bound_1() -> float:
    """Return the (1 - delta)-quantile of the quotient of twice the largest deviation and (1), at most."""
    return max(
        float(np.quantile(2.0 * sup, 1.0 - DELTA)) / (4.0 * R + sqrt(2.0 * log(2.0 / DELTA) / n))
        for (_, sup, R, _), n in zip(_of_thresholds(), 2 * SIZES, strict=True)
    )


def bound_2() -> float:
    """Return the (1 - delta)-quantile of the quotient of the excess risk and (2), at most."""
    quotients = []
    for (excess, _, R, square), n in zip(_of_thresholds(), 2 * SIZES, strict=True):
        terms = sqrt(square) * sqrt(8.0 * log(2.0 / DELTA) / n), 3.0 * log(2.0 / DELTA) / n
        quotients.append(float(np.quantile(excess, 1.0 - DELTA)) / (8.0 * R + sum(terms)))
    return max(quotients)


def _of_thresholds() -> list[tuple[Array, Array, float, float]]:
    return [risks_of_thresholds(n, noise) for noise in (0.0, 0.2) for n in SIZES]


# Section 2.2: theorem 3


@lru_cache
def bounded() -> dict[str, Spectrum]:
    """Return kernels with ``k(x, x) <= 1`` by name: on real examples, with known eigenvalues, and at one point."""
    (X,) = SCALINGS["unit"](load("ionosphere").X)
    family = make_family("gaussian", gammas=[0.1, 1.0, 10.0])
    stack = GramStack.train(family, X)
    spectra = {f"gaussian {k}": table(stack.matrix(k)) for k in range(len(family.members))}
    j = np.arange(1.0, 61.0)
    for name, values in (("j^-1.2", j**-1.2), ("j^-2", j**-2.0), ("j^-4", j**-4.0), ("exp(-j)", np.exp(-j))):
        spectra[name] = cosines(values / (2.0 * values.sum()))
    return spectra | {"one point": point(0.05, 1.0)}


@lru_cache
def complexities() -> list[tuple[int, float, float, float]]:
    """Return n, r, ``sum_j min(r, lambda_j)`` and ``E[R(F; r)]``, for kernels with ``lambda_1 >= 1/n``."""
    return [
        (n, float(r), truncated(spectrum.eigenvalues, r), complexity(spectrum, n, float(r), MEAN))
        for spectrum in bounded().values()
        for n in SIZES
        if spectrum.eigenvalues[0] >= 1.0 / n
        for r in np.geomspace(1.0 / n, 1.0, RADII)
    ]


def upper() -> float:
    """Return the largest quotient of a local complexity and the bound (3)."""
    return max(R / sqrt(2.0 / n * area) for n, _, area, R in complexities())


def lower() -> float:
    """Return the largest quotient of the lower bound and a local complexity, kernels bounded by 1."""
    return max(CONSTANT * sqrt(area / n) / R for n, _, area, R in complexities())


def lower_of_unbounded() -> float:
    """Return the same where a kernel is high at a point of small probability, and ``lambda_1 = r = 1/n``."""
    n, quotients = 100, []
    for probability in (1e-2, 1e-3, 1e-4):
        R = complexity(point(probability, 1.0 / (n * probability)), n, 1.0 / n, 20_000)
        quotients.append(CONSTANT * sqrt(1.0 / n / n) / R)
    return max(quotients)


def best_cut() -> float:
    """Return how far ``min_theta (theta r + sum_{j > theta} lambda_j)`` is from ``sum_j min(r, lambda_j)``."""
    off = []
    for spectrum in bounded().values():
        values = spectrum.eigenvalues
        tails = values.sum() - np.cumsum(np.append(0.0, values))
        for r in np.geomspace(1e-4, 1.0, 9):
            off.append(abs((np.arange(len(tails)) * r + tails).min() / truncated(values, float(r)) - 1.0))
    return float(max(off))


def of_differences(values: Array, n: float, r: float) -> float:
    """Return the bound (3) for the differences of two functions of the ball, times B L = 4, with L = 2."""
    return 4.0 * local_bound(4.0 * values, n, r / 4.0)


def rate_of_fixed_point() -> float:
    """Return the largest quotient of the fixed point of (3) and 2 log(n) / n, for ``lambda_j = exp(-j)``."""
    values = np.exp(-np.arange(60.0))
    sizes = [10.0**k for k in range(2, 9)]
    fixed = [fixed_point(partial(local_bound, values, n)) for n in sizes]
    return max(r * n / (2.0 * log(n)) for r, n in zip(fixed, sizes, strict=True))


# Section 4: theorems 6, 7, and 8 of the supplement


@lru_cache
def block_complexities() -> list[tuple[int, float, Array, float]]:
    """Return n, r, eigenvalues of M kernels of shape (M, J), and the local complexity of their H2 for Lambda = 1.

    Kernel m sees coordinate m alone, the coordinates are independent, and the trace of every kernel is 1: with theta =
    0 they are normalised. The kernels with J = 1 see a sign.
    """
    found = []
    for M, J, decay in ((8, 20, 2.0), (32, 5, 1.2), (200, 1, 2.0)):
        values = np.arange(1.0, J + 1.0) ** -decay
        eigenvalues = np.tile(values / values.sum(), (M, 1))
        for n in (100, 400):
            for r in (1e-3, 1e-2, 1e-1, 1.0):
                found.append((n, r, eigenvalues, block_complexity(eigenvalues, n, r)))
    return found


def theorem_6(n: int, r: float, eigenvalues: Array) -> float:
    """Return the bound for Lambda = 1, without its O(1/n)."""
    cut = np.minimum(r, e**2 * log(len(eigenvalues)) ** 2 * eigenvalues)
    return sqrt(16.0 * e / n * float(cut.sum(axis=1).max()))


def theorem_6_as_printed() -> float:
    """Return the largest quotient of the local complexity of H2 and the bound of theorem 6."""
    return max(R / theorem_6(n, r, eigenvalues) for n, r, eigenvalues, R in block_complexities())


def theorem_6_with_all_kernels() -> float:
    """Return the same with ``r M / e`` in the place of r."""
    return max(R / theorem_6(n, r * len(values) / e, values) for n, r, values, R in block_complexities())


def theorem_7(n: int, M: int, a: float, d: float, constant: float) -> float:
    """Return the bound for Lambda = 1, without its O(1/n), with some constant."""
    rate = (4.0 * d * log(M) ** 2) ** (1.0 / (1.0 + a)) * e * (M / e) ** ((a - 1.0) / (a + 1.0)) * n ** (-a / (1.0 + a))
    return constant * rate


def constant_as_printed() -> float:
    """Return the share of the decays 1.5, 2, ..., 6 for which the printed constant is no positive number."""
    decays = np.arange(1.5, 6.5, 0.5)
    return float(np.mean((3.0 - decays) / (1.0 - decays) <= 0.0))


def excess_risks(n: int, M: int, decay: float, draws: int) -> list[float]:
    """Return the excess risks of least squares in H2 with Lambda = 1, of samples of n examples.

    Kernels are those of `block_complexities`, with 20 cosines. The label is a function of H2 of norm 1 and a uniform
    error in [-1/2, 1/2].
    """
    rng = np.random.default_rng([n, M])
    values = np.arange(1.0, 21.0) ** -decay
    roots = np.sqrt(values / values.sum())
    best = rng.normal(size=(M, 20)) * roots
    best /= np.linalg.norm(best, axis=1).sum()
    risks = []
    for _ in range(draws):
        psi = np.sqrt(2.0) * np.cos(np.pi * rng.random((n, M, 1)) * np.arange(1.0, 21.0)) * roots
        y = np.einsum("nmj,mj->n", psi, best) + rng.uniform(-0.5, 0.5, n)
        found = least_squares_in_the_ball(psi, y)
        risks.append(0.5 * float(((roots * (found - best)) ** 2).sum()))
    return risks


def least_squares_in_the_ball(psi: Array, y: Array) -> Array:
    """Return the functions of M kernels, shape (M, J), with the least squared error and norms of sum 1 at most.

    It is ridge regression that also learns weights of the kernels, with a penalty that makes the sum 1.
    """
    stack = DenseStack(np.einsum("nmj,kmj->mnk", psi, psi))
    low, high = 1e-6, 1e6
    for _ in range(16):
        penalty = sqrt(low * high)
        solution = solve_l1_krr(stack, y, penalty)
        found = solution.x[:, None] * np.einsum("n,nmj->mj", solution.extras["response"].alpha, psi)
        low, high = (low, penalty) if np.linalg.norm(found, axis=1).sum() < 1.0 else (penalty, high)
    return np.asarray(found)


def theorem_7_on_samples() -> float:
    """Return the largest quotient of an excess risk and theorem 7 with the constant 186 sqrt((a + 1) / (a - 1))."""
    quotients = []
    for a in (1.5, 3.0):
        d = 1.0 / (np.arange(1.0, 21.0) ** -a).sum()
        bound = theorem_7(50, 8, a, d, 186.0 * sqrt((a + 1.0) / (a - 1.0)))
        quotients.append(max(excess_risks(50, 8, a, 4)) / bound)
    return float(max(quotients))


def limits() -> float:
    """Return how far the rate is from ``log M / sqrt n`` for a near 1, and from ``M / n`` for large a, relatively.

    Rates are compared by their growth from 10^4 to 10^6 examples and from 10 to 100 kernels.
    """

    def growth(a: float) -> tuple[float, float]:
        now = theorem_7(10_000, 10, a, 1.0, 1.0)
        return theorem_7(1_000_000, 10, a, 1.0, 1.0) / now, theorem_7(10_000, 100, a, 1.0, 1.0) / now

    slow, fast = growth(1.0 + 1e-9), growth(1e9)
    return max(abs(a / b - 1.0) for a, b in zip((*slow, *fast), (0.1, 2.0, 0.01, 10.0), strict=True))


def theorem_8() -> float:
    """Return the (1 - delta)-quantile of the quotient of excess risk and bound, at most, of one kernel.

    The bound is ``705 r* / B + (11 L + 27 B) log(1/delta) / n`` with B = L = 2, and r* the fixed point of ``B L sqrt((2
    / n) sum_j min(r / L^2, 4 lambda_j))``: (3) for the differences of two functions of the ball.
    """
    quotients = []
    values = np.arange(1.0, 21.0) ** -2.0
    values /= values.sum()
    for n in (50, 100):
        fixed = fixed_point(partial(of_differences, values, n))
        bound = 705.0 * fixed / 2.0 + (11.0 * 2.0 + 27.0 * 2.0) * log(1.0 / DELTA) / n
        quotients.append(float(np.quantile(excess_risks(n, 1, 2.0, 20), 1.0 - DELTA)) / bound)
    return max(quotients)
