"""The estimator of `kernlearn.algorithms.boosting.lpboost`."""

from dataclasses import dataclass
from typing import Any

from kernlearn.algorithms.boosting.lpboost import METHOD
from kernlearn.estimators.common.search import ClassifierSearch, Weighted
from kernlearn.estimators.common.stumps import StumpClassifier


@dataclass(eq=False, repr=False)
class LPBoostClassifier(StumpClassifier):
    """LPBoost: the vote of stumps with the largest soft margin, with a certificate.

    More than two classes by one-versus-rest.

    Parameters
    ----------
    nu : float in (0, 1]
        An upper bound of the share of training examples with less than this margin.
    over : {"adaboost", "all"}
        The stumps that AdaBoost finds, or all.
    rounds : int
        Of ``over="adaboost"``.
    tol : float
        Relative duality gap to reach.
    n_stumps, draw, random_state
        As for `kernlearn.AdaBoostClassifier`.
    probability : bool
        Whether `fit` also calibrates probabilities, from decision values of rows that are held out: `predict_proba`.

    Attributes
    ----------
    classes_, features_, thresholds_, estimator_weights_, feature_importances_
        As for `kernlearn.AdaBoostClassifier`.
    objective_, dual_objective_, gap_ : float
        As of `kernlearn.algorithms.boosting.lpboost`, sums over the classes and the largest gap.
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
