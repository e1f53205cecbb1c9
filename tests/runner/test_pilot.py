"""Pilots: they end in time, say what they saw, and leave nothing but the shard of a cell that is finished."""

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from math import inf

import numpy as np
import pytest

from kernlearn.cli.main import main
from kernlearn.cli.work.dry import _of_run
from kernlearn.runner.engines.pilot import pilot, pilot_store
from kernlearn.runner.store.store import Store
from tests.runner.works import cells, eventful, pointwise

ENGINE = {"name": "local", "jobs": 2, "memory": 0, "time_limit": 0, "checkpoint": 0.0}
WORDS = ["run", "algo=l2_svm", "dataset=sonar", "algo.Cs=[1,10]", "kernel.degrees=[1]", "engine.jobs=1"]


@pytest.fixture
def place(tmp_path, monkeypatch):
    """Return where pilots work, which has nothing before or after."""
    (tmp_path / "pilots").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "pilots"))
    yield tmp_path / "pilots"
    assert not list((tmp_path / "pilots").iterdir())


def cell_of(tmp_path, seconds=0.0, **more):
    return cells(4, seconds=seconds, mark=str(tmp_path / "mark"), **more)[3]


def piloted(cell, work, engine, seconds=60.0):
    with pilot_store() as store:
        return pilot(cell, work, engine, store, seconds)


def ended(tmp_path):
    """Return whether all processes that computed have ended, or do so in a moment."""
    pids = {int(line) for line in (tmp_path / "mark").read_text().split()}
    end = time.monotonic() + 20
    while time.monotonic() < end:
        if not any(os.path.exists(f"/proc/{pid}") for pid in pids):
            return bool(pids) and os.getpid() not in pids
        time.sleep(0.05)
    return False


@pytest.mark.slow
def test_a_pilot_that_takes_longer_than_its_time_ends_in_time_and_says_how_far_it_got(tmp_path, place):
    start = time.monotonic()
    shard, seen = piloted(cell_of(tmp_path, 0.3), pointwise, ENGINE, seconds=5.0)
    assert time.monotonic() - start < 28.0  # all of it takes 30 s
    reached = re.fullmatch(r"reached grid point (\d+) of 100, gap 5.0e-01, in 5 s", seen)
    assert reached and 2 <= int(reached[1]) <= 19
    assert shard["status"] == "failed" and ended(tmp_path)
    assert len((tmp_path / "mark").read_text().split()) == 2  # once for its first grid point, once for its time


@pytest.mark.slow
def test_the_limits_of_the_run_are_those_of_a_pilot(tmp_path, place):
    _, seen = piloted(cell_of(tmp_path, 0.3), pointwise, {**ENGINE, "time_limit": 4.0 / 60.0}, seconds=60.0)
    assert re.fullmatch(r"reached grid point \d\d? of 100, gap 5.0e-01, in 4 s", seen)
    _, seen = piloted(cell_of(tmp_path, event="greedy"), eventful, {**ENGINE, "memory": 1.0})
    assert re.fullmatch(r"failed: MemoryError: .* \(the limit is engine.memory=1: raise it, and --retry-failed\)", seen)


@pytest.mark.slow
def test_a_pilot_that_does_not_come_to_the_end_of_a_round_is_ended(tmp_path, place):
    start = time.monotonic()
    _, seen = piloted(cell_of(tmp_path, event="hang"), eventful, ENGINE, seconds=2.0)
    assert seen == "finished no iteration in 2 s" and time.monotonic() - start < 30.0


@pytest.mark.slow
@pytest.mark.parametrize(("event", "words"), [("fail", "ValueError: no"), ("kill", "worker died 2 times, exit code")])
def test_a_pilot_that_fails_says_why(event, words, tmp_path, place):
    shard, seen = piloted(cell_of(tmp_path, event=event), eventful, ENGINE)
    assert seen.startswith(f"failed: {words}") and shard["status"] == "failed"


def test_a_pilot_that_is_finished_has_its_shard_and_its_seconds(tmp_path, place):
    shard, seen = piloted(cell_of(tmp_path), pointwise, ENGINE)
    assert seen == "finished in 1 s" and shard["rows"] == [{"square": 9}] and ended(tmp_path)


