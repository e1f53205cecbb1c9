"""Whether the choice of hyper-parameters has seen the examples that it is then tested on."""

from collections.abc import Sequence

import numpy as np

from kernlearn.evaluation.splits.protocols import NestedSplit, Split
from kernlearn.types import Index

#: Rules by which a split chooses for itself: no example of its validation part, or of its folds, is in its test part.
BY_ITSELF = ("per_split", "patience50", "swap")
#: Those that choose by the first splits: how many, and from which split on it counts what they chose.
BY_THE_FIRST = {"first5": (5, 0), "median5": (5, 0), "fresh20": (20, 20)}


def share_in_choice(splits: Sequence[Split | NestedSplit], rule: str) -> float:
    """Return which part of the examples that are tested on took part in the choice, from 0 to 1.

    An example takes part if a score of it is in what the choice is made by. One grid point for several splits is chosen
    by the validation parts of all of them, which are test parts of others; what it then scores is too good.

    Parameters
    ----------
    splits : sequence of Split or NestedSplit
    rule : str
        One of `kernlearn.evaluation.RULES`.
    """
    if rule in BY_ITSELF:
        return 0.0
    n_choosing, first = BY_THE_FIRST.get(rule, (len(splits), 0))
    validated = [part for split in splits[:n_choosing] for part in _validation_parts(split)]
    tested = [split.test for split in splits[first:]]
    if not validated or not tested:
        return 0.0
    rows = np.unique(np.concatenate(tested))
    return float(np.isin(rows, np.concatenate(validated)).mean())


def _validation_parts(split: Split | NestedSplit) -> list[Index]:
    return [fold.validation for fold in split.folds] if isinstance(split, NestedSplit) else [split.validation]
