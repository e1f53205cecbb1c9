"""Feature maps against the kernels that they are of."""

from math import factorial

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from kernlearn import HardSVMClassifier
from kernlearn.kernels import GramStack, make_family
from kernlearn.kernels.core.maps import GaussianMap, PolynomialMap, PowersMap

RNG = np.random.default_rng(0)


@parametrize_with_checks([PowersMap(), PolynomialMap(degree=1)])
def test_scikit_learn_conventions(estimator, check):
    check(estimator)


@pytest.mark.parametrize(("n", "degree"), [(1, 1), (3, 2), (2, 5), (4, 3)])
def test_the_polynomial_map_is_that_of_its_kernel(n, degree):
    X, Z = RNG.normal(size=(6, n)), RNG.normal(size=(5, n))
    psi = PolynomialMap(degree).fit(X)
    assert psi.transform(X).shape == (6, (n + 1) ** degree)
    K = GramStack(make_family("polynomial", degrees=[degree]), X, Z).matrix(0)
    np.testing.assert_allclose(psi.transform(X) @ psi.transform(Z).T, K, rtol=1e-9)
    one = np.column_stack([np.ones(6), X])
    np.testing.assert_allclose(psi.transform(X), np.stack([one[:, J].prod(axis=1) for J in psi.indices()], axis=1))


def test_the_gaussian_map_is_that_of_its_kernel_up_to_what_is_cut_off():
    x = np.linspace(-4, 4, 17)[:, None]
    K = GramStack.train(make_family("gaussian", gammas=[0.5]), x).matrix(0)
    for N in (5, 20, 80):
        psi = GaussianMap(N).fit_transform(x)
        products = abs(x @ x.T)
        rest = np.exp(-0.5 * (x**2 + x.T**2) + products) * np.minimum(1, products**N / float(factorial(N)))
        assert (abs(psi @ psi.T - K) <= rest + 1e-12).all()  # Lagrange's remainder of the exponential series
    np.testing.assert_allclose(GaussianMap(200).fit_transform(x)[:, 3], (np.exp(-(x**2) / 2) * x**3 / 6**0.5)[:, 0])


def test_the_integers_of_the_textbook_are_separated_by_their_squares_alone():
    """Section 16.1: no errors by w = (0, 1), b = 5 after (x, x^2); not separable on the line itself."""
    x = np.arange(-10.0, 11.0)[:, None]
    y = np.where(abs(x[:, 0]) > 2, 1, -1)
    psi = PowersMap().fit_transform(x)
    np.testing.assert_array_equal(np.sign(psi @ [0.0, 1.0] - 5.0), y)
    model = make_pipeline(PowersMap(), HardSVMClassifier(kernel="linear")).fit(x, y)
    assert model.score(x, y) == 1 and model[-1].gap_ < 1e-6
    best = max(np.mean(np.sign(s * (x[:, 0] - t)) == y) for s in (-1, 1) for t in np.arange(-11, 12) + 0.5)
    assert best < 1 and LogisticRegression(C=1e6).fit(x, y).score(x, y) < 1


@pytest.mark.parametrize(
    ("model", "X", "message"),
    [
        (PolynomialMap(0), [[1.0]], "degree=0: must be an integer >= 1"),
        (PowersMap(1.5), [[1.0]], "degree=1.5: must be an integer"),
        (GaussianMap(), [[1.0, 2.0]], "is for one feature, there are 2"),
        (GaussianMap(0), [[1.0]], "n_components=0: must be an integer >= 1"),
    ],
)
def test_wrong_parameters_are_told(model, X, message):
    with pytest.raises(ValueError, match=message):
        model.fit(X)


def test_a_map_that_does_not_fit_into_memory_is_told(monkeypatch):
    monkeypatch.setattr("kernlearn.memory.available", lambda: 10**8)
    with pytest.raises(ValueError, match=r"1\.05e\+06 features of 20 examples take .* use the kernel itself"):
        PolynomialMap(4).fit_transform(np.ones((20, 31)))
