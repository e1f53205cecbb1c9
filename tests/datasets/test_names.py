"""The first lines of a table: names of R and of pandas, numbers that are names, units, and delimiters at ends."""

import numpy as np
import pandas as pd
import pytest

from kernlearn.datasets import load
from kernlearn.errors import UserError


def noise(n=20, d=3, seed=0):
    return np.random.RandomState(seed).randn(n, d).round(3)


def rows(n=20, d=3, first=lambda i: "", end=""):
    return "".join(
        f"{first(i)}{','.join(map(str, row))},{'pq'[i % 2]}{end}\n" for i, row in enumerate(noise(n, d).tolist())
    )


def read(tmp_path, content, **keys):
    (tmp_path / "my.csv").write_text(content)
    return load("csv", path=tmp_path / "my.csv", **keys)


@pytest.mark.parametrize("header", [None, True])
@pytest.mark.parametrize("ends", [("", ","), (",", ","), (",,,", ",,,")])
def test_delimiters_at_the_ends_of_lines_make_no_column(ends, header, tmp_path):
    text = f"x,z,u,cls{ends[0]}\n{rows(end=ends[1])}"
    for target in (None, "cls", -1, 3):
        data = read(tmp_path, text, header=header, target=target)
        assert data.columns == ("x", "z", "u") and data.classes == ("p", "q") and data.X.tolist() == noise().tolist()
    assert read(tmp_path, rows(end=ends[1]), target=-1).X.tolist() == noise().tolist()


def test_an_end_that_has_a_value_further_down_is_refused_there(tmp_path, monkeypatch):
    monkeypatch.setattr("kernlearn.datasets.readers.delimited.SAMPLE", 5)
    with pytest.raises(UserError, match=r"line 9: '7' is in a column that has neither a name nor a value before"):
        read(tmp_path, "x,z,u,cls,\n" + "0.5,1,2,p,\n0.25,2,1,q,\n" * 3 + "0.5,1,2,p,\n0.25,2,1,q,7\n")


def test_row_names_are_different_and_can_be_said_not_to_be_some(tmp_path):
    data = read(tmp_path, "x,z,u,cls\n" + rows(first=lambda i: f"s{i},"))
    assert data.columns == ("x", "z", "u")
    assert any(
        "one name less than the rows have cells, as R writes it (if not: dataset.index=none)" in note
        for note in data.remarks
    )
    left = read(tmp_path, "x,z,u,cls\n" + rows(first=lambda i: f"{i / 8},"), index=["none"])
    assert left.columns == ("x", "z", "u", "cls") and left.X[:, 1:].tolist() == noise().tolist()
    assert any("one name less" in note and "leave out dataset.index=none" in note for note in left.remarks)
    for first in (lambda i: f"{i % 3},", lambda i: ","):
        with pytest.raises(UserError, match=r"line 1: has 4 names above rows of 5 cells, and these are no row names"):
            read(tmp_path, "x,z,u,cls\n" + rows(first=first))


@pytest.mark.parametrize("quote", ['"', ""])
def test_numbers_are_names_above_row_names_of_r(quote, tmp_path):
    names = " ".join(f"{quote}{name}{quote}" for name in (400, 402, 404, 0))
    lines = [f"{quote}s{i}{quote} {a} {b} {c} {i % 2}\n" for i, (a, b, c) in enumerate(noise().tolist())]
    data = read(tmp_path, f"{names}\n{''.join(lines)}")
    assert data.columns == ("400", "402", "404") and data.X.tolist() == noise().tolist()


def test_numbers_in_quotes_above_others_are_names(tmp_path):
    data = read(tmp_path, '"7","5","3","y"\n3,5,7,"p"\n7,5,3,"q"\n1,2,3,"p"\n')
    assert data.columns == ("7", "5", "3") and len(data.X) == 3
    data = read(tmp_path, '"7","5","3","1"\n"3","5","7","0"\n"7","5","3","1"\n"1","2","3","0"\n')
    assert len(data.X) == 4


