"""Hinge loss with half the square of a weighted l1 norm, exactly: a search over the weight of the plain norm.

::

    (P)  min_a  1/2 s(a)^2 + C sum_i max(0, 1 - (A a)_i) ,    s(a) = sum_q c_q |a_q| ,  c >= 0
    (D)  max_alpha  sum_i alpha_i - 1/2 lambda^2   subject to   |A' alpha|_q <= lambda c_q ,   0 <= alpha_i <= C

For a fixed lambda (D) is the program of `kernlearn.solvers.hinge_l1.problem`. Its value
``h(lambda) = min_a C sum_i max(0, 1 - (A a)_i) + lambda s(a)`` is concave and piecewise linear with the slope s(a). (P)
is ``max h(lambda) - lambda^2 / 2``: every solution found gives a line above h, and where the two lines next to the
maximum meet is the next lambda. There are finitely many lines; at the end the mean of the two solutions whose norm is
lambda solves (P).
"""

from dataclasses import dataclass

import numpy as np

from kernlearn.certificates import relative_gap, status_of
from kernlearn.certificates.hinge_l1 import Columns
from kernlearn.solvers.core.clock import Clock, subprogram
from kernlearn.solvers.core.solution import Solution
from kernlearn.solvers.simplex.dual_simplex import DualSimplexSolver
from kernlearn.types import Array

#: Programs after which the method gives up.
MAX_ROUNDS = 100
#: Part of itself by which lambda may differ from the norm. It has to be small: the predictor that alpha makes has the
#: norm lambda, that of a has the other.
SAME = 1e-12


@dataclass(frozen=True)
class Line:
    """Coefficients, and the line ``loss + lambda norm`` that they put above h."""

    coef: Array
    loss: float
    norm: float


class SquaredL1Solver:
    """Solves (P) for one C after another on the same columns, the linear programs warm.

    Parameters
    ----------
    weights : array of shape (p, n)
        The c_q; 0 for a bias only, whose products the columns know to be 0 or not.
    tol : float
        Relative duality gap below which a solution is called optimal.
    """

    def __init__(self, columns: Columns, weights: Array, tol: float = 1e-9):
        self.columns, self.weights, self.tol = columns, weights, tol
        self._lp = DualSimplexSolver(columns)
        self._before: tuple[float, Line] | None = None  # the last C, and the solution for it

    def solve(self, C: float) -> Solution:
        """Return the certified solution for one C > 0, ``x`` of shape (p, n), ``dual`` alpha of shape (m,)."""
        clock, m = Clock(), self.columns.shape[1]
        low, high = None, self._line(np.zeros(self.weights.shape), C)  # their norms are above and below lambda
        lambda_ = np.sqrt(C * m)
        if self._before and self._before[1].norm:
            earlier, known = self._before
            lambda_ = known.norm * np.sqrt(C / earlier)
            line = Line(known.coef, known.loss * C / earlier, known.norm)
            low, high = (line, high) if line.norm >= lambda_ else (low, line)
        lower, dual, iterations, rounds, constant = -np.inf, np.zeros(m), 0, 0, self._constant(C)
        while True:
            rounds += 1
            with subprogram():
                program = self._lp.solve(lambda_ / (C * m) * self.weights)
            iterations += program.iterations
            bound = C * m * program.dual_objective - 0.5 * lambda_**2
            if bound > lower:
                lower, dual = bound, C * m * program.dual.astype(np.float64)  # it may be in extended precision
            if relative_gap(constant.loss, lower, C * m) <= self.tol:
                best = constant  # of which lambda is 0: the linear programs would come nearer, and never there
                break
            line = self._line(program.x, C)
            if line.norm >= lambda_:
                low = line
            else:
                high = line
            best = _between(low, high) if low else high
            clock.tell(relative_gap(_value(best), lower, C * m))
            if abs(best.norm - lambda_) <= SAME * lambda_ or rounds == MAX_ROUNDS or clock.over:
                break
            # A lambda that is far too small costs more than several that are too large.
            lambda_ = best.norm if low else max(best.norm, 0.5 * lambda_)
        best = self._line(best.coef, C)
        self._before = C, best
        objective = _value(best)
        status = status_of(relative_gap(objective, lower, C * m), self.tol, clock.otherwise)
        return Solution(best.coef, objective, dual, lower, C * m, status, iterations, rounds, clock.seconds)

    def _constant(self, C: float) -> Line:
        """Return the best of 0 and, where there is a bias, the outputs 1 and -1 for all."""
        candidates = [np.zeros(self.weights.shape)]
        for place in np.argwhere(self.weights == 0.0)[:1]:
            for sign in (1.0, -1.0):
                candidates.append(np.zeros(self.weights.shape))
                candidates[-1][tuple(place)] = sign
        return min((self._line(coef, C) for coef in candidates), key=_value)

    def _line(self, coef: Array, C: float) -> Line:
        loss = C * float(np.maximum(0.0, 1.0 - self.columns.apply(coef)).sum())
        return Line(coef, loss, float((self.weights * np.abs(coef)).sum()))


def _value(line: Line) -> float:
    """Return the objective of (P)."""
    return 0.5 * line.norm**2 + line.loss


def _between(low: Line, high: Line) -> Line:
    """Return the best mean of two coefficients: its norm is where the lines meet, if that is between their norms."""
    if low.norm <= high.norm:  # the same solution, but for rounding
        return min(low, high, key=_value)
    meet = (high.loss - low.loss) / (low.norm - high.norm)
    norm = float(np.clip(meet, high.norm, low.norm))
    part = (norm - high.norm) / (low.norm - high.norm)
    coef = part * low.coef + (1.0 - part) * high.coef
    return Line(coef, part * low.loss + (1.0 - part) * high.loss, norm)
