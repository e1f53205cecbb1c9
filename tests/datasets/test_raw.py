"""Missing values and texts of one's own files: refused, left out, or made numbers by a training part."""

import gzip

import numpy as np
import pandas as pd
import pytest

from kernlearn.datasets import load
from kernlearn.datasets.core.raw import MISSING_WAYS, RawFeatures, encoded
from kernlearn.errors import UserError
from kernlearn.kernels import scaled

TEXT = "a,colour,b,y\n1,red,?,p\n2,blue,3,q\n,red,5,p\n4,,5,q\n6,green,7,q\n"
NA = np.nan


def write(tmp_path, text, name="my.csv"):
    (tmp_path / name).write_text(text)
    return tmp_path / name


def numbers(data, train=slice(None)):
    return scaled("none", data.X[train], data.X)


def test_what_is_missing_is_filled_in_by_the_training_part(tmp_path):
    path = write(tmp_path, TEXT)
    median = load("csv", path=path, missing="median", text="onehot")
    assert isinstance(median.X, RawFeatures) and median.X.shape == (5, 3) and median.columns == ("a", "colour", "b")
    blue, red = [1.0, 0.0], [0.0, 1.0]
    train, both = numbers(median, [0, 1, 2])
    assert train.tolist() == [[1, 4, *red], [2, 3, *blue], [1.5, 5, *red]]
    assert both[3:].tolist() == [[4, 5, *red], [6, 7, 0, 0]]  # the most frequent colour, and one that was not seen
    frequent, _ = numbers(load("csv", path=path, missing="most_frequent", text="onehot"), [2, 3, 4])
    assert frequent[:, :2].tolist() == [[4, 5], [4, 5], [6, 7]]


def test_indicators_say_what_was_missing(tmp_path):
    data = load("csv", path=write(tmp_path, TEXT), missing="indicator", text="onehot")
    train, everything = numbers(data, [1, 2, 3])  # b is complete there
    assert train.tolist() == [[2, 3, 0, 1, 0, 0], [3, 5, 1, 0, 1, 0], [4, 5, 0, 0, 0, 1]]  # colours: blue, red, missing
    assert everything[0].tolist() == [1, 5, 0, 0, 1, 0]
    data = load("csv", path=write(tmp_path, TEXT), missing="indicator", text="ordinal")
    train, everything = numbers(data, [1, 2, 3])
    assert train[:, 3:].tolist() == [[0, 0], [1, 0], [0, 1]]  # of blue and red as frequent the first
    assert everything[4, 3:].tolist() == [-1, 0]


def test_rows_and_columns_may_be_left_out(tmp_path):
    data = load("csv", path=write(tmp_path, TEXT.replace("3,q", "3,p")), missing="drop", text="drop")
    assert data.columns == ("a", "b") and data.X.tolist() == [[2, 3], [4, 5], [6, 7]]
    assert "2 of 5 rows have missing values and are left out" in data.remarks
    assert "column 'colour': texts, left out" in data.remarks
    target = load("csv", path=write(tmp_path, "a,y\n1,p\n2,\n3,q\n4,?\n"), missing="drop")
    assert target.X.tolist() == [[1], [3]] and "2 of 4 rows" in " ".join(target.remarks)
    real = load("csv", path=write(tmp_path, "a,y\n1,0.5\n2,\n3,2\n"), missing="drop", task="regression")
    assert real.target.tolist() == [0.5, 2]
    with pytest.raises(UserError, match="line 6, column 'a': 'inf' is not finite"):
        load("csv", path=write(tmp_path, "a,y\n1,p\n,p\n2,q\n\ninf,q\n"), missing="drop")


def test_a_complete_file_is_the_same_whatever_is_said(tmp_path):
    path = write(tmp_path, "a,b,y\n1,2,p\n2,3,q\n4,5,q\n")
    for missing in ("refuse", "drop", "median", "most_frequent", "indicator"):
        assert load("csv", path=path, missing=missing, text="onehot").digest == load("csv", path=path).digest


@pytest.mark.parametrize("missing", ["median", "most_frequent", "indicator"])
@pytest.mark.parametrize("text", ["onehot", "ordinal"])
def test_other_rows_change_no_training_input(tmp_path, missing, text):
    rows = TEXT.splitlines()
    changed = "\n".join([*rows[:4], "1e9,violet,-3,p", "?,?,?,q", ""])
    load_one = [load("csv", path=write(tmp_path, some), missing=missing, text=text) for some in (TEXT, changed)]
    first, second = (numbers(data, [0, 1, 2])[0] for data in load_one)
    assert first.tobytes() == second.tobytes() and first.shape == second.shape
    assert load_one[0].digest != load_one[1].digest


