"""What is one repetition, and that the rule keeps its promise for every kind of table."""

import numpy as np
import pytest

from kernlearn.cli.configuration.compose import compose_config
from kernlearn.errors import UserError
from kernlearn.evaluation import PROTOCOLS
from kernlearn.papers import PrintedValue, judge, load_table, table_names
from kernlearn.papers.core.descriptions import check_unit, check_words
from kernlearn.papers.core.units import DRAW, PARTITION, SAMPLE, SPLIT, printed_repetitions, repetitions
from kernlearn.report.reproduction import table_rows
from kernlearn.runner.plan.config import check_chosen_by
from tests.conftest import first_of, slow_where

#: Of a share of 0.95 the standard error is then 0.0056.
REPEATS = 1500


def rows(values):
    """Return partitions, one a seed."""
    return [{"seed": seed, "values": " ".join(map(repr, map(float, row)))} for seed, row in enumerate(values)]


@pytest.mark.parametrize(
    ("unit", "expected", "q"),
    [
        (SPLIT, {(0, 0): 1, (0, 1): 2, (0, 2): 3, (0, 3): 6, (1, 0): 5, (1, 1): 5, (1, 3): 9}, 4),
        (DRAW, {(0, 0): 2, (0, 1): 4, (1, 1): 7}, 2),  # a draw without one of its roles is none
        (PARTITION, {(0, 0): 3}, 1),
        (SAMPLE, {(0, 0): 3}, 1),
    ],
)
def test_repetitions_by_hand(unit, expected, q):
    assert repetitions(unit, rows([[1, 2, 3, 6], [5, 5, float("nan"), 9]])) == pytest.approx(expected)
    assert printed_repetitions(unit, 4) == q


def test_a_draw_has_two_roles():
    with pytest.raises(UserError, match="unit=draw: 3 values of one seed; every draw has two"):
        repetitions(DRAW, rows([[1, 2, 3]]))


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


def shared_choice(rng, n, splits):
    """One of three grid points is chosen once, the first in seven of ten cases; the last errs by far more."""
    return rng.choice([0.0, 0.3, 1.0], p=[0.7, 0.2, 0.1], size=(n, 1)) + rng.normal(size=(n, splits))


KINDS = [
    (SPLIT, independent, 30),
    (DRAW, both_roles, 20),
    (PARTITION, folds_of_a_partition, 5),
    (SAMPLE, shared, 30),
]


def has_many_splits(kind):
    return kind[2] > 20


@pytest.mark.parametrize("n_seeds", first_of([5, 8, 20]))
@pytest.mark.parametrize(("unit", "draw", "splits"), slow_where(has_many_splits, KINDS))
def test_of_the_numbers_of_a_paper_that_reproduces_95_per_cent_are_inside(unit, draw, splits, n_seeds):
    assert 0.93 < share_inside(unit, draw, splits, n_seeds) < 0.97


@pytest.mark.slow
@pytest.mark.parametrize("n_seeds", [5, 20])
def test_of_a_choice_among_few_points_hardly_fewer_are_inside(n_seeds):
    """Student's interval is for normal numbers: a rare choice that errs by far more is not seen in five seeds."""
    assert 0.90 < share_inside(SAMPLE, shared_choice, 30, n_seeds) < 0.97


@pytest.mark.parametrize(("unit", "draw", "splits"), slow_where(has_many_splits, KINDS[1:]))
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


