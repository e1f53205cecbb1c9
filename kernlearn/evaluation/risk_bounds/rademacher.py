"""Margin bounds for convex combinations of base classes (Cortes, Goyal, Kuznetsov and Mohri, 2015, section 3).

f is a convex combination of functions with values in [-1, 1], taken from p classes ``H_1, ..., H_p``; `complexity` is
``sum_t alpha_t R_m(H_{k_t})`` with the weights of the combination, `margin_loss` the share of the m training examples
with ``y f(x) <= rho``. With probability 1 - delta the error of f is at most the value returned, for a rho chosen
beforehand; for the best of G values of rho use ``delta / G``. A bound of 1 or more says nothing.
"""

from math import ceil, inf, log, sqrt


def theorem1(margin_loss: float, complexity: float, rho: float, p: int, m: int, delta: float) -> float:
    """Return the bound of Theorem 1, for p > 1 classes; infinite where ``rho^2 m <= log p``, which it leaves out."""
    if rho * rho * m <= log(p):
        return inf
    slack = ceil(4 / rho**2 * log(rho**2 * m / log(p))) * log(p) / m + log(2 / delta) / (2 * m)
    return margin_loss + 4 / rho * complexity + 2 / rho * sqrt(log(p) / m) + sqrt(slack)


def theorem2(margin_loss: float, complexity: float, rho: float, p: int, m: int, delta: float, K: float = 2.0) -> float:
    """Return the bound of Theorem 2, which is better when the margin loss is small, for any K > 1."""
    argument = rho**2 * (1 + K / (K - 1)) * m / (40 * K * log(p))
    if argument <= 1:
        return inf
    return (
        K / (K - 1) * margin_loss
        + 6 * K / rho * complexity
        + 40 * K / rho**2 * log(p) / m
        + 5 * K * log(2 / delta) / m
        + 5 * K * ceil(8 / rho**2 * log(argument)) * log(p) / m
    )
