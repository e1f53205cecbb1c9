import numpy as np
import pytest

from kernlearn.errors import UserError
from kernlearn.evaluation.splits.nested import NESTED_PROTOCOLS
from tests.conftest import needs_originals

SIZES = {"modapte20": 12902, "halves10": 2000, "holdout30": 270, "halves10_cv5": 694, "holdout10_cv5": 541}
TRAIN = {"modapte20": 2000, "halves10": 1000, "holdout30": 216, "halves10_cv5": 347, "holdout10_cv5": 432}


@pytest.mark.parametrize("name", sorted(NESTED_PROTOCOLS))
def test_parts_and_folds(name):
    protocol, n = NESTED_PROTOCOLS[name], SIZES[name]
    splits = protocol.splits(n, 3)
    assert len(splits) == protocol.n_splits and len({tuple(split.train) for split in splits}) == protocol.n_splits
    for split in splits:
        assert len(split.train) == TRAIN[name] and len(split.folds) == protocol.n_folds
        assert len(np.intersect1d(split.train, split.test)) == 0
        validation = np.concatenate([fold.validation for fold in split.folds])
        np.testing.assert_array_equal(np.sort(validation), split.train)
        sizes = {len(fold.validation) for fold in split.folds}
        assert max(sizes) - min(sizes) <= 1
        for fold in split.folds:
            np.testing.assert_array_equal(np.sort(np.concatenate([fold.train, fold.validation])), split.train)
            np.testing.assert_array_equal(fold.test, split.test)


@pytest.mark.parametrize("name", sorted(NESTED_PROTOCOLS))
def test_the_seed_alone_decides(name):
    first, again, other = (NESTED_PROTOCOLS[name].splits(SIZES[name], seed)[1] for seed in (1, 1, 2))
    np.testing.assert_array_equal(first.train, again.train)
    np.testing.assert_array_equal(first.folds[0].validation, again.folds[0].validation)
    assert not np.array_equal(first.train, other.train)


def test_the_published_test_part_is_always_the_same_and_never_trains():
    for split in NESTED_PROTOCOLS["modapte20"].splits(12902, 0):
        assert split.train.max() < 9603
        np.testing.assert_array_equal(split.test, np.arange(9603, 12902))
    with pytest.raises(UserError, match="9603 examples: this protocol needs the first 9603 to train and others"):
        NESTED_PROTOCOLS["modapte20"].splits(9603, 0)


def test_hold_outs_use_every_example():
    for name in ("halves10", "holdout30"):
        for split in NESTED_PROTOCOLS[name].splits(271, 0):
            np.testing.assert_array_equal(np.sort(np.concatenate([split.train, split.test])), np.arange(271))


def test_too_few_examples():
    with pytest.raises(UserError, match="11 examples are too few"):
        NESTED_PROTOCOLS["halves10"].splits(11, 0)


def test_parts_without_a_class_are_told():
    protocol = NESTED_PROTOCOLS["halves10"]
    splits = protocol.splits(100, 0)
    y = np.zeros(100, dtype=int)
    y[splits[3].test[0]] = 1
    with pytest.raises(UserError, match=r"no training example of class 'yes' \(1 in all\)"):
        protocol.make(y, ("no", "yes"), 0)
    y = np.ones(100, dtype=int)
    y[splits[0].folds[2].validation[0]] = 0
    y[np.setdiff1d(splits[0].test, np.concatenate([split.test for split in splits[1:5]]))] = 0
    every_part_has_both = all({0, 1} == set(y[split.train]) for split in splits)
    assert every_part_has_both
    with pytest.raises(UserError, match="split 0 of the protocol has a fold of one class"):
        protocol.make(y, ("no", "yes"), 0)


@pytest.mark.data
@needs_originals
@pytest.mark.parametrize(("name", "protocol"), [("protein_fold", "halves10_cv5"), ("heart", "holdout30")])
def test_every_class_of_the_papers_sets_is_in_every_training_part(name, protocol):
    from kernlearn.datasets import load

    data = load(name)
    splits = NESTED_PROTOCOLS[protocol].make(data.y, data.classes, 0)
    assert len(splits) == NESTED_PROTOCOLS[protocol].n_splits
