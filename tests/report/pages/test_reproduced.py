"""Pages of kept tables, figures and papers: they show the numbers that are kept, in the layout of the paper."""

import html
import re
from collections import Counter
from pathlib import Path
from shutil import copy, copytree

import pytest

from kernlearn.cli.main import main
from kernlearn.papers import figure_names, load_figure, load_table, table_names
from kernlearn.papers.checks.theorems import standing_of_figure
from kernlearn.report.figures import read_points
from kernlearn.report.layout import interval, ours
from kernlearn.report.pages.marks import effect, judged, verdict_reasons
from kernlearn.report.pages.results import StoredPapers, page_of, parts_of
from kernlearn.report.reproduction import reproduced
from kernlearn.report.scorecard import count_cells, only_by_readings
from kernlearn.report.story import evidence, stories
from kernlearn.report.targets import find_target
from tests.report.pages.parsed import check

RESULTS = Path(__file__).parents[3] / "results"
NAMES = [*table_names(), *figure_names()]
#: A small table with verdicts, and one whose numbers are in no paper.
SMALL, UNPRINTED = "mkl2010/table2_1", "vkr2015/bounds"


def page(*names):
    return page_of([find_target(name, RESULTS) for name in names], RESULTS)


def cells(text):
    """Return the texts of the cells of every row of the tables in the layout of the paper."""
    tables = re.findall(r'<table class="sheet paper.*?<tbody>(.*?)</tbody>', text, flags=re.DOTALL)
    rows = [row for table in tables for row in table.split("<tr>")[1:]]
    return [[re.sub(r"<[^>]*>", " ", cell).split() for cell in row.split("<td>")] for row in rows]


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.sampled(8)) for name in NAMES])
def test_the_page_of_every_kept_table_and_figure(name):
    content = page(name)
    found = check(content)
    assert name in found.text and "committed code" in found.text
    assert content == page(name)
    if name in table_names():
        rows = [row for row in reproduced(name, RESULTS).rows if row["metric"] in load_table(name).metrics]
        shown = [cell for line in cells(content.decode()) for cell in line[1:] if cell != ["–"]]
        assert len(shown) == len(rows)
        assert found.all("data-metric") and set(found.addresses) >= {f"#{name.replace('/', '-')}-0-0"}


def test_a_cell_has_ours_the_printed_number_and_the_verdict_with_its_interval():
    text = page(SMALL).decode()
    table, _, rows, _ = reproduced(SMALL, RESULTS)
    shown = {row[0][0]: row[1:] for row in cells(text)}
    for row in rows:
        if row["metric"] != next(iter(table.metrics)):
            continue
        place = [column.name for column in table.columns].index(row["algorithm"])
        cell = " ".join(next(line for line in cells(text) if line[0][0] == row["dataset"])[1 + place])
        digits = table.metrics[row["metric"]].digits
        low, high = (f"{row[key]:.{digits}f}" for key in ("interval_low", "interval_high"))
        word, _, side = row["verdict"].partition(", ")
        assert cell.startswith(ours(row, digits)) and effect(row) not in cell
        assert f"{word} {low} to {high}{f', {side}' * bool(side)}" in cell
        assert re.search("[✓≈▼▲–]", cell)
    assert len(shown) == len(table.rows)


def test_what_made_a_number_is_on_the_page():
    found = check(page(SMALL))
    record = (RESULTS / f"{SMALL}.provenance.json").read_text()
    for word in (
        "kernlearn reproduce mkl2010/table2_1 --datasets",
        "--seeds 10",
        "partitions: ",
        "sha256",
        "CPU seconds",
    ):
        assert word in found.text
    assert re.search(r'"commit": "(\w{12})', record)[1] in found.text
    assert re.search(r'"sha256": "(\w{16})', record)[1] in found.text


def test_numbers_that_no_paper_prints_are_shown_without_a_verdict():
    found = check(page(UNPRINTED))
    assert "no verdict" not in found.text.partition("How to read")[0]


def test_a_paper_begins_with_its_scorecard_and_leads_to_every_table():
    found = check(page("uml2014"))
    assert found.text.index("contrasts kept") < found.text.index("uml2014/fig_margin: ")
    for name in figure_names():
        if name.startswith("uml2014/"):
            assert f"#{name.replace('/', '-')}" in found.addresses


