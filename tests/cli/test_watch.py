"""``kernlearn watch``: what is shown of running and failed cells, when it ends, and with which exit code."""

import io
import json
import os
import subprocess
import time

import pytest
from rich.console import Console

from kernlearn.cli.main import main
from kernlearn.cli.results import keys, live
from kernlearn.cli.results.drawn import drawn
from kernlearn.cli.results.watched import Watch
from kernlearn.runner.cell.run import failure
from kernlearn.runner.plan.sweeps import register
from kernlearn.runner.store.notes import open_note, write_note
from kernlearn.runner.store.store import Store
from tests.cli.test_json import KERNLEARN, document
from tests.runner.experiments import plan_of

COMMAND = "kernlearn sweep algo=l2_svm dataset=sonar"


@pytest.fixture(scope="module")
def plan():
    return plan_of("dataset=sonar", "algo=l2_svm", "algo.Cs=[1.0]")


@pytest.fixture
def results(tmp_path, plan):
    """Return a results directory with a sweep of five cells."""
    register(tmp_path, "one", COMMAND, [plan])
    return tmp_path


def finish(results, cell, error=""):
    """Store the shard of a cell that has failed, or of one that a name alone shows to be finished."""
    store, shard = Store(results / "shards"), failure(cell, error, "")
    store.write(cell.key, shard if error else {**shard, "status": "ok", "rows": [{"gap": 0.0}]})


def at_work(results, cell, **note):
    """Say that this process computes a cell, as a runner does."""
    about = {"key": cell.key, "label": cell.label, "since": time.time() - 5.0, **note}
    write_note(open_note(results / "shards"), json.dumps(about) + "\n")


def watched(results, *words, name="one"):
    return main(["watch", *([name] if name else []), "--results-dir", str(results), *words])


def test_nothing_is_at_work(tmp_path, capsys):
    assert watched(tmp_path, name=None) == 0
    assert capsys.readouterr().out == f"nothing is at work in {tmp_path}\n"


@pytest.mark.parametrize("verb", ["watch", "status"])
def test_a_file_in_the_place_of_the_results_is_one_line(verb, tmp_path, capsys):
    file = tmp_path / "file.csv"
    file.write_text("a,b\n")
    for words, error in (
        (["--results-dir", str(file)], f"{file}: is not a directory; --results-dir DIR names"),
        ([str(file), "--results-dir", str(tmp_path)], f"{file}: there are no sweeps in {tmp_path}; --results-dir DIR"),
    ):
        assert main([verb, *words]) == 2
        captured = capsys.readouterr()
        assert captured.err.startswith(f"kernlearn: error: {error}") and captured.err.count("\n") == 1
        assert captured.out == ""


def test_a_finished_sweep_ends_at_once(results, plan, capsys):
    for cell in plan.cells:
        finish(results, cell)
    assert watched(results) == 0
    assert capsys.readouterr().out == "one        5 of 5 done\n"
    assert watched(results, name=None) == 0
    assert "nothing is at work" in capsys.readouterr().out
    assert main(["status", "--live", "--results-dir", str(results)]) == 0


def test_failed_cells_are_told_once_and_have_the_exit_code_1(results, plan, capsys):
    for cell in plan.cells[1:]:
        finish(results, cell)
    finish(results, plan.cells[0], "ValueError: too\x1b[2J odd")
    assert watched(results) == 1
    failed, last = capsys.readouterr().out.splitlines()
    assert failed == f"failed     {plan.labels[plan.cells[0].key]}: ValueError: too\\x1b[2J odd"
    assert last == "one        4 of 5 done, 1 failed"


def test_a_sweep_without_a_process_ends_the_view(results, plan, monkeypatch, capsys):
    monkeypatch.setattr(live, "GRACE", 0.0)
    finish(results, plan.cells[0])
    assert watched(results) == 1
    out = capsys.readouterr().out
    assert f"one        no process is running; to continue: {COMMAND}\n" in out and "1 of 5 done" in out
    register(results, "two", f"{COMMAND} engine=slurm", [plan])  # its cells may wait in the queue
    watch = Watch(results, "two")
    watch.look()
    assert watch.is_busy and watch.left == 4


def test_only_what_is_at_work_or_starts_is_watched(results, plan, capsys, monkeypatch):
    monkeypatch.setattr(live, "GRACE", 0.0)
    assert watched(results, name=None) == 1  # its command was started a moment ago
    assert "no process is running" in capsys.readouterr().out
    long_ago = time.time() - 3600.0
    os.utime(results / "sweeps" / "one" / "sweep.json", (long_ago, long_ago))
    assert watched(results, name=None) == 0
    assert capsys.readouterr().out == f"nothing is at work in {results}; kernlearn status shows 1 unfinished sweep\n"


