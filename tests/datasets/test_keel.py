"""What an ARFF file itself says of its columns and rows: inputs and outputs of KEEL, and weights of Weka."""

import pytest

from kernlearn.datasets import load
from kernlearn.errors import UserError

HEAD = "@relation r\n@attribute a real [0,9]\n@attribute y {p,q}\n@attribute 'b c' real\n@attribute d real\n"
ROWS = "@data\n" + "".join(f"{i}, {'pq'[i % 2]}, {i * i}, {i % 3}\n" for i in range(6))


@pytest.mark.parametrize("name", ["my.dat", "my.arff"])
@pytest.mark.parametrize(
    ("lines", "columns", "why"),
    [
        ("@inputs a, 'b c', d\n@outputs y\n", ("a", "b c", "d"), "as @outputs says"),
        ("@inputs a\n@outputs y\n", ("a",), "as @outputs says"),
        ("@input a,d\n@OUTPUT y\n", ("a", "d"), "as @outputs says"),
        ("@outputs y\n", ("a", "b c", "d"), "as @outputs says"),
        ("@inputs a, d, 'b c'\n", ("a", "b c", "d"), "which is not among @inputs"),
    ],
)
def test_inputs_and_outputs_of_keel(name, lines, columns, why, tmp_path):
    (tmp_path / name).write_text(HEAD + lines + ROWS)
    read = load("csv", path=tmp_path / name)
    assert read.classes == ("p", "q") and read.columns == columns
    assert read.remarks[0] == f"target 'y', {why} (if not: dataset.target=NAME)"


def test_a_target_that_is_given_comes_before_that_of_the_file(tmp_path):
    (tmp_path / "my.dat").write_text(HEAD + "@inputs a\n@outputs y\n" + ROWS)
    read = load("csv", path=tmp_path / "my.dat", target="d", drop=["y"])
    assert read.classes == ("0", "1", "2") and read.columns == ("a", "b c")
    assert "@inputs and @outputs of the file do not count, as dataset.target is given" in read.remarks


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ("@outputs y, d\n", r"@outputs names 2 columns \('y', 'd'\); choose one with dataset.target=NAME"),
        ("@outputs z\n", "@outputs names 'z', which is no attribute"),
        ("@inputs a, e\n", "@inputs names 'e', which is no attribute"),
        ("@inputs y\n@outputs y\n", "has no feature|leaves no feature"),
    ],
)
def test_inputs_and_outputs_that_cannot_be_used(lines, words, tmp_path):
    (tmp_path / "my.dat").write_text(HEAD + lines + ROWS)
    with pytest.raises(UserError, match=words):
        load("csv", path=tmp_path / "my.dat")


def test_declarations_without_a_relation_are_arff(tmp_path):
    (tmp_path / "my.dat").write_text(HEAD.partition("\n")[2] + ROWS)
    assert len(load("csv", path=tmp_path / "my.dat", target="y").X) == 6


@pytest.mark.parametrize("rows", ["1,p\n2,q,{0.5}\n", "1,p,{ 2 }\n2,q\n", "{0 1, 1 p}, {1e-1}\n{0 2, 1 q}\n"])
def test_weights_of_weka_are_refused(rows, tmp_path):
    (tmp_path / "my.arff").write_text("@relation r\n@attribute a real\n@attribute y {p,q}\n@data\n" + rows)
    with pytest.raises(UserError, match=r"line [56]: ends in the weight \{.*\}, and examples have no weights here"):
        load("csv", path=tmp_path / "my.arff")
