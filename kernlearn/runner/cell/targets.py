"""The targets that an experiment learns from its data set, and the scores of predictions."""

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
    """Targets: real values, classes, the signs of two classes (which are both), or labels of sequences."""

    real: Array | None
    classes: Any

    def at(self, index: Array) -> "Targets":
        """Return the targets of some examples."""
        return Targets(*(values if values is None else values[index] for values in self))

    @property
    def labels(self) -> Array:
        """The classes of examples, or of all positions of the sequences, concatenated."""
        labels: Array = entries(self.classes)
        return labels

    @property
    def size(self) -> int:
        """The number of values or labels; for sequences, the number of their positions."""
        return len(self.labels if self.real is None else self.real)

    def as_target(self, n_classes: int) -> Target:
        """Return the target in the form that a method takes."""
        if self.real is not None:
            return Reals(self.real)
        kind = Sequences if isinstance(self.classes, Chains) else Classes
        return kind(self.labels, n_classes)


def targets_of(dataset: Dataset, regression: bool) -> Targets:
    """Return the targets of a data set: real values, and classes if the data set has them."""
    if not regression:
        return Targets(None, dataset.y)
    return Targets(dataset.real_target(), dataset.y if dataset.target is None else None)


def scores_of(decision: Array, y: Targets, *, voted: bool = False, n_classes: int = 0) -> dict[str, Any]:
    """Return all scores of decision values, NaN if a score is undefined, and the number of errors.

    With `voted`, the values are numbers of votes. For sequences with `n_classes` labels, the counts for precision and
    recall of each label are included.
    """
    truths: dict[str, tuple[Any, Any]] = {}
    scores: dict[str, Any] = {}
    if y.real is not None:
        truths["reals"] = y.real, decision[0]
    if y.classes is not None:
        predicted = predict(decision)
        tally = tallies.tallied(y.labels, predicted, n_classes)
        truths["classes"] = y.labels, predicted
        scores["errors"] = len(predicted) - int(tally.right.sum())
        if voted:
            truths["votes"] = y.classes, decision
        if isinstance(y.classes, Chains):
            truths["sequences"] = y.classes, predicted
            scores["tallies"] = tallies.to_text(tally)
        else:
            truths["examples"] = y.classes, predicted
            if len(decision) == 1:
                truths["signs"] = y.classes, decision[0]
    for name, metric in SCORES.items():
        if metric.target not in truths:
            continue
        if metric.of_tallies:
            scores[name] = metric.of_tallies(tally)
        elif metric.score:
            scores[name] = metric.score(*truths[metric.target])
    return scores
