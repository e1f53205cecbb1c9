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
    """Return the score as scikit-learn's function of an estimator and examples.

    Raises
    ------
    UserError
        If there is no such score, or it needs probabilities, which would have to be learned on every fold.
    """
    if scoring is None or callable(scoring) or (isinstance(scoring, str) and scoring in get_scorer_names()):
        scorer = check_scoring(base, scoring)
        if getattr(scorer, "_response_method", None) == "predict_proba":
            name = type(base).__name__
            raise UserError(
                f"scoring={shown(scoring)}: needs probabilities, which the search does not learn on the folds; use "
                f"GridSearchCV with {name}(probability=True), or a score of decision values such as roc_auc"
            )
        return scorer
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
        name, words = type(held_out).__name__, " ".join(str(error).split())
        words = words.replace(f"This {name!r}", "the estimator").replace(name, "the estimator")
        raise UserError(f"scoring: fails on the rows that are held out ({words})") from error
