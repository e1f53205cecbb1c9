"""Columns of one's own files that number or name the rows, as pandas, R and other programs write them."""

import pandas as pd
import pytest

from kernlearn.datasets import load
from kernlearn.errors import UserError
from tests.datasets.test_columns import LABELS, frame, write

PARTS = {
    "in order": lambda data: data,
    "a part": lambda data: data.sample(frac=0.6, random_state=0),
    "named": lambda data: data.sample(frac=0.6, random_state=0).rename_axis("patient"),
    "texts": lambda data: data.set_axis([f"row {i}" for i in range(len(data))]),
    "two levels": lambda data: data.set_index([pd.Index(range(60)), pd.Index(list("abc") * 20)]),
    "two named levels": lambda data: data.set_index([pd.Index(range(60), name="i"), pd.Index(LABELS, name="j")]),
    "dates": lambda data: data.set_axis(pd.date_range("2020-01-01", periods=60)),
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("format", ["parquet", "csv"])
def test_the_index_of_pandas_is_neither_feature_nor_target(part, format, tmp_path):
    data, path = PARTS[part](frame()), tmp_path / f"my.{format}"
    getattr(data, f"to_{format}")(path)
    named = "named" in part and format == "csv"  # a CSV file has no metadata
    keys = {"index": ["patient"] if part == "named" else ["i", "j"]} if named else {}
    for target in (None, "y", -1):
        read = load("csv", path=path, target=target, **keys)
        assert read.columns == ("a", "b") and read.classes == ("p", "q")
        assert read.X.tolist() == data[["a", "b"]].to_numpy().tolist()
    notes = [note for note in read.remarks if "dataset.index=none" in note]
    assert len(notes) == (not named and not (format == "parquet" and part == "in order"))


def test_what_was_an_index_once_is_one_by_its_name(tmp_path):
    frame().to_csv(tmp_path / "a.csv")
    again = pd.read_csv(tmp_path / "a.csv")  # "Unnamed: 0"
    again.to_csv(tmp_path / "b.csv", index=False)
    again.to_parquet(tmp_path / "b.parquet")
    assert (
        load("csv", path=tmp_path / "b.csv").columns == load("csv", path=tmp_path / "b.parquet").columns == ("a", "b")
    )


def test_a_column_of_parquet_without_a_name_is_an_index_as_in_csv(tmp_path):
    """As pyarrow reads what pandas has written."""
    of_csv, pq = pytest.importorskip("pyarrow.csv"), pytest.importorskip("pyarrow.parquet")
    frame().to_csv(tmp_path / "my.csv")
    pq.write_table(of_csv.read_csv(tmp_path / "my.csv"), tmp_path / "my.parquet")
    for format in ("csv", "parquet"):
        read = load("csv", path=tmp_path / f"my.{format}")
        assert read.columns == ("a", "b")
        assert any("it has no name, as pandas and R write it (if not: dataset.index=none)" in n for n in read.remarks)
        assert len(load("csv", path=tmp_path / f"my.{format}", index=["none"]).columns) == 3


@pytest.mark.parametrize("delimiter", [",", ";", "\t", " "])
def test_row_names_of_r_have_no_name_above_them(delimiter, tmp_path):
    text = "\n\na b label\nr1 1.5 2 p\nr2 2.5 3 q\nr3 3.5 4 p\n".replace(" ", delimiter)
    read = load("csv", path=write(tmp_path, text))
    assert read.columns == ("a", "b") and read.X.tolist() == [[1.5, 2], [2.5, 3], [3.5, 4]]
    assert any("row.names': index, not a feature" in note for note in read.remarks)
    with pytest.raises(UserError, match="line 6, column 'b': 'x' is not a number"):
        load("csv", path=write(tmp_path, text.replace("4", "x")))
    with pytest.raises(UserError, match="line 4: has 4 fields where 3 are expected"):
        load("csv", path=write(tmp_path, text.replace("label", "1")))


def test_the_index_can_be_said(tmp_path):
    path = tmp_path / "my.csv"
    frame().to_csv(path)
    assert load("csv", path=path, index=["none"]).columns == ("column 0", "a", "b")
    assert load("csv", path=path, index=["a"]).columns == ("column 0", "b")
    assert load("csv", path=path, index=["1", "0"]).columns == ("b",)
    assert load("csv", path=path, target=0, drop=["y"], task="regression").target[-1] == 59  # who names it wants it
    with pytest.raises(UserError, match="dataset.index: column 'y' is the target"):
        load("csv", path=path, index=["y"], target="y")
    with pytest.raises(UserError, match="index=c: no such column"):
        load("csv", path=path, index=["c"])
    frame()[["y"]].to_csv(path)
    with pytest.raises(UserError, match="no feature column beside the index .*dataset.index=none"):
        load("csv", path=path)


def test_forged_metadata_of_pandas_name_no_index(tmp_path):
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    for forged in (b"[", b"[]", b'{"index_columns": 3}', b'{"index_columns": [{"kind": "range"}, null]}', b"\xff"):
        table = pa.table({"a": [1.5, 2], "y": ["p", "q"]}).replace_schema_metadata({b"pandas": forged})
        pq.write_table(table, tmp_path / "my.parquet")
        assert load("csv", path=tmp_path / "my.parquet").columns == ("a",)
