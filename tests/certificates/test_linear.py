"""Certificates of directions and means, against exact fractions."""

import warnings
from fractions import Fraction

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.exceptions import ConvergenceWarning

from kernlearn.algorithms import ALGORITHMS, Problem, Signs
from kernlearn.certificates.linear import COINCIDE, fisher, linear_svm, means_coincide, units
from kernlearn.certificates.outputs import Matrix
from kernlearn.estimators import (
    KernelPerceptronClassifier,
    LinearSVMClassifier,
    RBFNetworkClassifier,
    SGDSVMClassifier,
    TwoStageClassifier,
    TwoStageRegressor,
)
from kernlearn.kernels import GramStack, make_family
from tests.certificates.exact import fractions


def exact_fisher(K, y, alpha, rho):
    """(P) at alpha, and the squared half gradient, by the matrices of the definition."""
    n = len(y)
    K = np.array([[Fraction(v) for v in row] for row in K], dtype=object)
    alpha, rho = np.array([Fraction(a) for a in alpha], dtype=object), Fraction(rho)
    N, means = 0, {}
    for sign in (1.0, -1.0):
        columns = K[:, y == sign]
        means[sign] = columns.sum(axis=1) / columns.shape[1]
        within = columns - means[sign][:, None]
        N = N + within @ within.T
    d = means[1.0] - means[-1.0]
    image = N @ alpha + rho * alpha
    assert len(image) == n
    return alpha @ image - 2 * (alpha @ d), sum((image - d) ** 2)


@pytest.mark.parametrize("seed", range(10))
def test_the_value_of_a_direction_and_its_bound_are_those_of_fractions(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(3, 9))
    X, y = rng.integers(-3, 4, (n, 2)).astype(float), rng.choice([-1.0, 1.0], n)
    y[:2] = 1.0, -1.0
    K, alpha, rho = X @ X.T, rng.normal(size=n), float(10.0 ** rng.integers(-4, 3))
    proved = fisher(Matrix(K), y, alpha, rho)
    P, square = exact_fisher(K, y, alpha, rho)
    D, size = P - square / Fraction(rho), abs(P) + square / Fraction(rho) + Fraction(float(alpha @ K @ K @ alpha))
    assert abs(Fraction(proved.objective) - P) <= size / 10**14
    assert Fraction(proved.dual_objective) <= D <= Fraction(proved.dual_objective) + size / 10**12
    scaled = fisher(Matrix(2.0**-500 * K), y, 2.0**500 * alpha, rho, 2.0**-500)
    assert scaled == proved


@pytest.mark.parametrize("scale", [1e-60, 1e-6, 1.0, 1e60])
@pytest.mark.parametrize("name", ["klda", "nearest_mean"])
def test_equal_class_means_are_no_optimum(name, scale):
    """Permuted copies, exclusive or: the difference of the means is made of rounding."""
    rng = np.random.default_rng(0)
    A = rng.normal(size=(15, 3))
    corners = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]])
    for X, y in [
        (np.vstack([A, A[rng.permutation(15)]]), np.repeat([1.0, -1.0], 15)),
        (corners / 3.0 + 0.1, np.array([1.0, 1.0, -1.0, -1.0])),
    ]:
        stack = GramStack.train(make_family("linear"), scale * X)
        assert means_coincide(stack, y)
        for point in ALGORITHMS[name].path(Problem(stack, Signs(y)), **({"mus": [1e-3]} if name == "klda" else {})):
            assert point.status == COINCIDE and not point.predictor.outputs(stack).any()


@pytest.mark.parametrize("scale", [1e-80, 1e-6, 1.0, 1e60])
def test_directions_do_not_depend_on_the_unit_of_the_kernel(scale):
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(20, 3)), np.repeat([1.0, -1.0], 10)
    family = make_family("linear")
    one, other = (
        next(ALGORITHMS["klda"].path(Problem(GramStack.train(family, s * X), Signs(y)), mus=[1e-3]))
        for s in (1.0, scale)
    )
    assert one.status == other.status == "optimal"
    assert other.solutions[0].objective == pytest.approx(one.solutions[0].objective, rel=1e-9)
    f, g = (p.predictor.outputs(GramStack.train(family, s * X))[0] for p, s in ((one, 1.0), (other, scale)))
    np.testing.assert_allclose(g, f, atol=1e-9 * np.abs(f).max())


