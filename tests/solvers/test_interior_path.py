"""Interior points on a path: where the next program begins, what is kept of those before, and how it goes on."""

import json

import numpy as np
import pytest

from kernlearn.certificates import hinge_l1

pytest.importorskip("numba")

from kernlearn.kernels import make_family
from kernlearn.kernels.matrices.columns import KernelColumns
from kernlearn.kernels.matrices.streamed import kernel_stack
from kernlearn.solvers import DualSimplexSolver, InteriorSolver
from kernlearn.solvers.core.clock import watched
from kernlearn.solvers.hinge_l1.parts import Settings
from tests.conftest import first_of
from tests.solvers.hinge_problems import noisy, on_sphere, polynomial_problem, quadratic_form


def test_a_thinned_program_goes_on_from_every_round_to_the_same_bits():
    random = np.random.default_rng(0)
    X = on_sphere(random.standard_normal((437, 10)))
    y = quadratic_form(X, random)
    streamed = KernelColumns(kernel_stack(make_family("polynomial", degrees=[6]), X, X, 0.0), y)
    cost, states = np.full((1, 437), 1e-3), []
    solver = InteriorSolver(streamed, 1e-6)
    with watched(lambda gap, state: states.append(json.dumps(state())) if state else None):
        found = solver.solve(cost)
    assert len(states) > 4
    for state in states:
        again = InteriorSolver(streamed, 1e-6)
        again.restore(json.loads(state))
        np.testing.assert_array_equal(again.solve(cost).x, found.x)


def test_a_solution_is_where_the_next_begins():
    columns, cost = noisy(120)
    solver = InteriorSolver(columns)
    first, again = (solver.solve(cost(1e-2, 1e-2)) for _ in range(2))
    near, cold = (s.solve(cost(1e-2, 0.9e-2)) for s in (solver, InteriorSolver(columns)))
    assert again.status == near.status == "optimal"
    assert again.iterations < 0.5 * first.iterations and near.rounds < cold.rounds
    assert near.objective == pytest.approx(cold.objective, rel=2e-4)


def test_a_known_point_and_bound_are_the_solution_where_they_prove_it():
    random = np.random.default_rng(0)  # separable: the loss is 0, and costs ten times smaller change no coefficient
    X = on_sphere(random.standard_normal((80, 6)))
    columns, cost = polynomial_problem(X, np.sign(X[:, 0] + 0.1 * X[:, 1] ** 3), degrees=range(1, 6))
    solver = InteriorSolver(columns)
    first = solver.solve(cost(1e-4, 1e-4))
    for strength in (1e-5, 1e-6, 1e-5):  # also a larger one after a smaller one
        found, exact = (
            solver.solve(cost(strength, strength)),
            DualSimplexSolver(columns).solve(cost(strength, strength)),
        )
        np.testing.assert_allclose(found.x, first.x, rtol=1e-13)  # margins of 1 - eps are stretched to 1 once more
        assert found.iterations == 0 and found.status == "optimal"
        assert found.dual_objective <= exact.objective * (1 + 1e-9) <= found.objective * (1 + 2e-9)
        again = hinge_l1(columns, cost(strength, strength), found.x, columns.shape[1] * found.dual)
        assert again.gap == pytest.approx(found.gap, abs=1e-9)
    other = solver.solve(cost(1e-4, 1e-2))
    assert other.iterations > 0 and other.status == "optimal"


def test_a_grid_has_the_values_of_the_simplex_method_however_it_is_gone_through():
    columns, cost = noisy(150)
    solver, simplex = InteriorSolver(columns), DualSimplexSolver(columns)
    points = [(a, b) for a in (1e-1, 1e-2, 1e-4, 1e-6) for b in (1e-1, 1e-3, 1e-6)]
    for at in [*points, *reversed(points)]:
        found, exact = solver.solve(cost(*at)), simplex.solve(cost(*at))
        assert found.status == "optimal"
        assert found.dual_objective <= exact.objective * (1 + 1e-9) <= found.objective * (1 + 2e-9)


def test_points_that_are_kept_are_bounded():
    columns, cost = noisy(120)
    solver = InteriorSolver(columns, 1e-6, settings=Settings(known=2))
    for beta in (0.1, 0.05, 0.02, 0.01, 0.005):
        solution = solver.solve(cost(0.0, beta))
        assert solution.status == "optimal"
        assert solution.objective == pytest.approx(
            DualSimplexSolver(columns).solve(cost(0.0, beta)).objective, rel=2e-6
        )
    state = json.loads(json.dumps(solver.state()))
    assert len(state["known"]) == len(state["duals"]) == 2
    other = InteriorSolver(columns, 1e-6)
    other.restore(state)
    np.testing.assert_array_equal(other.solve(cost(0.0, 0.002)).x, solver.solve(cost(0.0, 0.002)).x)


@pytest.mark.parametrize("seed", first_of(range(100, 130)))
def test_no_solution_is_worse_than_one_that_is_known(seed):
    """With contradictory copies little is proved of weak penalties, and what was found before stays."""
    random = np.random.default_rng(seed)
    X = random.integers(0, 4, (30, 3))[random.integers(15, size=30)].astype(float)
    columns, cost = polynomial_problem(X, random.choice([-1.0, 1.0], 30), degrees=[5])
    solver, before = InteriorSolver(columns), 1.0
    for beta in 10.0 ** -np.arange(1, 7):
        solution = solver.solve(cost(0.0, beta))
        assert solution.objective <= before * (1.0 + 1e-9)
        before = solution.objective
