"""The protocols of transduction: few examples are labelled, and all others are what is to be predicted."""

import numpy as np

from kernlearn.errors import UserError
from kernlearn.evaluation.splits.protocols import NestedSplit, Protocol, Split

#: Random choices of the labelled examples that choose parameters, that do so a second time by what is labelled alone,
#: and that are tested.
CHOOSING, HONEST, FRESH = 20, 20, 100
#: Examples that are seen, and folds of those with labels.
SEEN, FOLDS = 1000, 5


def few_labels(n: int, seed: int, labelled: int) -> list[Split | NestedSplit]:
    """Label some of 1000 random examples, or of all if there are not more, again and again.

    The others are the test part. In the first 20 splits they validate, too: as the source chooses parameters, by the
    errors to be predicted. In the first 20 of the 100 after these there is cross-validation in the labelled examples,
    by which parameters can be chosen without a look at the others. Split i depends on `n`, `seed` and i alone.

    Raises `UserError` if there are too few examples.

    References
    ----------
    Shivaswamy (2010), section 5.5.
    """
    if n <= labelled:
        raise UserError(f"{n} examples are too few to label {labelled} and test on others: use a larger data set")
    seen = np.random.default_rng([seed, 1]).permutation(n)[:SEEN]
    splits: list[Split | NestedSplit] = []
    for i in range(CHOOSING + FRESH):
        rng = np.random.default_rng([seed, 2, i])
        order = rng.permutation(seen)
        train, test = np.sort(order[:labelled]), np.sort(order[labelled:])
        if i < CHOOSING:
            splits.append(Split(train, test, test))
            continue
        parts = np.array_split(order[:labelled], FOLDS) if i < CHOOSING + HONEST else []
        folds = tuple(Split(np.setdiff1d(train, part), np.sort(part), test) for part in parts)
        splits.append(NestedSplit(train, test, folds))
    return splits


#: Protocols by name.
TRANSDUCTION_PROTOCOLS: dict[str, Protocol] = {
    f"labelled{size}": Protocol(
        f"20 random splits that only select the grid point, then 100 that are reported; {size} of at most 1000 "
        "examples are labelled, the others are for testing",
        CHOOSING + FRESH,
        lambda n, seed, size=size: few_labels(n, seed, size),
        n_choosing=CHOOSING,
        rule="fresh20",
    )
    for size in (30, 50, 70, 90, 110)
}
