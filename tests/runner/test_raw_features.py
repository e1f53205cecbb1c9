"""Cells of files with missing values and texts: what is fitted for them is fitted on training parts alone."""

import numpy as np
import pytest

from kernlearn.datasets.core.raw import MISSING_WAYS, RawFeatures, encoded, fitted_encoder
from kernlearn.errors import UserError
from kernlearn.kernels import scaled
from kernlearn.runner.cell.data import data_of, training_part
from tests.runner.experiments import plan_of, rows_of


@pytest.fixture
def path(tmp_path):
    """Forty examples with missing numbers and texts, of two classes that the first column tells apart."""
    random = np.random.RandomState(0)
    lines = ["a,colour,b,y"]
    for i in range(40):
        cells = [
            f"{i % 2 + random.rand() / 2:.3f}",
            ["red", "blue", "green"][random.randint(3)],
            f"{random.rand():.3f}",
        ]
        if i % 5 == 0:
            cells[i // 5 % 3] = "?"
        lines.append(",".join([*cells, "pq"[i % 2]]))
    (tmp_path / "my.csv").write_text("\n".join(lines) + "\n")
    return tmp_path / "my.csv"


def words(path, *more):
    return ("dataset=csv", f"dataset.path={path}", "dataset.missing=indicator", "dataset.text=onehot", *more)


GAUSSIAN = "algo=l2_svm algo.Cs=[1] kernel=gaussian kernel.gammas=[1]"


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "method",
    [
        f"{GAUSSIAN} scaling=standard",
        # With scaling=standard rare indicators are long: five landmarks of 32 examples are too few for all directions.
        f"{GAUSSIAN} kernel.approximate=nystrom kernel.rank=20",
        "algo=adaboost kernel=stumps",
        "algo=alignf kernel=features algo.lambdas=[0.1]",
        "algo=gaussian_field kernel=graph",  # sees all examples, and fits on what it sees
    ],
)
def test_every_kind_of_input(path, method):
    rows = rows_of(*words(path, *method.split()))
    errors = [row["test_error_pct"] for row in rows]
    assert np.isfinite(errors).all() and min(errors) < 50


def test_rows_outside_of_the_training_part_change_none_of_its_inputs(path):
    some = words(path, "algo=l2_svm", "algo.Cs=[1]", "kernel=linear", "scaling=standard")
    cell = plan_of(*some).cells[0]
    before, labels = training_part(cell)
    _, split = data_of(cell)
    lines = path.read_text().splitlines()
    for row in {*range(40)} - {*split.train.tolist()}:
        lines[row + 1] = f"1e6,violet{row},?,{lines[row + 1][-1]}"
    path.write_text("\n".join(lines) + "\n")
    after, same = training_part(plan_of(*some).cells[0])
    assert after.matrix(0).tobytes() == before.matrix(0).tobytes() and (labels == same).all()


@pytest.mark.slow
def test_the_keys_are_part_of_the_identity(path):
    method = ("algo=l2_svm", "algo.Cs=[1]", "kernel=linear")
    ways = [("median", "onehot"), ("most_frequent", "onehot"), ("median", "ordinal"), ("drop", "drop")]
    base = ("dataset=csv", f"dataset.path={path}", *method)
    keys = {plan_of(*base, f"dataset.missing={m}", f"dataset.text={t}").cells[0].key for m, t in ways}
    assert len(keys) == 4
    (path.parent / "complete.csv").write_text("a,y\n" + "1,p\n2,q\n" * 10)
    plain = ("dataset=csv", f"dataset.path={path.parent / 'complete.csv'}", *method)
    refused = (*plain, "dataset.missing=refuse", "dataset.text=refuse")
    assert plan_of(*plain).cells[0].key == plan_of(*refused).cells[0].key
    with pytest.raises(UserError, match="dataset.missing=mean: must be one of refuse, drop, median"):
        plan_of(*plain, "dataset.missing=mean")
    with pytest.raises(UserError, match="dataset.text=onehot"):
        plan_of(*base, "dataset.missing=median")


def test_raw_features_are_read_only(path):
    dataset, split = data_of(plan_of(*words(path, "algo=l2_svm", "algo.Cs=[1]", "kernel=linear")).cells[0])
    assert not dataset.X.values.flags.writeable
    train, test = scaled("standard", dataset.X[split.train], dataset.X[split.test])
    assert np.allclose(train.mean(axis=0), 0) and np.isfinite(test).all() and train.shape[1] == test.shape[1]


@pytest.mark.parametrize("missing", MISSING_WAYS)
def test_numbers_are_those_of_the_transformers_of_scikit_learn(missing):
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 4, size=(60, 3)).astype(float)
    X = np.hstack([rng.normal(size=(60, 2)), codes])
    if missing not in MISSING_WAYS[:2]:
        X[rng.random(X.shape) < 0.2] = np.nan
        X[:40, 1] = np.nan  # nothing is known of it in the training part
    raw = RawFeatures(X, (None, None, tuple("abcd"), tuple("abcd"), tuple("abcd")), (4,), missing)
    train, test = raw[:40][rng.permutation(40)[:20]], raw[40:]
    encoder = fitted_encoder(train)
    for part, found in zip((train, test), encoded(train, test), strict=True):
        np.testing.assert_array_equal(found, encoder.transform(part.values))
