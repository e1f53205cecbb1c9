"""``kernlearn look FILE``, and what a run says of columns that may be no features."""

import re

import numpy as np
import pandas as pd
import pytest

from kernlearn.cli.complete import candidates
from kernlearn.cli.main import VERBS, main
from kernlearn.datasets.readers.doubts import suspects


def table(out):
    lines = out.splitlines()
    return [line.split() for line in lines[1:] if line[:1].isdigit()]


@pytest.fixture
def path(tmp_path):
    rows = ["3,x1,2001-01-01,1.5,red,no", "1,x2,9999-12-31,2,blue,yes", "7,x3,2003-01-01,2.5,,no"]
    path = tmp_path / "my.csv"
    path.write_text("\n".join([",id,when,c,colour,label", *rows, *(row.replace("x", "y") for row in rows)]))
    return path


def test_every_column_has_a_role_a_type_and_a_key(path, capsys):
    assert main(["look", str(path), "drop=[id]", "dataset.types={colour: text}", "index=none", "drop=[id,colour]"]) == 0
    out = capsys.readouterr().out
    assert [line[:4] for line in table(out)][1:] == [
        ["1", "id", "dropped", "dataset.drop"],
        ["2", "when", "feature", "date"],
        ["3", "c", "feature", "number"],
        ["4", "colour", "dropped", "dataset.drop"],
        ["5", "label", "target", "class"],
    ]
    assert all("dataset." in line[-1] or line[-1] == "category}'" for line in table(out))
    assert "the first line has the names (if not: dataset.header=false)" in out
    assert out.splitlines()[-1] == "data       my: 6 x 3, classes no (4), yes (2)"


def test_a_file_that_is_refused_is_shown_first(path, capsys):
    assert main(["look", str(path)]) == 2
    out, err = capsys.readouterr()
    assert ["0", "column", "0", "index"] in [line[:4] for line in table(out)]
    assert "6 values, differs in every row, as an id does: dataset.drop" in out and "2 values, 2 missing" in out
    assert (
        err.count("\n") == 1
        and "12 cells cannot be used (2 of them are missing: see dataset.missing; 10 are texts: see dataset.text), in "
        "columns 'id', 'colour'"
        in err
    )


def test_many_columns_that_are_alike_are_one_line(tmp_path, capsys):
    data = pd.DataFrame(np.random.RandomState(0).randn(9, 300)).add_prefix("pixel")
    data.assign(kind=[True, False, True] * 3, label=list("aba") * 3).to_parquet(tmp_path / "wide.parquet")
    assert main(["look", str(tmp_path / "wide.parquet")]) == 0
    out = capsys.readouterr().out
    assert [line[0] for line in table(out)] == ["0-299", "300", "301"] and "pixel0 ... pixel299  feature" in out
    assert "data       wide: 9 x 301, classes a (6), b (3)" in out


def test_of_a_wide_file_the_kinds_of_columns_are_shown(tmp_path, capsys):
    frame = pd.DataFrame({f"c{i}": ["r", "g", "r"] if i % 2 else [i, np.nan, 1.5] for i in range(100)})
    frame.assign(label=["no", "yes", "no"]).to_csv(tmp_path / "my.csv", index=False)
    words = ["look", str(tmp_path / "my.csv"), "target=label", "missing=median", "text=onehot"]
    assert main(words) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "50 columns c0 ... c98 feature number 50 with missing values: dataset.missing" in out
    assert "50 columns c1 ... c99 feature text" in out and "FILE --all shows every column" in out
    assert main([*words, "--all"]) == 0
    assert len(table(capsys.readouterr().out)) == 101


def test_a_file_that_empty_lines_divide_may_have_sentences(tmp_path, capsys):
    path = tmp_path / "my.txt"
    path.write_text("\n\n".join(["the D\ndog N", "a D\ncat N", "the D\ncat N"]) + "\n\n")
    assert main(["look", str(path), "text=onehot"]) == 0
    assert "divide the rows into 3 groups: if these are sentences, add format=conll" in capsys.readouterr().out
    assert main(["look", str(path), "format=conll"]) == 0
    assert "3 sequences of 6 places" in capsys.readouterr().out


