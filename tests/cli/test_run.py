"""``kernlearn run`` as a person uses it, in this process."""

import csv
import json

import numpy as np
import pytest

from kernlearn.algorithms import ALGORITHMS
from kernlearn.cli.main import main
from kernlearn.evaluation import PROTOCOLS
from kernlearn.kernels import FAMILIES
from kernlearn.papers.core.compare import TOO_FEW
from kernlearn.runner.cell import run

QUICK = ["algo.lambdas=[0.1,0.01]", "algo.betas=[0.01]", "engine.jobs=1"]


def rows(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def last_directory(capsys, tmp_path):
    line = capsys.readouterr().out.splitlines()[-1]
    assert line.startswith("results: ")
    return tmp_path / line.removeprefix("results: ")


@pytest.fixture
def write_csv(tmp_path):
    """Write a data file with two overlapping classes; `change` alters the list of lines."""

    def write(change=lambda lines: lines, n=40, name="my.csv"):
        rng = np.random.default_rng(0)
        X = rng.normal(size=(n, 2)) + np.arange(n)[:, None] % 2
        lines = ["a,b,label"] + [f"{x:.6f},{z:.6f},{'yes' if i % 2 else 'no'}" for i, (x, z) in enumerate(X)]
        (tmp_path / name).write_text("\n".join(change(lines)) + "\n")
        return ["run", "dataset=csv", f"dataset.path={name}", "dataset.target=label", *QUICK]

    return write


def test_a_run_from_the_words_to_the_tables(tmp_path, capsys):
    assert main(["run", "algo=vkr", "dataset=ionosphere", *QUICK]) == 0
    out = capsys.readouterr().out
    assert "ionosphere: 351 x 34, classes" in out and "2 x 5 (grid points, splits) = 10 linear programs" in out
    for part in ("selected   lambda=", "test error %", "support vectors", "largest relative gap"):
        assert part in out
    assert "vkr2015" not in out  # no printed values beside those of another grid
    directory = tmp_path / out.splitlines()[-1].removeprefix("results: ")
    table = rows(directory / "paths.csv")
    assert len(table) == 10 and {row["status"] for row in table} == {"optimal"}
    assert max(float(row["gap"]) for row in table) <= 1e-9
    for row in table:
        assert float(row["test_error_pct"]) == pytest.approx(100 * int(row["test_errors"]) / int(row["n_test"]))
    summary = rows(directory / "summary.csv")
    metrics = ["error_pct", "balanced_error_pct", "macro_f1_pct", "auc", "n_support_vectors", "n_nonzero"]
    assert [row["metric"] for row in summary] == metrics
    assert {row["paper"] + row["delta"] + row["verdict"] for row in summary} == {""}
    assert rows(tmp_path / "results" / "summary.csv") == summary
    record = json.loads((directory / "provenance.json").read_text())
    assert record["chosen_by"] == {"select_by": "error_pct", "rule": "overall"}
    assert record["experiment"]["seed"] == 0 and record["computed"][0]["packages"]["highspy"]
    assert [len(data["sha256"]) for data in record["data"]] == [64]
    assert record["cell_seconds"]["ionosphere vkr_lemma3"] > 0


@pytest.mark.slow
def test_printed_values_stand_beside_one_partition_without_a_verdict(tmp_path, capsys):
    assert main(["run", "algo=vkr", "dataset=ionosphere", "engine.jobs=1"]) == 0
    out = capsys.readouterr().out
    hint = "kernlearn reproduce vkr2015/table1 --datasets ionosphere --algos vkr_lemma3 --seeds 10"
    assert "vkr2015 table 1  delta\n" in out and f"to compare with the paper; to compare: {hint}\n" in out
    assert main([*hint.split()[1:], "--collect"]) == 1  # a command that exists: only its cells are missing
    summary = rows(tmp_path / out.splitlines()[-1].removeprefix("results: ") / "summary.csv")
    assert float(summary[0]["delta"]) == pytest.approx(float(summary[0]["mean"]) - 3.99)
    assert summary[0]["verdict"] == TOO_FEW


def test_a_dry_run_checks_everything_and_writes_nothing(tmp_path, capsys):
    assert main(["run", "algo=vkr", "dataset=ionosphere", "--dry-run"]) == 0
    assert "49 x 5 (grid points, splits)" in capsys.readouterr().out
    assert main(["run", "algo=vkr", "dataset=ionosphere", "algo.lambdas=[-1]", "--dry-run"]) == 2
    assert "algo.lambdas" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_running_again_runs_nothing_and_says_so(tmp_path, capsys):
    command = ["run", "dataset=sonar", *QUICK]
    assert main(command) == 0
    directory = last_directory(capsys, tmp_path)
    before = {path: path.read_bytes() for path in directory.glob("*.csv")}
    shards = {path: path.stat().st_mtime_ns for path in (tmp_path / "results/shards").rglob("*.json")}
    assert main(command) == 0
    assert "5 already done: nothing to run" in capsys.readouterr().out
    assert {path: path.read_bytes() for path in directory.glob("*.csv")} == before
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "results/shards").rglob("*.json")} == shards
    assert main([*command, "--force"]) == 0
    assert "0 already done" in capsys.readouterr().out


