"""Results of a file with hostile names: a run, a comparison and a model."""

import csv
import os
from contextlib import contextmanager, redirect_stdout
from io import StringIO

import numpy as np

from kernlearn.cli.main import main

#: What must be shown, and never run.
SCRIPT = "<script>document.title='executed'</script>"
IMAGE = "<img src=http://127.0.0.1/x onerror=document.title=1>"
FORMULA = "=cmd|' /C calc'!A0"
RIGHT_TO_LEFT = "\u05e9\u05dc\u05d5\u05dd \u202e\u05e2\u05d5\u05dc\u05dd"
EMOJI = "\U0001f9ea\U0001f469\U0001f3fd\u200d\U0001f52c"
#: The names of the columns; the last one is the target. The fourth has more characters than a page shows.
COLUMNS = (IMAGE, FORMULA, RIGHT_TO_LEFT, "n" * 100_000, EMOJI, '"><b>"')


@contextmanager
def within(directory):
    """Run a block in another current directory."""
    before = os.getcwd()
    os.chdir(directory)
    try:
        yield
    finally:
        os.chdir(before)


def kernlearn(*words):
    """Run a command that succeeds, and return what it prints."""
    out = StringIO()
    with redirect_stdout(out):
        assert main(list(words)) == 0
    return out.getvalue()


def write_data(path):
    """Write a table with the names above, whose classes are a script and a formula."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, len(COLUMNS) - 1))
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        writer.writerows([*(f"{value:.3f}" for value in x), SCRIPT if x[0] > 0 else FORMULA] for x in X)


def store(directory):
    """Write a run, a comparison and a model of this table into a directory."""
    with within(directory):
        write_data("hostile.csv")
        said = ["dataset.target=5", "kernel=linear", "results_dir=results", "engine.jobs=1"]
        kernlearn("run", "algo=l2_svm", "algo.Cs=[1,10]", "dataset=csv", "dataset.path=hostile.csv", *said)
        kernlearn("compare", "hostile.csv", "algos=nearest_mean,krr", *said)
        kernlearn("fit", "hostile.csv", "algo=nearest_mean", *said[:2], "-o", "model.kl")
