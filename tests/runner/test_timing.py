"""How long cells take, by those that were measured: shards with seconds that the tests give them."""

import os
import re

import pytest

from kernlearn.cli.main import main
from kernlearn.runner.cell.run import failure
from kernlearn.runner.engines.timing import TimeLeft, duration, forecast, kind_of, measured, wall_seconds
from kernlearn.runner.provenance.made import made
from kernlearn.runner.store.store import Store
from tests.runner.experiments import plan_of

WORDS = ("algo=l2_svm", "dataset=sonar", "algo.Cs=[1.0]", "kernel.degrees=[1]")


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "shards")


def finish(store, cell, seconds):
    """Write the shard of a cell that took so many seconds, or of one that failed after them."""
    shard = {"status": "ok", "cell": cell.to_json(), "rows": [{"point": 0}], "made": made(seconds=abs(seconds))}
    store.write(cell.key, shard if seconds >= 0 else {**failure(cell, "no", ""), "made": shard["made"]})


def test_cells_of_the_same_work_differ_in_their_partition_alone(tmp_path):
    usual = kind_of(plan_of(*WORDS).cells[0])
    assert {kind_of(cell) for cell in plan_of(*WORDS, "seed=3").cells} == {usual}
    for word in ("algo.Cs=[1.0,2.0]", "kernel.degrees=[2]", "dataset=wdbc", "protocol=halves10_cv5", "scaling=none"):
        assert kind_of(plan_of(*WORDS, word).cells[0]) != usual
    places = [tmp_path / name / "my.csv" for name in ("here", "there")]
    for place in places:
        place.parent.mkdir()
        place.write_text("a,b,y\n" + "".join(f"{i % 7},{i % 5},{i % 2}\n" for i in range(60)))
    here, there = (
        plan_of("algo=l2_svm", "dataset=csv", f"dataset.path={place}", "dataset.target=y") for place in places
    )
    assert kind_of(here.cells[0]) == kind_of(there.cells[0])


def test_what_is_measured_are_the_seconds_of_finished_cells_of_the_same_work(store):
    todo, other = plan_of(*WORDS), plan_of(*WORDS, "algo.Cs=[2.0]")
    assert measured(store, todo.cells) == {}
    for cell, seconds in zip(plan_of(*WORDS, "seed=1").cells, (4.0, 1.0, 7.0, -100.0), strict=False):
        finish(store, cell, seconds)
    finish(store, other.cells[0], 50.0)
    assert {kind: sorted(seconds) for kind, seconds in measured(store, todo.cells).items()} == {
        kind_of(todo.cells[0]): [1.0, 4.0, 7.0]
    }


def test_of_a_shard_that_does_not_tell_nothing_is_known(store):
    cell = plan_of(*WORDS).cells[0]
    finish(store, cell, 5.0)
    path = store.path(cell.key)
    whole = path.read_bytes()
    assert store.cell(cell.key) == cell.to_json() and measured(store, [cell])
    for spoilt in (
        b"",
        whole[:200],
        whole.replace(b'"seconds":5.0', b'"seconds":1e999'),
        whole.replace(b'"seconds":5.0', b'"seconds":' + b"9" * 400),
        whole.replace(b'"cell":{', b'"cell":' + b'{"a":' * 500 + b"{"),
    ):
        path.write_bytes(spoilt)
        assert measured(store, [cell]) == {}
    path.unlink()
    os.symlink(__file__, path)
    assert measured(store, [cell]) == {}


@pytest.mark.parametrize(
    ("seconds", "processes", "together"),
    [([3.0] * 5, 2, 9.0), ([3.0] * 5, 5, 3.0), ([1.0, 1.0, 4.0], 2, 5.0), ([4.0, 1.0, 1.0], 2, 4.0), ([], 2, 0.0)],
)
def test_processes_take_cells_one_after_the_other(seconds, processes, together):
    assert wall_seconds(seconds, processes) == together


def test_a_forecast_is_the_median_for_every_kind_of_cell_and_says_what_it_rests_on():
    some, others, unknown = (plan_of(*WORDS, f"algo.Cs=[{C}]").cells for C in (1, 2, 3))
    known = {kind_of(some[0]): [100.0, 1.0, 2.0], kind_of(others[0]): [10.0]}
    found = forecast([*some, *others, *unknown], known, 1)
    assert str(found) == "about 60 s for 10 cells in 1 process, by the median of 4 measured cells"
    assert (
        str(forecast(some, known, 0))
        == "about 10 s for 5 cells, one after the other, by the median of 3 measured cells"
    )
    assert forecast(unknown, known, 2) is None


