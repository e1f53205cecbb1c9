"""A saved model predicts the same, to the last bit, and equal models are equal bytes."""

import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest
from sklearn.compose import make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import Normalizer, OneHotEncoder, OrdinalEncoder, RobustScaler, StandardScaler

import kernlearn
from kernlearn.errors import UserError
from kernlearn.models.file import load_header, load_proof
from tests.algorithms.public import PLAIN
from tests.models.cases import NEW, TWO, X, fitted, outputs

FRESH = """
import sys, warnings
import numpy as np
import kernlearn
from tests.models.cases import NEW, SENTENCES, outputs
for path in sys.argv[1:]:
    model = kernlearn.load(path)
    np.savez(path + ".npz", *outputs(model, SENTENCES if hasattr(model, "sequence_score") else NEW))
"""


def assert_same(found, expected):
    assert len(found) == len(expected) > 0
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(one, other)
        assert one.dtype == other.dtype


def has_own_draws(model):
    """Return whether an estimator draws from numpy's global state where nobody gives a seed."""
    return model.get_params().get("random_state", 0) is None


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", [one.__name__ for one in PLAIN])
def test_every_estimator_predicts_the_same(name, tmp_path):
    model, new = fitted(name)
    kernlearn.save(model, tmp_path / "a.kl")
    kernlearn.save(fitted(name)[0], tmp_path / "b.kl")  # whatever time it took
    assert (tmp_path / "a.kl").read_bytes() == (tmp_path / "b.kl").read_bytes() or has_own_draws(model)
    loaded = kernlearn.load(tmp_path / "a.kl")
    assert_same(outputs(loaded, new), outputs(model, new))
    assert loaded.get_params().keys() == model.get_params().keys()
    assert loaded.gap_ == model.gap_
    kernlearn.save(loaded, tmp_path / "b.kl")
    assert (tmp_path / "a.kl").read_bytes() == (tmp_path / "b.kl").read_bytes()
    proof = load_proof(tmp_path / "a.kl")
    assert sum(solution["objective"] for solution in proof["solutions"]) == model.objective_


@pytest.mark.slow
def test_a_search_is_saved_as_what_it_chose(tmp_path):
    search = kernlearn.L2SVMClassifierCV(kernel="rbf", Cs=[0.1, 10.0])
    model = make_pipeline(StandardScaler(), search).fit(X, TWO)
    for one, new in ((search, StandardScaler().fit(X).transform(NEW)), (model, NEW)):
        kernlearn.save(one, tmp_path / "search.kl", force=True)
        loaded = kernlearn.load(tmp_path / "search.kl")
        assert_same(outputs(loaded, new), outputs(one, new))
    assert type(loaded[-1]) is kernlearn.L2SVMClassifier
    assert loaded[-1].C == search.best_params_["C"]


def test_kernels_of_columns_are_saved(tmp_path):
    kernel = kernlearn.ColumnKernels([("one", "rbf", [0]), ("both", "poly", [0, 1], {"degree": 2})])
    model = kernlearn.MKLClassifier(kernel=kernel).fit(X, TWO)
    kernlearn.save(model, tmp_path / "columns.kl")
    assert_same(outputs(kernlearn.load(tmp_path / "columns.kl"), NEW), outputs(model, NEW))


@pytest.mark.slow
def test_a_fresh_process_predicts_the_same(tmp_path):
    models = [
        fitted("VKRClassifier", degrees=range(1, 4)),
        fitted("L2SVMClassifier", kernel="matern"),
        fitted("GraphClassifier", method="label_spreading"),
        fitted("StructSVM", degree=2),
        fitted("AdaBoostClassifier", random_state=0),
    ]
    paths = [str(tmp_path / f"{number}.kl") for number in range(len(models))]
    for (model, _), path in zip(models, paths, strict=True):
        kernlearn.save(model, path)
    root = Path(kernlearn.__file__).parents[1]
    subprocess.run([sys.executable, "-c", FRESH, *paths], check=True, cwd=root)
    for (model, new), path in zip(models, paths, strict=True):
        with np.load(f"{path}.npz") as found:
            assert_same(list(found.values()), outputs(model, new))


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("VKRClassifier", {"kernel": "mixed", "gammas": [0.5], "degrees": (2,)}),
        ("RMMClassifier", {"kernel": "laplacian", "gamma": 0.3}),
        ("L2SVMClassifier", {"kernel": "poly", "gamma": "auto", "class_weight": {"far": 2.0}}),
        ("L1SVMClassifier", {"kernel": "cosine"}),
        ("MKLClassifier", {"kernel": "features"}),
        ("TwoStageClassifier", {"kernel": "matern", "class_weight": "balanced"}),
        ("L2SVMClassifier", {"kernel": "linear"}),
    ],
)
def test_kernels_of_all_kinds_are_made_again(name, parameters, tmp_path):
    model, new = fitted(name, **parameters)
    kernlearn.save(model, tmp_path / "a.kl")
    assert_same(outputs(kernlearn.load(tmp_path / "a.kl"), new), outputs(model, new))


def test_linear_kernels_far_from_the_origin_keep_their_centre(tmp_path):
    model = kernlearn.L2SVMClassifier(kernel="linear").fit(X + 1e6, TWO)
    kernlearn.save(model, tmp_path / "a.kl")
    assert model._family.centre is not None
    assert_same(outputs(kernlearn.load(tmp_path / "a.kl"), NEW + 1e6), outputs(model, NEW + 1e6))


