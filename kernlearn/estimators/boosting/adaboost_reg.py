"""The estimator of `kernlearn.algorithms.boosting.adaboost_reg`."""

from typing import Any

from kernlearn.algorithms.boosting.adaboost_reg import PARAMETERS, Training
from kernlearn.algorithms.boosting.votes import Rounds, sorted_of
from kernlearn.estimators.common.stumps import Found, StumpClassifier
from kernlearn.kernels.families.stumps import Stumps
from kernlearn.solvers.stumps_networks.stumps import boost_soft
from kernlearn.types import Array


class AdaBoostRegClassifier(StumpClassifier):
    """AdaBoost_REG of stumps: boosting with soft margins, which may give up examples that are hard.

    More than two classes by one-versus-rest.

    Parameters
    ----------
    C : float >= 0
        Weight of the influence of examples; 0 is AdaBoost.
    rounds : int
        Rounds of boosting, and votes at most.
    n_stumps, draw, random_state
        As for `kernlearn.AdaBoostClassifier`.

    Attributes
    ----------
    classes_, features_, thresholds_, estimator_weights_, feature_importances_
        As for `kernlearn.AdaBoostClassifier`.
    objective_, dual_objective_, gap_ : float
        As of `kernlearn.algorithms.boosting.adaboost_reg`, sums over the classes and the largest gap.
        A stump that has every example right votes alone with weight 1. Then the gap is 1: only infinite weight would
        bring the objective to 0.
    """

    _declared = PARAMETERS

    def __init__(
        self,
        C: float = 10.0,
        rounds: int = 500,
        n_stumps: int = 0,
        draw: str = "examples",
        random_state: Any = None,
    ):
        self.C = C
        self.rounds = rounds
        self.n_stumps = n_stumps
        self.draw = draw
        self.random_state = random_state

    def _boost(self, inputs: Stumps, y: Array, weights: Array) -> Found:
        chosen, alphas = boost_soft(sorted_of(inputs), y, weights, float(self.C), int(self.rounds))
        training = Training(inputs, y, weights, float(self.C), Rounds(chosen, alphas))
        return chosen, alphas, training.after(len(alphas))[1]
