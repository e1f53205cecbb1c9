"""Scores of the points of a path on rows that are held out, with probabilities if a score takes them."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from inspect import signature
from itertools import repeat
from typing import Any, NamedTuple

import numpy as np
from numpy.ma import MaskedArray
from scipy.stats import rankdata
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin, clone, is_classifier
from sklearn.metrics import check_scoring, get_scorer_names
from sklearn.utils.metaestimators import _safe_split

from kernlearn.algorithms.core.method import Method
from kernlearn.algorithms.core.path import Point
from kernlearn.errors import UserError, closest
from kernlearn.estimators.common.decisions import DecisionMixin, calibration_folds, sigmoids_of
from kernlearn.kernels import GramStack
from kernlearn.kernels.matrices.kept import KeptStack
from kernlearn.parameters import shown
from kernlearn.types import Array, Index

#: What a score of probabilities asks an estimator for.
PROBABILITIES = "predict_proba"


class HeldOutClassifier(DecisionMixin, ClassifierMixin, BaseEstimator):
    """A classifier whose outputs on the rows that are held out are known; scores are computed from it."""

    def __init__(self, classes: Any = None, outputs: Any = None, sigmoids: tuple[Array, Array] | None = None):
        self.classes_ = classes
        self.outputs = outputs
        self.sigmoids = sigmoids
        self.probability = sigmoids is not None
        if sigmoids is not None:
            self.probA_, self.probB_ = sigmoids

    def _values(self, X: Any) -> Array:
        values: Array = self.outputs
        return values

    def __sklearn_is_fitted__(self) -> bool:
        return True


class HeldOutRegressor(RegressorMixin, BaseEstimator):
    """A regressor whose outputs on the rows that are held out are known; scores are computed from it."""

    def __init__(self, outputs: Any = None):
        self.outputs = outputs

    def predict(self, X: Any) -> Array:
        """Return the outputs, shape (n,)."""
        values: Array = self.outputs[0]
        return values

    def __sklearn_is_fitted__(self) -> bool:
        return True


def scorer_of(base: Any, scoring: Any) -> Any:
    """Return the score as scikit-learn's function of an estimator and examples.

    Raises
    ------
    UserError
        If there is no such score, or it needs probabilities and the estimator has none.
    """
    if scoring is None or callable(scoring) or (isinstance(scoring, str) and scoring in get_scorer_names()):
        scorer = check_scoring(base, scoring)
        if getattr(scorer, "_response_method", None) == PROBABILITIES and not getattr(base, "probability", False):
            raise UserError(
                f"scoring={shown(scoring)}: needs probabilities; give probability=True, or a score of decision values "
                "such as roc_auc"
            )
        return scorer
    near = closest(scoring, get_scorer_names())
    raise UserError(
        f"scoring={shown(scoring)}: must be the name of one score of scikit-learn, a function, or None{near}"
    )


def needs_probabilities(scorer: Any, base: Any) -> bool:
    """Return whether a score takes probabilities, as a function of one's own may; an estimator may have none."""
    of_ones_own = not type(scorer).__module__.startswith("sklearn.")
    takes = of_ones_own or getattr(scorer, "_response_method", None) == PROBABILITIES
    return takes and bool(getattr(base, "probability", False))


def score_of(scorer: Any, held_out: Any, X: Any, y: Any, weights: Array | None) -> float:
    """Return the score of what is held out, with the weights of its rows if the score takes them."""
    options = {}
    if weights is not None:
        known = signature(scorer).parameters
        weighs = "sample_weight" in known or any(one.kind is one.VAR_KEYWORD for one in known.values())
        options = {"sample_weight": weights} if weighs else {}
    try:
        return float(scorer(held_out, X, y, **options))
    except (TypeError, ValueError, AttributeError) as error:
        name, words = type(held_out).__name__, " ".join(str(error).split())
        words = words.replace(f"This {name!r}", "the estimator").replace(name, "the estimator")
        raise UserError(f"scoring: fails on the rows that are held out ({words})") from error


class Fold(NamedTuple):
    """A training part, and the rows that are held out; without weights all are 1."""

    X: Any
    y: Any
    X_test: Any
    y_test: Any
    weights: Array | None = None
    weights_test: Array | None = None


class Path(NamedTuple):
    """The points of a path on one fold: their parameters, scores, largest gaps and statuses."""

    params: list[dict[str, Any]]
    scores: list[float]
    gaps: list[float]
    statuses: list[str]


