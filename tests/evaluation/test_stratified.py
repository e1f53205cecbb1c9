import numpy as np
import pytest
from sklearn.model_selection import KFold, StratifiedKFold

from kernlearn.errors import UserError
from kernlearn.evaluation import PROTOCOLS

NESTED = PROTOCOLS["nested5x5"]
Y = np.random.default_rng(0).choice(3, 103, p=[0.6, 0.3, 0.1])
CLASSES = ("a", "b", "c")


@pytest.mark.parametrize("seed", [0, 7])
def test_the_folds_of_classes_are_those_of_scikit_learn(seed):
    kind = StratifiedKFold(5, shuffle=True, random_state=seed)
    splits = NESTED.make(Y, CLASSES, seed)
    for split, (train, test) in zip(splits, kind.split(Y, Y), strict=True):
        np.testing.assert_array_equal(split.train, train)
        np.testing.assert_array_equal(split.test, test)
        for fold, (rest, part) in zip(split.folds, kind.split(train, Y[train]), strict=True):
            np.testing.assert_array_equal(fold.train, train[rest])
            np.testing.assert_array_equal(fold.validation, train[part])


def test_targets_that_are_no_classes_have_the_folds_of_kfold():
    for split, (train, test) in zip(
        NESTED.draw(53, 4), KFold(5, shuffle=True, random_state=4).split(Y[:53]), strict=True
    ):
        np.testing.assert_array_equal(split.test, test)
        np.testing.assert_array_equal(np.sort(np.concatenate([f.validation for f in split.folds])), train)


def test_no_test_example_trains_or_validates():
    for split in NESTED.make(Y, CLASSES, 0):
        for train, parts in split.fits:
            seen = np.concatenate([train, parts.get("validation", train)])
            assert not np.intersect1d(seen, split.test).size


@pytest.mark.parametrize("counts", [(1, 30), (20, 20, 1)])
def test_a_class_with_one_example_is_refused(counts):
    y = np.repeat(np.arange(len(counts)), counts)
    name = CLASSES[counts.index(1)]
    with pytest.raises(UserError, match=f"class '{name}' has one example: it cannot be both learned from and tested"):
        NESTED.make(y, CLASSES[: len(counts)], 0)


@pytest.mark.parametrize("names", [("0", "1", "9", "11"), ("a", "b", "c", "d")])
def test_several_classes_with_one_example_are_named_and_numbers_may_be_targets(names):
    y = np.repeat(range(4), (20, 20, 1, 1))
    with pytest.raises(UserError) as caught:
        NESTED.make(y, names, 0)
    assert str(caught.value).startswith(
        f"2 classes have one example each ('{names[2]}', '{names[3]}'), which cannot be both learned from and tested; "
        "leave these classes out, or give them the names of other classes"
    )
    assert ("real targets (task=regression)?" in str(caught.value)) == (names[0] == "0")


def test_folds_of_targets_are_not_said_to_be_stratified():
    assert NESTED.described(stratifies=True).endswith("; classes are stratified")
    assert NESTED.described(stratifies=False).endswith("; folds are drawn at random (KFold), not stratified")


def test_a_class_with_fewer_examples_than_folds_is_in_every_training_part():
    y = np.repeat([0, 1, 2], [30, 30, 2])
    splits = NESTED.make(y, CLASSES, 0)
    assert sum(2 in y[split.test] for split in splits) == 2 and all(2 in y[split.train] for split in splits)


@pytest.mark.parametrize(("y", "match"), [(np.repeat(range(6), 4), "of no class more than 4"), (None, "4 examples")])
def test_too_few_examples(y, match):
    with pytest.raises(UserError, match=match):
        NESTED.draw(4 if y is None else len(y), 0, y=y)
