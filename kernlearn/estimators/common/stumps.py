"""What the estimators of boosting share: their stumps, a vote for every class, and what it was after every round."""

from collections.abc import Iterator, Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.metrics import accuracy_score
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from kernlearn.algorithms.boosting.votes import evaluated
from kernlearn.algorithms.core.path import Point
from kernlearn.algorithms.core.predictor import EveryOutput, predict
from kernlearn.algorithms.core.problem import Problem
from kernlearn.algorithms.core.rounding import without_noise
from kernlearn.errors import UserError
from kernlearn.estimators.common.decisions import DecisionMixin, shown
from kernlearn.estimators.common.expansion import keep_certificate
from kernlearn.estimators.common.fitting import MethodMixin, Prepared
from kernlearn.estimators.common.labels import weighted_classes
from kernlearn.kernels.families.stumps import stumps
from kernlearn.parameters import Number
from kernlearn.solvers.stumps_networks.stumps import add_votes
from kernlearn.types import Array

#: The largest weight of an example is at most this, and at least its inverse: boosting squares sums of weights.
FARTHEST = 1e100


class StumpClassifier(MethodMixin, DecisionMixin, ClassifierMixin, BaseEstimator):
    """Base of classifiers ``f(x) = sum_r alpha_r G_r(x)`` over stumps; subclasses name the method that finds them."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the classifier, with more than two classes every class against the rest.

        Parameters
        ----------
        X : array of shape (n, d)
        y : array of shape (n,)
            Class labels, at least two different ones.
        sample_weight : array of shape (n,), optional
            How often every example counts, >= 0: one of weight 2 is two examples, one of weight 0 is none.

        Raises
        ------
        ValueError
            If the input is not as described or a parameter is out of range.
        UserError
            If the largest weight is so large or small that squares of weights are no numbers.
        """
        prepared = self._prepare(X, y, sample_weight)
        inputs = prepared.problem.inputs
        point = self._learn_with_proof(prepared.problem, prepared.values, prepared.used, len(prepared.X))
        assert isinstance(point.predictor, EveryOutput)
        votes: Any = point.predictor.parts
        found = [vote.rounds.stumps for vote in votes]
        self._features = [inputs.used[inputs.owners[chosen]] for chosen in found]
        self._thresholds = [inputs.thresholds[chosen] for chosen in found]
        self._alphas = [vote.rounds.alphas for vote in votes]
        self.features_, self.thresholds_, self.estimator_weights_ = (
            values if len(votes) > 1 else values[0] for values in (self._features, self._thresholds, self._alphas)
        )
        keep_certificate(self, point.solutions)
        self.n_iter_ = max(1, *(len(alphas) for alphas in self._alphas))
        return self._calibrated(X, y, sample_weight)

    def _prepare(self, X: Any, y: Any, sample_weight: Any = None) -> Prepared:
        values = self._check_parameters()
        family = stumps(Number(low=0, integer=True).check("n_stumps", self.n_stumps), self.draw)
        X, used, target, weights = weighted_classes(self, X, y, sample_weight)
        largest = 1.0 if weights is None else float(weights.max())
        if not 1.0 / FARTHEST <= largest <= FARTHEST:
            raise UserError(
                f"sample_weight: the largest is {largest:.3g}, and sums of its squares are no numbers; divide all "
                "weights by their mean"
            )
        seed = int(check_random_state(self.random_state).randint(2**31))
        return Prepared(Problem(family.fit(X[used], seed), target, weights=weights), values, X, used)

    def _points(self, problem: Problem, values: Mapping[str, Any]) -> Iterator[Point]:
        return super()._points(problem, {**values, "every": values["rounds"]})  # the last round alone is a point

    @property
    def feature_importances_(self) -> Array:
        """The share of every feature in the absolute weights of the votes, a mean over the votes, shape (d,)."""
        check_is_fitted(self)
        shares = np.zeros(self.n_features_in_)
        for features, alphas in zip(self._features, self._alphas, strict=True):
            np.add.at(shares, features, np.abs(alphas) / (np.abs(alphas).sum() or 1.0))
        return shares / len(self._alphas)

    def _values(self, X: Any) -> Array:
        columns = self._columns(X)
        return self._settled(self._scores(columns, 0, self.n_iter_), self.n_iter_)

    def staged_decision_function(self, X: Any) -> Iterator[Array]:
        """Yield the decision function after every round, as `decision_function` returns it."""
        return map(shown, self._staged(X))

    def staged_predict(self, X: Any) -> Iterator[NDArray[Any]]:
        """Yield the predicted class labels after every round."""
        return (self.classes_[predict(values)] for values in self._staged(X))

    def staged_score(self, X: Any, y: Any, sample_weight: Any = None) -> Iterator[float]:
        """Yield the accuracy after every round, as `score` has it after the last."""
        return (float(accuracy_score(y, found, sample_weight=sample_weight)) for found in self.staged_predict(X))

    def _staged(self, X: Any) -> Iterator[Array]:
        columns = self._columns(X)
        decision = np.zeros((len(self._alphas), columns.shape[1]))
        for r in range(self.n_iter_):
            decision = self._scores(columns, r, r + 1, decision)
            yield self._settled(decision, r + 1)

    def _settled(self, scores: Array, rounds: int) -> Array:
        return without_noise(evaluated(scores, [alphas[:rounds] for alphas in self._alphas]))

    def _columns(self, X: Any) -> Array:
        check_is_fitted(self)
        return np.ascontiguousarray(self._examples(X).T)

    def _examples(self, X: Any) -> Any:
        return validate_data(self, X, dtype=np.float64, reset=False)

    def _scores(self, columns: Array, start: int, stop: int, before: Array | None = None) -> Array:
        """Return what the votes of some rounds add to the decision values, shape (n_outputs, n)."""
        f = np.zeros((len(self._alphas), columns.shape[1])) if before is None else before.copy()
        some = slice(start, stop)
        for row, features, thresholds, alphas in zip(f, self._features, self._thresholds, self._alphas, strict=True):
            add_votes(columns, features[some], thresholds[some], alphas[some], row)
        return f
