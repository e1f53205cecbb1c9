"""What is doubtful in a description or its printed values is said, and what is impossible is refused."""

from dataclasses import replace
from pathlib import Path

import pytest

from kernlearn.cli.main import main
from kernlearn.papers import load_table
from kernlearn.papers.core.directories import open_paper
from kernlearn.report.layout import table_report
from kernlearn.report.pages.page import render
from kernlearn.report.pages.results import StoredPapers
from kernlearn.report.pages.tables import table_part
from kernlearn.report.reproduction import Reproduced, reproduced

DESCRIPTION = """\
title: Two methods
unit: partition
overrides: [protocol=rotation5, kernel=linear]
rows: {sonar: {printed: Sonar}, wdbc: {}}
columns:
  nm: {printed: NM, overrides: [algo=nearest_mean]}
  svm: {printed: SVM, overrides: [algo=l2_svm]}
metrics: {error_pct: {title: "Test error, %", digits: 1}}
readings: {}
"""
VALUES = "dataset,algorithm,metric,mean\nSonar,NM,error_pct,30.5\nSonar,SVM,error_pct,25\nwdbc,NM,error_pct,\n"
NOT_THERE = " printed numbers are not in the description: "
SOURCE = 'source: {authors: "A. <b>Miller</b>", title: "An example", year: 2009, page: 7}\n'


@pytest.fixture
def written(tmp_path, monkeypatch):
    """Return a function that writes a table and gives it back."""
    monkeypatch.chdir(tmp_path)
    Path("mine").mkdir()

    def write(description=DESCRIPTION, values=VALUES):
        Path("mine/table1.yaml").write_text(description)
        Path("mine/table1.csv").write_text(values)
        open_paper("mine")
        return load_table("mine/table1")

    return write


def test_a_table_without_doubts_has_no_remarks_and_counts_its_printed_numbers(written, capsys):
    table = written()
    assert table.remarks == () and table.n_printed == 2
    assert main(["reproduce", "mine/table1", "--list"]) == 0
    head, line = (text.split() for text in capsys.readouterr().out.splitlines())
    assert line[head.index("printed")] == "2"


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (
            "Sonnar,NM,error_pct,3\n",
            "1 of 3" + NOT_THERE + "rows Sonnar; did you mean Sonar?",
        ),
        (
            "Sonar,KFD,error_pct,3\nwdbc,KFD,error_pct,4\n",
            "2 of 4" + NOT_THERE + "columns KFD",
        ),
        ("Sonar,NM,auc,93\n", "1 of 3" + NOT_THERE + "metrics auc"),
        ("wdbc,SVM,error_pct,0.4\n", "error_pct is in per cent, and some values may be fractions: wdbc SVM 0.4"),
    ],
)
def test_printed_numbers_that_mean_nothing_here_are_said(more, words, written, capsys):
    assert written(values=VALUES + more).remarks == (words,)
    assert main(["reproduce", "mine", "--list"]) == 0
    assert f"mine/table1: {words}\n" in capsys.readouterr().out
    assert main(["reproduce", "mine", "--dry-run"]) == 0
    assert f"note       {words}\n" in capsys.readouterr().out


def test_fractions_alone_are_said(written):
    values = VALUES.replace("30.5", "0.305").replace("25", "0.25") + "wdbc,SVM,error_pct,0.4\n"
    (words,) = written(values=values).remarks
    assert words.startswith("all printed values of error_pct are at most 1")


