"""The problems of our methods, rebuilt from the training data, and what is proved of a stored solution of each.

The problem of a method is at the head of its module in ``kernlearn/algorithms``. Here is which certificate it has, and
how its penalties and bounds follow from the grid point and the data.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from kernlearn.certificates.band import band
from kernlearn.certificates.hinge_l1 import hinge_l1
from kernlearn.certificates.linear import fisher, linear_svm, means_coincide
from kernlearn.certificates.outputs import outputs
from kernlearn.certificates.own import kernel_learning
from kernlearn.certificates.own.parts import HINGE, Proved, gram, require_coefficients, require_intercept, with_weights
from kernlearn.certificates.own.predictor import outputs_of_solution, require_convex, require_predictor
from kernlearn.certificates.own.stored import Stored, Trained, rows_of, targets_of, trained
from kernlearn.certificates.own.votes import VOTES, outputs_of_votes, votings
from kernlearn.certificates.proofs.examples import Examples
from kernlearn.certificates.proofs.problem import number, times
from kernlearn.certificates.proofs.proof import STORED, Proof
from kernlearn.certificates.svm import hard_svm, svm
from kernlearn.errors import UserError
from kernlearn.kernels import COMPLEXITIES, FeatureStack, Whitening
from kernlearn.kernels.matrices.columns import KernelColumns
from kernlearn.types import Array

BAND = "the band of the model; that it is the fraction of an SVM's is not checked"


def l2_svm(one: Trained) -> Proved:
    """Return what is proved of a soft-margin SVM."""
    C = float(one.values["C"])
    proof = svm(gram(one), one.y, one.coef[0], one.intercept, one.dual, C, weights=one.weights)
    return Proved(proof, f"1/2 |f|^2 + {times(C)}sum_i {with_weights(one)}{HINGE.format('(f(x_i) + b)')}", 1.0)


def soft_svm(one: Trained) -> Proved:
    """Return what is proved of a soft-margin SVM in the form of the textbook."""
    lambda_, bias = float(one.values["lambda"]), not one.options["homogenous"]
    unit, n = 2.0 * lambda_, len(one.y)
    if not bias:
        require_intercept(one, 0.0)
    given = one.coef[0], one.intercept, one.dual / unit, 1.0 / (unit * n)
    proof = svm(gram(one), one.y, *given, weights=one.weights, bias=bias).times(unit)
    loss = HINGE.format("(f(x_i) + b)" if bias else "f(x_i)")
    return Proved(proof, f"{times(lambda_)}|f|^2 + 1/{n} sum_i {with_weights(one)}{loss}", unit)


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
    return Proved(proof, f"{times(0.5 * lambda_)}|f|^2 + 1/{n} sum_i {HINGE.format('f(x_i)')}{feature}", lambda_)


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
    words = f"1/2 |f|^2 + {times(C)}sum_i {with_weights(one)}{HINGE.format('(f(x_i) + b)')}"
    return Proved(proof, f"{words} subject to |f(x_i) + b| <= {number(width)}", 1.0, only)


def rmm_d(one: Trained) -> Proved:
    """Return what is proved of a relative margin machine whose band has a price."""
    C = float(one.values["C"])
    D = float(one.values.get("D", C))
    proof = band(gram(one), one.y, one.coef[0], one.intercept, one.dual, C, 1.0, price=D, weights=one.weights)
    words = f"1/2 |f|^2 + {times(C)}sum_i {with_weights(one)}{HINGE.format('(f(x_i) + b)')} + {times(D)}B"
    return Proved(proof, f"{words} subject to |f(x_i) + b| <= B, B >= 1", 1.0)


def l1_svm(one: Trained) -> Proved:
    """Return what is proved of a norm-1 SVM."""
    beta = float(one.values["beta"])
    return _norm_1(one, np.array([beta]), f"{times(beta)}sum_j |a_j|")


def vkr(one: Trained) -> Proved:
    """Return what is proved of Voted Kernel Regularization."""
    complexity, inputs = one.options["complexity"], gram(one)
    given = {"radius": [one.values["radius"]]} if "radius" in one.values else {}
    r = np.reshape(COMPLEXITIES[complexity](inputs, **given), -1)
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
    return Proved(proof.times(mean), f"{words} + 1/{n} sum_i {with_weights(one)}{HINGE.format('f(x_i)')}")


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
    words = f"{times(0.5 * lambda_)}|w|^2 + 1/{len(one.y)} sum_i {HINGE.format('w.x_i')}"
    feature = f", with the constant feature {number(constant)}" if constant else ""
    return Proved(proof, words + feature, lambda_)


def klda(one: Trained) -> Proved:
    """Return what is proved of a kernel Fisher discriminant, whose threshold is between the projected class means."""
    if one.options["threshold"] != "means":
        raise UserError("klda: nothing can be proved: there is no check of threshold=svm")
    inputs, mu = gram(one), float(one.values["mu"])
    K = inputs.matrix(0)
    size = 2.0 ** (np.frexp(float(K.max()))[1] - 1)  # as in the path of the method
    unit = float(np.vdot(K / size, K / size)) / len(one.y)
    require_coefficients(one, one.primal)
    z = outputs(inputs, one.coef).high
    means = [float(z[one.y == sign].mean()) for sign in (1.0, -1.0)]
    require_intercept(one, -0.5 * sum(means), float(np.abs(K @ np.abs(one.primal)).max(initial=0.0)))
    proof = fisher(inputs, one.y, one.primal, (mu * unit) or 1.0, size, float(means_coincide(inputs, one.y)))
    words = f"alpha'(N + {number(mu)} I) alpha - 2 alpha'd with the scatter N within classes and their distance d"
    return Proved(proof, words)


def u_svm(one: Trained) -> Proved:
    """Return what is proved of a machine with a Universum, where this was left out."""
    if "C_universum" in one.values:
        raise UserError("u_svm: nothing can be proved: the Universum is no part of the data that are checked")
    return l2_svm(one)


def sigma_svm(one: Trained) -> Proved:
    """Return what is proved of an SVM with a whitened kernel, which is made of the kernel and the examples."""
    C, D, inputs = float(one.values["C"]), float(one.values["D"]), gram(one)
    unit = float(inputs.diagonal(0).mean()) or 1.0
    K, _ = inputs.centred_matrix(0)
    whitening = Whitening(K / unit, D)
    require_coefficients(one, whitening.coefficients(one.primal)[0])
    learned = unit * whitening.matrix, one.primal
    proof = svm(inputs, one.y, one.coef[0], one.intercept, one.dual, C, weights=one.weights, learned=learned)
    words = f"1/2 |f|^2 + {times(C)}sum_i {with_weights(one)}{HINGE.format('(f(x_i) + b)')}"
    return Proved(proof, f"{words} with the whitened kernel of D = {number(D)}", 1.0)


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
    "rmm_c_eq_d": rmm_d,
    "sigma_svm": sigma_svm,
    "u_svm": u_svm,
    "klda": klda,
    "linear_svm": linear,
    "l1_mkl": kernel_learning.lp_mkl(1.0),
    "l2_mkl": kernel_learning.lp_mkl(2.0),
    "conv": kernel_learning.conv,
    "dc": kernel_learning.dc,
    "multiclass_mkl": kernel_learning.all_classes,
    "multiclass_conv": kernel_learning.all_classes,
    "unif": kernel_learning.two_stage,
    "align": kernel_learning.two_stage,
    "alignf": kernel_learning.two_stage,
    "krr": kernel_learning.krr,
    "krr_mean": kernel_learning.krr_mean,
    "l1_krr": kernel_learning.l1_krr,
    "l2_krr": kernel_learning.l2_krr,
}
#: Methods that solve the problem of all classes at once.
JOINT = ("multiclass_mkl", "multiclass_conv")
#: Methods whose problem needs kernel values at most twice.
STREAMED = ("l2_svm", "soft_svm", "hard_svm", "rmm", "rmm_d", "rmm_c_eq_d", "u_svm", "linear_svm")
ROUNDS = "its rounds of boosting end before any optimum"
SPECTRUM = "there is no check of the eigenvectors of a graph"
CUTS = "its bound is of cutting planes, which the model does not have"
#: Why nothing is proved, by the name of the method.
UNPROVED = {
    **dict.fromkeys(("adaboost", "adaboost_reg", "ebboost", "rbf_adaboost", "rbf_adaboost_reg"), ROUNDS),
    "perceptron": "it stops at the first hyperplane that separates the classes, and optimises nothing",
    "nearest_mean": "it is a closed form of the class means, and optimises nothing",
    "ekm": "it learns an ellipsoid first, which the model does not have",
    **dict.fromkeys(("struct_svm", "struct_rmm"), CUTS),
    "crf": "there is no check of sequences",
    **dict.fromkeys(("kta_s", "kta_r", "sgt", "stoam", "storm", "mkl_s", "mkl_r"), SPECTRUM),
    **dict.fromkeys(("diffusion", "gaussian_field"), SPECTRUM),
    **dict.fromkeys(("label_propagation", "label_spreading"), "there is no check of values on a graph"),
}


def prove_stored(stored: Stored, data: Examples) -> list[Proof]:
    """Return what is proved of every output of a stored solution on the training data.

    Raises
    ------
    UserError
        If there is no certificate for the method, or the data are not those of the solution.
    """
    require_provable(stored.method, stored.values)
    if stored.method in VOTES:
        rows = rows_of(stored, data.X.shape[0])
        targets, names = targets_of(stored, data, rows)
        several = votings(stored, data.X[rows], targets)
        require_predictor(stored, [outputs_of_votes(one) for one in several], rows)
        return [_proof(VOTES[stored.method](one), name, len(rows)) for one, name in zip(several, names, strict=True)]
    prove, joint = PROBLEMS[stored.method], stored.method in JOINT
    some = trained(stored, data, hold=stored.method not in STREAMED, joint=joint)
    require_convex(stored.method, some[0].inputs)
    require_predictor(stored, outputs_of_solution(some), rows_of(stored, data.X.shape[0]))
    return [_proof(prove(one), one.name, len(one.y)) for one in some]


def require_provable(method: str, values: Mapping[str, Any]) -> None:
    """Raise `UserError` with the reason if there is no certificate for the solutions of a method."""
    if "nu" in values and method not in VOTES:
        raise UserError(f"{method} with nu: no check of stored solutions")
    if method not in PROBLEMS and method not in VOTES:
        reason = UNPROVED.get(method, f"there is a check for {', '.join([*PROBLEMS, *VOTES])}")
        raise UserError(f"{method}: nothing can be proved: {reason}")


def _proof(proved: Proved, name: str, n: int) -> Proof:
    P, D = proved.certificate.objective, proved.certificate.dual_objective
    return Proof(
        problem=proved.words,
        name=name,
        objective=P,
        lower_bound=D,
        relative_gap=proved.certificate.gap,
        violation=max(proved.certificate.violation, abs(proved.certificate.stretch - 1.0)),
        multipliers=STORED,
        n_examples=n,
        distance=(2.0 * max(0.0, P - D) / proved.convexity) ** 0.5 if proved.convexity else np.inf,
        only=proved.only,
    )
