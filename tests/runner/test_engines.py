"""Engines under fire, on this machine: whatever a cell does, the others get done, and it leaves a row."""

import json
import logging
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from queue import SimpleQueue

import pytest

from kernlearn.runner.engines import cluster, local
from kernlearn.runner.engines.execute import execute, pending
from kernlearn.runner.store.notes import noted, running
from kernlearn.runner.store.progress import Stopped
from kernlearn.runner.store.store import Store
from tests.conftest import first_of
from tests.runner.works import cells, eventful, square, stepwise, told

FATAL = {
    "fail": "ValueError: no",
    "segfault": "worker died: Fatal Python error: Segmentation fault",
    "abort": "worker died: Fatal Python error: Aborted",
    "kill": "worker died 2 times, exit code {SIGKILL(-9)}",
    "hang": "time limit: the cell took longer than engine.time_limit",
}


@pytest.mark.parametrize(("events", "jobs"), first_of([(["fail", "segfault", "kill"], 2), (FATAL, 1), (FATAL, 2)]))
def test_fatal_cells_are_rows_and_the_others_finish(events, jobs, tmp_path):
    todo, store = cells(30), Store(tmp_path)
    for number, event in enumerate(events):
        todo[5 * number + 2] = told(todo[5 * number + 2], event=event)
    engine = {"name": "local", "jobs": jobs, "time_limit": 0.05}
    statuses = Counter(execute(todo, store, engine=engine, work=eventful))
    assert statuses == {"failed": len(events), "ok": 30 - len(events)}
    for cell in todo:
        shard = store.read(cell.key)
        if "event" not in cell.options:
            assert shard["rows"] == [{"square": cell.options["number"] ** 2}]
            continue
        assert shard["error"].startswith(FATAL[cell.options["event"]])
        if cell.options["event"] in ("segfault", "abort", "hang"):
            assert "works.py" in shard["traceback"] and "in eventful" in shard["traceback"]
    assert pending(todo, store) == []
    assert pending(todo, store, retry_failed=True) == [cell for cell in todo if "event" in cell.options]


@pytest.mark.slow
def test_a_cell_that_cannot_even_say_that_its_memory_is_used_up_is_a_row_that_names_the_limit(tmp_path):
    todo, store = cells(3), Store(tmp_path)
    todo[1] = told(todo[1], event="greedy")
    engine = {"name": "local", "jobs": 1, "memory": 0.5}
    assert sorted(execute(todo, store, engine=engine, work=eventful)) == ["failed", "ok", "ok"]
    shard = store.read(todo[1].key)
    assert shard["error"].startswith("MemoryError") and "engine.memory=0.5" in shard["error"]
    assert "in eventful" in shard["traceback"]


@pytest.mark.slow
def test_a_stopped_worker_meets_the_time_limit(tmp_path):
    store, todo, stopped = Store(tmp_path), cells(12, seconds=0.5), None
    engine = {"name": "local", "jobs": 2, "time_limit": 0.15}
    for _ in execute(todo, store, engine=engine, work=square):
        if stopped is None:
            stopped = stop_one(store)
    assert [key for key, status in store.listing().items() if status == "failed"] == [stopped]
    assert store.read(stopped)["error"] == "time limit: the cell took longer than engine.time_limit"
    assert len(store.listing()) == 12


def stop_one(store):
    """Stop a process that computes a cell; return its key."""
    while True:
        for path in sorted((store.root / "workers").iterdir()):
            pid = int(path.name.rpartition("-")[2])
            if path.stat().st_size:
                os.kill(pid, signal.SIGSTOP)
                time.sleep(0.05)
                key = json.loads(text.partition("\n")[0])["key"] if (text := path.read_text()) else None
                if key and store.sound(key) is None:
                    return key
                os.kill(pid, signal.SIGCONT)  # it was between two cells, or has written what the first gave


@pytest.mark.slow
def test_a_worker_that_is_killed_once_was_not_to_blame(tmp_path):
    todo = cells(6)
    todo[3] = told(todo[3], event="once", mark=str(tmp_path / "mark"))
    assert set(execute(todo, Store(tmp_path / "s"), jobs=2, work=eventful)) == {"ok"}


