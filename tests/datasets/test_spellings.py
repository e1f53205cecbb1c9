"""Labels and features that look the same, numbers that may be quantities, and what is said of both."""

import numpy as np
import pandas as pd
import pytest

from kernlearn.datasets import load
from kernlearn.errors import UserError

NO_BREAK, WIDE_E = "New\u00a0York", "Caf\u0065\u0301"


def write(tmp_path, text, name="my.csv"):
    (tmp_path / name).write_text(text)
    return tmp_path / name


def labelled(tmp_path, labels, name="my.csv"):
    """Write a table with some labels, each twice, in the format of a name."""
    rows = [(i + 0.5 * (i % 3), label) for i, label in enumerate(labels * 2)]
    if name.endswith("parquet"):
        pd.DataFrame(rows, columns=["a", "y"]).to_parquet(tmp_path / name)
        return tmp_path / name
    if name.endswith("svm"):
        return write(tmp_path, "".join(f"{label} 1:{a}\n" for a, label in rows), name)
    if name.endswith("arff"):
        head = "@relation r\n@attribute a real\n@attribute y string\n@data\n"
        return write(tmp_path, head + "".join(f"{a},'{label}'\n" for a, label in rows), name)
    sign = "\t" if name.endswith("tsv") else ","
    return write(tmp_path, f"a{sign}y\n" + "".join(f"{a}{sign}{label}\n" for a, label in rows), name)


@pytest.mark.parametrize("name", ["my.csv", "my.tsv", "my.parquet", "my.arff"])
@pytest.mark.parametrize(
    ("labels", "classes"),
    [
        (["New York", "New  York", NO_BREAK, "Oslo"], ("New York", "Oslo")),
        (["Caf\u00e9", WIDE_E, "Bar"], ("Bar", "Caf\u00e9")),
        (["a\u200bb", "ab", "c"], ("ab", "c")),
        (["TRUE", "true", "True", "False"], ("False", "true")),
        (["TRUE", "true", "no"], ("no", "true")),
    ],
)
def test_labels_that_look_the_same_are_one_class_and_a_note_says_so(name, labels, classes, tmp_path):
    path = labelled(tmp_path, labels, name)
    read = load("csv", path=path)
    assert read.classes == classes
    assert sum("are one value" in note and "'dataset.types={y: text}' keeps" in note for note in read.remarks) == 1
    apart = load("csv", path=path, types={"y": "text"})
    assert set(apart.classes) == set(labels) and not any("are one value" in note for note in apart.remarks)
    assert any("differ in blanks or in upper and lower case alone" in note for note in apart.remarks)


@pytest.mark.parametrize("name", ["my.csv", "my.parquet", "my.arff"])
def test_blanks_around_labels_do_not_count_and_a_note_says_so(name, tmp_path):
    read = load("csv", path=labelled(tmp_path, ["old", "old ", "new"], name))
    assert read.classes == ("new", "old")
    assert any("'old' and 'old ' are one value, as blanks around it do not count" in note for note in read.remarks)


def test_labels_that_differ_in_case_are_classes_of_their_own(tmp_path):
    read = load("csv", path=labelled(tmp_path, ["Yes", "yes", "no"]))
    assert read.classes == ("Yes", "no", "yes")
    assert any("classes 'Yes' and 'yes' differ in blanks or in upper and lower case" in note for note in read.remarks)
    assert load("csv", path=labelled(tmp_path, ["yes", "no"])).remarks[2:] == ()


@pytest.mark.parametrize("cells", [["Yes", "yes", "no"] * 2, pd.Categorical(["Yes", "yes", "no"] * 2)])
def test_values_of_features_that_differ_in_case_are_told(cells, tmp_path):
    pd.DataFrame({"f": cells, "y": list("pq") * 3}).to_parquet(tmp_path / "my.parquet")
    (note,) = [note for note in load("csv", path=tmp_path / "my.parquet", text="onehot").remarks if "alone" in note]
    assert note.startswith("column 'f': values 'Yes' and 'yes' differ in blanks or in upper and lower case alone")


def test_words_of_libsvm_files_are_true_and_false_in_any_case(tmp_path):
    read = load("csv", path=labelled(tmp_path, ["TRUE", "true", "False"], "my.svm"))
    assert read.classes == ("False", "true")
    assert "labels 'TRUE' and 'true' are one class, 'true', since they are one word (other words are kept apart)" in (
        read.remarks
    )


