"""Splits of data with a published training part."""

import numpy as np
import pytest

from kernlearn.errors import UserError
from kernlearn.evaluation import NestedSplit
from kernlearn.evaluation.splits.published import PUBLISHED_PROTOCOLS
from kernlearn.runner.cell.data import data_of
from tests.conftest import needs_originals
from tests.runner.experiments import plan_of

N, TRAIN = 9000, 6000


@pytest.mark.parametrize("name", sorted(PUBLISHED_PROTOCOLS))
def test_the_test_part_is_the_published_one_and_nothing_else_is_in_two_parts(name):
    protocol = PUBLISHED_PROTOCOLS[name]
    for seed in (0, 1):
        splits = protocol.draw(N, seed, TRAIN)
        assert len(splits) == protocol.n_splits
        for split in splits:
            np.testing.assert_array_equal(split.test, np.arange(TRAIN, N))
            for fold in split.folds if isinstance(split, NestedSplit) else [split]:
                together = np.concatenate([fold.train, fold.validation])
                np.testing.assert_array_equal(np.sort(together), np.arange(TRAIN))
    first, again, other = (protocol.draw(N, seed, TRAIN)[0].fits[0][0] for seed in (0, 0, 1))
    assert np.array_equal(first, again) and not np.array_equal(first, other)


def test_sizes_are_those_of_the_thesis():
    (cross,) = PUBLISHED_PROTOCOLS["published5"].draw(N, 0, TRAIN)
    assert len(cross.train) == TRAIN and [len(fold.validation) for fold in cross.folds] == [TRAIN // 5] * 5
    (some,) = PUBLISHED_PROTOCOLS["published_1000"].draw(N, 0, TRAIN)
    (most,) = PUBLISHED_PROTOCOLS["published_two_thirds"].draw(N, 0, TRAIN)
    assert len(some.train) == 1000 and len(most.train) == 4000 and len(most.validation) == 2000


def test_a_training_part_of_which_nothing_would_validate_is_refused():
    with pytest.raises(UserError, match="the published training part has 1000 examples; of more than 1000, 1000 train"):
        PUBLISHED_PROTOCOLS["published_1000"].draw(1500, 0, 1000)


def test_data_without_such_a_part_are_refused():
    with pytest.raises(UserError, match="no published training and test part: use another protocol"):
        plan_of("dataset=sonar", "protocol=published5")


@pytest.mark.data
@needs_originals
@pytest.mark.parametrize(("name", "size"), [("optdigits", 3823), ("usps", 7291), ("mnist", 60000)])
def test_the_training_parts_of_the_digits(name, size):
    (cell,) = plan_of(f"dataset={name}", "protocol=published5", "algo=l2_svm").cells
    data, split = data_of(cell)
    assert data.n_train == size and len(split.train) == size and len(split.test) == len(data.y) - size
