"""The dual simplex solver against HiGHS, on instances made to be hard: ties, copies, zeros, scales far apart."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("numba")

from kernlearn.solvers import HighsSolver
from kernlearn.solvers.core.lp import SolverError
from kernlearn.solvers.simplex import dual_simplex
from kernlearn.solvers.simplex.dual_simplex import DualSimplexSolver
from kernlearn.solvers.simplex.pivots import _long_step
from kernlearn.solvers.simplex.tableau import Tableau
from tests.conftest import first_of
from tests.solvers.hinge_problems import (
    DenseColumns,
    categorical,
    copies,
    flipped,
    linprog_objective,
    on_sphere,
    partly_free,
    polynomial_problem,
    scales_far_apart,
)


def check(columns, cost, solver=None):
    """Solve, hold the answer against HiGHS, and return it."""
    solver = solver or DualSimplexSolver(columns)
    solution = solver.solve(cost)
    assert solver.fallbacks == 0
    assert solution.status == "optimal"
    assert -1e-12 <= solution.gap <= 1e-9
    reference = HighsSolver(columns).solve(cost)
    slack = 1e-9 * reference.objective + 1e-15  # HiGHS may miss the tolerance, so compare what the two have proved
    assert reference.dual_objective - slack <= solution.objective <= reference.objective + slack
    products = np.abs(columns.price(solution.dual))
    assert (products <= cost * (1 + 1e-7) + 1e-15).all()
    assert (solution.dual >= 0).all() and (solution.dual <= 1 / columns.shape[1]).all()
    return solution


@pytest.mark.parametrize("shape", [(1, 2, 1), (1, 2, 2), (2, 5, 9), (3, 30, 10), (2, 40, 40), (1, 60, 100)])
@pytest.mark.parametrize("cost", [1e-6, 1e-3, 1e-1, 10.0])
def test_agrees_with_linprog_on_random_instances(shape, cost):
    A = np.random.default_rng(sum(shape)).standard_normal(shape)
    costs = cost * np.random.default_rng(1).uniform(0.5, 2.0, (shape[0], shape[2]))
    solution = check(DenseColumns(A), costs)
    assert solution.objective == pytest.approx(linprog_objective(A, costs), rel=1e-7, abs=1e-7)


def test_two_examples():
    columns = DenseColumns([[[1.0, 0.5], [0.5, 2.0]]])
    for cost in 10.0 ** -np.arange(7):
        check(columns, np.full((1, 2), cost))


def test_no_column_pays():
    solution = check(DenseColumns(np.random.default_rng(0).standard_normal((2, 20, 20))), np.full((2, 20), 1e3))
    assert solution.objective == 1.0
    assert not solution.x.any()


def test_zero_columns_equal_kernels_and_copies():
    A = copies(np.random.default_rng(3))
    A[:, 20] = A[:, 0]
    columns = DenseColumns(A)
    solver = DualSimplexSolver(columns)
    assert len(solver._scaled.u) == 13 and solver._scaled.u.sum() == 24
    for cost in (1.0, 1e-1, 1e-2, 1e-4, 1e-6):
        solution = check(columns, np.full((2, 12), cost), solver)
        assert not solution.x[:, [3, 5]].any()
        assert solution.dual[:10] == pytest.approx(solution.dual[10:20])


def test_the_cheaper_of_two_copies_is_used():
    A = np.random.default_rng(11).standard_normal((2, 20, 10))
    A[:, :, 5:] = A[:, :, :5]
    columns, cost = DenseColumns(A), np.full((2, 10), 0.1)
    cost[0, 5:], cost[1, :5] = 0.01, 0.02
    solution = check(columns, cost)
    assert solution.objective == pytest.approx(linprog_objective(A, cost), rel=1e-7, abs=1e-7)
    assert not solution.x[0, :5].any() and not solution.x[1, 5:].any()


@pytest.mark.parametrize("separable", [True, False])
def test_no_penalty(separable):
    A = np.random.default_rng(4).standard_normal((1, 30, 40 if separable else 5))
    cost = np.zeros((1, A.shape[2]))
    solution = DualSimplexSolver(DenseColumns(A)).solve(cost)
    assert solution.objective == pytest.approx(linprog_objective(A, cost), abs=1e-7)
    assert solution.status == ("optimal" if separable else "inaccurate")  # no dual point is exactly feasible


def test_some_columns_are_free():
    A, cost = partly_free(np.random.default_rng(5))
    solution = DualSimplexSolver(DenseColumns(A)).solve(cost)
    assert solution.objective == pytest.approx(linprog_objective(A, cost), rel=1e-7, abs=1e-7)


def test_scales_far_apart():
    A, cost = scales_far_apart(np.random.default_rng(6))
    columns = DenseColumns(A)
    for factor in (1.0, 1e-2, 1e-4):
        check(columns, factor * cost)


@pytest.mark.parametrize("order", ["down", "up", "random"])
def test_any_order_of_the_grid_gives_the_same_values(order):
    random = np.random.default_rng(7)
    X = random.standard_normal((60, 4))
    columns, cost = polynomial_problem(on_sphere(X), np.where(X[:, 0] * X[:, 1] > 0, 1.0, -1.0))
    grid = [(lambda_, beta) for lambda_ in (1.0, 1e-2, 1e-4) for beta in (1e-1, 1e-3, 1e-6)]
    cold = {point: DualSimplexSolver(columns).solve(cost(*point)).objective for point in grid}
    if order == "up":
        grid.reverse()
    elif order == "random":
        random.shuffle(grid)
    solver = DualSimplexSolver(columns)
    for point in grid + grid[:2]:
        assert solver.solve(cost(*point)).objective == pytest.approx(cold[tuple(point)], rel=2e-9)
    assert solver.fallbacks == 0


def test_a_known_cost_takes_no_pivot():
    A = np.random.default_rng(8).standard_normal((1, 50, 50))
    solver = DualSimplexSolver(DenseColumns(A))
    cost = np.full((1, 50), 0.02)
    first = solver.solve(cost)
    solver.solve(cost / 10)
    assert first.iterations > 0
    assert solver.solve(cost).iterations == 0


@pytest.mark.parametrize(("m", "d", "seed"), first_of([(120, 4, 1), (120, 4, 2), (120, 4, 3), (300, 5, 0)], 3))
def test_ties_and_contradictions_do_not_cycle(m, d, seed):
    columns, cost = polynomial_problem(*categorical(m, d, seed), degrees=range(1, 11))
    solver = DualSimplexSolver(columns)
    for beta in 10.0 ** -np.arange(7):
        check(columns, cost(0.0, beta), solver)
        check(columns, cost(1e-3, beta), solver)


@pytest.mark.slow
@pytest.mark.parametrize(("levels", "d", "beta"), [(4, 4, 1e-3), (3, 5, 1e-3), (3, 5, 1e-4), (2, 9, 1e-4)])
def test_integers_as_they_are_to_the_power_of_ten(levels, d, beta):
    """A few hundred points of a grid, whose columns are all but dependent: pivots end nowhere, interior points do."""
    random = np.random.default_rng(0)
    X = random.integers(0, levels, (1200, d)).astype(float)
    first = X[:, 0] > 1 if levels > 2 else X[:, 0] * X[:, 1] > 0
    y = flipped(np.where(first, 1.0, -1.0), random, 0.1)
    columns, cost = polynomial_problem(X, y, degrees=range(1, 11))
    solver = DualSimplexSolver(columns)
    for costs in (cost(beta, beta), cost(2 * beta, beta)):  # a failure leaves the solver as good as new
        found = solver.solve(costs)
        A = y[:, None] * np.stack([columns.stack.matrix(k) for k in range(10)])
        margins = np.einsum("kij,kj->i", A, found.x)
        primal = np.maximum(0.0, 1.0 - margins).mean() + (costs * np.abs(found.x)).sum()
        assert found.status == "optimal" and primal == pytest.approx(found.objective, rel=1e-9)
        assert (np.abs(np.einsum("kij,i->kj", A, found.dual)) <= costs * (1 + 1e-9)).all()
        assert found.dual.min() >= 0.0 and found.dual.max() <= (1 + 1e-12) / 1200
        assert primal - found.dual.sum() <= 1e-9 * primal


def test_ill_conditioned_bases():
    random = np.random.default_rng(9)
    X = on_sphere(random.uniform(0.5, 1.0, (150, 3)))  # high powers of nearly parallel examples
    y = np.where(random.standard_normal(150) > 0, 1.0, -1.0)
    columns, cost = polynomial_problem(X, y, degrees=[10])
    solver = DualSimplexSolver(columns)
    for beta in 10.0 ** -np.arange(7):
        solution = solver.solve(cost(0.0, beta))
        assert solution.gap <= 1e-9


@pytest.mark.parametrize("last", ["interior points", "HiGHS"])
def test_what_pivots_do_not_solve_goes_elsewhere(last, monkeypatch):
    A = np.random.default_rng(10).standard_normal((1, 20, 20))
    cost = np.full((1, 20), 0.01)
    expected = DualSimplexSolver(DenseColumns(A)).solve(cost).objective
    monkeypatch.setattr(dual_simplex, "MAX_PIVOTS_PER_VARIABLE", 0)
    if last == "HiGHS":

        def give_up(*_):
            raise SolverError("no inner point")

        monkeypatch.setattr(dual_simplex, "approach", give_up)
    solver = DualSimplexSolver(DenseColumns(A))
    solution = solver.solve(cost)
    assert solver.fallbacks == 1
    assert solution.status == "optimal"
    assert solution.objective == pytest.approx(expected, rel=2e-9)
    monkeypatch.undo()
    assert solver.solve(cost / 2).status == "optimal" and solver.fallbacks == 1  # the solver is as good as new


def all_parities(d):
    """Every product of coordinates on every corner of the cube: one column separates all, and every margin ties."""
    corners = np.array(list(product([-1.0, 1.0], repeat=d)))
    return np.stack([np.where(used, corners, 1.0).prod(axis=1) for used in product([0, 1], repeat=d)], axis=1)


def signs_and_a_constant(m, n):
    A = np.random.default_rng(2).choice([-1.0, 1.0], (m, n))
    A[:, 0] = 1.0
    return A


@pytest.mark.parametrize(
    "kernels",
    [[signs_and_a_constant(400, 300)], [all_parities(8)], [all_parities(8), -all_parities(8)]],
    ids=["random signs", "parities", "parities of both signs"],
)
def test_a_stall_is_ended_by_a_perturbation(kernels, monkeypatch):
    """Once the first column is in, every reduced cost is 0: each pivot after it is degenerate."""
    seeds, perturb = [], Tableau._perturb
    columns, cost = DenseColumns(kernels), np.full((len(kernels), kernels[0].shape[1]), 1e-3)
    monkeypatch.setattr(Tableau, "_perturb", lambda self, d, seed: seeds.append(seed))  # as if there were none
    without = DualSimplexSolver(columns).solve(cost).iterations
    stalls = len(seeds)
    monkeypatch.setattr(Tableau, "_perturb", lambda self, d, seed: (seeds.append(seed), perturb(self, d, seed)))
    solution = check(columns, cost)
    assert len(seeds) == stalls + 1 and solution.iterations < without / 2
    assert solution.objective == pytest.approx(1e-3, rel=1e-9)  # one coefficient of 1


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_small_integer_instances(data):
    """Small integers make ties, copies, zero rows and columns, singular submatrices."""
    p, m, n = (data.draw(st.integers(1, high)) for high in (2, 7, 5))
    entries = st.integers(-2, 2)
    A = np.array(data.draw(st.lists(entries, min_size=p * m * n, max_size=p * m * n)), dtype=float).reshape(p, m, n)
    solver = DualSimplexSolver(DenseColumns(A))
    for cost in data.draw(st.lists(st.sampled_from([1e-6, 0.01, 0.1, 0.25, 1.0]), min_size=1, max_size=3)):
        costs = np.full((p, n), cost)
        solution = solver.solve(costs)
        assert solution.gap <= 1e-9
        assert solution.objective == pytest.approx(linprog_objective(A, costs), rel=1e-7, abs=1e-9)
    assert solver.fallbacks == 0


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(1, 5)), min_size=1, max_size=30), st.floats(0.1, 80.0))
def test_long_step_stops_at_the_minimum(points, slope):
    ratio = np.array([float(r) for r, _ in points])
    gain = np.array([float(g) for _, g in points])
    order = np.arange(len(points))
    first, last = _long_step(order, ratio, gain, slope)
    if gain.sum() < slope:
        assert first == last
        return
    stop = ratio[order[first]]
    assert (ratio[order[first:last]] == stop).all()
    assert (ratio[order[:first]] < stop).all() and (ratio[order[last:]] > stop).all()
    assert gain[ratio < stop].sum() < slope <= gain[ratio <= stop].sum()
