"""The examples of tables of other papers: they are complete, and they plan with the data that there are."""

import re

import pytest

from kernlearn.cli.main import main
from kernlearn.papers import load_table
from kernlearn.papers.core.compare import printed_rows
from kernlearn.papers.core.directories import open_paper
from tests.docs.pages import ROOT

EXAMPLES = sorted(path.parent.name for path in (ROOT / "docs" / "papers").glob("*/*.yaml"))


def test_there_are_five():
    assert len(EXAMPLES) == 5


@pytest.mark.parametrize("paper", EXAMPLES)
def test_an_example_names_its_source_and_every_printed_number_it_is_compared_with(paper):
    _, (name,) = open_paper(str(ROOT / "docs" / "papers" / paper))
    table = load_table(name)
    head = (ROOT / "docs" / "papers" / f"{name}.yaml").read_text(encoding="utf-8").partition("\ntitle:")[0]
    assert re.search(r"\b(19|20)\d\d\b", head) and re.search(r"\bpages?\b", head)
    printed = {(row["dataset"], row["algorithm"], row["metric"]) for row in printed_rows(name)}
    compared = [column for column in table.columns if column.printed]
    assert compared and table.statements and table.readings
    first = next(iter(table.metrics))
    for row in table.rows:
        for column in compared:
            assert (row.printed, column.printed, first) in printed
    assert {row.printed for row in table.rows} == {row["dataset"] for row in printed_rows(name)}
    assert f"`{name}`" in (ROOT / "docs" / "own_paper.md").read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("paper", EXAMPLES)
def test_an_example_plans_with_the_data_that_there_are(paper, tmp_path, capsys):
    code = main(["reproduce", str(ROOT / "docs" / "papers" / paper), "--list", "--results-dir", str(tmp_path)])
    out, error = capsys.readouterr()
    assert code == 0, error
    head, line, *absent = out.splitlines()
    known = (": no data for ", " printed numbers are not in the description: ")
    assert f"{paper}/" in line and all(any(words in one for words in known) for one in absent)