def test_damaged_measurements_leave_the_rest_of_a_paper(tmp_path):
    for name in ("fig_losses", "exercises"):
        (tmp_path / "uml2014").mkdir(exist_ok=True)
        copy(RESULTS / f"uml2014/{name}.csv", tmp_path / "uml2014")
    (tmp_path / "uml2014/exercises.csv").write_text('"a')
    papers = StoredPapers(tmp_path)
    parts = papers.paper("uml2014")
    assert [part.title.partition(":")[0] for part in parts[1:]] == ["uml2014/fig_losses"]
    assert "damaged" in papers.troubles["uml2014/exercises"]
    assert any("exercises" in reason.words and "damaged" in reason.words for reason in parts[0].trust)
    assert "There is no record" in " ".join(reason.words for reason in parts[1].trust)


def test_nothing_is_reported_of_a_table_that_was_not_run(tmp_path, capsys):
    assert main(["report", "vkr2015/table1", "--results-dir", str(tmp_path)]) == 2
    assert "run kernlearn reproduce vkr2015/table1 first" in capsys.readouterr().err


def top(name):
    """Return the first part of the page of a result."""
    papers = StoredPapers(RESULTS)
    return parts_of(find_target(name, RESULTS), papers)[0]


@pytest.mark.parametrize("paper", ["vkr2015", pytest.param("rmm2010", marks=pytest.mark.slow)])
def test_the_top_says_how_many_statements_hold_as_printed_and_which_are_refuted(paper):
    figure = load_figure(f"{paper}/theorems")
    found = standing_of_figure(figure.name, figure.claims(read_points(RESULTS / f"{figure.name}.csv")))
    of_figure, of_paper = top(figure.name), top(paper)
    assert of_figure.result.startswith(f"{found.in_words(' in this report')}.")
    assert found.in_words() in of_paper.result
    for part in (of_figure, of_paper):
        (refuted,) = [reason for reason in part.trust if "refute" in reason.words]
        assert not refuted.good and all(name in refuted.words for name in found.fail)


def test_a_figure_says_which_of_its_claims_fail_and_counts_checks_of_ours_apart():
    failing, ours_too = top("mkl2010/fig2_2"), top("uml2014/fig_sgd")
    assert "2 of 4 testable claims do not hold here." in [reason.words for reason in failing.trust]
    assert ours_too.result.startswith("5 of 5 testable claims hold; 1 of 1 checks of our own hold")
    assert "All 5 testable claims hold here." in [reason.words for reason in ours_too.trust]


def test_differences_of_main_metrics_are_not_called_those_of_all():
    of_paper, of_table = (
        next(reason.words for reason in top(name).trust if "differences" in reason.words)
        for name in ("vkr2015", "vkr2015/table1")
    )
    assert of_paper.startswith("Of the paper's 8 clear differences of main metrics, 6 are")
    assert re.match(r"Of the paper's \d+ clear differences of all metrics, ", of_table)


def test_a_metric_chosen_with_the_printed_numbers_in_sight_is_no_evidence_and_the_other_reading_is_named():
    """Nine of the fourteen clear differences of the table are of such a metric."""
    name = "mkl2010/table3_1"
    part, (of_paper, *_) = top(name), StoredPapers(RESULTS).paper("mkl2010", details=False)
    words = [reason.words for reason in part.trust]
    assert "Of the paper's 5 clear differences of metrics with verdicts, none are significantly reversed here." in words
    table, _, rows, _ = reproduced(name, RESULTS)
    of_reading = Counter(row["verdict"].partition(",")[0] for row in rows if row["metric"] == "alignment")
    assert of_reading.total() == 20
    numbers = f"{of_reading['inside']} are inside the range of ours, {of_reading['near']} near it"
    assert f"by another reading, of 20 of those without a verdict, {numbers}" in part.result
    assert any(f"By another reading, {of_reading['outside']} printed numbers are outside" in one for one in words)
    assert any("By another reading" in reason.words and not reason.good for reason in of_paper.trust)
    assert set(evidence(table, stories(table, rows))) == {"rmse", "error_pct"}
    assert not only_by_readings(load_table("vkr2015/table1"), reproduced("vkr2015/table1", RESULTS).rows)


