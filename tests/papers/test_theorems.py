"""Every numbered statement of the works has a line, and every check is of one of them."""

from collections import Counter
from pathlib import Path

import pytest

from kernlearn.papers import figure_names, load_figure, table_names
from kernlearn.papers.checks.theorems import theorems
from kernlearn.report.figures import read_points
from kernlearn.report.scorecard import is_of, theorem_cells

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


def test_what_was_found_of_a_statement_is_counted(tmp_path):
    (tmp_path / "uml2014").mkdir()
    lines = ["statement,words,found,allowed", "claim 15.1,a,0.0,1.0", "claim 15.1 b,a,2.0,1.0", "claim 15.12,a,0.0,1.0"]
    (tmp_path / "uml2014/exercises.csv").write_text("\n".join([*lines, ""]))
    theorem = theorems()["uml2014"][0]._replace(name="claim 15.1", where="uml2014/exercises")
    assert theorem_cells(theorem, tmp_path)[3] == "holds, does not hold"


@pytest.mark.parametrize("figure", OF_CHECKS)
def test_the_page_counts_the_kept_checks(figure):
    root = Path(__file__).parents[2]
    rows = read_points(root / "results" / f"{figure}.csv")
    hold = sum(row["found"] <= row["allowed"] for row in rows)
    line = f"| [{figure}.md](../results/{figure}.md) | {len(rows)} | {hold} | {len(rows) - hold} |"
    assert line in (root / "docs/reproduce.md").read_text(encoding="utf-8")
