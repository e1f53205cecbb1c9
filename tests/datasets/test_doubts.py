"""What is said of values that may not mean what they say."""

import datetime as dt

import numpy as np
import pandas as pd
import pytest

from kernlearn.datasets import load

BIG = 2**53


def noted(tmp_path, data, name):
    """Return the remarks on a table that is written in the format of a name."""
    path = tmp_path / name
    if name.endswith("parquet"):
        data.to_parquet(path)
    elif name.endswith("arff"):
        kinds = {"f": "real", "O": "{p,q}"}
        head = [f"@attribute {column} {kinds.get(data[column].dtype.kind, 'real')}" for column in data]
        rows = [",".join(map(str, row)) for row in data.itertuples(index=False)]
        path.write_text("\n".join(["@relation r", *head, "@data", *rows]))
    else:
        data.to_csv(path, index=False, sep="\t" if name.endswith("tsv") else ",")
    return load("csv", path=path).remarks


@pytest.mark.parametrize("name", ["my.csv", "my.tsv", "my.arff", "my.parquet"])
@pytest.mark.parametrize(
    ("values", "is_said"),
    [([BIG + 1, BIG + 3, 4], True), ([BIG - 1, 2, 3], False), ([-BIG - 1, 2, 3], True), ([1e20, 2e30, 3.5], False)],
)
def test_whole_numbers_that_lose_digits(name, values, is_said, tmp_path):
    data = pd.DataFrame({"x": [1.5, 2.5, 4.5], "n": values, "y": np.array(["p", "q", "p"], dtype=object)})
    notes = [note for note in noted(tmp_path, data, name) if "beyond 2^53" in note]
    assert len(notes) == is_said
    assert all(note.startswith("column 'n'") and "'dataset.drop=[n]'" in note for note in notes)


def test_numbers_of_more_than_64_bits_and_grouped_ones_lose_digits_too(tmp_path):
    (tmp_path / "my.csv").write_text(f"n,y\n{2**70},p\n{2**70 + 1},q\n")
    assert any("beyond 2^53" in note for note in load("csv", path=tmp_path / "my.csv").remarks)
    (tmp_path / "my.csv").write_text("n;y\n9.007.199.254.740.993;p\n5;q\n")
    assert any("beyond 2^53" in note for note in load("csv", path=tmp_path / "my.csv", thousands="point").remarks)


def test_a_number_that_is_written_with_an_exponent_hides_no_others(tmp_path):
    (tmp_path / "my.csv").write_text(f"n,y\n1e18,p\n{BIG + 1},q\n")
    assert any("beyond 2^53" in note for note in load("csv", path=tmp_path / "my.csv").remarks)


@pytest.mark.parametrize("name", ["my.csv", "my.parquet"])
@pytest.mark.parametrize("far", [dt.datetime(1, 1, 1), dt.datetime(9999, 12, 31)])
def test_dates_of_the_first_and_last_year(name, far, tmp_path):
    when = [far, dt.datetime(2001, 1, 1), dt.datetime(2002, 1, 1), far]
    data = pd.DataFrame({"when": pd.Series(when).astype("datetime64[s]"), "y": list("pqpq")})
    remarks = noted(tmp_path, data, name)
    assert any("2 dates are in the year 1 or 9999" in note for note in remarks)
    assert any("'dataset.na_values=[" in note for note in remarks)
    cell = next(note for note in remarks if "such as" in note).split('"')[1]
    read = load("csv", path=tmp_path / name, na_values=[cell], missing="drop")
    assert len(read.X) == 2 and not any("such as" in note for note in read.remarks)


CODES = ["01234", "80331", "00007", "10115"]


@pytest.mark.parametrize("name", ["my.csv", "my.tsv", "my.parquet"])
@pytest.mark.parametrize(("codes", "is_said"), [(CODES, True), (["0", "0.5", "-1", "10"], False)])
def test_zeros_in_front_of_numbers_are_said_to_be_dropped_and_kept_by_the_key(name, codes, is_said, tmp_path):
    data = pd.DataFrame({"zip": codes, "x": [1.5, 2.5, 4.5, 1.0], "y": list("pqpq")})
    notes = [note for note in noted(tmp_path, data, name) if "zeros" in note]
    key = "'dataset.types={zip: category}' keeps them"
    assert notes == [f"column 'zip': zeros in front are dropped, as 01234 is read as 1234 ({key})"] * is_said
    read = load("csv", path=tmp_path / name)
    np.testing.assert_array_equal(read.X[:, 0], [float(code) for code in codes])
    kept = load("csv", path=tmp_path / name, types={"zip": "category"})
    assert set(kept.columns) == {*(f"zip={code}" for code in codes), "x"}
    assert not any("zeros" in note for note in kept.remarks)


def test_texts_of_a_typed_file_that_are_numbers_are_said_to_be_read_as_such(tmp_path):
    data = pd.DataFrame({"n": ["1", "2", "5"], "x": [1.5, 2.5, 4.5], "y": list("pqp")})
    note = "column 'n': texts, read as numbers (if not: 'dataset.types={n: category}')"
    assert note in noted(tmp_path, data, "my.parquet") and note not in noted(tmp_path, data, "my.csv")


