"""How examples are split into training, validation and test parts.

No split of a paper is stratified: the papers do not say so.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernlearn.errors import UserError
from kernlearn.parameters import Parameter, is_number
from kernlearn.types import Index

#: A training part, and the parts on which what was trained is measured, by name.
Fit = tuple[Index, dict[str, Index]]
#: So many classes a message names.
NAMED = 3


@dataclass(frozen=True)
class Split:
    """Row numbers of one split; the three parts are disjoint."""

    train: Index
    validation: Index
    test: Index

    @property
    def fits(self) -> tuple[Fit, ...]:
        """What has to be trained and measured: one path."""
        return ((self.train, {"validation": self.validation, "test": self.test}),)


@dataclass(frozen=True)
class NestedSplit:
    """Row numbers of a training and a test part, and the folds of the training part."""

    #: `train`, `test`: Disjoint.
    train: Index
    test: Index
    #: Every example of `train` is in one validation part; the test part of all of them is `test`.
    folds: tuple[Split, ...]

    @property
    def fits(self) -> tuple[Fit, ...]:
        """What has to be trained and measured: a path on every fold, and one on the whole training part, last."""
        folds = ((fold.train, {"validation": fold.validation}) for fold in self.folds)
        return (*folds, (self.train, {"test": self.test}))


@dataclass(frozen=True)
class Protocol:
    """An evaluation protocol."""

    description: str
    n_splits: int
    #: ``splits(n, seed)`` lists the `n_splits` splits of n examples; ``splits(n, seed, n_train)`` those of data whose
    #: first examples are a published training part, ``splits(n, seed, n_drawn, partitions)`` those of data with
    #: published random partitions (see `kernlearn.datasets.Dataset`).
    splits: Callable[..., Sequence[Split | NestedSplit]]
    #: Of the cross-validation inside the training part; 0 if there is a validation part instead.
    n_folds: int = 0
    #: Whether it is for data with a published training part.
    published: bool = False
    #: Whether it is for data with published random partitions.
    drawn: bool = False
    #: So many of the first splits have something to validate on, so that its rule has to choose by them; 0: all have.
    n_choosing: int = 0
    #: How a grid point is chosen where nothing else is asked for, one of `kernlearn.evaluation.RULES`.
    rule: str = "overall"
    #: Whether its parts have the classes in equal shares: ``splits(n, seed, y)`` then takes class indices, None for
    #: targets that are no classes.
    stratified: bool = False
    #: What a configuration can set of it (``protocol.KEY=VALUE``), and ``made(**values)``, the protocol with such
    #: values; most protocols have nothing to set.
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    made: "Callable[..., Protocol] | None" = None

    def described(self, *, stratifies: bool) -> str:
        """Return the description, of stratified protocols with how the folds of a task are drawn."""
        if not self.stratified:
            return self.description
        how = "classes are stratified" if stratifies else "folds are drawn at random (KFold), not stratified"
        return f"{self.description}; {how}"

    def draw(
        self,
        n: int,
        seed: int,
        n_train: int = 0,
        n_drawn: int = 0,
        partitions: Sequence[Index] = (),
        *,
        y: NDArray[np.integer] | None = None,
    ) -> Sequence[Split | NestedSplit]:
        """Return the splits of n examples, of which the first `n_train` are a published training part; 0 for none.

        `n_drawn` are the training examples of published random partitions, 0 for none, and `partitions` those known.
        `y` are class indices, where there are classes.

        Raises `UserError` if it needs one of them and there is none, or the examples are too few.
        """
        if self.drawn:
            if not n_drawn:
                raise UserError("the data have no published random partitions: use another protocol")
            return self.splits(n, seed, n_drawn, partitions)
        if self.stratified:
            return self.splits(n, seed, y)
        if not self.published:
            return self.splits(n, seed)
        if not n_train:
            raise UserError("the data have no published training and test part: use another protocol")
        return self.splits(n, seed, n_train)

    def make(
        self, y: NDArray[np.integer], classes: tuple[str, ...], seed: int, *published: Any
    ) -> Sequence[Split | NestedSplit]:
        """Return the splits of labelled examples.

        Of many classes a small one may be missing from the training part of a fold, which then cannot predict it.

        Raises `UserError` if the data have no classes, there are fewer examples than parts, a training part lacks a
        class that the data have, or that of a fold has one class only.

        Parameters
        ----------
        y : array of shape (n,)
            Class indices.
        classes : tuple of str
            Their names.
        *published
            What else `draw` takes.
        """
        if not classes:
            raise UserError(
                "the data have real targets and no classes: a classifier cannot be run on them, use task=regression"
            )
        if self.stratified:
            require_two_of_each(y, classes)
        splits = self.draw(len(y), seed, *published, y=y)
        for i, split in enumerate(splits):
            require_classes(y, classes, split.train, i)
            if any(np.ptp(y[train]) == 0 for train, _ in split.fits):
                raise UserError(f"split {i} of the protocol has a fold of one class: use another seed or more examples")
        return splits


def require_two_of_each(y: NDArray[np.integer], classes: tuple[str, ...]) -> None:
    """Raise `UserError` if a class has one example, which cannot be both learned from and tested."""
    counts = np.bincount(y)
    single = [name for name, count in zip(classes, counts, strict=True) if count == 1]
    if not single:
        return
    what = f"class {single[0]!r} has one example: it cannot be both learned from and tested; leave it out"
    other = "give it the name of another class"
    if len(single) > 1:
        some = ", ".join(map(repr, single[:NAMED])) + (", ..." if len(single) > NAMED else "")
        what = f"{len(single)} classes have one example each ({some}), which cannot be both learned from and tested"
        what, other = f"{what}; leave these classes out", "give them the names of other classes"
    raise UserError(f"{what}, or {other}{_real_targets(classes)}")


def _real_targets(classes: tuple[str, ...]) -> str:
    """Return the end of a message on classes that are all numbers, and more than two."""
    if len(classes) <= 2 or not all(map(is_number, classes)):
        return ""
    return f"; are the {len(classes)} numbers real targets (task=regression)?"


def require_classes(y: NDArray[np.integer], classes: tuple[str, ...], train: Index, i: int) -> None:
    """Raise `UserError` if a class is in the data but not in the training part of split i."""
    missing = np.setdiff1d(y, y[train])
    if len(missing):
        raise UserError(
            f"split {i} of the protocol has no training example of class {classes[missing[0]]!r} "
            f"({(y == missing[0]).sum()} in all): use another seed, or more examples of that class"
            + _real_targets(classes)
        )


def rotation(n: int, seed: int, folds: int) -> list[Split]:
    """One random partition into folds; in split i fold i tests, fold i+1 validates and the others train.

    Raises `UserError` if there are fewer examples than folds.

    Parameters
    ----------
    n : int
        Number of examples; the first ``n mod folds`` folds have one more than the others.
    seed : int
        Of the permutation (PCG64).
    folds : int >= 3

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


