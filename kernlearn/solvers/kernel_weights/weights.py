"""Weights of kernels, and of anything else that enters a maximisation linearly.

::

    min_{mu in M} J(mu) ,    J(mu) = max_alpha  c(alpha) - mu.w(alpha) ,    M = { mu >= 0, ||mu||_p <= r } ,    w >= 0

J is convex, and its gradient is -w at the alpha of the maximum. Every alpha bounds the optimal value from below by
``c(alpha) - r ||w(alpha)||_q``, with ``1/p + 1/q = 1``; hence the duality gap. In ``nu_k = (mu_k / r)^p`` the set is
the unit simplex and J still convex, for it decreases in mu and mu is concave in nu.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from kernlearn.certificates import relative_gap, status_of
from kernlearn.solvers.core.clock import Clock
from kernlearn.solvers.core.solution import Solution, SolverError
from kernlearn.solvers.kernel_weights.simplex_qp import descend_over_simplex
from kernlearn.types import Array

#: Rounds after which a method gives up.
MAX_ROUNDS = 200
#: Least part of a nu_k that is left in one step, and least nu_k, where p > 1: the slope of mu in nu is infinite at 0.
SHRINK, MIN_WEIGHT = 0.1, 1e-12
#: Weights with the largest gradients that join the positive ones in a step where p = 1.
WORKING = 200
#: A step is not shortened below this part.
SHORTEST = 1e-3
#: Rounds in which the gap has to become half of what it was.
PATIENCE = 6
#: Rounds in which the gap has to become at least a little smaller, to this part, where methods take turns.
STUCK, SAME = 24, 0.999


@dataclass(frozen=True)
class Response:
    """The inner solution for some weights mu.

    Attributes
    ----------
    objective : float
        A certified upper bound of J(mu).
    constant, w : float, array of shape (p,)
        ``J(nu) >= constant - w.nu`` for all weights nu.
    alpha : array
        The point of the maximum.
    coef, intercept : array, float
        The predictor whose value is `objective`.
    """

    objective: float
    constant: float
    w: Array
    alpha: Array
    coef: Array
    intercept: float
    iterations: int


class Inner(Protocol):
    """The inner problem."""

    @property
    def zero(self) -> float:
        """J(0), which no weights exceed."""
        ...

    def respond(self, mu: Array) -> Response:
        """Maximise over alpha."""
        ...

    def bound(self, alpha: Array) -> tuple[float, Array]:
        """Return ``c(alpha)`` and ``w(alpha)``."""
        ...

    def curvature(self, mu: Array, response: Response, some: NDArray[np.intp]) -> Array:
        """Return the second derivatives of J in some of the weights, of one side where the two differ."""
        ...


class Progress:
    """The best upper and lower bound so far."""

    def __init__(self, norm: float, radius: float, tol: float, zero: float):
        self.radius, self.tol, self.zero = radius, tol, zero
        self.dual_norm = np.inf if norm == 1 else norm / (norm - 1) if np.isfinite(norm) else 1.0
        self.mu, self.dual, self.lower = np.zeros(0), np.zeros(0), -np.inf
        self.best: Response | None = None
        self.responses: list[Response] = []
        self._gaps: list[tuple[float, float]] = []
        self.clock, self.iterations, self.rounds = Clock(), 0, 0

    def add(self, mu: Array, response: Response) -> None:
        """Take note of a response."""
        self.rounds += 1
        self.iterations += response.iterations
        self.responses.append(response)
        if self.best is None or response.objective < self.best.objective:
            self.mu, self.best = mu, response
        lower = self.add_bound(response.alpha, response.constant, response.w)
        self._gaps.append((self.gap, relative_gap(response.objective, lower, self.zero)))
        self.clock.tell(self.gap)

    def add_bound(self, alpha: Array, constant: float, w: Array) -> float:
        """Take note of the lower bound of an alpha, and return it."""
        value = constant - self.radius * p_norm(w, self.dual_norm)
        if value > self.lower:
            self.dual, self.lower = alpha, value
        return value

    @property
    def done(self) -> bool:
        """Whether the gap is small enough, or the rounds or the time are over."""
        return self.gap <= self.tol or self.rounds >= MAX_ROUNDS or self.clock.over

    @property
    def stalled(self) -> bool:
        """Whether the gap is more than half of what it was some rounds ago, and that of the last weights alone too."""
        if len(self._gaps) <= PATIENCE or self._gaps[-1][0] <= 0.5 * self._gaps[-1 - PATIENCE][0]:
            return False
        own = [gap for _, gap in self._gaps[-PATIENCE:]]
        return own[-1] > 0.5 * min(own[:-2])

    @property
    def stuck(self) -> bool:
        """Whether the gap has not changed for so long that it will not: the inner solutions allow no less."""
        return len(self._gaps) > STUCK and self._gaps[-1][0] > SAME * self._gaps[-1 - STUCK][0]

    @property
    def gap(self) -> float:
        """The relative gap."""
        return relative_gap(self.best.objective, self.lower, self.zero) if self.best else np.inf

    def solution(self) -> Solution:
        """Return the weights as a solution, with the response to them."""
        assert self.best is not None
        status, seconds = status_of(self.gap, self.tol, self.clock.otherwise), self.clock.seconds
        bounds, best = (self.best.objective, self.dual, self.lower, self.zero), self.best
        counts = self.iterations, self.rounds, seconds
        return Solution(self.mu, *bounds, status, *counts, best.intercept, {"response": best})


def p_norm(x: Array, p: float) -> float:
    """Return ``||x||_p``, any p >= 1, from multiples of the largest entry: their powers neither over- nor underflow."""
    largest = float(np.abs(x).max())
    return largest * float(np.linalg.norm(x / largest, p)) if largest else 0.0


def evaluate(inner: Inner, mu: Array, *, norm: float = 1.0, radius: float = 1.0, tol: float = 1e-6) -> Solution:
    """Return value and gap of given weights, scaled to the norm; parameters and results are those of `newton`."""
    progress = Progress(norm, radius, tol, inner.zero)
    mu = radius * mu / p_norm(mu, norm)
    progress.add(mu, inner.respond(mu))
    return progress.solution()


def newton(inner: Inner, start: Array, *, norm: float = 1.0, radius: float = 1.0, tol: float = 1e-6) -> Solution:
    """Minimise J by Newton's method in nu, with a quadratic program over the simplex for every step.

    Where alpha is not unique, J has a kink: a kernel of weight 0 then has one w for every alpha. The gap then
    stays, and cutting planes go on, which find the mean of these alphas. Where ``norm > 1``, `alternate` goes on.

    Parameters
    ----------
    start : array of shape (p,)
        Weights to start from, not all zero.
    norm : float >= 1
        The p of the set M; infinity is allowed.
    radius : float > 0
    tol : float
        Relative duality gap to reach.

    Returns
    -------
    Solution
        ``x`` are the weights, ``dual`` is the alpha of the best lower bound; ``extras`` have the ``response``, the
        inner solution for these weights; `rounds` counts inner solutions.
    """
    progress, power = Progress(norm, radius, tol, inner.zero), 1.0 / norm
    nu = (start / p_norm(start, norm)) ** norm if np.isfinite(norm) else np.full(len(start), 1.0 / len(start))
    if norm > 1:
        nu = np.maximum(nu, MIN_WEIGHT)
    mu = radius * nu**power
    response = inner.respond(mu)
    progress.add(mu, response)
    while not progress.done:
        direction, slope = _direction(inner, nu, mu, response, power, radius)
        step, before = 1.0, response.objective
        while not progress.done:
            trial = nu + step * direction
            mu = radius * trial**power
            response = inner.respond(mu)
            progress.add(mu, response)
            rise = response.objective - before - step * slope
            if response.objective <= before + 1e-4 * step * slope:
                break
            step *= min(0.5, max(0.1, -0.5 * step * slope / rise))  # the minimum of the parabola
            if step < SHORTEST:
                break
        nu = trial
        if progress.stalled:
            return _cut(inner, progress) if norm == 1 else _turn(inner, progress, progress.mu, norm)
    return progress.solution()


def _direction(
    inner: Inner, nu: Array, mu: Array, response: Response, power: float, radius: float
) -> tuple[Array, float]:
    """Return the way to the minimum of the second-order model of J in nu, and the slope of J along it."""
    w, low = response.w, np.maximum(SHRINK * nu, MIN_WEIGHT)
    some = np.arange(len(nu))
    if power == 1.0:  # most weights are zero and stay so
        low = np.zeros(len(nu))
        some = np.union1d(np.flatnonzero(nu), np.argsort(-w)[:WORKING])
    slopes = power * radius * nu[some] ** (power - 1.0)  # of mu in nu
    bends = w[some] * (1.0 - power) * slopes / (nu[some] if power < 1.0 else 1.0)  # of -w.mu
    gradient = -w[some] * slopes
    H = slopes[:, None] * inner.curvature(mu, response, some) * slopes + np.diag(bends)
    direction = np.zeros(len(nu))
    direction[some] = descend_over_simplex(H, gradient - H @ nu[some], nu[some], low[some]) - nu[some]
    return direction, float(gradient @ direction[some])


def alternate(inner: Inner, start: Array, *, norm: float, radius: float = 1.0, tol: float = 1e-6) -> Solution:
    """Minimise J by ``mu_k ~ |w_k|^{2 / (p + 1)}``, ``|w_k|^2 = 2 mu_k^2 w_k(alpha)``, and the inner solution in turn.

    No curvature is needed; the closer p is to 1, the slower it is. Parameters and results are those of `newton`.
    Source: Kloft, Brefeld, Sonnenburg and Zien (2011).
    """
    return _turn(inner, Progress(norm, radius, tol, inner.zero), start, norm)


def _turn(inner: Inner, progress: Progress, mu: Array, norm: float) -> Solution:
    """Take turns from the weights mu on."""
    # No block has a norm where alpha is 0: rounding has eaten the kernels.
    while not progress.best or not (progress.done or progress.stuck or not mu.any()):
        mu = np.maximum(mu, MIN_WEIGHT ** (1.0 / norm) * mu.max())  # a weight of 0 would stay so
        mu = progress.radius * mu / p_norm(mu, norm)
        response = inner.respond(mu)
        progress.add(mu, response)
        mu = (mu**2 * response.w) ** (1.0 / (norm + 1.0))
    return progress.solution()


def cutting_planes(inner: Inner, start: Array, *, radius: float = 1.0, tol: float = 1e-6) -> Solution:
    """Minimise J over the simplex by the planes ``c(alpha) - mu.w(alpha)`` found so far, a linear program a round.

    It is the semi-infinite linear program of Sonnenburg, Raetsch, Schaefer and Schoelkopf (2006). A round solves the
    inner problem half way between the best weights so far and the minimum of the planes, which steadies the iteration.
    Parameters and results are those of `newton`.
    """
    progress, mu = Progress(1.0, radius, tol, inner.zero), radius * start / start.sum()
    progress.add(mu, inner.respond(mu))
    return _cut(inner, progress)


def _cut(inner: Inner, progress: Progress) -> Solution:
    """Add cutting planes to those of the responses so far."""
    from kernlearn.solvers.core.lp import CuttingPlanes

    planes = CuttingPlanes(len(progress.mu), progress.radius)
    added = 0
    while not progress.done:
        try:
            for response in progress.responses[added:]:
                lowest, multipliers = planes.add(response.constant, response.w)
        except SolverError:  # planes of sizes too different for HiGHS: what is found stands, with its gap
            break
        added = len(progress.responses)
        # c - mu.w is concave in alpha: the mean alpha of the planes that meet bounds J as well as the planes do.
        used = [(m, r.alpha) for m, r in zip(multipliers, progress.responses, strict=True) if m > 0.0]
        alphas = np.array([alpha for _, alpha in used])
        # Of alphas within bounds, rounding must not put the mean outside.
        mean = np.tensordot([m for m, _ in used], alphas, axes=1).clip(alphas.min(axis=0), alphas.max(axis=0))
        progress.add_bound(mean, *inner.bound(mean))
        if not progress.done:
            mu = 0.5 * (progress.mu + lowest)
            progress.add(mu, inner.respond(mu))
    return progress.solution()
