"""Cells that are told where they are, stopped between any two rounds and gone on with, to the last bit."""

import functools
import json
import re
import time

import pytest

from kernlearn.cli.main import main
from kernlearn.runner.cell.run import run_cell
from kernlearn.runner.engines import guard
from kernlearn.runner.engines.guard import perform
from kernlearn.runner.engines.options import CELL_LIMITS, defaults_of
from kernlearn.runner.plan.sweeps import Sweep, state
from kernlearn.runner.store import partial
from kernlearn.runner.store.partial import Partial, partials
from kernlearn.runner.store.progress import INTERRUPTED, Stopped, in_words
from kernlearn.runner.store.store import Store
from kernlearn.solvers import choices
from kernlearn.solvers.hinge_l1.interior_solver import InteriorSolver
from kernlearn.solvers.hinge_l1.parts import Settings
from tests.runner.experiments import plan_of

#: Methods that work in rounds, and whether a program goes on from its middle, or the path after a grid point.
VKR = ("algo=vkr", "algo.lambdas=[0.01]", "algo.betas=[0.1,1e-3]", "kernel.degrees=[1,2,3]")
WORDS = {
    "vkr by interior points": (*VKR, "algo.solver=interior"),
    "vkr by the simplex method": (*VKR, "algo.solver=simplex"),
    "l1_svm by interior points": (
        "algo=l1_svm",
        "algo.betas=[0.01,1e-3]",
        "kernel.degrees=[1,3]",
        "algo.solver=interior",
    ),
    "l1_svm on all columns": ("algo=l1_svm", "algo.betas=[1e-3,1e-4]", "kernel.degrees=[9]", "algo.solver=interior"),
    "SVM": ("algo=l2_svm", "algo.Cs=[1,100]", "algo.solver=smo"),
    "kernel weights": ("algo=l1_mkl", "kernel=gaussian", "algo.Cs=[1,10]"),
    "folds": (*VKR, "algo.solver=simplex", "protocol=halves10_cv5"),
}
FROM_THE_MIDDLE = ("vkr by interior points", "l1_svm by interior points", "l1_svm on all columns")


class Stopper:
    """Stops a cell at the look of a number, and knows the positions that were told."""

    def __init__(self, store, key, number):
        self.looks, self.number, self.positions = 0, number, []
        self.partial = Partial(store, key, 1e9, self.positions.append, self.ends)

    def ends(self):
        self.looks += 1
        return INTERRUPTED if self.looks == self.number else ""


@pytest.fixture(autouse=True)
def told_at_once(monkeypatch):
    """Positions are told at every look, finished points kept at once, and interior points are those of large data."""
    monkeypatch.setattr(partial, "TOLD", 0.0)
    monkeypatch.setattr(partial, "WORTH", 0.0)
    monkeypatch.setattr(choices, "VERTEX_EXAMPLES", 0)
    few = Settings(sample_beyond=100, sample=50)
    monkeypatch.setattr(choices, "InteriorSolver", functools.partial(InteriorSolver, settings=few))


def stop_at(cell, store, number):
    """Run a cell until it is stopped; return the position, or its rows if it got to its end."""
    stopper = Stopper(store, cell.key, number)
    try:
        shard = run_cell(cell, stopper.partial)
        assert shard["status"] == "ok", shard
        return None, shard["rows"]
    except Stopped as stopped:
        assert stopped.why == INTERRUPTED and list(stopped.positions) == [cell.key]
        return stopped.positions[cell.key], None


@pytest.mark.slow
@pytest.mark.parametrize("name", WORDS)
def test_a_cell_that_is_stopped_again_and_again_gives_the_same_rows(name, tmp_path):
    cell = plan_of("dataset=sonar", *WORDS[name]).cells[0]
    whole, store, positions, rows = run_cell(cell)["rows"], Store(tmp_path), [], None
    # Where the middle of a program is not kept, it has to get to its end between two stops.
    number, factor = (2, 1) if name in FROM_THE_MIDDLE else (1, 2)
    while rows is None:
        position, rows = stop_at(cell, store, number)
        positions.append(position)
        number *= factor
        assert len(positions) < 200
    assert rows == whole
    points = [position["point"] for position in positions[:-1]]
    assert len(points) >= 2 and points == sorted(points)
    assert {position["of"] for position in positions[:-1]} == {len(whole) * (6 if name == "folds" else 1)}


