"""The estimator of `kernlearn.algorithms.boosting.adaboost`."""

from dataclasses import dataclass
from typing import Any

from kernlearn.algorithms.boosting.adaboost import METHOD
from kernlearn.estimators.common.stumps import StumpClassifier


@dataclass(eq=False, repr=False)
class AdaBoostClassifier(StumpClassifier):
    """AdaBoost of decision stumps; each is found in one pass over the sorted features.

    More than two classes are learned one-vs-rest.

    Parameters
    ----------
    rounds : int
        The largest number of rounds; each adds one stump.
    n_stumps : int
        How many stumps are drawn at random; 0 for all, with thresholds in the middle between neighbouring values.
    draw : {"examples", "range"}
        Thresholds of drawn stumps: the value of a training example, or uniform in the range of the feature.
    random_state : int, RandomState or None
        The seed of the random draw.
    probability : bool
        Whether `fit` also learns probabilities for `predict_proba`, from decision values of held-out rows.

    Attributes
    ----------
    classes_ : array
    features_, thresholds_, estimator_weights_ : arrays of shape (n_votes,)
        The stumps, which are +1 if the feature is above the threshold, else -1, and their weights. A negative weight
        means that the negated stump is used. For more than two classes, lists with one array for each class.
    feature_importances_ : array of shape (d,)
    objective_, dual_objective_, gap_ : float
        As defined in `kernlearn.algorithms.boosting.ebboost`: sums over the classes, and the largest gap. A stump that
        classifies all examples correctly is used alone, with weight 1. Then the gap is 1, because only an infinite
        weight would bring the objective to 0.
    """

    _method = METHOD

    rounds: int = 500
    n_stumps: int = 0
    draw: str = "examples"
    random_state: Any = None
    probability: bool = False
