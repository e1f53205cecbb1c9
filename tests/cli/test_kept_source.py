"""Kept tables are of the present source: what a command would compute now is what the files say they have."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from kernlearn.cli.work.table import available, plan_table
from kernlearn.papers import load_table, table_names
from kernlearn.report.reproduction import read_partitions
from tests.conftest import needs_originals

RESULTS = Path(__file__).parents[2] / "results"
#: Tables of which some columns (None: all) are of an older version of their method, and why they are kept.
OLDER = {
    "mkl2010/fig3_1": (None, "a reduced run, of 3 and 5 splits; the whole one of 20 and 10 takes its place"),
    "rmm2010/bounds": ({"qpboost"}, "it is computed with table 6.1"),
    "rmm2010/fig6_1": ({"qpboost"}, "it is computed with table 6.1"),
    "rmm2010/table6_1": ({"qpboost"}, "five sets of stumps take its place"),
}
#: Tables of at most so many cells are compared cell by cell; of larger ones every column is, on one row.
MOST_CELLS = 60


@pytest.mark.data
@needs_originals
@pytest.mark.parametrize("name", [name for name in table_names() if (RESULTS / f"{name}_partitions.csv").exists()])
def test_a_kept_table_is_of_the_present_source_or_it_is_said_why_not(name):
    """The name of a run has in it the data, the description and the version of all that computed it."""
    table = load_table(name)
    kept = {
        (row["dataset"], row["algorithm"], row["seed"]): row["run"]
        for row in read_partitions(RESULTS / f"{name}_partitions.csv")
    }
    datasets, absent = available(table.rows)
    assert not absent
    described = json.loads((RESULTS / f"{name}.provenance.json").read_text())["data"]
    assert {data.digest for data in datasets.values()} == {data["sha256"] for data in described}
    cells = sum(row.has(column) for row in table.rows for column in table.columns)
    asked = table if cells <= MOST_CELLS else one_row_a_column(table)
    seeds = sorted({0, max(seed for *_, seed in kept)})
    present = [one.identity for one in plan_table(asked, datasets, seeds)]
    others = [identity for identity in present if kept.get(identity[:3], identity[3]) != identity[3]]
    older, _ = OLDER.get(name, (set(), ""))
    columns = {column.name for column in table.columns} if older is None else older
    assert {column for _, column, *_ in others} == columns, f"computed by other source: {others[:5]}; reproduce it"


def one_row_a_column(table):
    """Return the table with every column once: rows differ in their data, which are compared by themselves."""
    first = {column.name: next(row for row in table.rows if row.has(column)).name for column in table.columns}
    rows = [(row, tuple(column for column, name in first.items() if name == row.name)) for row in table.rows]
    return replace(table, rows=tuple(replace(row, columns=columns) for row, columns in rows if columns))
