"""Products with Gaussian kernels that are never formed, against the exponentials of the standard library."""

from math import exp, fsum

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from kernlearn.certificates.outputs import outputs as outputs_of
from kernlearn.kernels import GramStack, make_family
from kernlearn.kernels.core.family import exponential_error
from kernlearn.kernels.fused.exponentials import exponentials_single, values_of_exponentials
from kernlearn.kernels.fused.sums import Kernels, inner_products, outputs, products, put_entries
from kernlearn.kernels.matrices.streamed import StreamedStack


def test_exponentials_are_off_by_a_rounding_or_two():
    random = np.random.default_rng(0)
    D = np.concatenate([[0.0, 1e-300, 1e-17, 1e-8, 700.0], 10.0 ** random.uniform(-20.0, 2.8, 5000)])[None]
    found = values_of_exponentials(D, 1.0)[0]
    true = np.array([exp(-d) for d in D[0]])
    assert np.abs(found / true - 1.0).max() <= 2.0 * np.finfo(np.float64).eps
    assert found[0] == found[1] == 1.0


def test_what_is_below_all_normal_numbers_is_nothing():
    found = values_of_exponentials(np.array([708.0, 800.0, 1e300, np.finfo(np.float64).max]), 1.0)
    assert found.tolist() == [0.0] * 4