def test_other_formats_and_tasks(tmp_path, capsys):
    (tmp_path / "a.svm").write_text("1 1:0.5\n-1 2:1\n")
    assert main(["look", str(tmp_path / "a.svm")]) == 0
    assert "2 x 2, classes -1 (1), 1 (1)" in capsys.readouterr().out
    (tmp_path / "b.csv").write_text("a,y\n1,0.5\n2,7\n")
    assert main(["look", str(tmp_path / "b.csv"), "task=regression"]) == 0
    assert "2 x 1, targets from 0.5 to 7" in capsys.readouterr().out
    (tmp_path / "c.txt").write_text("a X\nb Y\n\nc X\n")
    assert main(["look", str(tmp_path / "c.txt"), "format=conll"]) == 0
    assert "2 sequences of 3 places" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nowhere.csv"], "nowhere.csv: no such file"),
        (["{}", "tarket=label"], "tarket=label: give KEY=VALUE, .* did you mean target?"),
        (["{}", "label"], "label: give KEY=VALUE"),
        (["{}", "target=labl"], "target=labl: no such column, .* did you mean label?"),
        (["{}", "header=maybe"], "header=maybe: must be true, false, 2, or null"),
        (["{}", "types={id: int}"], "types.id=int: must be one of number"),
        (["{}", "types=text"], "types=text: must be a mapping"),
        (["{}", "task=sort"], "task=sort: must be one of"),
    ],
)
def test_what_cannot_be_read_is_one_line(words, message, path, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["look", *(word.format(path) if word == "{}" else word for word in words)]) == 2
    out, err = capsys.readouterr()
    assert re.search(message.replace("?", r"\?"), err) and err.count("\n") == 1 and not out


def test_keys_are_completed():
    assert "target=" in candidates(["look", "my.csv"], "t", VERBS)
    assert "look" in candidates([], "lo", VERBS)


def test_notes_on_columns_that_may_be_no_features():
    rng = np.random.RandomState(0)
    n = 30
    X = np.column_stack([rng.permutation(n), rng.randn(n), rng.choice(10**6, n, replace=False), np.full(n, 3.0)])
    counting, whole, constant = suspects(X, ["i", "x", "customer", "c"])
    assert counting == "column 'i' only numbers the examples; 'dataset.drop=[i]' leaves it out"
    assert whole.startswith(
        "column 'customer' is whole and differs in every example, as an id does; 'dataset.drop=[customer]'"
    )
    assert constant == "column 'c' has one value only, of which nothing can be learned"
    twice = suspects(np.column_stack([X, X]), [])
    assert twice[2] == "column 4 and column 8 have one value only, of which nothing can be learned"
    assert suspects(X[:5], []) == [] and len(suspects(X[:9], [])) == 1  # of few examples that is chance
    assert suspects(rng.randint(9, size=(n, 2)) * 1.0, []) == []


def test_texts_and_missing_values_are_shown_with_their_keys(tmp_path, capsys):
    (tmp_path / "my.csv").write_text("a,colour,y\n1,red,p\n?,blue,q\n3,red,p\n5,red,q\n")
    assert main(["look", str(tmp_path / "my.csv"), "missing=median", "text=drop"]) == 0
    shown = capsys.readouterr().out
    assert "1 missing: dataset.missing" in shown and "dataset.text=drop" in shown and "4 x 1" in shown
    assert main(["look", str(tmp_path / "my.csv"), "missing=drop", "text=onehot"]) == 0
    shown = capsys.readouterr().out
    assert "1 of 4 rows have missing values and are left out" in shown and "dataset.text=onehot" in shown


def test_texts_in_a_file_with_types_are_said_to_be_texts(tmp_path, capsys):
    data = {"zip": ["01234", "2", "3"], "day": ["2001-01-01", "2001-01-02", "2001-01-04"], "is": ["true", "false"] * 2}
    frame = pd.DataFrame({key: values[:3] for key, values in data.items()} | {"x": [1.5, 2, 4], "y": list("pqp")})
    frame.to_parquet(tmp_path / "my.parquet")
    assert main(["look", str(tmp_path / "my.parquet")]) == 0
    lines = [" ".join(line) for line in table(capsys.readouterr().out)]
    assert "0 zip feature number every text is a number" in lines[0]
    assert "1 day feature date its texts are dates of ISO 8601" in lines[1]
    assert "2 is feature boolean every text is true or false" in lines[2]
    assert "3 x feature number its type in the file" in lines[3]


def test_columns_that_keel_leaves_out_are_said_to_be_no_inputs(tmp_path, capsys):
    head = "@relation r\n@attribute a real\n@attribute b real\n@attribute y {p,q}\n@inputs a\n@outputs y\n@data\n"
    (tmp_path / "my.dat").write_text(head + "1,2,p\n2,5,q\n3,1,p\n")
    assert main(["look", str(tmp_path / "my.dat")]) == 0
    lines = [" ".join(line) for line in table(capsys.readouterr().out)]
    assert lines[1] == "1 b dropped not among @inputs dataset.target=NAME"


@pytest.mark.parametrize(
    ("given", "left"), [("sex", "x 1"), ("none", "x 2"), ("0", "x 1"), ("[sex]", "x 1"), ("[]", "x 2")]
)
def test_one_column_is_dropped_without_brackets_and_none_by_a_word(given, left, tmp_path, capsys):
    (tmp_path / "my.csv").write_text("sex,age,y\n" + "1,20,p\n0,30,q\n1,44,p\n" * 2)
    assert main(["look", str(tmp_path / "my.csv"), f"drop={given}"]) == 0
    assert f"data       my: 6 {left}," in capsys.readouterr().out
