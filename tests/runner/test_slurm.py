"""The SLURM engine on a private two-node cluster: real jobs, real nodes that die."""

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from kernlearn.errors import PartFailed, UserError
from kernlearn.memory import MB
from kernlearn.runner.engines import queue
from kernlearn.runner.engines.execute import execute, pending
from kernlearn.runner.store.store import Store
from tests.runner.test_engines import wait_for
from tests.runner.works import cells, eventful, square, stepwise, told, whereabouts

ROOT = Path(__file__).resolve().parents[2]
TESTBED = ROOT / "scripts" / "tools" / "slurm_testbed.sh"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.cluster,
    pytest.mark.timeout(600),
    pytest.mark.skipif(not shutil.which("slurmctld"), reason="slurmctld is not installed (Debian: slurmctld slurmd)"),
    pytest.mark.skipif(os.geteuid() != 0, reason="the SLURM test bed needs root"),
]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    directory = tmp_path_factory.mktemp("slurm")
    environment = {
        **os.environ,
        "MAX_ARRAY_SIZE": "6",
        "PORT": str(18000 + os.getpid() % 2000 * 5),
    }  # several test runs at once
    subprocess.run([TESTBED, "start", directory], env=environment, check=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SLURM_CONF", str(directory / "slurm.conf"))
        patch.setenv("PYTHONPATH", str(ROOT))
        yield lambda verb, *words: subprocess.run([TESTBED, verb, directory, *words], check=True)
    subprocess.run([TESTBED, "stop", directory], check=True)


@pytest.fixture
def store(cluster, tmp_path):
    yield Store(tmp_path / "shards")
    subprocess.run(["scancel", "--user=root"], check=True)
    wait_for(lambda: not queue.tasks())


def engine(**more):
    return {"name": "slurm", "nodes": 2, "cpus": 1, "minutes": 5, "poll": 0.5, "patience": 60, "checkpoint": 0} | more


def squares(store, todo):
    return [store.read(cell.key)["rows"] for cell in todo] == [[{"square": c.options["number"] ** 2}] for c in todo]


def watcher(store, count, seconds):
    """Start a runner in a process of its own, as a person would."""
    code = (
        "from kernlearn.runner.engines.execute import execute, pending; from kernlearn.runner.store.store import Store;"
        "from tests.runner.works import cells, square;"
        f"store = Store({str(store.root)!r}); todo = cells({count}, seconds={seconds});"
        f"print(list(execute(pending(todo, store), store, engine={engine()!r}, work=square)))"
    )
    return subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def batches(store):
    return sorted((store.root.parent / "jobs").iterdir())


def test_cells_are_packed_into_few_arrays_and_fatal_ones_are_rows(store):
    todo = cells(60)
    todo[5], todo[44] = told(todo[5], event="segfault"), told(todo[44], event="fail")
    assert sorted(execute(todo, store, engine=engine(), work=eventful)) == ["failed"] * 2 + ["ok"] * 58
    assert squares(store, [cell for cell in todo if "event" not in cell.options])
    assert "Segmentation fault" in store.read(todo[5].key)["traceback"]
    assert len(batches(store)) == 2  # eight chunks, and no array longer than five
    assert {path.stat().st_mode & 0o777 for path in batches(store)} == {0o700}
    assert {path.suffix for batch in batches(store) for path in batch.iterdir()} == {".json", ".log"}  # no pickle


def test_what_was_replaced_while_the_job_waited_is_not_computed(store):
    """Whoever may write to the results directory renames the folder of a batch and puts another in its place."""
    todo, seen = cells(4, seconds=2), []
    running_now = execute(todo, store, engine=engine(nodes=1), work=square)
    for status in running_now:
        seen.append(status)
        if len(seen) == 1:
            (batch,) = batches(store)
            batch.rename(batch.with_name("away"))
            shutil.copytree(batch.with_name("away"), batch)
            for path in batch.glob("*.json"):
                path.write_text(path.read_text().replace("works:square", "works:fatal").replace("none", "moon"))
    assert len(seen) == 4 and squares(store, todo)
    assert any("changed since it was submitted" in path.read_text() for path in store.root.parent.glob("jobs/*/*.log"))


def test_options_that_slurm_refuses_are_one_line(store):
    with pytest.raises(UserError, match="engine=slurm: sbatch: .*partition"):
        list(execute(cells(1), store, engine=engine(partition="moon"), work=square))


def test_a_cancelled_job_hangs_nobody_and_the_same_command_goes_on(store):
    todo = cells(8, seconds=3)
    with pytest.raises(PartFailed, match="cancelled"):
        for _ in execute(todo, store, engine=engine(), work=square):
            subprocess.run(["scancel", "--user=root"], check=True)
    missing = pending(todo, store)
    assert 0 < len(missing) < 8
    assert list(execute(missing, store, engine=engine(), work=square)) == ["ok"] * len(missing)
    assert squares(store, todo)


def test_a_watcher_that_starts_anew_finds_the_jobs(store):
    first = watcher(store, 16, seconds=3)
    wait_for(lambda: len(store.listing()) >= 2)
    first.send_signal(signal.SIGKILL)
    first.communicate()
    submitted = batches(store)
    out, err = watcher(store, 16, seconds=3).communicate()
    assert b"in the queue already" in err and b"ok" in out, err
    assert squares(store, cells(16, seconds=3)) and batches(store) == submitted


def test_what_a_dead_node_lost_is_done_elsewhere(store, cluster):
    todo, killed = cells(12, seconds=1), False
    for _ in execute(todo, store, engine=engine(), work=square):
        if not killed:
            cluster("kill-node", "n2")
            killed = True
    assert squares(store, todo)
    cluster("start-node", "n2")
    wait_for(lambda: b"down" not in subprocess.run(["sinfo", "-h", "-o", "%t"], capture_output=True).stdout)


def test_a_controller_that_is_away_for_a_while_is_waited_for(store, cluster, monkeypatch):
    monkeypatch.setattr(queue, "TIMEOUT", 5.0)  # squeue itself would wait for minutes
    todo, away = cells(10, seconds=1), False
    for _ in execute(todo, store, engine=engine(), work=square):
        if not away:
            away = True
            cluster("stop-controller")
            threading.Timer(15, cluster, ("start-controller",)).start()
    assert away and squares(store, todo)


def test_a_controller_that_stays_away_is_left_and_found_again(store, cluster, monkeypatch):
    monkeypatch.setattr(queue, "TIMEOUT", 5.0)
    todo, away = cells(8, seconds=1), False
    with pytest.raises(PartFailed, match="has not answered for 5 s"):
        for _ in execute(todo, store, engine=engine(patience=5), work=square):
            if not away:
                away = True
                cluster("stop-controller")
    cluster("start-controller")
    missing = pending(todo, store)
    assert list(execute(missing, store, engine=engine(), work=square)) == ["ok"] * len(missing)
    assert squares(store, todo)


def test_a_job_that_is_requeued_does_nothing_twice(store):
    todo, requeued, times = cells(6, seconds=2), False, {}
    for _ in execute(todo, store, engine=engine(nodes=1), work=square):
        if not requeued:
            times = {key: store.path(key).stat().st_mtime_ns for key in store.listing()}
            for task in queue.tasks():
                requeued |= not subprocess.run(["scontrol", "requeue", f"{task.job}_{task.number}"]).returncode
    assert requeued and squares(store, todo)
    assert times.items() <= {key: store.path(key).stat().st_mtime_ns for key in store.listing()}.items()


def test_a_cell_longer_than_the_time_limit_resumes(store):
    cell = told(cells(1)[0], steps=20, seconds=5)  # 100 seconds in jobs of one minute
    assert list(execute([cell], store, engine=engine(minutes=1), work=stepwise)) == ["ok"]
    rows = store.read(cell.key)["rows"]
    assert [row["step"] for row in rows] == list(range(20)) and rows[-1]["attempt"] > 1


def test_a_sweep_on_slurm_gives_the_tables_of_a_local_one(store, tmp_path):
    words = ["sweep", "algo=vkr,l1_svm", "dataset=sonar", "kernel.degrees=[1,2]", "seed=0,1"]
    command = [sys.executable, "-m", "kernlearn.cli.main", *words]
    run = {"cwd": tmp_path, "check": True, "stdout": subprocess.PIPE, "text": True}
    subprocess.run([*command, "engine.jobs=2", "results_dir=local"], **run)
    slurm = [*command, "engine=slurm", "engine.nodes=2", "engine.poll=0.5", "results_dir=slurm"]
    assert "submitted" in subprocess.run([*slurm, "--detach"], **run).stdout
    status = [sys.executable, "-m", "kernlearn.cli.main", "status", "--results-dir", "slurm"]
    assert "cells      20: " in subprocess.run(status, **run).stdout
    subprocess.run(slurm, **run)
    assert "20 done, 0 running, 0 failed, 0 missing" in subprocess.run(status, **run).stdout
    (one,), (other,) = ((tmp_path / name / "sweeps").iterdir() for name in ("local", "slurm"))
    for name in ("paths.csv", "summary.csv"):
        assert (one / name).read_bytes() == (other / name).read_bytes()


def test_a_table_is_reproduced_on_slurm(store, tmp_path):
    words = ["reproduce", "vkr2015/table1", "--datasets", "breastcancer", "ionosphere", "--algos", "vkr_lemma3"]
    command = [sys.executable, "-m", "kernlearn.cli.main", *words]
    run = {"cwd": tmp_path, "check": True, "stdout": subprocess.PIPE, "text": True}
    slurm = ["engine=slurm", "engine.nodes=2", "engine.poll=0.5", "--results-dir", "slurm"]
    assert "submitted" in subprocess.run([*command, *slurm, "--detach"], **run).stdout
    assert "cells      10, " in subprocess.run([*command, *slurm], **run).stdout
    subprocess.run([*command, "--jobs", "2", "--results-dir", "local"], **run)
    one, other = (next((tmp_path / name).glob("vkr2015/*_partitions.csv")) for name in ("local", "slurm"))
    assert one.read_bytes() == other.read_bytes() and len(one.read_text().splitlines()) == 11


def test_multirun_through_submitit_works(store, tmp_path):
    words = ["run", "-m", "dataset=sonar,wdbc", "algo=l1_svm", "kernel.degrees=[1]", "engine.jobs=1"]
    launcher = ["hydra/launcher=submitit_slurm", "hydra.launcher.timeout_min=5", "hydra.launcher.mem_gb=null"]
    command = [sys.executable, "-m", "kernlearn.cli.main", *words, *launcher]
    process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    wait_for(lambda: len(list((tmp_path / "results").glob("runs/*/summary.csv"))) == 2, 120)
    time.sleep(0.5)
    process.kill()  # without accounting, submitit itself never learns that a job has ended
    process.communicate()


def test_jobs_ask_for_the_memory_of_their_cells_and_go_where_it_is(store):
    """Node n1 of the test bed has 8000 MB, n2 2000."""
    todo = cells(12, seconds=0.2)
    needs = {cell.key: (3000 if cell.options["number"] % 4 == 0 else 500) * MB for cell in todo}
    assert set(execute(todo, store, engine=engine(needs=needs), work=whereabouts)) == {"ok"}
    rows = {cell.options["number"]: store.read(cell.key)["rows"][0] for cell in todo}
    large, small = ([rows[split] for split in range(12) if (split % 4 == 0) == which] for which in (True, False))
    assert {row["memory"] for row in large} == {"3256"} and {row["node"] for row in large} == {"n1"}
    assert {row["memory"] for row in small} == {"756"} and "n2" in {row["node"] for row in small}
    assert not {row["array"] for row in large} & {row["array"] for row in small}


def test_a_cell_that_fits_on_no_node_is_one_line_and_nothing_is_submitted(store):
    todo = cells(3)
    needs = {cell.key: 500 * MB for cell in todo} | {todo[1].key: 9000 * MB}
    with pytest.raises(UserError, match=r"a cell needs 9.0 GB of memory, but the largest node has 7.8 GB"):
        list(execute(todo, store, engine=engine(needs=needs), work=whereabouts))
    assert not (store.root.parent / "jobs").exists()
