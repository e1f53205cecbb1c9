import numpy as np
import pytest
from scipy import sparse
from sklearn.preprocessing import MinMaxScaler, Normalizer, StandardScaler

from kernlearn.errors import UserError
from kernlearn.kernels import SCALINGS, GramStack, make_family

RNG = np.random.default_rng(0)
TRAIN, TEST = RNG.normal(size=(20, 4)) * [1, 10, 0.1, 5], RNG.normal(size=(8, 4))
ORACLES = {
    "unit": Normalizer(),
    "minmax": MinMaxScaler(),
    "symmetric": MinMaxScaler((-1, 1)),
    "standard": StandardScaler(),
}
#: Those of measurements: of counts there is one more.
OF_NUMBERS = sorted(name for name in SCALINGS if not name.startswith("tfidf"))


@pytest.mark.parametrize("name", OF_NUMBERS)
def test_agrees_with_scikit_learn_fitted_on_the_training_part(name):
    train, test = SCALINGS[name](TRAIN, TEST)
    oracle = ORACLES.get(name)
    if oracle is None:
        assert name == "none"
        np.testing.assert_array_equal(test, TEST)
    else:
        np.testing.assert_allclose(train, oracle.fit(TRAIN).transform(TRAIN))
        np.testing.assert_allclose(test, oracle.transform(TEST))


@pytest.mark.parametrize("name", OF_NUMBERS)
def test_constant_features_and_zero_examples_stay_finite(name):
    flat = np.zeros((5, 3))
    flat[:, 1] = 0.1  # 0.1 + ... + 0.1 is not 5 * 0.1: a standard deviation of rounding must not become a scale
    for part in SCALINGS[name](flat, np.ones((2, 3))):
        assert np.isfinite(part).all() and np.abs(part).max() <= 1.0 + 1e-12


def test_sparse_examples_are_scaled_like_dense_ones():
    X = np.array([[0.0, 3.0, 4.0], [0.0, 0.0, 0.0], [-1.0, 0.0, 0.0]])
    for name in ("unit", "none"):
        scaled, again = SCALINGS[name](sparse.csr_array(X), sparse.csr_array(X[:1]))
        assert sparse.issparse(scaled) and sparse.issparse(again)
        np.testing.assert_allclose(scaled.toarray(), SCALINGS[name](X)[0])
        np.testing.assert_allclose(again.toarray(), SCALINGS[name](X)[0][:1])


@pytest.mark.parametrize("name", ["minmax", "symmetric", "standard"])
def test_scalings_that_move_zeros_refuse_sparse_examples(name):
    with pytest.raises(UserError, match=f"scaling={name}: .*scaling=unit"):
        SCALINGS[name](sparse.csr_array(np.eye(2)))


def test_unit_norm_of_features_whose_squares_overflow():
    X = np.array([[1e308, 1e308], [-1e308, 4.0], [3.0, 4.0], [0.0, 0.0]])
    (scaled,) = SCALINGS["unit"](X)
    np.testing.assert_allclose(scaled, [[0.5**0.5, 0.5**0.5], [-1, 0], [0.6, 0.8], [0, 0]], atol=1e-15)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("power", [-1060, -600, -480, 480, 600, 1018])
@pytest.mark.parametrize("name", sorted(set(OF_NUMBERS) - {"none"}))
def test_scalings_do_not_depend_on_the_unit_however_large_or_small(name, power):
    """A unit that is a power of two changes no bit where there is no subnormal number to be rounded."""
    expected = SCALINGS[name](TRAIN, TEST)
    found = SCALINGS[name](np.ldexp(TRAIN, power), np.ldexp(TEST, power))
    for ours, theirs in zip(found, expected, strict=True):
        if power < -1000:  # TRAIN was rounded to some ten bits
            np.testing.assert_allclose(ours, theirs, atol=1e-2)
        else:
            np.testing.assert_array_equal(ours, theirs)
    if name == "unit":
        np.testing.assert_allclose(np.linalg.norm(found[0], axis=1), 1.0)
        (sparse_found,) = SCALINGS[name](sparse.csr_array(np.ldexp(TRAIN, power)))
        np.testing.assert_allclose(sparse_found.toarray(), found[0], rtol=1e-15)


@pytest.mark.filterwarnings("error")
def test_a_range_that_is_no_number_is_scaled():
    X = np.array([[-1.7e308], [1.7e308], [0.0]])
    np.testing.assert_array_equal(SCALINGS["minmax"](X)[0].ravel(), [0.0, 1.0, 0.5])
    np.testing.assert_array_equal(SCALINGS["symmetric"](X)[0].ravel(), [-1.0, 1.0, 0.0])
    np.testing.assert_allclose(SCALINGS["standard"](X)[0].ravel(), [-(1.5**0.5), 1.5**0.5, 0.0])


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    "kernel", [{"name": "gaussian", "gammas": [1.0]}, {"name": "linear"}, {"name": "polynomial", "degrees": [1, 3]}]
)
def test_features_that_overflow_a_kernel_are_told_without_warnings(kernel):
    X = np.array([[1e300, 1.0], [-1e300, 2.0], [1e308, -1.7e308]])
    with pytest.raises(UserError, match="overflows on these features"):
        GramStack.train(make_family(**kernel), X)


def test_tfidf_is_that_of_scikit_learn_and_is_fitted_on_the_training_part():
    from sklearn.feature_extraction.text import TfidfTransformer

    counts = np.random.default_rng(0).poisson(0.7, (30, 12)).astype(float)
    oracle = TfidfTransformer(norm=None).fit(counts[:20])
    for made in (np.asarray, sparse.csr_array):
        parts = SCALINGS["tfidf"](made(counts[:20]), made(counts[20:]))
        for part, rows in zip(parts, (counts[:20], counts[20:]), strict=True):
            dense = part.toarray() if sparse.issparse(part) else part
            np.testing.assert_allclose(dense, oracle.transform(rows).toarray())


def test_the_older_tfidf_leaves_out_words_of_all_texts_and_weighs_those_of_none_as_those_of_one():
    counts = np.array([[2.0, 1.0, 0.0, 0.0], [1.0, 0.0, 3.0, 0.0], [5.0, 0.0, 0.0, 0.0], [1.0, 0.0, 4.0, 0.0]])
    new = np.array([[1.0, 0.0, 2.0, 1.0]])
    weights = np.log([1.0, 4.0, 2.0, 4.0])
    for made in (np.asarray, sparse.csr_array):
        parts = SCALINGS["tfidf_salton"](made(counts), made(new))
        for part, rows in zip(parts, (counts, new), strict=True):
            dense = part.toarray() if sparse.issparse(part) else part
            np.testing.assert_allclose(dense, rows * weights)


@pytest.mark.parametrize("made", [np.asarray, sparse.csr_array])
def test_damped_counts_are_tfidf_of_their_logarithms(made):
    counts = np.random.default_rng(0).poisson(0.7, (30, 12)).astype(float)
    parts = SCALINGS["tfidf_damped"](made(counts[:20]), made(counts[20:]))
    expected = SCALINGS["tfidf"](made(np.log1p(counts[:20])), made(np.log1p(counts[20:])))
    for part, other in zip(parts, expected, strict=True):
        part, other = (x.toarray() if sparse.issparse(x) else x for x in (part, other))
        np.testing.assert_allclose(part, other, rtol=1e-15)
    with pytest.raises(UserError, match="counts, which are not negative"):
        SCALINGS["tfidf_damped"](made(-counts))
