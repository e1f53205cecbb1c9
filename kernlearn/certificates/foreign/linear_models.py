"""The problems of scikit-learn's linear models, with their solutions.

LIBLINEAR penalises the intercept of LinearSVC, LinearSVR and its LogisticRegression: it is the weight of one more
feature, which is `intercept_scaling` for every example. What the classes minimise is in scikit-learn's user guide.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy import sparse

from kernlearn.certificates.proofs.examples import Examples, is_sparse
from kernlearn.certificates.proofs.problem import Problem, Weights
from kernlearn.certificates.proofs.proof import Proof
from kernlearn.certificates.proofs.softmax import softmax
from kernlearn.errors import UserError
from kernlearn.types import Array

#: The losses of stochastic gradient descent that are certified.
SGD_LOSSES = {
    "hinge": "hinge",
    "squared_hinge": "squared_hinge",
    "modified_huber": "modified_huber",
    "log_loss": "logistic",
    "squared_error": "squared",
    "epsilon_insensitive": "epsilon_insensitive",
    "squared_epsilon_insensitive": "squared_epsilon_insensitive",
}


def linear_svc(estimator: Any, data: Examples) -> list[Problem]:
    """Return the problems of a LinearSVC: one for two classes, otherwise one of every class against the others."""
    if estimator.multi_class != "ovr":
        raise UserError(f"multi_class={estimator.multi_class}: there is no certificate; only that of 'ovr' is known")
    l1 = float(estimator.penalty == "l1")
    return [
        penalised_intercept(estimator, data.X, k, l1, target=y, costs=estimator.C * w, loss=estimator.loss, name=name)
        for k, y, w, name in against_others(estimator, data)
    ]


def linear_svr(estimator: Any, data: Examples) -> list[Problem]:
    """Return the problems of a LinearSVR."""
    given: dict[str, Any] = {"loss": estimator.loss, "epsilon": float(estimator.epsilon)}
    costs = estimator.C * data.weights
    return [penalised_intercept(estimator, data.X, 0, 0.0, target=data.single().real(), costs=costs, **given)]


def logistic_regression(estimator: Any, data: Examples) -> list[Problem] | list[Proof]:
    """Return the problem of a LogisticRegression, or of a LogisticRegressionCV with what it has chosen.

    Of more than two classes it is what is proved of all of them together.
    """
    C, ratio = _chosen(estimator)
    if ratio is None or not np.isfinite(C):
        raise UserError("LogisticRegression without a penalty has no certificate: no bound follows from a predictor")
    if len(estimator.classes_) > 2:
        index = data.indices(estimator.classes_)
        costs = C * class_factors(estimator, data)[index] * data.weights
        b = np.broadcast_to(estimator.intercept_, len(estimator.classes_))
        bias = bool(estimator.fit_intercept)
        return [softmax(data.X, index, costs, estimator.coef_, b, ratio, 1.0 - ratio, bias=bias)]
    ((k, y, weights, _),) = against_others(estimator, data)
    given = {"target": y, "costs": C * weights, "loss": "logistic"}
    if estimator.solver == "liblinear":
        return [penalised_intercept(estimator, data.X, k, ratio, **given)]
    return [linear(estimator, data.X, k, ratio, 1.0 - ratio, **given)]


def ridge(estimator: Any, data: Examples) -> list[Problem]:
    """Return the problems of a Ridge or a RidgeCV: one of every target."""
    _refuse_positive(estimator)
    Y = _targets(estimator, data)
    alphas = np.broadcast_to(estimator.alpha_ if hasattr(estimator, "alpha_") else estimator.alpha, Y.shape[1])
    return [
        linear(estimator, data.X, k, 0.0, 2.0 * alpha, target=y, costs=2.0 * data.weights, loss="squared", name=name)
        for k, (name, y, alpha) in enumerate(zip(_names(Y), Y.T, alphas.tolist(), strict=True))
    ]


def lasso(estimator: Any, data: Examples) -> list[Problem]:
    """Return the problems of a Lasso, an ElasticNet, or of their CV classes: one of every target."""
    _refuse_positive(estimator)
    Y = _targets(estimator, data)
    alpha = float(getattr(estimator, "alpha_", getattr(estimator, "alpha", 0.0)))
    ratio = float(getattr(estimator, "l1_ratio_", getattr(estimator, "l1_ratio", 1.0)))
    if type(estimator).__name__.startswith("Lasso"):
        ratio = 1.0
    penalties, costs = (alpha * ratio, alpha * (1.0 - ratio)), data.weights / data.weights.sum()
    return [
        linear(estimator, data.X, k, *penalties, target=y, costs=costs, loss="squared", name=name)
        for k, (name, y) in enumerate(zip(_names(Y), Y.T, strict=True))
    ]


def sgd(estimator: Any, data: Examples) -> list[Problem]:
    """Return the problems of an SGDClassifier or an SGDRegressor."""
    if estimator.loss not in SGD_LOSSES:
        raise UserError(f"loss={estimator.loss}: has no certificate; known are {', '.join(SGD_LOSSES)}")
    ratio = {"l2": 0.0, "l1": 1.0, "elasticnet": estimator.l1_ratio}.get(estimator.penalty)
    if ratio is None or estimator.alpha == 0.0:
        raise UserError("an estimator without a penalty has no certificate: no bound follows from a predictor")
    loss, n = SGD_LOSSES[estimator.loss], len(data.y)
    penalties = estimator.alpha * ratio, estimator.alpha * (1.0 - ratio)
    if hasattr(estimator, "classes_"):
        return [
            linear(estimator, data.X, k, *penalties, target=y, costs=w / n, loss=loss, name=name)
            for k, y, w, name in against_others(estimator, data)
        ]
    given: dict[str, Any] = {"loss": loss, "epsilon": float(estimator.epsilon)}
    return [linear(estimator, data.X, 0, *penalties, target=data.single().real(), costs=data.weights / n, **given)]


def against_others(estimator: Any, data: Examples) -> Iterator[tuple[int, Array, Array, str]]:
    """Yield number, labels +-1, weights and name of the problem of every class, or of the second one of two.

    Of more than two classes `class_weight` is that of the examples of the class; the others count once.
    """
    classes, index, factors = estimator.classes_, data.indices(estimator.classes_), class_factors(estimator, data)
    if len(classes) == 2:
        yield 0, np.where(index == 1, 1.0, -1.0), factors[index] * data.weights, ""
        return
    for k, name in enumerate(classes.tolist()):
        own = index == k
        yield k, np.where(own, 1.0, -1.0), np.where(own, factors[k], 1.0) * data.weights, f"class {name!r}"


def class_factors(estimator: Any, data: Examples) -> Array:
    """Return the factors of the losses of the classes.

    Those of gradient descent and of ridge regression do not depend on `sample_weight`.
    """
    from sklearn.utils.class_weight import compute_class_weight

    sample_weight = None if data.unweighted or not hasattr(estimator, "C") else data.weights
    given = {"classes": estimator.classes_, "y": data.y, "sample_weight": sample_weight}
    factors: Array = compute_class_weight(estimator.class_weight, **given)
    return factors


def ridge_classifier(estimator: Any, data: Examples) -> list[Problem]:
    """Return the problems of a RidgeClassifier or a RidgeClassifierCV: of every class against the others."""
    _refuse_positive(estimator)
    index = data.indices(estimator.classes_)
    costs = 2.0 * class_factors(estimator, data)[index] * data.weights
    alpha = float(estimator.alpha_ if hasattr(estimator, "alpha_") else estimator.alpha)
    return [
        linear(estimator, data.X, k, 0.0, 2.0 * alpha, target=y, costs=costs, loss="squared", name=name)
        for k, y, _, name in against_others(estimator, data)
    ]


def linear(estimator: Any, X: Any, k: int, l1: float, l2: float, **given: Any) -> Problem:
    """Return the problem of output k of a linear model with an intercept that is not penalised."""
    w = np.atleast_2d(_dense(estimator.coef_))[k]
    intercepts = np.ravel(estimator.intercept_)  # a single 0 where there are none
    intercept = float(intercepts[min(k, len(intercepts) - 1)])
    machine = Weights(X, w, l1, l2)
    return Problem(machine=machine, intercept=intercept, bias=bool(estimator.fit_intercept), **given)


def penalised_intercept(estimator: Any, X: Any, k: int, l1: float, **given: Any) -> Problem:
    """Return the problem of output k of LIBLINEAR, whose penalty is ``l1 |w|_1 + (1 - l1)/2 |w|^2``."""
    w = np.atleast_2d(estimator.coef_)[k].astype(np.float64)
    if estimator.fit_intercept:
        scale = float(estimator.intercept_scaling)
        column = np.full((X.shape[0], 1), scale)
        X = sparse.csr_array(sparse.hstack([X, sparse.csr_array(column)])) if is_sparse(X) else np.hstack([X, column])
        w = np.append(w, float(np.atleast_1d(estimator.intercept_)[k]) / scale)
    return Problem(machine=Weights(X, w, l1, 1.0 - l1), **given)


def _chosen(estimator: Any) -> tuple[float, float | None]:
    """Return C and the part of the 1-norm in the penalty of a LogisticRegression; this is None without a penalty.

    A LogisticRegressionCV may have them once for every class.
    """
    Cs = np.ravel(getattr(estimator, "C_", getattr(estimator, "C", 1.0))).tolist()
    ratios = np.ravel(getattr(estimator, "l1_ratio_", getattr(estimator, "l1_ratio", 0.0))).tolist()
    if len({*Cs}) > 1 or len({*ratios}) > 1:
        raise UserError("there is no certificate of a LogisticRegressionCV with another C for every class")
    return float(Cs[0]), {"l2": 0.0, "l1": 1.0, None: None}.get(estimator.penalty, float(ratios[0] or 0.0))


def _targets(estimator: Any, data: Examples) -> Array:
    """Return the targets, shape (n, n_targets), or raise `UserError` if the estimator has learned other numbers."""
    Y, learned = data.real().reshape(len(data.y), -1), np.atleast_2d(_dense(estimator.coef_)).shape[0]
    if Y.shape[1] != learned:
        raise UserError(f"the estimator was fitted to {learned} targets, and y has {Y.shape[1]}")
    return Y


def _refuse_positive(estimator: Any) -> None:
    if getattr(estimator, "positive", False):
        raise UserError("positive=True: has no certificate, as its weights have bounds; leave it False")


def _names(Y: Array) -> list[str]:
    return [""] if Y.shape[1] == 1 else [f"target {k}" for k in range(Y.shape[1])]


def _dense(matrix: Any) -> Any:
    return np.asarray(matrix.toarray() if is_sparse(matrix) else matrix, dtype=np.float64)
