"""Killed at any moment, run again: not a byte is lost or different."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from kernlearn.runner.store.store import Store, content_key
from kernlearn.runner.store.tidy import tidy

ROOT = Path(__file__).resolve().parents[2]
KILLS = 100

WRITER = """
import random, sys
from kernlearn.runner.store.store import Store, content_key
from kernlearn.runner.store.tidy import tidy
store = Store(sys.argv[1])
print("writing", flush=True)
while True:
    for number in random.sample(range(20), 20):
        store.write(content_key({"n": number}), {"status": "ok", "rows": [{"x": number + i / 7} for i in range(500)]})
"""


@pytest.mark.slow
def test_a_writer_killed_in_the_middle_leaves_whole_shards(tmp_path):
    rng, store = random.Random(0), Store(tmp_path / "shards")
    keys = {content_key({"n": number}): number for number in range(20)}
    kills, leftovers = 0, []
    while kills < KILLS // 2 or not leftovers:
        with subprocess.Popen([sys.executable, "-c", WRITER, store.root], cwd=ROOT, stdout=subprocess.PIPE) as writer:
            assert writer.stdout.readline() == b"writing\n"  # a busy machine takes its time to import
            time.sleep(rng.uniform(0.0, 0.2))
            writer.kill()
        kills += 1
        for key in store.listing():
            payload = store.read(key)
            assert payload["rows"][-1] == {"x": keys[key] + 499 / 7}
        leftovers = [path for path in tmp_path.rglob(".*") if path.is_file()]
    for path in leftovers:
        os.utime(path, (0, 0))
    tidy(tmp_path)
    assert set(store.listing()) <= set(keys)
    assert not any(path.exists() for path in leftovers)  # swept away when they are old


@pytest.mark.slow
@pytest.mark.timeout(3000)
def test_a_sweep_killed_a_hundred_times_gives_the_tables_of_an_undisturbed_one(tmp_path):
    words = ["sweep", "algo=vkr,l1_svm", "dataset=sonar", "kernel.degrees=[1,2,3]", "engine.jobs=2"]
    once = [sys.executable, "-m", "kernlearn.cli.main", *words]
    command = [*once, "seed=range(0,20)"]
    quiet = {"cwd": tmp_path, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}

    def finish(*line):
        done = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr

    finish(*once, "results_dir=cold")  # compiles
    start = time.monotonic()
    finish(*once, "results_dir=warm")
    span = min(2 * (time.monotonic() - start), 10.0)  # kills are in all parts of a run, however fast the machine is
    rng, kills, runner, runs, more = random.Random(0), 0, None, 0, []
    while kills < KILLS:
        if runner is None or runner.poll() is not None:
            if runner is not None and runner.returncode in (0, 1):
                more = ["--force"]  # it got to its end between the kills: all over again, upon the old shards
            runner = subprocess.Popen([*command, "results_dir=killed", *more], **quiet, start_new_session=True)
            runs += 1
        time.sleep(rng.uniform(0.0, span))
        victim = rng.choice(children(runner.pid) or [runner.pid]) if rng.random() < 0.3 else runner.pid
        try:
            os.kill(victim, signal.SIGKILL)
        except ProcessLookupError:
            continue
        kills += 1
        if victim == runner.pid:
            runner.wait()
    runner.kill()
    runner.wait()
    finish(*command, "results_dir=killed", "--retry-failed")
    finish(*command, "results_dir=whole")
    (killed,), (whole,) = ((tmp_path / name / "sweeps").iterdir() for name in ("killed", "whole"))
    for name in ("paths.csv", "summary.csv"):
        assert (killed / name).read_bytes() == (whole / name).read_bytes()
    lines = (killed / "paths.csv").read_text().splitlines()
    cells = {tuple(line.split(",")[:5]) for line in lines[1:]}  # run, data set, algorithm, seed, split
    assert len(cells) == 200 and runs > 10


def children(pid):
    try:
        return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []
