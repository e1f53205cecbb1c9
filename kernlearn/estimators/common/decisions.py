"""Decision functions and predictions from the outputs of a learned function."""

from typing import Any

from numpy.typing import NDArray

from kernlearn.algorithms.core.predictor import predict
from kernlearn.types import Array


class DecisionMixin:
    """What follows from the outputs of a classifier, shape (n_outputs, n), one of them for two classes."""

    classes_: NDArray[Any]

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


def shown(values: Array) -> Array:
    """Return outputs of shape (n_outputs, n) as scikit-learn has decision values."""
    return values[0] if len(values) == 1 else values.T
