"""The solutions in the plain values of a model file, each with the examples that it is of."""

import warnings
from collections.abc import Mapping
from copy import copy
from dataclasses import replace
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kernlearn.algorithms.core.approximated import ExactKernels, why_no_exact_gap
from kernlearn.certificates.own.estimators import is_tagger, prove_tagger
from kernlearn.certificates.own.graph_models import prove_on_graph, spectrum_kept
from kernlearn.certificates.own.predictor import outputs_of, require_method
from kernlearn.certificates.own.problems import prove_stored, require_provable
from kernlearn.certificates.own.stored import Stored, trained
from kernlearn.certificates.own.votes import ensembles_of
from kernlearn.certificates.own.weights import weights_follow
from kernlearn.certificates.proofs.examples import Examples, OtherData, examples
from kernlearn.certificates.proofs.proof import Proof
from kernlearn.errors import UserError, misfit
from kernlearn.kernels import NystromFamily, apply_scaling, make_family
from kernlearn.models.decode import Damaged, made_family
from kernlearn.models.file import Parts
from kernlearn.types import Array, Index

#: What features of landmarks may differ by, as a part of the largest: another processor rounds their sums in its way.
ROUNDED = 1e-9
LANDMARKS = "the kernel that is approximated by the landmarks of the model"
WEIGHTS = "the sample weights of the file"


class Given(NamedTuple):
    """A stored solution with the examples that it is of, and what tells it from the others of the model."""

    stored: Stored
    data: Examples
    rows: Index
    name: str = ""


def proofs_of(parts: Parts, X: Any, y: NDArray[Any]) -> list[Proof]:
    """Return what is proved of every problem that a model has solved.

    Parameters
    ----------
    parts : Parts
        Of the file, see `kernlearn.models.file.load_parts`.
    X : array or sparse matrix of shape (n, d), or sequences
    y : array of shape (n,), or labels of sequences

    Raises
    ------
    UserError
        If there is no check for such a model, or the data are not those of the fit.
    """
    from sklearn.utils.validation import has_fit_parameter

    if is_tagger(parts.estimator):
        return [prove_tagger(parts.estimator, X, y)]
    if spectrum_kept(parts.estimator) is not None:
        data = examples(X, y)
        return prove_on_graph(parts.estimator, data.X, data.y)
    machine, found = parts.machine, list[Proof]()
    stored, data = _on_data(machine, X, y)
    only = [] if machine["state"].get("_landmarks") is None else [LANDMARKS]
    if not weights_follow(stored, data, _class_weight(parts)):
        if stored.weights is None or not has_fit_parameter(parts.estimator, "sample_weight"):
            raise OtherData("the weights of the losses are not those that follow from class_weight")
        only.insert(0, WEIGHTS)
    for one in _problems(machine, parts.estimator, stored, data, X):
        proofs = prove_stored(one.stored, one.data)
        found += [replace(proof, name=one.name) for proof in proofs] if one.name else proofs
    return [replace(proof, only="; ".join(filter(None, [proof.only, *only]))) for proof in found]


def exact_gap_of(parts: Parts, X: Any, y: NDArray[Any]) -> float | None:
    """Return the largest gap of a model with an approximate kernel to the problem with the exact one.

    None for other models, and where a run has no such gap either. Parameters and errors are those of `proofs_of`.
    """
    machine = parts.machine
    state, params = machine["state"], machine["params"]
    if state.get("_landmarks") is None:
        return None
    family: Any = make_family(**params["kernel"])
    stored, data = _on_data(machine, X, y)
    if why_no_exact_gap(stored.method, family.exact_gap):
        return None
    exact = ExactKernels(
        family, apply_scaling(params["scaling"], state["_scaled"], state["_factor"], X), *state["_landmarks"]
    )
    return max(
        exact.proof(one.solved, given.rows, given.data.X).relative_gap
        for given in _problems(machine, parts.estimator, stored, data, X)
        for one in trained(given.stored, given.data)
    )


def _class_weight(parts: Parts) -> Any:
    """Return how classes are said to weigh: by a parameter, or by the configuration of ``kernlearn fit``."""
    params, experiment = parts.machine["params"], parts.header["about"].get("experiment")
    stated = experiment.get("class_weight") if isinstance(experiment, Mapping) else None
    return params.get("class_weight", stated)


