"""What others who may write to a results directory, or to the current one, can make us execute: nothing."""

import json
import os
import pickle
import subprocess
import sys
from hashlib import sha256

import pytest

from kernlearn.atomic import make_directory
from kernlearn.cli.main import main
from kernlearn.errors import UserError
from kernlearn.places import private_directory
from kernlearn.runner.engines import chunk
from kernlearn.runner.engines.execute import execute
from kernlearn.runner.engines.options import CELL_LIMITS, defaults_of
from kernlearn.runner.store.store import Store
from tests.runner.works import cells, square

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(__file__)))


class Planted:
    """Makes a file where it is unpickled."""

    def __reduce__(self):
        return open, ("executed", "w")


def batch_of(tmp_path, todo):
    folder = tmp_path / "jobs" / "batch"
    make_directory(folder)
    by_key = [{cell.key: cell} for cell in todo]
    digest = chunk.describe(folder, by_key, tmp_path / "shards", square, 1, defaults_of(CELL_LIMITS))
    return folder / "batch.json", digest


def task(path, digest, number):
    command = [*chunk.PROGRAM, str(path), digest]
    environment = {**os.environ, "SLURM_ARRAY_TASK_ID": str(number), "PYTHONPATH": ROOT}
    return subprocess.run(command, env=environment, capture_output=True, text=True)


@pytest.mark.slow
def test_a_task_computes_its_chunk_and_does_nothing_twice(tmp_path):
    todo = cells(3)
    path, digest = batch_of(tmp_path, todo)
    assert task(path, digest, 1).stdout == "ok\n"
    assert Store(tmp_path / "shards").read(todo[1].key)["rows"] == [{"square": 1}]
    assert task(path, digest, 1).stdout == "" and len(Store(tmp_path / "shards").listing()) == 1


@pytest.mark.parametrize("name", ["batch.json", "0.json"])
@pytest.mark.parametrize("kind", ["another work", "pickle", "link", "pipe", "gone"])
def test_a_description_that_was_replaced_while_the_job_waited_is_refused(tmp_path, name, kind, capsys):
    path, digest = batch_of(tmp_path, cells(1))
    victim = path.with_name(name)
    content = victim.read_text()
    victim.unlink()
    if kind == "another work":
        victim.write_text(content.replace("tests.runner.works:square", "os:abort").replace("none", "moon"))
    elif kind == "pickle":
        victim.write_bytes(pickle.dumps(Planted()))
    elif kind == "link":
        victim.with_name("same").write_text(content)
        victim.symlink_to(victim.with_name("same"))
    elif kind == "pipe":
        os.mkfifo(victim)
    assert chunk.main([str(path), digest]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1 and str(victim) in error
    assert not (tmp_path / "executed").exists() and not (tmp_path / "shards").exists()


def test_a_description_is_plain_json_bound_by_its_digest(tmp_path):
    path, digest = batch_of(tmp_path, cells(2))
    assert sha256(path.read_bytes()).hexdigest() == digest
    batch = json.loads(path.read_bytes())
    assert batch["work"] == "tests.runner.works:square"
    assert batch["chunks"] == [sha256(path.with_name(f"{n}.json").read_bytes()).hexdigest() for n in (0, 1)]


PLANTED = ("signal", "subprocess", "numpy", "joblib", "pickle", "kernlearn", "_planted")


@pytest.mark.slow
def test_workers_import_nothing_from_the_current_directory(tmp_path, monkeypatch):
    """As a new process, for the workers of this one have been started before; -P is what the command itself has."""
    mark = str(tmp_path / "executed")
    for name in PLANTED:
        (tmp_path / f"{name}.py").write_text(f"open({mark!r}, 'a').write({name!r})\nraise SystemExit")
    code = (
        "from kernlearn.runner.engines.execute import execute; from kernlearn.runner.store.store import Store;"
        "from tests.runner.works import cells, square;"
        "print(list(execute(cells(4), Store('shards'), jobs=2, work=square)))"
    )
    environment = {**os.environ, "PYTHONPATH": ROOT}
    environment.pop("PYTHONSAFEPATH", None)
    done = subprocess.run(
        [sys.executable, "-P", "-c", code], env=environment, cwd=tmp_path, capture_output=True, text=True
    )
    assert done.stdout == "['ok', 'ok', 'ok', 'ok']\n", done.stderr
    assert not (tmp_path / "executed").exists()
    before = dict(os.environ)
    list(execute(cells(2), Store(tmp_path / "s"), jobs=2, work=square))
    assert dict(os.environ) == before


def test_a_directory_for_pickles_is_its_owner_s_alone(tmp_path):
    private_directory(tmp_path / "a" / "b")
    assert (tmp_path / "a" / "b").stat().st_mode & 0o777 == 0o700
    (tmp_path / "a").chmod(0o775)
    with pytest.raises(UserError, match=f"{tmp_path}/a: others may write there.*chmod go-w"):
        private_directory(tmp_path / "a" / "b")
    (tmp_path / "a").chmod(0o1777)  # where nobody may rename what is another's
    private_directory(tmp_path / "a" / "b")
    (tmp_path / "link").symlink_to(tmp_path / "a")
    (tmp_path / "a").chmod(0o777)
    with pytest.raises(UserError, match="others may write"):
        private_directory(tmp_path / "link" / "c")


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="needs root, to give a directory away")
def test_a_directory_of_somebody_else_is_none_for_pickles(tmp_path):
    (tmp_path / "theirs").mkdir()
    os.chown(tmp_path / "theirs", 12345, 12345)
    with pytest.raises(UserError, match="belongs to somebody else"):
        private_directory(tmp_path / "theirs" / "mine")


def test_pickled_jobs_of_a_launcher_are_refused_where_others_may_replace_them(tmp_path, capsys):
    pytest.importorskip("hydra_plugins.hydra_submitit_launcher")
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared").chmod(0o775)
    words = ["run", "-m", "dataset=sonar,wdbc", "algo=l1_svm", "results_dir=shared", "hydra/launcher=submitit_local"]
    assert main(words) == 2
    error = capsys.readouterr().err
    assert "others may write there and replace the pickled jobs" in error and error.count("\n") == 1
    assert not list((tmp_path / "shared").rglob("*.pkl"))


def test_a_log_in_the_place_of_which_there_is_a_link_is_not_written(tmp_path, capsys):
    words = ["sweep", "algo=l1_svm", "dataset=sonar", "kernel.degrees=[1]", "algo.betas=[0.1]"]
    assert main([*words, "engine.jobs=1"]) == 0
    (directory,) = (tmp_path / "results/sweeps").iterdir()
    (tmp_path / "precious").write_text("kept")
    (directory / "log.txt").symlink_to(tmp_path / "precious")
    assert main([*words, "--force", "--detach"]) == 2
    assert "log.txt" in capsys.readouterr().err and (tmp_path / "precious").read_text() == "kept"
