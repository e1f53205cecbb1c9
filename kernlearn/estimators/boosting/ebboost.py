"""The estimator of `kernlearn.algorithms.boosting.ebboost`."""

from dataclasses import dataclass
from typing import Any

from kernlearn.algorithms.boosting.ebboost import METHOD
from kernlearn.estimators.common.search import ClassifierSearch, Weighted
from kernlearn.estimators.common.stumps import StumpClassifier


@dataclass(eq=False, repr=False)
class EBBoostClassifier(StumpClassifier):
    """Empirical Bernstein boosting of stumps: AdaBoost with a penalty on the variance of the loss.

    More than two classes by one-versus-rest.

    Parameters
    ----------
    lambda_ : float >= 0
        Weight of the variance.
    rounds : int
        Rounds of boosting, and votes at most.
    n_stumps, draw, random_state
        As for `kernlearn.AdaBoostClassifier`.
    probability : bool
        Whether `fit` also calibrates probabilities, from decision values of rows that are held out: `predict_proba`.

    Attributes
    ----------
    classes_, features_, thresholds_, estimator_weights_, feature_importances_
        As for `kernlearn.AdaBoostClassifier`.
    objective_, dual_objective_, gap_ : float
        As of `kernlearn.algorithms.boosting.ebboost`, sums over the classes and the largest gap.
        A stump that has every example right votes alone with weight 1. Then the gap is 1: only infinite weight would
        bring the objective to 0.
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
