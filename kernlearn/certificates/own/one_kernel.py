"""Problems of one kernel, or of features, rebuilt from the training data, with what is proved of each.

As in `kernlearn.certificates.own.problems`, the problem of a method is at the head of its module.
"""

from dataclasses import replace
from math import inf

import numpy as np

from kernlearn.certificates.band import band
from kernlearn.certificates.hinge_l1 import hinge_l1
from kernlearn.certificates.linear import linear_svm
from kernlearn.certificates.multiclass import margins_of_classes
from kernlearn.certificates.outputs import outputs
from kernlearn.certificates.own.parts import BAND, Proved, gram, hinges, require_intercept, svm_in_words
from kernlearn.certificates.own.stored import Trained
from kernlearn.certificates.proofs.examples import OtherData
from kernlearn.certificates.proofs.problem import number, times
from kernlearn.certificates.structured import structured_classes
from kernlearn.certificates.svm import hard_svm, soft_margin, svm
from kernlearn.errors import UserError
from kernlearn.kernels import COMPLEXITIES, FeatureStack
from kernlearn.kernels.matrices.columns import KernelColumns
from kernlearn.types import Array

UNIVERSUM = "the Universum of the file"


def l2_svm(one: Trained) -> Proved:
    """Return what is proved of a soft-margin SVM."""
    C = float(one.values["C"])
    proof = svm(gram(one), one.y, one.coef[0], one.intercept, one.dual, C, weights=one.weights)
    return Proved(proof, svm_in_words(one), 1.0)


def soft_svm(one: Trained) -> Proved:
    """Return what is proved of a soft-margin SVM in the form of the textbook."""
    lambda_, bias = float(one.values["lambda"]), not one.options["homogenous"]
    if not bias:
        require_intercept(one, 0.0)
    proof = soft_margin(gram(one), one.y, one.coef[0], one.intercept, one.dual, lambda_, one.weights, bias)
    losses = hinges(one, f"1/{len(one.y)} ", "(f(x_i) + b)" if bias else "f(x_i)")
    return Proved(proof, f"{times(lambda_)}|f|^2 + {losses}", 2.0 * lambda_)


def hard_margin(one: Trained) -> Proved:
    """Return what is proved of a hard-margin SVM."""
    bias = not one.options["homogenous"]
    if not bias:
        require_intercept(one, 0.0)
    proof = hard_svm(gram(one), one.y, one.coef[0], one.intercept, one.dual, bias)
    return Proved(proof, f"|f|^2 subject to y_i {'(f(x_i) + b)' if bias else 'f(x_i)'} >= 1", 2.0)


def sgd_svm(one: Trained) -> Proved:
    """Return what is proved of a soft-margin SVM with a constant feature for an intercept."""
    lambda_, constant = float(one.values["lambda"]), float(one.options["constant"])
    inputs, n, coef = gram(one), len(one.y), one.coef[0]
    require_intercept(one, constant**2 * float(coef.sum()), float(np.abs(coef).sum()) * constant**2)
    learned = (inputs.matrix(0) + constant**2, coef) if constant else None
    C = 1.0 / (lambda_ * n)
    proof = svm(inputs, one.y, coef, one.intercept, one.dual / lambda_, C, bias=False, learned=learned).times(lambda_)
    feature = f", with the constant feature {number(constant)}" if constant else ""
    return Proved(proof, f"{times(0.5 * lambda_)}|f|^2 + {hinges(one, f'1/{n} ', 'f(x_i)')}{feature}", lambda_)


def rmm(one: Trained) -> Proved:
    """Return what is proved of a relative margin machine.

    Its band is the one that was given, or none where the fraction is 1. Another fraction is one of the outputs of an
    SVM, which is not there: then the proof is for the band of the largest output.
    """
    inputs, C, B = gram(one), float(one.values["C"]), one.options.get("B")
    if B is None and float(one.values["fraction"]) == 1.0:
        return l2_svm(replace(one, dual=one.dual[0]))
    only = "" if B is not None else BAND
    width = float(outputs(inputs, one.coef).plus(one.intercept).largest().max()) if B is None else float(B)
    given = one.coef[0], one.intercept, one.dual, C, width
    proof = band(inputs, one.y, *given, weights=one.weights)
    words = svm_in_words(one)
    return Proved(proof, f"{words} subject to |f(x_i) + b| <= {number(width)}", 1.0, only)


