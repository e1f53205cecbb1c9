import numpy as np
import pytest

from kernlearn.errors import UserError
from kernlearn.kernels import COMPLEXITIES, GRAM_FAMILIES, GramStack, make_family
from kernlearn.kernels.families.polynomial import POLYNOMIALS
from kernlearn.kernels.families.vectors import precomputed
from kernlearn.kernels.matrices.complexity import local, require_defined
from tests.kernels.test_families import DEFINITE, FAMILY, RNG, X, examples

COUNTING = ("lemma4", "lemma4_m", "dimension")


def train(name):
    return GramStack.train(FAMILY[name], examples(name)[0])


def rademacher_complexities(stack):
    """Simulate ``R(H_k) = E sup_{j, s} (s/m) sum_i sigma_i K_k(x_i, x_j)``."""
    p, m, _ = stack.shape
    sigma = RNG.choice([-1.0, 1.0], size=(4000, m))
    return np.array([np.abs(sigma @ stack.matrix(k)).max(axis=1).mean() / m for k in range(p)])


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", DEFINITE)
def test_lemma3_bounds_the_rademacher_complexity_of_the_base_class(name):
    stack = train(name)
    assert (rademacher_complexities(stack) <= COMPLEXITIES["lemma3"](stack)).all()


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", sorted(GRAM_FAMILIES))
def test_massart_bounds_it_for_all_kernels(name):
    stack = train(name)
    simulated, bound = rademacher_complexities(stack), COMPLEXITIES["massart"](stack)
    assert (simulated <= bound).all() and (bound <= 10 * simulated).all()


def test_massart_bounds_it_for_a_matrix_without_symmetry():
    stack = GramStack.train(precomputed(), RNG.normal(size=(30, 30)))
    assert rademacher_complexities(stack) <= COMPLEXITIES["massart"](stack)


def test_lemma4_counts_the_monomials():
    points = RNG.normal(size=(400, 3))
    for name in ("polynomial", "polynomial_libsvm"):
        stack = GramStack.train(make_family(name, degrees=[1, 2, 3], coef0=1.0), points)
        ranks = [np.linalg.matrix_rank(stack.matrix(k)) for k in range(3)]  # the feature dimension, by another way
        kappa2 = [stack.diagonal(k).max() for k in range(3)]
        np.testing.assert_allclose(COMPLEXITIES["lemma4"](stack), np.array(kappa2) * np.sqrt(ranks))
        np.testing.assert_allclose(COMPLEXITIES["lemma4_m"](stack), np.array(kappa2) * np.sqrt(np.array(ranks) / 400))
        np.testing.assert_allclose(COMPLEXITIES["dimension"](stack), np.sqrt(np.array(ranks) / 400))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", DEFINITE)
def test_local_grows_with_the_radius_up_to_the_trace_bound(name):
    stack = train(name)
    m = stack.shape[1]
    r = local(stack, [0.0, 1e-3, 1e-1, 10.0, np.inf])
    assert r.shape == (5, len(stack)) and (np.diff(r, axis=0) >= 0).all() and (r[0] == 0).all()
    traces = np.array([np.trace(stack.matrix(k)) for k in range(len(stack))])
    np.testing.assert_allclose(r[-1], np.sqrt(2 * traces / m / m), rtol=1e-9)
    np.testing.assert_array_equal(local(stack), r[-1])
    np.testing.assert_array_equal(local(stack, 0.1), r[2])


def test_local_is_the_least_of_the_bounds_by_a_cut():
    """``min_theta theta s + sum_{j > theta} lambda_j`` over the number theta of eigenvalues that are cut off."""
    stack = train("gaussian")
    for k in range(len(stack)):
        eigenvalues = np.sort(np.linalg.eigvalsh(stack.matrix(k) / len(X)))[::-1]
        cuts = [theta * 0.05 + eigenvalues[theta:].sum() for theta in range(len(X) + 1)]
        assert local(stack, 0.05)[k] == pytest.approx(np.sqrt(2 / len(X) * min(cuts)))


def test_local_tells_normalised_kernels_apart_and_lemma3_does_not():
    stack = train("gaussian")
    assert np.ptp(COMPLEXITIES["lemma3"](stack)) < 1e-12 < 0.01 < np.ptp(local(stack, 0.05))


@pytest.mark.parametrize("complexity", sorted(COMPLEXITIES))
@pytest.mark.parametrize("name", sorted(GRAM_FAMILIES))
def test_a_measure_is_defined_or_another_is_advised(complexity, name):
    definite = FAMILY[name].positive_definite
    if complexity == "massart" or (name in POLYNOMIALS if complexity in COUNTING else definite):
        require_defined(complexity, FAMILY[name])
        assert np.isfinite(COMPLEXITIES[complexity](train(name))).all()
    else:
        advised = "lemma3" if definite else "massart"
        with pytest.raises(UserError, match=f"algo.complexity={complexity}: .*use algo.complexity={advised}"):
            require_defined(complexity, FAMILY[name])


@pytest.mark.parametrize(
    ("complexity", "K", "message"),
    [
        ("lemma3", [[1.0, 0.0], [0.0, -1.0]], r"not positive definite, it has K\(x, x\) < 0; use .*massart"),
        ("local", [[1.0, 2.0], [2.0, 1.0]], "not positive definite, it has the eigenvalue -1; use .*massart"),
        ("local", [[2.0, 1.0], [0.0, 2.0]], "not symmetric; use .*massart"),
    ],
)
def test_a_given_matrix_is_looked_at(complexity, K, message):
    with pytest.raises(UserError, match=message):
        COMPLEXITIES[complexity](GramStack.train(precomputed(), np.array(K)))
