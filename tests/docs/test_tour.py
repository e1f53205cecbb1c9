"""Every verb on ten kinds of files, as the page of the tour has them: look, compare, fit, predict, and so on."""

import gzip
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn import datasets

from kernlearn.cli.main import main
from tests.conftest import needs_originals
from tests.docs.pages import ROOT, blocks

PAGE = blocks(ROOT / "docs" / "tour.md")
VERBS = ["look", "compare", "fit", "predict", "evaluate", "explain", "verify"]
ORIGINALS = Path(os.environ.get("KERNLEARN_DATA", ""))
#: Lines of long files.
LINES = 400
#: What is compared; the last one is fitted.
CLASSIFIERS, REGRESSORS = ("nearest_mean", "l2_svm"), ("krr_mean", "krr")
REGRESSION = ("target=target", "task=regression")


def frame(name, names=False):
    """Return one of scikit-learn's tables, with names for the classes if asked for."""
    found = getattr(datasets, f"load_{name}")(as_frame=True)
    table = found.frame.copy()
    if names:
        table["target"] = np.asarray(found.target_names)[table.target]
    return table.sample(frac=1.0, random_state=0, ignore_index=True)


def write(table, file="my.csv", **options):
    table.to_csv(file, index=False, **options)
    return file


def flowers():
    return write(frame("iris", names=True)), ["target=target"]


def sparse_text():
    table = frame("iris")
    datasets.dump_svmlight_file(table.drop(columns="target"), table.target, "my.svm", zero_based=False)
    Path("my.svm.gz").write_bytes(gzip.compress(Path("my.svm").read_bytes()))
    return "my.svm.gz", []


def missing_values():
    table, rng = frame("wine"), np.random.default_rng(0)
    cells = table.drop(columns="target")
    cells = cells.mask(rng.random(cells.shape) < 0.03)
    return write(cells.assign(target=table.target)), ["target=target", "missing=median"]


def ids_and_dates():
    table = frame("breast_cancer", names=True)[:300]
    days = pd.Timestamp("2020-01-01") + pd.to_timedelta(np.arange(len(table)), unit="D")
    table.insert(0, "patient", [f"P{i:05d}" for i in range(len(table))])
    return write(table.assign(visit=days)), ["target=target", "drop=[patient]"]


def rare_class():
    table = frame("breast_cancer")
    rare = pd.concat([table[table.target == 1], table[table.target == 0][:7]]).sample(frac=1.0, random_state=0)
    return write(rare), ["target=target", "select_by=balanced_error_pct", "class_weight=balanced"]


def semicolons():
    return write(frame("wine"), sep=";", decimal=","), ["target=target"]


def texts():
    table = frame("diabetes")
    table["sex"] = np.where(table.sex > 0, "man", "woman")
    return write(table), [*REGRESSION, "text=onehot"]


def ten_classes():
    return write(frame("digits")[:400]), ["target=target"]


def more_columns_than_rows():
    X, y = datasets.make_classification(20, 500, n_informative=20, class_sep=3.0, random_state=0)
    return write(pd.DataFrame(X).add_prefix("gene ").assign(target=y)), ["target=target", "kernel=linear"]


def letters():
    X, y = datasets.make_blobs(520, 8, centers=26, random_state=0)
    return write(pd.DataFrame(X).assign(target=[chr(65 + c) for c in y])), ["target=target"]


KINDS = [
    flowers,
    sparse_text,
    missing_values,
    ids_and_dates,
    rare_class,
    semicolons,
    texts,
    ten_classes,
    more_columns_than_rows,
    letters,
]


def run(*words):
    """Run a command, which has to succeed."""
    assert main(list(words)) == 0, words


def journey(file, keys, algos, capsys):
    """Run all verbs on a file, those of models with the last of some methods."""
    task = [key for key in keys if key.startswith("task")]
    reading = [key for key in keys if key.startswith(("target", "drop", "missing", "text"))]
    run("look", file, *reading, *task)
    run("compare", file, *keys, f"algos={','.join(algos)}", "grid=by_size", "engine.jobs=1")
    (comparison,) = Path("results/comparisons").iterdir()
    run("fit", "--from", str(comparison), "--algo", algos[-1], "-o", "my.kl")
    use("my.kl", file, reading, capsys)


