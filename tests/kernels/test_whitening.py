"""Whitening of kernels against that of features, and against the formula with the kernel columns themselves."""

import numpy as np
import pytest

from kernlearn.errors import UserError
from kernlearn.kernels import Whitening, centre

DS = [0.0, 0.1, 0.9, 0.999, 1.0 - 1e-6]


def features(n, d, seed=0):
    random = np.random.default_rng(seed)
    return random.normal(size=(n, d)) @ random.normal(size=(d, d)) + random.normal(size=d)


@pytest.mark.parametrize("D", DS)
@pytest.mark.parametrize(("n", "d"), [(40, 5), (20, 30), (10, 1)])
def test_a_linear_kernel_is_that_of_whitened_features(D, n, d):
    X, Z = features(n + 7, d)[:n], features(n + 7, d)[n:]
    mean, covariance = X.mean(axis=0), np.cov(X.T, bias=True).reshape(d, d)
    M = np.linalg.inv((1.0 - D) * np.eye(d) + D * covariance)
    whitening = Whitening(X @ X.T, D)
    tolerance = 1e-13 * np.abs((X - mean) @ M @ (X - mean).T).max() / (1.0 - D)
    np.testing.assert_allclose(whitening.matrix, (X - mean) @ M @ (X - mean).T, atol=tolerance)
    np.testing.assert_allclose(whitening.rows(Z @ X.T), (Z - mean) @ M @ (X - mean).T, atol=10 * tolerance)


@pytest.mark.parametrize("D", [0.1, 0.5, 0.99])
def test_it_is_the_formula_of_the_kernel_columns(D):
    """(2.5) by the Woodbury identity, which needs D > 0; a Gaussian kernel has features of any number."""
    X = features(30, 3)
    K = np.exp(-0.1 * ((X[:, None] - X) ** 2).sum(axis=2))
    n = len(K)
    J, columns = np.eye(n) / n - np.ones((n, n)) / n**2, K - K.mean(axis=1, keepdims=True)
    inner = np.linalg.inv((1.0 - D) / D * np.eye(n) + K @ J)
    expected = (centre(K) - columns.T @ J @ inner @ columns) / (1.0 - D)
    np.testing.assert_allclose(Whitening(K, D).matrix, expected, atol=1e-12 / (1.0 - D))


def test_without_covariance_it_only_centres():
    X = features(20, 4)
    np.testing.assert_allclose(Whitening(X @ X.T, 0.0).matrix, centre(X @ X.T), atol=1e-12)


def test_near_1_all_directions_have_one_variance():
    values = np.linalg.eigvalsh(Whitening((X := features(30, 4)) @ X.T, 1.0 - 1e-9).matrix)
    np.testing.assert_allclose(values[-4:], 30.0, rtol=1e-6)
    assert np.abs(values[:-4]).max() < 1e-3


@pytest.mark.parametrize("D", DS)
def test_coefficients_are_those_of_the_same_function(D):
    X, Z = features(25, 4), features(9, 4, 1)
    x = np.random.default_rng(2).normal(size=25)
    whitening = Whitening(X @ X.T, D)
    c, c_0 = whitening.coefficients(x)
    expected = whitening.rows(Z @ X.T) @ x
    np.testing.assert_allclose(Z @ X.T @ c + c_0, expected, rtol=1e-6, atol=1e-10 / (1.0 - D))


@pytest.mark.parametrize("D", [-0.1, 1.0, 2.0, np.nan])
def test_a_part_that_is_none_is_refused(D):
    with pytest.raises(UserError, match="D=.*at least 0 and below 1"):
        Whitening(np.eye(3), D)
