"""Kernels of estimators by the names of scikit-learn, and as functions."""

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.gaussian_process.kernels import Matern
from sklearn.metrics.pairwise import chi2_kernel, cosine_similarity, laplacian_kernel, linear_kernel, rbf_kernel

from kernlearn import L1SVMClassifier, L2SVMClassifier, MKLClassifier, RMMClassifier, TwoStageRegressor, VKRClassifier
from kernlearn.errors import UserError
from kernlearn.estimators.common.kernels import family_of
from kernlearn.kernels import GramStack
from tests.conftest import moons

X, Y = moons(30)
POSITIVE = np.abs(X) + 0.1


def narrow(X, Z):
    return rbf_kernel(X, Z, gamma=3.0)


def cut(X, Z):
    return linear_kernel(X, Z)[:, :1]


def of_rows(x, z):
    return x @ z


def to_number(x, z):
    return np.exp(-((x - z) ** 2).sum())


def negative(X, Z):
    return -rbf_kernel(X, Z)


def unfinished(X, Z):
    return np.full((len(X), len(Z)), np.nan)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("rbf", lambda X, Z: rbf_kernel(X, Z, gamma=0.7)),
        ("laplacian", lambda X, Z: laplacian_kernel(X, Z, gamma=0.7)),
        ("chi2", lambda X, Z: chi2_kernel(X, Z, gamma=0.7)),
        ("cosine", cosine_similarity),
        ("matern", lambda X, Z: Matern(length_scale=(2 * 0.7) ** -0.5, nu=1.5)(X, Z)),
        ("poly", lambda X, Z: (0.7 * X @ Z.T + 1.0) ** 3),
    ],
)
def test_values_are_those_of_scikit_learn(name, values):
    family = family_of(name, {"gammas": [0.7], "degrees": [3], "coef0": 1.0}, single=True)
    stack = GramStack(family, POSITIVE[:9], POSITIVE[9:])
    np.testing.assert_allclose(stack.matrix(0), values(POSITIVE[:9], POSITIVE[9:]), rtol=1e-12)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", ["rbf", "laplacian", "chi2", "cosine", "matern", "poly"])
@pytest.mark.parametrize("Model", [L1SVMClassifier, L2SVMClassifier, RMMClassifier, MKLClassifier, VKRClassifier])
def test_estimators_take_the_names(Model, name):
    model = pickle.loads(pickle.dumps(Model(kernel=name).fit(POSITIVE, Y)))
    assert model.score(POSITIVE, Y) >= 0.6 and abs(model.gap_) <= 1e-4


@pytest.mark.parametrize("Model", [L1SVMClassifier, L2SVMClassifier, RMMClassifier])
def test_a_function_is_the_kernel_that_it_computes(Model):
    given = clone(Model(kernel=narrow)).fit(X, Y)
    named = Model(kernel="gaussian", gamma=3.0).fit(X, Y)
    np.testing.assert_allclose(given.decision_function(X[::3]), named.decision_function(X[::3]), atol=1e-4)


@pytest.mark.parametrize("Model", [MKLClassifier, VKRClassifier, TwoStageRegressor])
def test_several_functions_are_a_family(Model):
    model = Model(kernel=[narrow, linear_kernel]).fit(X, Y)
    model = pickle.loads(pickle.dumps(model))
    assert np.isfinite(model.predict(X)).all() and model._coef.shape[1] == 2 and abs(model.gap_) <= 1e-4


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (L2SVMClassifier(kernel="rfb"), "kernel=rfb: must be one of .*laplacian.*rbf.*or a function"),
        (L2SVMClassifier(kernel=[narrow, narrow]), "2 functions are given, and the estimator has one kernel"),
        (L2SVMClassifier(kernel=[]), "kernel=.*: must be a text"),
        (L2SVMClassifier(kernel=cut), r"returns the shape \(30, 1\); it gets two matrices, .* of the shape \(30, 30\)"),
        (
            L2SVMClassifier(kernel=of_rows),
            r"^kernel: the function fails \(matmul.*\); it gets two matrices, and",
        ),
        (
            MKLClassifier(kernel=to_number),
            r"^kernel: the function returns the shape \(\); it gets two matrices",
        ),
        (L2SVMClassifier(kernel=negative), "the kernel is not positive semidefinite"),
        (MKLClassifier(kernel=[narrow, negative]), "kernel 1 is not positive semidefinite"),
        (VKRClassifier(kernel=unfinished), "values that are NaN or infinite"),
        (L2SVMClassifier(kernel="chi2"), "kernel=chi2: is for features >= 0"),
    ],
)
def test_wrong_kernels_are_told(model, message):
    with pytest.raises(UserError, match=message):
        model.fit(X, Y)
