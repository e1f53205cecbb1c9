"""The objectives of kernel machines at the predictor that is handed out, in exact arithmetic.

Coefficients, kernel values and penalties are 64-bit numbers, hence fractions: sums, products and quotients of them have
no rounding error. Roots, powers, exponentials and logarithms have 60 digits. Nothing here is taken from the package.
Equation numbers are those of the modules of `kernlearn.algorithms`.
"""

from dataclasses import dataclass
from decimal import Context, Decimal, localcontext
from fractions import Fraction
from math import inf
from typing import Any

import numpy as np

from attacks.held import Array

DIGITS = Context(prec=60, Emin=-(10**9), Emax=10**9)
HALF = Fraction(1, 2)
#: By how much outputs may leave a band, relative to its width.
BAND = Fraction(1, 10**7)


@dataclass
class Case:
    """A problem and a predictor of it.

    Attributes
    ----------
    told : dict
        The parameters of the estimator, with its default values.
    K : array of Fraction, shape (p, n, m)
        Kernels between the n training examples and the m points of the expansion.
    y : array of shape (n,)
        Numbers of classes from 0, or real targets.
    classes : int
    weights : array of Fraction, shape (n,)
        Factors of the losses.
    mu : array of Fraction or None, shape (outputs, p)
        Weights of the kernels.
    sizes : array of Fraction or None, shape (p,)
        What the kernels are divided by before they are weighed.
    facts : dict
        Other attributes of the fitted estimator.
    """

    told: dict[str, Any]
    K: Array
    y: Array
    classes: int
    weights: Array
    mu: Array | None
    sizes: Array | None
    facts: dict[str, Any]

    def signs(self, o: int) -> list[int]:
        """Return the labels +-1 of an output: class 1 of two, otherwise class o against the rest."""
        positive = 1 if self.classes == 2 else o
        return [1 if c == positive else -1 for c in self.y]

    def outputs(self, coef: Array, b: Any) -> Array:
        """Return the values of one function at the training examples; `coef` has the shape (p, m)."""
        n = len(self.y)
        return sum((k @ c for k, c in zip(self.K[:, :n], coef, strict=True)), rational(np.zeros(n))) + b

    def squares(self, coef: Array) -> list[Fraction]:
        """Return ``|w_k|^2`` for every kernel."""
        return [c @ (k @ c) for k, c in zip(self.K, coef, strict=True)]

    def penalty(self, key: str) -> Fraction:
        """Return a parameter as the fraction that it is."""
        return Fraction(float(self.told[key]))


def rational(A: Any) -> Array:
    """Return 64-bit numbers as fractions."""
    A = np.asarray(A, dtype=float)
    return np.array([Fraction(v) for v in A.ravel().tolist()] or [], dtype=object).reshape(A.shape)


def decimal(q: Fraction | int) -> Decimal:
    """Return a fraction with 60 digits."""
    q = Fraction(q)
    return DIGITS.divide(Decimal(q.numerator), Decimal(q.denominator))


def power(q: Fraction, exponent: Fraction | float) -> Fraction:
    """Return ``q**exponent`` for ``q >= 0``, with 60 digits."""
    return Fraction(DIGITS.power(decimal(q), decimal(Fraction(exponent)))) if q > 0 else Fraction(0)


def exponential(q: Fraction) -> Fraction:
    """Return ``e^q`` with 60 digits."""
    return Fraction(DIGITS.exp(decimal(q)))


def logarithm(q: Fraction | int) -> Fraction:
    """Return ``ln q`` with 60 digits."""
    with localcontext(DIGITS):
        return Fraction(decimal(q).ln())


def losses(f: Array, y: list[int]) -> Array:
    """Return the hinge losses."""
    return np.array([max(Fraction(0), 1 - s * v) for v, s in zip(f, y, strict=True)], dtype=object)


