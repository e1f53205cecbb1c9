"""Interior points have as few coefficients as a vertex."""

import numpy as np
import pytest

pytest.importorskip("numba")

from kernlearn.solvers import DualSimplexSolver, InteriorSolver
from kernlearn.solvers.hinge_l1.parts import SETTINGS
from tests.solvers.hinge_problems import noisy, on_sphere, polynomial_problem


@pytest.mark.parametrize("strength", [1e-1, 1e-2, 1e-3])
def test_as_few_coefficients_as_a_vertex_has(strength):
    columns, cost = noisy(300)
    vertex = DualSimplexSolver(columns).solve(cost(strength, strength))
    found = InteriorSolver(columns, 1e-6).solve(cost(strength, strength))
    assert found.status == "optimal"
    assert np.count_nonzero(found.x) <= 1.2 * np.count_nonzero(vertex.x) + 2


@pytest.mark.slow
def test_examples_in_groups_do_not_keep_columns_in_the_solution():
    random = np.random.default_rng(1)
    X = on_sphere(random.standard_normal((1500, 8)))
    y = np.sign(X[:, 0] + X[:, 1] * X[:, 2] + 0.1 * X.std() * random.standard_normal(len(X)))
    columns, _ = polynomial_problem(X, y, degrees=range(1, 11))
    assert len(X) > SETTINGS.min_alone
    cost = np.full((10, len(X)), 1e-2)
    vertex, near = DualSimplexSolver(columns).solve(cost), InteriorSolver(columns, 1e-6).solve(cost)
    assert near.status == "optimal"
    assert np.count_nonzero(near.x) <= 1.1 * np.count_nonzero(vertex.x)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("span", [7, 9])
@pytest.mark.parametrize("seed", range(4))
def test_costs_far_below_the_others_are_bounds_too(seed, span):
    """Features of very different size have such: raised to a millionth of the others they proved nothing."""
    columns, cost = noisy(150, seed)
    random, cost = np.random.default_rng(seed), cost(1e-2, 1e-2)
    cheap = random.random(cost.shape) < 0.05
    cost[cheap] *= 10.0 ** (-span * random.random(cheap.sum()))
    found = InteriorSolver(columns, 1e-6).solve(cost)
    assert found.status == "optimal"
    assert found.objective == pytest.approx(DualSimplexSolver(columns).solve(cost).objective, rel=2e-6)
