"""``kernlearn reproduce`` on small rows of a real table."""

import csv
import json
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from kernlearn.cli.main import main
from kernlearn.cli.work.addition import part_of, partial_name, read_kept, read_kept_alone
from kernlearn.cli.work.failures import Account
from kernlearn.cli.work.table import available, measured, plan_table, restrict
from kernlearn.evaluation import ChosenBy
from kernlearn.papers import load_table, table_names
from kernlearn.runner.engines.execute import execute
from kernlearn.runner.store.files import exclusive_lock
from kernlearn.runner.store.store import Store

SMALL = ["reproduce", "vkr2015/table1", "--datasets", "ionosphere", "--algos", "vkr_lemma4", "--jobs", "1"]


def test_a_part_of_a_table_runs_resumes_and_compares(tmp_path, capsys):
    assert main(SMALL) == 0
    out = capsys.readouterr().out
    assert "cells      5, 0 already done" in out and "ionosphere  vkr_lemma4" in out and "4.27 (2.00)" in out
    files = {path.name: path for path in (tmp_path / "results/vkr2015").iterdir()}
    (name,) = {path.stem for path in files.values() if path.suffix == ".md"}
    assert re.fullmatch("table1-partial-[0-9a-f]{8}", name)  # another part of the table has another name
    assert set(files) == {f"{name}{end}" for end in (".csv", ".md", ".provenance.json", "_partitions.csv")}
    with files[f"{name}.csv"].open(newline="") as file:
        row = next(csv.DictReader(file))
    assert row["paper_mean"] == "4.27" and abs(float(row["mean"]) - 4.27 - float(row["delta"])) < 1e-9
    assert row["setting"] == "algo=vkr algo.complexity=lemma4"
    record = json.loads(files[f"{name}.provenance.json"].read_text())
    assert record["experiments"]["ionosphere vkr_lemma4"]["algo"]["complexity"] == "lemma4"
    before = files[f"{name}.csv"].read_bytes()
    assert main(SMALL) == 0
    assert "5 already done: nothing to run" in capsys.readouterr().out
    assert files[f"{name}.csv"].read_bytes() == before


@pytest.mark.slow
def test_a_part_is_added_to_what_the_files_have_without_their_cells(tmp_path, capsys):
    """As in a clone of a project, which has the tables and not the cells."""
    add = ["reproduce", "vkr2015/table1", "--datasets", "ionosphere", "--jobs", "1", "--add", "--algos"]
    there = tmp_path / "results/vkr2015"
    assert main([*add, "l1_svm"]) == 0
    shutil.rmtree(tmp_path / "results/shards")
    assert main([*add, "vkr_lemma4"]) == 0
    apart = {path.name: path.read_bytes() for path in there.iterdir() if path.suffix in (".csv", ".md")}
    assert set(apart) == {"table1.csv", "table1.md", "table1_partitions.csv"}
    record = json.loads((there / "table1.provenance.json").read_text())
    assert sum(environment["cells"] for environment in record["computed"]) == 10 and len(record["data"]) == 1
    assert set(record["experiments"]) == set(record["cell_seconds"]) == {"ionosphere l1_svm", "ionosphere vkr_lemma4"}
    capsys.readouterr()
    assert main([*add, "l1_svm", "vkr_lemma4"]) == 0  # the first's cells are not there any more
    assert "nothing to add" in capsys.readouterr().out
    shutil.rmtree(there)
    assert main([*add, "vkr_lemma4", "l1_svm"]) == 0  # at once
    assert {path.name: path.read_bytes() for path in there.iterdir() if path.suffix in (".csv", ".md")} == apart


@pytest.fixture(scope="module")
def files_of_a_table(tmp_path_factory):
    """Return a directory with the files of a table, which nobody may change."""
    results = tmp_path_factory.mktemp("results")
    assert main([*SMALL, "--add", "--results-dir", str(results)]) == 0
    return results