def _each(case: Case, coef: Array, b: Array, value: Any) -> Any:
    """Return the sum over the outputs of ``value(coef, b, signs, mu)``."""
    total: Any = Fraction(0)
    for o in range(len(coef)):
        total += value(coef[o], b[o], case.signs(o), None if case.mu is None else case.mu[min(o, len(case.mu) - 1)])
    return total


def svm(case: Case, coef: Array, b: Array) -> Any:
    """``1/2 |w|^2 + C sum_i c_i hinge``."""
    C = case.penalty("C")
    return _each(
        case,
        coef,
        b,
        lambda c, b, y, _: HALF * sum(case.squares(c)) + C * (case.weights * losses(case.outputs(c, b), y)).sum(),
    )


def soft_svm(case: Case, coef: Array, b: Array) -> Any:
    """``lambda |w|^2 + mean of c_i hinge`` (15.5)."""
    penalty, n = case.penalty("lambda_"), len(case.y)
    return _each(
        case,
        coef,
        b,
        lambda c, b, y, _: penalty * sum(case.squares(c)) + (case.weights * losses(case.outputs(c, b), y)).sum() / n,
    )


def hard_svm(case: Case, coef: Array, b: Array) -> Any:
    """``|w|^2 / margin^2`` (15.2); infinite of a function that does not separate."""

    def value(c: Array, b: Any, y: list[int], _: Any) -> Any:
        margin = min(s * v for v, s in zip(case.outputs(c, b), y, strict=True))
        return sum(case.squares(c)) / margin**2 if margin > 0 else inf

    return _each(case, coef, b, value)


def sgd_svm(case: Case, coef: Array, b: Array) -> Any:
    """``lambda/2 |w|^2 + mean hinge`` (15.12), the intercept being the weight of a constant feature."""
    penalty, constant, n = case.penalty("lambda_"), case.penalty("constant"), len(case.y)

    def value(c: Array, b: Any, y: list[int], _: Any) -> Any:
        if constant == 0 and b != 0:
            return inf
        own = (b / constant) ** 2 if constant else Fraction(0)
        return penalty / 2 * (sum(case.squares(c)) + own) + losses(case.outputs(c, b), y).sum() / n

    return _each(case, coef, b, value)


def perceptron(case: Case, coef: Array, b: Array) -> Any:
    """Return the number of examples that are not on their side."""
    return _each(
        case,
        coef,
        b,
        lambda c, b, y, _: Fraction(sum(s * v <= 0 for v, s in zip(case.outputs(c, b), y, strict=True))),
    )


def rmm(case: Case, coef: Array, b: Array) -> Any:
    """``1/2 |w|^2 + C sum_i hinge``, in a band of a given width (2.8) or of one with a price (2.11), (2.12)."""
    C, n = case.penalty("C"), len(case.y)

    def value(c: Array, b: Any, y: list[int], _: Any) -> Any:
        f = case.outputs(c, b)
        size, total = [abs(v) for v in f], HALF * sum(case.squares(c)) + C * (case.weights * losses(f, y)).sum()
        if case.told["D"] is None:
            return total if max(size) <= case.penalty("B") * (1 + BAND) else inf
        D, ends = case.penalty("D"), [max(v, Fraction(1)) for v in size]
        if case.told["nu"] is None:
            return total + D * max(ends)
        share = case.penalty("nu") / n
        return total + D * min(t + share * sum(max(Fraction(0), v - t) for v in size) for t in {*ends, Fraction(1)})

    return _each(case, coef, b, value)


def universum(case: Case, coef: Array, b: Array) -> Any:
    """Return ``1/2 |w|^2 + C sum_i hinge + C_U sum_j max(0, |f(u_j)| - epsilon)``; examples u_j come last."""
    cost, epsilon, n = case.penalty("C_universum"), case.penalty("epsilon"), len(case.y)

    def beyond(c: Array, b: Any, *_: Any) -> Any:
        f = case.K[0, n:] @ c[0] + b
        return cost * sum((max(Fraction(0), abs(v) - epsilon) for v in f), Fraction(0))

    return svm(case, coef, b) + _each(case, coef, b, beyond)