SAMPLES = {"printed_splits": 20, "unit": "sample", "shared": "all"}


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({}, "unit is missing; choose from split, draw, partition, sample"),
        ({"printed_splits": 20}, "unit is missing"),
        ({"printed_splits": 20, "unit": "splits"}, "unit='splits': unknown; choose from"),
        ({"printed_splits": 20, "unit": "partition"}, "unit=partition: takes no printed_splits"),
        ({"unit": "partition", "rows": {"a": {"printed_splits": 20}}}, "unit=partition: takes no printed_splits"),
        ({"unit": "draw"}, "unit=draw: needs printed_splits"),
        ({"printed_splits": 0, "unit": "split"}, "printed_splits=0: must be an integer >= 1"),
        ({"printed_splits": 7, "unit": "draw"}, "printed_splits=7: every draw has two splits"),
        ({"printed_splits": 20, "unit": "draw", "rows": {"a": {"splits": 10}}}, "unit=draw: takes no splits"),
        ({"printed_splits": 20, "unit": "draw", "columns": {"a": {"splits": 10}}}, "unit=draw: takes no splits"),
        ({"printed_splits": 20, "unit": "sample"}, "unit=sample: needs shared"),
        ({"printed_splits": 20, "unit": "draw", "shared": "all"}, "unit=draw: shared is for unit=sample"),
        ({**SAMPLES, "rows": {"a": {"dataset": {"name": "x", "seed": 0}}}}, "dataset.seed makes one sample for all"),
    ],
)
def test_a_table_has_to_say_what_is_one_repetition(more, message):
    with pytest.raises(UserError, match=message):
        check_unit("x", {"rows": {}, "columns": {}, **more}, printed=True)


@pytest.mark.parametrize(("key", "value"), [("stand_in", "no"), ("no_verdict", True), ("shared", True), ("reduced", 1)])
def test_words_are_words(key, value):
    with pytest.raises(UserError, match=f"x.{key}={value!r}: takes"):
        check_words("x", {key: value})


def test_tables_whose_splits_share_something_say_so():
    units = {name: (table.unit, table.shared) for name in table_names() if (table := load_table(name)).printed}
    assert {name for name, (unit, _) in units.items() if unit == SPLIT} == {"mkl2010/sec3_2_2", "localrad2013/table1"}
    assert {name for name, (unit, _) in units.items() if unit == DRAW} == {
        f"rmm2010/table{number}" for number in ("2_2", "4_1", "4_2")
    }
    assert all(load_table(name).shared for name in ("rmm2010/table2_3", "rmm2010/table5_1", "rmm2010/table6_1"))


def test_a_sample_of_fewer_splits_than_are_printed_has_no_verdict():
    """Of table 2.3 image is run on five of 20 partitions, all of them published: the same in every seed."""
    table = load_table("rmm2010/table2_3")
    for row, n_splits, word in (("image", 5, "fewer splits"), ("heart", 100, "inside")):
        measured = [
            {"dataset": row, "algorithm": "svm", "seed": seed, "metric": "error_pct", "mean": mean, "std": 1.0}
            | {"n_splits": n_splits, "n_tested": 1000, "values": " ".join([str(mean)] * n_splits)}
            for seed, mean in enumerate([16.0, 15.5, 16.2, 15.8, 16.1] if row == "heart" else [3.0, 2.9, 3.1, 3.0, 2.8])
        ]
        assert table_rows(table, measured)[0]["verdict"] == word


def test_a_count_that_a_module_measures_has_a_step():
    """Of table 2.1 the test part is the same for all seeds, and one example may yet differ."""
    table = load_table("rmm2010/table2_1")
    measured = [
        {"dataset": "optdigits_d1", "algorithm": "klda", "seed": seed, "metric": "n_errors", "mean": 69.83, "std": 0.0}
        | {"n_splits": 1, "n_tested": 1797, "values": "69.83"}
        for seed in range(5)
    ]
    (row,) = table_rows(table, measured)
    assert (row["paper_mean"], row["verdict"]) == (71.0, "inside")
    assert row["interval_high"] == pytest.approx(69.83 + 1 + 0.5)


def test_the_rule_of_choice_is_that_of_the_unit():
    """A split chooses by itself, and a draw in both roles; a rule that is one for all would be shared."""
    allowed, units = {SPLIT: ("per_split", "patience50"), DRAW: ("swap",)}, set()
    for table in map(load_table, table_names()):
        for column in table.columns if table.unit in allowed else ():
            config = compose_config(column.overrides + table.rows[0].overrides)
            rule = check_chosen_by(config).rule or PROTOCOLS[config["protocol"]["name"]].rule
            assert rule in allowed[table.unit], table.name
            units.add(table.unit)
    assert units == set(allowed)
