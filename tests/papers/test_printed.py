from importlib.resources import files

import pytest

from kernlearn.datasets import CATALOGUE
from kernlearn.papers import figure_names, load_table, table_names, table_values
from kernlearn.papers.compare import printed_rows
from kernlearn.papers.contents import contents

COLUMNS = ["paper", "table", "dataset", "setting", "algorithm", "metric", "mean", "std", "marker", "note"]
ROWS = {
    "localrad2013_fig2_center_auc": 5,
    "localrad2013_table1": 15,
    "mkl2010_formulas": 37,
    "mkl2010_sec3_2_2_uci": 4,
    "mkl2010_table2_1": 10,
    "mkl2010_table3_1": 40,
    "mkl2010_table3_2": 48,
    "vkr2015_table1": 88,
}
#: Printed names of data sets that we have under another name, or not at all.
OTHER_NAMES = {"kinematics": "kin8nm", "splice": "splice_delve", "breast": "breastcancer", "two_points": None}
#: The data set of table 1 that table 2 has under another name.
SAME_DATA = {"diabetes": "pima"}
TABLE_2 = "vkr2015_table2_datasets"
ABSENT = {"tss", "plant", "nonpl", "psort_pos", "psort_neg"}


@pytest.mark.parametrize("table", sorted(ROWS))
def test_every_file_of_printed_values_is_whole(table):
    rows = printed_rows(table)
    assert len(rows) == ROWS[table] and list(rows[0]) == COLUMNS
    for row in rows:
        assert row["paper"] == table.partition("_")[0] and row["metric"]
        for key in ("mean", "std"):
            assert row[key] == "" or float(row[key]) == float(row[key])
        name = OTHER_NAMES.get(row["dataset"], row["dataset"])
        assert not name or name in ABSENT or name in CATALOGUE


def test_there_are_no_other_files():
    names = {path.name for path in files("kernlearn.papers.printed").iterdir() if path.name.endswith(".csv")}
    assert names == {f"{table}.csv" for table in ROWS} | {"vkr2015_table2_datasets.csv", "contents.csv"}


def test_the_data_sets_have_the_sizes_of_table_2():
    sizes = {row["dataset"]: (int(row["examples"]), int(row["features"])) for row in printed_rows(TABLE_2)}
    ours = {name: (CATALOGUE[SAME_DATA.get(name, name)].n, CATALOGUE[SAME_DATA.get(name, name)].d) for name in sizes}
    assert len(sizes) == 11 and ours == sizes


def test_the_contents_count_what_is_printed():
    entries = {entry.name: entry for work in contents().values() for entry in work}
    assert len(entries) == 44 and {*table_names(), *figure_names()} <= set(entries)
    for name in table_names():
        table = load_table(name)
        rows = printed_rows(table.printed) if table.printed else []
        assert entries[name].cells == sum(bool(row["mean"]) for row in rows) and not entries[name].note
    for name, entry in entries.items():
        assert entry.title and (entry.note or name in (*table_names(), *figure_names()))


def test_cells_of_the_printed_tables():
    cell = table_values("mkl2010_table3_1", "german", "alignf")
    assert (cell["error_pct"].mean, cell["error_pct"].std, cell["alignment"].mean) == (24.2, 1.5, 0.093)
    cell = table_values("localrad2013_table1", "protein_fold", "conv")
    assert (cell["accuracy_pct"].mean, cell["accuracy_pct"].std) == (59.6, 2.4)
    assert table_values("mkl2010_table2_1", "splice", "", "non_centered")["correlation"].mean == 0.4484


def test_the_setting_tells_cells_apart():
    regression, classification = (
        table_values("mkl2010_table3_2", "kitchen", "align", setting) for setting in ("regression", "classification")
    )
    assert (regression["rmse"].mean, regression["alignment"].mean) == (1.312, 0.076)
    assert (classification["error_pct"].mean, classification["alignment"].mean) == (17.2, 0.070)
    assert "error_pct" not in regression and "rmse" not in classification