@pytest.mark.parametrize("kernel", ["gaussian", "features", "linear"])
@pytest.mark.parametrize("weighting", ["align", "alignf"])
def test_weights_are_equal_where_alignments_are_rounding(weighting, kernel):
    """Copies with both labels: no kernel has anything to do with the labels."""
    rng = np.random.default_rng(0)
    A = rng.normal(size=(15, 3)) + 1.0
    X, y = np.vstack([A, A[rng.permutation(15)]]), np.repeat([1.0, -1.0], 15)
    for model in (TwoStageClassifier(), TwoStageClassifier(machine="ridge"), TwoStageRegressor()):
        with pytest.warns(ConvergenceWarning, match="no kernel is aligned with the labels: all have equal weights"):
            model.set_params(weighting=weighting, kernel=kernel).fit(X, y)
        (uniform,) = TwoStageClassifier(weighting="unif", kernel=kernel).fit(X, y).weights_
        np.testing.assert_allclose(model.weights_[0], uniform)
    with warnings.catch_warnings(action="error"):
        model = TwoStageClassifier(weighting=weighting, kernel=kernel).fit(np.vstack([A, A + 1e-3]), y)
    assert model.gap_ <= 1e-6  # a little alignment is one, and there is no warning


@pytest.mark.parametrize("as_sparse", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_linear_machines_and_units_have_the_values_of_fractions(seed, as_sparse):
    rng = np.random.default_rng(seed)
    m, d = int(rng.integers(3, 12)), int(rng.integers(1, 5))
    X, y = rng.integers(-4, 5, (m, d)).astype(float), rng.choice([-1.0, 1.0], m)
    w, lambda_ = rng.normal(size=d), float(10.0 ** rng.integers(-4, 3))
    f = X @ w
    a, counts = rng.random(m) / (lambda_ * m), np.full(m, 0.125) + rng.integers(0, 2, m)
    V, v, u, g, b, c, L = (*map(fractions, (X, y, w, f, a, counts)), Fraction(lambda_))
    proved = linear_svm(csr_array(X) if as_sparse else X, y, w, f, a, lambda_)
    P = L / 2 * (u @ u) + sum(max(0, 1 - s * t) for s, t in zip(v, g, strict=True)) / m
    b = np.minimum(b, 1 / (L * m))
    D = L * (sum(b) - sum((V.T @ (b * v)) ** 2) / 2)
    assert abs(Fraction(proved.objective) / P - 1) < Fraction(1, 10**14)
    assert Fraction(proved.dual_objective) <= D <= Fraction(proved.dual_objective) + (1 + abs(D)) / 10**12
    proved = units(X, y, w, f, counts, lambda_)
    P = sum(c * (g - v) ** 2) / 2 + L / 2 * (u @ u)
    b = c * (v - g)
    D = b @ v - sum(b**2 / c) / 2 - sum((V.T @ b) ** 2) / (2 * L)
    assert abs(Fraction(proved.objective) / P - 1) < Fraction(1, 10**14)
    assert Fraction(proved.dual_objective) <= D <= Fraction(proved.dual_objective) + (1 + abs(D)) / 10**12


@pytest.mark.sampled(3)
@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize("constant", [0.0, 1.0])
@pytest.mark.parametrize("seed", range(3))
def test_estimators_are_certified_as_they_predict(seed, constant, scale):
    rng = np.random.default_rng(seed)
    X, y = scale * rng.integers(-3, 4, (14, 2)).astype(float), rng.choice([-1.0, 1.0], 14)
    y[:2] = 1.0, -1.0
    lambda_ = 1e-2 * scale**2
    for model in (
        LinearSVMClassifier(lambda_=lambda_, constant=scale * constant),
        SGDSVMClassifier(kernel="linear", lambda_=lambda_, constant=scale * constant, n_epochs=300),
        KernelPerceptronClassifier(kernel="linear", constant=scale * constant, max_updates=200),
        RBFNetworkClassifier(n_units=3, lambda_=1e-2),
    ):
        with warnings.catch_warnings(action="ignore", category=ConvergenceWarning):
            f = model.fit(X, y).decision_function(X)
        if isinstance(model, KernelPerceptronClassifier):
            assert model.objective_ == (y * f <= 0).sum()
            continue
        if isinstance(model, RBFNetworkClassifier):
            value = 0.5 * ((y - f) ** 2).mean() + 0.5 * 1e-2 * (model.coef_ @ model.coef_)
        else:
            w, b = np.linalg.lstsq(np.column_stack([X, np.ones(14)]), f)[0] @ np.eye(3)[:, :2], 0.0
            b = f[0] - X[0] @ w
            square = w @ w + ((b / (scale * constant)) ** 2 if constant else 0.0)
            value = 0.5 * lambda_ * square + np.maximum(0.0, 1.0 - y * f).mean()
        assert model.objective_ == pytest.approx(value, rel=1e-9)
        assert model.dual_objective_ <= model.objective_
