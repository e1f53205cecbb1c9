"""Stumps against the definition of their votes, and their presorted form against those."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from kernlearn.errors import UserError
from kernlearn.kernels import make_family
from kernlearn.solvers.stumps_networks.stumps import Sorted, edges, largest_edge, votes_of


def coarse(seed, n=12, d=3):
    """Examples with many equal values, and a constant feature."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 4, (n, d)).astype(float)
    X[:, -1] = 2.0
    return X, rng


def definition(stumps, X):
    return np.where(X[:, stumps.used[stumps.owners]] > stumps.thresholds, 1.0, -1.0).T


@pytest.mark.parametrize("draw", ["examples", "range"])
def test_drawn_stumps_are_thresholds_within_the_range_of_their_feature_and_follow_the_seed(draw):
    X, _ = coarse(0)
    family = make_family("stumps", number=40, draw=draw)
    one, again, other = family.fit(X, 3), family.fit(X, 3), family.fit(X, 4)
    assert len(one) == 40
    np.testing.assert_array_equal(one.thresholds, again.thresholds)
    assert not np.array_equal(one.thresholds, other.thresholds)
    columns = X[:, one.used[one.owners]]
    assert (columns.min(axis=0) <= one.thresholds).all() and (one.thresholds <= columns.max(axis=0)).all()
    assert (one.thresholds == columns).any(axis=0).all() == (draw == "examples")


def test_all_stumps_split_every_pair_of_neighbouring_values_once():
    X, _ = coarse(1)
    stumps = make_family("stumps", number=0).fit(X, 0)
    votes = definition(stumps, X)
    assert len(stumps) == 1 + sum(len(np.unique(column)) - 1 for column in X.T)
    assert len(np.unique(votes, axis=0)) == len(votes)
    assert (votes[0] == 1).all() and (np.abs(votes[1:].sum(axis=1)) < len(X)).all()


def test_a_threshold_between_neighbouring_numbers_keeps_them_apart():
    low = np.float64(0.1)
    X = np.array([[low], [np.nextafter(low, 1.0)], [1e308], [-1e308], [1.7e308]])
    stumps = make_family("stumps", number=0).fit(X, 0)
    assert len(stumps) == 5 and np.isfinite(stumps.thresholds[1:]).all()
    assert np.unique(stumps.votes(np.arange(5)), axis=0).shape == (5, 5)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([0, 9]), st.sampled_from(["examples", "range"]))
def test_the_sorted_form_has_the_edges_of_the_votes(seed, number, draw):
    X, rng = coarse(seed)
    stumps = make_family("stumps", number=number, draw=draw).fit(X, seed)
    votes = definition(stumps, X)
    np.testing.assert_array_equal(stumps.votes(np.arange(len(stumps))), votes)
    form = Sorted(stumps.order, stumps.starts, stumps.cuts)
    v = rng.normal(size=len(X))
    np.testing.assert_allclose(edges(form, v), votes @ v, atol=1e-12)
    s = largest_edge(form, v)
    assert abs(votes[s] @ v) == pytest.approx(np.abs(votes @ v).max(), abs=1e-12)
    np.testing.assert_array_equal(votes_of(form, s), votes[s])


def test_other_examples_and_some_of_them_get_the_same_votes_also_where_they_are_sparse():
    X, rng = coarse(2)
    Z = rng.normal(size=(7, 3))
    for number in (0, 15):
        stumps = make_family("stumps", number=number).fit(X, 0)
        every = np.arange(len(stumps))
        np.testing.assert_array_equal(stumps.at(Z).votes(every), definition(stumps, Z))
        rows = np.array([5, 2])
        np.testing.assert_array_equal(stumps.take(rows).votes(every), definition(stumps, X)[:, rows])
        thin = make_family("stumps", number=number).fit(sparse.csr_array(X), 0)
        np.testing.assert_array_equal(thin.thresholds, stumps.thresholds)
        np.testing.assert_array_equal(thin.at(sparse.csr_array(Z)).votes(every), stumps.at(Z).votes(every))


def test_wrong_values_are_told():
    with pytest.raises(UserError, match="number=-1"):
        make_family("stumps", number=-1)
    with pytest.raises(UserError, match="must be one of examples, range"):
        make_family("stumps", draw="normal")
    with pytest.raises(UserError, match="no features"):
        make_family("stumps").fit(np.zeros((3, 0)), 0)
