"""Bounds for fitted estimators of scikit-learn, kernlearn and LibSVM: finds the class and the problem of each."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from os import PathLike
from typing import Any

from kernlearn.certificates.foreign import kernel_machines, linear_models, nu_machines
from kernlearn.certificates.foreign.approximations import approximation_of, own_approximation, prove_approximation
from kernlearn.certificates.foreign.libsvm_files import libsvm_file
from kernlearn.certificates.own.estimators import is_tagger, of_estimator, prove_tagger
from kernlearn.certificates.own.graph_models import prove_on_graph, spectrum_kept
from kernlearn.certificates.own.problems import prove_stored
from kernlearn.certificates.own.weights import weights_follow
from kernlearn.certificates.proofs.centres import MOST_VALUES
from kernlearn.certificates.proofs.examples import Examples, OtherData, examples
from kernlearn.certificates.proofs.problem import Problem
from kernlearn.certificates.proofs.proof import Proof, prove, worst_of
from kernlearn.errors import UserError

#: What gives the problems of an estimator with their solutions, or what is proved of them, by package and class.
Prover = Callable[[Any, Examples], Sequence[Problem | Proof]]
PROVERS: dict[tuple[str, str], Prover] = {
    ("sklearn", "SVC"): kernel_machines.svc,
    ("sklearn", "SVR"): kernel_machines.svr,
    ("sklearn", "NuSVC"): nu_machines.nu_svc,
    ("sklearn", "NuSVR"): nu_machines.nu_svr,
    ("sklearn", "KernelRidge"): kernel_machines.kernel_ridge,
    ("sklearn", "LinearSVC"): linear_models.linear_svc,
    ("sklearn", "LinearSVR"): linear_models.linear_svr,
    ("sklearn", "LogisticRegression"): linear_models.logistic_regression,
    ("sklearn", "LogisticRegressionCV"): linear_models.logistic_regression,
    ("sklearn", "Ridge"): linear_models.ridge,
    ("sklearn", "RidgeCV"): linear_models.ridge,
    ("sklearn", "RidgeClassifier"): linear_models.ridge_classifier,
    ("sklearn", "RidgeClassifierCV"): linear_models.ridge_classifier,
    ("sklearn", "Lasso"): linear_models.lasso,
    ("sklearn", "LassoCV"): linear_models.lasso,
    ("sklearn", "ElasticNet"): linear_models.lasso,
    ("sklearn", "ElasticNetCV"): linear_models.lasso,
    ("sklearn", "SGDClassifier"): linear_models.sgd,
    ("sklearn", "SGDRegressor"): linear_models.sgd,
}


def certify(
    estimator: Any,
    X: Any,
    y: Any,
    sample_weight: Any = None,
    *,
    exact: bool = False,
    most_kernel_values: float = MOST_VALUES,
    **parameters: float,
) -> Proof:
    """Return an upper bound on the distance of a fitted estimator from the optimum of its problem.

    The problem is rebuilt from the data and the parameters of the estimator. The objective of the predictor is an upper
    bound on the optimum, and the multipliers of the solution give a lower bound. If a solution has no multipliers, they
    are made from the predictor. Nothing is solved.

    Parameters
    ----------
    estimator : object
        A fitted estimator, a pipeline whose last step is one, a search that has a best one, or the path of a model
        file of LibSVM.
    X : array or sparse matrix of shape (n, d), or list of sequences
        The training data in their order; for a pipeline as they are before its first step. For
        ``kernel="precomputed"`` the kernel matrix.
    y : array of shape (n,), or list of sequences
        The training targets.
    sample_weight : array of shape (n,), optional
        The weights that the fit was given.
    exact : bool
        Of a pipeline whose last two steps are a ``Nystroem`` or an ``RBFSampler`` and a linear model: whether the
        problem is that of the kernel itself, of which the features are an approximation.
    most_kernel_values : float
        Of `exact`: how many kernel values a bound may take. If the pairs of all multipliers are more, a bound that is
        less tight takes them in parts.
    **parameters : float
        What a model file of LibSVM does not have: ``C``, and as its type needs them ``epsilon`` or ``nu``.

    Returns
    -------
    Proof

    Raises
    ------
    UserError
        If there is no certificate for such an estimator, it is not fitted, or the data are not those of the fit.
    """
    if exact:
        return worst_of(_exact(estimator, X, y, sample_weight, most_kernel_values))
    if isinstance(estimator, str | PathLike):
        return worst_of(libsvm_file(estimator, examples(X, y, sample_weight), parameters))
    if parameters:
        raise UserError(f"{', '.join(parameters)}: only a model file of LibSVM takes parameters; an estimator has them")
    estimator = _chosen(estimator)
    if hasattr(estimator, "steps"):
        proof = certify(estimator.steps[-1][1], _transformed(estimator.steps[:-1], X), y, sample_weight)
        name = approximation_of(estimator.steps[-2][1]) if len(estimator.steps) > 1 else None
        only = f"the features of {name}; certify(..., exact=True) is about the kernel that they approximate"
        return replace(proof, only="; ".join(filter(None, [proof.only, only]))) if name else proof
    if is_tagger(estimator) and sample_weight is None:
        return prove_tagger(estimator, X, y)
    if hasattr(getattr(estimator, "kernel", None), "columns_of"):  # which takes tables with texts, in any order
        X = estimator._examples(X)
    data = examples(X, y, sample_weight)
    return worst_of([one if isinstance(one, Proof) else prove(one) for one in _found(estimator, data)])


def _found(estimator: Any, data: Examples) -> Sequence[Problem | Proof]:
    """Return the problems of a fitted estimator with their solutions, or what is proved of them."""
    prover = _prover_of(estimator)
    if not any(name.endswith("_") and not name.startswith("_") for name in vars(estimator)):
        raise UserError(f"{type(estimator).__name__}: is not fitted; fit it first")
    wanted = getattr(estimator, "n_features_in_", data.X.shape[1])
    if data.X.shape[1] != wanted:
        raise UserError(f"the estimator was fitted to {wanted} features, and X has {data.X.shape[1]}")
    return prover(estimator, data)


def _chosen(estimator: Any) -> Any:
    """Return the best estimator of a search, any other as it is."""
    while (inner := getattr(estimator, "best_estimator_", None)) is not None:
        estimator = inner
    return estimator


def _transformed(steps: Sequence[tuple[str, Any]], X: Any) -> Any:
    """Return examples after some steps of a pipeline."""
    for _, step in steps:
        X = X if step is None or isinstance(step, str) else step.transform(X)
    return X


def _exact(estimator: Any, X: Any, y: Any, sample_weight: Any, most_kernel_values: float) -> list[Proof]:
    """Return what is proved of a pipeline of features and a linear model in the problem of the exact kernel."""
    steps = [step for step in getattr(_chosen(estimator), "steps", []) if step[1] not in (None, "passthrough")]
    if len(steps) < 2 or approximation_of(steps[-2][1]) is None:
        raise UserError("exact=True: is for a pipeline that ends with Nystroem or RBFSampler and a linear model")
    features, last = steps[-2][1], _chosen(steps[-1][1])
    X = examples(_transformed(steps[:-2], X), y, sample_weight).X
    data = examples(features.transform(X), y, sample_weight)
    if type(last).__module__.startswith("kernlearn."):
        return own_approximation(features, X, last, data, most_kernel_values)
    return prove_approximation(features, X, _found(last, data), most_kernel_values)


def own(estimator: Any, data: Examples) -> list[Proof]:
    """Return what is proved of an estimator of ours, by the dual points that it keeps."""
    if hasattr(estimator, "proofs"):  # of kernlearn fit, which scales the examples itself
        return list(estimator.proofs(data.X, data.y))
    if spectrum_kept(estimator) is not None:
        return prove_on_graph(estimator, data.X, data.y)
    stored = of_estimator(estimator, data.X)
    if stored is None:
        raise UserError(f"{type(estimator).__name__}: keeps no dual point, so there is no certificate for it")
    factors = getattr(estimator, "class_weight", None), getattr(estimator, "_mean_loss", False)
    if not weights_follow(stored, data, *factors):
        raise OtherData("sample_weight: the weights are not those of the fit; give the same ones, or none for none")
    return prove_stored(stored, data)


def _prover_of(estimator: Any) -> Prover:
    if type(estimator).__module__.startswith("kernlearn."):
        return own
    for kind in type(estimator).__mro__:
        if prover := PROVERS.get((kind.__module__.partition(".")[0], kind.__name__)):
            return prover
    known = ", ".join(sorted({name for _, name in PROVERS}))
    raise UserError(
        f"{type(estimator).__name__}: there is no certificate for it; there is one for kernlearn's estimators, {known}"
    )
