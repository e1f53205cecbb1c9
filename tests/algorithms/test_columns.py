"""Kernels on groups of columns, and stacks of kernel matrices for voted kernels."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.compose import make_column_selector
from sklearn.metrics.pairwise import linear_kernel, rbf_kernel
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import kernlearn
from kernlearn import ColumnKernels, L2SVMClassifier, LKRRRegressor, MKLClassifier, MKLClassifierCV, VKRClassifier
from kernlearn.errors import UserError

RNG = np.random.default_rng(0)
X = RNG.normal(size=(90, 4))
Y = np.where(np.sin(2.0 * X[:, 0]) + X[:, 1] + 0.3 * RNG.normal(size=90) > 0, "b", "a")
FRAME = pd.DataFrame(X, columns=["age", "height", "noise", "weight"])
GROUPS = [("age", "rbf", ["age"], {"gamma": 0.5}), ("size", "linear", ["height", "weight"]), ("noise", "poly", "noise")]
KERNELS = [
    rbf_kernel(X[:, :1], gamma=0.5),
    linear_kernel(X[:, [1, 3]]),
    (X[:, 2:3] @ X[:, 2:3].T / X[:60, 2].var() + 1.0) ** 3,
]
STACK = np.stack(KERNELS, axis=-1)
MODELS = [
    MKLClassifier(C=10.0),
    MKLClassifier(norm=2.0, C=10.0),
    VKRClassifier(lambda_=0.0, beta=1e-3, tol=1e-9),
    VKRClassifier(lambda_=1e-2, beta=1e-3, tol=1e-9),
]


@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_they_are_the_kernels_of_the_columns(model):
    grouped = clone(model).set_params(kernel=ColumnKernels(GROUPS)).fit(FRAME[:60], Y[:60])
    given = clone(model).set_params(kernel="precomputed").fit(STACK[:60, :60], Y[:60])
    assert grouped.objective_ == pytest.approx(given.objective_, rel=1e-6)
    np.testing.assert_allclose(
        grouped.decision_function(FRAME[60:]), given.decision_function(STACK[60:, :60]), atol=1e-3
    )


@pytest.mark.parametrize(
    "columns",
    [
        ["age", "weight"],
        [0, 3],
        [0, -1],
        [True, False, False, True],
        make_column_selector(pattern="^(age|weight)"),
        lambda frame: ["age", "weight"],
    ],
)
def test_columns_are_named_in_many_ways(columns):
    kernel = ColumnKernels([("some", "rbf", columns), ("all", "rbf", slice(None))])
    one = MKLClassifier(kernel=kernel).fit(FRAME, Y)
    two = MKLClassifier(kernel=ColumnKernels([("some", "rbf", [0, 3]), ("all", "rbf", [0, 1, 2, 3])])).fit(X, Y)
    np.testing.assert_array_equal(one.decision_function(FRAME), two.decision_function(X))
    assert one.weights_.shape == (1, 2)


def test_a_scale_is_that_of_the_columns():
    spread = X * [1.0, 100.0, 1.0, 1.0]
    groups = [("a", "rbf", [0, 2]), ("b", "laplacian", [1])]
    one = MKLClassifier(kernel=ColumnKernels(groups)).fit(X, Y)
    two = MKLClassifier(kernel=ColumnKernels(groups)).fit(spread, Y)
    np.testing.assert_allclose(one.decision_function(X), two.decision_function(spread), atol=1e-6)


def test_an_estimator_with_one_kernel_takes_one_group():
    one = L2SVMClassifier(kernel=ColumnKernels([("age", "rbf", ["age"], {"gamma": 0.5})])).fit(FRAME, Y)
    two = L2SVMClassifier(kernel="rbf", gamma=0.5).fit(X[:, :1], Y)
    np.testing.assert_allclose(one.decision_function(FRAME), two.decision_function(X[:, :1]), atol=1e-7)
    with pytest.raises(UserError, match="3 groups of columns are given, and the estimator has one kernel"):
        L2SVMClassifier(kernel=ColumnKernels(GROUPS)).fit(FRAME, Y)


def test_they_work_with_scikit_learn():
    scaled = StandardScaler().set_output(transform="pandas")
    model = make_pipeline(scaled, MKLClassifier(kernel=ColumnKernels(GROUPS))).fit(FRAME, Y)
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.decision_function(FRAME), model.decision_function(FRAME))
    search = MKLClassifierCV(kernel=ColumnKernels(GROUPS), Cs=[0.1, 10.0], cv=3).fit(FRAME, Y)
    other = GridSearchCV(MKLClassifier(kernel=ColumnKernels(GROUPS)), {"C": [0.1, 10.0]}, cv=3).fit(FRAME, Y)
    np.testing.assert_allclose(search.cv_results_["mean_test_score"], other.cv_results_["mean_test_score"])
    with pytest.warns(UserWarning, match="feature names"):
        search.predict(X)
    assert LKRRRegressor(kernel=ColumnKernels(GROUPS)).fit(FRAME, X[:, 0]).weights_.shape == (1, 3)


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        ([], "must be a list of groups"),
        ("rbf", "must be a list of groups"),
        ([("age", "rbf")], r"kernels\[0\]=.*must be \(name, kernel, columns\)"),
        ([("age", "rbf", ["size"])], "group age: .*size"),
        ([("age", "rbf", [7])], "group age: "),
        ([("age", "rbf", [])], "group age: has no column"),
        ([("age", "rbf", [0]), ("age", "rbf", [1])], "group age: two groups have this name"),
        ([("age", "rbf", [0], {"gama": 1.0})], "must be a dictionary of degree, gamma, coef0"),
        ([("age", "rbf", [0], {"gamma": -1.0})], "group age: gamma=-1.0: must be a number > 0"),
        ([("age", "none", [0])], "group age: kernel=none: must be one of"),
    ],
)
def test_wrong_groups_are_told_in_one_line(groups, message):
    with pytest.raises(UserError, match=message) as told:
        MKLClassifier(kernel=ColumnKernels(groups)).fit(FRAME, Y)
    assert "\n" not in str(told.value)


def test_stacks_of_matrices_come_with_the_kernels_first_or_last():
    model = clone(MODELS[3]).set_params(kernel="precomputed")
    last = clone(model).fit(STACK[:60, :60], Y[:60])
    first = clone(model).fit(np.moveaxis(STACK[:60, :60], -1, 0), Y[:60])
    new = STACK[60:, :60]
    np.testing.assert_array_equal(last.decision_function(new), first.decision_function(np.moveaxis(new, -1, 0)))
    assert last.dual_coef_.shape == (3, last.n_support_)
    for wrong in (new[:, :, :2], new[:, :, 0], new[:, :50]):
        with pytest.raises(ValueError, match="as many as in fit|features"):
            last.predict(wrong)
    search = GridSearchCV(model, {"beta": [1e-3, 1e-1]}, cv=3).fit(STACK, Y)
    assert search.best_score_ > 0.8


@pytest.mark.parametrize("model", [MKLClassifier(C=10.0), VKRClassifier()], ids=repr)
def test_columns_in_no_group_may_be_texts_and_the_order_of_columns_is_free(model):
    some = clone(model).set_params(kernel=ColumnKernels([("one", "rbf", ["age"]), ("two", "poly", ["weight"])]))
    mixed = FRAME.assign(city="A", height=np.where(FRAME.height > 0, np.nan, FRAME.height))
    expected = clone(some).fit(FRAME, Y).decision_function(FRAME)
    fitted = some.fit(mixed, Y)
    np.testing.assert_array_equal(fitted.decision_function(mixed), expected)
    np.testing.assert_array_equal(fitted.decision_function(mixed[mixed.columns[::-1]]), expected)
    assert kernlearn.certify(fitted, mixed[mixed.columns[::-1]], Y).relative_gap < 1e-3
    numbered = mixed.set_axis(range(5), axis=1)
    some = clone(model).set_params(kernel=ColumnKernels([("one", "rbf", [0]), ("two", "poly", [3])])).fit(numbered, Y)
    np.testing.assert_array_equal(some.decision_function(numbered), expected)
    assert (numbered[4] == "A").all()


def test_a_selector_is_saved_as_the_columns_that_it_selected(tmp_path):
    kernel = ColumnKernels([("numbers", "rbf", make_column_selector(dtype_include="number"))])
    model = MKLClassifier(kernel=kernel).fit(FRAME, Y)
    kernlearn.save(model, tmp_path / "a.kl")
    loaded = kernlearn.load(tmp_path / "a.kl")
    np.testing.assert_array_equal(loaded.decision_function(FRAME), model.decision_function(FRAME))
    assert loaded.kernel.kernels[0][2] == [0, 1, 2, 3]
