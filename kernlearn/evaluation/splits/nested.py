"""Random splits whose hyper-parameters are chosen by cross-validation inside the training part."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from kernlearn.errors import UserError
from kernlearn.evaluation.splits.protocols import NestedSplit, Protocol, Split
from kernlearn.parameters import Number, Parameter
from kernlearn.types import Index

#: A share such as 0.29 of 100 examples is 29, whatever the product is in floating point.
ROUNDING = 1e-9
#: ``draw(n, generator)`` draws the training and the test part of one split of n examples.
Draw = Callable[[int, np.random.Generator], tuple[Index, Index]]


def nested(description: str, n_splits: int, n_folds: int, draw: Draw) -> Protocol:
    """Return the protocol of `n_splits` random splits with `n_folds`-fold cross-validation in each."""

    def splits(n: int, seed: int) -> list[NestedSplit]:
        return [nested_split(n, np.random.default_rng([seed, i]), n_folds, draw) for i in range(n_splits)]

    return Protocol(description, n_splits, splits, n_folds, rule="per_split")


def nested_split(n: int, rng: np.random.Generator, n_folds: int, draw: Draw) -> NestedSplit:
    """Draw one split and the folds of its training part.

    Raises `UserError` if there are too few examples.
    """
    train, test = (np.sort(part) for part in draw(n, rng))
    if len(train) < n_folds or len(test) == 0:
        raise UserError(f"{n} examples are too few for this protocol: use a larger data set")
    validation = [np.sort(part) for part in np.array_split(rng.permutation(train), n_folds)]
    return NestedSplit(train, test, tuple(Split(np.setdiff1d(train, part), part, test) for part in validation))


def hold_out(n: int, rng: np.random.Generator, train_fraction: float) -> tuple[Index, Index]:
    """Draw a training part of a fraction of n examples, rounded down; the others test."""
    order = rng.permutation(n)
    size = int(n * train_fraction + ROUNDING)
    return order[:size], order[size:]


def hold_out_any(train: float = 0.666667, splits: int = 10, folds: int = 10) -> Protocol:
    """Return the protocol of random splits with any share of training examples (`OF_HOLD_OUT`), rounded down."""
    words = (
        f"{splits} random splits: {100 * train:.3g} % for training, {100 * (1 - train):.3g} % for testing; "
        f"{folds}-fold cross-validation in the training part"
    )
    made = nested(words, splits, folds, lambda n, rng: hold_out(n, rng, train))
    return replace(made, parameters=OF_HOLD_OUT, made=hold_out_any)


#: What a configuration sets of `hold_out_any`.
OF_HOLD_OUT = {
    "train": Parameter(0.666667, Number(low=0.01, high=0.99), "share of the examples that train; the others test"),
    "splits": Parameter(10, Number(low=1, high=1000, integer=True), "random splits"),
    "folds": Parameter(10, Number(low=2, high=100, integer=True), "folds of each training part"),
}


def subsample(n: int, rng: np.random.Generator, n_pool: int, size: int) -> tuple[Index, Index]:
    """Draw a training part from the first `n_pool` examples; those after them test, all of them and always.

    Raises `UserError` if there are no examples after the first `n_pool`.
    """
    if n <= n_pool:
        raise UserError(f"{n} examples: this protocol needs the first {n_pool} to train and others to test")
    return rng.choice(n_pool, size, replace=False), np.arange(n_pool, n)


#: Protocols by name. The papers do not state stratification: none has it.
NESTED_PROTOCOLS: dict[str, Protocol] = {
    # Rostamizadeh (2010), section 3.2.2: Reuters, ModApte split.
    "modapte20": nested(
        "20 random splits for Reuters (ModApte): 2000 of the first 9603 texts, the published training part, for "
        "training; the later texts for testing; 10-fold cross-validation",
        20,
        10,
        lambda n, rng: subsample(n, rng, n_pool=9603, size=2000),
    ),
    # Rostamizadeh (2010), section 3.2.2: reviews. The folds are those stated for Reuters.
    "halves10": nested(
        "10 random splits into a training and a test half; 10-fold cross-validation in the training half",
        10,
        10,
        lambda n, rng: hold_out(n, rng, 0.5),
    ),
    # Rostamizadeh (2010), section 3.2.2: UCI data; splits and folds are not stated but "as in Lanckriet et al. (2004)".
    "holdout30": nested(
        "30 random splits: 80 % for training, 20 % for testing; 10-fold cross-validation in the training part",
        30,
        10,
        lambda n, rng: hold_out(n, rng, 0.8),
    ),
    "holdout": hold_out_any(),
    # Cortes, Kloft and Mohri (2013), table 1: training fraction 0.5, and 0.8 for psortPos. The folds are not stated.
    "halves10_cv5": nested(
        "10 random splits into a training and a test half; 5-fold cross-validation in the training half",
        10,
        5,
        lambda n, rng: hold_out(n, rng, 0.5),
    ),
    "holdout10_cv5": nested(
        "10 random splits: 80 % for training, 20 % for testing; 5-fold cross-validation in the training part",
        10,
        5,
        lambda n, rng: hold_out(n, rng, 0.8),
    ),
}