@pytest.mark.slow
@pytest.mark.parametrize("name", FROM_THE_MIDDLE)
def test_the_rounds_that_were_taken_are_not_taken_again(name, tmp_path):
    cell, store = plan_of("dataset=sonar", *WORDS[name]).cells[0], Store(tmp_path)
    uninterrupted = Stopper(store, cell.key, 0)
    run_cell(cell, uninterrupted.partial)
    position, _ = stop_at(cell, store, 3)
    kept = partials(store).read(cell.key)
    assert position["point"] == 1 and (kept["blocks"], kept["points"], kept["rows"]) == (0, 0, [])
    assert json.loads(json.dumps(kept["state"]))[0]["begun"]["kept"]
    rest = Stopper(store, cell.key, 0)
    run_cell(cell, rest.partial)
    assert rest.looks == uninterrupted.looks - 3


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", WORDS)
def test_positions_are_told_with_the_gap(name, tmp_path):
    cell = plan_of("dataset=sonar", *WORDS[name]).cells[0]
    stopper = Stopper(Store(tmp_path), cell.key, 0)
    run_cell(cell, stopper.partial)
    gaps = [position["gap"] for position in stopper.positions if position["gap"] is not None]
    assert gaps and min(gaps) < 1e-2
    assert stopper.positions[-1]["point"] == stopper.positions[-1]["of"] + 1


def test_positions_in_words():
    assert in_words({"point": 3, "of": 49, "gap": 2e-3}) == "grid point 3 of 49, gap 2.0e-03"
    assert in_words({"point": 3, "of": 49, "gap": None}) == "grid point 3 of 49"
    assert in_words({"point": 3, "of": 49, "gap": float("inf")}) == "grid point 3 of 49"
    for damaged in ({}, {"point": "\x1b[2J", "of": 1}, {"point": 1.5, "of": 2}, {"point": 1, "of": None}):
        assert in_words(damaged) == ""


def test_a_note_says_where_its_cell_is_and_status_shows_it(tmp_path, capsys):
    cell = plan_of("dataset=sonar", *WORDS["SVM"]).cells[0]
    root, seen = tmp_path / "shards", []
    sweep = Sweep("one", "kernlearn sweep", {cell.key: "sonar l2_svm seed 0 split 0"})

    def work(cell, partial):
        rows = run_cell(cell, partial)
        seen.extend(map(str, state(sweep, Store(root)).at_work))  # the note says what was told last
        assert main(["status", "--results-dir", str(tmp_path)]) == 0
        return rows

    assert perform(cell, root, work, defaults_of(CELL_LIMITS)) == "ok"
    (line,) = seen
    out = capsys.readouterr().out
    assert (
        "running cells that belong to no sweep: 1" in out
        and "at work    sonar l2_svm seed 0 split 0: grid point" in out
    )
    assert re.fullmatch(r"sonar l2_svm seed 0 split 0: grid point \d+ of \d+(, gap \S+)?, \d s", line), line
    assert state(sweep, Store(root)).at_work == []


@pytest.mark.slow
def test_the_time_limit_ends_a_round_and_the_failed_cell_goes_on_from_it(tmp_path, monkeypatch):
    monkeypatch.setattr(guard, "last_second", lambda limit: 600.0)  # or the process would end
    cell = plan_of("dataset=sonar", *WORDS["vkr by interior points"]).cells[0]
    whole, store, root = run_cell(cell)["rows"], Store(tmp_path), tmp_path

    def work(cell, partial):
        time.sleep(0.2)  # whatever the limit is, it is over at the first round
        return run_cell(cell, partial)

    errors = []
    while perform(cell, root, work, {**defaults_of(CELL_LIMITS), "time_limit": 2e-3}) == "failed":
        errors.append(store.read(cell.key)["error"])
    assert store.read(cell.key)["rows"] == whole and len(errors) > 2
    words = r"time limit: .*; stopped at grid point [12] of 2(, gap \S+)?, from where --retry-failed resumes"
    assert all(re.fullmatch(words, error) for error in errors), errors
    assert not list((tmp_path / "partial").rglob("*.json"))
