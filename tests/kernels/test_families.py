import pickle

import numpy as np
import pytest
from sklearn.metrics.pairwise import polynomial_kernel, rbf_kernel

from kernlearn.errors import UserError
from kernlearn.kernels import COMPLEXITIES, FAMILIES, GramStack, make_family
from kernlearn.kernels import gram as gram_module
from kernlearn.kernels.complexity import require_defined

RNG = np.random.default_rng(0)
X, Z = RNG.normal(size=(12, 5)), RNG.normal(size=(9, 5))
FAMILY = {
    "polynomial": make_family("polynomial", degrees=range(1, 8), coef0=1.0),
    "gaussian": make_family("gaussian", gammas=[1e-3, 0.5, 2.0]),
    "linear": make_family("linear"),
}


def test_every_registered_family_is_tested_here():
    assert set(FAMILY) == set(FAMILIES)


def oracle(name, member, A, B):
    if name == "polynomial":
        return polynomial_kernel(A, B, degree=member["degree"], gamma=1.0, coef0=1.0)
    if name == "gaussian":
        return rbf_kernel(A, B, gamma=member["gamma"])
    return A @ B.T


@pytest.mark.parametrize("name", sorted(FAMILIES))
def test_values_agree_with_scikit_learn(name):
    stack = GramStack(FAMILY[name], X, Z)
    for k, member in enumerate(FAMILY[name].members):
        np.testing.assert_allclose(stack.matrix(k), oracle(name, member, X, Z), rtol=1e-12)


@pytest.mark.parametrize("name", sorted(FAMILIES))
def test_products_agree_with_dense_matrices(name):
    stack = GramStack(FAMILY[name], X, Z)
    p, n, m = stack.shape
    dense = np.stack([stack.matrix(k) for k in range(p)])
    v, coef = RNG.normal(size=n), RNG.normal(size=(p, m)) * (RNG.random((p, m)) < 0.4)
    np.testing.assert_allclose(stack.price(v), np.einsum("i,kij->kj", v, dense))
    np.testing.assert_allclose(stack.expand(coef), np.einsum("kij,kj->i", dense, coef), atol=1e-9)
    np.testing.assert_allclose(stack.select(p - 1).price(v)[0], stack.price(v)[-1])


@pytest.mark.parametrize("name", sorted(FAMILIES))
def test_training_stack_is_symmetric_positive_semidefinite(name):
    stack = GramStack.train(FAMILY[name], X)
    for k in range(len(stack)):
        K = stack.matrix(k)
        np.testing.assert_array_equal(K, K.T)
        np.testing.assert_allclose(stack.diagonal(k), np.diagonal(K))
        assert np.linalg.eigvalsh(K).min() > -1e-10 * np.abs(K).max()


@pytest.mark.parametrize("name", sorted(FAMILIES))
def test_families_pickle(name):
    copy = pickle.loads(pickle.dumps(FAMILY[name]))
    np.testing.assert_array_equal(GramStack(copy, X, Z).matrix(0), GramStack(FAMILY[name], X, Z).matrix(0))


def test_matrices_are_kept_within_the_memory_bound(monkeypatch):
    stack = GramStack(FAMILY["polynomial"], X, Z)
    assert stack.matrix(2) is stack.matrix(2)
    monkeypatch.setattr(gram_module, "KEEP_BYTES", 0)
    other = GramStack(FAMILY["polynomial"], X, Z)
    assert other.matrix(2) is not other.matrix(2)
    np.testing.assert_array_equal(other.matrix(2), stack.matrix(2))


def test_distances_of_far_data_do_not_cancel():
    far = X + 1e6
    K = GramStack.train(make_family("gaussian", gammas=[1.0]), far).matrix(0)
    np.testing.assert_allclose(K, rbf_kernel(X, gamma=1.0), atol=1e-8)


def test_overflow_is_an_error_with_advice():
    with pytest.raises(UserError, match=r"polynomial kernel \(degree=3\) overflows.*scaling=unit"):
        GramStack.train(make_family("polynomial", degrees=[1, 3], coef0=1.0), X * 1e80)


@pytest.mark.parametrize(
    ("name", "parameters", "message"),
    [
        ("sigmoid", {}, "unknown kernel family, choose one of gaussian, linear, polynomial"),
        ("polynomial", {"degrees": []}, "kernel.degrees is empty"),
        ("polynomial", {"degrees": [0]}, "not an integer >= 1"),
        ("polynomial", {"degrees": [2, 2]}, "same kernel twice"),
        ("polynomial", {"degrees": [2], "coef0": -1.0}, "coef0=-1.0: must be"),
        ("gaussian", {"gammas": [0.0]}, "not a positive number"),
    ],
)
def test_wrong_parameters(name, parameters, message):
    with pytest.raises(UserError, match=message):
        make_family(name, **parameters)


def test_lemma3_bounds_the_rademacher_complexity_of_the_base_class():
    """R(H_k) = E sup_{j, s} (s/m) sum_i sigma_i K(x_i, x_j), by simulation, stays below Lemma 3."""
    stack = GramStack.train(FAMILY["polynomial"], X)
    r = COMPLEXITIES["lemma3"](stack)
    sigma = RNG.choice([-1.0, 1.0], size=(4000, len(X)))
    for k in range(len(stack)):
        empirical = np.abs(sigma @ stack.matrix(k)).max(axis=1).mean() / len(X)
        assert empirical <= r[k]


def test_lemma4_counts_the_monomials():
    points = RNG.normal(size=(400, 3))
    stack = GramStack.train(make_family("polynomial", degrees=[1, 2, 3], coef0=1.0), points)
    ranks = [np.linalg.matrix_rank(stack.matrix(k)) for k in range(3)]  # the feature dimension, by another way
    kappa2 = [stack.diagonal(k).max() for k in range(3)]
    np.testing.assert_allclose(COMPLEXITIES["lemma4"](stack), np.array(kappa2) * np.sqrt(ranks))
    np.testing.assert_allclose(COMPLEXITIES["lemma4_m"](stack), np.array(kappa2) * np.sqrt(np.array(ranks) / 400))
    np.testing.assert_allclose(COMPLEXITIES["dimension"](stack), np.sqrt(np.array(ranks) / 400))


@pytest.mark.parametrize("name", sorted(set(COMPLEXITIES) - {"lemma3"}))
def test_what_counts_features_needs_polynomials(name):
    require_defined(name, FAMILY["polynomial"])
    with pytest.raises(UserError, match="use algo.complexity=lemma3"):
        require_defined(name, FAMILY["gaussian"])