def test_texts_of_features_that_look_the_same_are_one_indicator(tmp_path):
    text = "f,y\nTRUE,p\ntrue,q\nTrue,p\nmaybe,q\nmaybe,p\n"
    read = load("csv", path=write(tmp_path, text), text="onehot")
    assert read.X.categories == (("maybe", "true"),)
    assert "column 'f': 'TRUE' and 'True' and 'true' are one value" in " ".join(read.remarks)
    assert len(load("csv", path=tmp_path / "my.csv", text="onehot", types={"f": "text"}).X.categories[0]) == 4
    read = load("csv", path=write(tmp_path, text.replace("maybe", "FALSE")))
    assert read.X[:, 0].tolist() == [1, 1, 1, 0, 0]
    assert any("true and false, in any case, read as 1 and 0" in note for note in read.remarks)


@pytest.mark.parametrize("name", ["my.csv", "my.tsv", "my.parquet", "my.svm"])
def test_many_numbers_that_are_not_whole_are_no_classes(name, tmp_path):
    path = labelled(tmp_path, [1.5 + 0.25 * i for i in range(12)], name)
    with pytest.raises(UserError, match="12 different numbers, not all of them whole; task=regression if .*classes"):
        load("csv", path=path)
    assert len(load("csv", path=path, task="regression").target) == 24
    if name != "my.svm":
        assert len(load("csv", path=path, types={"y": "category"}).classes) == 12


def test_numbers_of_a_numeric_column_of_arff_are_no_classes_either(tmp_path):
    head = "@relation r\n@attribute a real\n@attribute y {}\n@data\n"
    rows = "".join(f"{i},{1.5 + i % 12}\n" for i in range(24))
    with pytest.raises(UserError, match="12 different numbers, not all of them whole"):
        load("csv", path=write(tmp_path, head.format("numeric") + rows, "my.arff"))
    declared = head.format(f"{{{','.join(str(1.5 + i) for i in range(12))}}}")
    assert len(load("csv", path=write(tmp_path, declared + rows, "my.arff")).classes) == 12


@pytest.mark.parametrize("name", ["my.csv", "my.parquet", "my.svm"])
@pytest.mark.parametrize(
    ("labels", "is_said"), [([1.5, 2.25, 3.5], True), (list(range(30)), True), ([0, 1, 2], False), ([1.0, 2.0], False)]
)
def test_a_note_says_where_classes_may_be_quantities(name, labels, is_said, tmp_path):
    read = load("csv", path=labelled(tmp_path, labels, name))
    assert len(read.classes) == len(labels)
    assert any("(if they are quantities: task=regression)" in note for note in read.remarks) == is_said


@pytest.mark.parametrize("name", ["my.csv", "my.parquet", "my.svm"])
@pytest.mark.parametrize(
    ("labels", "is_said"),
    [
        ([*range(7)], True),
        ([*range(1, 9), 11], True),
        ([*range(5)], False),
        ([10, 20, 30, 40, 50, 60], False),
        ([-3, -2, -1, 0, 1, 2], False),
    ],
)
def test_a_note_says_where_classes_may_be_counts(name, labels, is_said, tmp_path):
    read = load("csv", path=labelled(tmp_path, labels, name))
    note = f"{len(labels)} whole numbers from {labels[0]} to {labels[-1]} are taken as classes"
    assert (f"{note} (task=regression if they are amounts)" in read.remarks) == is_said
    assert len(read.classes) == len(labels)


@pytest.mark.parametrize(("kind", "word"), [("number", "no number"), ("date", "no date"), ("boolean", "no boolean")])
def test_a_type_of_the_target_that_its_labels_are_not_of(kind, word, tmp_path):
    path = labelled(tmp_path, ["red", "blue"])
    with pytest.raises(UserError, match=f"'dataset.types={{y: {kind}}}': the label 'red' is {word}"):
        load("csv", path=path, types={"y": kind})


def test_a_target_that_is_said_to_be_boolean_has_two_classes(tmp_path):
    path = labelled(tmp_path, ["yes", "y", "no", "n"])
    read = load("csv", path=path, types={"y": "boolean"})
    assert read.classes == ("false", "true") and np.bincount(read.y).tolist() == [4, 4]


def test_another_target_is_named_where_the_first_column_looks_like_one(tmp_path):
    rows = "".join(f"{'pq'[i % 2]},{i}.25\n" for i in range(20))
    with pytest.raises(UserError, match="column 'label': 'p' is not a number .*dataset.target=label if it has the"):
        load("csv", path=write(tmp_path, "label,a\n" + rows))
    with pytest.raises(UserError, match="examples differ in their class; .* dataset.target=0 if another column has"):
        load("csv", path=write(tmp_path, rows.replace("p", "1").replace("q", "0")))
