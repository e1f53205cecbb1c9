"""Scores of estimators on rows that are held out, whose outputs are known already."""

from inspect import signature
from typing import Any

from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.metrics import check_scoring, get_scorer_names

from kernlearn.errors import UserError, closest
from kernlearn.estimators.common.decisions import DecisionMixin
from kernlearn.parameters import shown
from kernlearn.types import Array


class HeldOutClassifier(DecisionMixin, ClassifierMixin, BaseEstimator):
    """A classifier whose outputs on the rows that are held out are known; scores are computed from it."""

    def __init__(self, classes: Any = None, outputs: Any = None):
        self.classes_ = classes
        self.outputs = outputs

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
    """Return the score as scikit-learn's function of an estimator and examples."""
    if scoring is None or callable(scoring) or (isinstance(scoring, str) and scoring in get_scorer_names()):
        return check_scoring(base, scoring)
    near = closest(scoring, get_scorer_names())
    raise UserError(
        f"scoring={shown(scoring)}: must be the name of one score of scikit-learn, a function, or None{near}"
    )


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
        raise UserError(f"scoring: fails on the rows that are held out ({' '.join(str(error).split())})") from error
