"""The Dask engine on a real cluster of two processes."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from kernlearn.cli.main import main
from kernlearn.errors import PartFailed, UserError
from kernlearn.memory import GB
from kernlearn.runner.engines.execute import execute
from kernlearn.runner.store.notes import running
from kernlearn.runner.store.store import Store
from tests.runner.test_engines import stop_one, wait_for
from tests.runner.works import cells, eventful, square, told, whereabouts

ROOT = Path(__file__).resolve().parents[2]

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::DeprecationWarning")]


@pytest.fixture(scope="module")
def address():
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster:
        yield cluster.scheduler_address


def test_a_killed_worker_loses_nothing_and_a_fatal_cell_is_a_row(address, tmp_path):
    store, todo, killed = Store(tmp_path), cells(30, seconds=0.2), False
    todo[17] = told(todo[17], event="segfault")
    statuses = []
    for status in execute(todo, store, engine={"name": "dask", "address": address}, work=eventful):
        statuses.append(status)
        if not killed:
            os.kill(one_at_work(tmp_path), signal.SIGKILL)
            killed = True
    assert sorted(statuses) == ["failed"] + ["ok"] * 29
    assert "Segmentation fault" in store.read(todo[17].key)["traceback"]
    assert all(store.read(cell.key)["rows"] for cell in todo if "event" not in cell.options)
    assert not list(running(tmp_path))


def one_at_work(root):
    """Return the number of a process that computes a cell, as soon as there is one."""
    pids = []

    def found():
        pids.extend(int(note.name.rpartition("-")[2]) for note in (root / "workers").iterdir() if note.stat().st_size)
        return pids

    wait_for(found)
    return pids[0]


def test_the_tables_are_those_of_a_local_run(address, tmp_path):
    words = ["sweep", "algo=l1_svm,l2_svm", "dataset=sonar", "kernel.degrees=[1,2]"]
    assert main([*words, "engine.jobs=2", "results_dir=local"]) == 0
    assert main([*words, "engine=dask", f"engine.address={address}", "results_dir=dask"]) == 0
    (one,), (other,) = ((tmp_path / name / "sweeps").iterdir() for name in ("local", "dask"))
    for name in ("paths.csv", "summary.csv"):
        assert (one / name).read_bytes() == (other / name).read_bytes()


def test_nobody_at_the_address(tmp_path):
    with pytest.raises(UserError, match=r"engine.address=tcp://127.0.0.1:9: no Dask scheduler answers"):
        list(execute(cells(1), Store(tmp_path), engine={"name": "dask", "address": "tcp://127.0.0.1:9"}, work=square))


@contextlib.contextmanager
def cluster_of(workers, **environment):
    """Start a scheduler and workers as processes of their own; yield its address and the processes."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    where, code = f"tcp://127.0.0.1:{port}", "import sys; from dask.__main__ import main; main()"
    dask = [sys.executable, "-c", code]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)} | environment
    start = [*dask, "scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard"]
    processes = [subprocess.Popen(start, env={**os.environ, "PYTHONPATH": str(ROOT)}, **quiet)]
    more = ["--nthreads", "1", "--no-nanny", "--no-dashboard"]
    for _ in range(workers):
        processes.append(subprocess.Popen([*dask, "worker", where, *more], env=environment, **quiet))
    try:
        wait_for(lambda: answers(port))
        yield where, processes
    finally:
        for process in processes:
            process.kill()
            process.wait()


