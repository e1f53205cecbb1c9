"""Problems of several kernels, whose weights are learned: rebuilt from the training data, with what is proved of each.

As in `kernlearn.certificates.own.problems`, the problem of a method is at the head of its module.
"""

from collections.abc import Callable
from dataclasses import replace
from itertools import chain

import numpy as np

from kernlearn.certificates.kernel_weights import tail_sizes, weighted_svm
from kernlearn.certificates.multiclass import group_exponent, group_norm_multiclass, weighted_multiclass
from kernlearn.certificates.own.parts import (
    Proved,
    gram,
    hinges,
    prepared,
    sizes_of,
    svm_in_words,
    weights_of,
    with_weights,
)
from kernlearn.certificates.own.predictor import require_combination
from kernlearn.certificates.own.stored import Trained
from kernlearn.certificates.proofs.problem import number, times
from kernlearn.certificates.ridge import Ball, ridge
from kernlearn.kernels import DenseStack, FeatureStack, linear_tails, tail_sums, tied_tails
from kernlearn.types import Array

CRITICAL = "the problem that is linearised at the stored weights: they are a critical point, and not a proved minimum"


def lp_mkl(norm: float) -> Callable[[Trained], Proved]:
    """Return what proves kernel weights of bounded norm, learned together with an SVM."""

    def prove(one: Trained) -> Proved:
        t = _counted_sizes(one) if one.options.get("counted") else sizes_of(one)
        return _weighted(one, weights_of(one, t), t, float(one.options.get("norm", norm)))

    return prove


def conv(one: Trained) -> Proved:
    """Return what is proved of kernel weights whose kernels are divided by their tails."""
    t, _ = _tails(one)
    return _weighted(one, weights_of(one, t), t, float(one.options["norm"]))


def dc(one: Trained) -> Proved:
    """Return what is proved of kernel weights with a tail of their sum: that they are a critical point.

    Where eigenvalues tie there are several linearised problems, and the one with the largest gap counts.
    """
    theta, p, mu = int(one.values["theta"]), float(one.options["norm"]), weights_of(one, np.ones(0))
    kernels = prepared(one)
    t, tails = _tails(one)
    nu = (t * mu) ** p
    parts = [
        (part + (t - tails)) / t
        for part in chain([linear_tails(kernels, nu / t, theta)], tied_tails(kernels, nu / t, theta))
    ]
    proofs = [_weighted(one, mu, t * v ** (1.0 / p), p) for v in parts]
    worst = max(proofs, key=lambda proof: proof.certificate.gap)
    beyond = max(worst.certificate.violation, float(parts[0] @ nu) - 1.0)
    return worst._replace(certificate=replace(worst.certificate, violation=beyond), only=CRITICAL)


def _weighted(one: Trained, mu: Array, t: Array, p: float) -> Proved:
    C = float(one.values["C"])
    given = one.coef, one.intercept, mu, one.dual, C, t, p
    proof = weighted_svm(one.inputs, one.y, *given, weights=one.weights)
    loss = hinges(one, times(C))
    return Proved(proof, f"1/2 sum_k |f_k|^2 / mu_k + {loss} over mu >= 0 with |(t_k mu_k)_k|_{p:g} <= 1")


def _tails(one: Trained) -> tuple[Array, Array]:
    """Return the sizes of kernels by their tails, and these tails."""
    kernels = prepared(one)
    tails = tail_sums(kernels, int(one.values["theta"]))
    return tail_sizes(kernels, tails), tails


def all_classes(one: Trained) -> Proved:
    """Return what is proved of kernel weights that are learned together with an SVM of all classes at once."""
    t = _tails(one)[0] if "theta" in one.values else sizes_of(one)
    C, p, mu = float(one.values["C"]), float(one.options["norm"]), weights_of(one, t)
    given = one.coef, np.atleast_1d(one.intercept), mu, one.dual, C, t, p
    proof = weighted_multiclass(one.inputs, one.y, *given, centred=bool(one.options["centre"]), weights=one.weights)
    loss = f"{times(C)}sum_i {with_weights(one)}max_c ([c != y_i] + f_c(x_i) - f_(y_i)(x_i))"
    return Proved(proof, f"1/2 sum_kc |f_kc|^2 / mu_k + {loss} over mu >= 0 with |(t_k mu_k)_k|_{p:g} <= 1")


def ufo(one: Trained) -> Proved:
    """Return what is proved of an SVM of all classes at once with a norm over the kernels."""
    t, n, q = sizes_of(one), len(one.y), group_exponent(len(one.inputs))
    lambda_, alpha = 1.0 / (float(one.values["C"]) * n), float(one.values["alpha"])
    given = one.coef, np.atleast_1d(one.intercept), one.dual, lambda_, alpha, t
    proof = group_norm_multiclass(one.inputs, one.y, *given, centred=bool(one.options["centre"]), weights=one.weights)
    norms = f"{times(0.5 * lambda_)}(sum_k |f_k|^p)^(2/p) + {times(alpha)}sum_k |f_k|"
    loss = f"1/{n} sum_i {with_weights(one)}max_c ([c != y_i] + f_c(x_i) - f_(y_i)(x_i))"
    return Proved(proof, f"{norms} + {loss} with p = {q / (q - 1.0):.6g}")


