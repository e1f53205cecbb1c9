"""Sums and maxima over labellings, against all of them one by one."""

from itertools import product

import numpy as np
import pytest

from kernlearn.solvers.structured.chains import best_labels, marginals

STARTS = np.array([0, 4, 5, 10])


def chains(seed, scale, k=3):
    rng = np.random.default_rng(seed)
    return scale * rng.normal(size=(10, k)), scale * rng.normal(size=(k, k)), STARTS


def enumerated(emissions, transitions, starts):
    """Return log Z of all sequences, marginals of places and pairs, and the best labels."""
    k = len(transitions)
    log_z, places, pairs, best = 0.0, np.zeros_like(emissions), np.zeros((k, k)), []
    for a, b in zip(starts, starts[1:], strict=False):
        every = np.array(list(product(range(k), repeat=b - a)))
        score = emissions[np.arange(a, b), every].sum(axis=1) + transitions[every[:, :-1], every[:, 1:]].sum(axis=1)
        top = score.max()
        z = top + np.log(np.exp(score - top).sum())
        p = np.exp(score - z)
        for t in range(b - a):
            places[a + t] = np.bincount(every[:, t], p, k)
        for t in range(b - a - 1):
            np.add.at(pairs, (every[:, t], every[:, t + 1]), p)
        log_z += z
        best += every[score.argmax()].tolist()
    return log_z, places, pairs, best


@pytest.mark.parametrize("scale", [0.0, 1.0, 30.0, 500.0, 5000.0])
@pytest.mark.parametrize("seed", range(3))
def test_sums_and_maxima_are_those_of_all_labellings(seed, scale):
    """Also where exponentials of differences underflow."""
    problem = chains(seed, scale)
    found, (log_z, places, pairs, best) = marginals(*problem), enumerated(*problem)
    assert found.log_partition == pytest.approx(log_z, rel=1e-14)
    np.testing.assert_allclose(found.places, places, atol=1e-15 * max(scale, 100))
    np.testing.assert_allclose(found.pairs, pairs, atol=1e-15 * max(scale, 100))
    if scale:
        assert best_labels(*problem).tolist() == best


def test_a_large_difference_of_transitions_hides_nothing():
    """Between two labels that hardly follow each other there is exactly one way out, 800 below the others."""
    emissions = np.zeros((3, 2))
    emissions[0], emissions[2] = [0.0, -2000.0], [-2000.0, 0.0]
    problem = emissions, np.array([[0.0, -800.0], [-800.0, 0.0]]), np.array([0, 3])
    found, (log_z, places, pairs, _) = marginals(*problem), enumerated(*problem)
    assert found.log_partition == pytest.approx(log_z, rel=1e-14) and log_z < -799
    np.testing.assert_allclose(found.places, places, atol=1e-12)
    np.testing.assert_allclose(found.pairs, pairs, atol=1e-12)


def test_of_equal_labellings_the_first_label_is_taken_and_a_constant_changes_nothing():
    emissions, transitions, starts = chains(0, 1.0)
    assert best_labels(0 * emissions, 0 * transitions, starts).tolist() == [0] * 10
    moved = marginals(emissions + 7.0, transitions - 3.0, starts)
    found = marginals(emissions, transitions, starts)
    assert moved.log_partition == pytest.approx(found.log_partition + 7 * 10 - 3 * 7)
    np.testing.assert_allclose(moved.places, found.places, atol=1e-13)
