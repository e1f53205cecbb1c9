"""Flows of multipliers: against all labellings of a sequence, written out."""

from itertools import product

import numpy as np
import pytest

from kernlearn.solvers.structured.cuts import Cuts
from kernlearn.solvers.structured.flows import improve
from kernlearn.solvers.structured.mixtures import improved
from tests.solvers.test_structured import chains, whole

K_LABELS, C, TRUTH = 3, 0.5, np.array([0, 1, 1, 2])


@pytest.mark.parametrize("length", [1, 4])
def test_flows_of_one_sequence_reach_the_optimum_over_all_labellings(length):
    X = np.random.default_rng(4).normal(size=(length, 6))
    K, truth, B = X @ X.T + 0.1, TRUTH[:length], 1.3
    E, T = np.zeros((length, K_LABELS)), np.zeros((K_LABELS, K_LABELS))
    P, F = np.zeros((2, length, K_LABELS + 1)), np.zeros((2, length - 1, K_LABELS + 1, K_LABELS + 1))
    while improve(K, E, T, truth, P, F, C, B, 1e-9):
        pass
    np.testing.assert_allclose(P[:, :-1], F.sum(axis=3), atol=1e-12)
    np.testing.assert_allclose(P[:, 1:], F.sum(axis=2), atol=1e-12)
    assert not P[:, -1, K_LABELS].any() and (P >= 0).all() and (F >= 0).all()
    assert P[0, 0].sum() <= C * (1 + 1e-12)

    def margin(y):
        places = sum(E[t, truth[t]] - E[t, y[t]] for t in range(length))
        return places + sum(T[truth[t], truth[t + 1]] - T[y[t], y[t + 1]] for t in range(length - 1))

    margins = [margin(y) for y in product(range(K_LABELS), repeat=length) if y != tuple(truth)]
    assert max(margins) == pytest.approx(B if length > 1 else 1.0, abs=1e-8)  # one place does not reach the bound
    assert (P[1, 0].sum() > 0.0) == (length > 1)
    # |w|^2 is what the flows of the margins add up to
    value = 0.0
    for s, p, f in zip((1.0, -1.0), P, F, strict=True):
        flat = p[:, :K_LABELS].copy()
        flat[np.arange(length), truth] += p[:, K_LABELS]
        value += s * (p[0].sum() * E[np.arange(length), truth].sum() - (flat * E).sum())
        for t in range(length - 1):
            pair = f[t, :K_LABELS, :K_LABELS].copy()
            pair[truth[t]] += f[t, K_LABELS, :K_LABELS]
            pair[truth[t], truth[t + 1]] += f[t, K_LABELS, K_LABELS]
            value += s * (p[0].sum() * T[truth[t], truth[t + 1]] - (pair * T).sum())
    dual = P[0, 0].sum() - B * P[1, 0].sum() - 0.5 * value
    assert dual == pytest.approx(whole(K, truth, K_LABELS, [0, length], C, B), rel=1e-6)


def test_means_of_labellings_have_the_w_that_flows_have():
    X, labels, starts = chains(n=6, longest=4, seed=2)
    K, n = X @ X.T, 6
    cuts, Z = Cuts(K, labels, 3, starts), np.zeros((3, 0))
    rng, value = np.random.default_rng(0), 0.0
    for _ in range(4):
        sequences = np.arange(n)
        wrong = np.split((labels + rng.integers(1, 3, len(labels))) % 3, starts[1:-1])
        added = cuts.add(sequences, wrong)
        Z = np.concatenate([Z, np.zeros((3, added))], axis=1)
        w = cuts.combine(Z[0] - Z[1])
        better = improved(cuts, Z, w.E, w.T, 0.2, 1.2, 1e-6)
        Z[:2, better.changed[cuts.sequences]] = 0.0
        cuts.add_mixtures(better.sequences, better.flows)
        Z = np.concatenate([Z, np.zeros((3, len(better.sums)))], axis=1)
        Z[better.kinds, Z.shape[1] - len(better.sums) + np.arange(len(better.sums))] = better.sums
        g = Z[0] - Z[1]
        w = cuts.combine(g)
        squares = w.squares
        assert g @ cuts.gram @ g == pytest.approx(squares)
        np.testing.assert_allclose(cuts.outputs(w), cuts.gram @ g, atol=1e-12 * squares)
        assert Z[0].sum() - 1.2 * Z[1].sum() - 0.5 * squares > value
        value = Z[0].sum() - 1.2 * Z[1].sum() - 0.5 * squares
    assert value <= whole(K, labels, 3, starts, 0.2 * n, 1.2) * (1 + 1e-9)
