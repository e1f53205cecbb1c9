"""Whether the first line has names, where these are numbers above columns of other types."""

import numpy as np
import pytest

from kernlearn.datasets import load


def columns(tmp_path, content, **keys):
    (tmp_path / "my.csv").write_text(content)
    return load("csv", path=tmp_path / "my.csv", **keys).columns


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("5,7,the class\n0.5,False,u\n0.25,True,v\n0.75,False,u\n", ("5", "7")),
        ("5,7,the class\n0.5,2020-12-31,u\n0.25,2020-11-30,v\n", ("5", "7")),
        ("7,5,y\n0.5,red,u\n0.25,blue,v\n", ("7", "5")),
        ("7,5,3\n0.5,3,u\n0.25,4,v\n0.25,4,v\n0.75,9,u\n", ("7", "5")),  # above classes
        ("7,5,3\n0.5,3,true\n0.25,4,false\n", ("7", "5")),
        ("7,5,day\n0.5,3,2020-12-31\n0.25,4,2020-11-30\n", ("7", "5")),
        ("7,5,y\n0.5,3,true\n0.25,4,false\n", ("7", "5")),
        (";1;0;y\n135;-5;0.1;u\n22;-5;-0.2;v\n151;-2;-0.3;u\n", ("1", "0")),  # the index of pandas
        (";;0;y\na;1;0.1;u\na;2;-0.2;v\nb;1;-0.3;u\n", ("0",)),  # of two levels
    ],
)
def test_numbers_above_other_types_are_names(text, names, tmp_path):
    assert columns(tmp_path, text, text="onehot") == names


@pytest.mark.parametrize(
    "text",
    [
        "7,5,3\n0.5,3,u\n0.25,4,v\n0.25,4,v\n",  # classes are few
        "7,5,3\n0.5,3,u\n0.25,4,3+\n0.25,4,u\n0.25,4,3+\n",  # classes such as 3 and 3+
        "7,5,3\n0.5,3 m,u\n0.25,4 m,3\n0.5,3 m,u\n0.25,4 m,3\n",
        "7,true,u\n0.5,false,v\n0.25,true,u\n",
        "7,2020-01-01,u\n0.5,2020-01-02,v\n0.25,2020-01-03,u\n",
        "7,5,u\n0.5,NA,v\n0.25,?,u\n",
        ",5,u\n1,4,v\n1,3,u\n",  # what is missing above values that occur twice,
        ",5,u\n0.5,4,v\n1.5,3,u\n",  # or above some that are not whole,
        ",5,u\n1,4,v\n,3,u\n",  # or missing, too
        ",5,5\n1,4,4\n2,3,5\n",  # names are different
    ],
)
def test_an_example_above_others(text, tmp_path):
    assert columns(tmp_path, text, text="onehot", missing="median")[0].startswith("column 0")


@pytest.mark.parametrize(
    ("names", "values", "n_classes"),
    [
        ("0,1,2", lambda rng: rng.normal(size=(30, 2)).round(3), 3),
        ("1,2,3", lambda rng: rng.normal(size=(30, 2)).round(3), 4),
        ("400.5,410.5,420.5,430", lambda rng: rng.uniform(0, 1000, size=(30, 3)).round(1), 2),
        ("1,2,3,4", lambda rng: rng.integers(0, 20, size=(30, 3)) / 2, 2),
    ],
)
def test_numbers_in_order_above_classes_that_are_numbers(names, values, n_classes, tmp_path):
    X = values(np.random.default_rng(0))
    rows = "".join(f"{','.join(map(str, row))},{i % n_classes}\n" for i, row in enumerate(X.tolist()))
    assert columns(tmp_path, f"{names}\n{rows}") == tuple(names.split(",")[:-1])
    first = X[0].tolist()
    for label in (0, n_classes):  # an example in any order, also of a class of its own
        line = ",".join(map(str, [max(first), *first[1:-1], min(first), label]))
        assert columns(tmp_path, f"{line}\n{rows}")[0].startswith("column 0")


@pytest.mark.parametrize("first", ["10,20,30", "1,2", "0.5,1,1.5,2"])
def test_a_first_line_of_numbers_in_equal_steps_may_have_names(first, tmp_path):
    rows = "".join(f"{','.join(str(0.37 * i + j) for j in range(first.count(',') + 1))}\n" for i in range(3))
    (tmp_path / "my.csv").write_text(f"{first}\n{rows}")
    remarks = load("csv", path=tmp_path / "my.csv", task="regression").remarks
    assert remarks[1].startswith("no line has names, although the numbers in the first one have equal steps")
    assert "(if not: dataset.header=true)" in remarks[1]
    assert len(load("csv", path=tmp_path / "my.csv", task="regression", header=True).X) == 3
