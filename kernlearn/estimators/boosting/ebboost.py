"""The estimator of `kernlearn.algorithms.boosting.ebboost`."""

from dataclasses import dataclass
from typing import Any

from kernlearn.algorithms.boosting.ebboost import METHOD
from kernlearn.estimators.common.search import ClassifierSearch, Weighted
from kernlearn.estimators.common.stumps import StumpClassifier


@dataclass(eq=False, repr=False)
class EBBoostClassifier(StumpClassifier):
    """Empirical Bernstein boosting of stumps: AdaBoost with a penalty on the variance of the loss.

    More than two classes are learned one-vs-rest.

    Parameters
    ----------
    lambda_ : float >= 0
        Weight of the variance.
    rounds : int
        The largest number of rounds; each adds one stump.
    n_stumps, draw, random_state
        As for `kernlearn.AdaBoostClassifier`.
    probability : bool
        Whether `fit` also learns probabilities for `predict_proba`, from decision values of held-out rows.

    Attributes
    ----------
    classes_, features_, thresholds_, estimator_weights_, feature_importances_
        As for `kernlearn.AdaBoostClassifier`.
    objective_, dual_objective_, gap_ : float
        As defined in `kernlearn.algorithms.boosting.ebboost`: sums over the classes, and the largest gap. A stump that
        classifies all examples correctly is used alone, with weight 1. Then the gap is 1, because only an infinite
        weight would bring the objective to 0.
    """

    _method = METHOD

    lambda_: float = 0.1
    rounds: int = 500
    n_stumps: int = 0
    draw: str = "examples"
    random_state: Any = None
    probability: bool = False


class EBBoostClassifierCV(Weighted, ClassifierSearch, of=EBBoostClassifier):
    """`kernlearn.EBBoostClassifier` with parameters that are chosen by cross-validation."""
