"""Splits of data whose training and test parts are published: the test part is all of the one, and always."""

from collections.abc import Sequence

import numpy as np

from kernlearn.errors import UserError
from kernlearn.evaluation.splits.protocols import NestedSplit, Protocol, Split


def retrained(n: int, seed: int, n_train: int, repetitions: int) -> Sequence[NestedSplit]:
    """All of the training part trains; `repetitions` times a random fifth of it validates what the rest has trained.

    References
    ----------
    Shivaswamy (2010), section 2.7, optdigits and usps, with five repetitions.
    """
    rng, train, test = np.random.default_rng(seed), np.arange(n_train), np.arange(n_train, n)
    folds = []
    for _ in range(repetitions):
        fifth, rest = np.split(rng.permutation(n_train), [n_train // 5])
        folds.append(Split(np.sort(rest), np.sort(fifth), test))
    return [NestedSplit(train, test, tuple(folds))]


def held_out(n: int, seed: int, n_train: int, size: int) -> Sequence[Split]:
    """Of the training part `size` random examples train, the others validate.

    Raises `UserError` if there are no others.

    References
    ----------
    Shivaswamy (2010), section 2.7, mnist.
    """
    if size >= n_train:
        raise UserError(
            f"the published training part has {n_train} examples; of more than {size}, {size} train and the others "
            "validate: use another protocol"
        )
    train, validation = np.split(np.random.default_rng(seed).permutation(n_train), [size])
    return [Split(np.sort(train), np.sort(validation), np.arange(n_train, n))]


#: Protocols by name; their splits need the size of the training part.
PUBLISHED_PROTOCOLS: dict[str, Protocol] = {
    "published5": Protocol(
        "the published training and test part; five times, a random fifth of the training part is for validation",
        1,
        lambda n, seed, n_train: retrained(n, seed, n_train, repetitions=5),
        n_folds=5,
        published=True,
        rule="per_split",
    ),
    **{
        f"published_{size}": Protocol(
            f"{size} random examples of the published training part for training, the rest of it for validation; the "
            "published test part for testing",
            1,
            lambda n, seed, n_train, size=size: held_out(n, seed, n_train, size),
            published=True,
        )
        for size in (1000, 5000)
    },
    "published_two_thirds": Protocol(
        "two thirds of the published training part for training, the rest of it for validation; the published test "
        "part for testing",
        1,
        lambda n, seed, n_train: held_out(n, seed, n_train, size=2 * n_train // 3),
        published=True,
    ),
}