def test_lines_of_json_are_documents_and_the_last_has_the_exit_code(results, plan, monkeypatch, capsys):
    monkeypatch.setattr(live, "LIVE", 0.0)
    pending, look = list(plan.cells), Watch.look

    def look_and_finish(watch):
        look(watch)
        if pending:
            cell = pending.pop()
            finish(results, cell, "" if pending else "boom")

    monkeypatch.setattr(Watch, "look", look_and_finish)
    assert watched(results, "--json") == 1
    *before, last = [document(line, "watch") for line in capsys.readouterr().out.splitlines()]
    assert [one["exit"] for one in before] == [None] * len(before) and last["exit"] == 1 and "error" not in last
    done = [one["sweeps"][0]["cells"]["done"] for one in [*before, last]]
    assert done == sorted(done) and len(before) >= 3
    assert last["sweeps"][0]["failures"] == [{"cell": plan.labels[plan.cells[0].key], "error": "boom"}]


def test_ctrl_c_ends_the_view_with_success(results, monkeypatch, capsys):
    def interrupted(watch):
        raise KeyboardInterrupt

    monkeypatch.setattr(Watch, "look", interrupted)
    assert watched(results) == 0 and watched(results, "--json") == 0
    assert document(capsys.readouterr().out, "watch")["sweeps"] == []


def test_the_drawing_fits_and_names_the_cells_that_have_run_longest(results, plan):
    at_work(results, plan.cells[0], point=3, of=49, gap=2e-3)
    finish(results, plan.cells[1], "boom\x1b[2J[bold]x" + 300 * "y")
    watch = Watch(results, None)
    watch.look()
    try:
        console = Console(file=io.StringIO(), width=90, height=12)
        console.print(drawn(watch, console.height))
        lines = console.file.getvalue().splitlines()
    finally:
        write_note(open_note(results / "shards"), "")
    assert lines[0].startswith(f"one  {COMMAND}") and "0 of 5 done, 1 running, 1 failed" in lines[1]
    assert f"{plan.labels[plan.cells[0].key]}: grid point 3 of 49, gap 2.0e-03, " in lines[2]
    assert lines[3].startswith(f"failed  {plan.labels[plan.cells[1].key]}: boom\\x1b[2J[bold]xyyy")
    assert all(len(line) <= 90 for line in lines) and len(lines) == 5


def test_of_many_running_cells_some_are_shown():
    from kernlearn.cli.results.drawn import _cells
    from kernlearn.runner.plan.sweeps import AtWork

    cells = [AtWork(f"cell {i}", "host", 9.0 - i, 0.0, None, None, None) for i in range(9)]
    assert [str(line) for line in _cells(cells, 2)] == ["  cell 0: 9 s", "  cell 1: 8 s", "  and 7 more"]


def test_the_key_q_is_read_from_a_terminal():
    ours, theirs = os.openpty()
    try:
        os.write(ours, b"x\n")
        assert not keys._pressed(theirs, 0.05)
        os.write(ours, b"Q\n")
        assert keys._pressed(theirs, 60.0)
    finally:
        os.close(ours)
        os.close(theirs)
    with keys.waiting() as wait:  # the standard input of a test is no terminal
        assert wait is keys._sleep and not wait(0.0)


@pytest.mark.slow
@pytest.mark.parametrize("key", [b"q", b"\x03"])
def test_q_and_ctrl_c_on_a_terminal_end_the_view_and_not_the_sweep(key, tmp_path):
    import pty

    words = ["sweep", "algo=vkr", "dataset=ionosphere", "seed=range(0,20)", "engine.jobs=1"]
    sweep = subprocess.Popen([*KERNLEARN, *words], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    while not list(tmp_path.glob("results/sweeps/*/sweep.json")):
        time.sleep(0.1)
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(tmp_path)
        os.execv(KERNLEARN[0], [*KERNLEARN, "watch"])
    shown = b""
    while b"q or Ctrl-C ends the view" not in shown:
        shown += os.read(terminal, 4096)
    os.write(terminal, key)
    _, status = os.waitpid(child, 0)
    os.close(terminal)
    assert os.waitstatus_to_exitcode(status) == 0 and sweep.poll() is None
    assert b"of 100 done" in shown
    sweep.terminate()
    sweep.communicate()
