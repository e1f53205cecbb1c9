"""How often every label is right, predicted and true, kept in rows: precision, recall and F1 of each follow."""

from collections.abc import Iterable
from math import nan
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kernlearn.types import Index


class Tallies(NamedTuple):
    """Counts of every label, shape (k,) each."""

    right: Index
    predicted: Index
    true: Index

    def scores(self, label: int) -> tuple[float, float, float]:
        """Return precision, recall and F1 of a label in percent; NaN where nothing was predicted, or is true."""
        right, predicted, true = (int(counts[label]) for counts in self)
        return _percent(right, predicted), _percent(right, true), _percent(2 * right, predicted + true)


def tallied(y: NDArray[Any], predicted: NDArray[Any], n_labels: int = 0) -> Tallies:
    """Return the tallies of predicted labels and the true ones, numbers from 0 to ``n_labels - 1``, or the largest."""
    right, n_labels = predicted == y, n_labels or int(max(y.max(), predicted.max())) + 1
    return Tallies(*(np.bincount(some, minlength=n_labels) for some in (y[right], predicted, y)))


def to_text(tallies: Tallies) -> str:
    """Return tallies as a row has them, such as ``8/10/9 3/4/3``: right, predicted and true of every label."""
    return " ".join("/".join(map(str, counts)) for counts in zip(*(some.tolist() for some in tallies), strict=True))


def read(text: str) -> Tallies:
    """Undo `to_text`."""
    counts = np.array([list(map(int, word.split("/"))) for word in text.split()], dtype=np.intp)
    return Tallies(*counts.T)


def added(several: Iterable[Tallies]) -> Tallies:
    """Return the sums of tallies, at least one."""
    return Tallies(*(np.sum(parts, axis=0) for parts in zip(*several, strict=True)))


def f1_pct(y: NDArray[Any], predicted: NDArray[Any]) -> float:
    """Return the mean over the labels in y of ``F1 = 2 right / (predicted + true)``, in percent."""
    tallies = tallied(y, predicted)
    return _mean_f1(tallies, tallies.true > 0)


def macro_f1_pct(y: NDArray[Any], predicted: NDArray[Any]) -> float:
    """Return the mean of F1 over the labels in y or among the predicted ones, in percent, as scikit-learn does."""
    return macro_f1(tallied(y, predicted))


def macro_f1(tallies: Tallies) -> float:
    """Return what `macro_f1_pct` does."""
    return _mean_f1(tallies, tallies.predicted + tallies.true > 0)


def balanced_error(tallies: Tallies) -> float:
    """Return the part of wrong predictions of each label that is true, in percent and averaged over these.

    Of one label alone there is nothing to balance: NaN.
    """
    at = np.flatnonzero(tallies.true)
    if len(at) < 2:
        return nan
    return 100.0 * float(np.mean((tallies.true - tallies.right)[at] / tallies.true[at]))


def _mean_f1(tallies: Tallies, at: NDArray[np.bool_]) -> float:
    return 100.0 * float(np.mean(2 * tallies.right[at] / (tallies.predicted + tallies.true)[at]))


def _percent(part: int, total: int) -> float:
    return 100.0 * part / total if total else nan
