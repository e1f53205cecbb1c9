"""Votes of pairs of classes: what is kept of them gives the errors again, by any rule."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from kernlearn.algorithms.core.predictor import count_votes
from kernlearn.evaluation import METRICS, votes
from kernlearn.runner.cell.cell import Group
from kernlearn.runner.cell.data import data_of
from kernlearn.runner.cell.run import run_cell
from kernlearn.runner.plan.plan import plan
from tests.runner.experiments import plan_of

WORDS = [
    "dataset=waveform",
    "dataset.n=150",
    "kernel=gaussian",
    "kernel.gammas=[0.01]",
    "algo=l2_svm",
    "algo.Cs=[1,100]",
]


def test_expected_errors_are_the_mean_over_all_ways_to_break_the_ties():
    rng = np.random.default_rng(0)
    cast, y = rng.integers(0, 2, (4, 8)).astype(float), rng.integers(0, 4, 8)
    ways = [np.flatnonzero(column == column.max()) for column in cast.T]
    assert {len(way) for way, right in zip(ways, y, strict=True) if right in way} >= {1, 2, 3}  # a tie may be lucky
    expected = np.mean([np.mean(np.array(way) != y) for way in product(*ways)])
    assert METRICS["expected_error_pct"].score(y, cast) == pytest.approx(100 * expected)


def test_what_is_kept_reads_back():
    choices = np.random.default_rng(1).random((6, 13)) < 0.5
    assert (votes.unpack(votes.pack(choices), 6, 13) == choices).all()
    counts = {(0, 1): 3, (0, 12): 0}
    assert votes.read(votes.to_text(counts)) == counts
    assert votes.added([counts, {(0, 1): 4}]) == {(0, 1): 7, (0, 12): 0}


@pytest.mark.parametrize("protocol", ["rotation5", "halves10_cv5"])
def test_rows_keep_what_every_pair_chooses(protocol):
    todo = plan_of(*WORDS, "multiclass=one_vs_one", f"protocol={protocol}")
    cell = todo.cells[0]
    data, split = data_of(cell)
    y, fits = data.y, split.fits
    rows = run_cell(cell)["rows"]
    assert [row["C"] for row in rows] == [1.0, 100.0]
    for row in rows:
        pairs = list(votes.read(row["pairs"]))
        assert pairs == [(0, 1), (0, 2), (1, 2)]
        test = fits[-1][1]["test"]
        choices = votes.unpack(row["test_votes"], 3, len(test))
        cast = count_votes(choices, pairs, 3)
        assert row["test_expected_error_pct"] == METRICS["expected_error_pct"].score(y[test], cast)
        assert votes.pair_errors(choices, pairs, y[test]) == votes.read(row["test_pair_errors"])
        validated = np.concatenate([parts["validation"] for _, parts in fits if "validation" in parts])
        kept = votes.read(row["validation_pair_errors"])
        for (first, second), errors in kept.items():
            assert 0 <= errors <= np.isin(y[validated], (first, second)).sum()
        # An error of all pairs together is one of a pair of the example's class; a pair may err without one.
        assert sum(kept.values()) >= row["validation_errors"] > 0
    binary = plan(replace(todo.experiment, algo=Group({**todo.experiment.algo, "Cs": [100.0]})))
    (again,) = run_cell(binary.cells[0])["rows"]
    assert again["test_votes"] == rows[1]["test_votes"]
