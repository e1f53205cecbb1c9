"""The weight of proximal steps: units, slow rounds, and steps that move nothing."""

import pytest

from kernlearn.solvers.structured.proximal import FIRST, LEAST, PATIENCE, ProximalWeight


def test_the_weight_is_in_units_of_losses_to_penalty_and_keeps_what_multipliers_are_in_the_dual():
    weight = ProximalWeight()
    assert weight.rho == 0.0 and weight.factor == 1.0  # a round for (P) itself
    multiplier = 3.0
    for losses in (8.0, 0.0, 100.0):
        before = weight.factor * multiplier
        multiplier *= weight.update(losses, 2.0, 0.5, 1.0)
        assert weight.rho == FIRST * losses / 2.0
        assert weight.factor * multiplier == pytest.approx(before, rel=1e-15)


def test_slow_rounds_in_a_row_halve_the_weight_down_to_the_least():
    weight = ProximalWeight()
    for _ in range(PATIENCE - 1):
        weight.update(1.0, 1.0, 0.99, 1.0)
    weight.update(1.0, 1.0, 0.5, 1.0)  # headway: they are counted anew
    for _ in range(PATIENCE - 1):
        weight.update(1.0, 1.0, 0.99, 1.0)
    assert weight.rho == FIRST
    weight.update(1.0, 1.0, 0.99, 1.0)
    assert weight.rho == 0.5 * FIRST
    for _ in range(10 * PATIENCE):
        weight.update(1.0, 1.0, 0.99, 1.0)
    assert weight.rho == LEAST


def test_steps_that_move_nothing_become_longer_and_at_last_any():
    weight = ProximalWeight()
    shares = []
    while weight.share > 0.0:
        weight.relax()
        shares.append(weight.share)
        for _ in range(PATIENCE):  # slow rounds do not make a weight larger that is below the least
            weight.update(1.0, 1.0, 0.99, 1.0)
        assert weight.rho == weight.share == shares[-1] or weight.rho == LEAST == 0.5 * shares[-1]
    assert shares == sorted(shares, reverse=True) and 1 < len(shares) < 10
    assert weight.factor == 1.0