def two_stage(one: Trained) -> Proved:
    """Return what is proved of an SVM, or of ridge regression, with kernel weights that are taken as they are."""
    mu = weights_of(one, np.ones(0))
    require_combination(mu, prepared(one).combine)
    if "lambda" in one.values:
        return _ridge(one, mu, None, "weights mu as stored")
    C = float(one.values["C"])
    proof = weighted_svm(one.inputs, one.y, one.coef, one.intercept, mu, one.dual, C, weights=one.weights)
    return Proved(proof, f"{svm_in_words(one)} with the kernel of the stored weights", 1.0)


def krr(one: Trained) -> Proved:
    """Return what is proved of kernel ridge regression."""
    t = _counted_sizes(one)
    return _ridge(one, 1.0 / t, None, f"a kernel over its size ({one.options['normalise']})")


def _counted_sizes(one: Trained) -> Array:
    """Return what kernels are divided by where an example of weight 2 is there twice."""
    if one.weights is None:
        return sizes_of(one)
    centre, normalise, weights = bool(one.options["centre"]), one.options["normalise"], one.weights
    if isinstance(one.inputs, FeatureStack):
        V = one.inputs.V.toarray() if hasattr(one.inputs.V, "toarray") else one.inputs.V
        squares = weights @ (V - (np.average(V, axis=0, weights=weights) if centre else 0.0)) ** 2
        factor = {"none": 0.0, "mean_diagonal": 1.0 / float(weights.sum())}.get(normalise, 1.0)
        return np.where(factor * squares > 0.0, factor * squares, 1.0)
    kernels = DenseStack.of(gram(one), less_constant=centre)
    each = (kernels.combine(k) for k in np.eye(len(kernels)))
    return np.array([_counted_size(K, weights, centre, normalise) for K in each])


def _counted_size(K: Array, weights: Array, centre: bool, normalise: str) -> float:
    """Return what the matrix of a kernel, of the examples alone, is divided by."""
    if centre:
        shares = weights / weights.sum()
        means = K @ shares
        K = K - means - means[:, None] + float(shares @ means)
    trace, root = float(weights @ np.diagonal(K)), np.sqrt(weights)
    found = {"none": 1.0, "trace": trace, "mean_diagonal": trace / float(weights.sum())}
    size = found[normalise] if normalise in found else float(np.linalg.norm(root[:, None] * K * root))
    return size if size > 0.0 else 1.0


def krr_mean(one: Trained) -> Proved:
    """Return what is proved of kernel ridge regression with a mean loss, a multiple of that with a sum."""
    lambda_ = float(one.values["lambda"])
    unit = 2.0 * (len(one.y) if one.weights is None else float(one.weights.sum()))
    proved = _ridge(one, np.ones(1), None, "", unit * lambda_)
    f = "f(x_i) + b" if one.options["centre"] else "f(x_i)"
    words = f"{times(lambda_)}|f|^2 + 1/{unit:g} sum_i {with_weights(one)}({f} - y_i)^2"
    return Proved(proved.certificate.times(lambda_), words, 2.0 * lambda_)


def l1_krr(one: Trained) -> Proved:
    """Return what is proved of ridge regression with kernel weights in a ball of the 1-norm."""
    t = _counted_sizes(one)
    Lambda, mu = float(one.values["Lambda"]), weights_of(one, t)
    return _ridge(one, mu, Ball(Lambda, t, 1), f"weights mu >= 0 with |(t_k mu_k)_k|_1 <= {number(Lambda)}")


def l2_krr(one: Trained) -> Proved:
    """Return what is proved of ridge regression with kernel weights in a ball of the 2-norm."""
    t = _counted_sizes(one)
    Lambda, mu = float(one.values["Lambda"]), weights_of(one, t)
    centre = one.options["mu0"]
    if isinstance(centre, str):
        centre = Lambda / float(np.sqrt(len(mu))) if centre == "uniform" else 0.0
    middle = np.broadcast_to(0.0 if centre is None else centre, mu.shape).astype(np.float64)
    return _ridge(one, mu, Ball(Lambda, t, 2, middle), f"weights mu >= 0 with |t o mu - mu0|_2 <= {number(Lambda)}")


def _ridge(one: Trained, mu: Array, ball: Ball | None, words: str, lambda_: float | None = None) -> Proved:
    lambda_, bias = lambda_ or float(one.values["lambda"]), bool(one.options["centre"])
    unit = 2.0 ** (np.frexp(float(np.abs(one.y).max(initial=0.0)))[1] - 1) if one.y.any() else 1.0
    given = one.coef / unit, one.intercept / unit, one.dual / unit, lambda_, mu
    proof = ridge(one.inputs, one.y / unit, *given, bias=bias, ball=ball, weights=one.weights).times(unit**2)
    f = "f(x_i) + b" if bias else "f(x_i)"
    return Proved(proof, f"|f|^2 + {times(1.0 / lambda_)}sum_i {with_weights(one)}({f} - y_i)^2 with {words}", 2.0)
