"""The tables that were reproduced follow from the partitions that lie beside them."""

import csv
import re
from pathlib import Path

import pytest

from kernlearn.papers import load_table, table_names
from kernlearn.papers.claims import check_claims
from kernlearn.report.reproduction import markdown, table_rows

RESULTS = Path(__file__).parents[2] / "results"
WORDS = ("dataset", "algorithm", "metric", "selected", "values")


def read(path):
    with path.open(newline="") as file:
        rows = [{k: v if k in WORDS else float(v) for k, v in row.items() if v} for row in csv.DictReader(file)]
    whole = ("seed", "n_splits", "n_programs", "n_not_optimal", "n_selected_not_optimal")
    return [{k: int(v) if k in whole else v for k, v in row.items()} for row in rows]


@pytest.mark.parametrize("name", [name for name in table_names() if (RESULTS / f"{name}.md").exists()])
def test_a_kept_report_follows_from_the_kept_partitions(name):
    table, kept = load_table(name), (RESULTS / f"{name}.md").read_text()
    partitions = read(RESULTS / f"{name}_partitions.csv")
    command = re.search("`(kernlearn reproduce .*)`", kept)[1]
    picture = RESULTS / f"{name}.svg"
    drawn = picture.name if picture.exists() else ""
    rows, claims = table_rows(table, partitions), check_claims(table, partitions)
    assert markdown(table, rows, partitions, claims, command, drawn) == kept
