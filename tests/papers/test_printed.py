from pathlib import Path

import pytest

from kernlearn import papers
from kernlearn.datasets import CATALOGUE
from kernlearn.papers import figure_names, load_table, table_names, table_values
from kernlearn.papers.core.compare import COLUMNS, printed_rows
from kernlearn.papers.core.contents import contents

#: All that there is beside the descriptions, but the sizes of data sets.
TABLE_2 = "vkr2015/table2"
PLACE = Path(papers.__file__).parent
FILES = sorted(
    f"{path.relative_to(PLACE).parts[0]}/{path.stem}"
    for path in PLACE.rglob("*.csv")
    if path.stem not in ("table2", "contents", "theorems")
)
#: The data set of table 1 that table 2 has under another name.
SAME_DATA = {"diabetes": "pima"}
#: Printed data sets without a row of ours: not to be had, or not run.
NO_ROW = {"tss", "plant", "nonpl", "psort_pos", "psort_neg", "mnist_two_thirds", "mnist_full"}


@pytest.mark.parametrize("table", FILES)
def test_every_file_of_printed_values_is_whole(table):
    rows = printed_rows(table)
    assert rows and tuple(rows[0]) == COLUMNS
    for row in rows:
        assert row["paper"] == table.partition("/")[0] and row["metric"]
        for key in ("mean", "std"):
            assert row[key] == "" or float(row[key]) == float(row[key])


@pytest.mark.parametrize("table", sorted(set(FILES) & set(table_names())))
def test_every_printed_data_set_has_a_row(table):
    claimed = {row.printed or row.name for row in load_table(table).rows}
    assert {row["dataset"] for row in printed_rows(table)} - claimed <= NO_ROW


def test_the_data_sets_have_the_sizes_of_table_2():
    sizes = {row["dataset"]: (int(row["examples"]), int(row["features"])) for row in printed_rows(TABLE_2)}
    ours = {name: (CATALOGUE[SAME_DATA.get(name, name)].n, CATALOGUE[SAME_DATA.get(name, name)].d) for name in sizes}
    assert len(sizes) == 11 and ours == sizes


def test_the_contents_count_what_is_printed():
    entries = {entry.name: entry for work in contents().values() for entry in work}
    assert {*table_names(), *figure_names()} <= set(entries)
    for name in table_names():
        table = load_table(name)
        rows = printed_rows(table.printed) if table.printed else []
        assert entries[name].cells == sum(bool(row["mean"]) for row in rows)
    for name, entry in entries.items():
        assert entry.title and bool(entry.note) != (name in (*table_names(), *figure_names()))


def test_cells_of_the_printed_tables():
    cell = table_values("mkl2010/table3_1", "german", "alignf")
    assert (cell["error_pct"].mean, cell["error_pct"].std, cell["alignment"].mean) == (24.2, 1.5, 0.093)
    cell = table_values("localrad2013/table1", "protein_fold", "conv")
    assert (cell["accuracy_pct"].mean, cell["accuracy_pct"].std) == (59.6, 2.4)
    assert table_values("mkl2010/table2_1", "splice", "", "non_centered")["correlation"].mean == 0.4484


def test_the_setting_tells_cells_apart():
    regression, classification = (
        table_values("mkl2010/table3_2", "kitchen", "align", setting) for setting in ("regression", "classification")
    )
    assert (regression["rmse"].mean, regression["alignment"].mean) == (1.312, 0.076)
    assert (classification["error_pct"].mean, classification["alignment"].mean) == (17.2, 0.070)
    assert "error_pct" not in regression and "rmse" not in classification
