"""What a w of joint feature maps is over all labellings, and its best multiple.

Source: Shivaswamy (2010), Large Relative Margin and Applications, section 4.4.
"""

from dataclasses import dataclass
from math import inf

import numpy as np

from kernlearn.solvers.structured.chains import best_labels
from kernlearn.solvers.structured.labellings import scores, second_best
from kernlearn.types import Array, Index

#: The part of the square of `Weights.size` that ``|w|^2`` is right to.
ROUNDING = 1e-15


@dataclass(frozen=True)
class Weights:
    """A combination w of cuts (`kernlearn.solvers.structured.cuts`)."""

    #: `A`, `E`, shape (N, k): coefficients of places and labels, and KA.
    A: Array
    E: Array
    #: Shape (k, k): weights of pairs of labels.
    T: Array
    #: What ``|w|`` is at most by the sizes of A and K: the root of ``sum_k (sum_i |A_ik| K_ii^1/2)^2``, or more.
    size: float

    def __add__(self, other: "Weights") -> "Weights":
        return Weights(self.A + other.A, self.E + other.E, self.T + other.T, self.size + other.size)

    def times(self, s: float) -> "Weights":
        """Return s w."""
        return Weights(s * self.A, s * self.E, s * self.T, abs(s) * self.size)

    @property
    def squares(self) -> float:
        """``|w|^2``, or what it may be where it is less than the rounding of its terms.

        More makes the objective larger and the lower bound smaller, so that no certificate is too good.
        """
        return max(float(np.vdot(self.A, self.E) + np.vdot(self.T, self.T)), ROUNDING * self.size**2)


@dataclass(frozen=True)
class Decoded:
    """What w is over all labellings."""

    #: `nearest`, `farthest`, shape (N,): the labels of the labellings other than the true ones with the least margins,
    #: and of those with the largest.
    nearest: Index
    farthest: Index
    #: `least`, `most`, shape (n,): their margins.
    least: Array
    most: Array

    @property
    def theta(self) -> float:
        """The largest output."""
        return max(float(self.most.max()), -float(self.least.min()), 0.0)


def decode(E: Array, T: Array, starts: Index, truth: Index) -> Decoded:
    """Return the extreme labellings of all sequences, and their margins.

    Parameters
    ----------
    E, T : arrays of shapes (N, k) and (k, k)
        As in `Weights`.
    starts : array of shape (n + 1,)
        Where each sequence begins, and N.
    truth : array of shape (N,)
        The true labels.
    """
    nearest = second_best(E, T, starts, truth)
    farthest = best_labels(-E, -T, starts)
    true, near, far = (scores(E, T, starts, y) for y in (truth, nearest, farthest))
    return Decoded(nearest, farthest, true - near, true - far)


def best_within(squares: float, found: Decoded, c: float, B: float) -> tuple[float, float]:
    """Return the least value of (P) at a multiple of w whose outputs are at most B, and the multiple; see below."""
    return best_multiple(squares, found.least, c, B / found.theta if found.theta > 0.0 else inf)


def best_multiple(squares: float, margins: Array, c: float, most: float, pull: float = 0.0) -> tuple[float, float]:
    """Return the least value of ``s^2/2 |w|^2 - s p + c sum_i max(0, 1 - s m_i)``, 0 <= s <= most, and the s.

    Parameters
    ----------
    squares : float
        ``|w|^2``.
    margins : array of shape (n,)
        The m_i.
    pull : float
        p, the inner product of w and what it is to be near to.
    """
    if squares <= 0.0:
        return c * len(margins), 0.0
    positive = np.sort(margins[margins > 0.0])[::-1]
    # Between 1/m of one positive margin and the next the slope is s |w|^2 - p less c times the sum of those not met.
    left = margins.sum() - np.concatenate([[0.0], np.cumsum(positive)])
    flat = (c * left + pull) / squares  # where it would be 0
    ends = np.concatenate([1.0 / positive, [inf]])
    piece = int(np.argmax(flat <= ends))
    begin = 0.0 if piece == 0 else ends[piece - 1]
    s = min(max(float(flat[piece]), float(begin), 0.0), most)
    return s * (0.5 * s * squares - pull) + c * float(np.maximum(0.0, 1.0 - s * margins).sum()), s
