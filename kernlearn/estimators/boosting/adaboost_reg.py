"""The estimator of `kernlearn.algorithms.boosting.adaboost_reg`."""

from dataclasses import dataclass
from typing import Any

from kernlearn.algorithms.boosting.adaboost_reg import METHOD
from kernlearn.estimators.common.search import ClassifierSearch, Weighted
from kernlearn.estimators.common.stumps import StumpClassifier


@dataclass(eq=False, repr=False)
class AdaBoostRegClassifier(StumpClassifier):
    """AdaBoost_REG of stumps: boosting with soft margins, which may give up examples that are hard.

    More than two classes are learned one-vs-rest.

    Parameters
    ----------
    C : float >= 0
        Weight of the influence of examples; 0 is AdaBoost.
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
        As defined in `kernlearn.algorithms.boosting.adaboost_reg`: sums over the classes, and the largest gap. A stump
        that classifies all examples correctly is used alone, with weight 1. Then the gap is 1, because only an infinite
        weight would bring the objective to 0.
    """

    _method = METHOD

    C: float = 10.0
    rounds: int = 500
    n_stumps: int = 0
    draw: str = "examples"
    random_state: Any = None
    probability: bool = False


class AdaBoostRegClassifierCV(Weighted, ClassifierSearch, of=AdaBoostRegClassifier):
    """`kernlearn.AdaBoostRegClassifier` with parameters that are chosen by cross-validation."""
