"""Mistakes in the description of a table are one line, and a claim about nothing does not hold."""

import pytest

from kernlearn.errors import UserError
from kernlearn.papers import load_table, table_names
from kernlearn.papers.core import descriptions
from kernlearn.papers.core.descriptions import check_description
from kernlearn.papers.core.index import places
from kernlearn.papers.core.measured import everywhere

GOOD = {
    "title": "A table",
    "unit": "partition",
    "rows": {"sonar": {}},
    "columns": {"svm": {"printed": "l2_svm", "overrides": ["algo=l2_svm"]}},
    "metrics": {"error_pct": {"title": "Error", "digits": 1}},
    "readings": {},
}


def spec(**changes):
    return {key: value for key, value in {**GOOD, **changes}.items() if value is not None}


@pytest.mark.parametrize("name", table_names())
def test_every_description_is_sound(name):
    load_table(name)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"readings": None}, "readings is missing"),
        ({"colums": {}}, "colums: unknown key.*did you mean columns"),
        ({"rows": {"sonar": {"override": []}}}, "rows.sonar.override: unknown key"),
        ({"columns": {"svm": {"printd": "l2_svm", "overrides": []}}}, "columns.svm.printd: unknown key"),
        (
            {"columns": {"svm": {"printed": "l2_svn", "overrides": []}}},
            "printed=l2_svn: the printed values have .*l2_svm",
        ),
        (
            {"metrics": {"eror_pct": {"title": "Error", "digits": 1}}},
            "metrics.eror_pct: is none of .*did you mean error_pct",
        ),
        ({"metrics": {"error_pct": {"title": "Error", "digit": 1}}}, "metrics.error_pct.digit: unknown key"),
        (
            {"claims": [{"claim": "few", "holds": "svm < 5", "readings": ["svm"]}]},
            "'few' has the reading svm; columns with reading: true and printed are none",
        ),
    ],
)
def test_a_mistake_is_named(changes, words):
    with pytest.raises(UserError, match=words):
        check_description("vkr2015/table1", spec(**changes), places()["vkr2015/table1"].printed, measures=False)
    check_description("vkr2015/table1", spec(), places()["vkr2015/table1"].printed, measures=False)


def test_printed_values_without_a_column_are_refused_before_anything_is_computed(monkeypatch):
    rows = [{"dataset": "sonar", "algorithm": "l2_svm", "metric": "error_pct", "mean": "1.0", "std": ""}]
    monkeypatch.setattr(descriptions, "printed_rows", lambda name: rows)
    with pytest.raises(UserError, match="mine/table1.csv: lacks paper, table, setting, marker, note; its columns are"):
        check_description("mine/table1", spec(), "mine/table1", measures=False)


def test_of_no_row_nothing_is_claimed():
    assert everywhere("all is well", {}) == ("all is well", "no row has what it compares", "not measured")