@pytest.mark.parametrize("names", ["0,1,2,0", "0,1,0,1", "0,1,0,label", "1,3,10,0", "10,3,1,label", "30,3,100,5"])
@pytest.mark.parametrize("labels", ["pq", "01"])
def test_whole_numbers_above_fractions_are_names(names, labels, tmp_path):
    text = rows().replace("p", labels[0]).replace("q", labels[1])
    data = read(tmp_path, f"{names}\n{text}")
    assert data.columns == tuple(names.split(",")[:3]) and len(data.X) == 20
    assert "the first line has the names (if not: dataset.header=false)" in data.remarks


@pytest.mark.parametrize("first", ["0,0,0,0", "3.0,5.0,7.0,0", "0,1000,0,0", "0,1,1,0"])
def test_whole_numbers_that_tell_no_columns_apart_are_an_example(first, tmp_path):
    assert len(read(tmp_path, f"{first}\n" + rows().replace("p", "0").replace("q", "1")).X) == 21


@pytest.mark.sampled(3)
@pytest.mark.parametrize("index", [False, True])
@pytest.mark.parametrize("labels", ["pq", [0, 1]])
@pytest.mark.parametrize("second", [[0, 1, 0, 1], ["x", "z", "x", "z"], [1, 2, 3, 4]])
def test_columns_of_two_levels(second, labels, index, tmp_path):
    columns = [*zip("aabb", second, strict=True), ("label", "")]
    frame = pd.DataFrame(noise(d=4)).assign(label=[labels[i % 2] for i in range(20)])
    frame.set_axis(pd.MultiIndex.from_tuples(columns), axis=1).to_csv(tmp_path / "my.csv", index=index)
    expected = tuple(f"{a} {b}" for a, b in columns[:-1])
    for keys in ({}, {"header": 2}, {"target": "label"}):
        data = load("csv", path=tmp_path / "my.csv", **keys)
        assert data.columns == expected and data.X.tolist() == noise(d=4).tolist()
    said = "the first two lines have the names, such as 'a "
    assert any(note.startswith(said) for note in load("csv", path=tmp_path / "my.csv").remarks)


def test_the_classes_may_be_one_of_the_columns_of_two_levels(tmp_path):
    frame = pd.DataFrame(noise(d=3)).assign(label=[i % 2 for i in range(20)])
    frame.columns = pd.MultiIndex.from_product([["A", "B"], [1, 2]])
    frame.to_csv(tmp_path / "my.csv", index=False)
    data = load("csv", path=tmp_path / "my.csv")
    assert data.columns == ("A 1", "A 2", "B 1") and data.X.tolist() == noise(d=3).tolist()


def test_names_that_occur_twice_above_an_example(tmp_path):
    data = read(tmp_path, "x,x,y\n1,2,p\n3,4,q\n5,6,p\n7,2,q\n")
    assert data.columns == ("x", "x") and len(data.X) == 4


def test_a_line_of_units_is_refused_with_what_to_do(tmp_path):
    text = "t,p,v,y\ns,bar,-,-\n" + rows()
    with pytest.raises(UserError, match=r"line 2: has 's' and 'bar' where all lines below have numbers.*header=2"):
        read(tmp_path, text, text="onehot")
    data = read(tmp_path, text, header=2)
    assert data.columns == ("t s", "p bar", "v -") and len(data.X) == 20
    with pytest.raises(UserError, match="'s' is not a number"):
        read(tmp_path, text, header=True)


@pytest.mark.parametrize("end", ["\n", ""])
@pytest.mark.parametrize("at", [3, 7, 20])
def test_names_that_stand_in_the_file_again_are_refused_there(at, end, tmp_path):
    """As where files were put one below the other."""
    lines = ["a b,z,u,cls", *rows().splitlines()]
    lines.insert(at + 1, lines[0])
    with pytest.raises(UserError, match=f"line {at + 2}: has the names of the columns again; remove it"):
        read(tmp_path, "\n".join(lines[: at + 2 if end == "" else None]) + end, text="onehot")