@pytest.mark.parametrize(
    "name", [pytest.param("rmm2010/table5_1", marks=pytest.mark.slow), "vkr2015/table1", "mkl2010/table3_1"]
)
def test_a_shown_interval_agrees_with_the_verdict_beside_it(name):
    table, _, rows, _ = reproduced(name, RESULTS)
    digits = {name: shown.digits for name, shown in table.metrics.items()}
    shown = [(row, interval(row, digits[row["metric"]])) for row in rows if row["metric"] in digits]
    for row, text in [one for one in shown if one[1]]:
        low, high = map(float, text.split(" to "))
        assert (low <= row["paper_mean"] <= high) == (row["verdict"] == "inside"), (row["dataset"], text)


def test_numbers_that_are_near_do_not_speak_for_a_table():
    """5 % may be near or outside."""
    table, _, rows, _ = reproduced("vkr2015/table1", RESULTS)
    counts = count_cells(table, rows)
    (expected,) = verdict_reasons(counts)
    assert expected in top("vkr2015/table1").trust and not expected.good
    assert f"{counts['inside']} inside, {counts['near']} near and {counts['outside']} outside" in expected.words
    n, beyond = counts["run"] - counts["no verdict"], counts["near"] + counts["outside"]
    assert f"exclude {beyond} of {n}," in expected.words
    for counts, good in (((95, 5, 0), True), ((95, 0, 5), True), ((85, 15, 0), False), ((5, 0, 0), True)):
        (reason,) = verdict_reasons(dict(zip(("inside", "near", "outside"), counts, strict=True)))
        assert reason.good == good
    assert verdict_reasons({"inside": 0, "near": 0, "outside": 0}) == []


@pytest.mark.slow
def test_a_paper_says_of_verdicts_what_its_table_says():
    """The paper has one table with verdicts."""
    of_paper, *_ = StoredPapers(RESULTS).paper("vkr2015", details=False)
    table, _, rows, _ = reproduced("vkr2015/table1", RESULTS)
    assert set(verdict_reasons(count_cells(table, rows))) <= set(of_paper.trust)


def test_columns_of_the_paper_stand_before_further_readings():
    text = page("vkr2015/table1").decode()
    head = re.findall(r"<bdi>(.*?)</bdi>", text.partition('class="sheet paper')[2].partition("</thead>")[0])
    own = [column.name for column in load_table("vkr2015/table1").columns if not column.reading]
    assert head[1 : 1 + len(own)] == own and all(name.endswith(" (reading)") for name in head[1 + len(own) :])


@pytest.mark.parametrize("paper", ["vkr2015", "uml2014"])
def test_no_column_of_a_scorecard_is_mostly_empty_for_want_of_printed_numbers(paper):
    part = top(paper)
    for sheet in part.facts["scorecards"]:
        printed = "printed" in sheet.names
        assert printed == sheet.caption.endswith("printed numbers")
        assert all(any(row[i] for row in sheet.rows) for i in range(len(sheet.heads)) if sheet.heads[i].number)
        assert printed or "contrasts kept" not in sheet.names
    assert part.steps[0].command.startswith(f"kernlearn report {paper}/")


def test_claims_that_differ_in_their_test_alone_are_one():
    claims = [
        ("the SVM errs, paired t-test", "a", "holds"),
        ("the SVM errs, paired t-test, and Holm's", "b", "does not hold"),
    ]
    claims += [("the SVM, too", "c", "holds"), ("theorem 1: x, y", "d", "holds"), ("theorem 2: x, y", "e", "holds")]
    found = [(one.words, [(way.words, way.measured) for way in one.checks]) for one in judged(claims)]
    assert found[0] == ("the SVM errs", [("paired t-test", "a"), ("paired t-test, and Holm's", "b")])
    assert [words for words, _ in found[1:]] == ["", "", ""] and found[1][1] == [("the SVM, too", "c")]
    text = check(page("rmm2010/table2_2")).text
    assert (
        text.count("the SVM errs significantly more than all others") == 1 and "with the correction for shared" in text
    )


def test_commands_of_papers_name_their_results_directory(tmp_path, monkeypatch, capsys):
    copytree(RESULTS / "mkl2010", tmp_path / "my results/mkl2010")
    monkeypatch.chdir(tmp_path)
    assert main(["report", "mkl2010/table3_2", "--results-dir", "my results", "-o", "page.html"]) == 0
    page = html.unescape((tmp_path / "page.html").read_text())
    command = re.search(r"kernlearn reproduce mkl2010/table3_2 --seeds \d+ (--results-dir '[^']*')", page)
    assert command[1] == "--results-dir 'my results'"
