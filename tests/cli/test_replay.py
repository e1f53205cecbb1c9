"""Replays compute kept results again, notice what is no longer the same, and come to all parts in turn."""

import csv
import json
from pathlib import Path
from statistics import fmean, stdev

import pytest

from kernlearn.cli.main import main
from kernlearn.cli.reproduction.sample import Item, chosen, parts_of

TABLE = "mkl2010/table3_1"
SEEDED = "uml2014/fig_sgd"
PARTITIONS = "mkl2010/table3_1_partitions.csv"


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """Two seeds of a cell of a table, a figure of formulas and a seed of a figure."""
    results = tmp_path_factory.mktemp("kept")
    words = ["--datasets", "ionosphere", "--algos", "unif", "--seeds", "2", "--add"]
    assert main(["reproduce", TABLE, *words, "--results-dir", str(results)]) == 0
    assert main(["reproduce", "uml2014/fig_losses", "--results-dir", str(results)]) == 0
    assert main(["reproduce", SEEDED, "--seeds", "1", "--results-dir", str(results)]) == 0
    return results


@pytest.fixture
def results(kept, tmp_path):
    """A copy without the finished cells."""
    for file in kept.rglob("*.*"):
        if file.is_file() and "shards" not in file.parts:
            copy = tmp_path / "results" / file.relative_to(kept)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(file.read_bytes())
    return tmp_path / "results"


def replay(results, *words):
    return main(["replay", *words, "--results-dir", str(results)])


def rows_of(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def altered(path, alter):
    """Change the rows of a file."""
    rows = rows_of(path)
    for row in rows:
        alter(row)
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


@pytest.mark.slow
def test_what_is_the_same_is_said_and_goes_to_the_history(results, capsys):
    assert replay(results) == 0
    assert f"{TABLE}: 2 same" in capsys.readouterr().out
    lines = {line["name"]: line for line in rows_of(results / "replays.csv")}
    assert set(lines) == {TABLE, "uml2014/fig_losses", SEEDED}
    assert lines[SEEDED]["same"] == "1"
    line = lines[TABLE]
    assert (line["parts"], line["same"], line["moved"], line["flipped"]) == ("2", "2", "0", "0")
    assert line["which"] == "ionosphere unif 0; ionosphere unif 1" and line["scipy"] and line["highspy"]
    assert replay(results, TABLE) == 0
    assert len(rows_of(results / "replays.csv")) == 4


@pytest.mark.slow
def test_a_number_that_moves_is_named_with_its_values(results, capsys):
    def alter(row):
        if (row["metric"], row["seed"]) == ("error_pct", "1"):
            first, *others = map(float, row["values"].split())
            values = [first + 5, *others]
            row.update(values=" ".join(map(str, values)), mean=fmean(values), std=stdev(values))

    altered(results / PARTITIONS, alter)
    assert replay(results, TABLE) == 1
    out = capsys.readouterr().out
    assert f"{TABLE}: 1 same, 1 moved" in out and "1 of 5 values, number 1 most" in out


@pytest.mark.slow
def test_claims_that_do_not_hold_any_more_are_flipped(results, capsys):
    kept = rows_of(results / "uml2014/fig_losses.csv")
    altered(results / "uml2014/fig_losses.csv", lambda row: row.update(dict.fromkeys(list(kept[0])[1:], "0.5")))
    assert replay(results) == 1
    out = capsys.readouterr().out
    assert f"{TABLE}: 2 same" in out and "uml2014/fig_losses: 1 moved" in out
    lines = {line["name"]: line for line in rows_of(results / "replays.csv")}
    assert int(lines["uml2014/fig_losses"]["flipped"]) > 0 and "does not hold" in out


@pytest.mark.slow
def test_a_verdict_that_does_not_follow_from_the_kept_measurements_is_flipped(tmp_path, capsys):
    ours = Path(__file__).parents[2] / "results"
    (tmp_path / "mkl2010").mkdir()
    for file in ours.glob(f"{TABLE}*.*"):
        (tmp_path / "mkl2010" / file.name).write_bytes(file.read_bytes())

    def alter(row):
        row["verdict"] = "near" if row["verdict"] == "inside" else row["verdict"]

    altered(tmp_path / f"{TABLE}.csv", alter)
    assert replay(tmp_path, TABLE, "--budget", "1s") == 1
    out = capsys.readouterr().out
    assert f"{TABLE}: 1 same; " in out and "verdicts flipped" in out and "verdict: near -> inside" in out


@pytest.mark.slow
def test_other_data_are_not_compared(results, capsys):
    altered(results / PARTITIONS, lambda row: row.update(run="0123456789"))
    assert replay(results, TABLE) == 0
    out = capsys.readouterr().out
    assert f"{TABLE}: 2 not comparable" in out and "was another one when it was kept" in out


@pytest.mark.slow
def test_a_dry_run_computes_and_writes_nothing(results, capsys):
    before = sorted(path for path in results.rglob("*"))
    assert replay(results, "--dry-run") == 0
    assert f"{TABLE}: 2 parts" in capsys.readouterr().out
    assert sorted(path for path in results.rglob("*")) == before


@pytest.mark.slow
def test_json(results, capsys):
    assert main(["--json", "replay", TABLE, "--results-dir", str(results)]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["replays"][0]["outcomes"] == {"ionosphere unif 0": "same", "ionosphere unif 1": "same"}


def test_the_parts_that_were_not_replayed_for_longest_come_first():
    parts = {"a": [Item("a", "x", "m", seed, 10.0) for seed in range(4)], "b": [Item("b", seed=0, seconds=5.0)]}
    first = chosen(parts, 26.0, {})
    assert [(item.name, item.seed) for item in first] == [("a", 0), ("a", 1), ("b", 0)]
    last = {(item.name, item.title): "2026-01-01" for item in first}
    assert [(item.name, item.seed) for item in chosen(parts, 26.0, last)] == [("a", 2), ("a", 3), ("b", 0)]
    assert chosen(parts, 4.0, {}) == []


@pytest.mark.slow
def test_what_a_part_costs_is_what_it_took(results):
    record = json.loads((results / f"{TABLE}.provenance.json").read_text())
    items = parts_of(TABLE, results)
    assert sum(item.seconds for item in items) == pytest.approx(sum(record["cell_cpu_seconds"].values()))


def test_kept_results_of_the_project_have_parts(monkeypatch):
    results = Path(__file__).parents[2] / "results"
    monkeypatch.delenv("KERNLEARN_DATA", raising=False)
    items = parts_of("vkr2015/table1", results)
    assert {item.row for item in items} >= {"ionosphere"} and len(items) % 10 == 0
    assert len(parts_of("uml2014/fig_sgd", results)) == 10
    for name in ("vkr2015/bounds", "vkr2015/table1", "mkl2010/fig2_1"):  # also where the record names a variant
        assert all(0 <= item.seconds < 3600 for item in parts_of(name, results))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["nothing/here"], "no results of such a table"),
        (["--budget", "soon"], "must be a duration"),
        (["--jobs", "-1"], "must be 0 or more"),
        (["--budget", "0.5s"], "no part of the results fits"),
    ],
)
def test_mistakes_are_one_line(results, words, error, capsys):
    assert replay(results, *words) == 2
    captured = capsys.readouterr().err.strip().splitlines()
    assert len(captured) == 1 and error in captured[0]