@pytest.mark.slow
def test_the_shard_of_a_pilot_is_kept_and_the_run_goes_on_from_it_to_the_same_bytes(tmp_path, place, capsys):
    assert main([*WORDS, "results_dir=whole"]) == 0
    capsys.readouterr()
    assert main([*WORDS, "--dry-run=pilot"]) == 0
    *_, seen, time_line = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"pilot      sonar l2_svm seed 0 split 0: finished in [0-9.e-]+ s", seen)
    assert re.fullmatch(r"time       about .* for 4 cells in 1 process, by the median of 1 measured cell", time_line)
    store, whole = Store(tmp_path / "results/shards"), Store(tmp_path / "whole/shards")
    (key,) = store.listing()
    assert store.read(key)["rows"] == whole.read(key)["rows"]
    assert not [path for path in (tmp_path / "results/shards").rglob("*") if path.is_file() and key not in path.name]
    assert main(WORDS) == 0
    assert "cells      5, 1 already done" in capsys.readouterr().out
    for name in ("paths.csv", "summary.csv"):
        (one,), (other,) = ((tmp_path / place / "runs").glob(f"*/{name}") for place in ("results", "whole"))
        assert one.read_bytes() == other.read_bytes()


@pytest.mark.slow
def test_a_pilot_that_is_not_finished_leaves_no_results(tmp_path, place, capsys):
    words = ["run", "algo=vkr", "dataset=ringnorm", "dataset.n=4000", "engine.time_limit=0.05", "--dry-run=pilot"]
    assert main(words) == 0
    line = capsys.readouterr().out.splitlines()[-1]
    seen = r"(reached grid point \d+ of 49(, gap .*)?,|finished no iteration) in 3 s"
    assert re.fullmatch(rf"pilot      ringnorm vkr_lemma3 seed 0 split 0: {seen}", line), line
    assert [path.name for path in tmp_path.iterdir()] == ["pilots"]


@pytest.mark.slow
def test_the_pilot_of_a_figure_is_one_of_its_cells(tmp_path, place, capsys):
    assert main(["reproduce", "uml2014/fig_sgd", "--seeds", "2", "--dry-run=pilot"]) == 0
    assert re.search(r"^pilot      .* seed 0.*: finished in ", capsys.readouterr().out, re.M)
    assert len(Store(tmp_path / "results/shards").listing()) >= 1


@pytest.mark.slow
def test_a_comparison_has_a_pilot_of_every_method(tmp_path, place, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2))
    np.savetxt("my.csv", np.column_stack([X, X[:, 0] > 0]), delimiter=",", header="a,b,label", comments="")
    words = ["compare", "my.csv", "target=label", "algos=l2_svm,nearest_mean", "--dry-run=pilot"]
    assert main(words) == 0
    out = capsys.readouterr().out
    assert out.count("finished in ") == 5 and "l2_svm" in out.partition("pilot")[2] and "no estimate" not in out


def test_an_unknown_kind_of_dry_run_is_refused(capsys):
    for verb in (WORDS, ["sweep", *WORDS[1:]], ["reproduce", "vkr2015/table1"]):
        assert main([*verb, "--dry-run=polit"]) == 2
        assert "--dry-run" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="has other signals")
@pytest.mark.parametrize("which", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_during_a_pilot_leaves_nothing(which, tmp_path):
    (tmp_path / "pilots").mkdir()
    words = ["run", "algo=vkr", "kernel=gaussian", "dataset=ringnorm", "dataset.n=4000", "--dry-run=pilot"]
    with subprocess.Popen(
        [sys.executable, "-c", "import sys; from kernlearn.cli.main import main; sys.exit(main())", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        cwd=tmp_path,
        env={**os.environ, "TMPDIR": str(tmp_path / "pilots")},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as runner:
        notes = []
        while not notes and runner.poll() is None:
            time.sleep(0.05)
            notes = [one for one in (tmp_path / "pilots").glob("*/shards/workers/*") if one.stat().st_size]
        assert notes, runner.communicate()
        worker = int(notes[0].name.rpartition("-")[2])
        time.sleep(1.0)
        os.kill(runner.pid, which)
        out, err = runner.communicate(timeout=60)
    assert (runner.returncode, err) == (130, "kernlearn: interrupted\n") and "pilot" not in out
    assert not os.path.exists(f"/proc/{worker}") or sys.platform != "linux"
    assert [path.name for path in tmp_path.iterdir()] == ["pilots"] and not list((tmp_path / "pilots").iterdir())


@pytest.mark.parametrize(("seconds", "others", "expected"), [([], 4, inf), ([2.0, 4.0], 4, 6.0), ([0.5], 100, 25.0)])
def test_pilots_are_no_dearer_than_the_run(seconds, others, expected):
    assert _of_run([object()] * others, {"a": seconds}, 2) == expected