def answers(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def one_line_in_time(tmp_path, address, words, seconds=60):
    start = time.monotonic()
    with pytest.raises(UserError, match=words) as caught:
        list(execute(cells(1), Store(tmp_path), engine={"name": "dask", "address": address}, work=square))
    assert time.monotonic() - start < seconds and "\n" not in str(caught.value)


OTHERS = {
    "silent": None,
    "hangs up": b"",
    "http": b"HTTP/1.1 400 Bad Request\r\n\r\n" * 50,
    "ssh": b"SSH-2.0-OpenSSH_9.2\r\n",
    "zeros": b"\0" * 999,
}


@pytest.mark.parametrize("name", sorted(OTHERS))
def test_another_service_on_the_port(name, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve():
            kept = []
            with contextlib.suppress(OSError):
                while True:
                    connection, _ = server.accept()
                    kept.append(connection)
                    if OTHERS[name] is not None:
                        connection.sendall(OTHERS[name])
                        connection.close()

        threading.Thread(target=serve, daemon=True).start()
        one_line_in_time(tmp_path, f"tcp://127.0.0.1:{server.getsockname()[1]}", "no Dask scheduler answers")


NOWHERE = ["tcp://10.255.255.1:8786", "tcp://no-such-host.invalid:1", "moon://x", "tcp://", "x" * 99]


@pytest.mark.parametrize("address", NOWHERE)
def test_addresses_where_nothing_is(address, tmp_path):
    one_line_in_time(tmp_path, address, "no Dask scheduler answers")


def test_a_worker_is_no_scheduler(address, tmp_path):
    from distributed import Client

    with Client(address, set_as_default=False) as client:
        worker = next(iter(client.nthreads()))
    one_line_in_time(tmp_path, worker, "no Dask scheduler answers, but a Worker")


def test_a_scheduler_without_workers(tmp_path):
    with cluster_of(0) as (where, _):
        one_line_in_time(tmp_path, where, "has no workers: dask worker tcp://")


def test_workers_of_another_version(tmp_path):
    record = tmp_path / "path" / "kernlearn-0.0.1.dist-info"
    record.mkdir(parents=True)
    (record / "METADATA").write_text("Metadata-Version: 2.1\nName: kernlearn\nVersion: 0.0.1\n")
    with cluster_of(1, PYTHONPATH=f"{tmp_path / 'path'}:{ROOT}") as (where, _):
        wait_for_workers(where, 1)
        one_line_in_time(tmp_path, where, r"worker tcp://\S+ has kernlearn 0.0.1, and here it is")


def wait_for_workers(where, count):
    from distributed import Client

    with Client(where, set_as_default=False) as client:
        client.wait_for_workers(count, timeout=90)


def test_a_scheduler_that_dies_is_one_line_and_what_is_finished_is_kept(tmp_path):
    store, todo, died = Store(tmp_path / "shards"), cells(40, seconds=0.3), None
    with cluster_of(2) as (where, processes):
        wait_for_workers(where, 2)
        engine = {"name": "dask", "address": where}
        with pytest.raises(PartFailed, match="the Dask scheduler at tcp://.* is gone; finished cells are stored"):
            for number, _ in enumerate(execute(todo, store, engine=engine, work=square)):
                if number == 5:
                    processes[0].kill()
                    died = time.monotonic()
        assert time.monotonic() - died < 60
    assert 6 <= len(store.listing()) < 40


def test_workers_that_die_all_are_one_line(tmp_path):
    died = None
    with cluster_of(1) as (where, processes):
        wait_for_workers(where, 1)
        engine = {"name": "dask", "address": where}
        with pytest.raises(PartFailed, match="has no workers any more"):
            for _ in execute(cells(40, seconds=0.3), Store(tmp_path), engine=engine, work=square):
                if died is None:
                    processes[1].kill()
                    died = time.monotonic()
        assert time.monotonic() - died < 60


def test_a_stopped_worker_meets_the_time_limit_and_its_other_cells_go_elsewhere(tmp_path):
    store, todo, stopped = Store(tmp_path), cells(20, seconds=0.5), None
    with cluster_of(2) as (where, _):
        wait_for_workers(where, 2)
        engine = {"name": "dask", "address": where, "time_limit": 0.15}
        for _ in execute(todo, store, engine=engine, work=square):
            if stopped is None:
                stopped = stop_one(store)
    assert [key for key, status in store.listing().items() if status == "failed"] == [stopped]
    assert store.read(stopped)["error"] == "time limit: the cell took longer than engine.time_limit"
    assert len(store.listing()) == 20


def test_workers_with_threads_are_refused(tmp_path):
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=1, threads_per_worker=2, dashboard_address=":0") as cluster:
        engine = {"name": "dask", "address": cluster.scheduler_address}
        with pytest.raises(UserError, match="--nthreads 1"):
            list(execute(cells(1), Store(tmp_path), engine=engine, work=square))


@contextlib.contextmanager
def workers_of(*memories):
    """Start a scheduler and a worker for each limit of memory, in GB; yield the address and the workers, by limit."""
    with cluster_of(0) as (where, _):
        code = "import sys; from dask.__main__ import main; main()"
        command = [sys.executable, "-c", code, "worker", where, "--nthreads", "1", "--no-nanny", "--no-dashboard"]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "env": environment}
        workers = {size: subprocess.Popen([*command, "--memory-limit", f"{size} GiB"], **quiet) for size in memories}
        try:
            wait_for_workers(where, len(memories))
            yield where, workers
        finally:
            for worker in workers.values():
                worker.kill()
                worker.wait()


def test_cells_go_to_workers_that_have_the_memory_for_them(tmp_path):
    store, todo = Store(tmp_path), cells(12, seconds=0.1)
    needs = {cell.key: (3.0 if cell.options["number"] % 3 == 0 else 0.5) * GB for cell in todo}
    with workers_of(1, 4) as (where, workers):
        engine = {"name": "dask", "address": where, "needs": needs}
        assert list(execute(todo, store, engine=engine, work=whereabouts)) == ["ok"] * 12
        pids = {cell.options["number"]: store.read(cell.key)["rows"][0]["pid"] for cell in todo}
        assert {pids[split] for split in range(0, 12, 3)} == {workers[4].pid}
        assert workers[1].pid in pids.values()
        needs[todo[5].key] = 5.0 * GB
        with pytest.raises(UserError, match="a cell needs 5.0 GB of memory, but the largest worker has 4.0 GB"):
            list(execute(todo, Store(tmp_path / "more"), engine=engine, work=whereabouts))
        assert not list((tmp_path / "more").rglob("*.json"))


def test_cells_whose_only_worker_is_gone_for_good_are_one_line(tmp_path):
    store, todo = Store(tmp_path), cells(6, seconds=0.5)
    needs = {cell.key: (3.0 if cell.options["number"] else 0.5) * GB for cell in todo}
    with workers_of(1, 4) as (where, workers):
        engine = {"name": "dask", "address": where, "needs": needs}
        with pytest.raises(PartFailed, match="has no worker any more with enough memory for some cells"):
            for _ in execute(todo, store, engine=engine, work=square):
                workers[4].kill()
    assert 1 <= len(store.listing()) < 6