def other_experiment(path):
    older_version(path)
    record = path.with_name("table1.provenance.json")
    record.write_text(record.read_text().replace('"scaling": "unit"', '"scaling": "none"'))


def older_version(path):
    path.write_text(re.sub("^[0-9a-f]{10},", "0123456789,", path.read_text(), flags=re.MULTILINE))
    without_digest(path)


def without_digest(path):
    record = path.with_name("table1.provenance.json")
    content = json.loads(record.read_text())
    del content["partitions"]
    record.write_text(json.dumps(content))


def replaced(old, new):
    def damage(path):
        assert old in path.read_text()
        path.write_text(path.read_text().replace(old, new, 1))
        without_digest(path)

    return damage


@pytest.mark.slow
def test_two_that_add_at_once_lose_nothing(tmp_path):
    add = ["reproduce", "vkr2015/table1", "--datasets", "ionosphere", "--jobs", "1", "--add", "--algos"]
    there = tmp_path / "results/vkr2015"
    assert main([*add, "l1_svm", "l2_svm"]) == 0
    for _ in range(2):  # their cells are in the store, so that both come to the writing
        shutil.rmtree(there)
        commands = [[sys.executable, "-m", "kernlearn.cli.main", *add, algorithm] for algorithm in ("l1_svm", "l2_svm")]
        both = [subprocess.Popen(command, stdout=subprocess.DEVNULL) for command in commands]
        assert [one.wait() for one in both] == [0, 0]
        with (there / "table1.csv").open(newline="") as file:
            assert {row["algorithm"] for row in csv.DictReader(file)} == {"l1_svm", "l2_svm"}
        named = "`kernlearn reproduce vkr2015/table1 --datasets ionosphere --algos l2_svm l1_svm --seeds 1`"
        assert named in (there / "table1.md").read_text()  # and no command that would run all eleven sets


@pytest.mark.slow
def test_what_is_kept_is_read_while_nobody_writes_it(files_of_a_table, tmp_path):
    """The files of a table are written one after the other; with some of them only it would be damaged."""
    shutil.copytree(files_of_a_table, tmp_path / "results")
    record = tmp_path / "results/vkr2015/table1.provenance.json"
    with ThreadPoolExecutor() as pool:
        with exclusive_lock(record.parent):
            content = record.read_bytes()
            record.unlink()
            reading = pool.submit(read_kept_alone, tmp_path / "results", load_table("vkr2015/table1"))
            with pytest.raises(TimeoutError):
                reading.result(timeout=0.5)
            record.write_bytes(content)
        assert reading.result(timeout=60).partitions


@pytest.mark.slow
@pytest.mark.parametrize(
    "damage, message",
    [
        (other_experiment, "have another experiment as ionosphere vkr_lemma4 seed 0"),
        (lambda path: path.unlink(), "table1_partitions.csv: is missing, although table1.provenance.json exists"),
        (lambda path: path.write_text(""), "table1_partitions.csv: damaged"),
        (lambda path: path.write_text("".join(path.read_text().splitlines(True)[:2])), "changed since it was written"),
        (replaced("ionosphere,vkr_lemma4", "mars,vkr_lemma4"), "line 2 is damaged"),
        (replaced(",0,error_pct,", ",0,error_pct,1"), "line 2 is damaged"),
        (
            lambda path: path.write_text(path.read_text() + path.read_text().splitlines(True)[1]),
            "line 7 is there twice",
        ),
        (lambda path: path.with_name("table1.provenance.json").unlink(), "table1.provenance.json: is missing"),
        (lambda path: path.with_name("table1.provenance.json").write_text('{"data": 5}'), "provenance.json: damaged"),
    ],
)
def test_nothing_is_added_to_files_that_are_not_as_they_were(files_of_a_table, damage, message, tmp_path, capsys):
    results = tmp_path / "results"
    shutil.copytree(files_of_a_table, results)
    path = results / "vkr2015/table1_partitions.csv"
    damage(path)
    before = {file.name: file.read_bytes() for file in path.parent.iterdir()}
    capsys.readouterr()
    assert main([*SMALL, "--add", "--seeds", "2", "--results-dir", str(results)]) == 2
    assert message in capsys.readouterr().err
    assert {file.name: file.read_bytes() for file in path.parent.iterdir()} == before


