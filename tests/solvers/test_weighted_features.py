"""Machines with weights of their features against the quadratic program with quadratic constraints in Clarabel."""

import numpy as np
import pytest

from kernlearn.errors import UserError
from kernlearn.solvers import Chains, WeightedFeatures


def literal(F, y, C, B, chains):
    """The value of the program as it is printed, (5.14) of Shivaswamy (2010)."""
    N, base = chains.N, chains.base
    cp = pytest.importorskip("cvxpy")
    alpha, beta, eta = (cp.Variable(len(y), nonneg=True) for _ in range(3))
    t, gam = cp.Variable(), cp.multiply(y, alpha) - beta + eta
    z = F.T @ gam
    constraints = [alpha <= C, cp.sum(gam) == 0]
    constraints += [0.5 * cp.sum_squares(cp.multiply(np.sqrt(N[:, i]), z)) <= t for i in range(N.shape[1])]
    if B is None:
        constraints += [beta == 0, eta == 0]
    outer = 0.0 if B is None else B * cp.sum(beta + eta)
    value = cp.sum(alpha) - outer - 0.5 * cp.sum_squares(cp.multiply(np.sqrt(base), z)) - t
    return cp.Problem(cp.Maximize(value), constraints).solve(solver="CLARABEL")


def problem(seed, n=14, q=7):
    rng = np.random.default_rng(seed)
    y = np.where(np.arange(n) < n // 2, 1.0, -1.0)
    starts = np.append(True, rng.random(q - 1) < 0.4)
    return rng.normal(size=(n, q)) + 0.5 * y[:, None], y, Chains(starts, 0.2 + rng.random(q), 0.01 * rng.random(q))


@pytest.mark.parametrize("C", [0.05, 1.0, 50.0])
@pytest.mark.parametrize("B", [None, 2.5, 1.3])
def test_it_is_the_value_of_clarabel(C, B):
    F, y, chains = problem(1)
    found = WeightedFeatures(F, y, chains, 1e-8).solve(C, B)
    assert found.status == "optimal" and found.gap <= 1e-8
    assert found.objective == pytest.approx(literal(F, y, C, B, chains), rel=1e-6)


@pytest.mark.parametrize("B", [None, 1.7])
def test_the_claims_are_true_of_the_points(B):
    """The objective is that of a machine which keeps to the band, the lower bound that of feasible multipliers."""
    F, y, chains = problem(2)
    C = 3.0
    s = WeightedFeatures(F, y, chains).solve(C, B)
    delta = s.x
    w = delta * (F.T @ s.extras["gam"])
    f = F @ w + s.intercept
    norm = float((w[delta > 0] ** 2 / delta[delta > 0]).sum())
    assert s.objective == pytest.approx(0.5 * norm + C * np.maximum(0, 1 - y * f).sum(), rel=1e-9)
    assert B is None or np.abs(f).max() <= B * (1 + 1e-9)
    alpha, beta, eta = s.dual
    gam = alpha * y - beta + eta
    assert (s.dual >= 0).all() and alpha.max() <= C and abs(gam.sum()) < 1e-12 * alpha.sum()
    z2 = (F.T @ gam) ** 2
    outer = 0.0 if B is None else B * (beta + eta).sum()
    assert s.dual_objective == pytest.approx(
        alpha.sum() - outer - 0.5 * chains.base @ z2 - 0.5 * (chains.N.T @ z2).max(), rel=1e-9
    )
    least = delta - chains.base
    assert (least > -1e-12).all()


@pytest.mark.parametrize("scale", [1e-4, 1e4])
def test_it_is_the_same_in_other_units(scale):
    F, y, chains = problem(3)
    here = WeightedFeatures(F, y, chains, 1e-7).solve(2.0, 1.8)
    there = WeightedFeatures(scale * F, y, chains, 1e-7).solve(2.0 / scale**2, 1.8)
    assert there.objective * scale**2 == pytest.approx(here.objective, rel=1e-9)
    np.testing.assert_allclose(there.x, here.x, atol=1e-7)


def test_equal_and_contradictory_examples_and_features_without_anything():
    F, y, chains = problem(4)
    F[7:] = F[:7]  # every example with both labels
    F[:, 2] = 0.0
    for B in (None, 1.5):
        found = WeightedFeatures(F, y, chains).solve(1.0, B)
        assert found.status == "optimal"
        assert found.objective == pytest.approx(14.0, rel=1e-5)
    empty = WeightedFeatures(np.zeros_like(F), y, chains).solve(1.0)
    assert empty.objective == pytest.approx(14.0)


def test_two_examples():
    F = np.array([[1.0, 0.0], [-1.0, 0.0]])
    found = WeightedFeatures(F, np.array([1.0, -1.0]), Chains(np.ones(2, bool), np.ones(2), np.zeros(2)), 1e-9).solve(
        1e3
    )
    assert found.objective == pytest.approx(0.5, rel=1e-8)
    np.testing.assert_allclose(found.x, [1.0, 0.0], atol=1e-6)


def test_bands_within_the_margin_are_refused():
    F, y, chains = problem(5)
    with pytest.raises(UserError, match="leave no margin"):
        WeightedFeatures(F, y, chains).solve(1.0, 1.0)


def test_the_sums_of_chains_are_products_with_their_matrix():
    *_, chains = problem(6, q=9)
    v = np.random.default_rng(0).normal(size=9)
    np.testing.assert_allclose(chains.weights(v), chains.base + chains.N @ v, atol=1e-15)
    np.testing.assert_allclose(chains.sums(v), chains.N.T @ v, atol=1e-15)
    assert not chains.starts.all() and chains.starts[1:].any() and (np.tril(chains.N, -1) == 0).all()