def fold_of(base: Any, X: Any, y: Any, weights: Array | None, train: Index, test: Index) -> Fold:
    """Return the parts of the examples of one fold."""
    X_train, y_train = _safe_split(base, X, y, train)
    X_test, y_test = _safe_split(base, X, y, test, train)
    if weights is None:
        return Fold(X_train, y_train, X_test, y_test)
    return Fold(X_train, y_train, X_test, y_test, weights[train], weights[test])


def path_scores(base: Any, place: Mapping[str, Any], fold: Fold, *, grid: Mapping[str, list[Any]], scorer: Any) -> Path:
    """Solve a grid on the training part of a fold, and score every point on the rows that are held out."""
    names = names_of_values(base._method)
    path = Path([], [], [], [])
    sigmoids = _sigmoids(base, fold, grid) if needs_probabilities(scorer, base) else repeat(None)
    for (point, outputs), one in zip(_points_with_outputs(base, fold, grid), sigmoids, strict=False):
        held_out: Any = HeldOutRegressor(outputs)
        if is_classifier(base):
            held_out = HeldOutClassifier(base.classes_, outputs, one)
        chosen = {names[key]: value for key, value in point.values.items() if names.get(key) in grid}
        path.params.append({**place, **chosen})
        path.scores.append(score_of(scorer, held_out, fold.X_test, fold.y_test, fold.weights_test))
        path.gaps.append(max(solution.gap for solution in point.solutions))
        path.statuses.append(point.status)
    return path


def _points_with_outputs(base: Any, fold: Fold, grid: Mapping[str, list[Any]]) -> Iterator[tuple[Point, Array]]:
    """Solve a grid on the training part of a fold; yield every point with its outputs on the rows held out."""
    prepared = base._prepare(fold.X, fold.y) if fold.weights is None else base._prepare(fold.X, fold.y, fold.weights)
    if type(prepared.problem.inputs) is GramStack:  # certificates of all points take values of the same kernels
        prepared = replace(prepared, problem=replace(prepared.problem, inputs=KeptStack.of(prepared.problem.inputs)))
    inputs = base._inputs_of(prepared, fold.X_test)
    for point in base._points(prepared.problem, {**prepared.values, **grid}):
        yield point, point.predictor.outputs(inputs)


def _sigmoids(base: Any, fold: Fold, grid: Mapping[str, list[Any]]) -> list[tuple[Array, Array]]:
    """Return the sigmoids of every point of a grid, learned on the training part of a fold as by its own `fit`."""
    _, index = np.unique(fold.y, return_inverse=True)
    weights = np.ones(len(index)) if fold.weights is None else fold.weights
    parts = list(calibration_folds(index, weights))
    given = None if fold.weights is None else weights
    folds = [fold_of(base, fold.X, fold.y, given, train, test) for train, test in parts]
    every = [[outputs for _, outputs in _points_with_outputs(clone(base), one, grid)] for one in folds]
    found = []
    for outputs in zip(*every, strict=True):
        values = np.zeros((len(outputs[0]), len(index)))
        for (_, test), some in zip(parts, outputs, strict=True):
            values[:, test] = some
        found.append(sigmoids_of(values, index, weights))
    return found


def names_of_values(method: Method) -> dict[str, str]:
    """Return the parameters of an estimator by the names that their values have in the points of a path."""
    return {
        name: parameter.single
        for key, parameter in method.parameters.items()
        if parameter.single
        for name in (parameter.single, key, key.removesuffix("s"))
    }


def table_of(places: list[list[Path]]) -> dict[str, Any]:
    """Return the results as `GridSearchCV` has them, from the paths of all folds for every kernel."""
    params = [values for paths in places for values in paths[0].params]
    scores = np.concatenate([np.array([path.scores for path in paths]) for paths in places], axis=1)
    gaps = np.concatenate([np.array([path.gaps for path in paths]) for paths in places], axis=1)
    table: dict[str, Any] = {}
    for name in dict.fromkeys(name for values in params for name in values):
        column = MaskedArray(np.empty(len(params), dtype=object), mask=True)
        for k, values in enumerate(params):
            if name in values:
                column[k] = values[name]
        table[f"param_{name}"] = column
    table["params"] = params
    table |= {f"split{number}_test_score": row for number, row in enumerate(scores)}
    means = scores.mean(axis=0)
    table |= {"mean_test_score": means, "std_test_score": scores.std(axis=0)}
    table["rank_test_score"] = rankdata(-np.where(np.isnan(means), -np.inf, means), method="min").astype(np.int32)
    table["max_gap"] = gaps.max(axis=0)
    return table