def whitened(case: Case, coef: Array, b: Array) -> Any:
    """``1/2 w'((1 - D) I + D/t Sigma) w + C sum_i hinge`` (2.4), t the mean of the diagonal."""
    D, n = case.penalty("D"), len(case.y)
    t = np.trace(case.K[0]) / n or Fraction(1)

    def more(c: Array, *_: Any) -> Any:
        f = case.outputs(c, Fraction(0))
        return HALF * D * (((f - f.sum() / n) ** 2).sum() / (n * t) - sum(case.squares(c)))

    return svm(case, coef, b) + _each(case, coef, b, more)


def loss_alone(case: Case, coef: Array, b: Array) -> Any:
    """Return ``C sum_i c_i hinge``, which is below the value of a machine whose norm is that of a learned ellipsoid."""
    C = case.penalty("C")
    return _each(case, coef, b, lambda c, b, y, _: C * (case.weights * losses(case.outputs(c, b), y)).sum())


def complexities(name: str, K: Array) -> list[Fraction]:
    """Return the r_k of Voted Kernel Regularization (section 5.3)."""
    m = K.shape[1]
    if name == "massart":
        tops = [max((row**2).sum() for row in k) for k in K]
        return [power(top * 2 * logarithm(2 * m), HALF) / m for top in tops]
    diagonals = [np.diagonal(k) for k in K]
    return [power(max(diagonal) * diagonal.sum(), HALF) / m for diagonal in diagonals]  # lemma3


def voted(case: Case, coef: Array, b: Array) -> Any:
    """``mean of c_i hinge + sum_kj (lambda r_k + beta) |a_kj|``, (1) of the paper; without r the norm-1 SVM."""
    n, beta = len(case.y), case.penalty("beta")
    r = [Fraction(0)] * len(case.K)
    if "complexity" in case.told and case.told["lambda_"]:
        r = [case.penalty("lambda_") * one for one in complexities(case.told["complexity"], case.K)]

    def value(c: Array, b: Any, y: list[int], _: Any) -> Any:
        norm = sum((one + beta) * sum(map(abs, row)) for one, row in zip(r, c, strict=True))
        return (case.weights * losses(case.outputs(c, b), y)).sum() / n + norm

    return _each(case, coef, b, value)


def block_norm(case: Case, squares: list[Fraction], mu: Array | None, p: float) -> Any:
    """Return ``sum_k |w_k|^2 / mu_k``, or its minimum over ``||(t_k mu_k)_k||_p <= 1`` where no mu is given."""
    if mu is not None:
        lost = any(m <= 0 and s > 0 for s, m in zip(squares, mu, strict=True))
        return inf if lost else sum((s / m for s, m in zip(squares, mu, strict=True) if m > 0), Fraction(0))
    assert case.sizes is not None
    products = [s * t for s, t in zip(squares, case.sizes, strict=True)]
    if p == inf:
        return sum(products)
    share = Fraction(p) / (Fraction(p) + 1)
    return power(sum(power(v, share) for v in products), 1 / share)


def mkl(case: Case, coef: Array, b: Array) -> Any:
    """Return ``1/2 min_mu sum_k |w_k|^2 / mu_k + C sum_i c_i hinge``, over all weights that are allowed."""
    C, p = case.penalty("C"), float(case.told["norm"])
    return _each(
        case,
        coef,
        b,
        lambda c, b, y, _: (
            HALF * block_norm(case, case.squares(c), None, p) + C * (case.weights * losses(case.outputs(c, b), y)).sum()
        ),
    )


def weighted_svm(case: Case, coef: Array, b: Array) -> Any:
    """``1/2 sum_k |w_k|^2 / mu_k + C sum_i c_i hinge`` for the weights that are handed out."""
    C = case.penalty("C")
    return _each(
        case,
        coef,
        b,
        lambda c, b, y, mu: (
            HALF * block_norm(case, case.squares(c), mu, 1.0) + C * (case.weights * losses(case.outputs(c, b), y)).sum()
        ),
    )