@pytest.mark.slow
def test_tables_are_the_same_bytes_for_any_number_of_jobs(tmp_path, capsys):
    tables = []
    for jobs in (1, 2):
        assert main(["run", "dataset=ionosphere", *QUICK, f"engine.jobs={jobs}", f"results_dir=r{jobs}"]) == 0
        directory = last_directory(capsys, tmp_path)
        tables.append([(directory / name).read_bytes() for name in ("paths.csv", "summary.csv")])
    assert tables[0] == tables[1]


@pytest.mark.slow
def test_many_runs_end_in_one_summary(tmp_path, capsys):
    grid = ["kernel.degrees=[1]", "engine.jobs=1"]
    assert main(["run", "-m", "algo=vkr,l1_svm,l2_svm", "dataset=sonar,wdbc", *grid]) == 0
    table = rows(tmp_path / "results" / "summary.csv")
    assert {(row["dataset"], row["algorithm"]) for row in table} == {
        (dataset, label) for dataset in ("sonar", "wdbc") for label in ("vkr_lemma3", "l1_svm", "l2_svm")
    }
    assert len(table) == 36


def test_more_than_two_classes(capsys, write_csv):
    def three(lines):
        return lines[:1] + [line + ("" if i % 3 else "x") for i, line in enumerate(lines[1:])]

    assert main(write_csv(three, n=60)) == 0
    out = capsys.readouterr().out
    assert "2 x 5 x 6 x 4 (grid points, splits, folds and the whole training part, classes against the rest)" in out


@pytest.mark.parametrize("dataset", ["twonorm", "gaussians"])
def test_generated_data(dataset):
    assert main(["run", f"dataset={dataset}", "dataset.n=60", "dataset.seed=3", "kernel=gaussian", *QUICK]) == 0


@pytest.mark.sampled(3)
@pytest.mark.parametrize("scaling", ["none", "minmax", "standard"])
@pytest.mark.parametrize("kernel", ["linear", "gaussian"])
def test_scalings_and_kernels(scaling, kernel, write_csv):
    assert main([*write_csv(), f"scaling={scaling}", f"kernel={kernel}"]) == 0


def test_duplicate_examples_and_constant_columns_are_harmless(write_csv):
    def twice_with_a_constant(lines):
        wider = [
            line.replace(",label", ",c,label") if i == 0 else line.replace(",", ",7,", 1)
            for i, line in enumerate(lines)
        ]
        return wider[:1] + wider[1:] * 2

    assert main(write_csv(twice_with_a_constant)) == 0