def test_columns_without_a_value_in_the_training_part(tmp_path):
    data = load("csv", path=write(tmp_path, TEXT), missing="median", text="onehot")
    raw = data.X.with_values(np.array([[NA, NA, NA], [NA, 1, NA], [1, 0, 1]]))
    train, test = encoded(raw[[0]], raw[[1, 2]])
    assert np.isfinite(train).all() and train.shape[1] == test.shape[1] == 3


@pytest.mark.parametrize("name", ["my.arff", "my.parquet"])
def test_categories_of_typed_files(tmp_path, name):
    if name == "my.arff":
        head = (
            "@relation r\n@attribute a numeric\n@attribute c {u,v,w}\n@attribute d {s,t}\n@attribute y {p,q}\n@data\n"
        )
        write(tmp_path, head + "1,u,s,p\n?,v,t,q\n3,?,t,p\n4,v,s,q\n", name)
    else:
        c, d = (pd.Categorical(values) for values in (["u", "v", None, "v"], list("stts")))
        frame = pd.DataFrame({"a": [1, None, 3, 4], "c": c, "d": d, "y": list("pqpq")})
        frame.to_parquet(tmp_path / name)
    with pytest.raises(UserError, match="2 cells cannot be used, in columns 'a', 'c'"):
        load("csv", path=tmp_path / name)
    assert load("csv", path=tmp_path / name, missing="drop").X[:, 0].tolist() == [1, 4]
    data = load("csv", path=tmp_path / name, missing="median")
    assert data.columns == ("a", "c", "d=s", "d=t")
    assert numbers(data)[0].tolist() == [[1, 1, 0, 1, 0], [3, 0, 1, 0, 1], [3, 0, 1, 0, 1], [4, 1, 0, 0, 1]]


@pytest.mark.parametrize(
    ("text", "options", "words"),
    [
        (TEXT, {}, r"line 2, column 'colour': 'red' .*dataset.text=onehot .*7 cells .*\(3 of them are missing: see"),
        (TEXT, {"text": "onehot"}, "line 2, column 'b': .*dataset.missing=median.*; 3 cells .* 'a', 'colour', 'b'"),
        (TEXT, {"missing": "median"}, "line 2, column 'colour': 'red' .*4 cells cannot be used, in column 'colour'"),
        ("a,y\n1,p\n2,?\n3,q\n", {}, "line 3, .*the target is missing .*dataset.missing=drop"),
        ("a,y\n1,?\n2,?\n", {"missing": "median"}, "no row has a target"),
        ("a,y\n?,p\n2,?\n", {"missing": "drop"}, "dataset.missing=drop leaves no row"),
        ("a,y\nx,p\nz,q\n", {"text": "drop"}, "dataset.text=drop leaves no feature"),
        ("a,y\n1,p\ninf,q\n?,q\n", {"missing": "median"}, "line 3, column 'a': 'inf' is not finite"),
        ("1 1:2\n2 1:3\n", {"missing": "median"}, "dataset.missing does not apply to libsvm files"),
        (TEXT, {"missing": "mean"}, "missing=mean: must be one of refuse, drop, median"),
    ],
)
def test_refusals_count_the_cells_and_name_the_key(tmp_path, text, options, words):
    with pytest.raises(UserError, match=words) as caught:
        load("csv", path=write(tmp_path, text), **options)
    assert "\n" not in str(caught.value)


def test_what_is_done_is_said(tmp_path):
    said = " | ".join(load("csv", path=write(tmp_path, TEXT), missing="median", text="onehot").remarks)
    assert "column 'colour': 3 different texts, one indicator for each" in said
    assert "columns 'a', 'colour', 'b': 3 missing values, filled in by the training part (median)" in said


def test_many_different_texts_are_bounded(tmp_path, monkeypatch):
    monkeypatch.setenv("KERNLEARN_MAX_DATA_MB", "1")
    text = "a,y\n" + "".join(f"t{i},{i % 2}\n" for i in range(1000))
    (tmp_path / "my.csv.gz").write_bytes(gzip.compress(text.encode()))
    with pytest.raises(UserError, match="KERNLEARN_MAX_DATA_MB"):
        load("csv", path=tmp_path / "my.csv.gz", text="onehot")
    assert load("csv", path=tmp_path / "my.csv.gz", text="ordinal").X.shape == (1000, 1)


@pytest.mark.parametrize("missing", MISSING_WAYS[2:])
def test_rows_without_a_target_are_left_out_where_features_are_filled_in(tmp_path, missing):
    (path := tmp_path / "my.csv").write_text("a,y\n1,p\n2,?\n,q\n4,p\n")
    data = load("csv", path=path, missing=missing)
    assert data.X.shape[0] == 3 and data.y.tolist() == [0, 1, 0]
    assert "1 of 4 rows have no target and are left out" in data.remarks
    with pytest.raises(UserError, match="and so does missing=median, which fills in the features"):
        load("csv", path=path)