def test_precomputed_kernels_predict_from_rows_of_values(tmp_path):
    K, K_new = X @ X.T, NEW @ X.T
    for model, train, new in (
        (kernlearn.L2SVMClassifier(kernel="precomputed"), K, K_new),
        (kernlearn.MKLClassifier(kernel="precomputed"), np.stack([K, K**2]), np.stack([K_new, K_new**2])),
    ):
        kernlearn.save(model.fit(train, TWO), tmp_path / "a.kl")
        assert_same(outputs(kernlearn.load(tmp_path / "a.kl"), new), outputs(model, new))


def test_pipelines_of_scikit_learn_are_kept(tmp_path):
    table = np.array([[1.0, "red"], [np.nan, "blue"], [3.0, "red"], [4.0, "green"], [0.5, "blue"]] * 4, dtype=object)
    y = [0, 1, 0, 1, 1] * 4
    columns = make_column_transformer(
        (make_pipeline(SimpleImputer(add_indicator=True), RobustScaler()), [0]),
        (OneHotEncoder(handle_unknown="ignore", sparse_output=False), [1]),
        (OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1), slice(1, 2)),
        remainder="passthrough",
    )
    model = make_pipeline(columns, StandardScaler(), Normalizer(), kernlearn.RMMClassifier()).fit(table, y)
    kernlearn.save(model, tmp_path / "a.kl")
    new = np.array([[2.0, "mauve"], [np.nan, "red"]], dtype=object)
    assert_same(outputs(kernlearn.load(tmp_path / "a.kl"), new), outputs(model, new))


def test_what_a_file_does_not_hold_is_refused_in_one_line(tmp_path):
    path = tmp_path / "a.kl"
    of_mine = kernlearn.L2SVMClassifier(kernel=lambda A, B: A @ B.T)
    for model, words in (
        (of_mine.fit(X, TWO), "kernel: is a function, which a model file cannot hold"),
        (LogisticRegression().fit(X, TWO), "LogisticRegression: a model file holds estimators of kernlearn"),
        (kernlearn.L2SVMClassifier(), "not fitted"),
        (make_pipeline(StandardScaler(), kernlearn.L2SVMClassifier()), "not fitted"),
        ("text", "estimator"),
    ):
        with pytest.raises(UserError, match=words) as error:
            kernlearn.save(model, path)
        assert "\n" not in str(error.value) and not path.exists()


def test_only_models_are_replaced(tmp_path):
    model, path = kernlearn.L2SVMClassifier().fit(X, TWO), tmp_path / "a.kl"
    path.write_text("mine")
    with pytest.raises(UserError, match="is no model; give another name"):
        kernlearn.save(model, path)
    assert path.read_text() == "mine"
    kernlearn.save(model, path, force=True)
    kernlearn.save(model, path)
    assert kernlearn.load(path).n_support_ == model.n_support_


def test_the_header_says_what_the_model_is(tmp_path):
    model, _ = fitted("L2SVMClassifier", C=3.0)
    kernlearn.save(model, tmp_path / "a.kl", about={"data": {"name": "mine"}})
    header = load_header(tmp_path / "a.kl")
    about = header["about"]
    assert about["class"] == "L2SVMClassifier" and about["parameters"]["C"] == 3.0
    assert about["classes"] == ["down", "far", "up"] and about["data"] == {"name": "mine"}
    assert about["certificate"]["gap"] == model.gap_ and header["versions"]["kernlearn"] == kernlearn.__version__
    with zipfile.ZipFile(tmp_path / "a.kl") as archive:  # for any other program it is a zip
        assert archive.testzip() is None and archive.namelist()[:2] == ["model.json", "arrays/0.npy"]


def test_the_proof_has_the_primal_and_the_dual_point(tmp_path):
    weights = np.random.default_rng(0).uniform(0.5, 2.0, len(X))
    weights[3] = 0.0
    model = kernlearn.L2SVMClassifier(kernel="rbf", gamma=0.5, C=2.0).fit(X, TWO, sample_weight=weights)
    kernlearn.save(model, tmp_path / "a.kl")
    proof = load_proof(tmp_path / "a.kl")
    rows, (solution,) = proof["rows"], proof["solutions"]
    assert proof["method"] == "l2_svm" and proof["values"] == {"gamma": 0.5, "C": 2.0}
    np.testing.assert_array_equal(rows, np.delete(np.arange(len(X)), 3))
    np.testing.assert_array_equal(proof["weights"], weights[rows])
    K = np.exp(-0.5 * ((X[rows][:, None] - X[rows][None]) ** 2).sum(axis=2))
    s = np.where(TWO[rows] == 1, 1.0, -1.0)
    alpha = solution["dual"]
    assert (alpha >= -1e-12).all() and (alpha <= 2.0 * proof["weights"] + 1e-9).all() and abs(alpha @ s) < 1e-9
    dual = alpha.sum() - 0.5 * (alpha * s) @ K @ (alpha * s)
    support = np.searchsorted(rows, proof["support"])
    beta = np.zeros(len(rows))
    beta[support] = proof["coefficients"][0, 0]
    hinge = np.maximum(0.0, 1.0 - s * (K @ beta + proof["intercept"][0]))
    primal = 0.5 * beta @ K @ beta + 2.0 * proof["weights"] @ hinge
    assert primal == pytest.approx(model.objective_) and dual == pytest.approx(model.dual_objective_)
    assert proof["kernel"]["name"] == "gaussian" and proof["kernel"]["parameters"] == {"gammas": [0.5]}