def test_the_time_left_falls_to_zero_as_cells_finish(store):
    todo = plan_of(*WORDS)
    left = TimeLeft(store, todo.labels, todo.keys, 2)
    assert left.seconds() is None and left.estimate()[1] == ""
    finish(store, todo.cells[0], -9.0)  # how long one takes that fails says nothing
    assert left.seconds() is None and left.estimate()[1] == ""
    expected = []
    for cell, seconds in zip(todo.cells[1:], (6.0, 10.0, 8.0, 5.0), strict=True):
        finish(store, cell, seconds)
        expected.append((left.seconds(), left.estimate()[1]))
    assert expected == [(12.0, "about 12 s left"), (8.0, "about 8 s left"), (8.0, "about 8 s left"), (0.0, "")]


def test_cells_of_before_count_and_those_that_are_computed_again_are_not_finished(store):
    todo, unknown = plan_of(*WORDS), plan_of(*WORDS, "dataset=wdbc")
    for cell in todo.cells[:3]:
        finish(store, cell, 30.0)
    labels = {**todo.labels, **unknown.labels}
    assert TimeLeft(store, todo.labels, todo.keys[3:], 1).seconds() == 60.0
    assert TimeLeft(store, labels, [*todo.keys[3:], *unknown.keys[:1]], 1).estimate()[1] == "more than 60 s left"
    assert TimeLeft(store, labels, [*todo.keys[3:], *unknown.keys], 1).estimate()[1] == ""  # of most nothing is known
    again = TimeLeft(store, todo.labels, todo.keys, 1)
    assert again.seconds() is None
    path = store.path(todo.keys[0])
    finish(store, todo.cells[0], 20.0)
    os.utime(path, (1, 1))  # whatever the clock of the machine that wrote it
    assert again.seconds() == 80.0


def test_what_a_cell_at_work_has_taken_is_not_left(store, monkeypatch):
    todo = plan_of(*WORDS)
    finish(store, todo.cells[0], 30.0)
    notes = [{"key": todo.keys[1], "since": 1000.0}, {"key": todo.keys[2], "since": 900.0}]
    monkeypatch.setattr("kernlearn.runner.engines.timing.running", lambda root: notes)
    monkeypatch.setattr("kernlearn.runner.engines.timing.time", lambda: 1010.0)
    left = TimeLeft(store, todo.labels, todo.keys[1:3], 2)
    assert left.seconds() == 20.0  # of one 20, and the other is over the median
    assert TimeLeft(store, todo.labels, todo.keys[1:], 2).seconds() == 50.0


@pytest.mark.slow
def test_a_dry_run_after_a_run_names_the_seconds_of_its_shards(tmp_path, capsys):
    """Exactly those that it finds: they are written into the shards of a run, of a partition each."""
    command = ["run", *WORDS, "engine.jobs=2"]
    assert main([*command, "--dry-run"]) == 0
    out = capsys.readouterr().out
    assert out.endswith("time       no estimate for 5 cells; --dry-run=pilot solves some of them, for at most 60 s\n")
    assert main(command) == 0
    store = Store(tmp_path / "results/shards")
    for cell, seconds in zip(plan_of(*WORDS).cells, (300, 100, 260, 1000, 1), strict=True):
        finish(store, cell, float(seconds))
    capsys.readouterr()
    assert main([*command, "seed=1", "--dry-run"]) == 0
    line = "time       about 13 min for 5 cells in 2 processes, by the median of 5 measured cells\n"
    assert capsys.readouterr().out.endswith(line)  # three times 260 s
    assert main([*command, "seed=1", "algo.Cs=[3.0]", "--dry-run"]) == 0
    assert "no estimate for 5 cells" in capsys.readouterr().out
    assert main(["sweep", *WORDS, "seed=1,2", "engine.jobs=2", "--dry-run"]) == 0
    assert "time       about 22 min for 10 cells in 2 processes" in capsys.readouterr().out


def test_a_run_says_the_time_that_is_left_but_not_at_its_end(capsys):
    assert main(["run", *WORDS, "engine.jobs=1"]) == 0
    lines = re.findall(r"^cells      (\d)/5(.*)$", capsys.readouterr().out, re.M)
    assert [count for count, _ in lines] == ["1", "2", "3", "4", "5"] and lines[-1][1] == ""
    assert all(re.fullmatch(r", about [0-9.e-]+ s left", words) for _, words in lines[:-1]), lines


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.034, "0.034 s"), (99.8, "100 s"), (119, "119 s"), (130, "2.2 min"), (5980, "100 min"), (9e3, "2.5 h")],
)
def test_durations(seconds, words):
    assert duration(seconds) == words
