"""What estimators say of data that they learn little from, of seeds, and of a first fit."""

import os
import subprocess
import sys
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.preprocessing import StandardScaler

import kernlearn
from kernlearn.errors import UserError
from tests.conftest import first_of, moons

X, Y = moons(40)
UNLIKE = X * [1.0, 1e4]
MODELS = [
    kernlearn.L2SVMClassifier(kernel="gaussian"),
    kernlearn.VKRClassifier(),
    kernlearn.MKLClassifier(),
    kernlearn.TwoStageRegressor(),
    kernlearn.LinearSVMClassifier(),
]


def told(model, examples, labels):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model.fit(examples, labels)
    return [str(one.message) for one in caught if one.category is UserWarning]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_unlike_columns_are_told_with_their_names_and_what_to_do(model):
    frame = pd.DataFrame(UNLIKE, columns=["age", "income"])
    name = type(model).__name__
    (words, *_) = told(clone(model), frame, Y)
    assert words.startswith(f"{name}: column income has a standard deviation of ")
    assert ", column age of " in words and words.endswith(f"make_pipeline(StandardScaler(), {name}(...))")
    for examples in (StandardScaler().fit_transform(UNLIKE), X * [1.0, 50.0], np.column_stack([X, np.full(40, 3.0)])):
        assert not [words for words in told(clone(model), examples, Y) if "standard deviation" in words]


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    "model",
    [
        kernlearn.L2SVMClassifier(kernel="gaussian"),
        kernlearn.MKLClassifier(kernel="gaussian"),
        kernlearn.LinearSVMClassifier(),
        kernlearn.AdaBoostClassifier(),
        kernlearn.GraphClassifier(),
        kernlearn.RBFNetworkClassifier(),
    ],
    ids=repr,
)
def test_integers_that_lose_digits_are_told(model):
    ids = 2**53 + np.arange(1, 81).reshape(40, 2)
    frame = pd.DataFrame(X, columns=["age", "income"]).assign(customer=ids[:, 0])
    words = f"{type(model).__name__}: whole numbers{{}} beyond 2^53 lose their last digits; leave out columns of ids"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        assert words.format("") in told(clone(model), ids, Y + 2)
        assert words.format(" of column customer") in told(clone(model), frame, Y + 2)
    assert not any("2^53" in line for line in told(clone(model), (100 * X).astype(np.int64), Y + 2))


def test_of_kernel_values_nothing_is_said_of_columns():
    K = UNLIKE @ UNLIKE.T
    assert not told(kernlearn.L2SVMClassifier(kernel="precomputed"), K, Y)
    assert not told(kernlearn.L2SVMClassifier(kernel=lambda A, B: np.exp(-((A[:, :1] - B[:, 0]) ** 2))), UNLIKE, Y)


@pytest.mark.parametrize(
    "model",
    [
        kernlearn.L2SVMClassifier(kernel="gaussian", C=1e-4),
        kernlearn.VKRClassifier(kernel="gaussian", beta=10.0),
        kernlearn.MKLClassifier(C=1e-4),
        kernlearn.MKLClassifier(kernel="features", C=1e-6),
        kernlearn.LinearSVMClassifier(lambda_=1e4),
    ],
    ids=repr,
)
def test_one_class_for_all_is_told(model):
    rare = np.where(np.arange(40) < 4, "rare", "usual") if "VKR" not in repr(model) else Y
    words = told(clone(model), X, rare)
    assert len(words) == 1 and "all 40 training examples are predicted as class" in words[0]
    assert "weaken the penalty" in words[0] and len(np.unique(clone(model).fit(X, rare).predict(X))) == 1


@pytest.mark.parametrize("model", MODELS[:3] + MODELS[4:], ids=repr)
def test_of_two_classes_nothing_is_said(model):
    assert not told(clone(model), X, Y)


@pytest.mark.parametrize("name", first_of(["SGDSVMClassifier", "AdaBoostClassifier", "RBFNetworkClassifier"], 2))
def test_seeds_are_those_of_scikit_learn(name):
    def outputs(random_state):
        model = getattr(kernlearn, name)()
        fast = {"tol": 0.1, "rounds": 3, "n_stumps": 5}
        known = model.get_params()
        model.set_params(random_state=random_state, **{key: fast[key] for key in fast if key in known})
        return model.fit(X, Y).decision_function(X)

    state = np.random.RandomState
    np.testing.assert_array_equal(outputs(state(3)), outputs(state(3)))
    assert not np.array_equal(outputs(state(3)), outputs(state(4)))
    np.random.seed(5)
    first, second = outputs(None), outputs(None)
    np.random.seed(5)
    np.testing.assert_array_equal(outputs(None), first)
    assert not np.array_equal(first, second)


@pytest.mark.parametrize("random_state", [None, np.random.RandomState(3), 7])
def test_the_linear_machine_is_the_same_in_any_order(random_state):
    one, other = (kernlearn.LinearSVMClassifier(tol=1e-9, random_state=s).fit(X, Y) for s in (0, random_state))
    np.testing.assert_allclose(one.coef_, other.coef_, atol=1e-6)


@pytest.mark.parametrize("wrong", [-1, 0.5, "a", 2**32])
@pytest.mark.parametrize("name", ["SGDSVMClassifier", "LinearSVMClassifier"])
def test_wrong_seeds_are_told(name, wrong):
    with pytest.raises(UserError, match="random_state"):
        getattr(kernlearn, name)(random_state=wrong).fit(X, Y)


@pytest.mark.slow
def test_a_first_fit_that_compiles_says_so_once_and_a_second_process_does_not(tmp_path):
    code = (
        "from kernlearn.compiled import announce\n"
        "announce()\n"
        "import twice\n"
        "assert twice.f(2) == 4 and twice.f(2.0) == 4.0 and twice.g(3) == 4\n"
    )
    (tmp_path / "twice.py").write_text(
        "from kernlearn.compiled import compiled\n\n\n@compiled\ndef f(x):\n    return 2 * x\n\n\n"
        "@compiled\ndef g(x):\n    return x + 1\n"
    )
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": str(tmp_path)}
    runs = [
        subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
        for _ in range(2)
    ]
    assert runs[0].stderr == "kernlearn compiles functions for this machine; later runs reuse them\n"
    assert runs[1].stderr == ""
