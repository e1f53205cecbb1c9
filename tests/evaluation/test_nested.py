import numpy as np
import pytest

from kernlearn.errors import UserError
from kernlearn.evaluation import protocol_of
from kernlearn.evaluation.splits.nested import NESTED_PROTOCOLS
from kernlearn.runner.plan.identity import identity
from tests.conftest import needs_originals
from tests.runner.experiments import plan_of

SIZES = {
    "modapte20": 12902,
    "halves10": 2000,
    "holdout30": 270,
    "halves10_cv5": 694,
    "holdout10_cv5": 541,
    "holdout": 690,
}
TRAIN = {
    "modapte20": 2000,
    "halves10": 1000,
    "holdout30": 216,
    "halves10_cv5": 347,
    "holdout10_cv5": 432,
    "holdout": 460,
}


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


@pytest.mark.parametrize(("share", "n", "size"), [(0.29, 100, 29), (0.666667, 300, 200), (0.9, 11, 9), (0.1, 250, 25)])
def test_any_share_of_the_examples_trains(share, n, size):
    protocol = protocol_of({"name": "holdout", "train": share, "splits": 4, "folds": 3})
    splits = protocol.splits(n, 0)
    assert [(len(one.train), len(one.test), len(one.folds)) for one in splits] == [(size, n - size, 3)] * 4
    assert protocol.description.startswith(f"4 random splits: {100 * share:.3g} % for training")


def test_the_share_of_a_configuration_is_planned_and_part_of_the_identity():
    words = ["dataset=sonar", "algo=l2_svm", "protocol=holdout", "protocol.splits=4", "protocol.folds=3"]
    third, half = (plan_of(*words, f"protocol.train={share}") for share in (0.333, 0.5))
    assert len(third.cells) == 4 and third.problems["splits"] == 4
    assert identity(half)["parameters"].endswith("protocol.train=0.5 protocol.splits=4 protocol.folds=3")
    assert not {*third.keys} & {*half.keys}
    for word in ("train=0", "train=1", "splits=0", "folds=1", "train=nan"):
        with pytest.raises(UserError, match=f"protocol.{word.partition('=')[0]}="):
            plan_of(*words, f"protocol.{word}")


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