def test_a_failed_cell_is_a_row_and_the_others_finish(tmp_path, capsys, monkeypatch):
    measure = run.measure

    def fails_on_split_3(cell, *rest):
        if cell.split == 3:
            raise FloatingPointError("too\nbad")
        return measure(cell, *rest)

    monkeypatch.setattr(run, "measure", fails_on_split_3)
    command = ["run", "dataset=sonar", *QUICK]
    assert main(command) == 1
    captured = capsys.readouterr()
    (kept,) = (tmp_path / "results/shards").rglob("*.failed.json")
    line = f"split 3 failed: FloatingPointError: too bad; traceback in {kept.relative_to(tmp_path)}\n"
    assert line in captured.out and "in fails_on_split_3" not in captured.out + captured.err
    assert "1 cells failed; --retry-failed runs failed cells again" in captured.err
    directory = tmp_path / captured.out.splitlines()[-1].removeprefix("results: ")
    failed = [row for row in rows(directory / "paths.csv") if row["status"].startswith("failed")]
    assert [row["split"] for row in failed] == ["3"]
    assert {row["verdict"] for row in rows(directory / "summary.csv")} == {"incomplete"}
    shards = [json.loads(path.read_bytes().split(b"\n")[1]) for path in (tmp_path / "results/shards").rglob("*.json")]
    assert ["fails_on_split_3" in shard["traceback"] for shard in shards if shard["status"] == "failed"] == [True]
    monkeypatch.undo()
    monkeypatch.chdir(tmp_path)
    assert main([*command, "--debug"]) == 1  # what failed is not run again unless asked for
    captured = capsys.readouterr()
    assert "nothing to run" in captured.out and "in fails_on_split_3" in captured.err
    assert main([*command, "--retry-failed"]) == 0
    assert "4 already done" in capsys.readouterr().out
    monkeypatch.setattr(run, "measure", fails_on_split_3)
    assert main([*command, "--force"]) == 0
    assert "note       1 cells failed this time; their numbers are earlier ones; traceback" in capsys.readouterr().out


WRONG = {
    "algo=vkrr": f"algo=vkrr: must be one of {', '.join(sorted(ALGORITHMS))}",
    "dataset=iris": "dataset=iris: must be one of",
    "dataset=../../etc/passwd": "dataset=../../etc/passwd: must be one of",
    "kernel=cosine": f"kernel=cosine: must be one of {', '.join(sorted(FAMILIES))}",
    "protocol=loo": f"protocol=loo: must be one of {', '.join(sorted(PROTOCOLS))}",
    "engine=moon": "engine=moon: must be one of",
    "algo.lambd=1": "algo.lambd: unknown key",
    "+algo.lambd=1": "algo.lambd: unknown key, algo has: complexity, lambdas, betas",
    "algo.complexity=lemma5": "algo.complexity=lemma5: must be one of lemma3, lemma4",
    "algo.lambdas=[1,-1]": "algo.lambdas[1]=-1: must be a number >= 0",
    "algo.betas=3": "algo.betas=3: must be a list such as [1, 2]",
    "algo.tol=0": "algo.tol=0: must be a number >= 1e-12",
    "kernel.degrees=[]": "kernel.degrees=[]: must be a list",
    "kernel.degrees=[0]": "kernel.degrees[0]=0: must be an integer >= 1",
    "kernel.coef0=-1": "kernel.coef0=-1: must be a number >= 0",
    "scaling=huge": "scaling=huge: must be one of unit, none, minmax, standard",
    "seed=abc": "seed=abc: must be an integer",
    "seed=-1": "seed=-1: must be an integer >= 0",
    "engine.jobs=-3": "engine.jobs=-3: must be an integer >= 0",
    "force=perhaps": "force=perhaps: must be true or false",
    "results_dir=null": "results_dir=None: must be a text",
    "kernel={name: gaussian}": "kernel.degrees: unknown key, kernel has: gammas",
    "algo=null": "algo=null: dataset, kernel, algo, protocol, engine take names",
    "dataset=csv": "dataset.path is missing: give dataset.path=VALUE",
    "nonsense": "nonsense",
    "+foo=1": "foo: unknown key, there are: dataset, scaling",
    "--bogus": "--bogus: no such option (kernlearn run --help)",
    "--results-dir": "--results-dir: no such option (kernlearn run --help); write results_dir=VALUE",
    "algo=[": "algo=[",
    "seed=${nowhere}": "nowhere",
}


@pytest.mark.parametrize("override", sorted(WRONG))
def test_a_mistake_is_one_line_and_exit_code_2(override, capsys, tmp_path):
    assert main(["run", override]) == 2
    captured = capsys.readouterr()
    assert captured.err.startswith("kernlearn: error: ") and captured.err.count("\n") == 1
    assert WRONG[override] in captured.err
    assert list(tmp_path.iterdir()) == []


