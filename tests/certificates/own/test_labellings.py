"""Sums, maxima and flows over all labellings, against all labellings one by one."""

from itertools import product

import numpy as np
import pytest

from kernlearn.certificates.own.labellings import expected, flows_of, largest, margins, scores
from kernlearn.errors import UserError

STARTS, K = np.array([0, 1, 5, 8]), 3
RNG = np.random.default_rng(0)
E, T = RNG.normal(size=(8, K)), RNG.normal(size=(K, K))
TRUTH = RNG.integers(0, K, 8)


def labellings(i):
    return [np.array(one) for one in product(range(K), repeat=int(STARTS[i + 1] - STARTS[i]))]


def score(i, labels):
    a = STARTS[i]
    return sum(E[a + t, label] for t, label in enumerate(labels)) + sum(
        T[i, j] for i, j in zip(labels, labels[1:], strict=False)
    )


def test_sums_and_expectations_are_those_of_all_labellings():
    found, places, pairs, log_z = expected(E, T, STARTS), np.zeros((8, K)), np.zeros((K, K)), 0.0
    for i in range(3):
        each = labellings(i)
        weights = np.exp([score(i, one) for one in each])
        log_z += np.log(weights.sum())
        for one, p in zip(each, weights / weights.sum(), strict=True):
            places[STARTS[i] + np.arange(len(one)), one] += p
            np.add.at(pairs, (one[:-1], one[1:]), p)
    assert found.log_partition == pytest.approx(log_z, rel=1e-13)
    np.testing.assert_allclose(found.places, places, atol=1e-13)
    np.testing.assert_allclose(found.pairs, pairs, atol=1e-13)


def test_margins_are_those_of_all_other_labellings():
    least, most = margins(E, T, STARTS, TRUTH)
    best, true = largest(E, T, STARTS), scores(E, T, STARTS, TRUTH)
    for i in range(3):
        own = TRUTH[STARTS[i] : STARTS[i + 1]]
        others = [score(i, one) for one in labellings(i) if not np.array_equal(one, own)]
        assert true[i] == pytest.approx(score(i, own), rel=1e-13)
        assert least[i] == pytest.approx(score(i, own) - max(others), rel=1e-12)
        assert most[i] == pytest.approx(score(i, own) - min(*others, score(i, own)), rel=1e-12)
        assert best[i] == pytest.approx(max(*others, score(i, own)), rel=1e-13)


def stored(multipliers):
    """Return flows of (kind, sequence, labels, amount) as a model keeps them."""
    rows = []
    for kind, i, labels, amount in multipliers:
        before = [0, *labels[:-1]]
        rows += [
            (kind, STARTS[i] + t, before[t] if t else 0, label, amount) for t, label in enumerate(np.asarray(labels))
        ]
    return np.array(rows, dtype=float).T


def of_labellings(multipliers):
    """Return the sums of (D) and w of multipliers, labelling by labelling; the true ones count for nothing."""
    inner, outer, places, pairs = 0.0, 0.0, np.zeros((8, K)), np.zeros((K, K))
    for kind, i, labels, amount in multipliers:
        own, rows = TRUTH[STARTS[i] : STARTS[i + 1]], np.arange(STARTS[i], STARTS[i + 1])
        u = -amount if kind == 1 else amount
        for sign, one in ((u, own), (-u, np.asarray(labels))):
            places[rows, one] += sign
            np.add.at(pairs, (one[:-1], one[1:]), sign)
        inner += amount if kind == 0 and not np.array_equal(labels, own) else 0.0
        outer += amount if kind else 0.0
    return inner, outer, places, pairs


def test_flows_of_some_labellings_are_their_multipliers():
    for seed in range(20):
        rng = np.random.default_rng(seed)
        some = [
            (int(rng.integers(0, 3)), i, labellings(i)[number], float(rng.random()))
            for i in range(3)
            for number in rng.choice(len(labellings(i)), 2, replace=False)
        ]
        inner, outer, places, pairs = of_labellings(some)
        found = flows_of(stored(some), STARTS, TRUTH, K, 10.0, True)
        # Two labellings may be recombined to others, of which fewer, or more, are the true one: never is more claimed.
        assert found.inner >= inner - 1e-12 and found.outer == pytest.approx(outer, abs=1e-12)
        np.testing.assert_allclose(found.places, places, atol=1e-12)
        np.testing.assert_allclose(found.pairs, pairs, atol=1e-12)
        recombined = {tuple(TRUTH[STARTS[i] : STARTS[i + 1]]) for i in range(3)} & {tuple(one[2]) for one in some}
        assert recombined or found.inner == pytest.approx(inner, abs=1e-12)


def test_flow_through_the_true_labels_counts_for_nothing():
    own = TRUTH[1:5]
    found = flows_of(stored([(0, 1, own, 2.0)]), STARTS, TRUTH, K, 10.0, True)
    assert found.inner == 0.0 and not found.places.any() and not found.pairs.any()


def test_flows_beyond_the_bound_are_cut_to_it():
    some = [(0, 1, (TRUTH[1:5] + 1) % K, 3.0)]
    found, within = (flows_of(stored(some), STARTS, TRUTH, K, most, True) for most in (1.5, 10.0))
    assert found.inner == pytest.approx(1.5) and within.inner == pytest.approx(3.0)
    np.testing.assert_allclose(found.places, 0.5 * within.places, atol=1e-15)


@pytest.mark.parametrize(
    "change",
    [
        lambda flows: flows[:, 1:],
        lambda flows: flows[:4],
        lambda flows: np.where(np.arange(5)[:, None] == 1, 50, flows),
        lambda flows: np.where(np.arange(5)[:, None] == 3, 0.5, flows),
        lambda flows: np.where(np.arange(5)[:, None] == 4, np.nan, flows),
        lambda flows: flows + np.array([0, 0, 0, 0, 1])[:, None] * np.arange(flows.shape[1]),
    ],
)
def test_what_is_no_flow_is_refused(change):
    flows = stored([(0, 1, (TRUTH[1:5] + 1) % K, 3.0)])
    with pytest.raises(UserError, match="stored"):
        flows_of(change(flows), STARTS, TRUTH, K, 10.0, True)
