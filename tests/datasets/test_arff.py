"""ARFF in the ways in which Weka, OpenML and KEEL write it."""

import pytest

from kernlearn.datasets.userfile import read_user_file
from kernlearn.errors import UserError

NUMBER, CLASS = "@attribute a numeric", "@attribute y {p,q}"


def read(tmp_path, attributes, rows, **options):
    """Read a file with these declarations and rows."""
    file = tmp_path / "my.arff"
    file.write_text("@relation r\n" + "\n".join([*attributes, "@data", *rows]) + "\n")
    return read_user_file(file, **options)


@pytest.mark.parametrize(
    ("attributes", "rows", "columns", "X"),
    [
        ([NUMBER, '@attribute y {"p",q}'], ["1,p", '2,"p"', "3,q"], "a", [[1], [2], [3]]),
        (['@attribute c {"u v","w, z"}', CLASS], ['"u v",p', "'w, z',q", "'u v',q"], None, [[1, 0], [0, 1], [1, 0]]),
        ([r"@attribute c {'\'B1\'','\'B2\''}", CLASS], [r"'\'B1\'',p", r"'\'B2\'',q"], None, [[1, 0], [0, 1]]),
        ([r"@attribute c {a\b, x}", CLASS], [r"a\b,p", "x,q"], None, [[1, 0], [0, 1]]),
        (["@attribute legs INTEGER [0,9]", CLASS], ["1,p", "2,q"], "legs", [[1], [2]]),
        (["@attribute legs real[0.5, 9]", "@attribute y{p,q}"], ["1,p", "2,q"], "legs", [[1], [2]]),
        ([NUMBER, "@attribute m {-1,1} %{<=50K, >50K}", CLASS], ["1,1,p", "2,-1,q"], None, [[1, 0, 1], [2, 1, 0]]),
        ([NUMBER + " % one", CLASS], ["1,p % it's", "2,q %", "%3,q"], "a", [[1], [2]]),
        (["@ATTRIBUTE 'it\\'s, a' REAL", '@Attribute "b c"{p,q}'], ["1,p", "2,q"], "it's, a", [[1], [2]]),
        (["@attribute a% numeric", "@attribute y {50%,q}"], ["1,50%", "2,q"], "a%", [[1], [2]]),
        ([NUMBER, CLASS, "@inputs a", "@outputs y"], ["1,p", "2,q"], "a", [[1], [2]]),
        ([NUMBER, CLASS], ["1\tp", "", "2\tq\t% two"], "a", [[1], [2]]),
        (["@attribute c {' u ',v}", CLASS], ["' u ',p", "v,q"], "c=u c=v", [[1, 0], [0, 1]]),
        (["@attribute c {'?',none}", CLASS], ["'?',p", "none,q"], "c=? c=none", [[1, 0], [0, 1]]),
        (["@attribute d date 'yyyy-MM-dd'", CLASS], ["'1970-01-02',p", "1970-01-03,q"], "d", [[1], [2]]),
        (["@attribute d date", CLASS], ["'1970-01-01T12:00:00',p", "1970-01-03,q"], "d", [[0.5], [2]]),
    ],
)
def test_what_its_grammar_allows_is_read(tmp_path, attributes, rows, columns, X):
    examples, classes = read(tmp_path, attributes, rows)
    assert examples.X.tolist() == X and len(classes) == 2
    assert columns is None or " ".join(examples.columns) == columns


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_sparse_rows_leave_out_zeros_and_first_values(tmp_path, end):
    lines = ["@relation r", NUMBER, "@attribute c {u,'v w'}", "@attribute x real", CLASS, "@data"]
    rows = ["{0 1, 3 q}", "{1 'v w', 2 .5} % comment", "{ }", "{0\t-2,1 u}"]
    (tmp_path / "my.arff").write_bytes(end.join(lines + rows).encode())
    examples, classes = read_user_file(tmp_path / "my.arff")
    assert examples.X.tolist() == [[1, 1, 0, 0], [0, 0, 1, 0.5], [0, 1, 0, 0], [-2, 1, 0, 0]]
    assert [classes[i] for i in examples.y] == ["q", "p", "p", "p"]


@pytest.mark.parametrize("label", ["none", "NA", "null", "nan", "N/A"])
def test_a_declared_class_is_a_class_whatever_its_name(tmp_path, label):
    _, classes = read(tmp_path, [NUMBER, f"@attribute y {{{label},mild}}"], [f"1,{label}", "2,mild"])
    assert set(classes) == {label, "mild"}


