"""What an experiment learns of the examples of its data set, and how predictions of it are scored."""

from typing import Any, NamedTuple

from numpy.typing import NDArray

from kernlearn.algorithms import Classes, Reals, Sequences
from kernlearn.algorithms.core.predictor import predict
from kernlearn.algorithms.core.problem import Target
from kernlearn.datasets import Chains, Dataset
from kernlearn.datasets.core.chains import entries
from kernlearn.evaluation import SCORES, tallies

Array = NDArray[Any]


class Targets(NamedTuple):
    """What is to be learned: real values, classes, or the signs of two classes, which are both; labels of sequences."""

    real: Array | None
    classes: Any

    def at(self, index: Array) -> "Targets":
        """Return those of some examples."""
        return Targets(*(values if values is None else values[index] for values in self))

    @property
    def labels(self) -> Array:
        """The classes of examples, or of the places of sequences, one below the other."""
        found: Array = entries(self.classes)
        return found

    @property
    def size(self) -> int:
        """How many values or labels there are: of sequences that of their places."""
        return len(self.labels if self.real is None else self.real)

    def as_target(self, n_classes: int) -> Target:
        """Return what a method is to learn."""
        if self.real is not None:
            return Reals(self.real)
        kind = Sequences if isinstance(self.classes, Chains) else Classes
        return kind(self.labels, n_classes)


def targets_of(dataset: Dataset, regression: bool) -> Targets:
    """Return what is learned of a data set: real targets, and classes where they are those of the data set."""
    if not regression:
        return Targets(None, dataset.y)
    return Targets(dataset.real_target(), dataset.y if dataset.target is None else None)


def scores_of(decision: Array, y: Targets, *, voted: bool = False, n_classes: int = 0) -> dict[str, Any]:
    """Return all scores that there are of decision values, NaN where one has no value, and the number of errors.

    With `voted` the values are numbers of votes. Of sequences, and `n_classes` labels, there is what precision and
    recall of each follow from, too.
    """
    truths: dict[str, tuple[Any, Any]] = {}
    scores: dict[str, Any] = {}
    if y.real is not None:
        truths["reals"] = y.real, decision[0]
    if y.classes is not None:
        predicted = predict(decision)
        truths["classes"] = y.labels, predicted
        scores["errors"] = int((predicted != y.labels).sum())
        if voted:
            truths["votes"] = y.classes, decision
        if isinstance(y.classes, Chains):
            truths["sequences"] = y.classes, predicted
            scores["tallies"] = tallies.written(tallies.tallied(y.labels, predicted, n_classes))
        elif len(decision) == 1:
            truths["signs"] = y.classes, decision[0]
    for name, metric in SCORES.items():
        if metric.score and metric.target in truths:
            scores[name] = metric.score(*truths[metric.target])
    return scores
