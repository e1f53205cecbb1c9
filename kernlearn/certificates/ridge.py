"""Ridge regression with one kernel, with weighted kernels, and with weights that are learned along with it.

::

    (P)  min_{f,b}    |f|^2 + (1/lambda) sum_i (f(x_i) + b - y_i)^2                                           (2.8)
    (D)  max_alpha    2 alpha.y - lambda |alpha|^2 - s(v)   subject to   sum_i alpha_i = 0 ,                   (2.9)
         v_k = |sum_i alpha_i K_k(x_i, .)|^2 / t_k

|f| is the norm of ``K_mu = sum_k mu_k K_k / t_k``. Of weights that are given ``s(v) = mu.v``; of weights in a ball (P)
is a minimum over these, too, and s is the largest ``mu.v`` in it::

    s(v) = mu0.v + Lambda |v|_2   for  mu >= 0, |mu - mu0|_2 <= Lambda                                        (2.19)
    s(v) = Lambda max_k v_k       for  mu >= 0, |mu|_1 <= Lambda

Examples with weights c_i have the losses ``c_i (f(x_i) + b - y_i)^2``, and ``sum_i alpha_i^2 / c_i`` stands in the
place of ``|alpha|^2``. Without an intercept, the sum of alpha is free. Kernels may be centred: their f is the same but
for a constant, which is part of the intercept. Source: Rostamizadeh (2010), section 2.2.
"""

from typing import NamedTuple

import numpy as np

from kernlearn.certificates.certificate import Certificate
from kernlearn.certificates.kernel_weights import is_outer, squared_norm, squares
from kernlearn.certificates.outputs import EPS, outputs
from kernlearn.kernels import FeatureStack, GramStack
from kernlearn.kernels.matrices.streamed import StreamedStack
from kernlearn.twofold import total
from kernlearn.types import Array


class Ball(NamedTuple):
    """Where weights of the kernels ``K_k / t_k`` may be: of the norm 1 or 2, around `centre` if it is 2."""

    radius: float
    sizes: Array
    norm: int = 2
    centre: Array | float = 0.0

    def support(self, v: Array) -> float:
        """Return the largest ``mu.v`` for weights in the ball, for ``v_k = alpha'K_k alpha >= 0``."""
        v = v / self.sizes
        if self.norm == 1:
            return self.radius * float(v.max())
        return total(self.centre * v) + self.radius * float(np.linalg.norm(v))

    def violation(self, mu: Array) -> float:
        """Return by how much weights of the kernels as given leave the ball or are below 0, as a part of its radius."""
        far, below = np.linalg.norm(mu * self.sizes - self.centre, self.norm), -(mu * self.sizes).min()
        return max(0.0, float(far) / self.radius - 1.0, float(below) / self.radius)


def ridge(
    inputs: GramStack | FeatureStack,
    y: Array,
    coef: Array,
    intercept: float,
    alpha: Array,
    lambda_: float,
    mu: Array,
    *,
    bias: bool = True,
    ball: Ball | None = None,
    weights: Array | None = None,
) -> Certificate:
    """Return what is proved of ``f(x) = sum_kj coef_kj K_k(x, x_j) + intercept``.

    Parameters
    ----------
    inputs : GramStack of shape (p, n, n), or FeatureStack
        The kernels that predict, which have not been centred.
    y : array of shape (n,)
    coef : array of shape (p, n), or (D,) where kernels are features
        ``mu_k beta_j``, of a sum over j of 0 if there is an intercept.
    intercept : float
    alpha : array of shape (n,)
        Its mean is taken out if there is an intercept.
    lambda_ : float
    mu : array of shape (p,)
        Weights of the kernels as they are given: the sizes t_k are part of them.
    bias : bool
        Whether there is an intercept.
    ball : Ball, optional
        Where the weights may be; by default they are given.
    weights : array of shape (n,), optional
        Factors c_i > 0 of the losses, by default 1.
    """
    c = np.ones(len(y)) if weights is None else weights
    alpha = alpha - total(alpha) / total(c) * c if bias else alpha
    middle = float(np.average(y, weights=weights)) if bias else 0.0
    targets = y - middle
    f = outputs(inputs, coef)
    predicted = f.plus(intercept)
    residual = (predicted.high - y) + predicted.low
    square, unsure = squared_norm(inputs, coef, mu, f)
    loss = total(c * residual * residual) / lambda_
    objective = square + loss  # (P)
    unsure += 2.0 / lambda_ * float(np.linalg.norm(c * residual * f.rounding))
    if ball:
        v, off = squares(inputs, alpha)
        most = ball.support(v)
        more = ball.support(v + off) - most
    elif isinstance(inputs, FeatureStack):
        v, off = squares(inputs, alpha)
        most, more = total(mu * v), total(np.abs(mu) * off)
    elif isinstance(inputs, StreamedStack) and is_outer(coef, mu, alpha):  # any alpha will do: this one has outputs
        heaviest = int(np.argmax(np.abs(mu)))
        alpha = coef[heaviest] / mu[heaviest]
        most, more = f.inner(alpha)
    else:
        most, more = outputs(inputs, np.outer(mu, alpha)).inner(alpha)
    linear, norm = 2.0 * total(alpha * targets), lambda_ * total(alpha * alpha / c)
    unsure += more + 8.0 * EPS * (objective + abs(linear) + norm + abs(most))
    if bias:  # a sum that is not quite 0 meets the intercept of any point of (P), of the size of targets and outputs
        unsure += 2.0 * abs(total(alpha)) * float(np.abs(targets).max() + np.abs(f.high - f.high.mean()).max())
    zero = total(c * targets * targets) / lambda_
    return Certificate(objective, linear - norm - most - unsure, zero, ball.violation(mu) if ball else 0.0)
