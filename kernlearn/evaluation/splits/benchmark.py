"""The protocol of the benchmark of Raetsch et al. (2001): many random partitions, of which the first few choose."""

from collections.abc import Sequence

import numpy as np

from kernlearn.evaluation.splits.nested import nested_split
from kernlearn.evaluation.splits.protocols import NestedSplit, Protocol
from kernlearn.types import Index

#: So many first partitions choose, by cross-validation with so many folds in their training parts.
CHOOSING, FOLDS = 5, 5


def partitions(n: int, seed: int, n_drawn: int, known: Sequence[Index], n_splits: int) -> list[NestedSplit]:
    """Return random partitions with training parts of `n_drawn` examples: those that are known, then others.

    The first `CHOOSING` have folds; in the others nothing is chosen, and nothing is validated.

    References
    ----------
    Raetsch, Onoda and Mueller (2001), Soft margins for AdaBoost, Machine Learning 42, section 4.
    """
    return [
        _split(n, np.random.default_rng([seed, i]), n_drawn, known[i : i + 1], i < CHOOSING) for i in range(n_splits)
    ]


def _split(n: int, rng: np.random.Generator, n_drawn: int, known: Sequence[Index], chooses: bool) -> NestedSplit:
    def draw(n: int, rng: np.random.Generator) -> tuple[Index, Index]:
        train = known[0] if len(known) else rng.choice(n, n_drawn, replace=False)
        return train, np.setdiff1d(np.arange(n), train)

    if chooses:
        return nested_split(n, rng, FOLDS, draw)
    train, test = draw(n, rng)
    return NestedSplit(np.sort(train), test, ())


#: Protocols by name.
BENCHMARK_PROTOCOLS: dict[str, Protocol] = {
    "benchmark100": Protocol(
        "100 published random partitions (lost ones are replaced by random ones of the same sizes); hyper-parameters "
        "are the medians of those selected by 5-fold cross-validation on the first five partitions",
        100,
        lambda n, seed, n_drawn, known: partitions(n, seed, n_drawn, known, n_splits=100),
        n_folds=FOLDS,
        drawn=True,
        n_choosing=CHOOSING,
        rule="median5",
    ),
}
