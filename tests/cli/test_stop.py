"""Ctrl-C and SIGTERM: programs end their round, say where they are, and the same command writes the same bytes."""

import os
import re
import signal
import subprocess
import sys
import time

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="has other signals")]

#: Interior points as of large data. Only the runner's own process is changed, so that it has to compute all cells.
LARGE = "from kernlearn.solvers import choices; choices.VERTEX_EXAMPLES = 0; "
CODE = "import sys; from kernlearn.cli.main import main; sys.exit(main())"
WORDS = ["run", "algo=vkr", "algo.lambdas=[0.01,1e-3]", "algo.betas=[0.01,1e-3,1e-4]", "dataset=pima"]
STOPPED = re.compile(r"^stopped    pima vkr_lemma3 seed 0 split \d: grid point \d of 6(, gap \d\.\de[-+]\d\d)?$", re.M)


def start(directory, *words, first=""):
    return subprocess.Popen(
        [sys.executable, "-c", first + CODE, *WORDS, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        cwd=directory,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def at_work(runner, directory):
    """Wait until a process of a runner has said which cell it is at; return whether one has before the runner ended."""
    since = time.time() - 0.1  # notes of before are there, too; clocks of files go in steps
    while runner.poll() is None:
        found = [path.stat() for path in directory.glob("shards/workers/*")]
        if any(one.st_size and one.st_mtime > since for one in found):
            return True
        time.sleep(0.02)
    return False


@pytest.mark.timeout(900)
@pytest.mark.parametrize("first, solver, jobs", [(LARGE, "interior", 1), ("", "simplex", 2)])
def test_interrupted_again_and_again_it_writes_the_same_bytes(first, solver, jobs, tmp_path):
    words = (f"algo.solver={solver}", f"engine.jobs={jobs}")
    runner = start(tmp_path, *words, "results_dir=whole", first=first)
    assert runner.communicate()[1] == "" and runner.returncode == 0
    pause, said, stops = 0.2, 0, 0
    while True:
        runner = start(tmp_path, *words, "results_dir=stopped", first=first)
        if at_work(runner, tmp_path / "stopped"):
            time.sleep(pause)
            os.kill(runner.pid, [signal.SIGINT, signal.SIGTERM][stops % 2])
        out, err = runner.communicate(timeout=200)
        if "results: " in out:  # all is written; a signal may still have come while it ended
            break
        stops += 1
        assert runner.returncode == 130, (out, err)
        said += len(STOPPED.findall(out))
        pause *= 1.5
    assert stops >= 1 and said >= 1
    for name in ("paths.csv", "summary.csv"):
        (whole,), (stopped,) = ((tmp_path / place / "runs").glob(f"*/{name}") for place in ("whole", "stopped"))
        assert whole.read_bytes() == stopped.read_bytes()
    assert not list((tmp_path / "stopped" / "shards" / "partial").rglob("*.json"))


def test_a_second_ctrl_c_stops_at_once(tmp_path):
    """One program without rounds that takes long: HiGHS on all columns; before it has begun the first one is enough."""
    weak = ["algo.lambdas=[1e-6]", "algo.betas=[1e-6]"]
    words = [*weak, "algo.solver=highs", "kernel.degrees=[8,9,10]", "dataset=spambase", "engine.jobs=1"]
    for pause in (3.0, 5.0, 7.0, 9.0, 11.0, 14.0, 17.0, 20.0, 24.0):
        runner = start(tmp_path, *words)
        assert at_work(runner, tmp_path / "results")
        time.sleep(pause)
        os.kill(runner.pid, signal.SIGINT)
        time.sleep(1.0)
        if runner.poll() is None:
            break
        assert runner.communicate() and runner.returncode == 130
    assert runner.poll() is None
    stored = len(list(tmp_path.glob("results/shards/??/*.json")))  # an earlier attempt may have finished one
    os.kill(runner.pid, signal.SIGINT)
    out, err = runner.communicate(timeout=60)
    assert runner.returncode == 130 and err.endswith("kernlearn: interrupted\n")
    assert f"{stored} of 5 cells are stored" in out


def test_terminated_before_there_are_cells_it_says_so_in_one_line(tmp_path):
    runner = start(tmp_path)
    assert runner.stdout.readline().startswith("data")
    os.kill(runner.pid, signal.SIGTERM)
    out, err = runner.communicate(timeout=200)
    assert (runner.returncode, err) == (130, "kernlearn: interrupted\n")
    assert "results: " not in out