def use(model, file, reading, capsys):
    """Run the verbs of models on the file of the fit."""
    run("info", model)
    run("predict", model, file, "-o", "predictions.csv")
    run("evaluate", model, file)
    run("explain", model, file, "--repeats", "1")
    capsys.readouterr()
    run("verify", model, file, *reading)
    assert capsys.readouterr().out.splitlines()[-1].startswith("verified: ")


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_verb_on_a_kind_of_file(kind, capsys):
    file, keys = kind()
    journey(file, keys, REGRESSORS if "task=regression" in keys else CLASSIFIERS, capsys)
    rows = len(Path("predictions.csv").read_text().splitlines()) - 1
    assert rows == (150 if file.endswith(".gz") else len(pd.read_csv(file)))


def test_the_page_has_every_verb():
    commands = [shlex.split(line) for line in PAGE[0].text.splitlines()]
    assert [words[1] for words in commands[1:]] == VERBS


@pytest.mark.slow
def test_the_commands_of_the_page_run(capsys):
    write_files, *commands = [shlex.split(line) for line in PAGE[0].text.splitlines()]
    subprocess.run([sys.executable, *write_files[1:]], check=True)
    for _, *words in commands:
        run(*(str(next(Path().glob(word))) if "*" in word else word for word in words))
    shown = re.sub(r"gap of \S+", "gap", PAGE[1].text.strip())
    assert shown == re.sub(r"gap of \S+", "gap", capsys.readouterr().out.splitlines()[-1])
    assert len(Path("predictions.csv").read_text().splitlines()) == 59


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_every_verb_on_100000_rows(capsys):
    X, y = datasets.make_classification(100_000, 20, n_informative=10, random_state=0)
    file = write(pd.DataFrame(X).add_prefix("x").assign(target=y))
    keys = ["target=target", "algo.nus=[0.5]", "algo.rounds=50"]
    run("look", file, keys[0])
    run("compare", file, *keys, "algos=lpboost", "budget=20s", "protocol=rotation5", "engine.jobs=1")
    run("fit", file, *keys, "algo=lpboost", "-o", "my.kl")
    use("my.kl", file, keys[:1], capsys)


def original(name, lines=LINES):
    """Write the first lines of an original file, under its own name without an ending for gzip."""
    path = ORIGINALS / name
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8", errors="replace") as stream:
        text = [line for line, _ in zip(stream, range(lines), strict=False)]
    file = Path(path.name.removesuffix(".gz") + (".svm" if "libsvm" in name else ""))
    file.write_text("".join(text))
    return str(file)


#: Files of people who do this job, with the keys that they need.
OF_PEOPLE = [
    ("uci/breast-cancer-wisconsin.data", ["target=10", "drop=[0]", "missing=median"]),
    ("uci/agaricus-lepiota.data.gz", ["target=0", "text=onehot", "missing=indicator"]),
    ("uci/abalone.data", ["target=8", "task=regression", "text=onehot"]),
    ("uci/winequality-red.csv", ["target=quality", "task=regression"]),
    ("uci/pop_failures.dat.gz", ["target=20", "drop=[0,1]", "select_by=balanced_error_pct"]),
    ("uci/messidor_features.arff", []),
    ("uci/optdigits.tes.gz", ["target=64"]),
    ("uci/column_2C.dat", []),
    ("libsvm/a4a.gz", ["scaling=minmax", "kernel.gammas=[0.1]"]),
    ("delve/kin8nm.arff.gz", ["task=regression"]),
]


@pytest.mark.slow
@pytest.mark.data
@needs_originals
@pytest.mark.parametrize(("name", "keys"), OF_PEOPLE, ids=[one[0] for one in OF_PEOPLE])
def test_every_verb_on_a_file_of_people_who_do_this_job(name, keys, capsys):
    journey(original(name), keys, REGRESSORS if "task=regression" in keys else CLASSIFIERS, capsys)
