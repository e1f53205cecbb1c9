import numpy as np
import pytest

from kernlearn.errors import UserError
from kernlearn.evaluation import PROTOCOLS
from kernlearn.evaluation.protocols import rotation

CLASSES = ("no", "yes")


@pytest.mark.parametrize("name", sorted(PROTOCOLS))
@pytest.mark.parametrize("n", [5, 23, 100])
def test_parts_are_disjoint_and_every_example_is_tested_once(name, n):
    splits = PROTOCOLS[name].splits(n, 3)
    assert len(splits) == PROTOCOLS[name].n_splits
    for split in splits:
        together = np.concatenate([split.train, split.validation, split.test])
        np.testing.assert_array_equal(np.sort(together), np.arange(n))
    np.testing.assert_array_equal(np.sort(np.concatenate([split.test for split in splits])), np.arange(n))


def test_rotation_validates_on_the_next_fold():
    splits = rotation(53, 0, folds=5)
    for i, split in enumerate(splits):
        np.testing.assert_array_equal(split.validation, splits[(i + 1) % 5].test)
    assert [len(split.test) for split in splits] == [11, 11, 11, 10, 10]


def test_the_seed_alone_decides():
    first, again, other = (rotation(40, seed, folds=5)[0].test for seed in (1, 1, 2))
    np.testing.assert_array_equal(first, again)
    assert (first != other).any()


def test_too_few_examples():
    with pytest.raises(UserError, match="4 examples cannot be split into 5 folds"):
        PROTOCOLS["rotation5"].make(np.array([0, 1, 0, 1]), CLASSES, 0)


def test_a_training_part_without_a_class():
    y = np.array([1] + [0] * 20)
    with pytest.raises(UserError, match=r"no training example of class 'yes' \(1 in all\)"):
        PROTOCOLS["rotation5"].make(y, CLASSES, 0)
