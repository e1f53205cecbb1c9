"""The scorecard says what is kept, and nothing else."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from kernlearn.cli.main import main
from kernlearn.papers import Table, load_table
from kernlearn.papers.core.contents import WORKS, contents
from kernlearn.papers.core.tables import Column, Display, TableRow
from kernlearn.report.reproduction import table_rows
from kernlearn.report.scorecard import HEADERS, count_cells, scorecard

RESULTS = Path(__file__).parents[2] / "results"


def lines(text):
    """Return the cells of every table or figure, by name."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.split("\n") if line.startswith("| ")]
    return [dict(zip(HEADERS, row, strict=True)) for row in rows if len(row) == len(HEADERS) and row[0]]


@pytest.fixture(scope="module")
def text():
    """The scorecard of what is kept."""
    return scorecard(RESULTS)


@pytest.mark.slow
def test_the_kept_scorecard_is_that_of_what_is_kept(text):
    assert text == (RESULTS / "SCORECARD.md").read_text()


@pytest.mark.slow
def test_it_has_every_table_and_figure_and_adds_up(text):
    found = lines(text)
    assert [line[""] for line in found] == [e.name.split("/")[1] for work in contents().values() for e in work]
    for line in found:
        if line["run"]:
            parts = [int(line[key]) for key in ("inside", "near", "outside", "no verdict")]
            assert sum(parts) == int(line["run"]) <= int(line["printed"])
        if line["data"] == "stand-in":
            assert line["run"] == line["no verdict"]


def test_with_nothing_run_it_says_how_to(tmp_path, capsys):
    assert main(["reproduce", "--scorecard", "--results-dir", str(tmp_path)]) == 0
    assert capsys.readouterr().out == f"results: {tmp_path / 'SCORECARD.md'}\n"
    text = (tmp_path / "SCORECARD.md").read_text()
    assert "not run: `kernlearn reproduce vkr2015/table1`" in text and "not begun" in text
    assert not any(line["run"] or line["claims hold"] for line in lines(text))


def measured(algorithm, means, metric="error_pct"):
    return [
        {"dataset": "musk", "algorithm": algorithm, "seed": seed, "metric": metric, "mean": mean, "std": 1.0}
        | {"n_splits": 5, "values": " ".join([str(mean)] * 5)}
        for seed, mean in enumerate(means)
    ]


def test_readings_are_told_apart_from_what_is_stated():
    """Musk of vkr_lemma4 is 10.71 as printed, in another column only."""
    described = load_table("vkr2015/table1")
    table = replace(described, columns=tuple(replace(column, no_verdict="") for column in described.columns))
    far, at = [20.0, 20.1, 19.9, 20.0, 20.0], [10.7, 10.5, 10.9, 10.7, 10.6]
    counts = count_cells(table, table_rows(table, measured("vkr_lemma4", far) + measured("vkr_lemma4_wide", at)))
    assert counts == {"outside": 1, "run": 1, "readings": 1, "readings inside": 1}
    counts = count_cells(table, table_rows(table, measured("vkr_lemma4", at[:2]) + measured("vkr_lemma4_m", far[:2])))
    assert {key: n for key, n in counts.items() if n} == {"no verdict": 1, "run": 1}
    rows = table_rows(described, measured("vkr_lemma4_wide", at))  # which alters the printed grid
    assert "verdict" not in rows[0] and not count_cells(described, rows)["readings"]


def test_of_several_columns_of_one_cell_the_worst_counts_and_a_stand_in_has_no_verdict():
    for stand_in, line, expected in (
        (False, False, "outside"),
        (True, False, "no verdict"),
        (False, True, "no verdict"),
    ):
        table = Table(
            "vkr2015/x",
            "",
            "vkr2015/table1",
            (TableRow("musk", {"name": "musk"}, printed="musk", stand_in=line),),
            (Column("a", (), "vkr_lemma4"), Column("b", (), "vkr_lemma4")),
            {"error_pct": Display("Error", 2)},
            stand_in=stand_in,
        )
        rows = table_rows(
            table, measured("a", [20.0, 20.1, 19.9, 20.0, 20.0]) + measured("b", [10.7, 10.5, 10.9, 10.7, 10.6])
        )
        assert count_cells(table, rows) == {expected: 1, "run": 1}


def test_the_pages_have_its_counts():
    """README and the page of the papers repeat the sums over all works, and contrasts of the thesis on margins."""
    readme, page = (
        " ".join((RESULTS.parent / name).read_text().split()) for name in ("README.md", "docs/reproduce.md")
    )
    kept = (RESULTS / "SCORECARD.md").read_text()
    printed, run, inside, near, outside = (int(cell) for cell in kept.splitlines()[-1].strip("| ").split(" | ")[:5])
    judged = inside + near + outside
    assert f"recomputed {run} of the {printed} printed numbers, and {judged} have a [verdict](#verdicts)" in page
    assert f"{inside} are *inside* the 95 % interval of our repetitions, {near} are *near*" in page
    assert f"and {outside} *outside*" in page
    assert f"about 5 % would be near or outside, which is {0.05 * judged:.0f} numbers and not {near + outside}" in page
    contrasts = {line[""]: line["contrasts kept"] for line in lines(kept)}
    assert f"{contrasts['table2_3']} differences hold." in readme
    margins = next(line for line in lines(kept) if line[""] == "table6_2")
    assert margins["claims hold"] == "0" and f"but none of {margins['fail']} claims on margins" in readme
    assert f"On boosting, {contrasts['table6_1']} differences hold" in readme
    assert f"{contrasts['table5_1']} hold for texts and {contrasts['table5_2']} for digits" in readme


def entries_of(words, names):
    """Return the tables and figures that words such as "Figures 2.1 to 2.4, Gaussians" name."""
    match = re.match(r"(Table|Figure|Section)s? ([\d., and]*\d)(?: to ([\d.]+))?", words)
    prefix = {"Table": "table", "Figure": "fig", "Section": "sec"}[match[1]]
    first, *others = re.findall(r"\d[\d.]*\d", match[2])
    chapter, _, low = first.partition(".")
    if match[3]:
        others = [f"{chapter}.{i}" for i in range(int(low) + 1, int(match[3].split(".")[1]) + 1)]
    wanted = [prefix + one.replace(".", "_") for one in (first, *others)]
    assert set(wanted) <= set(names), words
    return wanted


@pytest.mark.parametrize("work", ["mkl2010", "rmm2010"])
def test_the_notes_of_a_work_count_the_claims_that_hold(work):
    kept = (RESULTS / "SCORECARD.md").read_text()
    part = kept.partition(f"## {WORKS[work]}")[2].partition("\n## ")[0]
    found = {line[""]: line for line in lines(part)}
    notes = (RESULTS / work / "NOTES.md").read_text().partition("## In short")[2].partition("\n## ")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in notes.split("\n") if line[:2] == "| "]
    counted = set()
    for words, _, said in rows[1:]:
        if not words.startswith(("Table", "Figure", "Section")):
            continue
        names = entries_of(words, found)
        counted |= set(names)
        holds, fails = (sum(int(found[name][key] or 0) for name in names) for key in ("claims hold", "fail"))
        assert said == (f"{holds} of {holds + fails}" if holds + fails else ""), words
    missing = {name for name, line in found.items() if line["run"] and name not in counted}
    assert not missing  # what has printed numbers is among them
