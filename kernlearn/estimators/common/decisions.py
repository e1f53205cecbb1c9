"""Decision functions, predictions and probabilities from the outputs of a learned function."""

from collections.abc import Iterator
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.model_selection import StratifiedKFold
from sklearn.utils.metaestimators import _safe_split, available_if
from sklearn.utils.validation import _check_sample_weight, column_or_1d

from kernlearn.algorithms.common.reductions import signs
from kernlearn.algorithms.common.sigmoids import fit_sigmoids, probabilities
from kernlearn.algorithms.core.predictor import predict
from kernlearn.errors import UserError
from kernlearn.estimators.common.kernels import sliceable
from kernlearn.types import Array, Index

#: Folds whose decision values calibrate probabilities.
FOLDS = 5


def _calibrates(estimator: Any) -> bool:
    if not estimator.probability:
        raise AttributeError(f"{type(estimator).__name__} has no probabilities; give probability=True")
    return True


class DecisionMixin:
    """What follows from the outputs of a classifier, shape (n_outputs, n), one of them for two classes."""

    classes_: NDArray[Any]
    probA_: Array
    probB_: Array
    probability: bool = False

    def _values(self, X: Any) -> Array:
        """Return the outputs on examples, after they are checked."""
        raise NotImplementedError

    def decision_function(self, X: Any) -> Array:
        """Return f(x), shape (n,) for two classes (positive for ``classes_[1]``) and (n, n_classes) otherwise."""
        return shown(self._values(X))

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the predicted class labels, shape (n,)."""
        values = self._values(X)  # which raises what it has to before there are classes
        return self.classes_[predict(values)]

    @available_if(_calibrates)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Array:
        """Return the probability of every class, shape (n, n_classes); it is there with ``probability=True``.

        It is a sigmoid of the decision values, fitted to those of rows that were held out. `predict` may disagree with
        the largest probability, since it follows the decision values alone. With class weights it often does: the
        sigmoid is fitted to the true frequencies of the classes. Source: Platt (1999).
        """
        values = self._values(X)
        return probabilities(-np.column_stack([self.probA_, self.probB_]), values)

    def _calibrated(self, X: Any, y: Any, sample_weight: Any = None, **options: Any) -> Self:
        """Set ``probA_`` and ``probB_`` if asked for, from decision values of rows that were held out.

        `options` are other arguments of `fit`, the same for all folds.
        """
        for name in {"probA_", "probB_"} & vars(self).keys():  # of a fit before
            delattr(self, name)
        if not self.probability:
            return self
        plain: Any = clone(self).set_params(probability=False)
        X, y = sliceable(plain, X), column_or_1d(y)
        weights = _check_sample_weight(sample_weight, X)
        index = np.searchsorted(self.classes_, y)
        values = np.zeros((1 if len(self.classes_) == 2 else len(self.classes_), len(y)))
        for train, test in calibration_folds(index, weights):
            some = {} if sample_weight is None else {"sample_weight": weights[train]}
            fold = clone(plain).fit(*_safe_split(plain, X, y, train), **some, **options)
            values[:, test] = fold._values(_safe_split(plain, X, y, test, train)[0])
        self.probA_, self.probB_ = sigmoids_of(values, index, weights)
        return self


def calibration_folds(index: NDArray[np.integer], weights: Array) -> Iterator[tuple[Index, Index]]:
    """Yield the training rows, and those that are held out, of the folds that calibrate probabilities.

    Parameters
    ----------
    index : integer array of shape (n,)
        Classes 0, 1, ...
    weights : array of shape (n,)
        Rows of weight 0 are in no fold.

    Raises
    ------
    UserError
        If a class has one example only.
    """
    used = np.flatnonzero(weights)
    smallest = int(np.bincount(index[used]).min())
    if smallest < 2:
        raise UserError("probability=True: needs two examples of every class, and one class has one only")
    for train, test in StratifiedKFold(min(FOLDS, smallest)).split(used, index[used]):
        yield used[train], used[test]


def sigmoids_of(values: Array, index: NDArray[np.integer], weights: Array) -> tuple[Array, Array]:
    """Return ``probA_`` and ``probB_``, with the signs of LibSVM, from outputs of rows that were held out."""
    used = np.flatnonzero(weights)
    labels = [s[used] for s in signs(index, int(index.max()) + 1)]
    probA, probB = -fit_sigmoids(values[:, used], labels, weights[used]).T
    return probA, probB


def shown(values: Array) -> Array:
    """Return outputs of shape (n_outputs, n) as scikit-learn has decision values."""
    return values[0] if len(values) == 1 else values.T
