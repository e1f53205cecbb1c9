"""Every numbered statement of the works has a line, and every check is of one of them."""

import re
from collections import Counter
from pathlib import Path

import pytest

from kernlearn.papers import figure_names, load_figure, table_names
from kernlearn.papers.checks.figure import BROWN, is_of_checks
from kernlearn.papers.checks.theorems import (
    Standing,
    Theorem,
    is_of,
    judgements_of,
    standing,
    standing_of_figure,
    theorems,
)
from kernlearn.report.figures import read_points
from kernlearn.report.pages.figures import figure_part
from kernlearn.report.pages.page import render
from kernlearn.report.scorecard import judged_statements, theorem_cells

ROOT = Path(__file__).parents[2]
OF_CHECKS = [name for name in figure_names() if name.endswith("/theorems")]


@pytest.mark.parametrize("paper", theorems())
def test_a_statement_is_computed_or_has_the_reason_why_not(paper):
    stated = theorems()[paper]
    assert not [name for name, count in Counter(one.name for one in stated).items() if count > 1]
    for one in stated:
        assert one.says and (one.where or one.note), one
        assert one.where in ("", *table_names(), *figure_names()), one


@pytest.mark.parametrize("figure", OF_CHECKS)
def test_every_check_is_of_one_statement_that_names_its_figure(figure):
    stated = [one.name for one in theorems()[figure.partition("/")[0]] if one.where == figure]
    checks = list(load_figure(figure).points.args[0])
    for check in checks:
        assert sum(is_of(check, name) for name in stated) == 1, check
    assert [name for name in stated if not any(is_of(check, name) for check in checks)] == []


def test_what_was_found_of_a_statement_is_counted(tmp_path, monkeypatch):
    (tmp_path / "uml2014").mkdir()
    lines = ["statement,words,found,allowed", "claim 15.1,a,0.0,1.0", "claim 15.1 b,a,2.0,1.0", "claim 15.12,a,0.0,1.0"]
    (tmp_path / "uml2014/exercises.csv").write_text("\n".join([*lines, ""]))
    monkeypatch.setattr(
        "kernlearn.report.scorecard.theorems",
        lambda: {"uml2014": [Theorem("claim 15.1", "", "uml2014/exercises", "")]},
    )
    (judged,) = judged_statements("uml2014", tmp_path)
    assert theorem_cells(*judged)[3] == "holds, does not hold"


def test_a_statement_stands_by_the_checks_of_what_is_printed():
    checks = {
        "a": ["holds", "holds"],
        "b": ["holds", "does not hold", "correction holds"],
        "c": ["does not hold", "ours holds"],
        "d": ["does not hold", "correction holds", "correction does not hold"],
        "e": ["correction holds"],
        "f": ["ours does not hold", "holds"],
    }
    found = standing([(Theorem(name, "", "", ""), Counter(words)) for name, words in checks.items()])
    assert found == (["a", "f"], ["b", "c", "d"], ["b"])
    words = (
        "Of 5 statements of the paper that were checked, 2 hold as printed and 3 do not; of these, 1 holds as corrected"
    )
    assert found.in_words() == f"{words} here" and Standing([], [], []).in_words() == ""
    assert found.in_words(" in this report").startswith(
        "Of 5 statements of the paper that were checked in this report, 2 hold"
    )


@pytest.mark.parametrize("figure", OF_CHECKS)
def test_what_is_corrected_is_false_as_printed_and_its_correction_holds(figure):
    rows = read_points(ROOT / "results" / f"{figure}.csv")
    claims, stated = load_figure(figure).claims(rows), theorems()[figure.partition("/")[0]]
    kinds = {name: check.of for name, check in load_figure(figure).points.args[0].items()}
    assert {row["statement"] for row in rows} == kinds.keys() and "correction" in kinds.values()
    for one in (one for one in stated if one.where == figure):
        found = judgements_of(one, claims)
        assert not found["correction holds"] or found["does not hold"], one.name
        assert not found["correction does not hold"] and not found["ours does not hold"], one.name
    for name, kind in kinds.items():
        words = next(claim for claim, _, _ in claims if claim.startswith(f"{name}:"))
        assert "corrected" not in words or kind == "correction", name
        assert "as printed" not in words or kind == "printed", name


@pytest.mark.parametrize("figure", OF_CHECKS)
def test_the_page_counts_the_kept_statements_and_checks(figure):
    claims = load_figure(figure).claims(read_points(ROOT / "results" / f"{figure}.csv"))
    counts = [*map(len, standing_of_figure(figure, claims)), len(claims)]
    line = f"| [{figure}.md](../results/{figure}.md) | {' | '.join(map(str, counts))} |"
    assert line in (ROOT / "docs/reproduce.md").read_text(encoding="utf-8")


#: What makes a sentence of the words of a check: a verb, or a relation of a formula.
VERBS = (
    "is are was has have holds hold does do gives give says changes change makes gains adds fails fall falls rises "
    "agrees agree ends leaves exceeds bounds meets lower differ errs follows contains need solves minimises centring "
    "separates separate confirms"
).split()
RELATION = re.compile(r"<=|>=| = ")


@pytest.mark.parametrize("figure", OF_CHECKS)
def test_every_check_is_a_sentence_and_says_what_its_number_is(figure):
    rows = read_points(ROOT / "results" / f"{figure}.csv")
    checks = load_figure(figure).points.args[0]
    for row, (claim, found, _) in zip(rows, load_figure(figure).claims(rows), strict=True):
        words = row["words"]
        assert words == checks[row["statement"]].words and claim == f"{row['statement']}: {words}"
        assert set(words.replace(",", "").split()) & set(VERBS) or RELATION.search(words), words
        assert not re.match(r"(it|its|they|the same|that)\b", words), words
        assert found.endswith(" allowed") and ", at most " in found
        assert re.search(r"[a-z]", found.partition(", at most ")[0].replace("e-", "")), found


def test_the_picture_of_checks_is_below_their_list_and_has_its_colours(tmp_path):
    figure = load_figure("uml2014/theorems")
    assert is_of_checks(figure) and not is_of_checks(load_figure("uml2014/fig_margin"))
    part = figure_part("uml2014/theorems", ROOT / "results", {})
    text = render("title", [part]).decode()
    assert text.index("What the paper claims") < text.index("Picture of these numbers") < text.index("<svg")
    report = (ROOT / "results/uml2014/theorems.md").read_text()
    assert report.index("## Claims") < report.index("](theorems.svg)") < report.index("## Readings")
    of = {name: check.of for name, check in figure.points.args[0].items()}
    rows = read_points(ROOT / "results/uml2014/theorems.csv")
    corrected = sum(of[row["statement"]] == "correction" and row["found"] <= row["allowed"] for row in rows)
    drawn = (ROOT / "results/uml2014/theorems.svg").read_text()
    assert drawn.count(f"fill: {BROWN}") >= corrected > 0