def test_words_that_are_still_to_be_filled_in_are_said(written, capsys):
    text = DESCRIPTION.replace("Two methods", "FILL IN what it is").replace("readings: {}", "readings: {a: FILL IN}")
    assert written(text).remarks == ("the description still says FILL IN: title, readings.a",)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        (VALUES.replace("30.5", "260"), "Sonar NM: 260 is impossible, since error_pct is at most 100"),
        (VALUES.replace("30.5", "-3"), "Sonar NM: -3 is impossible, since error_pct is at least 0"),
        (
            VALUES.replace("error_pct", "accuracy_pct"),
            "none of its 2 numbers is in the description: metrics ac",
        ),
        (VALUES.replace("Sonar,", "Sonnar,"), "rows Sonnar; did you mean Sonar?"),
    ],
)
def test_printed_numbers_that_cannot_be_are_refused(values, words, written, capsys):
    Path("mine/table1.yaml").write_text(DESCRIPTION)
    Path("mine/table1.csv").write_text(values)
    for option in ("--list", "--dry-run"):
        assert main(["reproduce", "mine/table1", option]) == 2
        error = capsys.readouterr().err
        assert words in error and "table1.csv: " in error and error.count("\n") == 1


def without_results(table):
    return Reproduced(table, [], [], [])


def trust(table):
    return {one.words: one.good for one in table_part(without_results(table), {}).trust}


def test_data_are_those_of_the_paper_only_where_the_description_says_so(written):
    said = "The data are those of the paper."
    unsaid = [words for words in trust(written()) if "names no stand-in" in words]
    assert unsaid and said not in trust(written()) and not trust(written())[unsaid[0]]
    assert trust(written(f"stand_in: false\n{DESCRIPTION}"))[said]
    rows = DESCRIPTION.replace("{printed: Sonar}", "{printed: Sonar, stand_in: false}").replace(
        "wdbc: {}", "wdbc: {stand_in: true}"
    )
    assert "The data of wdbc are a stand-in for those of the paper, so they get no verdict." in trust(written(rows))
    assert trust(load_table("vkr2015/table1"))[said]


def test_a_difference_of_the_experiments_stands_beside_the_result_and_its_source_too(written):
    differs = "80:20 splits here, 2:1 in the paper"
    table = written(f"{SOURCE}differs: '{differs}'\n{DESCRIPTION}")
    assert table.cited == "A. <b>Miller</b> (2009): An example, page 7"
    part = table_part(without_results(table), {})
    sentence = f"The experiment differs from that of the paper: {differs}."
    assert part.result.endswith(sentence) and not trust(table)[sentence]
    page = render("t", [part]).decode()
    assert "The table is from A. &lt;b&gt;Miller&lt;/b&gt; (2009): An example, page 7." in page
    report = table_report(without_results(table), "kernlearn").splitlines()
    assert f"**{sentence}**" in report and f"The table is from {table.cited}." in report


def test_unknown_keys_of_the_source_are_refused(written, capsys):
    Path("mine/table1.yaml").write_text(f"source: {{author: Miller}}\n{DESCRIPTION}")
    assert main(["reproduce", "mine/table1", "--dry-run"]) == 2
    assert "source.author: unknown key" in capsys.readouterr().err


def test_source_and_differences_are_in_exports_and_a_search_is_linked(written, capsys):
    written(f"{SOURCE}differs: other splits\n{DESCRIPTION}")
    results = Path("results")
    assert main(["reproduce", "mine", "--jobs", "1", "--algos", "nm", "--add"]) == 0
    assert "differs" not in capsys.readouterr().err
    assert main(["export", "mine/table1", "--to", "latex", "-o", "out.tex"]) == 0
    tex = Path("out.tex").read_text()
    assert "Miller" in tex and "differs from that of the paper: other splits" in tex
    papers = StoredPapers(results)
    page = render("t", [papers.part("mine/table1")]).decode()
    assert "No further reading of the printed numbers was tried." in page
    head = "stage,reading,status,distance_choosing,distance_testing,alike\n"
    (results / "mine" / "table1_readings.csv").write_text(f"{head}one decision,scaling=none,unstated,0.25,,yes\n")
    (results / "mine" / "table1_readings.md").write_text("# a search\n")
    page = render("t", [papers.part("mine/table1")]).decode()
    assert "No further reading" not in page and "scaling=none" in page and "0.250" in page
    assert main(["reproduce", "--judge", "mine"]) == 0
    assert "[table1_readings.md](table1_readings.md)" in (results / "mine" / "table1.md").read_text()
    assert replace(reproduced("mine/table1", results).table, remarks=()).differs == "other splits"
