"""The losses of common learning problems, and their conjugates.

The loss of an example is a function of one number z. For a label y = +-1 this is the margin ``y f(x)``, and the loss
decreases in it. For a real target it is the absolute residual ``|y - f(x)|``, and the loss increases in it. Multipliers
beta with absolute values ``a <= upper c`` bound the losses of any f from below, for costs c::

    sum_i c_i loss_i(f_i)  >=  sum_i (gain(a_i, c_i) - beta_i f_i)                  for labels, beta_i = y_i a_i
    sum_i c_i loss_i(f_i)  >=  sum_i (gain(a_i, c_i) + beta_i (y_i - f_i))          for real targets, beta_i = +-a_i

Sources: Rockafellar (1970), Convex Analysis, section 31; Shalev-Shwartz and Zhang (2013), table 1.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.special import entr, expit

from kernlearn.types import Array


class Loss(NamedTuple):
    """A loss of margins or of absolute residuals, and its conjugate; `epsilon` is the half width of a tube.

    Attributes
    ----------
    words : str
        The loss of one example without its factor, for `str.format` with f and epsilon.
    labels : bool
        Whether targets are labels +-1.
    values : callable
        ``(z, epsilon) -> losses``.
    slopes : callable or None
        ``(z, epsilon) -> -d loss / d margin``, or ``d loss / d residual``; None for a loss with a kink.
    gains : callable
        ``(a, costs, epsilon) -> gains`` of multipliers in the box; costs are > 0.
    upper : float
        The largest multiplier of a cost of 1.
    factor : float
        What the loss is of its words.
    """

    words: str
    labels: bool
    values: Callable[[Array, float], Array]
    slopes: Callable[[Array, float], Array] | None
    gains: Callable[[Array, Array, float], Array]
    upper: float = np.inf
    factor: float = 1.0

    def kink(self, epsilon: float) -> float:
        """Return the z at which a loss with a kink has it."""
        return 1.0 if self.labels else epsilon


def _short(z: Array, _: float) -> Array:
    return np.maximum(0.0, 1.0 - z)


def _beyond(z: Array, epsilon: float) -> Array:
    return np.maximum(0.0, z - epsilon)


def _huber(z: Array, epsilon: float) -> Array:
    return np.where(z >= -1.0, _short(z, epsilon) ** 2, -4.0 * z)


#: The losses by name.
LOSSES = {
    "hinge": Loss("max(0, 1 - y_i {f})", True, _short, None, lambda a, c, _: a, upper=1.0),
    "squared_hinge": Loss(
        "max(0, 1 - y_i {f})^2",
        True,
        lambda z, e: _short(z, e) ** 2,
        lambda z, e: 2.0 * _short(z, e),
        lambda a, c, _: a - a * a / (4.0 * c),
    ),
    "modified_huber": Loss(
        "[max(0, 1 - y_i {f})^2, or -4 y_i {f} for margins below -1]",
        True,
        _huber,
        lambda z, e: np.minimum(2.0 * _short(z, e), 4.0),
        lambda a, c, _: a - a * a / (4.0 * c),
        upper=4.0,
    ),
    "logistic": Loss(
        "log(1 + exp(-y_i {f}))",
        True,
        lambda z, _: np.logaddexp(0.0, -z),
        lambda z, _: expit(-z),
        lambda a, c, _: c * (entr(a / c) + entr(np.maximum(0.0, 1.0 - a / c))),
        upper=1.0,
    ),
    "epsilon_insensitive": Loss(
        "max(0, |y_i - {f}| - {epsilon:g})", False, _beyond, None, lambda a, c, e: -e * a, upper=1.0
    ),
    "squared_epsilon_insensitive": Loss(
        "max(0, |y_i - {f}| - {epsilon:g})^2",
        False,
        lambda z, e: _beyond(z, e) ** 2,
        lambda z, e: 2.0 * _beyond(z, e),
        lambda a, c, e: -e * a - a * a / (4.0 * c),
    ),
    "squared": Loss(
        "(y_i - {f})^2",
        False,
        lambda z, _: 0.5 * z * z,
        lambda z, _: z,
        lambda a, c, _: -a * a / (2.0 * c),
        factor=0.5,
    ),
}