@pytest.mark.slow
def test_rows_that_are_lost_are_no_agreement(results, capsys):
    file = results / "uml2014/fig_losses.csv"
    head, *lines = file.read_text().splitlines(keepends=True)
    file.write_text("".join([head, *lines[:3]]))
    assert replay(results, "uml2014") == 1
    assert f"{len(lines) - 3} rows (" in capsys.readouterr().out
    file.write_text("".join([head, *lines]).replace(lines[0].partition(",")[0], "-99.0", 1))
    assert replay(results, "uml2014") == 1
    file.write_text(head)
    assert replay(results, "uml2014") == 2
    assert "has no rows" in capsys.readouterr().err
    (results / f"{TABLE}.csv").unlink()
    assert replay(results, TABLE) == 1
    assert "table3_1.csv is missing" in capsys.readouterr().out
    file = results / PARTITIONS
    file.write_text("".join(line for line in file.read_text().splitlines(keepends=True) if ",error_pct," not in line))
    assert replay(results, TABLE) == 1
    assert "1 row (error_pct) only in B" in capsys.readouterr().out
    file.write_text(file.read_text().partition("\n")[0] + "\n")
    assert replay(results, TABLE) == 2
    assert "has no rows" in capsys.readouterr().err


@pytest.mark.slow
def test_damaged_files_are_one_line(results, capsys):
    (results / PARTITIONS).write_text("nonsense")
    assert replay(results, TABLE) == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 1
    assert replay(results.parent / "nowhere") == 2
    (results / "replays.csv").write_text("")
    capsys.readouterr()
    assert replay(results, "uml2014") == 2
    assert "replays.csv: damaged (it is empty); restore it, or remove it" in capsys.readouterr().err
