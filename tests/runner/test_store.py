import json
import os
from dataclasses import replace
from hashlib import sha256

import pandas as pd
import pytest

from kernlearn.atomic import write_atomically
from kernlearn.runner.cell.cell import Group, PathCell
from kernlearn.runner.store.store import Store, content_key
from kernlearn.runner.store.tables import read_csv, write_csv, write_csv_parts


def test_what_is_written_is_read(tmp_path):
    store, payload = Store(tmp_path / "shards"), {"rows": [{"x": 0.1 + 0.2, "y": 1e-300}], "status": "ok"}
    key = content_key({"a": 1})
    assert store.read(key) is None
    store.write(key, payload)
    assert store.read(key) == payload
    assert [path.name for path in store.path(key).parent.iterdir()] == [f"{key}.json"]


@pytest.mark.parametrize("keep", [0.0, 0.3, 0.99])
def test_a_shard_cut_short_counts_as_missing(tmp_path, keep):
    store = Store(tmp_path)
    store.write("ab", {"rows": list(range(100))})
    content = store.path("ab").read_bytes()
    store.path("ab").write_bytes(content[: int(keep * len(content))])
    assert store.read("ab") is None


@pytest.mark.parametrize("position", [3, 70, 90])
def test_a_flipped_bit_counts_as_missing(tmp_path, position):
    store = Store(tmp_path)
    store.write("ab", {"rows": list(range(100))})
    content = bytearray(store.path("ab").read_bytes())
    content[position] ^= 1
    store.path("ab").write_bytes(content)
    assert store.read("ab") is None


@pytest.mark.parametrize(
    "payload",
    [
        {"status": "ok"},
        {"status": "ok", "rows": []},
        {"status": "ok", "rows": None},
        {"status": "ok", "rows": [1, 2]},
        {"status": "ok", "rows": {"columns": {"x": [1], "y": [1, 2]}}},
        {"status": "ok", "rows": {"columns": {"gap": ["x"]}}},
    ],
)
def test_a_shard_that_no_cell_can_have_written_is_removed(tmp_path, payload):
    """Its checksum is right, its content is not: somebody has made both."""
    store = Store(tmp_path)
    store.write("ab", {"status": "ok", "rows": [{"x": 1.0}]})
    body = json.dumps({"key": "ab", **payload}, separators=(",", ":")).encode() + b"\n"
    store.path("ab").write_bytes(sha256(body).hexdigest().encode() + b"\n" + body)
    assert store.read("ab") is None and store.sound("ab") is None


def test_the_key_is_the_content_not_the_order(tmp_path):
    assert content_key({"a": 1, "b": 2}) == content_key({"b": 2, "a": 1}) != content_key({"a": 1, "b": 3})


def test_the_key_of_a_cell_is_its_data_not_their_place():
    choice = {"name": "any"}
    cell = PathCell.from_json(
        {
            **{"dataset": {"name": "mine", "path": "/a.csv", "target": "y"}, "scaling": "unit", "kernel": choice},
            **{"algo": choice, "protocol": choice, "seed": 0, "data": "d1", "versions": {"algo": 1}, "split": 0},
        }
    )
    moved = replace(cell, dataset=Group({"name": "yours", "path": "/b.csv", "target": "y"}))
    assert cell.key == moved.key != replace(cell, data="d2").key
    assert cell.key == content_key({**cell.to_json(), "dataset": {"name": "csv", "target": "y"}})


def test_a_failed_write_leaves_nothing_behind(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    write_atomically(tmp_path / "table.csv", b"old")
    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="No space"):
        write_atomically(tmp_path / "table.csv", b"new")
    assert (tmp_path / "table.csv").read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["table.csv"]


def test_csv_numbers_read_back_as_the_same_numbers(tmp_path):
    values = [0.1 + 0.2, 1e-17, 5e-324, 123456789.123456789]
    write_csv(tmp_path / "t.csv", [{"x": value} for value in values] + [{"x": 1.0, "late": None}])
    table = read_csv(tmp_path / "t.csv")
    assert [float(row["x"]) for row in table[:-1]] == values
    assert list(table[0]) == ["x", "late"] and table[0]["late"] == ""
    assert json.dumps(values) == json.dumps([float(row["x"]) for row in table[:-1]])


@pytest.mark.parametrize("text", ["a\rb", "a\nb", "a\r\nb", "\r", '"\r"', "a,b", "a\r\n"])
def test_a_text_that_ends_lines_is_read_back_as_it_is(text, tmp_path):
    rows = [{"x": text, "y": "1"}, {"x": "plain", "y": "2"}]
    write_csv(tmp_path / "a.csv", rows)
    write_csv_parts(tmp_path / "b.csv", [rows[:1], rows[1:]])
    content = (tmp_path / "a.csv").read_bytes()
    assert content == (tmp_path / "b.csv").read_bytes() and content.endswith(b"\nplain,2\n")
    assert read_csv(tmp_path / "a.csv") == rows
    assert pd.read_csv(tmp_path / "a.csv", dtype=str).to_dict("records") == rows


def test_a_row_with_a_column_that_the_file_lacks_is_no_table(tmp_path):
    with pytest.raises(ValueError, match="other columns"):
        write_csv(tmp_path / "a.csv", [{"x": 1, "y": 2}], ["x"])
    assert not (tmp_path / "a.csv").exists()
