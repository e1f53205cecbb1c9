"""Decision functions and predictions from the outputs of a learned function."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernlearn.algorithms.common.predictor import predict

Array = NDArray[np.float64]


class DecisionMixin:
    """What follows from the outputs of a classifier, shape (n_outputs, n), one of them for two classes."""

    classes_: NDArray[Any]
    #: Units of the outputs, None for 1; see `kernlearn.algorithms.common.predictor.own_unit`.
    _units: Array | None = None

    def _values(self, X: Any) -> Array:
        """Return the outputs on examples, after they are checked."""
        raise NotImplementedError

    def decision_function(self, X: Any) -> Array:
        """Return f(x), shape (n,) for two classes (positive for ``classes_[1]``) and (n, n_classes) otherwise."""
        values = self._values(X)
        return values[0] if len(values) == 1 else values.T

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the predicted class labels, shape (n,)."""
        values = self._values(X)
        return self.classes_[predict(values, self._units)]
