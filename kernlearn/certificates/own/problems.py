"""The problems of our methods, rebuilt from the training data, and what is proved of a stored solution of each.

The problem of a method is at the head of its module in ``kernlearn/algorithms``. Here is which certificate it has, and
how its penalties and bounds follow from the grid point and the data.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from kernlearn.certificates.band import band
from kernlearn.certificates.certificate import Certificate
from kernlearn.certificates.hinge_l1 import hinge_l1
from kernlearn.certificates.kernel_weights import weighted_svm
from kernlearn.certificates.linear import linear_svm
from kernlearn.certificates.outputs import outputs
from kernlearn.certificates.own.stored import Stored, Trained, trained
from kernlearn.certificates.proofs.examples import Examples
from kernlearn.certificates.proofs.problem import number, times
from kernlearn.certificates.proofs.proof import STORED, Proof
from kernlearn.certificates.ridge import Ball, ridge
from kernlearn.certificates.svm import hard_svm, svm
from kernlearn.errors import UserError
from kernlearn.kernels import COMPLEXITIES, DenseStack, FeatureStack, GramStack, sizes
from kernlearn.kernels.matrices.columns import KernelColumns
from kernlearn.types import Array


class Proved(NamedTuple):
    """A certificate, the problem in words, and the modulus of its convexity in the norm of f."""

    certificate: Certificate
    words: str
    convexity: float = 0.0


#: Relative rounding error of an intercept that is a sum.
ROUNDED = 1e-12
HINGE = "max(0, 1 - y_i {})"


def l2_svm(one: Trained) -> Proved:
    """Return what is proved of a soft-margin SVM."""
    C = float(one.values["C"])
    proof = svm(_gram(one), one.y, one.coef[0], one.intercept, one.dual, C, weights=one.weights)
    return Proved(proof, f"1/2 |f|^2 + {times(C)}sum_i {_w(one)}{HINGE.format('(f(x_i) + b)')}", 1.0)


def soft_svm(one: Trained) -> Proved:
    """Return what is proved of a soft-margin SVM in the form of the textbook."""
    lambda_, bias = float(one.values["lambda"]), not one.options["homogenous"]
    unit, n = 2.0 * lambda_, len(one.y)
    if not bias:
        _require_intercept(one, 0.0)
    given = one.coef[0], one.intercept, one.dual / unit, 1.0 / (unit * n)
    proof = svm(_gram(one), one.y, *given, weights=one.weights, bias=bias).times(unit)
    loss = HINGE.format("(f(x_i) + b)" if bias else "f(x_i)")
    return Proved(proof, f"{times(lambda_)}|f|^2 + 1/{n} sum_i {_w(one)}{loss}", unit)


def hard_margin(one: Trained) -> Proved:
    """Return what is proved of a hard-margin SVM."""
    bias = not one.options["homogenous"]
    if not bias:
        _require_intercept(one, 0.0)
    proof = hard_svm(_gram(one), one.y, one.coef[0], one.intercept, one.dual, bias)
    return Proved(proof, f"|f|^2 subject to y_i {'(f(x_i) + b)' if bias else 'f(x_i)'} >= 1", 2.0)


def sgd_svm(one: Trained) -> Proved:
    """Return what is proved of a soft-margin SVM with a constant feature for an intercept."""
    lambda_, constant = float(one.values["lambda"]), float(one.options["constant"])
    inputs, n, coef = _gram(one), len(one.y), one.coef[0]
    _require_intercept(one, constant**2 * float(coef.sum()), float(np.abs(coef).sum()) * constant**2)
    learned = (inputs.matrix(0) + constant**2, coef) if constant else None
    C = 1.0 / (lambda_ * n)
    proof = svm(inputs, one.y, coef, one.intercept, one.dual / lambda_, C, bias=False, learned=learned).times(lambda_)
    feature = f", with the constant feature {number(constant)}" if constant else ""
    return Proved(proof, f"{times(0.5 * lambda_)}|f|^2 + 1/{n} sum_i {HINGE.format('f(x_i)')}{feature}", lambda_)


def rmm(one: Trained) -> Proved:
    """Return what is proved of a relative margin machine, whose band is that of its largest output."""
    inputs, C = _gram(one), float(one.values["C"])
    B = float(outputs(inputs, one.coef).plus(one.intercept).largest().max())
    given = one.coef[0], one.intercept, one.dual, C, B
    proof = band(inputs, one.y, *given, weights=one.weights)
    words = f"1/2 |f|^2 + {times(C)}sum_i {_w(one)}{HINGE.format('(f(x_i) + b)')}"
    return Proved(proof, f"{words} subject to |f(x_i) + b| <= {number(B)}", 1.0)


def rmm_d(one: Trained) -> Proved:
    """Return what is proved of a relative margin machine whose band has a price."""
    C = float(one.values["C"])
    D = float(one.values.get("D", C))
    proof = band(_gram(one), one.y, one.coef[0], one.intercept, one.dual, C, 1.0, price=D, weights=one.weights)
    words = f"1/2 |f|^2 + {times(C)}sum_i {_w(one)}{HINGE.format('(f(x_i) + b)')} + {times(D)}B"
    return Proved(proof, f"{words} subject to |f(x_i) + b| <= B, B >= 1", 1.0)


def l1_svm(one: Trained) -> Proved:
    """Return what is proved of a norm-1 SVM."""
    beta = float(one.values["beta"])
    return _norm_1(one, np.array([beta]), f"{times(beta)}sum_j |a_j|")


def vkr(one: Trained) -> Proved:
    """Return what is proved of Voted Kernel Regularization."""
    complexity, inputs = one.options["complexity"], _gram(one)
    given = {"radius": [one.values["radius"]]} if "radius" in one.values else {}
    r = np.reshape(COMPLEXITIES[complexity](inputs, **given), -1)
    lambda_, beta = float(one.values["lambda"]), float(one.values["beta"])
    words = f"sum_k ({number(lambda_)} r_k + {number(beta)}) sum_j |a_kj| with r_k by {complexity}"
    return _norm_1(one, lambda_ * r + beta, words)


def _norm_1(one: Trained, penalties: Array, words: str) -> Proved:
    _require_intercept(one, 0.0)
    inputs, n = _gram(one), len(one.y)
    mean = 1.0 if one.weights is None else float(one.weights.mean())
    columns = KernelColumns(inputs, one.y, None if one.weights is None else one.weights / mean)
    cost = np.repeat(penalties[:, None] / mean, n, axis=1)
    proof = hinge_l1(columns, cost, one.coef, n * one.dual / mean)
    return Proved(proof.times(mean), f"{words} + 1/{n} sum_i {_w(one)}{HINGE.format('f(x_i)')}")


def lp_mkl(norm: float) -> Callable[[Trained], Proved]:
    """Return what proves kernel weights of bounded norm, learned together with an SVM."""

    def prove(one: Trained) -> Proved:
        C, mu, p = float(one.values["C"]), _weights(one), float(one.options.get("norm", norm))
        given = one.coef, one.intercept, mu, one.dual, C, _sizes(one), p
        proof = weighted_svm(one.inputs, one.y, *given, weights=one.weights)
        loss = f"{times(C)}sum_i {_w(one)}{HINGE.format('(f(x_i) + b)')}"
        return Proved(proof, f"1/2 sum_k |f_k|^2 / mu_k + {loss} over mu >= 0 with |(t_k mu_k)_k|_{p:g} <= 1")

    return prove


def two_stage(one: Trained) -> Proved:
    """Return what is proved of an SVM, or of ridge regression, with kernel weights that are taken as they are."""
    mu = _weights(one)
    if "lambda" in one.values:
        return _ridge(one, mu, None, "weights mu as stored")
    C = float(one.values["C"])
    proof = weighted_svm(one.inputs, one.y, one.coef, one.intercept, mu, one.dual, C, weights=one.weights)
    loss = f"{times(C)}sum_i {_w(one)}{HINGE.format('(f(x_i) + b)')}"
    return Proved(proof, f"1/2 |f|^2 + {loss} with the kernel of the stored weights", 1.0)


def krr(one: Trained) -> Proved:
    """Return what is proved of kernel ridge regression."""
    return _ridge(one, 1.0 / _sizes(one), None, f"a kernel over its size ({one.options['normalise']})")


def l1_krr(one: Trained) -> Proved:
    """Return what is proved of ridge regression with kernel weights in a ball of the 1-norm."""
    Lambda, mu = float(one.values["Lambda"]), _weights(one)
    return _ridge(one, mu, Ball(Lambda, _sizes(one), 1), f"weights mu >= 0 with |(t_k mu_k)_k|_1 <= {number(Lambda)}")


def l2_krr(one: Trained) -> Proved:
    """Return what is proved of ridge regression with kernel weights in a ball of the 2-norm."""
    Lambda, mu = float(one.values["Lambda"]), _weights(one)
    centre = one.options["mu0"]
    if isinstance(centre, str):
        centre = Lambda / float(np.sqrt(len(mu))) if centre == "uniform" else 0.0
    middle = np.broadcast_to(0.0 if centre is None else centre, mu.shape).astype(np.float64)
    words = f"weights mu >= 0 with |t o mu - mu0|_2 <= {number(Lambda)}"
    return _ridge(one, mu, Ball(Lambda, _sizes(one), 2, middle), words)


def _ridge(one: Trained, mu: Array, ball: Ball | None, words: str) -> Proved:
    lambda_, bias = float(one.values["lambda"]), bool(one.options["centre"])
    unit = 2.0 ** (np.frexp(float(np.abs(one.y).max(initial=0.0)))[1] - 1) if one.y.any() else 1.0
    given = one.coef / unit, one.intercept / unit, one.dual / unit, lambda_, mu
    proof = ridge(one.inputs, one.y / unit, *given, bias=bias, ball=ball).times(unit**2)
    f = "f(x_i) + b" if bias else "f(x_i)"
    return Proved(proof, f"|f|^2 + {times(1.0 / lambda_)}sum_i ({f} - y_i)^2 with {words}", 2.0)


def linear(one: Trained) -> Proved:
    """Return what is proved of a linear SVM with a constant feature for an intercept."""
    from scipy import sparse

    lambda_, constant = float(one.values["lambda"]), float(one.options["constant"])
    assert isinstance(one.inputs, FeatureStack)
    X, w = sparse.csr_array(one.inputs.V), one.coef
    f = outputs(one.inputs, w).plus(one.intercept).high
    if constant:
        X = sparse.csr_array(sparse.hstack([X, sparse.csr_array(np.full((len(one.y), 1), constant))]))
        w = np.append(w, one.intercept / constant)
    else:
        _require_intercept(one, 0.0)
    proof = linear_svm(X, one.y, w, f, one.dual / lambda_, lambda_)
    words = f"{times(0.5 * lambda_)}|w|^2 + 1/{len(one.y)} sum_i {HINGE.format('w.x_i')}"
    feature = f", with the constant feature {number(constant)}" if constant else ""
    return Proved(proof, words + feature, lambda_)


#: What proves a solution, by the name of the method.
PROBLEMS: dict[str, Callable[[Trained], Proved]] = {
    "l2_svm": l2_svm,
    "soft_svm": soft_svm,
    "hard_svm": hard_margin,
    "sgd_svm": sgd_svm,
    "rmm": rmm,
    "rmm_d": rmm_d,
    "l1_svm": l1_svm,
    "vkr": vkr,
    "l1_mkl": lp_mkl(1.0),
    "l2_mkl": lp_mkl(2.0),
    "unif": two_stage,
    "align": two_stage,
    "alignf": two_stage,
    "krr": krr,
    "l1_krr": l1_krr,
    "l2_krr": l2_krr,
    "linear_svm": linear,
}
#: Methods whose problem needs kernel values more than twice.
HOLDS = ("vkr", "l1_svm", "sgd_svm", "l1_mkl", "l2_mkl", "unif", "align", "alignf", "krr", "l1_krr", "l2_krr")


def prove_stored(stored: Stored, data: Examples) -> list[Proof]:
    """Return what is proved of every output of a stored solution on the training data.

    Raises
    ------
    UserError
        If there is no certificate for the method, or the data are not those of the solution.
    """
    prove = PROBLEMS.get(stored.method)
    if prove is None or "nu" in stored.values:
        name = f"{stored.method} with nu" if "nu" in stored.values else stored.method
        raise UserError(f"{name}: no check of stored solutions; there is one for {', '.join(PROBLEMS)}")
    proofs = []
    for one in trained(stored, data, hold=stored.method in HOLDS):
        proved = prove(one)
        P, D = proved.certificate.objective, proved.certificate.dual_objective
        proofs.append(
            Proof(
                problem=proved.words,
                name=one.name,
                objective=P,
                lower_bound=D,
                relative_gap=proved.certificate.gap,
                violation=proved.certificate.violation,
                multipliers=STORED,
                n_examples=len(one.y),
                distance=(2.0 * max(0.0, P - D) / proved.convexity) ** 0.5 if proved.convexity else np.inf,
            )
        )
    return proofs


def _require_intercept(one: Trained, intercept: float, size: float = 0.0) -> None:
    """Raise `UserError` unless the intercept is that of the problem, up to the rounding of terms of a size."""
    if abs(one.intercept - intercept) > ROUNDED * size:
        raise UserError(f"{one.stored.method}: the intercept is {one.intercept:.6g}, and must be {intercept:.6g}")


def _gram(one: Trained) -> GramStack:
    if not isinstance(one.inputs, GramStack):
        raise UserError(f"{one.stored.method}: is of kernels, and the solution is of features")
    return one.inputs


def _weights(one: Trained) -> Array:
    """Return the weights of the kernels, those of a model of ``kernlearn fit`` from its solution."""
    if one.mu is not None:
        return one.mu
    x = one.primal
    if one.stored.method in ("l1_mkl", "l2_mkl") and x.shape == (len(one.coef),):
        return x / _sizes(one)
    if one.stored.method in ("unif", "align", "alignf") and x.shape == one.coef.shape[1:] and x.any():
        return one.coef @ x / (x @ x)
    raise UserError(f"{one.stored.method}: the solution has no weights of kernels")


def _sizes(one: Trained) -> Array:
    """Return the sizes that the kernels are divided by."""
    centre = bool(one.options["centre"])
    kernels = one.inputs if isinstance(one.inputs, FeatureStack) else DenseStack.of(_gram(one), less_constant=centre)
    return sizes(kernels.centred() if centre else kernels, one.options["normalise"])


def _w(one: Trained) -> str:
    return "" if one.weights is None else "w_i "