def rmm_d(one: Trained) -> Proved:
    """Return what is proved of a relative margin machine whose band has a price."""
    C = float(one.values["C"])
    D = float(one.values.get("D", C))
    costs, least = D * float(one.values.get("nu", inf)) / len(one.y), float(one.options.get("B") or 1.0)
    given = one.coef[0], one.intercept, one.dual, C, least
    proof = band(gram(one), one.y, *given, costs=costs, price=D, weights=one.weights)
    return Proved(proof, f"{svm_in_words(one)} + {times(D)}B subject to |f(x_i) + b| <= B, B >= 1", 1.0)


def l1_svm(one: Trained) -> Proved:
    """Return what is proved of a norm-1 SVM."""
    beta = float(one.values["beta"])
    return _norm_1(one, np.array([beta]), f"{times(beta)}sum_j |a_j|")


def vkr(one: Trained) -> Proved:
    """Return what is proved of Voted Kernel Regularization."""
    complexity, inputs = one.options["complexity"], gram(one)
    given = {"radius": [one.values["radius"]]} if "radius" in one.values else {}
    r = np.reshape(COMPLEXITIES[complexity](inputs, counts=one.counts, **given), -1)
    lambda_, beta = float(one.values["lambda"]), float(one.values["beta"])
    words = f"sum_k ({number(lambda_)} r_k + {number(beta)}) sum_j |a_kj| with r_k by {complexity}"
    return _norm_1(one, lambda_ * r + beta, words)


def _norm_1(one: Trained, penalties: Array, words: str) -> Proved:
    require_intercept(one, 0.0)
    inputs, n = gram(one), len(one.y)
    mean = 1.0 if one.weights is None else float(one.weights.mean())
    columns = KernelColumns(inputs, one.y, None if one.weights is None else one.weights / mean)
    cost = np.repeat(penalties[:, None] / mean, n, axis=1)
    proof = hinge_l1(columns, cost, one.coef, n * one.dual / mean)
    return Proved(proof.times(mean), f"{words} + {hinges(one, f'1/{n} ', 'f(x_i)')}")


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
        require_intercept(one, 0.0)
    proof = linear_svm(X, one.y, w, f, one.dual / lambda_, lambda_)
    words = f"{times(0.5 * lambda_)}|w|^2 + {hinges(one, f'1/{len(one.y)} ', 'w.x_i')}"
    feature = f", with the constant feature {number(constant)}" if constant else ""
    return Proved(proof, words + feature, lambda_)


def u_svm(one: Trained) -> Proved:
    """Return what is proved of a machine with a Universum, which is that of the model; without one it is an SVM."""
    if "C_universum" not in one.values:
        return l2_svm(one)
    C, cost, epsilon = (float(one.values.get(key, one.options.get(key))) for key in ("C", "C_universum", "epsilon"))
    n, m = len(one.y), one.inputs.shape[1] - len(one.y)
    if not m:
        raise OtherData("u_svm: the model does not have its Universum; fit it again")
    costs = np.append(np.zeros(n), np.full(m, cost))
    given = one.coef[0], one.intercept, one.dual, C, epsilon
    proof = band(gram(one), one.y, *given, costs=costs, weights=one.weights)
    words = svm_in_words(one)
    words += f" + {times(cost)}sum_j max(0, |f(u_j) + b| - {number(epsilon)}) over {m} examples u_j of a Universum"
    return Proved(proof, words, 1.0, UNIVERSUM)


def struct_classes(one: Trained) -> Proved:
    """Return what is proved of a structured machine of all classes at once.

    Its bound is that of `kernlearn.certificates.own.sequences`.
    """
    C, inputs, coef, y = float(one.values["C"]), gram(one), one.coef[:, 0], one.y
    if np.any(one.intercept):
        raise UserError(f"{one.stored.method}: the intercepts are {one.intercept}, and must be 0")
    f = [outputs(inputs, each[None]) for each in coef]
    given, widest = one.options.get("B"), float(margins_of_classes(f, y)[2].max(initial=0.0))
    V = one.dual
    allowed = (np.arange(V.shape[1]) != y[:, None]) & (V > 0.0)  # where there is a multiplier of the bound
    bounded = given is not None or (float(one.values.get("fraction", 1.0)) < 1.0 and bool(allowed.any()))
    B = inf if not bounded else widest if given is None else float(given)
    proof = structured_classes(inputs, y, coef, V, C, B)
    words = f"1/2 sum_c |f_c|^2 + {number(C / len(y))} sum_i max_c ([c != y_i] + f_c(x_i) - f_(y_i)(x_i))"
    words += f" subject to |f_c(x_i) - f_(y_i)(x_i)| <= {number(B)}" if bounded else ""
    return Proved(proof, words, 1.0, BAND if bounded and given is None else "")