@pytest.mark.slow
def test_results_of_an_older_version_are_replaced(files_of_a_table, tmp_path, capsys):
    results = tmp_path / "results"
    shutil.copytree(files_of_a_table, results)
    path = results / "vkr2015/table1_partitions.csv"
    before = path.read_bytes()
    older_version(path)
    assert main([*SMALL, "--add", "--results-dir", str(results)]) == 0
    assert "results of vkr_lemma4 are of an older version, and are computed again" in capsys.readouterr().out
    assert path.read_bytes() == before


@pytest.mark.slow
def test_a_part_can_be_added_to_every_table_that_is_kept(capsys):
    """Nothing that a command has written is taken for damage."""
    results = Path(__file__).parents[2] / "results"
    read = {table.name: read_kept(results, table) for table in map(load_table, table_names()) if not table.points}
    assert all(read[name].partitions for name in ("vkr2015/table1", "mkl2010/fig3_1", "rmm2010/table2_1"))


def test_a_table_with_points_is_computed_whole(capsys):
    assert main(["reproduce", "localrad2013/fig2", "--add"]) == 2
    assert "has points" in capsys.readouterr().err


def test_the_list_tells_the_state(capsys):
    assert main(["reproduce", "--list"]) == 0
    out = capsys.readouterr().out
    assert "vkr2015/table1" in out and "vkr2015/gaussian" in out and "not run" in out


