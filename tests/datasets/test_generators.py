import numpy as np
import pytest

from kernlearn.datasets import CATALOGUE, load
from kernlearn.datasets.sets.generators import COVARIANCE, MEANS, SHIFT, WAVES
from kernlearn.errors import UserError

N = 40_000
GENERATED = sorted(name for name, entry in CATALOGUE.items() if entry.home == "generated")


def classes_of(name):
    data = load(name, n=N, seed=3)
    return [data.X[data.y == label] for label in range(len(data.classes))]


def assert_moments(X, mean, covariance):
    """Sample moments within five standard errors (of a normal sample, for the covariances) of the true ones."""
    mean, covariance, n = np.asarray(mean), np.asarray(covariance), len(X)
    variances = np.diag(covariance)
    assert (np.abs(X.mean(axis=0) - mean) < 5 * np.sqrt(variances / n)).all()
    errors = np.sqrt((np.outer(variances, variances) + covariance**2) / n)
    assert (np.abs(np.cov(X.T) - covariance) < 5 * errors).all()


@pytest.mark.parametrize("name", GENERATED)
def test_same_seed_same_data_and_defaults(name):
    entry, default = CATALOGUE[name], load(name)
    assert default.X.shape == (entry.n, entry.d) and default.source == "generated"
    assert default.digest == load(name, **entry.options).digest != load(name, seed=1).digest
    count = len(entry.classes)
    expected = entry.n / count
    assert (np.abs(np.bincount(default.y) - expected) < 5 * np.sqrt(expected * (1 - 1 / count))).all()


def test_twonorm_moments():
    minus, plus = classes_of("twonorm")
    assert_moments(minus, np.full(20, -2 / 20**0.5), np.eye(20))
    assert_moments(plus, np.full(20, 2 / 20**0.5), np.eye(20))


def test_ringnorm_moments():
    inner, outer = classes_of("ringnorm")
    assert_moments(inner, np.full(20, SHIFT), np.eye(20))
    assert_moments(outer, np.zeros(20), 4 * np.eye(20))


def test_gaussians_moments():
    for X, mean in zip(classes_of("gaussians"), MEANS, strict=True):
        assert_moments(X, mean, COVARIANCE)


def test_waveform_moments():
    # u is uniform with mean 1/2 and variance 1/12: mean (a + b)/2, covariance I + (a - b)(a - b)'/12.
    for X, (a, b) in zip(classes_of("waveform"), WAVES, strict=True):
        assert_moments(X, (a + b) / 2, np.eye(21) + np.outer(a - b, a - b) / 12)


def test_waves_are_shifts_of_the_first():
    (h1, h2), (_, h3), _ = WAVES
    assert h1.argmax() == 10 and h1.max() == 6 and h1.sum() == 36
    assert np.array_equal(h2[4:], h1[:-4]) and np.array_equal(h3[:-4], h1[4:])


def test_best_rule_of_twonorm_has_the_stated_error():
    data = load("twonorm", n=N, seed=5)
    errors = np.mean((data.X.sum(axis=1) > 0) != data.y)
    assert errors == pytest.approx(0.02275, abs=5 * np.sqrt(0.02275 * 0.97725 / N))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"n": 1}, "twonorm: n=1"),
        ({"n": 2.5}, "twonorm: n=2.5"),
        ({"n": "many"}, "twonorm: n=many"),
        ({"seed": -1}, "twonorm: seed=-1"),
        ({"samples": 5}, "twonorm: unknown option samples=5; twonorm takes n, seed"),
        ({"n": 2, "seed": 0}, "leave class"),
    ],
)
def test_wrong_options_are_named(options, words):
    with pytest.raises(UserError, match=words) as caught:
        load("twonorm", **options)
    assert "\n" not in str(caught.value)