@pytest.mark.slow
def test_workers_leave_when_their_runner_is_killed(tmp_path):
    code = (
        "from kernlearn.runner.engines.execute import execute; from kernlearn.runner.store.store import Store;"
        "from tests.runner.works import cells, square;"
        f"list(execute(cells(40, seconds=1), Store({str(tmp_path)!r}), jobs=2, work=square))"
    )
    root = os.path.dirname(os.path.dirname(os.path.dirname(__file__)))
    runner = subprocess.Popen([sys.executable, "-c", code], cwd=root)
    wait_for(lambda: len(list(running(tmp_path))) == 2)
    runner.send_signal(signal.SIGKILL)
    runner.wait()
    wait_for(lambda: not list(running(tmp_path)))
    assert len(noted(tmp_path)) >= 1  # what they were doing is still known


@pytest.mark.slow
def test_a_cell_resumes_after_its_last_block(tmp_path):
    cell, store = told(cells(1)[0], steps=25, seconds=0.1), Store(tmp_path)
    engine = {"name": "local", "jobs": 1, "time_limit": 0.03, "checkpoint": 0.0}
    while list(execute([cell], store, engine=engine, work=stepwise)) == ["failed"]:
        assert "time limit" in store.read(cell.key)["error"]
    rows = store.read(cell.key)["rows"]
    assert [row["step"] for row in rows] == list(range(25)) and rows[-1]["attempt"] > 1
    assert not list((tmp_path / "partial").rglob("*.json"))


@pytest.mark.slow
def test_two_runners_share_a_directory(tmp_path):
    root = os.path.dirname(os.path.dirname(os.path.dirname(__file__)))
    code = (
        "from kernlearn.runner.engines.execute import execute; from kernlearn.runner.store.store import Store;"
        "from tests.runner.works import cells, square;"
        f"print(len(list(execute(cells(200), Store({str(tmp_path)!r}), jobs=1, work=square))))"
    )
    runners = [subprocess.Popen([sys.executable, "-c", code], cwd=root, stdout=subprocess.PIPE) for _ in range(2)]
    assert [runner.communicate()[0] for runner in runners] == [b"200\n"] * 2
    store = Store(tmp_path)
    assert [store.read(cell.key)["rows"] for cell in cells(200)] == [[{"square": i**2}] for i in range(200)]
    assert len([path for path in tmp_path.rglob("*") if path.is_file() and path.suffix == ".json"]) == 200


@pytest.mark.slow
def test_an_interruption_while_a_cell_ends_waits_for_the_others_alone(tmp_path, monkeypatch):
    """Its result is out of the queue and not yet noted: to wait for it again would take all the time there is."""

    todo, store = cells(4), Store(tmp_path)
    todo[1] = told(todo[1], seconds=1.0)
    first, second = (cell.key for cell in todo[:2])

    class Interrupted(SimpleQueue):
        def get(self, *args, **kwargs):
            super().get(*args, **kwargs)
            wait_for(lambda: store.read(first) and (second in noted(tmp_path) or store.read(second)))  # none starts yet
            raise KeyboardInterrupt

    monkeypatch.setattr(local, "SimpleQueue", Interrupted)
    engine = {"name": "local", "jobs": 2, "last_round": 1000.0}  # longer than the test may take
    with pytest.raises(Stopped):
        list(execute(todo, store, engine=engine, work=square))
    assert [bool(store.read(cell.key)) for cell in todo] == [True, True, False, False]


def test_no_work_has_no_engine(tmp_path):
    assert list(execute([], Store(tmp_path), engine={"name": "dask", "address": "tcp://nowhere:1"}, work=square)) == []


def wait_for(condition, seconds=120.0):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.05)


@pytest.mark.parametrize("name", ["distributed", "distributed.client", "distributed.comm.tcp", "tornado.application"])
def test_what_dask_says_of_connections_is_left_out(name):
    """Also of loggers that have a level of their own, as its client's has."""
    log = logging.getLogger(name)
    before = log.level
    try:
        log.setLevel(logging.WARNING)
        with cluster._quiet():
            assert not log.isEnabledFor(logging.CRITICAL)
        assert log.level == logging.WARNING
    finally:
        log.setLevel(before)
