"""The estimator of `kernlearn.algorithms.boosting.lpboost`."""

from dataclasses import dataclass
from typing import Any

from kernlearn.algorithms.boosting.lpboost import METHOD
from kernlearn.estimators.common.search import ClassifierSearch, Weighted
from kernlearn.estimators.common.stumps import StumpClassifier


@dataclass(eq=False, repr=False)
class LPBoostClassifier(StumpClassifier):
    """LPBoost: the ensemble of stumps with the largest soft margin, with a certificate.

    More than two classes are learned one-vs-rest.

    Parameters
    ----------
    nu : float in (0, 1]
        An upper bound on the share of training examples with less than this margin.
    over : {"adaboost", "all"}
        "adaboost": the stumps that AdaBoost selects; "all": all stumps.
    rounds : int
        Rounds of AdaBoost, with ``over="adaboost"`` only.
    tol : float
        Relative duality gap to reach.
    n_stumps, draw, random_state
        As for `kernlearn.AdaBoostClassifier`.
    probability : bool
        Whether `fit` also learns probabilities for `predict_proba`, from decision values of held-out rows.

    Attributes
    ----------
    classes_, features_, thresholds_, estimator_weights_, feature_importances_
        As for `kernlearn.AdaBoostClassifier`.
    objective_, dual_objective_, gap_ : float
        As defined in `kernlearn.algorithms.boosting.lpboost`: sums over the classes, and the largest gap.
    """

    _method = METHOD

    nu: float = 0.1
    over: str = "adaboost"
    rounds: int = 500
    tol: float = 1e-9
    n_stumps: int = 0
    draw: str = "examples"
    random_state: Any = None
    probability: bool = False


class LPBoostClassifierCV(Weighted, ClassifierSearch, of=LPBoostClassifier):
    """`kernlearn.LPBoostClassifier` with parameters that are chosen by cross-validation."""