@pytest.mark.parametrize("name", ["my.csv", "my.arff"])
def test_a_feature_that_is_called_as_a_target_is_noted_where_the_target_is_a_guess(name, tmp_path):
    path = tmp_path / name
    declared = "@relation r\n@attribute class {0,1}\n@attribute x real\n@attribute k {p,q}\n@data\n"
    path.write_text(("class,x,k\n" if name.endswith("csv") else declared) + "1,3,p\n0,4,q\n1,7,p\n0,5,p\n")
    note = "column 'class': a feature (dataset.target=class if it has the classes)"
    assert note in load("csv", path=path).remarks
    assert note not in load("csv", path=path, target="k").remarks
    assert note not in load("csv", path=path, target="class", drop=["k"]).remarks


@pytest.mark.parametrize(
    ("values", "name", "said"),
    [
        ([None, *range(2, 31)], "number", "only numbers the examples"),
        ([1, 1, *range(3, 31)], "number", "is whole and differs in most examples, as an id does"),
        (np.random.RandomState(0).randint(1, 101, size=100), "number", "is whole and differs in most examples"),
        ([101, 205, 333, 409, 512, 660, 701, 888, 907, 1000], "number", "is whole and differs in every example"),
        ([1, 1, 2, 2, 3, 3, 4, 4] * 3, "customer_id", "is whole and is called as an id is"),
        ([1, 1, 2, 2, 3, 3, 4, 4] * 3, "index", "is whole and is called as an id is"),
    ],
)
def test_ids_that_are_not_complete_or_occur_twice_are_named(values, name, said, tmp_path):
    rows = [["" if i is None else i, 0.25 + 0.5 * (3 * row % 5), "pq"[row % 2]] for row, i in enumerate(values)]
    (tmp_path / "my.csv").write_text(f"{name},x,y\n" + "".join(f"{a},{b},{c}\n" for a, b, c in rows))
    read = load("csv", path=tmp_path / "my.csv", missing="median")
    assert [note for note in read.remarks if said in note and f"'dataset.drop=[{name}]' leaves it out" in note]
    (tmp_path / "my.csv").write_text("a,b,y\n" + "".join(f"{i % 4},{i % 7 / 2},{'pq'[i % 2]}\n" for i in range(30)))
    assert not any("leaves it out" in note for note in load("csv", path=tmp_path / "my.csv").remarks)


@pytest.mark.parametrize(("code", "count"), [("-999", 2), ("-999.0", 1), ("9999", 3)])
def test_numbers_that_often_stand_for_no_value_are_asked_about(code, count, tmp_path):
    cells = [code if i < count else str(i % 7 + 0.5) for i in range(30)]
    (tmp_path / "my.csv").write_text("x,z,y\n" + "".join(f"{x},0.{i},{'pq'[i % 2]}\n" for i, x in enumerate(cells)))
    value = int(float(code))
    (note,) = [note for note in load("csv", path=tmp_path / "my.csv").remarks if "far from all other values" in note]
    assert note.startswith(f"column 'x': {value} stands in {count} row")
    assert f"""'dataset.na_values=["{value}"]' if that""" in note or f"'dataset.na_values=[{value}]' if that" in note
    read = load("csv", path=tmp_path / "my.csv", na_values=[str(value)], missing="drop")
    assert len(read.X) == 30 - count
    near = [str(990 + i) for i in range(30)]  # 999 among others of its size
    (tmp_path / "my.csv").write_text("x,z,y\n" + "".join(f"{x},0.{i},{'pq'[i % 2]}\n" for i, x in enumerate(near)))
    assert not any("far from all" in note for note in load("csv", path=tmp_path / "my.csv").remarks)


def test_places_of_texts_are_no_ids(tmp_path):
    rows = "".join(f"t{i},{i % 5 / 2},one,{'pq'[i % 2]}\n" for i in range(24))
    (tmp_path / "my.csv").write_text(f"id,x,c,y\n{rows}")
    remarks = load("csv", path=tmp_path / "my.csv", text="ordinal").remarks
    assert not any("column 'id'" in note and "leaves it out" in note for note in remarks)
    assert "column 'c' has one value only, of which nothing can be learned" in remarks


@pytest.mark.parametrize("name", ["my.csv", "my.tsv", "my.parquet"])
def test_copies_of_rows_are_counted(name, tmp_path):
    data = pd.DataFrame({"a": [1.5, 2.5, 1.5, 1.5, 2.5, 4.5], "id": range(6), "y": list("pqpqqp")})
    (tmp_path / "ids").mkdir()
    assert not any("copies" in note for note in noted(tmp_path / "ids", data, name))
    (note,) = [note for note in noted(tmp_path, data.drop(columns="id"), name) if "copies" in note]
    assert note.startswith("2 of 6 rows are copies of another row")


def test_columns_of_one_name_are_said(tmp_path):
    (tmp_path / "my.csv").write_text("a,b,a,y\n1,2,3,p\n2,3,5,q\n4,4,4,p\n")
    (note,) = [note for note in load("csv", path=tmp_path / "my.csv").remarks if "both called" in note]
    assert note.startswith("columns 0 and 2 are both called 'a'")


def test_columns_without_names_and_names_that_are_taken(tmp_path):
    lines = [f"{i},{2 * i},{(i * 7) % 5 / 3},{'pq'[i % 2]}" for i in range(12)]
    (tmp_path / "sonar.csv").write_text("\n".join(lines))
    data = load("csv", path=tmp_path / "sonar.csv")
    assert data.name == "own_sonar" and data.remarks[-1].startswith("the file is called own_sonar here, since sonar is")
    assert any(note.startswith("column 0 and column 1 only number the examples") for note in data.remarks)
