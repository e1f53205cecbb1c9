"""Random splits whose hyper-parameters are chosen by cross-validation inside the training part."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kernlearn.errors import UserError
from kernlearn.evaluation.protocols import Index, Split, require_classes


@dataclass(frozen=True)
class NestedSplit:
    """Row numbers of a training and a test part, and the folds of the training part.

    Attributes
    ----------
    train, test : ndarray
        Disjoint.
    folds : tuple of Split
        Every example of `train` is in one validation part; the test part of all of them is `test`.
    """

    train: Index
    test: Index
    folds: tuple[Split, ...]


@dataclass(frozen=True)
class NestedProtocol:
    """An evaluation protocol: `n_splits` random splits, hyper-parameters by `n_folds`-fold cross-validation in each.

    ``draw(n, generator)`` draws the training and the test part of one split of n examples.
    """

    description: str
    n_splits: int
    n_folds: int
    draw: Callable[[int, np.random.Generator], tuple[Index, Index]]

    def splits(self, n: int, seed: int) -> list[NestedSplit]:
        """Return the splits of n examples; split i depends on `n`, `seed` and i alone.

        Raises
        ------
        UserError
            If there are too few examples.
        """
        splits = []
        for i in range(self.n_splits):
            rng = np.random.default_rng([seed, i])
            train, test = (np.sort(part) for part in self.draw(n, rng))
            if len(train) < self.n_folds or len(test) == 0:
                raise UserError(f"{n} examples are too few for this protocol: use a larger data set")
            validation = [np.sort(part) for part in np.array_split(rng.permutation(train), self.n_folds)]
            folds = tuple(Split(np.setdiff1d(train, part), part, test) for part in validation)
            splits.append(NestedSplit(train, test, folds))
        return splits

    def make(self, y: NDArray[np.integer], classes: tuple[str, ...], seed: int) -> list[NestedSplit]:
        """Return the splits of labelled examples.

        Of many classes a small one may be missing from the training part of a fold, which then cannot predict it.

        Raises
        ------
        UserError
            If there are too few examples, a training part lacks a class that the data have, or that of a fold has one
            class only.
        """
        splits = self.splits(len(y), seed)
        for i, split in enumerate(splits):
            require_classes(y, classes, split.train, i)
            if any(np.ptp(y[fold.train]) == 0 for fold in split.folds):
                raise UserError(f"split {i} of the protocol has a fold of one class: use another seed or more examples")
        return splits


def hold_out(n: int, rng: np.random.Generator, train_fraction: float) -> tuple[Index, Index]:
    """Draw a training part of a fraction of n examples, rounded down; the others test."""
    order = rng.permutation(n)
    size = int(n * train_fraction)
    return order[:size], order[size:]


def subsample(n: int, rng: np.random.Generator, n_pool: int, size: int) -> tuple[Index, Index]:
    """Draw a training part from the first `n_pool` examples; those after them test, all of them and always.

    Raises
    ------
    UserError
        If there are no examples after the first `n_pool`.
    """
    if n <= n_pool:
        raise UserError(f"{n} examples: this protocol needs the first {n_pool} to train and others to test")
    return rng.choice(n_pool, size, replace=False), np.arange(n_pool, n)


#: Protocols by name. The papers do not state stratification: none has it.
NESTED_PROTOCOLS: dict[str, NestedProtocol] = {
    # Rostamizadeh (2010), section 3.2.2: Reuters, ModApte split.
    "modapte20": NestedProtocol(
        "20 draws of 2000 of the first 9603 examples train, those after them test; 10-fold cross-validation",
        20,
        10,
        lambda n, rng: subsample(n, rng, n_pool=9603, size=2000),
    ),
    # Rostamizadeh (2010), section 3.2.2: reviews. The folds are those stated for Reuters.
    "halves10": NestedProtocol(
        "10 random splits, half trains, half tests; 10-fold cross-validation in the training half",
        10,
        10,
        lambda n, rng: hold_out(n, rng, 0.5),
    ),
    # Rostamizadeh (2010), section 3.2.2: UCI data; splits and folds are not stated but "as in Lanckriet et al. (2004)".
    "holdout30": NestedProtocol(
        "30 random splits, 80 % train, 20 % test; 10-fold cross-validation in the training part",
        30,
        10,
        lambda n, rng: hold_out(n, rng, 0.8),
    ),
    # Cortes, Kloft and Mohri (2013), table 1: training fraction 0.5, and 0.8 for psortPos. The folds are not stated.
    "halves10_cv5": NestedProtocol(
        "10 random splits, half trains, half tests; 5-fold cross-validation in the training half",
        10,
        5,
        lambda n, rng: hold_out(n, rng, 0.5),
    ),
    "holdout10_cv5": NestedProtocol(
        "10 random splits, 80 % train, 20 % test; 5-fold cross-validation in the training part",
        10,
        5,
        lambda n, rng: hold_out(n, rng, 0.8),
    ),
}
