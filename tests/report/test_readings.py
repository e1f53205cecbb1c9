"""How near readings come to print, and which of them draws can tell apart."""

from math import exp, log

import numpy as np
import pytest

from kernlearn.papers import load_table
from kernlearn.papers.core.axes import OWN, single_readings
from kernlearn.papers.core.compare import PrintedValue
from kernlearn.papers.core.tables import under_reading
from kernlearn.report.readings.distances import (
    Halves,
    Stage,
    Tried,
    alike,
    difference,
    importance,
    log_ratio,
    that_matter,
    tried,
)
from kernlearn.report.readings.search import conclusions, stage_rows
from kernlearn.report.reproduction import read_partitions

GROUPS = ["a", "b", "c"]


def drawn(reading, level, seed=0, noise=0.1, n_draws=4):
    """Return a reading at a distance; draws of a group shift all of its cells, and are the same for every reading."""
    shared, own = np.random.default_rng(7), np.random.default_rng(seed)
    cells = {}
    for group in GROUPS:
        shifts = shared.normal(0.0, 1.0, n_draws)
        for column in ("x", "y"):
            values = level + shifts + own.normal(0.0, noise, n_draws)
            cells[group, group, column] = {(s, 0): float(v) for s, v in enumerate(values)}
    return Tried(reading, cells)


def test_log_ratio_is_symmetric_and_counts_what_rounds_to_zero_as_half_a_unit():
    printed = PrintedValue("p", "t", "", 4.0, None, 1)
    assert log_ratio(8.0, printed) == pytest.approx(log(2.0))
    assert log_ratio(2.0, printed) == pytest.approx(log(2.0))
    assert log_ratio(0.0, printed) == pytest.approx(log(4.0 / 0.05))


def test_a_difference_is_paired_by_draws_so_that_what_they_share_is_no_noise():
    near, far = drawn(OWN, 0.3, seed=1), drawn({"s": "b"}, 0.6, seed=2)
    change = difference(far, near)
    assert change.value == pytest.approx(0.3, abs=0.1)
    assert change.error < 0.1  # the shifts of draws, ten times as large, cancel
    assert change.p < 0.01


def test_the_noise_covers_what_no_difference_shows_in_nineteen_of_twenty_searches():
    """Under no difference, p < 5 % in about 5 % of simulated searches: the test holds its level."""
    found = [difference(drawn(OWN, 0.5, 2 * i), drawn({"s": "b"}, 0.5, 2 * i + 1)).p < 0.05 for i in range(800)]
    assert 0.03 < np.mean(found) < 0.07


def test_one_draw_says_nothing_of_the_noise():
    near, far = drawn(OWN, 0.3, 1, n_draws=1), drawn({"s": "b"}, 3.0, 2, n_draws=1)
    assert difference(far, near).p == 1.0
    assert len(alike([near, far])) == 2


def test_readings_that_cannot_be_told_apart_are_a_set():
    same, near, far = drawn(OWN, 0.3, 1), drawn({"s": "b"}, 0.31, 2, noise=0.3), drawn({"s": "c"}, 2.0, 3)
    assert [one.reading for one in alike([same, near, far])] == [OWN, {"s": "b"}]


def test_decisions_matter_by_their_largest_change():
    table = load_table("vkr2015/table1")
    readings = [
        drawn(reading, 0.3 + ("none" in reading.values()), i) for i, reading in enumerate(single_readings(table.axes))
    ]
    changes = importance(table.axes, readings)
    assert max(changes, key=lambda name: abs(changes[name].value)) == "scaling"
    assert changes["scaling"].value == pytest.approx(1.0, abs=0.2)
    assert "scaling" in [axis.name for axis in that_matter(table.axes, readings)]


def test_the_chosen_reading_is_reported_on_the_other_half_of_the_data():
    own, other = drawn(OWN, 0.8, 1), drawn({"scaling": "none"}, 0.2, 2)
    table, halves = load_table("vkr2015/table1"), Halves(("a", "c"), ("b",))
    stages = [Stage("one decision", [own, other], []), Stage("whole table", [own, other], [])]
    first, second = stage_rows(table, stages[1], halves)
    assert first["reading"] == "scaling=none" and second["reading"] == "as in the table"
    assert first["distance_testing"] == pytest.approx(other.on(["b"]).distance)
    assert any("on the other data sets" in sentence for sentence in conclusions(table, stages, halves))


def test_distances_of_a_kept_table_are_those_of_its_printed_columns():
    table = load_table("vkr2015/table1")
    one = tried(table, OWN, read_partitions(results() / "vkr2015/table1_partitions.csv", table))
    columns = {column for _, _, column in one.cells}
    assert columns == {"l2_svm", "l1_svm", "vkr_lemma4", "vkr_lemma3"}
    assert {len(draws) for draws in one.cells.values()} == {10}
    cell = one.cells["ocr49", "ocr49", "l2_svm"]  # printed 5.05, ours 2.0 on average
    assert exp(np.mean(list(cell.values()))) == pytest.approx(5.05 / 2.0, rel=0.05)


def results():
    from pathlib import Path

    return Path(__file__).parents[2] / "results"


def test_a_reading_changes_the_columns_it_concerns_after_the_overrides_of_the_row():
    table = under_reading(load_table("vkr2015/table1"), {"l2_kernel": "libsvm", "scaling": "none"})
    final = {column.name: column.final for column in table.columns}
    assert final["l2_svm"] == ("scaling=none", "kernel=polynomial_libsvm")
    assert final["l1_svm"] == ("scaling=none",)
