from math import inf, log, sqrt

import pytest

from kernlearn.evaluation.risk_bounds.rademacher import theorem1, theorem2


def test_theorem1_by_hand():
    """m = 10^6, p = 3, rho = 1: 4 log(10^6 / log 3) = 54.887, so the ceiling is 55."""
    value = theorem1(0.1, 0.01, 1.0, 3, 10**6, 0.1)
    assert value == pytest.approx(0.1 + 0.04 + 2 * sqrt(log(3) / 1e6) + sqrt(55 * log(3) / 1e6 + log(20) / 2e6))


@pytest.mark.parametrize("theorem", [theorem1, theorem2])
def test_bounds_grow_with_loss_and_complexity_and_shrink_with_the_sample(theorem):
    base = theorem(0.1, 0.01, 0.5, 10, 10**6, 0.05)
    assert theorem(0.2, 0.01, 0.5, 10, 10**6, 0.05) > base
    assert theorem(0.1, 0.02, 0.5, 10, 10**6, 0.05) > base
    assert theorem(0.1, 0.01, 0.5, 10, 10**6, 0.01) > base
    assert theorem(0.1, 0.01, 0.5, 10, 10**7, 0.05) < base < theorem(0.1, 0.01, 0.5, 20, 10**6, 0.05)
    limit = theorem(0.1, 0.0, 0.5, 10, 10**14, 0.05)
    assert limit == pytest.approx(0.1 if theorem is theorem1 else 0.2, abs=1e-4)


@pytest.mark.parametrize("theorem", [theorem1, theorem2])
def test_a_margin_too_small_for_the_sample_says_nothing(theorem):
    assert theorem(0.0, 0.0, 1e-3, 10, 200, 0.05) == inf


def test_theorem2_is_the_faster_one_without_margin_errors():
    m = 10**7
    assert theorem2(0.0, 1e-6, 0.9, 10, m, 0.05) < theorem1(0.0, 1e-6, 0.9, 10, m, 0.05)
