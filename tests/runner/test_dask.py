"""The Dask engine on a real cluster of two processes."""

import os
import signal

import pytest

from kernlearn.cli.main import main
from kernlearn.errors import UserError
from kernlearn.runner.cells import cell_key
from kernlearn.runner.execute import execute
from kernlearn.runner.guard import running
from kernlearn.runner.store import Store
from tests.runner.works import cells, eventful, square

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::DeprecationWarning")]


@pytest.fixture(scope="module")
def address():
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster:
        yield cluster.scheduler_address


def test_a_killed_worker_loses_nothing_and_a_fatal_cell_is_a_row(address, tmp_path):
    store, todo, killed = Store(tmp_path), cells(30, seconds=0.2), False
    todo[17]["event"] = "segfault"
    statuses = []
    for status in execute(todo, store, engine={"name": "dask", "address": address}, work=eventful):
        statuses.append(status)
        if not killed:
            note = next(path for path in sorted((tmp_path / "workers").iterdir()) if path.stat().st_size)
            os.kill(int(note.name.rpartition("-")[2]), signal.SIGKILL)
            killed = True
    assert sorted(statuses) == ["failed"] + ["ok"] * 29
    assert "Segmentation fault" in store.read(cell_key(todo[17]))["traceback"]
    assert all(store.read(cell_key(cell))["rows"] for cell in todo if "event" not in cell)
    assert not list(running(tmp_path))


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


def test_workers_with_threads_are_refused(tmp_path):
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=1, threads_per_worker=2, dashboard_address=":0") as cluster:
        engine = {"name": "dask", "address": cluster.scheduler_address}
        with pytest.raises(UserError, match="--nthreads 1"):
            list(execute(cells(1), Store(tmp_path), engine=engine, work=square))
