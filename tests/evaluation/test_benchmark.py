"""The benchmark of Raetsch et al.: partitions of published sizes, and one median of the choices of the first five."""

from dataclasses import replace
from itertools import product
from statistics import fmean

import numpy as np
import pytest

from kernlearn.datasets import load
from kernlearn.errors import UserError
from kernlearn.evaluation import PROTOCOLS, select
from kernlearn.evaluation.splits.benchmark import CHOOSING, FOLDS
from kernlearn.runner.cell import data
from kernlearn.runner.cell.cell import Group
from kernlearn.runner.cell.run import run_cell
from kernlearn.runner.store.store import Store
from tests.runner.experiments import plan_of

GRID = [{"gamma": gamma, "C": C} for gamma, C in product((0.1, 1.0, 10.0), (1.0, 2.0, 3.0))]
KNOWN = (np.arange(40), np.arange(20, 60))


def rows(best, n_splits=7):
    """Rows in which split i has its least validation error at ``GRID[best[i]]``, and those after have no such error."""
    return [
        {"split": split, "point": point, "test_error_pct": 10.0 * split + point, "n_support": 1}
        | ({"validation_errors": int(best[split] != point), "n_validation": 4} if split < len(best) else {})
        for split in range(n_splits)
        for point in range(len(GRID))
    ]


def test_known_partitions_come_first_and_only_five_have_folds():
    splits = PROTOCOLS["benchmark100"].draw(100, 0, 0, 40, KNOWN)
    again = PROTOCOLS["benchmark100"].draw(100, 1, 0, 40, KNOWN)
    assert len(splits) == 100 and [len(split.fits) for split in splits] == [FOLDS + 1] * CHOOSING + [1] * 95
    for i, split in enumerate(splits):
        assert len(split.train) == 40
        np.testing.assert_array_equal(np.sort(np.concatenate([split.train, split.test])), np.arange(100))
        assert np.array_equal(split.train, again[i].train) == (i < len(KNOWN))
        if i < len(KNOWN):
            np.testing.assert_array_equal(split.train, KNOWN[i])
        if i < CHOOSING:
            np.testing.assert_array_equal(np.sort(np.concatenate([f.validation for f in split.folds])), split.train)
    assert len({tuple(split.train) for split in splits}) == 100


def test_every_hyper_parameter_has_the_median_of_the_choices():
    chosen = select(rows([0, 4, 5, 6, 7]), GRID, rule="median5")  # gammas 0.1 1 1 10 10, C 1 2 3 1 2
    assert chosen.values == {"gamma": 1.0, "C": 2.0} and chosen.point == 4
    assert [row["split"] for row in chosen.rows] == list(range(7)) and {row["point"] for row in chosen.rows} == {4}
    assert chosen.n_scored == CHOOSING and chosen.validation_score == pytest.approx(fmean([25, 0, 25, 25, 25]))


def test_errors_of_other_splits_choose_nothing():
    some, others = rows([0, 4, 5, 6, 7]), rows([0, 4, 5, 6, 7, 8, 8])
    assert select(some, GRID, rule="median5").point == select(others, GRID, rule="median5").point
    with pytest.raises(UserError, match="no grid point has this score"):
        select([row for row in some if row["split"] >= CHOOSING], GRID, rule="median5")


def test_medians_that_are_no_point_are_told():
    grid = [{"gamma": 1.0, "C": 1.0}, {"gamma": 2.0, "C": 3.0}, {"gamma": 3.0, "C": 2.0}]
    cells = [row for row in rows([0, 0, 1, 2, 2]) if row["point"] < 3]
    with pytest.raises(UserError, match=r"medians of the choices \(gamma=2, C=2\) are no point of the grid"):
        select(cells, grid, rule="median5")


def test_data_without_such_partitions_are_refused():
    with pytest.raises(UserError, match="no published random partitions: use another protocol"):
        plan_of("dataset=sonar", "protocol=benchmark100")


def test_rows_of_a_split_that_only_tests_have_no_validation_and_are_kept(tmp_path, monkeypatch):
    drawn = replace(load("sonar"), n_drawn=104, partitions=(np.arange(0, 208, 2),))
    monkeypatch.setattr(data, "_load", lambda options, digest: drawn)  # no set that comes with the package has any
    todo = plan_of("dataset=sonar", "protocol=train100", "algo=l2_svm", "algo.Cs=[1,10]", "kernel=gaussian")
    protocol = Group({"name": "benchmark100"})
    experiment = replace(todo.experiment, protocol=protocol)
    cells = [replace(todo.cells[0], protocol=protocol, split=split) for split in (0, 7)]
    todo = replace(todo, experiment=experiment, cells=cells)
    store = Store(tmp_path)
    for key, cell in zip(todo.keys, cells, strict=True):
        shard = run_cell(cell)
        assert shard["status"] == "ok", shard.get("error")
        store.write(key, shard)
    chooses, tests = todo.shards(store)
    assert chooses["rows"][0]["n_validation"] == 104 and "n_validation" not in tests["rows"][0]
    assert todo.select([{**row, "split": 0} for row in chooses["rows"]]).values["C"] in (1.0, 10.0)
