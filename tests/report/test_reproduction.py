"""The tables that were reproduced follow from the partitions that lie beside them."""

import json
import shutil
from pathlib import Path

import pytest

from kernlearn.cli.main import main
from kernlearn.errors import UserError
from kernlearn.papers import load_table, table_names
from kernlearn.report.reproduction import command_of_all, read_partitions
from kernlearn.runner.store.tables import read_csv, write_csv
from tests.conftest import one_of_each, paper_of

RESULTS = Path(__file__).parents[2] / "results"
KEPT = [name for name in table_names() if (RESULTS / f"{name}.md").exists()]


def beside(name, results):
    """Copy what a table's report is made of."""
    (results / name).parent.mkdir(parents=True, exist_ok=True)
    for end in ("_partitions.csv", ".provenance.json", ".svg", "_readings.md"):
        if (RESULTS / f"{name}{end}").exists():
            shutil.copy(RESULTS / f"{name}{end}", results / f"{name}{end}")


@pytest.mark.parametrize("name", one_of_each(KEPT, paper_of))
def test_a_kept_report_follows_from_the_kept_partitions(name, tmp_path):
    beside(name, tmp_path)
    assert main(["reproduce", name, "--judge", "--results-dir", str(tmp_path)]) == 0
    for end in (".md", ".csv"):
        assert (tmp_path / f"{name}{end}").read_bytes() == (RESULTS / f"{name}{end}").read_bytes()
    assert not (tmp_path / "shards").exists()


@pytest.mark.parametrize("name", one_of_each(KEPT, paper_of))
def test_partitions_read_back_as_they_were_written(name, tmp_path):
    kept = RESULTS / f"{name}_partitions.csv"
    columns = kept.read_text().partition("\n")[0].split(",")
    write_csv(tmp_path / "again.csv", read_partitions(kept), columns)
    assert (tmp_path / "again.csv").read_bytes() == kept.read_bytes()


def test_all_tables_are_judged_again_and_a_missing_one_is_named(tmp_path, capsys):
    for name in KEPT[:2]:
        beside(name, tmp_path)
    assert main(["reproduce", "--judge", "--results-dir", str(tmp_path)]) == 0
    assert capsys.readouterr().out.split() == [f"{w}" for n in KEPT[:2] for w in ("results:", tmp_path / f"{n}.md")]
    empty = tmp_path / "empty"
    assert main(["reproduce", "--judge", "--results-dir", str(empty)]) == 2 and not empty.exists()
    assert "has no partitions of any table" in capsys.readouterr().err
    assert main(["reproduce", "vkr2015/table1", "--judge", "--results-dir", str(tmp_path)]) == 2
    error = capsys.readouterr().err
    assert (
        f"{tmp_path} has no results of vkr2015/table1, only of: {', '.join(KEPT[:2])}" in error
        and error.count("\n") == 1
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", ["mkl2010/fig3_1", "localrad2013/fig2"])
def test_a_table_is_drawn_again_from_its_rows_and_points(name, tmp_path):
    pytest.importorskip("matplotlib")
    for file in (RESULTS / name).parent.glob(f"{name.partition('/')[2]}*"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).with_name(file.name).write_bytes(file.read_bytes())
    drawing = (tmp_path / name).with_suffix(".svg")
    drawing.write_text("another drawing")
    assert main(["reproduce", name, "--judge", "--results-dir", str(tmp_path)]) == 0
    assert drawing.read_text().count("mean and std") == (RESULTS / f"{name}.svg").read_text().count("mean and std") > 0


@pytest.mark.parametrize("path", sorted(RESULTS.glob("*/*.provenance.json")), ids=lambda path: path.stem)
def test_what_is_kept_was_computed_by_code_that_is_committed(path):
    record = json.loads(path.read_bytes())
    if "computed" not in record:
        assert not record["code"]["dirty"], f"{path} was made by code that is not committed"  # an older record
        return
    codes = [record["collected"]["code"], *(entry["code"] for entry in record["computed"])]
    wrong = [code for code in codes if code["dirty"] is not False or not code["commit"]]
    assert len(codes) > 1 and not wrong, f"{path}: computed or collected by code that is not committed: {wrong}"


def test_everything_that_is_kept_says_where_it_comes_from():
    kept = [path for path in RESULTS.glob("*/*.md") if path.name != "NOTES.md"]
    assert len(kept) > 5 and [path for path in kept if not path.with_suffix(".provenance.json").is_file()] == []


def test_columns_with_more_partitions_have_a_command_of_their_own():
    table = load_table("mkl2010/sec3_2_2")
    rows = [
        {"dataset": line.name, "algorithm": column.name, "seed": seed}
        for line in table.rows
        for column in table.columns
        for seed in range(5 if column.name in ("unif", "l2_krr") else 1)
    ]
    assert command_of_all(table, rows) == (
        "kernlearn reproduce mkl2010/sec3_2_2 --seeds 1 && "
        "kernlearn reproduce mkl2010/sec3_2_2 --add --algos unif l2_krr --seeds 5"
    )
    assert command_of_all(table, [row for row in rows if row["seed"] == 0]).endswith("sec3_2_2 --seeds 1")


@pytest.mark.parametrize(
    "column, value", [("mean", "inf"), ("std", "1e308"), ("n_not_optimal", ""), ("largest_gap", "-inf")]
)
def test_numbers_that_contradict_the_others_of_their_line_are_damage(tmp_path, column, value):
    kept = Path(__file__).parents[2] / "results" / "vkr2015" / "table1_partitions.csv"
    rows = read_csv(kept)
    rows[3] = {**rows[3], column: value}
    write_csv(tmp_path / "table1_partitions.csv", rows)
    with pytest.raises(UserError, match="line 5 is damaged"):
        read_partitions(tmp_path / "table1_partitions.csv", load_table("vkr2015/table1"))