@pytest.mark.parametrize("kind", ["string", "date 'yyyy-MM-dd'"])
def test_columns_of_texts_can_be_left_out(tmp_path, kind):
    examples, _ = read(tmp_path, [f"@attribute id {kind}", NUMBER, CLASS], ["'2020-01-01',1,q", "x,2,p"], drop=["id"])
    assert examples.X.tolist() == [[1], [2]]


@pytest.mark.parametrize(
    ("attributes", "rows", "words"),
    [
        ([NUMBER, CLASS], ["1,p", "2,qq"], "line 6, column 'y': 'qq' is not among its declared values"),
        ([CLASS, NUMBER], ["p,1", "r,2"], "line 6, column 'y': 'r' is not among its declared values"),
        ([NUMBER, CLASS], ["1,p", "2x,q"], "line 6, column 'a': '2x' is not a number"),
        ([NUMBER, CLASS], ["1,p", "1_0,q"], "line 6, column 'a': '1_0' is not a number"),
        ([NUMBER, CLASS], ["1,p", "inf,q"], "line 6, column 'a': 'inf' is not finite"),
        ([NUMBER, CLASS], ["1,p", "", "?,q"], "line 7, column 'a': the value is missing"),
        ([NUMBER, CLASS], ["1,p", "<null>,q"], "line 6, column 'a': the value is missing"),
        ([CLASS, "@attribute z {u,v}"], ["p,u", "?,v"], "line 6, column 'y': the value is missing"),
        ([NUMBER, CLASS], ["1,p", "2,?", "3,q"], "line 6, column 'y': the target is missing"),
        ([NUMBER, CLASS], ["{0 1}", "{0 ?, 1 q}"], "line 6, column 'a': the value is missing"),
        ([NUMBER, CLASS], ["1,p", "{1 q}"], "line 6: is a sparse row, and the first one is not"),
        ([NUMBER, CLASS], ["{1 q}", "1,p"], "line 6: is a dense row, and the first one is not"),
        ([NUMBER, CLASS], ["{0 1}", "{7 1}"], "line 6: has a value beyond the 2 that are declared"),
        ([NUMBER, CLASS], ["{0 1}", "{0 1, 0 2}"], "line 6: the numbers of the attributes must increase"),
        ([NUMBER, CLASS], ["1,p", "1,'p"], "line 6: cannot be read; .* quotes around them"),
        ([NUMBER, CLASS], ["1 2,p"], "line 5: cannot be read"),
        ([NUMBER, CLASS], ["1,p,{x}"], "line 5: cannot be read"),
        ([NUMBER, CLASS], [r"1,'\x'"], "line 5: cannot be read"),
        (["@attribute c {dark blue,x}", CLASS], ["x,p"], "line 2: cannot be read"),
        (["@atribute a numeric", CLASS], ["1,p"], "line 2: cannot be read: '@atribute"),
        (["@attribute b relational", NUMBER, "@end b", CLASS], [], "line 2: attribute 'b' is of type relational"),
        (
            ["@attribute d date 'dd/MM/yyyy'", CLASS],
            ["01/02/2020,p", "02/02/2020,q"],
            "dataset.drop=.d.. leaves it out",
        ),
        (["@attribute id string", CLASS], ["n1,p"], "line 5, column 'id': 'n1' is not a number"),
        ([NUMBER], ["1"], "fewer than two attributes"),
    ],
)
def test_what_cannot_be_read_is_one_clear_line(tmp_path, attributes, rows, words):
    with pytest.raises(UserError, match=words) as caught:
        read(tmp_path, attributes, rows)
    assert "\n" not in str(caught.value) and "my.arff" in str(caught.value)


def test_a_file_without_data(tmp_path):
    (tmp_path / "my.arff").write_text(f"@relation r\n{NUMBER}\n{CLASS}\n")
    with pytest.raises(UserError, match="has no line @data"):
        read_user_file(tmp_path / "my.arff")


def test_numbers_in_other_columns_are_no_texts_of_the_target(tmp_path):
    """The target of a declared number keeps its digits until it is known whether it is a class."""
    examples, _ = read(tmp_path, [NUMBER, "@attribute y numeric"], ["1,0.1", "2,1e3", "3,-2"], real=True)
    assert examples.target.tolist() == [0.1, 1000, -2]
