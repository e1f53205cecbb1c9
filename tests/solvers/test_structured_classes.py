"""Rounds over all outputs of classes: multipliers are feasible, get better, and have a cut each."""

from math import inf

import numpy as np
import pytest

from kernlearn.solvers.structured import classes as structured_classes
from kernlearn.solvers.structured.classes import LATE_ROUND, AllOutputs
from kernlearn.solvers.structured.cuts import Cuts
from tests.solvers.test_structured import chains, whole

C, n, k = 20.0, 30, 3


@pytest.fixture
def problem():
    X, labels, starts = chains(n=n, k=k, longest=1, seed=3)
    return X @ X.T, labels, starts


def outputs_of(problem):
    K, labels, starts = problem
    return AllOutputs(Cuts(K, labels, k, starts), 1e-8)


def improve(outputs, Z, B, rounds):
    """Return better multipliers, the value that these have in (4.5), and the steps."""
    cuts = outputs.cuts
    Z, steps = outputs.improve(Z, cuts.combine(Z[0] - Z[1] + Z[2]), C / n, B, rounds)
    squares = cuts.combine(Z[0] - Z[1] + Z[2]).squares
    assert Z.shape == (3, len(cuts)) and Z.min() >= 0.0 and (B < inf or not Z[1:].any())
    assert np.bincount(cuts.sequences, Z[0], n).max() <= C / n * (1 + 1e-12)
    assert all(way[0] != cuts.truth[i] for i, way in zip(cuts.sequences, cuts.ways, strict=True))
    return Z, Z[0].sum() - (B * Z[1:].sum() if B < inf else 0.0) - 0.5 * squares, steps


@pytest.mark.parametrize("B", [1.5, inf])
def test_one_round_of_interior_points_is_enough(problem, B):
    outputs = outputs_of(problem)
    assert outputs.due(1, B)
    Z, value, steps = improve(outputs, np.zeros((3, 0)), B, 1)
    assert steps > 0
    assert Z.any(axis=0).all()  # of those without a multiplier there is no cut
    assert value == pytest.approx(whole(*problem[:2], k, problem[2], C, B), rel=1e-6)


@pytest.mark.parametrize("B", [1.5, inf])
def test_rounds_of_many_directions_make_multipliers_better(problem, B, monkeypatch):
    monkeypatch.setattr(structured_classes, "FLOPS_AT_ONCE", 0.0)
    outputs = outputs_of(problem)
    assert outputs.due(LATE_ROUND + 1, B) and outputs.due(LATE_ROUND, B) == (B < inf)  # single cuts come before
    Z, value, steps, rounds = np.zeros((3, 0)), 0.0, 1, LATE_ROUND
    while steps and rounds < LATE_ROUND + 30:
        before, rounds = value, rounds + 1
        Z, value, steps = improve(outputs, Z, B, rounds)
        assert value >= before * (1 - 1e-12)
    best = whole(*problem[:2], k, problem[2], C, B)
    assert value == pytest.approx(best, rel=1e-6)


def test_interior_points_may_take_longer_in_a_late_round(problem, monkeypatch):
    monkeypatch.setattr(structured_classes, "FLOPS_AT_ONCE", 0.0)
    value = improve(outputs_of(problem), np.zeros((3, 0)), 1.5, LATE_ROUND)[1]
    assert value == pytest.approx(whole(*problem[:2], k, problem[2], C, 1.5), rel=1e-6)
