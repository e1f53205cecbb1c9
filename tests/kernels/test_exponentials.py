"""Products with Gaussian kernels that are never formed, against the exponentials of the standard library."""

from math import exp

import numpy as np
import pytest

from kernlearn.kernels import GramStack, make_family
from kernlearn.kernels.exponentials import price_exponentials
from kernlearn.kernels.family import exponential_error
from kernlearn.kernels.streamed import StreamedStack


def test_exponentials_are_off_by_a_rounding_or_two():
    random = np.random.default_rng(0)
    D = np.concatenate([[0.0, 1e-300, 1e-17, 1e-8, 700.0], 10.0 ** random.uniform(-20.0, 2.8, 5000)])[None]
    found = price_exponentials(D, np.ones(1), [1.0])[0]
    true = np.array([exp(-d) for d in D[0]])
    assert np.abs(found / true - 1.0).max() <= 2.0 * np.finfo(np.float64).eps
    assert found[0] == found[1] == 1.0


def test_what_is_below_all_normal_numbers_counts_as_next_to_nothing():
    found = price_exponentials(np.array([[708.0, 800.0, 1e300, np.finfo(np.float64).max]]), np.ones(1), [1.0])
    assert (found > 0.0).all() and (found < 1e-300).all()


@pytest.mark.parametrize("shape", [(1, 1), (7, 3), (300, 257), (3, 600)])
def test_products_are_those_of_the_matrices(shape):
    random = np.random.default_rng(1)
    D, v = 30.0 * random.random(shape), random.standard_normal(shape[0]) * (random.random(shape[0]) < 0.7)
    gammas = [1e-6, 0.3, 1.0, 40.0]
    np.testing.assert_allclose(
        price_exponentials(D, v, gammas), np.stack([v @ np.exp(-gamma * D) for gamma in gammas]), rtol=1e-12, atol=1e-14
    )


def test_a_streamed_stack_prices_as_one_with_matrices():
    random = np.random.default_rng(2)
    X, v = random.standard_normal((40, 3)), random.standard_normal(40)
    family = make_family("gaussian", gammas=[0.01, 1.0])
    kept, streamed = GramStack.train(family, X), StreamedStack(family, X, X)
    np.testing.assert_allclose(streamed.price(v), kept.price(v), rtol=1e-12, atol=1e-13)
    np.testing.assert_array_equal(streamed.select(1).price(v), streamed.price(v)[1:])


@pytest.mark.filterwarnings("error")
def test_the_error_of_a_kernel_that_vanishes_is_nothing_however_far_the_points_are():
    squares = np.array([[1.0], [1e308], [np.inf]])
    K = np.array([[0.5, 0.0], [0.0, 0.0], [0.0, 0.0]])
    found = exponential_error(squares, np.array([[2.0, np.inf]]), K, gamma=3.0)
    np.testing.assert_array_equal(found, [[4.5, 0.0], [0.0, 0.0], [0.0, 0.0]])
