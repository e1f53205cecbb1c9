"""The estimator of `kernlearn.algorithms.ridge.rbf_network`."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from kernlearn.algorithms.common.networks import NETWORK
from kernlearn.algorithms.core.predictor import EveryOutput, joined
from kernlearn.algorithms.core.problem import Problem
from kernlearn.algorithms.ridge.rbf_network import METHOD
from kernlearn.estimators.common.decisions import DecisionMixin
from kernlearn.estimators.common.expansion import keep_certificate
from kernlearn.estimators.common.fitting import MethodMixin, Prepared
from kernlearn.estimators.common.labels import weighted_classes
from kernlearn.estimators.common.search import ClassifierSearch, Weighted
from kernlearn.kernels import FeatureStack
from kernlearn.types import Array


@dataclass(eq=False, repr=False)
class RBFNetworkClassifier(MethodMixin, DecisionMixin, ClassifierMixin, BaseEstimator):
    """RBF network: Gaussian units with adaptive centres and widths, and a ridge regression on the labels.

    With more than two classes, one network is learned for each (one-vs-rest).

    Parameters
    ----------
    n_units : int
        At most as many as there are different examples.
    lambda_ : float > 0
        Penalty on the output weights.
    iterations : int
        Gradient steps on centres and widths; 0 leaves them where k-means puts them.
    random_state : int, RandomState or None
        The seed of k-means.
    probability : bool
        Whether `fit` also learns probabilities for `predict_proba`, from decision values of held-out rows.

    Attributes
    ----------
    classes_ : array
    centers_, widths_, coef_ : arrays of shape (n_units, d), (n_units,) and (n_units,)
        With more than two classes, lists with one array for each class.
    objective_, dual_objective_, gap_ : float
        Values for the output weights with these centres and widths: sums over the classes, and the largest gap.
    """

    _method = METHOD
    _declared = NETWORK

    n_units: int = 10
    lambda_: float = 1e-4
    iterations: int = 10
    random_state: Any = 0
    probability: bool = False

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the classifier.

        Parameters
        ----------
        X : array of shape (n, d)
        y : array of shape (n,)
            Class labels, at least two different ones.
        sample_weight : array of shape (n,), optional
            How much every example counts in the error, >= 0; one of weight 0 is left out. k-means counts all others
            alike.

        Raises
        ------
        ValueError
            If the input is not as described or a parameter is out of range.
        """
        prepared = self._prepare(X, y, sample_weight)
        point = self._learn_with_proof(prepared.problem, prepared.values, prepared.used, len(prepared.X))
        assert isinstance(point.predictor, EveryOutput)
        self._networks: list[Any] = [*point.predictor.parts]
        self.centers_ = self._shown([network.hidden.centres for network in self._networks])
        self.widths_ = self._shown([network.hidden.widths for network in self._networks])
        self.coef_ = self._shown([network.weights for network in self._networks])
        keep_certificate(self, point.solutions)
        return self._calibrated(X, y, sample_weight)

    def _prepare(self, X: Any, y: Any, sample_weight: Any = None) -> Prepared:
        values = self._check_parameters()
        X, used, target, weights = weighted_classes(self, X, y, sample_weight)
        seed = int(check_random_state(self.random_state).randint(2**31))
        return Prepared(Problem(FeatureStack(X[used]), target, seed=seed, weights=weights), values, X, used)

    def _examples(self, X: Any) -> Any:
        return validate_data(self, X, dtype=np.float64, reset=False)

    def _values(self, X: Any) -> Array:
        check_is_fitted(self)
        return joined(self._networks).outputs(FeatureStack(self._examples(X)))

    @staticmethod
    def _shown(arrays: list[Array]) -> Array | list[Array]:
        return arrays[0] if len(arrays) == 1 else arrays


class RBFNetworkClassifierCV(Weighted, ClassifierSearch, of=RBFNetworkClassifier):
    """`kernlearn.RBFNetworkClassifier` with parameters that are chosen by cross-validation."""