@pytest.mark.parametrize("n, m, d", [(1, 1, 1), (7, 3, 2), (300, 257, 5), (3, 600, 4), (2500, 5, 9)])
def test_products_are_those_of_the_matrices(n, m, d):
    random = np.random.default_rng(1)
    X, Z = random.standard_normal((n, d)) + 5.0, random.standard_normal((m, d)) + 5.0
    D, gammas = cdist(X, Z, "sqeuclidean"), np.array([1e-6, 0.3, 40.0])
    kernel, target, less_constant = np.array([[0, 0, 0, 1, 2], [1, 0, 1, 0, 1], [0, 0, 1, 0, 1]])
    weights = random.standard_normal((5, m)) * (random.random((5, m)) < 0.7)
    rows = [np.exp(-gammas[k] * D) - less for k, less in zip(kernel, less_constant, strict=True)]
    rows[2] = np.expm1(-gammas[0] * D)
    expected = np.zeros((2, n))
    for r, values in enumerate(rows):
        expected[target[r]] += values @ weights[r]
    found = products(Kernels(gammas), X, Z, weights, kernel, target, less_constant)
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("n, d", [(1, 2), (256, 3), (700, 5), pytest.param(2600, 1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("kind, tolerance", [(np.float64, 1e-14), (np.float32, 3e-6)])
def test_products_of_examples_with_themselves_are_those_with_a_copy(n, d, kind, tolerance):
    random = np.random.default_rng(7)
    X, gammas = random.standard_normal((n, d)) + 3.0, 0.1 * 2.0 ** np.array([0, 5, 1, 2, 3])
    kernel, target, less_constant = np.array([[4, 0, 1, 2, 1, 3], [0, 0, 2, 1, 0, 2], [0, 1, 0, 1, 1, 1]])
    weights = random.standard_normal((6, n)).astype(kind)
    found = products(Kernels(gammas), X, X, weights, kernel, target, less_constant)
    copied = products(Kernels(gammas), X, X.copy(), weights, kernel, target, less_constant)
    values = np.exp(-gammas[kernel, None, None] * cdist(X, X, "sqeuclidean")) - less_constant[:, None, None]
    expected, sizes = np.zeros((3, n)), np.zeros((3, n))
    np.add.at(expected, target, np.einsum("rij,rj->ri", values, weights))
    np.add.at(sizes, target, np.einsum("rij,rj->ri", np.abs(values), np.abs(weights)))
    for sums in (found, copied):
        assert (np.abs(sums - expected) <= tolerance * (sizes + 1.0)).all()


def test_outputs_have_twice_the_digits_and_the_sums_of_squares():
    random = np.random.default_rng(9)
    X, Z, gammas = random.standard_normal((270, 3)), random.standard_normal((33, 3)), np.array([0.4, 0.1, 0.2])
    weights, less_constant = (
        random.standard_normal((3, 33)) * 10.0 ** random.uniform(-8, 8, (3, 33)),
        np.array([0, 1, 1]),
    )
    values = np.stack([values_of_exponentials(cdist(X, Z, "sqeuclidean"), gamma) for gamma in gammas])
    values -= less_constant[:, None, None]
    high, low, squares = outputs(Kernels(gammas), X, Z, weights, less_constant)
    terms = (values * weights[:, None]).transpose(1, 0, 2).reshape(270, -1)
    expected = np.array([fsum(row) for row in terms])
    np.testing.assert_allclose(squares, (terms**2).sum(axis=1), rtol=1e-13)
    assert (np.abs(high + low - expected) <= 8.0 * np.finfo(np.float64).eps * np.sqrt(squares)).all()
    few = outputs(
        Kernels(np.zeros(1)), X, np.zeros((1000, 3)), np.tile([1e17, 1.0, -1e17, 1.0], 250)[None], np.zeros(1, int)
    )
    assert (few[0] + few[1] == 500.0).all()  # of kernel values that are 1: nothing is rounded away


@pytest.mark.parametrize("n", [1, 5, 259, 800])
def test_inner_products_are_those_of_the_centred_matrices(n):
    X, gammas = np.random.default_rng(10).standard_normal((n, 4)) + 7.0, np.array([1.0, 1e-6, 2.0, 0.3])
    K = np.expm1(-gammas[:, None, None] * cdist(X, X, "sqeuclidean"))
    means = K.mean(axis=2)
    centred = K - means[:, :, None] - means[:, None] + means.mean(axis=1)[:, None, None]
    found = inner_products(Kernels(gammas), X, means, means.mean(axis=1))
    np.testing.assert_allclose(found, np.einsum("kij,lij->kl", centred, centred), rtol=1e-9, atol=1e-14)


@pytest.mark.parametrize("coef0", [0.0, 0.7])
@pytest.mark.parametrize("kind, tolerance", [(np.float64, 2e-14), (np.float32, 4e-6)])
def test_products_with_powers_are_those_of_the_matrices(coef0, kind, tolerance):
    random = np.random.default_rng(12)
    X, Z, degrees = random.standard_normal((300, 5)), random.standard_normal((41, 5)), np.array([4, 1, 2, 7])
    kernel, target, less_constant = np.array([[0, 1, 2, 3, 0, 2], [0, 1, 0, 1, 1, 0], [0, 1, 1, 0, 1, 0]])
    kernels = Kernels(degrees, True, 0.3, coef0)
    for points in (Z, X.copy(), X):
        weights = random.standard_normal((6, len(points))).astype(kind)
        powers = (0.3 * X @ points.T + coef0) ** degrees[kernel, None, None]
        values = powers - (less_constant * coef0 ** degrees[kernel])[:, None, None]
        expected, sizes = np.zeros((2, 300)), np.zeros((2, 300))
        np.add.at(expected, target, np.einsum("rij,rj->ri", values, weights))
        np.add.at(sizes, target, np.einsum("rij,rj->ri", np.abs(powers) + 1.0, np.abs(weights)))
        found = products(kernels, X, points, weights, kernel, target, less_constant)
        assert (np.abs(found - expected) <= tolerance * sizes).all()


@pytest.mark.parametrize("n, m", [(1, 1), (5, 300), (513, 7)])
def test_entries_of_weighted_kernels_are_those_of_the_matrices(n, m):
    random = np.random.default_rng(13)
    X, Z, weights = random.standard_normal((n, 3)), random.standard_normal((m, 3)), np.array([0.5, 2.0, 0.0])
    D, products_of = cdist(X, Z, "sqeuclidean"), 0.5 * X @ Z.T + 1.0
    out = np.full((n, m), np.nan)
    put_entries(Kernels(np.array([0.4, 0.1, 0.2])), weights, X, Z, out)
    np.testing.assert_allclose(out, 0.5 * np.exp(-0.4 * D) + 2.0 * np.exp(-0.1 * D), rtol=1e-14)
    put_entries(Kernels(np.array([3, 1, 2]), True, 0.5, 1.0), weights, X, Z, out, less_constant=True)
    np.testing.assert_allclose(out, 0.5 * (products_of**3 - 1.0) + 2.0 * (products_of - 1.0), atol=1e-13)


def test_powers_less_a_constant_have_all_digits_where_they_are_next_to_nothing():
    x = np.array([[1e-9], [-3e-12]])
    found = products(
        Kernels(np.array([3]), True, 1.0, 2.0), x, np.ones((1, 1)), np.ones((1, 1)), *np.array([[0], [0], [1]])
    )
    np.testing.assert_allclose(found[0], 12.0 * x[:, 0] + 6.0 * x[:, 0] ** 2, rtol=1e-15)


def test_exponentials_in_single_precision_are_off_by_a_rounding_or_two():
    random = np.random.default_rng(8)
    distances = np.concatenate([[0.0, 86.0, 90.0, 3e38], random.uniform(0.0, 80.0, 5000)]).astype(np.float32)
    values, near = np.empty_like(distances), np.empty_like(distances)
    exponentials_single(distances, np.float32(1.0), 0, values)
    exponentials_single(distances, np.float32(1e-3), 1, near)
    true = np.exp(-distances.astype(float))
    assert (np.abs(values - true) <= 1.5e-7 * true + 1e-38).all()
    assert values[2] == values[3] == 0.0
    np.testing.assert_allclose(near, np.expm1(-1e-3 * distances.astype(float)), rtol=3e-7)


@pytest.mark.parametrize("features, points", [(1, 4), (2, 3)])
def test_products_of_what_does_not_fit_together_are_refused(features, points):
    zero = np.zeros(1, dtype=np.intp)
    with pytest.raises(ValueError, match="do not fit together"):
        products(Kernels(np.ones(1)), np.ones((5, 2)), np.ones((4, features)), np.ones((1, points)), zero, zero, zero)


def test_products_of_examples_do_not_depend_on_those_beside_them():
    random = np.random.default_rng(5)
    X, Z, weights = random.standard_normal((700, 6)), random.standard_normal((33, 6)), random.standard_normal((1, 33))
    zero = np.zeros(1, dtype=np.intp)
    whole = products(Kernels(np.array([0.4])), X, Z, weights, zero, zero, zero)
    part = products(Kernels(np.array([0.4])), X[301:], Z, weights, zero, zero, zero)
    np.testing.assert_array_equal(part, whole[:, 301:])


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


@pytest.mark.parametrize("gamma", [1e-9, 0.03, 1.0, 300.0])
@pytest.mark.parametrize("order", ["C", "F"])
def test_values_that_are_not_held_are_those_of_the_matrices_with_all_digits_near_the_constant(gamma, order):
    D = np.asarray(np.random.default_rng(3).random((60, 70)) ** 9, order=order)
    D[0, :3] = 0.0, 4e300, 1e-300
    for columns in (slice(None), slice(1, None, 3)):
        part = D[:, columns]
        assert values_of_exponentials(part[:, :1], gamma)[0, 0] == (columns == slice(None))  # 1, or nothing at all
        found = values_of_exponentials(part, gamma)
        np.testing.assert_allclose(found, np.exp(-gamma * part), rtol=4e-16, atol=1e-307)
        near = values_of_exponentials(part, gamma, less_constant=True)
        np.testing.assert_allclose(near, np.expm1(-gamma * part), rtol=1e-15, atol=0.0)


def test_every_way_through_a_streamed_stack_has_the_values_of_one_with_matrices():
    random = np.random.default_rng(4)
    X, coef = random.standard_normal((50, 3)), random.standard_normal((2, 50))
    coef[1] -= coef[1].mean()  # adds up to nothing: the constant of the kernel does not count
    family = make_family("gaussian", gammas=[1e-7, 1.0])
    kept, streamed = GramStack.train(family, X), StreamedStack(family, X, X)
    np.testing.assert_allclose(streamed.expand(coef), kept.expand(coef), rtol=1e-13, atol=1e-13)
    for k in range(2):
        np.testing.assert_allclose(streamed.columns(k, np.arange(0, 50, 7)), kept.matrix(k)[:, ::7], rtol=1e-14)


def test_certificates_of_a_streamed_stack_have_the_outputs_of_one_with_matrices():
    random = np.random.default_rng(11)
    X, coef = random.standard_normal((300, 3)), random.standard_normal((3, 300)) * (random.random(300) < 0.5)
    coef[1], coef[2] = 0.0, coef[2] - coef[2].mean()
    family = make_family("gaussian", gammas=[1e-3, 0.5, 1.0])
    kept, streamed = (outputs_of(stack, coef) for stack in (GramStack.train(family, X), StreamedStack(family, X, X)))
    off = (kept.high - streamed.high) + (kept.low - streamed.low)
    assert (np.abs(off) <= kept.rounding + streamed.rounding).all()
    np.testing.assert_allclose(streamed.rounding, kept.rounding, rtol=1e-6)
    nothing = outputs_of(StreamedStack(family, X, X), 0.0 * coef)
    assert not (nothing.high.any() or nothing.low.any() or nothing.rounding.any())


def test_several_expansions_share_what_they_are_made_of():
    random = np.random.default_rng(6)
    X, coef = random.standard_normal((40, 3)), random.standard_normal((4, 2, 40)) * (random.random((4, 2, 40)) < 0.5)
    coef[1] -= coef[1].mean(axis=1, keepdims=True)  # of whose kernels the constant does not count
    coef[2], coef[3, 0] = 0.0, 0.0
    family = make_family("gaussian", gammas=[1e-7, 1.0])
    kept, streamed = GramStack.train(family, X), StreamedStack(family, X, X)
    np.testing.assert_allclose(streamed.expansions(coef), kept.expansions(coef), rtol=1e-12, atol=1e-12)
    assert (streamed.largest_magnitudes(coef) >= streamed.magnitudes(coef, np.arange(40)).max(axis=1)).all()
    assert not streamed.expansions(np.zeros((2, 2, 40))).any()
