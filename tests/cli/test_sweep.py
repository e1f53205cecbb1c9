"""``kernlearn sweep`` and ``status`` as a person uses them."""

import csv
import os
import random
import re
import subprocess
import sys

import pytest

from kernlearn.cli.main import main
from kernlearn.runner.cell.cell import cell_from_json
from kernlearn.runner.cell.run import failure
from kernlearn.runner.plan.plan import Plan
from kernlearn.runner.store.store import Store

QUICK = ["kernel.degrees=[1,2]", "engine.jobs=1"]
TABLE = ["reproduce", "vkr2015/table1", "--datasets", "ionosphere", "--algos", "l1_svm"]


def sweep_directory(tmp_path, results="results"):
    (directory,) = (tmp_path / results / "sweeps").iterdir()
    return directory


def rows(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def test_a_sweep_is_the_runs_it_is_made_of(tmp_path, capsys):
    words = ["dataset=sonar", "algo=l1_svm", *QUICK]
    assert main(["sweep", "seed=range(0,2)", "algo=vkr,l1_svm", "dataset=sonar", *QUICK]) == 0
    out = capsys.readouterr().out
    assert ": 4 experiments" in out and "cells      20, 0 already done" in out and "cells      20/20" in out
    directory = sweep_directory(tmp_path)
    table = rows(directory / "paths.csv")
    assert main(["run", *words, "seed=1"]) == 0  # its cells are those of the sweep
    out = capsys.readouterr().out
    assert "5, 5 already done" in out
    single = rows(tmp_path / out.splitlines()[-1].removeprefix("results: ") / "paths.csv")
    same = [row for row in table if row["algorithm"] == "l1_svm" and row["seed"] == "1"]
    assert [{key: row[key] for key in single[0]} for row in same] == single
    assert {(row["algorithm"], row["metric"]) for row in rows(directory / "summary.csv")} == {
        (algorithm, metric)
        for algorithm in ("vkr_lemma3", "l1_svm")
        for metric in ("error_pct", "balanced_error_pct", "macro_f1_pct", "auc", "n_support_vectors", "n_nonzero")
    }


@pytest.mark.slow
def test_status_and_partial_tables_while_a_sweep_is_under_way(tmp_path, capsys):
    words = ["sweep", "algo=l1_svm", "dataset=sonar,wdbc", *QUICK]
    assert main(words) == 0
    directory, store = sweep_directory(tmp_path), Store(tmp_path / "results/shards")
    whole = (directory / "paths.csv").read_bytes()
    gone = [line.split()[0] for line in (directory / "cells.txt").read_text().splitlines() if "wdbc" in line]
    for key in gone[:4]:
        store.remove(key)
    store.write(gone[4], failure(cell_from_json(store.read(gone[4])["cell"]), "ValueError: no", ""))
    store.path(gone[4]).unlink()
    capsys.readouterr()
    assert main(["status", directory.name]) == 1
    out = capsys.readouterr().out
    assert "cells      10: 5 done, 0 running, 1 failed, 4 missing" in out
    assert "no process is running" in out and "last error wdbc l1_svm seed 0 split 4: ValueError: no" in out
    assert main([*words, "--collect"]) == 1
    captured = capsys.readouterr()
    assert "1 cells failed" in captured.err and "4 cells are missing" in captured.err and "sonar" in captured.out
    assert len(rows(directory / "paths.csv")) == 5 * 14 + 1
    assert main([*words, "--retry-failed"]) == 0
    assert "5 already done" in capsys.readouterr().out
    assert (directory / "paths.csv").read_bytes() == whole


def test_a_damaged_shard_is_named_and_computed_again(tmp_path, capsys, caplog):
    words = ["sweep", "algo=l1_svm", "dataset=sonar", *QUICK]
    assert main(words) == 0
    whole = (sweep_directory(tmp_path) / "paths.csv").read_bytes()
    shards = sorted((tmp_path / "results/shards").glob("??/*.json"))
    content = bytearray(shards[0].read_bytes())
    content[len(content) // 2] ^= 4
    shards[0].write_bytes(content)
    shards[1].write_bytes(shards[1].read_bytes()[:-20])
    capsys.readouterr()
    assert main(words) == 0
    assert "cells      5, 3 already done" in capsys.readouterr().out
    assert all(f"{path}: damaged" in caplog.text for path in shards[:2])
    assert (sweep_directory(tmp_path) / "paths.csv").read_bytes() == whole


@pytest.fixture
def few_of_one_class(tmp_path):
    """Forty examples, three of them of the class b: most test parts have none."""
    rng = random.Random(0)
    lines = [f"{rng.gauss(0, 1)},{rng.gauss(0, 1)},{'b' if i in (5, 17, 31) else 'a'}" for i in range(40)]
    (tmp_path / "few.csv").write_text("\n".join(["x,y,label", *lines]) + "\n")
    return ["dataset=csv", "dataset.path=few.csv", "dataset.target=label", "kernel=gaussian", "engine.jobs=1"]


def test_a_part_of_one_class_has_no_auc_and_everything_else(few_of_one_class, capsys, tmp_path):
    assert main(["run", "algo=unif", *few_of_one_class]) == 0
    out = capsys.readouterr().out
    assert re.search(r"test AUC %\s+\S+( \(\S+\))? of \d of 5 splits", out)
    (path,) = tmp_path.glob("results/runs/*/summary.csv")
    splits = {row["metric"]: int(row["n_splits"]) for row in rows(path)}
    assert splits["error_pct"] == 5 and 0 < splits["auc"] < 5
    assert {row["verdict"] for row in rows(path) if row["metric"] == "auc"} == {"incomplete"}


def test_a_score_that_some_experiment_cannot_have_is_refused_before_anything_runs(capsys, tmp_path):
    words = ["dataset=sonar", "kernel=gaussian", "select_by=rmse", "engine.jobs=1", "algo=unif", "algo.Cs=[1]"]
    assert main(["sweep", "task=regression,classification", *words]) == 2
    assert "select_by=rmse: is a score of real targets" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_one_experiment_that_cannot_be_collected_takes_no_other_s_tables(capsys, tmp_path, monkeypatch):
    """Whatever the reason: here a defect in the choice of a classifier."""

    def select(self, rows, *, original=Plan.select):
        if not self.experiment.is_regression:
            raise ArithmeticError("a defect")
        return original(self, rows)

    monkeypatch.setattr(Plan, "select", select)
    words = ["dataset=sonar", "kernel=gaussian", "engine.jobs=1", "algo=unif", "algo.Cs=[1]"]
    assert main(["sweep", "task=regression,classification", *words]) == 1
    captured = capsys.readouterr()
    assert re.search("sonar unif seed 0 run [0-9a-f]{10}: ArithmeticError: a defect", captured.out)
    assert "1 experiments could not be collected: sonar unif seed 0" in captured.err and captured.err.count("\n") == 1
    directory = sweep_directory(tmp_path)
    assert {row["metric"] for row in rows(directory / "summary.csv")} > {"rmse", "auc"}
    assert {row["test_rmse"] == "" for row in rows(directory / "paths.csv")} == {True, False}
    assert (directory / "provenance.json").exists()


@pytest.mark.slow
def test_all_leaves_out_what_is_not_here(capsys, tmp_path, monkeypatch):
    monkeypatch.delenv("KERNLEARN_DATA", raising=False)
    assert main(["sweep", "algo=vkr", "dataset=all", "--dry-run"]) == 0
    out = capsys.readouterr().out
    assert "left out   ocr49: is not on this machine" in out and "ionosphere" not in out
    assert not (tmp_path / "results").exists()


@pytest.mark.parametrize(
    "command",
    [["run", "dataset=sonar", "results_dir="], ["sweep", "dataset=sonar", "results_dir="], [*TABLE, "--results-dir="]],
    ids=lambda command: command[0],
)
def test_a_dry_run_looks_whether_there_is_a_place_for_the_results(command, capsys, tmp_path):
    (tmp_path / "file").write_text("")
    words, option = command[:-1], command[-1]
    assert main([*words, f"{option}file/results", "--dry-run"]) == 2
    error = capsys.readouterr().err
    assert "Not a directory; choose another place with" in error and option[:-1] in error and error.count("\n") == 1
    assert main([*words, f"{option}file", "--dry-run"]) == 2
    assert "file: is a file; choose another place with" in capsys.readouterr().err
    assert main([*words, f"{option}new/results", "--dry-run"]) == 0
    assert "needs      about" in capsys.readouterr().out
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.slow
def test_a_detached_sweep_goes_on_in_the_background(tmp_path, capsys):
    import time

    assert main(["sweep", "algo=l1_svm", "dataset=sonar", *QUICK, "--detach"]) == 0
    assert "in the background as process" in capsys.readouterr().out
    deadline = time.monotonic() + 90
    while not (sweep_directory(tmp_path) / "summary.csv").exists():
        assert time.monotonic() < deadline, (sweep_directory(tmp_path) / "log.txt").read_text()
        time.sleep(0.2)
    assert main(["status"]) == 0
    assert "5 done, 0 running, 0 failed, 0 missing" in capsys.readouterr().out


@pytest.mark.slow
def test_cells_out_of_memory_or_time_fail_alone_and_can_be_retried(tmp_path, capsys):
    words = ["sweep", "algo=l1_svm", "dataset=gaussians,sonar", "kernel=linear", "algo.betas=[0.1]"]
    assert main([*words, "dataset=gaussians,sonar", "engine.memory=0.02", "+dataset.n=3000"]) == 2  # sonar has no n
    capsys.readouterr()
    words = ["sweep", "algo=l1_svm", "dataset=gaussians", "dataset.n=60,4000", "kernel=linear", "algo.betas=[0.1]"]
    assert main([*words, "engine.jobs=2", "engine.memory=0.05"]) == 1
    captured = capsys.readouterr()
    assert captured.out.count("MemoryError") == 5 and "5 cells failed" in captured.err
    assert main([*words, "engine.jobs=2", "engine.time_limit=0.0005", "--retry-failed"]) == 1
    captured = capsys.readouterr()
    assert captured.out.count("time limit: the cell took longer than engine.time_limit") == 5
    assert main([*words, "engine.jobs=2", "--retry-failed"]) == 0
    assert "cells      10, 5 already done" in capsys.readouterr().out


MISTAKES = {
    "algo=vkrr": "algo=vkrr: must be one of",
    "dataset=sonar,iris": "dataset=iris: must be one of",
    "seed=range(0,-1)": "range",
    "seed=1,x": "seed=x: must be an integer",
    "engine=slurm,local": "one value for the whole sweep",
    "engine=moon": "engine=moon: must be one of",
    "engine.jobs=-1": "engine.jobs=-1: must be an integer >= 0",
    "engine=dask": "engine.address is missing",
    "hydra.launcher.n_jobs=1": "with kernlearn run -m",
    "--retry": "no such option",
    "words": "words",
}


@pytest.mark.parametrize("word", sorted(MISTAKES))
def test_a_mistake_is_one_line_and_nothing_is_written(word, capsys, tmp_path):
    assert main(["sweep", word]) == 2
    error = capsys.readouterr().err
    assert error.startswith("kernlearn: error: ") and error.count("\n") == 1 and MISTAKES[word] in error
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_sweep(capsys):
    assert main(["status", "abc"]) == 2
    assert "there are no sweeps in results; --results-dir DIR" in capsys.readouterr().err


@pytest.fixture
def small_disk(tmp_path):
    """A file system of 80 kB."""
    place = tmp_path / "disk"
    place.mkdir()
    if os.geteuid() or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=80k", "none", place]).returncode:
        pytest.skip("a small file system needs root and mount")
    yield place
    subprocess.run(["umount", "-l", place], check=True)


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_a_full_disk_is_named_and_nothing_is_lost(small_disk, tmp_path, jobs, capsys):
    words = ["sweep", "algo=l1_svm", "dataset=sonar", "seed=range(0,2)", "kernel.degrees=[1,2]", f"engine.jobs={jobs}"]
    assert main([*words, "results_dir=whole"]) == 0
    capsys.readouterr()
    assert main([*words, "results_dir=disk/results"]) == 2
    error = capsys.readouterr().err
    assert "No space left on device" in error and "disk/results" in error and error.count("\n") == 1
    assert not list(small_disk.rglob(".*.json.*"))
    subprocess.run(["mount", "-o", "remount,size=20m", small_disk], check=True)
    assert main([*words, "results_dir=disk/results"]) == 0
    assert "cells      10, 0 already done" not in capsys.readouterr().out
    one, other = sweep_directory(tmp_path, "whole"), sweep_directory(tmp_path, "disk/results")
    assert (one / "paths.csv").read_bytes() == (other / "paths.csv").read_bytes()


def test_a_directory_that_cannot_be_written_to(small_disk, capsys):
    subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)
    assert main(["sweep", "algo=l1_svm", "dataset=sonar", *QUICK, "results_dir=disk"]) == 2
    error = capsys.readouterr().err
    assert "Read-only file system; choose another place with results_dir=DIR" in error and error.count("\n") == 1


@pytest.mark.slow
def test_multirun_through_joblib_works(tmp_path):
    pytest.importorskip("hydra_plugins.hydra_joblib_launcher")
    words = ["run", "-m", "dataset=sonar,wdbc", "algo=l1_svm", "kernel.degrees=[1]", "engine.jobs=1"]
    command = [sys.executable, "-m", "kernlearn.cli.main", *words, "hydra/launcher=joblib", "hydra.launcher.n_jobs=2"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    assert len(list((tmp_path / "results").glob("runs/*/summary.csv"))) == 2


def test_help_is_quick_and_complete():
    out = subprocess.run([sys.executable, "-m", "kernlearn.cli.main", "--help"], capture_output=True, text=True).stdout
    assert "sweep" in out and "status" in out
