import numpy as np
import pytest

from kernlearn.errors import UserError
from kernlearn.evaluation import SPLIT_PROTOCOLS as PROTOCOLS
from kernlearn.evaluation.splits.protocols import rotation

CLASSES = ("no", "yes")


@pytest.mark.parametrize("name", sorted(PROTOCOLS))
@pytest.mark.parametrize("n", [1003, 1400])
def test_parts_are_disjoint_whatever_the_protocol(name, n):
    splits = PROTOCOLS[name].splits(n, 3)
    assert len(splits) == PROTOCOLS[name].n_splits
    for split in splits:
        together = np.concatenate([split.train, split.validation, split.test])
        assert len(np.unique(together)) == len(together) and together.min() >= 0 and together.max() < n
        assert min(map(len, (split.train, split.validation, split.test))) > 0


@pytest.mark.parametrize("name", ["rotation5", "rotation5_1000"])
@pytest.mark.parametrize("n", [5, 23, 100])
def test_every_example_is_tested_once_in_a_rotation(name, n):
    splits = PROTOCOLS[name].splits(n, 3)
    for split in splits:
        together = np.concatenate([split.train, split.validation, split.test])
        np.testing.assert_array_equal(np.sort(together), np.arange(n))
    np.testing.assert_array_equal(np.sort(np.concatenate([split.test for split in splits])), np.arange(n))


def test_a_rotation_of_some_uses_a_thousand_of_all():
    splits = PROTOCOLS["rotation5_1000"].splits(8192, 0)
    used = np.concatenate([split.test for split in splits])
    assert [len(split.train) for split in splits] == [600] * 5 and len(np.unique(used)) == 1000
    assert used.max() > 8000 and used.min() < 192  # from everywhere
    other = np.concatenate([split.test for split in PROTOCOLS["rotation5_1000"].splits(8192, 1)])
    assert len(np.intersect1d(used, other)) < 300


@pytest.mark.parametrize(("name", "size"), [("train100", 100), ("train250", 250), ("train1000", 1000)])
def test_training_sizes_are_fixed_and_the_others_halved(name, size):
    splits = PROTOCOLS[name].splits(1311, 0)
    assert {len(split.train) for split in splits} == {size} and len(splits) == 100
    assert {len(split.test) - len(split.validation) for split in splits} == {(1311 - size) % 2}
    assert {len(split.train) + len(split.validation) + len(split.test) for split in splits} == {1311}
    assert len({tuple(split.train) for split in splits}) == 100
    with pytest.raises(UserError, match=f"{size + 1} examples are too few to train with {size}"):
        PROTOCOLS[name].splits(size + 1, 0)


def test_rotation_validates_on_the_next_fold():
    splits = rotation(53, 0, folds=5)
    for i, split in enumerate(splits):
        np.testing.assert_array_equal(split.validation, splits[(i + 1) % 5].test)
    assert [len(split.test) for split in splits] == [11, 11, 11, 10, 10]


@pytest.mark.parametrize("name", sorted(PROTOCOLS))
def test_the_seed_alone_decides(name):
    first, again, other = ([s.test for s in PROTOCOLS[name].splits(8100, seed)] for seed in (1, 1, 2))
    assert all((a == b).all() for a, b in zip(first, again, strict=True))
    assert not any(np.array_equal(a, b) for a, b in zip(first, other, strict=True))


def test_too_few_examples():
    with pytest.raises(UserError, match="4 examples cannot be split into 5 folds"):
        PROTOCOLS["rotation5"].make(np.array([0, 1, 0, 1]), CLASSES, 0)


def test_numbers_that_may_be_real_targets_are_asked_about():
    y, classes = np.arange(40), tuple(f"{0.5 * i - 3.25}" for i in range(40))
    with pytest.raises(UserError, match=r"are the 40 numbers real targets \(task=regression\)\?"):
        PROTOCOLS["rotation5"].make(y, classes, 0)


def test_a_training_part_without_a_class():
    y = np.array([1] + [0] * 20)
    with pytest.raises(UserError, match=r"no training example of class 'yes' \(1 in all\)"):
        PROTOCOLS["rotation5"].make(y, CLASSES, 0)