def rotation_of_some(n: int, seed: int, folds: int, size: int) -> list[Split]:
    """Apply `rotation` to a random subset of `size` of the n examples, or to all if there are not more.

    References
    ----------
    Rostamizadeh (2010), table 3.1, with 5 folds of 1000 examples.
    """
    chosen = np.random.default_rng([seed, 1]).permutation(n)[:size]
    return [
        Split(*(np.sort(chosen[part]) for part in (split.train, split.validation, split.test)))
        for split in rotation(len(chosen), seed, folds)
    ]


def fixed_training_size(n: int, seed: int, size: int, repetitions: int) -> list[Split]:
    """Draw `size` training examples again and again; half of the others validate, the other half tests.

    Of an odd number of others the test part has one more. Repetition i depends on `n`, `seed` and i alone.

    Raises `UserError` if fewer than two examples are left to validate and test.

    References
    ----------
    Cortes, Kloft and Mohri (2013), section 5, figure 2.
    """
    if n < size + 2:
        raise UserError(f"{n} examples are too few to train with {size}, validate and test: use a larger data set")
    splits = []
    for i in range(repetitions):
        order = np.random.default_rng([seed, i]).permutation(n)
        middle = size + (n - size) // 2
        splits.append(Split(*(np.sort(part) for part in np.split(order, [size, middle]))))
    return splits


def half_of_at_most(n: int, seed: int, size: int, repetitions: int) -> list[Split]:
    """Draw half of the examples, or `size` if these are fewer, to train; half of the others validate, half test.

    References
    ----------
    Shivaswamy (2010), section 6.4, with 500 of at least 400 examples, 20 times.
    """
    return fixed_training_size(n, seed, size=min(n // 2, size), repetitions=repetitions)


#: Protocols with one validation part, by name.
SPLIT_PROTOCOLS: dict[str, Protocol] = {
    "rotation5": Protocol(
        "one random partition into 5 folds; in split i, fold i is for testing, fold i+1 for validation and the other "
        "three for training",
        5,
        lambda n, seed: rotation(n, seed, folds=5),
    ),
    "rotation5_1000": Protocol(
        "rotation5 on at most 1000 randomly chosen examples",
        5,
        lambda n, seed: rotation_of_some(n, seed, folds=5, size=1000),
    ),
    **{
        f"train{size}": Protocol(
            f"100 random splits: {size} examples for training; of the others, half for validation and half for testing",
            100,
            lambda n, seed, size=size: fixed_training_size(n, seed, size, repetitions=100),
        )
        for size in (100, 250, 1000)
    },
    "boosting20": Protocol(
        "20 random splits: half of the examples (at most 500) for training; of the others, half for validation and "
        "half for testing",
        20,
        lambda n, seed: half_of_at_most(n, seed, size=500, repetitions=20),
        rule="patience50",
    ),
}
