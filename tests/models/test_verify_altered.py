"""Models with anything altered in their files: verify ends with a code, and proves none that predicts otherwise."""

from copy import deepcopy
from pathlib import Path
from random import Random

import numpy as np
import pandas as pd
import pytest

import kernlearn
from kernlearn.cli.main import main
from kernlearn.models.archive import read_array, read_header, reading, write_archive
from tests.conftest import slow_where
from tests.forty import X, Y

METHODS = {
    "lpboost": ["algo.nus=[0.3]", "algo.rounds=10", "kernel.number=30"],
    "qpboost": ["algo.Cs=[0.1]", "algo.over=all", "kernel.number=20"],
    "dc": ["algo.thetas=[1]", "algo.Cs=[1]", "kernel.gammas=[0.3,1]"],
    "multiclass_mkl": ["algo.Cs=[1]", "kernel.gammas=[0.3,1]"],
    "sigma_svm": ["algo.Cs=[1]", "algo.shares=[0.5]", "kernel.gammas=[1]"],
    "l2_svm": ["algo.Cs=[1]", "kernel.gammas=[1]", "multiclass=one_vs_one"],
    "soft_svm": ["algo.lambdas=[0.1]", "kernel.gammas=[1]", "kernel.approximate=nystrom", "kernel.rank=8"],
}
VALUES = [None, 0, -1, True, 1e300, "x", "one_vs_one", [], [1], {}, {"float": "inf"}, {"array": 0}, {"array": 5}]
#: Rows on which predictions are compared.
GRID = np.array([(a, b) for a in np.linspace(-2, 2, 12) for b in np.linspace(-2, 2, 12)])


def places(tree, path=()):
    """Yield where every value of a header is."""
    if path:
        yield path
    items = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for key, value in items:
        yield from places(value, (*path, key))


def altered(random, header, arrays):
    """Return a header and arrays with one value that is another."""
    header, arrays = deepcopy(header), list(arrays)
    if random.random() < 0.6:
        *path, key = random.choice(list(places(header["model"])))
        part = header["model"]
        for step in path:
            part = part[step]
        part[key] = random.choice(VALUES)
        return header, arrays
    number = random.randrange(len(arrays))
    value = arrays[number]
    if value.size and value.dtype.kind in "fi":
        changes = [value.reshape(-1)[:-1], (1.5 * value + 1).astype(value.dtype), np.full_like(value, 10**9), -value]
        arrays[number] = random.choice(changes)
    return header, arrays


@pytest.mark.parametrize("count", [4, pytest.param(100, marks=pytest.mark.slow)])
@pytest.mark.parametrize("algo", slow_where(lambda name: name not in ("lpboost", "l2_svm"), METHODS))
def test_no_altered_model_that_predicts_otherwise_is_verified(algo, count, capsys):
    table = pd.DataFrame(X, columns=["a", "b"])
    table["label"] = np.where(X[:, 0] > 0.8, "far", np.where(Y > 0, "up", "down"))
    table.to_csv("my.csv", index=False)
    assert main(["fit", f"algo={algo}", "my.csv", "target=label", *METHODS[algo], "-o", "good.kl"]) == 0
    assert main(["verify", "good.kl", "my.csv"]) == 0
    with reading(Path("good.kl")) as archive:
        header = read_header(archive)
        arrays = [read_array(archive, number) for number in range(len(archive.members) - 1)]
    expected, random = kernlearn.load("good.kl").decision_function(GRID), Random(algo)
    for _ in range(count):
        write_archive(Path("bad.kl"), *altered(random, header, arrays))
        code = main(["verify", "bad.kl", "my.csv"])
        assert code in (0, 1, 2)
        if code == 0:
            try:
                found = kernlearn.load("bad.kl").decision_function(GRID)
            except Exception:  # what is beside the proof, and then nothing is predicted
                continue
            assert (found == expected).all()
