"""The estimator of `kernlearn.algorithms.boosting.adaboost`."""

from dataclasses import dataclass
from typing import Any

from kernlearn.algorithms.boosting.adaboost import METHOD
from kernlearn.estimators.common.stumps import StumpClassifier


@dataclass(eq=False, repr=False)
class AdaBoostClassifier(StumpClassifier):
    """AdaBoost of stumps: those of the least weighted error, found in one pass over sorted features.

    More than two classes by one-versus-rest.

    Parameters
    ----------
    rounds : int
        Rounds of boosting, and votes at most.
    n_stumps : int
        How many stumps are drawn at random; 0 for all, with thresholds in the middle between neighbouring values.
    draw : {"examples", "range"}
        Thresholds of drawn stumps: the value of a training example, or uniform in the range of the feature.
    random_state : int, RandomState or None
        Of the draw.
    probability : bool
        Whether `fit` also calibrates probabilities, from decision values of rows that are held out: `predict_proba`.

    Attributes
    ----------
    classes_ : array
    features_, thresholds_, estimator_weights_ : arrays of shape (n_votes,)
        The stumps, which are +1 if the feature is above the threshold, else -1, and their weights. A negative weight
        means that the negation votes. For more than two classes, lists with one array for each class.
    feature_importances_ : array of shape (d,)
    objective_, dual_objective_, gap_ : float
        As of `kernlearn.algorithms.boosting.ebboost`, sums over the classes and the largest gap.
        A stump that has every example right votes alone with weight 1. Then the gap is 1: only infinite weight would
        bring the objective to 0.
    """

    _method = METHOD

    rounds: int = 500
    n_stumps: int = 0
    draw: str = "examples"
    random_state: Any = None
    probability: bool = False
