"""How examples are split into training, validation and test parts."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kernlearn.errors import UserError

Index = NDArray[np.intp]


@dataclass(frozen=True)
class Split:
    """Row numbers of one split; the three parts are disjoint."""

    train: Index
    validation: Index
    test: Index


@dataclass(frozen=True)
class Protocol:
    """An evaluation protocol: ``splits(n, seed)`` lists the `n_splits` splits of n examples."""

    description: str
    n_splits: int
    splits: Callable[[int, int], list[Split]]

    def make(self, y: NDArray[np.integer], classes: tuple[str, ...], seed: int) -> list[Split]:
        """Return the splits of labelled examples.

        Parameters
        ----------
        y : array of shape (n,)
            Class indices.
        classes : tuple of str
            Their names.
        seed : int

        Raises
        ------
        UserError
            If the data have no classes, there are fewer examples than parts, or a training part lacks a class that the
            data have.
        """
        if not classes:
            raise UserError("the data have real targets and no classes: a classifier cannot be run on them")
        splits = self.splits(len(y), seed)
        for i, split in enumerate(splits):
            missing = sorted(set(y) - set(y[split.train]))
            if missing:
                raise UserError(
                    f"split {i} of the protocol has no training example of class {classes[missing[0]]!r} "
                    f"({(y == missing[0]).sum()} in all): use another seed, or more examples of that class"
                )
        return splits


def rotation(n: int, seed: int, folds: int) -> list[Split]:
    """One random partition into folds; in split i fold i tests, fold i+1 validates and the others train.

    Parameters
    ----------
    n : int
        Number of examples; the first ``n mod folds`` folds have one more than the others.
    seed : int
        Of the permutation (PCG64).
    folds : int >= 3

    Raises
    ------
    UserError
        If there are fewer examples than folds.

    References
    ----------
    Cortes, Goyal, Kuznetsov and Mohri (2015), section 6, with 5 folds.
    """
    if n < folds:
        raise UserError(f"{n} examples cannot be split into {folds} folds: use a larger data set")
    parts = np.array_split(np.random.default_rng(seed).permutation(n), folds)
    splits = []
    for i in range(folds):
        j = (i + 1) % folds
        train = np.concatenate([parts[f] for f in range(folds) if f not in (i, j)])
        splits.append(Split(np.sort(train), np.sort(parts[j]), np.sort(parts[i])))
    return splits


#: Protocols by name, one configuration file each.
PROTOCOLS: dict[str, Protocol] = {
    "rotation5": Protocol(
        "one seeded partition in 5 folds; fold i tests, i+1 validates, three train, for i = 0..4",
        5,
        lambda n, seed: rotation(n, seed, folds=5),
    ),
}
