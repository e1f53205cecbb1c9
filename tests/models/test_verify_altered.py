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
    "ufo_mkl": ["algo.Cs=[1]", "kernel.gammas=[0.3,1]"],
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


def replace(tree, place, value):
    *path, key = place
    for step in path:
        tree = tree[step]
    tree[key] = value


def altered(random, header, arrays):
    """Return a header and arrays with one value that is another."""
    header, arrays = deepcopy(header), list(arrays)
    if random.random() < 0.6:
        replace(header["model"], random.choice(list(places(header["model"]))), random.choice(VALUES))
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


@pytest.mark.slow
def test_no_altered_model_of_sentences_that_labels_otherwise_is_verified():
    lines = [f"the D\n{'dog' if i % 2 else 'Cat'} N\n{'runs' if i % 3 else 'sleeps'} V" for i in range(12)]
    Path("s.conll").write_text("\n\n".join(lines) + "\n")
    Path("new.conll").write_text("the D\nfox N\nruns N\n\nCat V\n")
    keys = ["dataset=conll", "dataset.path=s.conll", "dataset.target=-1", "scaling=none", "algo.Cs=[10]"]
    assert main(["fit", "algo=crf", *keys, "-o", "good.kl"]) == 0
    assert main(["verify", "good.kl", "s.conll"]) == 0
    assert main(["predict", "good.kl", "new.conll", "-o", "good.txt"]) == 0
    with reading(Path("good.kl")) as archive:
        header = read_header(archive)
        arrays = [read_array(archive, number) for number in range(len(archive.members) - 1)]
    steps = header["model"]["estimator"]["params"]["steps"]
    schema = steps[0]["tuple"][1]["estimator"]["params"]["schema"]
    random, before = Random("sentences"), deepcopy(schema)
    for place in places(before):
        for value in (0, 1, 5, random.choice(VALUES)):
            schema.update(deepcopy(before))
            replace(schema, place, value)
            require_that_what_is_verified_labels_the_same(header, arrays)
    schema.update(before)
    for _ in range(8):
        require_that_what_is_verified_labels_the_same(*altered(random, header, arrays))


def require_that_what_is_verified_labels_the_same(header, arrays):
    write_archive(Path("bad.kl"), header, arrays)
    code = main(["verify", "bad.kl", "s.conll"])
    assert code in (0, 1, 2)
    predicted = main(["predict", "bad.kl", "new.conll", "-o", "bad.txt", "--force"])
    assert predicted in (0, 2)
    if code == predicted == 0:
        assert Path("bad.txt").read_text() == Path("good.txt").read_text()
