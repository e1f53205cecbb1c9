"""Bad quotes are reported on the line where they open, and lines of separators that are too wide on their own."""

import pytest

from kernlearn.datasets import load
from kernlearn.datasets.readers.fields import count_rows
from kernlearn.errors import UserError

LINES = ["a,b,label", *(f"{i},{i % 7},{'xy'[i % 2]}" for i in range(61))]
NEVER = "the quote that opens here is never closed; close it, or remove it"


def refused(tmp_path, lines, end="\n"):
    path = tmp_path / "my.csv"
    path.write_bytes(end.join([*lines, ""]).encode())
    with pytest.raises(UserError) as caught:
        load("csv", path=path)
    assert "\n" not in str(caught.value)
    return str(caught.value).removeprefix(f"{path}, ")


def changed(**lines):
    some = list(LINES)
    for place, text in lines.items():
        some[int(place[1:]) - 1] = text
    return some


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_quote_that_is_never_closed_is_named_where_it_opens(tmp_path, end):
    assert refused(tmp_path, changed(_3='1,"1,y'), end) == f"line 3: {NEVER}"
    assert refused(tmp_path, changed(_3='"1,1,y'), end) == f"line 3: {NEVER}"
    assert refused(tmp_path, changed(_62='1,1,"y'), end) == f"line 62: {NEVER}"
    assert refused(tmp_path, changed(_3='1,1,"y', _4='z"', _9='1, "1 ""a"",y'), end) == f"line 9: {NEVER}"
    assert refused(tmp_path, changed(_3='1,1,"y', _4='z","y'), end) != f"line 3: {NEVER}"


def test_a_quote_that_is_never_closed_before_a_long_text(tmp_path):
    assert refused(tmp_path, [*changed(_3='1,"1,y'), *LINES * 400]) == f"line 3: {NEVER}"


def test_a_quote_that_closes_inside_a_cell(tmp_path):
    found = refused(tmp_path, changed(_3='1,"1,y', _9='1,1,"y"'))
    assert found.startswith("line 3: the quote that opens here closes in line 9, in the middle of a cell; close it")
    found = refused(tmp_path, changed(_3='1,1,"y" z'))
    assert found.startswith("line 3: the quote that opens here closes in the middle of a cell; close it")


@pytest.mark.parametrize("quote", ["", '"'])
def test_a_cell_that_is_too_long(tmp_path, quote):
    found = refused(tmp_path, changed(_2=f"1,1,{quote}{'y' * 200_000}{quote}"))
    assert found.startswith("line 2: has a cell of more than 131072 letters; shorten it")


@pytest.mark.parametrize("width", [4, 200_001])
def test_a_line_of_separators_that_is_too_wide(tmp_path, width):
    short = refused(tmp_path, [*LINES, "1,2"])
    assert short.startswith("line 63: has 2 fields where 3 are expected")
    assert refused(tmp_path, [*LINES, "," * (width - 1)]) == short.replace("has 2", f"has {width}")


def test_other_lines_of_separators_are_no_rows(tmp_path):
    path = tmp_path / "my.csv"
    path.write_text("\n".join([",,", *LINES[:9], ",,", ",", *LINES[9:], ",,", ""]))
    assert load("csv", path=path).X.shape == (61, 2)
    assert count_rows(path.read_bytes(), ",", '"', 3) == 62 and count_rows(b"1,2\n,,\n", ",", '"', 2) is None
