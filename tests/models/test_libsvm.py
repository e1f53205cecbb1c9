"""Models of files in libsvm's format: the same verbs as for CSV, on files with the features by number."""

import gzip
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import dump_svmlight_file

import kernlearn
from kernlearn.cli.main import main
from kernlearn.datasets.readers.libsvm import read_new_libsvm
from kernlearn.datasets.rows import NewRows
from kernlearn.models.predictions import schema_of
from tests.conftest import moons

X, Y = moons(40)
X = np.column_stack([X.round(3), np.where(np.arange(40) % 3, 0.0, 1.5)])  # text holds such numbers exactly


def write(name, X=X, y=Y, **options):
    dump_svmlight_file(X, y, name, zero_based=False, **options)


@pytest.fixture
def model(capsys):
    write("train.svm")
    Path("train.svm.gz").write_bytes(gzip.compress(Path("train.svm").read_bytes()))
    assert main(["fit", "train.svm", "algo=l2_svm", "algo.Cs=[1.0]", "kernel.gammas=[1.0]", "-o", "m.kl"]) == 0
    capsys.readouterr()
    return kernlearn.load("m.kl")


def test_predictions_are_those_of_the_same_numbers_in_a_table(model):
    expected = model.predict(pd.DataFrame(X, columns=["1", "2", "3"])[["3", "1", "2"]])
    for name in ("train.svm", "train.svm.gz"):
        assert main(["predict", "m.kl", name, "--scores", "--keep", "label", "-o", "out.csv", "--force"]) == 0
        found = pd.read_csv("out.csv")
        assert found.prediction.astype(str).tolist() == expected.tolist() and found.label.tolist() == Y.tolist()
        assert found.decision.tolist() == model.decision_function(X).tolist()


def test_a_file_in_parts_has_the_same_rows(model):
    schema, fills = schema_of(model)
    whole, few = (
        np.concatenate([part.codes for part in NewRows(Path("train.svm"), schema, [], fills, part=size).parts()])
        for size in (2**23, 100)
    )
    assert np.array_equal(whole, few) and np.array_equal(whole, model[0].of_examples(X))


def test_evaluate_explain_and_verify_take_it(model, capsys):
    assert main(["evaluate", "m.kl", "train.svm.gz"]) == 0
    assert "40 rows" in capsys.readouterr().out
    assert main(["explain", "m.kl", "train.svm", "--repeats", "1"]) == 0
    assert main(["explain", "m.kl", "train.svm", "--row", "2"]) == 0
    assert main(["verify", "m.kl", "train.svm.gz"]) == 0
    write("other.svm", X[::-1], Y[::-1])
    assert main(["verify", "m.kl", "other.svm"]) == 1
    dump_svmlight_file(X, Y, "zero.svm", zero_based=True)
    capsys.readouterr()
    assert main(["verify", "m.kl", "zero.svm"]) == 1
    assert "the columns of the file are not those of the model" in capsys.readouterr().out
    write("wider.svm", np.hstack([X, X]))
    assert main(["verify", "m.kl", "wider.svm"]) == 1
    assert "the model takes 3 features, and the data have 6" in capsys.readouterr().out


def test_features_that_the_model_does_not_have_are_named(model, capsys):
    write("wider.svm", np.hstack([X, X]))
    assert main(["predict", "m.kl", "wider.svm", "-o", "wide.csv"]) == 0
    assert "columns '4', '5', '6': not used by the model, ignored" in capsys.readouterr().err
    assert main(["predict", "m.kl", "train.svm", "-o", "out.csv"]) == 0
    assert Path("out.csv").read_text() == Path("wide.csv").read_text()


def test_what_is_not_in_a_line_is_0():
    text = b"1 2:5\n0\n# nothing\n1 1:2 4:7 # some words\n"
    values, labels, others = read_new_libsvm(Path("new.svm"), text, [1, 2, 3], 0)
    assert values.tolist() == [[0.0, 5.0, 0.0], [0.0, 0.0, 0.0], [2.0, 0.0, 0.0]]
    assert labels == ["1", "0", "1"] and others == [4]
    assert read_new_libsvm(Path("new.svm"), b"1\n", [1, 2], 7)[0].tolist() == [[0.0, 0.0]]


@pytest.mark.parametrize(
    ("words", "content", "arguments"),
    [
        ("bad.svm, line 2: is not in libsvm format: '1:x'", "0 1:1\n0 1:x\n", ["predict", "m.kl", "bad.svm"]),
        ("line 2: numbers of features must increase", "0 1:1\n0 2:1 1:1\n", ["predict", "m.kl", "bad.svm"]),
        ("bad.svm, line 1: inf is not finite", "0 1:inf\n0 2:1\n", ["predict", "m.kl", "bad.svm"]),
        ("only label can be kept", "0 1:1\n", ["predict", "m.kl", "bad.svm", "--keep", "id"]),
        ("is none of the model's classes ('7'", "7 1:1\n-1 2:1\n", ["evaluate", "m.kl", "bad.svm"]),
        ("the target is first in every line", "1 1:1\n", ["evaluate", "m.kl", "bad.svm", "--target", "y"]),
        ("no such file", "", ["evaluate", "m.kl", "none.svm"]),
    ],
)
def test_a_file_that_does_not_fit_is_one_line(words, content, arguments, model, capsys):
    Path("bad.svm").write_text(content)
    assert main(arguments) == 2
    error = capsys.readouterr().err
    assert words in error and error.count("\n") == 1


def test_a_model_of_named_columns_asks_for_csv(capsys):
    write("train.svm")
    pd.DataFrame(X, columns=["a", "b", "c"]).assign(y=Y).to_csv("named.csv", index=False)
    words = ["algo=l2_svm", "algo.Cs=[1.0]", "kernel.gammas=[1.0]", "-o", "m.kl"]
    assert main(["fit", "named.csv", "target=y", *words]) == 0
    assert main(["predict", "m.kl", "train.svm"]) == 2
    assert "columns 'a', 'b', 'c'; write it as CSV" in capsys.readouterr().err