BAD_FILES = {
    "nan": (lambda lines: [*lines[:3], "nan,1,yes", *lines[3:]], "nan"),
    "text": (lambda lines: [*lines[:3], "1,red,yes", *lines[3:]], "red"),
    "one class": (lambda lines: [lines[0]] + [line.replace("yes", "no") for line in lines[1:]], "class"),
    "fewer examples than folds": (lambda lines: lines[:5], "4 examples, of no class more than 2, cannot be"),
    "empty": (lambda lines: [], "empty"),
    "header only": (lambda lines: lines[:1], "my.csv"),
    "ragged": (lambda lines: [*lines[:4], "1,2", *lines[4:]], "line 5"),
    "a class seen once": (
        lambda lines: [*[ln.replace("yes", "no") for ln in lines], "1,1,yes"],
        "class 'yes' has one example: it cannot be both learned from and tested",
    ),
    "huge": (lambda lines: [*lines, "1e120,1e120,yes"], "overflows"),
    "too large to square": (lambda lines: [*lines, "1e200,1e200,yes"], "is too large to square"),
}


@pytest.mark.parametrize("name", sorted(BAD_FILES))
def test_a_bad_data_file_is_one_line_and_exit_code_2(name, capsys, write_csv, tmp_path):
    change, message = BAD_FILES[name]
    assert main([*write_csv(change), "scaling=none", "kernel=polynomial"]) == 2
    captured = capsys.readouterr()
    assert captured.err.startswith("kernlearn: error: ") and captured.err.count("\n") == 1
    assert message in captured.err
    assert not (tmp_path / "results").exists()


def test_a_wrong_target_column_lists_those_there_are(capsys, write_csv):
    assert main([*write_csv(), "dataset.target=lable"]) == 2
    error = capsys.readouterr().err
    assert "lable" in error and "label" in error.replace("lable", "")


def test_a_column_can_be_left_out_and_one_that_counts_is_told_of(tmp_path, capsys, write_csv):
    def numbered(lines):
        return ["id," + lines[0], *(f"{i},{line}" for i, line in enumerate(lines[1:]))]

    assert main([*write_csv(), "dataset.name=mine"]) == 0
    assert main([*write_csv(numbered), "dataset.name=mine"]) == 0
    assert "column 'id' only numbers the examples; 'dataset.drop=[id]'" in capsys.readouterr().out
    for drop in ("id", "[0]"):
        assert main([*write_csv(numbered), "dataset.name=mine", f"dataset.drop={drop}"]) == 0
        assert "numbers the examples" not in capsys.readouterr().out

    def twice(lines):
        return ["no,id," + lines[0], *(f"{i},{9 - 2 * i},{line}" for i, line in enumerate(lines[1:]))]

    assert main([*write_csv(twice), "dataset.name=mine", "--dry-run"]) == 0
    assert "column 'no' and column 'id' only number the examples; 'dataset.drop=[no,id]'" in capsys.readouterr().out
    runs = {row["run"]: row for row in rows(tmp_path / "results/summary.csv")}.values()
    assert len(runs) == 4 and len({row["sha256"] for row in runs}) == 2  # that of the data without the column thrice
    assert sorted("dataset.drop" in row["parameters"] for row in runs) == [False, False, True, True]


def test_a_complexity_that_a_kernel_does_not_have(capsys):
    assert main(["run", "kernel=gaussian", "algo.complexity=lemma4"]) == 2
    assert "use algo.complexity=lemma3" in capsys.readouterr().err