@pytest.mark.slow
def test_data_that_cannot_be_had_leave_the_rest_done(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("KERNLEARN_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("KERNLEARN_DATA", raising=False)
    command = [
        "reproduce",
        "vkr2015/table1",
        "--datasets",
        "ionosphere",
        "ocr49",
        "--algos",
        "vkr_lemma4",
        "--jobs",
        "1",
    ]
    assert main(command) == 1  # ocr49 has no official archive, so nothing goes to the network
    captured = capsys.readouterr()
    assert "ocr49: " in captured.out and "1 data sets are missing\n" in captured.err
    assert "ionosphere  vkr_lemma4" in captured.out


@pytest.mark.parametrize("switch", [["--dry-run"], []])
def test_where_no_data_can_be_had_that_is_said_and_nothing_written(switch, tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("KERNLEARN_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("KERNLEARN_DATA", raising=False)
    assert main(["reproduce", "vkr2015/table1", "--datasets", "ocr49", "--results-dir", "made", *switch]) == 1
    captured = capsys.readouterr()
    assert "ocr49: " in captured.out and "nothing to run" not in captured.out
    assert "1 data sets are missing\n" in captured.err and not (tmp_path / "made").exists()


def test_rows_that_lack_the_same_data_share_a_line(tmp_path, capsys, monkeypatch):
    """The 25 rows of table 5.1 are of one archive, which is damaged here, so nothing goes to the network."""
    monkeypatch.setenv("KERNLEARN_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("KERNLEARN_DATA", str(tmp_path))
    (tmp_path / "20news-bydate.tar.gz").write_bytes(b"no archive")
    assert main(["reproduce", "rmm2010/table5_1", "--results-dir", "made"]) == 1
    captured = capsys.readouterr()
    (line,) = [line for line in captured.out.splitlines() if "20news" in line]
    assert line.startswith("r_a_l30, r_a_l50, r_a_l70 and 22 more: ")
    assert "25 data sets are missing\n" in captured.err and not (tmp_path / "made").exists()


def test_a_dry_run_says_which_data_are_missing_beside_others(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("KERNLEARN_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("KERNLEARN_DATA", raising=False)
    words = ["--datasets", "ionosphere", "ocr49", "--algos", "vkr_lemma4", "--dry-run"]
    assert main(["reproduce", "vkr2015/table1", *words]) == 1
    captured = capsys.readouterr()
    assert "cells      5, 0 already done" in captured.out and "ocr49: " in captured.out
    assert "1 data sets are missing\n" in captured.err


def test_a_dry_run_of_a_figure_without_cells_says_so(capsys):
    assert main(["reproduce", "mkl2010/fig2_3", "--dry-run"]) == 0
    assert "points     computed again every time" in capsys.readouterr().out


@pytest.mark.slow
def test_one_experiment_s_trouble_takes_no_other_s_rows(tmp_path):
    """A classifier has no RMSE to be chosen by."""
    table = restrict(load_table("vkr2015/table1"), ["ionosphere"], ["l2_svm", "vkr_lemma4"])
    first, second = plan_table(table, available(table.rows)[0], [0])
    store = Store(tmp_path / "shards")
    cells = [cell for one in (first, second) for cell in one.experiment.plan.cells]
    assert set(execute(cells, store, jobs=1)) == {"ok"}
    by_rmse = replace(first.experiment.plan, chosen_by=ChosenBy("rmse"))
    wrong = first._replace(experiment=replace(first.experiment, plan=by_rmse))
    account = Account()
    partitions = measured(table, [wrong, second], store, account)
    assert {row["algorithm"] for row in partitions} == {second.column.name}
    (title,) = account.troubles
    assert title == f"ionosphere {first.column.name} seed 0" and "select_by=rmse" in str(account.troubles[title])


@pytest.mark.slow
def test_a_partition_counts_whole_or_not_at_all(tmp_path, capsys):
    """With a cell missing its mean would be that of other splits than the verdict takes it for."""
    command = [word.replace("vkr_lemma4", "l1_svm") for word in SMALL] + ["--seeds", "2"]
    assert main(command) == 0
    store, kept = Store(tmp_path / "results/shards"), tmp_path.glob("results/vkr2015/*_partitions.csv")
    table = restrict(load_table("vkr2015/table1"), ["ionosphere"], ["l1_svm"])
    second = plan_table(table, available(table.rows)[0], [0, 1])[1]
    store.remove(second.experiment.plan.keys[0])
    capsys.readouterr()
    assert main([*command, "--collect"]) == 1
    assert "1 cells are missing; the same command runs missing cells" in capsys.readouterr().err
    (path,) = kept
    with path.open(newline="") as file:
        assert {row["seed"] for row in csv.DictReader(file)} == {"0"}


def test_mistakes_are_one_line(capsys, tmp_path):
    for arguments, message in [
        (["vkr2015/table9"], "no such table or figure, nor a directory with tables; choose one of"),
        (["vkr2015/table1", "--datasets", "iris"], "iris: vkr2015/table1 has no such data set"),
        (["vkr2015/table1", "--algos", "forest"], "forest: vkr2015/table1 has no such algorithm"),
        (["vkr2015/table1", "--seeds", "0"], "seeds must be 1 to 10000"),
        (["vkr2015/table1", "--seeds", "9" * 20], "seeds must be 1 to 10000"),
    ]:
        assert main(["reproduce", *arguments]) == 2
        error = capsys.readouterr().err
        assert error.startswith("kernlearn: error: ") and error.count("\n") == 1 and message in error
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("rmm2010/fig2_2 --datasets sonar --algos x", "--datasets: has no meaning for rmm2010/fig2_2, a figure with"),
        ("vkr2015/table1 --judge --datasets nosuch --seeds 99", "--datasets: has no meaning for --judge; leave it out"),
        ("--judge engine=dask", "engine: has no meaning for --judge"),
        ("--scorecard vkr2015/table1", "vkr2015/table1: has no meaning for --scorecard"),
        ("--list --force", "--force: has no meaning for --list"),
        ("--list --judge", "--list: has no meaning for --judge"),
        ("--seeds 3", "--seeds: has no meaning for --list (no TABLE is given)"),
        ("mkl2010/fig2_1 --seeds 3", "--seeds: has no meaning for mkl2010/fig2_1, a figure without repetitions"),
        ("mkl2010/fig2_1 engine=dask", "engine: has no meaning for mkl2010/fig2_1"),
        ("rmm2010/fig2_1 --jobs 2 engine=slurm", "engine.jobs: unknown key"),
        ("rmm2010/fig2_1 --jobs 2 engine.jobs=3", "--jobs 2: is short for engine.jobs=2; give one of the two"),
    ],
)
def test_an_option_that_has_no_meaning_for_what_is_asked_is_refused(line, message, capsys, tmp_path):
    assert main(["reproduce", *line.split()]) == 2
    captured = capsys.readouterr()
    assert captured.out == "" and captured.err.startswith(f"kernlearn: error: {message}")
    assert captured.err.count("\n") == 1 and list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("seeds", "said"), [([], False), (["--seeds", "2"], False), (["--seeds", "3"], True)])
def test_other_repetitions_of_a_figure_than_its_description_has_are_told(seeds, said, capsys):
    assert main(["reproduce", "rmm2010/fig2_1", *seeds, "--dry-run"]) == 0
    assert ("note       3 repetitions; its description has 2" in capsys.readouterr().out) == said


def test_jobs_hold_for_an_engine_that_is_named(monkeypatch):
    asked = []
    monkeypatch.setattr(
        "kernlearn.cli.reproduce.reproduce_figure", lambda *words: asked.append(words[2].engine["jobs"])
    )
    assert main(["reproduce", "rmm2010/fig2_1", "--jobs", "2", "engine=local"]) == 0
    assert asked == [2]


@pytest.mark.slow
def test_less_never_replaces_more(tmp_path, capsys):
    """A figure, and a table, of fewer repetitions than the files have goes to files of its own."""
    pytest.importorskip("matplotlib")
    made = ["reproduce", "rmm2010/fig2_1", "--jobs", "1", "--results-dir", str(tmp_path)]
    assert main(made) == 0
    before = {path: path.read_bytes() for path in (tmp_path / "rmm2010").iterdir()}
    assert main([*made, "--seeds", "1"]) == 0
    assert "fig2_1.csv has 2 repetitions and is not changed: these 1 go to other files" in capsys.readouterr().out
    assert all(path.read_bytes() == content for path, content in before.items())
    others = {path.suffix for path in (tmp_path / "rmm2010").glob("fig2_1-partial-*")}
    assert others == {path.suffix for path in before}
    assert main(made) == 0 and not set((tmp_path / "rmm2010").iterdir()) - set(before) - set(
        (tmp_path / "rmm2010").glob("fig2_1-partial-*")
    )


def test_a_table_with_more_partitions_stays(tmp_path, capsys):
    file = tmp_path / "vkr2015/table1_partitions.csv"
    file.parent.mkdir()
    file.write_text("seed\n0\n1\n2\n")
    assert part_of(file, 3, "again") == ""
    assert part_of(file, 2, "less") == partial_name("less") != partial_name("another")
    assert "has 3 repetitions and is not changed" in capsys.readouterr().out
    assert part_of(tmp_path / "none.csv", 1, "first") == ""


@pytest.mark.slow
def test_a_figure_is_drawn_and_listed(tmp_path, capsys):
    pytest.importorskip("matplotlib")
    assert main(["reproduce", "mkl2010/fig2_4", "--results-dir", str(tmp_path)]) == 0
    assert {path.suffix for path in (tmp_path / "mkl2010").iterdir()} == {".csv", ".md", ".png", ".svg", ".json"}
    capsys.readouterr()
    assert main(["reproduce", "--list", "--results-dir", str(tmp_path)]) == 0
    lines = {line.split()[0]: line for line in capsys.readouterr().out.splitlines()}
    assert " drawn " in lines["mkl2010/fig2_4"] and " not run " in lines["mkl2010/fig2_1"]
