"""What columns of one's own files are for and what they hold: header, labels, missing values, types."""

import datetime as dt
from pathlib import Path
from time import process_time

import numpy as np
import pandas as pd
import pytest

from kernlearn.datasets import load, read_user_file
from kernlearn.datasets.core.columns import Keys, roles_of, words_for
from kernlearn.errors import UserError

LABELS = ["p", "q"] * 30


def noise(n=60, d=2, seed=0):
    return np.random.RandomState(seed).randn(n, d).round(3)


def frame():
    return pd.DataFrame(noise(), columns=["a", "b"]).assign(y=LABELS)


def write(tmp_path, content, name="my.csv"):
    path = tmp_path / name
    path.write_text(content)
    return path


NUMBERED = {
    "from 0": [0, 1, 2, 3],
    "from 1": [1, 2, 3, 4],
    "wavelengths": [400.5, 401, 401.5, 402],
    "down": [9, 7, 5, 2],
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("names", NUMBERED)
@pytest.mark.parametrize("labels", [LABELS, [0, 1] * 30])
@pytest.mark.parametrize("index", [False, True])
def test_names_that_are_numbers(names, labels, index, tmp_path):
    data = pd.DataFrame(noise(d=4), columns=NUMBERED[names]).assign(label=labels)
    data.to_csv(tmp_path / "my.csv", index=index)
    for target in (None, -1, "label"):
        read = load("csv", path=tmp_path / "my.csv", target=target)
        assert read.classes == tuple(map(str, sorted(set(labels)))) and len(read.X) == 60
        assert read.columns == tuple(map(str, data.columns[:-1]))
        assert "the first line has the names (if not: dataset.header=false)" in read.remarks


def test_few_numbers_are_names_where_no_example_would_be_so(tmp_path):
    rng = np.random.RandomState(0)
    pd.DataFrame(np.column_stack([noise(), np.arange(60) % 2])).to_csv(tmp_path / "my.csv", index=False)  # 0,1,2
    assert load("csv", path=tmp_path / "my.csv").classes == ("0.0", "1.0")
    people = pd.DataFrame(rng.randint(5000, size=(60, 3)), columns=[2019, 2020, 2021])
    people.to_csv(tmp_path / "my.csv", index=False)
    assert load("csv", path=tmp_path / "my.csv", task="regression").columns == ("2019", "2020")
    counts = rng.randint(9, size=(60, 3))
    counts[0] = 1, 3, 8
    np.savetxt(tmp_path / "my.csv", counts, fmt="%d", delimiter=",")
    assert len(load("csv", path=tmp_path / "my.csv", task="regression").X) == 60


def test_years_above_numbers(tmp_path):
    a = np.random.RandomState(0).rand(60) * 5 + 1
    data = pd.DataFrame({"2019": a, "2020": a + 1, "2021": a * 2}).round(3)
    data.to_csv(tmp_path / "my.csv", index=False)
    for target in (None, 2021, "2021"):
        read = load("csv", path=tmp_path / "my.csv", target=target, task="regression")
        assert read.target.max() < 20 and read.X.shape == (60, 2) and read.columns == ("2019", "2020")
    read = load("csv", path=tmp_path / "my.csv", header=False, task="regression")
    assert read.X.shape == (61, 2) and not any("dataset.header" in note for note in read.remarks)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("d", [1, 2, 5, 300])
@pytest.mark.parametrize("order", ["any", "sorted"])
def test_numbers_without_names_are_examples(whole, d, order, tmp_path):
    """Also where the first row happens to increase."""
    X = noise(d=d) * 100
    X = X.round() if whole else X
    X = np.sort(X, axis=0) if order == "sorted" else X
    X[0] = np.sort(X[0])
    for y in (np.arange(60) % 3, LABELS, noise(d=1)[:, 0]):
        pd.DataFrame(X).assign(y=y).to_csv(tmp_path / "my.csv", index=False, header=False)
        task = "regression" if not isinstance(y, list) and y.dtype.kind == "f" else "classification"
        assert load("csv", path=tmp_path / "my.csv", task=task).X.shape == (60, d)


def test_a_first_line_of_texts_that_occur_below_is_an_example(tmp_path):
    text = "5.1,red,A\n4.2,blue,B\n3.3,red,A\n2.2,blue,B\n"
    read = load("csv", path=write(tmp_path, text), types={"1": "category"})
    assert read.X.shape == (4, 3) and read.columns[1:] == ("column 1=blue", "column 1=red")
    assert load("csv", path=write(tmp_path, "size,colour,label\n" + text), types={"colour": "category"}).X.shape == (
        4,
        3,
    )
    data = load("csv", path=write(tmp_path, "1,2,x\n3,4,y\n5,6,y\n7,8,x\n"), header=True)
    assert data.columns == ("1", "2") and len(data.X) == 3


IDS = [76561198000000001, 76561198000000002, 42]


@pytest.mark.parametrize("name", ["my.csv", "my.parquet", "gaps.parquet", "my.arff", "my.svm"])
def test_labels_are_never_rounded(name, tmp_path):
    labels, X = np.repeat(IDS, 20), noise()
    data = pd.DataFrame(X, columns=["a", "b"]).assign(y=labels)
    rows = [f"{a},{b},{label}" for (a, b), label in zip(X.tolist(), labels, strict=True)]
    if name == "my.svm":
        write(tmp_path, "\n".join(f"{row.split(',')[2]} 1:{row.split(',')[0]}" for row in rows), name)
    elif name == "my.arff":
        head = f"@relation r\n@attribute a real\n@attribute b real\n@attribute y {{{','.join(map(str, IDS))}}}\n@data\n"
        write(tmp_path, head + "\n".join(rows), name)
    elif name == "my.csv":
        data.to_csv(tmp_path / name, index=False)
    elif name == "my.parquet":
        data.to_parquet(tmp_path / name)
    else:  # integers with a missing one would become floats
        extra = pd.DataFrame({"a": [0.0], "b": [0.0], "y": pd.array([None], dtype="Int64")})
        pd.concat([data.astype({"y": "Int64"}), extra]).to_parquet(tmp_path / name)
        with pytest.raises(UserError, match="row 61, column 'y': the target is missing"):
            load("csv", path=tmp_path / name)
        data.astype({"y": "Int64"}).to_parquet(tmp_path / name)
    read = load("csv", path=tmp_path / name)
    assert read.classes == ("42", "76561198000000001", "76561198000000002") and np.bincount(read.y).tolist() == [20] * 3
    assert not any("one class" in note for note in read.remarks)


@pytest.mark.parametrize(
    ("labels", "classes", "merged"),
    [
        (["1", "1.0", "+1", "2"], ("1", "2"), ["'+1' and '1' and '1.0'"]),
        (["2.1", "2.10", "2.2", "2.20"], ("2.1", "2.2"), ["'2.1' and '2.10'", "'2.2' and '2.20'"]),
        (["1_0", "10", "10", "1_0"], ("10", "1_0"), []),
        (["0.1", "0.10000000000000001", "0.1", "0.2"], ("0.1", "0.10000000000000001", "0.2"), []),
        (["1e2", "100", "7", "7"], ("7", "100"), ["'100' and '1e2'"]),
        (["1" + "0" * 400, "1" + "0" * 399 + "1", "3", "3"], ("3", "1" + "0" * 400, "1" + "0" * 399 + "1"), []),
        (["v1.0", "v1", "v1", "v1.0"], ("v1", "v1.0"), []),
        (["nan1", "inf", "inf", "nan1"], ("inf", "nan1"), []),
        (["00123", "9", "10000", "+7"], ("+7", "9", "00123", "10000"), []),
        (["1.00", "1.0", "02", "3"], ("1", "02", "3"), ["'1.0' and '1.00'"]),
    ],
)
def test_spellings_of_one_number_are_one_class_and_no_others(labels, classes, merged, tmp_path):
    path = write(tmp_path, "a,y\n" + "".join(f"{i}.5,{label}\n" for i, label in enumerate(labels * 2)))
    read = load("csv", path=path)
    assert read.classes == classes
    said = [note for note in read.remarks if "one class" in note]
    assert len(said) == len(merged) and all(f"labels {m} are" in s for m, s in zip(merged, said, strict=True))
    assert all("dataset.types={y: text}" in note for note in said)
    assert set(load("csv", path=path, types={"y": "text"}).classes) == set(labels)


@pytest.mark.parametrize(
    ("labels", "keys", "classes"),
    [
        (["1,0", "1", "2", "2,0"], {}, ("1", "2")),
        (["1,0", "1", "2", "2,0"], {"decimal": "comma", "types": {"y": "number"}}, ("1", "2")),
        (["1,0", "1", "2", "2,0"], {"types": {"y": "text"}}, ("1", "1,0", "2", "2,0")),
        (["10,5", "9,5"], {}, ("9,5", "10,5")),  # sorted as numbers
        (["1.000", "1000", "2.000,0"], {"decimal": "comma", "thousands": "point"}, ("1000", "2.000,0")),
        (["1.0", "1", "2.5"], {}, ("1", "1.0", "2.5")),  # no numbers beside decimal commas
    ],
)
def test_labels_are_numbers_as_the_file_writes_them(labels, keys, classes, tmp_path):
    rows = "".join(f"{i},{i % 7}5;{labels[i % len(labels)]}\n" for i in range(24))
    assert load("csv", path=write(tmp_path, f"x;y\n{rows}"), **keys).classes == classes


def test_quantities_with_decimal_commas_are_no_classes(tmp_path):
    rows = "".join(f"{i},{i % 7}5;{i % 12},5\n" for i in range(48))
    with pytest.raises(UserError, match="the labels are 12 different numbers, not all of them whole"):
        load("csv", path=write(tmp_path, f"x;y\n{rows}"))


@pytest.mark.parametrize("name", ["my.csv", "my.arff", "my.svm"])
def test_codes_with_leading_zeros_keep_them(name, tmp_path):
    rows = {"my.csv": "{0},{1}\n", "my.arff": "{0},{1}\n", "my.svm": "{1} 1:{0}\n"}[name]
    head = "@relation r\n@attribute a real\n@attribute y {10000,00123,00124}\n@data\n" if name == "my.arff" else ""
    lines = [rows.format(i + 1, label) for i, label in enumerate(["10000", "00124", "00123"] * 2)]
    read = load("csv", path=write(tmp_path, head + "".join(lines), name))
    assert read.classes == ("00123", "00124", "10000") and read.y.tolist() == [2, 1, 0] * 2
    assert not any("one class" in note for note in read.remarks)


@pytest.mark.parametrize("label", ["none", "NA", "null", "None", "nan", "N/A"])
def test_classes_called_so_are_classes(label, tmp_path):
    data = pd.DataFrame({"a": [1.0, 2, 3, 4], "y": [label, "mild"] * 2})
    data.to_csv(tmp_path / "quoted.csv", index=False, quoting=2)
    data.to_csv(tmp_path / "plain.csv", index=False)
    data.assign(y=[label, 1] * 2).astype(str).to_csv(tmp_path / "numbers.csv", index=False, quoting=1)
    data.to_parquet(tmp_path / "texts.parquet")
    data.astype({"y": "category"}).to_parquet(tmp_path / "categories.parquet")
    for name in ("quoted.csv", "plain.csv", "numbers.csv", "texts.parquet", "categories.parquet"):
        read = load("csv", path=tmp_path / name)
        assert set(read.classes) == {label, "1" if name == "numbers.csv" else "mild"}
        assert any("dataset.na_values" in note for note in read.remarks) == (name == "plain.csv")
    with pytest.raises(UserError, match="the target is missing"):
        load("csv", path=tmp_path / "plain.csv", na_values=[label])
    mixed = write(tmp_path, f'"a","y"\n1,"{label}"\n2,"mild"\n3,"{label}"\n4,{label}\n5,"mild"\n')  # as R writes it
    with pytest.raises(UserError, match="line 5, column 'y': the target is missing"):
        load("csv", path=mixed)
    among_numbers = write(tmp_path, f"a,y\n1,0\n2,{label}\n3,1\n4,0\n")
    with pytest.raises(UserError, match=r"line 3, column 'y': the target is missing .*dataset.na_values=\[.\?.\]"):
        load("csv", path=among_numbers)
    assert set(load("csv", path=among_numbers, na_values=["?"]).classes) == {"0", "1", label}


@pytest.mark.parametrize("missing", [r"\N", "0000-00-00", "0000-00-00 00:00:00"])
def test_what_mysql_writes_for_no_value_is_missing(missing, tmp_path):
    rows = "".join(f"{missing if i == 4 else f'2020-01-0{1 + i}'},{i % 3},{'pq'[i % 2]}\n" for i in range(8))
    read = load("csv", path=write(tmp_path, f"day,x,y\n{rows}"), missing="drop")
    assert len(read.X) == 7 and read.columns == ("day", "x")
    with pytest.raises(UserError, match="line 6, column 'day': the value is missing"):
        load("csv", path=write(tmp_path, f"day,x,y\n{rows}"))


def test_texts_that_may_be_booleans_are_asked_about(tmp_path):
    path = write(tmp_path, "x,z,y\n1,Yes,p\n2,no,q\n3,Yes,p\n")
    with pytest.raises(UserError, match=r"'Yes' is not a number \('dataset.types={z: boolean}' reads the column as 1"):
        load("csv", path=path)
    assert load("csv", path=path, types={"z": "boolean"}).X[:, 1].tolist() == [1, 0, 1]


def test_refusals_count_the_cells_and_name_the_columns(tmp_path):
    path = write(tmp_path, "a,b,c,y\n1,red,NA,u\n,blue,2,v\n3,red,?,\n")
    words = (
        r"line 2, column 'b': 'red' is not a number .*; 7 cells cannot be used \(4 of them are missing: "
        r"see dataset.missing; 3 are texts: see dataset.text\), in columns 'a', 'b', 'c' and 1 more"
    )
    with pytest.raises(UserError, match=words):
        load("csv", path=path)


def test_types_that_are_said(tmp_path):
    text = "zip,when,big,n,y\n10115,2001-01-02,yes,1e3,1\n10117,9999-12-31,no,5,1.0\n10115,0001-01-01,y,-0,2\n"
    text += text.partition("\n")[2]
    types = {"zip": "category", "when": "date", "big": "boolean", "n": "number", "y": "text"}
    read = load("csv", path=write(tmp_path, text), types=types, target="y")
    assert read.columns == ("zip=10115", "zip=10117", "when", "big", "n") and read.classes == ("1", "1.0", "2")
    assert read.X.tolist() == [[1, 0, 11324, 1, 1000], [0, 1, 2932896, 0, 5], [1, 0, -719162, 1, 0]] * 2
    assert not any("dataset.types" in note for note in read.remarks)
    for column, kind, words in (
        ("zip", "date", "'10115' is no date"),
        ("zip", "boolean", "'10115' is neither true nor false"),
        ("when", "number", "'2001-01-02' is not a number"),
        ("n", "text", "'1e3' is a text, as dataset.types says"),
        ("n", "float", "types.n=float: must be one of number, category, text, date, boolean"),
        ("m", "number", "types=m: no such column"),
    ):
        with pytest.raises(UserError, match=words):
            load("csv", path=tmp_path / "my.csv", types={**types, column: kind}, target="y")


@pytest.mark.parametrize("far", [dt.datetime(9999, 12, 31, 12), dt.datetime(1, 1, 1, 6), dt.datetime(1677, 1, 1)])
@pytest.mark.parametrize("kind", ["date", "csv", "s", "ms", "us", "zone"])
def test_dates_of_any_century(far, kind, tmp_path):
    near = [dt.datetime(2020, 1, 1 + i) for i in range(5)]
    if kind == "csv":
        text = "".join(f"{when.isoformat()},{i % 2}\n" for i, when in enumerate([far, *near]))
        path = write(tmp_path, "until,y\n" + text)
    else:
        pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
        path, of = tmp_path / "my.parquet", {"date": pa.date32(), "zone": pa.timestamp("us", "Europe/Berlin")}
        column = pa.array([far, *near], of.get(kind) or pa.timestamp(kind))
        pq.write_table(pa.table({"until": column, "y": [0, 1] * 3}), path)
    days = far.toordinal() - 719163 + (0 if kind == "date" else far.hour / 24)
    assert load("csv", path=path).X[:, 0].tolist() == [days, *(18262 + i for i in range(5))]


def test_columns_that_are_not_read_may_be_of_any_type(tmp_path):
    data = frame().set_axis(pd.timedelta_range("1s", periods=60)).assign(parts=[[1, 2]] * 60)
    data[["a", "parts", "y"]].to_parquet(tmp_path / "my.parquet")
    with pytest.raises(UserError, match=r"column 'parts' is of type list.*; or 'dataset.drop=\[parts\]' leaves it out"):
        load("csv", path=tmp_path / "my.parquet")
    assert load("csv", path=tmp_path / "my.parquet", drop=["parts"]).columns == ("a",)


def test_a_target_of_bytes_is_to_be_a_text(tmp_path):
    frame().assign(y=[b"p", b"q"] * 30).to_parquet(tmp_path / "my.parquet")
    with pytest.raises(UserError, match="column 'y' is of type binary; cast it to string$"):
        load("csv", path=tmp_path / "my.parquet")


def test_columns_without_values_are_left_out(tmp_path):
    data = frame().assign(kind=pd.Categorical([None] * 60, categories=[]))[["a", "kind", "y"]]
    data.to_parquet(tmp_path / "my.parquet")
    data.to_csv(tmp_path / "my.csv", index=False)
    for path, keys in ((tmp_path / "my.parquet", {}), (tmp_path / "my.csv", {"types": {"kind": "category"}})):
        for way in ("refuse", "drop", "median", "indicator"):
            read = load("csv", path=path, target="y", missing=way, **keys)
            assert read.columns == ("a",) and len(read.X) == 60
            assert "column 'kind': no value in any row, left out" in read.remarks
    with pytest.raises(UserError, match="no feature has a value in any row"):
        load("csv", path=tmp_path / "my.csv", target="y", drop=["a"], missing="median")


@pytest.mark.parametrize("name", ["my.csv", "my.tsv", "my.arff", "my.parquet"])
@pytest.mark.parametrize("word", ["", "nan", "NA", "null", "?"])
def test_a_column_of_missing_words_is_left_out(name, word, tmp_path):
    if name == "my.parquet":
        pd.DataFrame({"a": [1.0, 2, 3], "f": [np.nan] * 3, "y": ["p", "q", "p"]}).to_parquet(tmp_path / name)
    elif name == "my.arff":
        head = "@relation r\n@attribute a real\n@attribute f {u,v}\n@attribute y {p,q}\n@data\n"
        write(tmp_path, head + "1,?,p\n2,?,q\n3,?,p\n", name)
    else:
        text = "".join(f"{row}\n" for row in ("a,f,y", f"1,{word},p", f"2,{word},q", f"3,{word},p"))
        write(tmp_path, text.replace(",", "\t") if name == "my.tsv" else text, name)
    read = load("csv", path=tmp_path / name, missing="median")
    assert read.X.tolist() == [[1], [2], [3]] and "column 'f': no value in any row, left out" in read.remarks


@pytest.mark.parametrize("word", ["-", "--", "n.a.", "unknown"])
def test_words_that_may_stand_for_no_value_are_asked_about(word, tmp_path):
    path = write(tmp_path, f"a,f,y\n1,2,p\n2,{word},q\n3,{word},p\n")
    with pytest.raises(UserError, match=r"line 3, column 'f': .* is not a number \('dataset.na_values=\[.*\]' if it"):
        load("csv", path=path)
    path = write(tmp_path, f"a,f,y\n1,{word},p\n2,{word},q\n3,{word},p\n")
    assert load("csv", path=path, na_values=[word]).X.tolist() == [[1], [2], [3]]


def test_words_that_are_missing_from_those_for_no_value_are_named(tmp_path):
    path = write(tmp_path, "a,f,g,y\n1,-,nan,p\n2,-,3,q\n3,-,4,p\n")
    with pytest.raises(
        UserError, match=r"column 'g': 'nan' is not a number \('dataset.na_values=\[\"-\",\"nan\"\]' if"
    ):
        load("csv", path=path, na_values=["-"])
    read = load("csv", path=path, na_values=["-", "nan"], missing="median")
    assert read.columns == ("a", "g")


@pytest.mark.parametrize("kind", ["string", "large_string", "string_view"])
def test_texts_of_parquet(kind, tmp_path):
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    if not hasattr(pa, kind):
        pytest.skip(f"this pyarrow has no {kind}")
    y = pa.array(["1", "1.0", "1", "NA"], getattr(pa, kind)())
    pq.write_table(pa.table({"a": [1.0, 2, 3, 4], "y": y}), tmp_path / "my.parquet")
    read = load("csv", path=tmp_path / "my.parquet")
    assert set(read.classes) == {"1", "1.0", "NA"} and len(read.remarks) == 1  # the target


def test_dates_beyond_the_year_9999(tmp_path):
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    days = pa.array([2**31 - 1, -(2**31) + 1], pa.int32()).cast(pa.date32())
    units = pa.array([2**62, -(2**62)], pa.int64()).cast(pa.timestamp("us"))
    pq.write_table(pa.table({"d": days, "t": units, "y": [0, 1]}), tmp_path / "my.parquet")
    read = load("csv", path=tmp_path / "my.parquet")
    assert read.X[:, 0].tolist() == [2**31 - 1, -(2**31) + 1]
    assert np.allclose(read.X[:, 1], [2**62 / 86400e6, -(2**62) / 86400e6], rtol=1e-15)


def test_a_column_of_missing_dates_is_missing(tmp_path):
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    pq.write_table(pa.table({"until": pa.array([0, None], pa.date32()), "y": [0, 1]}), tmp_path / "my.parquet")
    with pytest.raises(UserError, match="row 2, column 'until': the value is missing"):
        load("csv", path=tmp_path / "my.parquet")


def test_real_targets_are_numbers(tmp_path):
    path = write(tmp_path, "a,b,y\n1,2.5,1e1\n2,3.5,20\n3,1,NA\n")
    with pytest.raises(UserError, match="line 4, column 'y': the target is missing"):
        read_user_file(path, real=True)
    path = write(tmp_path, "a,b,y\n1,2.5,1e1\n2,3.5,20\n3,1,many\n")
    with pytest.raises(UserError, match="the target 'many' is no number"):
        read_user_file(path, real=True)
    assert read_user_file(path, "b", ["y"], real=True)[0].target.tolist() == [2.5, 3.5, 1.0]


def test_every_one_of_very_many_columns_is_found_at_once():
    names, start = [f"c{i}" for i in range(20_000)], process_time()
    for named in (True, False):
        words = words_for(names, named)
        roles = roles_of(
            Path("wide.csv"), names, named, Keys(types=dict.fromkeys(words, "number"), drop=words[1:9]), {}
        )
        assert words[7] == ("c7" if named else "7")
        assert list(roles.types) == list(range(20_000)) and roles.features == [0, *range(9, 19_999)]
    assert process_time() - start < 5.0  # a search of all names for every column takes minutes
