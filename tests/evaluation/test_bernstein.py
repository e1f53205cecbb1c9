from itertools import combinations
from math import log, sqrt

import numpy as np
import pytest
from scipy.optimize import brentq

from kernlearn.evaluation.risk_bounds.bernstein import bernstein_of_errors, empirical_bernstein, hoeffding


@pytest.mark.parametrize(("z", "n", "delta"), [(0.0, 100, 0.05), (0.04, 2000, 1e-5), (0.3, 50, 0.1)])
def test_bernstein_is_the_largest_mean_that_it_allows(z, n, delta):
    def excess(p):
        return p - z - sqrt(2 * p * (1 - p) * log(1 / delta) / n) - log(1 / delta) / (3 * n)

    assert bernstein_of_errors(z, n, delta) == pytest.approx(brentq(excess, z + 1e-12, 1.0), rel=1e-9)


def test_the_variance_is_that_of_pairs():
    """Theorem 29 has sum_{i>j} (z_i - z_j)^2 / (n (n - 1))."""
    sample = np.random.default_rng(0).random(40)
    pairs = sum((a - b) ** 2 for a, b in combinations(sample, 2)) / (40 * 39)
    by_hand = sample.mean() + sqrt(2 * pairs * log(40) / 40) + 7 * log(40) / (3 * 39)
    assert empirical_bernstein(sample.mean(), sample.var(ddof=1), 40, 0.05) == pytest.approx(by_hand)


@pytest.mark.parametrize("p", [0.02, 0.3])
def test_they_fail_seldom_enough_and_small_errors_gain_by_their_variance(p):
    n, delta = 400, 0.05
    means = np.random.default_rng(1).binomial(n, p, 4000) / n
    bounds = {
        "hoeffding": [hoeffding(z, n, delta) for z in means],
        "bernstein": [bernstein_of_errors(z, n, delta) for z in means],
        "empirical": [empirical_bernstein(z, n / (n - 1) * z * (1 - z), n, delta) for z in means],
    }
    for found in bounds.values():
        assert np.mean(np.array(found) < p) <= delta
    assert (np.mean(bounds["bernstein"]) < np.mean(bounds["hoeffding"])) == (p < 0.1)


def test_no_bound_is_above_one():
    for z in (0.9, 1.0):
        assert max(hoeffding(z, 5, 0.01), bernstein_of_errors(z, 5, 0.01), empirical_bernstein(z, 0.1, 5, 0.01)) == 1.0