def ridge(case: Case, coef: Array, b: Array) -> Any:
    """``sum_k |w_k|^2 / mu_k + 1/lambda sum_i (f(x_i) - y_i)^2`` (2.8) for the weights that are handed out."""
    penalty, regression = case.penalty("lambda_"), case.classes == 0

    def value(c: Array, b: Any, y: Any, mu: Any) -> Any:
        residual = case.outputs(c, b) - (rational(case.y) if regression else np.array(y, dtype=object))
        return block_norm(case, case.squares(c), mu, 1.0) + (residual**2).sum() / penalty

    return _each(case, coef, b, value)


def two_stage(case: Case, coef: Array, b: Array) -> Any:
    """Return the value of the machine of the second stage."""
    return (weighted_svm if case.told["machine"] == "svm" else ridge)(case, coef, b)


def _all_classes(case: Case, coef: Array, b: Array) -> tuple[list[Array], Array]:
    """Return coefficients and outputs, shape (n, classes), of every class; two classes have ``f_1 - f_0``."""
    coefs, shifts = list(coef), list(b)
    if len(coefs) == 1:
        coefs, shifts = [-coefs[0] / 2, coefs[0] / 2], [-shifts[0] / 2, shifts[0] / 2]
    return coefs, np.stack([case.outputs(c, s) for c, s in zip(coefs, shifts, strict=True)], axis=1)


def multiclass(case: Case, coef: Array, b: Array) -> Any:
    """``1/2 min_mu sum_kc |w_kc|^2 / mu_k + C sum_i c_i max_c ([c != y_i] + f_c - f_{y_i})``."""
    coefs, F = _all_classes(case, coef, b)
    squares = [sum(values) for values in zip(*(case.squares(c) for c in coefs), strict=True)]
    examples = zip(case.weights, F, case.y, strict=True)
    slack = sum(w * max((c != own) + f - row[own] for c, f in enumerate(row)) for w, row, own in examples)
    return HALF * block_norm(case, squares, None, float(case.told["norm"])) + case.penalty("C") * slack


def group_norm(case: Case, coef: Array, b: Array) -> Any:
    """``lambda/2 (sum_k |w_k|^p)^(2/p) + alpha sum_k |w_k| + mean of c_i max_c ([c != y_i] + f_c - f_{y_i})``."""
    assert case.sizes is not None
    coefs, F = _all_classes(case, coef, b)
    totals = zip(case.sizes, *(case.squares(c) for c in coefs), strict=True)
    norms = [power(t * sum(values), HALF) for t, *values in totals]
    q, n = max(Fraction(2), 2 * logarithm(len(norms))), len(case.y)
    p = q / (q - 1)
    examples = zip(case.weights, F, case.y, strict=True)
    slack = sum(w * max((c != own) + f - row[own] for c, f in enumerate(row)) for w, row, own in examples)
    square = power(sum((power(v, p) for v in norms), Fraction(0)), 2 / p)
    return square / (2 * case.penalty("C") * n) + case.penalty("alpha") * sum(norms) + slack / n


def structured(case: Case, coef: Array, b: Array) -> Any:
    """``1/2 sum_c |w_c|^2 + C/n sum_i max(0, 1 - min_{c != y_i} (f_{y_i} - f_c))``, perhaps with a bound B.

    The differences are within B where there is a bound.

    Sources: (4.3), (4.4).
    """
    coefs, F = _all_classes(case, coef, b)
    apart = [[row[own] - f for c, f in enumerate(row) if c != own] for row, own in zip(F, case.y, strict=True)]
    if "B_" in case.facts and max(abs(v) for row in apart for v in row) > Fraction(case.facts["B_"]) * (1 + BAND):
        return inf
    loss = sum((max(Fraction(0), 1 - min(row)) for row in apart), Fraction(0)) / len(case.y)
    return HALF * sum(sum(case.squares(c)) for c in coefs) + case.penalty("C") * loss
