"""What is one repetition, and that the rule keeps its promise for every kind of table."""

import numpy as np
import pytest

from kernlearn.errors import UserError
from kernlearn.papers import PrintedValue, judge, load_table, table_names
from kernlearn.papers import tables as module
from kernlearn.papers.units import DRAW, PARTITION, SAMPLE, SPLIT, printed_repetitions, repetitions

#: Of a share of 0.95 the standard error is then 0.0056.
REPEATS = 1500


def rows(values):
    """Return partitions, one a seed."""
    return [{"seed": seed, "values": " ".join(map(repr, map(float, row)))} for seed, row in enumerate(values)]


@pytest.mark.parametrize(
    ("unit", "expected", "q"),
    [
        (SPLIT, {(0, 0): 1, (0, 1): 2, (0, 2): 3, (0, 3): 6, (1, 0): 5, (1, 1): 5, (1, 3): 9}, 4),
        (DRAW, {(0, 0): 2, (0, 1): 4, (1, 0): 5, (1, 1): 7}, 2),  # the second role of 5 has no value
        (PARTITION, {(0, 0): 3, (1, 0): 19 / 3}, 1),
        (SAMPLE, {(0, 0): 3, (1, 0): 19 / 3}, 1),
    ],
)
def test_repetitions_by_hand(unit, expected, q):
    assert repetitions(unit, rows([[1, 2, 3, 6], [5, 5, float("nan"), 9]])) == pytest.approx(expected)
    assert printed_repetitions(unit, 4) == q


def independent(rng, n, splits):
    return rng.normal(size=(n, splits))


def both_roles(rng, n, splits):
    """What was trained is the same in both roles of a draw."""
    trained = rng.normal(size=(n, splits // 2))
    return np.concatenate([trained + 0.3 * rng.normal(size=trained.shape) for _ in range(2)], axis=1)


def folds_of_a_partition(rng, n, splits):
    """Folds differ much, their mean by the partition and by the choice of parameters that they share."""
    folds = rng.normal(size=(n, splits))
    return folds - folds.mean(axis=1, keepdims=True) + 0.2 * rng.normal(size=(n, 1))


def shared(rng, n, splits):
    """A sample, a choice of parameters or a set of stumps moves all splits of a seed by the same."""
    return 0.5 * rng.normal(size=(n, 1)) + rng.normal(size=(n, splits))


KINDS = [
    (SPLIT, independent, 30),
    (DRAW, both_roles, 20),
    (PARTITION, folds_of_a_partition, 5),
    (SAMPLE, shared, 30),
]


@pytest.mark.parametrize("n_seeds", [5, 8, 20])
@pytest.mark.parametrize(("unit", "draw", "splits"), KINDS)
def test_of_the_numbers_of_a_paper_that_reproduces_95_per_cent_are_inside(unit, draw, splits, n_seeds):
    assert 0.93 < share_inside(unit, draw, splits, n_seeds) < 0.97


@pytest.mark.parametrize(("unit", "draw", "splits"), KINDS[1:])
def test_splits_that_share_something_are_no_repetitions(unit, draw, splits):
    """Taken for such, they give an interval that holds too little, or of folds, which differ much, too much."""
    share = share_inside(SPLIT, draw, splits, 5)
    assert share > 0.99 if draw is folds_of_a_partition else share < 0.9


def share_inside(unit, draw, splits, n_seeds):
    rng, found = np.random.default_rng(0), 0
    for _ in range(REPEATS):
        ours = draw(rng, n_seeds, splits)
        printed = PrintedValue("", "", "", float(draw(rng, 1, splits).mean()), None, 9)
        repeated = list(repetitions(unit, rows(ours)).values())
        found += judge(repeated, printed, printed_repetitions(unit, splits)).word == "inside"
    return found / REPEATS


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"printed_splits": 20}, "unit: none for a mean over 20 splits; choose from split, draw, partition, sample"),
        ({"printed_splits": 20, "unit": "splits"}, "unit: splits for a mean"),
        ({"printed_splits": 20, "unit": "partition"}, "printed_splits are given for every unit but partition"),
        ({"unit": "draw"}, "printed_splits are given for every unit but partition"),
        ({"printed_splits": 20, "unit": "sample"}, "shared says what all splits of a sample share"),
        ({"printed_splits": 20, "unit": "draw", "shared": "all"}, "is for samples alone"),
    ],
)
def test_a_table_has_to_say_what_is_one_repetition(more, message):
    with pytest.raises(UserError, match=message):
        module._check_unit("x", more)


def test_tables_whose_splits_share_something_say_so():
    units = {name: (table.unit, table.shared) for name in table_names() if (table := load_table(name)).printed}
    assert {name for name, (unit, _) in units.items() if unit == SPLIT} == {"mkl2010/sec3_2_2", "localrad2013/table1"}
    assert {name for name, (unit, _) in units.items() if unit == DRAW} == {
        f"rmm2010/table{number}" for number in ("2_2", "4_1", "4_2")
    }
    assert all(load_table(name).shared for name in ("rmm2010/table2_3", "rmm2010/table5_1", "rmm2010/table6_1"))
