"""Nested cross-validation with the folds of scikit-learn: what is the default for a file of one's own."""

import warnings

import numpy as np
from numpy.typing import NDArray

from kernlearn.errors import UserError
from kernlearn.evaluation.splits.protocols import NestedSplit, Protocol, Split
from kernlearn.types import Index


def folds_of(n: int, seed: int, y: NDArray[np.integer] | None, n_folds: int) -> list[tuple[Index, Index]]:
    """Return the training and the test part of every fold of a shuffled partition.

    They are those of scikit-learn's ``StratifiedKFold(n_folds, shuffle=True, random_state=seed)``, or of its ``KFold``
    where there are no classes.

    Raises `UserError` if there are fewer examples than folds, or no class has as many.

    Parameters
    ----------
    n : int
        Number of examples.
    y : array of shape (n,), optional
        Class indices.
    n_folds : int >= 2
    """
    from sklearn.model_selection import KFold, StratifiedKFold

    largest = n if y is None else int(np.bincount(y).max(initial=0))
    if largest < n_folds:
        what = f"{n} examples" if y is None else f"{n} examples, of no class more than {largest},"
        raise UserError(f"{what} cannot be split into {n_folds} folds: use a larger data set, or another protocol")
    kind = KFold if y is None else StratifiedKFold
    with warnings.catch_warnings():  # of classes with fewer members than folds: a run says so itself
        warnings.simplefilter("ignore")
        return list(kind(n_folds, shuffle=True, random_state=seed).split(np.zeros(n), y))


def nested_folds(n: int, seed: int, y: NDArray[np.integer] | None, n_folds: int) -> list[NestedSplit]:
    """Return a split for every fold: it tests, and the others train and are split into as many folds again."""
    splits = []
    for train, test in folds_of(n, seed, y, n_folds):
        inner = folds_of(len(train), seed, None if y is None else y[train], n_folds)
        folds = tuple(Split(train[rest], train[part], test) for rest, part in inner)
        splits.append(NestedSplit(train, test, folds))
    return splits


#: Protocols by name.
STRATIFIED_PROTOCOLS: dict[str, Protocol] = {
    "nested5x5": Protocol(
        "nested cross-validation: each of 5 folds is the test part once; 5-fold cross-validation on the other examples "
        "selects the grid point",
        5,
        lambda n, seed, y: nested_folds(n, seed, y, n_folds=5),
        n_folds=5,
        rule="per_split",
        stratified=True,
    )
}