def options_of(machine: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what the path of the method was given.

    Raises
    ------
    UserError
        If nothing can be proved of the model.
    """
    proof = machine["state"].get("_proof")
    if not isinstance(proof, Mapping):
        name = machine["name"].rpartition(".")[2]
        raise UserError(f"{name}: the model keeps no dual point, so nothing can be proved")
    try:
        require_provable(proof["method"], proof["values"])
        return dict(proof["options"])
    except UserError:
        raise
    except Exception as error:  # values of a wrong type may raise almost anything
        raise unproved(error) from error


def unproved(error: Exception) -> UserError:
    """Return the error of a model whose values, or those of the data, a proof cannot be made of."""
    return UserError(f"the model cannot be proved: {misfit(error)}")


def _on_data(machine: Mapping[str, Any], X: Any, y: NDArray[Any]) -> tuple[Stored, Examples]:
    """Return the solution of a model, and the data as its kernels take them."""
    state = machine["state"]
    stored, width = _stored(machine), state.get("n_features_in_", X.shape[1])
    if width != X.shape[1]:
        raise OtherData(f"the model takes {width} features, and the data have {X.shape[1]}")
    texts = stored.classes is not None and np.asarray(stored.classes).dtype.kind in "UO"
    data = examples(_as_the_kernel_takes_them(machine, X), np.asarray(y).astype(str) if texts else np.asarray(y))
    if state.get("_landmarks") is not None and stored.support is not None:
        stored = _with_features(stored, data.X)
    return stored, data


def _problems(machine: Mapping[str, Any], estimator: Any, stored: Stored, data: Examples, X: Any) -> list[Given]:
    """Return the problems that were solved, with the outputs that the estimator itself has for them on X."""
    state, params = machine["state"], machine["params"]
    predictor = state.get("_predictor")
    if not isinstance(predictor, Mapping) or "pairs" not in predictor:
        return [Given(replace(stored, shown=_shown(estimator, X)), data, np.arange(X.shape[0]))]
    classes = stored.classes
    assert classes is not None
    pairs = [tuple(pair) for pair in predictor["pairs"]]
    one_vs_one = params["multiclass"] == "one_vs_one" and predictor["n_classes"] == len(classes)
    if not one_vs_one or pairs != list(combinations(range(len(classes)), 2)):
        raise OtherData("the pairs of classes are not those of the model")
    index, alone = data.indices(classes), copy(estimator)
    found = []
    for i, pair in enumerate(pairs):
        alone._predictor, alone.classes_ = estimator._predictor.parts[i], estimator.classes_[list(pair)]
        one = _of_pair(stored, data, index, predictor["parts"][i], i, pair)
        rows = np.flatnonzero((index == pair[0]) | (index == pair[1]))
        found.append(one._replace(stored=replace(one.stored, shown=_shown(alone, X[rows]))))
    return found


def _shown(estimator: Any, X: Any) -> Array:
    """Return the outputs of a loaded estimator, shape (outputs, n)."""
    X = X if hasattr(X, "tocsr") else np.asarray(X, dtype=np.float64)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # of columns without names
            return outputs_of(estimator, X)
    except UserError:
        raise
    except Exception as error:  # what is wrong in a file makes predictions raise almost anything
        raise unproved(error) from error


def _of_pair(
    stored: Stored, data: Examples, index: NDArray[np.intp], part: Mapping[str, Any], number: int, pair: tuple[int, int]
) -> Given:
    """Return the problem of two classes, on the examples of these."""
    rows = np.flatnonzero((index == pair[0]) | (index == pair[1]))
    classes = np.asarray(stored.classes)[list(pair)]
    of_pair = replace(
        stored,
        primals=[stored.primals[number]],
        duals=[stored.duals[number]],
        weights=None if stored.weights is None else stored.weights[rows],
        classes=classes,
        ensembles=stored.ensembles[number : number + 1],
        kernel_weights=None if stored.kernel_weights is None else stored.kernel_weights[number : number + 1],
        all_examples=data.X,
    )
    if not stored.ensembles and stored.support is not None:
        own = np.isin(stored.support, rows)
        if part["coef"][:, :, ~own].any():
            raise OtherData("a pair of classes rests on examples of others")
        support, points = np.searchsorted(rows, stored.support[own]), stored.points[own]
        of_pair = replace(of_pair, coef=part["coef"][:, :, own], support=support, points=points)
    elif not stored.ensembles:
        of_pair = replace(of_pair, coef=part["coef"])
    if not stored.ensembles:
        of_pair = replace(of_pair, intercept=np.atleast_1d(part["intercept"]))
    some = Examples(data.X[rows], data.y[rows], data.weights[rows])
    return Given(of_pair, some, rows, f"class {classes[1].item()!r} against {classes[0].item()!r}")


def _stored(machine: Mapping[str, Any]) -> Stored:
    """Return the solution in the plain values of an estimator, which are those that it predicts by."""
    state, params = machine["state"], machine["params"]
    proof, plain = state["_proof"], state.get("_family")
    require_method(machine["name"].rpartition(".")[2], proof["method"])
    ensembles = ensembles_of(params, state)
    coef, intercept, predictor = (
        state.get("_coef", state.get("coef_")),
        state.get("intercept_", 0.0),
        state.get("_predictor"),
    )
    if coef is None and isinstance(predictor, Mapping) and predictor["name"] == "Expansion":  # of features
        coef, intercept = predictor["coef"], predictor["intercept"]
    family = None
    if isinstance(plain, Mapping) and np.ndim(coef) != 2:
        try:
            family = made_family(*(plain[key] for key in ("name", "parameters", "members", "bilinear", "centre")))
        except Damaged as error:
            raise UserError(f"the model cannot be proved: {error}") from None
    return Stored(
        method=proof["method"],
        options=proof["options"],
        values=proof["values"],
        primals=[np.asarray(solution["x"], dtype=np.float64) for solution in proof["solutions"]],
        duals=[np.asarray(solution["dual"], dtype=np.float64) for solution in proof["solutions"]],
        coef=coef if isinstance(coef, np.ndarray) else np.zeros((0, 0, 0)),
        intercept=np.atleast_1d(intercept),
        family=family,
        support=state.get("support_"),
        points=state.get("support_vectors_"),
        rows=proof["rows"],
        weights=proof["weights"],
        kernel_weights=state.get("weights_"),
        classes=state.get("classes_"),
        ensembles=ensembles,
        n_rows=state.get("_n_rows"),
        universum=state.get("_universum"),
    )


def _as_the_kernel_takes_them(machine: Mapping[str, Any], X: Any) -> Any:
    """Return examples as the kernels of a model take them: scaled, in its unit, as features of its landmarks."""
    params, state = machine["params"], machine["state"]
    if "scaling" not in params:
        return X
    X = apply_scaling(params["scaling"], state["_scaled"], state["_factor"], X)
    if state["_landmarks"] is None:
        return X
    landmarks, maps = state["_landmarks"]
    family: Any = make_family(**params["kernel"])
    if not isinstance(family, NystromFamily) or len(maps) != len(family):
        raise OtherData("the landmarks are of another kernel")
    base = family.exact.base(landmarks, landmarks)
    for member, projection in zip(family.members, maps, strict=True):
        K = family.exact.transform(base, **member)
        _require_close((K @ projection) @ (K @ projection).T, K, "the features of the landmarks are others")
    return family.mapped(X, landmarks, maps)


def _with_features(stored: Stored, X: Array) -> Stored:
    """Return a solution with the features of its examples that were computed here, if the stored ones are close."""
    assert stored.support is not None
    if len(stored.support) and not 0 <= stored.support.min() <= stored.support.max() < len(X):
        raise OtherData(f"the solution has the example {stored.support.max()}, and X has {len(X)} rows")
    here = X[stored.support]
    _require_close(stored.points, here, "the examples of the solution are not those rows of X")
    return replace(stored, points=here)


def _require_close(one: Array, other: Array, words: str) -> None:
    size = float(np.abs(other).max(initial=0.0))
    if one.shape != other.shape or float(np.abs(one - other).max(initial=0.0)) > ROUNDED * size:
        raise OtherData(f"{words}; give the training data, in the same order and prepared as for the fit")
