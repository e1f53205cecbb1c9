"""Which sign separates the cells: the one that does so in every line, outside quotes and decimal commas."""

import csv
import io

import pytest

from kernlearn.datasets import load
from kernlearn.errors import UserError

ROWS = [[1.5, -2.0], [3.0, 4.5], [5.0, 6.0]]


def read(tmp_path, content, **keys):
    (tmp_path / "my.csv").write_text(content)
    return load("csv", path=tmp_path / "my.csv", **keys)


@pytest.mark.parametrize("sign", [",", ";", "\t", "|", " "])
@pytest.mark.parametrize("quoting", [csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
def test_signs_in_quotes_do_not_count(sign, quoting, tmp_path):
    names, labels = ["first, a; |b|", "second, a; |b|", "the class"], ["n, o; ,", 'y "es" |', "n, o; ,"]
    stream = io.StringIO()
    rows = [names, *([*row, label] for row, label in zip(ROWS, labels, strict=True))]
    csv.writer(stream, delimiter=sign, quoting=quoting).writerows(rows)
    data = read(tmp_path, stream.getvalue())
    assert data.X.tolist() == ROWS and data.columns == tuple(names[:2]) and data.classes == tuple(sorted(set(labels)))


@pytest.mark.parametrize(
    "text",
    [
        "feature 0, a;feature 1, b;y\n1.5;-2;no\n3;4.5;yes\n5;6;no\n",  # no quotes
        "1,5;-2,0;no\n3,0;4,5;yes\n5,0;6,0;no\n",  # as many commas as semicolons
        "1,5;-2,0;0\n3,0;4,5;1\n5,0;6,0;0\n",
        "1,5\t-2,0\tno, no\n3,0\t4,5\tyes, yes\n5,0\t6,0\tno, no\n",
        "1,5 -2,0 no\n3,0 4,5 yes\n5,0 6,0 no\n",
        "a b y\n1,5 -2,0 no\n3,0  4,5 yes\n5,0 6,0 no\n",
        "a;b;y,z,t\n1,5;-2,0;no\n3,0;4,5;yes\n5,0;6,0;no\n",
        "1,5 -2,0 n|o\n3,0 4,5 yes\n5,0 6,0 n|o\n",
        "f 0, a\tf 1, b\ty\n1,5\t-2,0\tn; o, n\n3,0\t4,5\ty; e, s\n5,0\t6,0\tn; o, n\n",
        "a b y\n1.5 -2 n,o\n3 4.5 y,e;s\n5 6 n,o\n",
        "a;1 b;2 y\n1.5 -2 no\n3 4.5 yes\n5 6 no\n",
        '"a" "b" "y"\n"r 1" 1.5 -2 "no"\n"r 2" 3 4.5 "yes"\n"r 3" 5 6 "no"\n',  # R
        "a|b|y\n1.5|-2|no;no\n3|4.5|yes\n5|6|no;no\n",
    ],
)
def test_the_sign_that_fits_every_line(text, tmp_path):
    assert read(tmp_path, text).X.tolist() == ROWS


@pytest.mark.parametrize(
    ("text", "sign", "other"),
    [
        ("1,Lee, A;x\n2,Poe, B;y\n", "comma", "semicolon"),
        ("1,5 0,5 u\n2,5 1,5 v\n", "blanks", "comma"),
        ("red, big;u\nblue, small;v\n", "semicolon", "comma"),
    ],
)
def test_a_guess_between_two_signs_is_said(text, sign, other, tmp_path):
    data = read(tmp_path, text, text="onehot", header=False)
    assert f"the delimiter is {sign} (if not: dataset.delimiter={other})" in data.remarks


def test_where_nothing_tells_two_signs_apart_the_key_is_named(tmp_path):
    text = "red,big;u\nblue,small;v\nred,small;u\n"
    with pytest.raises(UserError, match="say dataset.delimiter=comma or dataset.delimiter=semicolon"):
        read(tmp_path, text)
    assert read(tmp_path, text, text="onehot", delimiter="semicolon").classes == ("u", "v")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1;2;x\n3;4\n5;6;y\n", "line 2: has 2 fields where 3 are expected"),
        ("a title\n1;2;x\n3;4;y\n", "line 2: has 3 fields where 1 are expected"),
        ('"a" b;2;x\n3;4;y\n', "line 1: the quote that opens here closes in the middle of a cell"),
    ],
)
def test_a_line_that_does_not_fit_names_the_key(text, words, tmp_path):
    with pytest.raises(
        UserError, match=f"{words}.*; the delimiter is taken to be semicolon .if not: dataset.delimiter=NAME"
    ):
        read(tmp_path, text)
    with pytest.raises(UserError) as error:
        read(tmp_path, text, delimiter="semicolon")
    assert "dataset.delimiter" not in str(error.value)
