import math

import numpy as np
import pytest

from kernlearn.evaluation.risk_bounds.kernel_learning import confidence, l1_complexity, lq_complexity, srebro_ben_david


@pytest.mark.parametrize("p", [2, 5, 30])
def test_complexities_bound_the_rademacher_complexity(p):
    # Proposition 2.5 gives it exactly, E sqrt(|u|_r) / m with u_k = s^T K_k s; the margin multiplies it by 2/rho.
    rng, m, ratio = np.random.default_rng(p), 40, 0.2
    Phi = rng.normal(size=(p, m, 3))
    Phi /= np.linalg.norm(Phi, axis=2, keepdims=True)  # K_k(x, x) = 1
    signs = rng.choice([-1.0, 1.0], (2000, m))
    u = ((signs @ Phi) ** 2).sum(axis=2)  # (p, draws)
    for norm, bound in [(np.inf, l1_complexity(m, p, ratio)), (2, lq_complexity(m, p, ratio))]:
        exact = 2 / ratio * np.mean(np.sqrt(np.linalg.norm(u, norm, axis=0))) / m
        assert 0.2 * bound < exact <= bound


def test_l1_complexity_by_hand():
    # 2 sqrt(23/22 e 3 25 / 10^6) for p = 10 and p = 20 alike: both have ceil(log p) = 3.
    assert l1_complexity(1e6, 10, 0.2) == l1_complexity(1e6, 20, 0.2)
    assert l1_complexity(1e6, 10, 0.2) == pytest.approx(2e-3 * math.sqrt(23 / 22 * math.e * 75))


def test_rates():
    m = np.array([1e4, 4e4])
    for term in (l1_complexity(m, 50, 0.3), lq_complexity(m, 50, 0.3, r=3), confidence(m, 0.1)):
        assert term[0] == pytest.approx(2 * term[1])
    assert lq_complexity(1e5, 16 * 7, 0.3) == pytest.approx(2 * lq_complexity(1e5, 7, 0.3))  # p^(1/4)
    assert l1_complexity(1e5, 7, 0.1) == pytest.approx(2 * l1_complexity(1e5, 7, 0.2))


def test_srebro_ben_david_in_small_steps():
    m, p, R_over_rho = 1e6, 10.0, 5.0
    first = p * (math.log(128) + 1 + 3 * math.log(m) + 2 * math.log(R_over_rho) - math.log(p))
    second = 256 * R_over_rho**2 * (1 + math.log(m) - math.log(8 * R_over_rho)) * math.log(128 * m * R_over_rho**2)
    assert srebro_ben_david(m, p, 1 / R_over_rho) == pytest.approx(math.sqrt(8 * (2 + first + second) / m))


def test_confidence_holds_at_its_value():
    m, delta = 36000, 0.01
    assert 2 * math.exp(-2 * m * (confidence(m, delta) / 3) ** 2) == pytest.approx(delta)
