import gzip
import pickle

import numpy as np
import pytest

from kernlearn.datasets import load
from kernlearn.errors import UserError

ROWS = [[1.5, -2.0], [3.0, 4.5], [5.0, 6.0]]


def write(tmp_path, content, name="my.csv"):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def assert_read(data, rows=ROWS, y=(0, 1, 0), classes=("no", "yes")):
    assert data.X.tolist() == rows and data.y.tolist() == list(y) and data.classes == classes


@pytest.mark.sampled(3)
@pytest.mark.parametrize("delimiter", [",", ";", "\t", " ", ", ", "  "])
@pytest.mark.parametrize("header", ["", "a b label\n"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_csv_dialects(tmp_path, delimiter, header, end):
    text = (header + "1.5 -2 no\n3 4.5 yes\n\n5 6e0 no\n").replace(" ", delimiter).replace("\n", end)
    path = write(tmp_path, text)
    data = load("csv", path=str(path))
    assert_read(data)
    assert data.name == path.stem.partition(".")[0] and data.source == str(path)


@pytest.mark.parametrize("target", ["label", 0, "0", -3])
def test_target_by_name_or_number(tmp_path, target):
    assert_read(load("csv", path=write(tmp_path, "label,a,b\nno,1.5,-2\nyes,3,4.5\nno,5,6\n"), target=target))


@pytest.mark.parametrize("drop", [["id", "when"], [0, 2], ["0", -3], ["when", "id"]])
def test_columns_that_are_no_features_are_dropped(tmp_path, drop):
    text = "id,a,when,b,label\nx1,1.5,May,-2,no\nx2,3,June,4.5,yes\nx3,5,July,6,no\n"
    assert_read(load("csv", path=write(tmp_path, text), drop=drop))
    if isinstance(drop[0], int):  # without names the first line is an example, whatever is in its dropped columns
        assert_read(load("csv", path=write(tmp_path, text.partition("\n")[2]), drop=drop))


@pytest.mark.parametrize(
    ("drop", "message"),
    [
        (["c"], "drop=c: no such column"),
        ([5], "drop=5: columns are"),
        (["label"], "is the target"),
        (["a", 1], "leaves no"),
    ],
)
def test_a_column_that_cannot_be_dropped(tmp_path, drop, message):
    with pytest.raises(UserError, match=message):
        load("csv", path=write(tmp_path, "a,b,label\n1,2,no\n3,4,yes\n"), drop=drop)


def test_quotes_byte_order_mark_gzip(tmp_path):
    text = '\ufeff"a, first",b,"the ""label"""\n1.5,-2,no\n3,4.5,yes\n5,6,no\n'
    path = write(tmp_path, gzip.compress(text.encode()), "my.csv.gz")
    assert_read(load("csv", path=path))
    assert_read(load("csv", path=path, target='the "label"'))


def test_names_of_columns_may_be_numbers_from_zero_on(tmp_path):
    """As pandas writes columns that have no names."""
    text = "0,1,2,3\n1.5,-2,9,0\n3,4.5,8,1\n5,6,7,0\n"
    for target in (None, 3, "3"):
        data = load("csv", path=write(tmp_path, text), target=target)
        assert data.X.shape == (3, 3) and data.classes == ("0", "1") and data.columns == ("0", "1", "2")
    data = load("csv", path=write(tmp_path, text.replace("0,1,2,3", "0,1,2,4")))
    assert data.X.shape == (4, 3) and data.columns == ("column 0", "column 1", "column 2")


def test_how_a_file_was_understood(tmp_path):
    data = load("csv", path=write(tmp_path, "a,b,label\n1.5,-2,1\n3,4.5,01\n5,6,2\n"))
    assert data.columns == ("a", "b") and data.classes == ("1", "2")
    assert data.remarks == (
        "target 'label', the last column (if not: dataset.target=NAME)",
        "the first line has the names (if not: dataset.header=false)",
        "labels '01' and '1' are one class, '1', since they are one number "
        "('dataset.types={label: text}' keeps them apart)",
    )
    data = load("csv", path=write(tmp_path, "1.5,-2,1\n3,4.5,2\n"), target=2)
    assert data.remarks == ("target 'column 2'", "no line has names (if not: dataset.header=true)")
    arff = load("csv", path=write(tmp_path, ARFF, "my.arff"))
    assert arff.columns == ("a b", "colour=red", "colour=dark blue", "colour=green")


def test_a_decimal_comma_among_commas_is_called_so(tmp_path):
    with pytest.raises(
        UserError, match="'1,5' is not a number .write 1.5 with a decimal point, or say dataset.decimal"
    ):
        load("csv", path=write(tmp_path, 'a,b,label\n"1,5",2,no\n3,4,yes\n'))


def test_names_of_columns_may_be_numbers(tmp_path):
    assert_read(load("csv", path=write(tmp_path, "0,1,Class\n1.5,-2,0\n3,4.5,1\n5,6,0\n")), classes=("0", "1"))


def test_classes_are_sorted_as_numbers_or_alphabetically(tmp_path):
    assert load("csv", path=write(tmp_path, "1,10\n2,9.0\n3,-1\n4,+9\n")).classes == ("-1", "9", "10")
    assert load("csv", path=write(tmp_path, "1,10\n2,9\n3,x\n4,x\n")).classes == ("10", "9", "x")


ARFF = """% a comment
@RELATION 'my data'

@attribute 'a b' NUMERIC
@attribute colour {red, 'dark blue', green}
@attribute class {no, yes}
@DATA
1.5, red, no
% in between
-2, 'dark blue', yes
0, red, yes
"""


@pytest.mark.parametrize("name", ["my.arff", "my.txt"])
def test_arff(tmp_path, name):
    rows = [[1.5, 1, 0, 0], [-2, 0, 1, 0], [0, 1, 0, 0]]
    assert_read(load("csv", path=write(tmp_path, ARFF, name)), rows, (0, 1, 1))
    by_colour = load("csv", path=write(tmp_path, ARFF, name), target="colour")
    assert by_colour.classes == ("dark blue", "red") and by_colour.X.tolist() == [[1.5, 1, 0], [-2, 0, 1], [0, 0, 1]]


@pytest.mark.parametrize("name", ["my.svm", "my.libsvm", "my.svmlight", "my.txt"])
def test_libsvm(tmp_path, name):
    data = load("csv", path=write(tmp_path, "# comment\n+1 1:0.5 3:2\n-1 2:1e-1\n+1 1:1 # more\n", name))
    assert_read(data, [[0.5, 0, 2], [0, 0.1, 0], [1, 0, 0]], (1, 0, 1), ("-1", "+1"))


@pytest.mark.parametrize(
    ("content", "target", "words"),
    [
        ("", None, "is empty"),
        (" \n\n", None, "is empty"),
        ("a,b,label\n", None, "header line but no examples"),
        ("1,2,x\n1,2\n", None, "line 2: has 2 fields where 3 are expected"),
        ("a b c\n1 2 x\n1 2 3 y\n", None, "line 3: has 4 fields where 3"),
        ("1\n2\n", None, "one column only"),
        ("a,colour,y\n1,2,x\n1,red,z\n", None, "line 3, column 'colour': 'red' is not a number .*dataset.text=onehot"),
        ("a,b,y\n1,1_0,x\n1,2,z\n", None, "line 2, column 'b': '1_0' is not a number"),
        ("a,b,y\n1,,x\n1,2,x\n", None, r"line 2, column 'b': the value is missing \(the cell is empty\)"),
        ("1,2,x\n?,2,z\n", None, r"line 2, column 'column 0': the value is missing \('\?'\)"),
        ("1,nan,x\n1,2,x\n", None, "line 1, column 'column 1': the value is missing"),
        ("1,2,x\n1,-inf,x\n", None, "line 2, column 'column 1': '-inf' is not finite"),
        ("1,2,x\n1,2,\n", None, "line 2, column 'column 2': the target is missing"),
        ("1,2,x\n3,4,x\n", None, "all 2 examples are of class 'x'"),
        ("1,0.1\n2,0.2\n3,0.3\n", None, "all 3 examples differ in their class"),
        ("a,b,label\n1,2,x\n", "lable", r"target=lable: no such column, there are: a, b, label; did you mean label\?"),
        ("a,b,label\n1,2,x\n", 3, "target=3: columns are numbered 0 to 2"),
        ("a,b,label\n1,2,x\n", -4, "target=-4: columns"),
        ("1,2,x\n3,4,y\n", "label", "no header line; give the column's number"),
        ("a,a,y\n1,2,x\n", "a", "several columns have this name"),
        ('1,"2,x\n3,4,y\n', None, "line 1: the quote that opens here is never closed; close it, or remove it"),
        (b"1,2,\x81\n", None, "line 1: is not UTF-8 text, nor Windows-1252; dataset.encoding"),
        (b"\x00\x01\x02", None, "is not a text file"),
        (b"\x1f\x8b\x08garbage", None, "damaged gzip"),
        (pickle.dumps(np.zeros(3)), None, "is a pickle, which is never read"),
        (
            "@relation r\n@attribute a string\n@attribute b {x,y}\n@data\nn1,x\n",
            None,
            "line 5, column 'a': 'n1' is not a number .* .dataset.drop=",
        ),
        ("@relation r\n@attribute a real\n@attribute b {x,y}\n@data\n", None, "header but no examples"),
        (
            "@relation r\n@attribute a real\n@attribute b {x,y}\n@data\n\n1,x,2\n",
            None,
            "line 6: does not have the 2 values",
        ),
        (
            "@relation r\n@attribute a {u,v}\n@attribute b {x,y}\n@data\nw,x\n",
            None,
            "line 5, column 'a': 'w' is not",
        ),
        ("@relation r\n@attribute\n@data\n1\n", None, "line 2: cannot be read"),
        ("1 1:0.5\n-1 2:x\n", None, "not in libsvm format"),
        ("1 1:0.5\n-1 2:nan\n", None, "line 2: nan is not finite"),
        ("1 1:0.5\n-1 999999999:1\n", None, "KERNLEARN_MAX_DATA_MB"),
    ],
)
def test_bad_files_are_one_clear_line(tmp_path, content, target, words):
    path = write(tmp_path, content)
    with pytest.raises(UserError, match=words) as caught:
        load("csv", path=path, target=target)
    message = str(caught.value)
    assert "\n" not in message and str(path) in message


def test_missing_file_directory_and_no_path(tmp_path):
    with pytest.raises(UserError, match="absent.csv: no such file"):
        load("csv", path=tmp_path / "absent.csv")
    with pytest.raises(UserError, match="is a directory"):
        load("csv", path=tmp_path)
    with pytest.raises(UserError, match="needs path=FILE"):
        load("csv")
    with pytest.raises(
        UserError, match="unknown option seed=1; csv takes decimal, delimiter, drop, encoding, format, header, index"
    ):
        load("csv", path=tmp_path, seed=1)


def test_same_values_have_the_same_digest_in_any_format(tmp_path):
    as_csv = load("csv", path=write(tmp_path, "0.5,0,1\n-0.0,2,-1\n"))
    as_libsvm = load("csv", path=write(tmp_path, "1 1:0.5\n-1 2:2\n", "my.svm"))
    assert as_csv.digest == as_libsvm.digest


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("cell", ["1.7e308", "-1e200", "1.7976931348623157e308"])
def test_numbers_whose_squares_overflow_are_refused_where_they_are(tmp_path, cell):
    path = write(tmp_path, f"a,b,label\n1.5,-2,no\n3,4.5,yes\n2,{cell},no\n5,6,no\n")
    with pytest.raises(UserError, match=f"my.csv, line 4, column 'b': '{cell}' is too large to square") as caught:
        load("csv", path=path)
    assert "'dataset.drop=[b]'" in str(caught.value) and "dataset.na_values=" in str(caught.value)
    assert load("csv", path=path, drop=["b"]).X.shape == (4, 1)
    assert_read(load("csv", path=path, na_values=[cell], missing="drop"))
    with pytest.raises(UserError, match="line 2: .* is too large to square"):
        load("csv", path=write(tmp_path, f"1 1:0.5\n-1 2:{cell}\n", "my.libsvm"))
    assert load("csv", path=write(tmp_path, "1.5,1e150,no\n3,-1e150,yes\n")).X[0, 1] == 1e150