def test_results_that_cannot_be_written(capsys, tmp_path):
    (tmp_path / "file").write_text("")
    assert main(["run", "dataset=sonar", *QUICK, "results_dir=file/results"]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1 and "results_dir=DIR" in error


def test_debug_shows_the_traceback(monkeypatch):
    with pytest.raises(ValueError, match="algo=vkrr"):
        main(["--debug", "run", "algo=vkrr"])


@pytest.mark.slow
def test_five_runs_on_five_files_of_one_name_are_five(tmp_path, capsys, write_csv):
    """In the summary, as directories, in a sweep and in its provenance."""
    for i in range(5):
        (tmp_path / f"d{i}").mkdir()
        command = write_csv(lambda lines, i=i: lines + [f"0.{i},1,yes"], name=f"d{i}/my.csv")
        assert main(command) == 0
    table = rows(tmp_path / "results/summary.csv")
    assert {row["data"] for row in table} == {str(tmp_path / f"d{i}/my.csv") for i in range(5)}
    assert len({row["run"] for row in table}) == len({row["sha256"] for row in table}) == 5
    assert {row["dataset"] for row in table} == {"my"} and {row["protocol"] for row in table} == {"nested5x5"}
    assert {row["parameters"] for row in table} == {"dataset.target=label algo.lambdas=[0.1,0.01] algo.betas=[0.01]"}
    assert all(row["selected"].startswith("lambda=0.") and float(row["validation_score"]) >= 0 for row in table)
    directories = sorted(path.name for path in (tmp_path / "results/runs").iterdir())
    assert len(directories) == 5 and all(name.startswith("my-vkr_lemma3-gaussian-seed0-") for name in directories)
    capsys.readouterr()
    paths = ",".join(f"d{i}/my.csv" for i in range(5))
    assert main(["sweep", *command[1:2], f"dataset.path={paths}", *command[3:]]) == 0
    out = capsys.readouterr().out
    assert "cells      25, 25 already done" in out and all(f"{tmp_path}/d{i}/my.csv" in out for i in range(5))
    (directory,) = (tmp_path / "results/sweeps").iterdir()
    assert {row["run"] for row in rows(directory / "paths.csv")} == {row["run"] for row in table}
    assert len(json.loads((directory / "provenance.json").read_text())["data"]) == 5


@pytest.mark.slow
def test_a_file_of_one_s_own_may_have_a_name(tmp_path, capsys, write_csv):
    command = write_csv()
    assert main([*command, "dataset.name=mine"]) == 0
    out = capsys.readouterr().out
    assert "data       mine: 40 x 2" in out and "5, 0 already done" in out
    assert main(command) == 0 and "5, 5 already done" in capsys.readouterr().out  # the same data
    assert {row["dataset"] for row in rows(tmp_path / "results/summary.csv")} == {"mine", "my"}
    for name, text in {
        "pima": "is a data set of the catalogue",
        "a/b": "must be 1 to 64",
        "''": "must be 1 to 64",
    }.items():
        assert main([*command, f"dataset.name={name}"]) == 2
        assert text in capsys.readouterr().err


def test_runs_that_differ_in_the_choice_of_a_grid_point_alone_are_two(tmp_path):
    command = ["run", "algo=l1_svm", "dataset=sonar", "kernel.degrees=[1,2]", "algo.betas=[0.1,0.01]", "engine.jobs=1"]
    assert main(command) == main([*command, "select_by=auc"]) == 0
    table = rows(tmp_path / "results/summary.csv")
    assert {row["select_by"] for row in table} == {"error_pct", "auc"} and len({row["run"] for row in table}) == 2
    assert main([*command, "select_by=error_pct"]) == 0 and rows(tmp_path / "results/summary.csv") == table


def test_a_summary_of_an_earlier_version_or_none_at_all_stops_nobody(tmp_path, caplog):
    for name, content in {
        "a-1": b"dataset,setting,algorithm,metric,mean\nsonar,x,old,auc,1\n",
        "b-2": b"\xff\xfe\x00",
    }.items():
        (tmp_path / "results/runs" / name).mkdir(parents=True)
        (tmp_path / "results/runs" / name / "summary.csv").write_bytes(content)
    assert main(["run", "dataset=sonar", *QUICK]) == 0
    table = rows(tmp_path / "results/summary.csv")
    assert {(row["algorithm"], row["run"] == "1") for row in table} == {("old", True), ("vkr_lemma3", False)}
    assert "b-2/summary.csv: damaged" in caplog.text


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["dataset=dna", "algo=unif", "select_by=auc"], "is a score of two classes, these are 3"),
        (["dataset=sonar", "algo=unif", "select_by=rmse"], "is a score of real targets"),
    ],
)
def test_a_score_that_cannot_be_is_refused_before_anything_runs(words, said, capsys):
    assert main(["run", *words, "kernel=gaussian", "--dry-run"]) == 2
    assert said in capsys.readouterr().err
