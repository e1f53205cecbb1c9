"""The interior point method: what holds at every step, and the bases next to the optimum that it finds."""

import numpy as np
import pytest
from scipy.optimize import linprog

pytest.importorskip("numba")

from kernlearn.solvers import HINGE_SOLVERS, DualSimplexSolver
from kernlearn.solvers.core.clock import Clock
from kernlearn.solvers.hinge_l1 import interior, interior_newton
from kernlearn.solvers.hinge_l1.interior import InteriorPoint
from kernlearn.solvers.hinge_l1.interior_matrices import sums_of_columns, sums_of_rows, write_scaled
from kernlearn.solvers.hinge_l1.interior_newton import DOUBLE, SINGLE, WHOLE, Newton, PerBound
from kernlearn.solvers.simplex import dual_simplex
from kernlearn.solvers.simplex.basis import near_basis
from tests.solvers.hinge_problems import (
    DenseColumns,
    categorical,
    instances,
    on_sphere,
    polynomial_problem,
    quadratic_form,
)


def point_of(N, m, seed=0, steps=4):
    """A point some steps on, of a random program with bounds from 1 to 3 for the examples."""
    random = np.random.default_rng(seed)
    u, G = random.integers(1, 4, m).astype(float), random.standard_normal((N, m))
    point = InteriorPoint.inside_of(u, G, random.uniform(0.5, 2.0, N) * np.sqrt(m) / 4, 0.5 * u, np.zeros(N))
    point.advance(0.0, steps)
    return point


@pytest.mark.parametrize(("N", "m"), [(8, 40), (40, 8), (20, 20)])
def test_the_sum_of_products_is_the_gap_of_two_feasible_points(N, m):
    point = point_of(N, m)
    x, s = point.multipliers, point.slacks
    assert all((values > 0.0).all() for values in (*x, *s))
    assert (np.abs(point.G @ point.pi) < point.t).all()
    assert x.full - x.zero == pytest.approx(1.0 - point.G.T @ (x.upper - x.lower))
    value = float(point.u @ x.full + point.t @ (x.upper + x.lower))  # (P) of positive parts
    assert x.dot(s) == pytest.approx(value - point.pi.sum())


@pytest.mark.parametrize("precision", [SINGLE, DOUBLE, WHOLE])
@pytest.mark.parametrize(("N", "m"), [(8, 40), (40, 8)])
def test_directions_solve_newtons_equations(N, m, precision):
    point = point_of(N, m)
    x, s = point.multipliers, point.slacks
    newton = Newton.of(point.G, x, s, precision)
    assert newton.by_examples == (m < N)
    products = PerBound(*(np.random.default_rng(1).uniform(0.0, 1e-3, len(values)) for values in x))
    dx, ds, _ = newton.direction(products)
    for p, dp, q, dq, product in zip(x, dx, s, ds, products, strict=True):
        assert p * q + q * dp + p * dq == pytest.approx(product, abs=1e-6)
    residual = dx.full - dx.zero + point.G.T @ (dx.upper - dx.lower)
    assert (np.abs(residual) <= 1e-2 * np.minimum(x.zero, x.full) + 1e-9).all()
    assert (np.abs(ds.lower - point.G @ ds.zero) <= 1e-2 * np.minimum(s.upper, s.lower) + 1e-9).all()


@pytest.mark.parametrize(("N", "m"), [(8, 40), (40, 8)])
def test_a_matrix_that_is_made_of_several_pieces_is_the_same(N, m, monkeypatch):
    point, found = point_of(N, m), []
    b = np.random.default_rng(1).standard_normal(min(N, m))
    for copied in (interior_newton.COPIED, 24):
        monkeypatch.setattr(interior_newton, "COPIED", copied)
        found.append(Newton.of(point.G, point.multipliers, point.slacks, WHOLE).precondition(b))
    assert found[1] == pytest.approx(found[0], rel=1e-9)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(("N", "m"), [(3, 50), (50, 3), (1, 1), (2, 0)])
def test_sweeps_over_the_values_of_rows_give_what_numpy_does(N, m, dtype):
    random = np.random.default_rng(2)
    G, left, right = random.standard_normal((N, m)), random.random(N), random.random(m)
    assert sums_of_columns(G, left) == pytest.approx(left @ G**2)
    assert sums_of_rows(G, right) == pytest.approx(G**2 @ right)
    rows, columns = np.arange(0, N, 2), np.arange(m // 2, m)
    out = np.empty((len(rows), len(columns)), dtype)
    write_scaled(G, rows, columns, left[rows], right[columns], out)
    assert (out == (G[np.ix_(rows, columns)] * left[rows, None] * right[columns]).astype(dtype)).all()


@pytest.mark.parametrize(("N", "m"), [(8, 40), (40, 8), (30, 30), (1, 3)])
def test_reaches_the_optimum(N, m):
    point = point_of(N, m, steps=0)
    assert point.advance(1e-8, 60)
    G, t, u = point.G, point.t, point.u
    found = linprog(-np.ones(m), A_ub=np.vstack([G, -G]), b_ub=np.concatenate([t, t]), bounds=np.c_[0 * u, u])
    assert point.value == pytest.approx(-found.fun, rel=1e-7)
    assert point.pi.sum() == pytest.approx(-found.fun, rel=1e-7)


def test_goes_on_when_rows_come_and_go():
    point = point_of(30, 40, steps=0)
    point.advance(1e-3, 30)
    before, kept = point.value, np.abs(point.G @ point.pi) > 0.9 * point.t
    G = np.vstack([point.G[kept], np.random.default_rng(5).standard_normal((10, 40))])
    t, a = np.append(point.t[kept], np.full(10, 0.5)), np.append(point.a[kept], np.zeros(10))
    point = InteriorPoint.inside_of(point.u, G, t, point.pi, a)
    x = point.multipliers
    assert all((values > 0.0).all() for values in (*x, *point.slacks))
    assert x.full - x.zero == pytest.approx(1.0 - point.G.T @ (x.upper - x.lower))
    assert point.advance(1e-7, 60) and point.value < before + 1e-9


@pytest.mark.parametrize("precision", [SINGLE, WHOLE])
def test_what_rows_had_that_go_is_made_up_for(precision):
    point = point_of(40, 20, steps=0)
    assert point.advance(1e-2, 30)
    kept = point.row_odds > 1e-2
    fewer = point.only(kept, point.G[kept], precision)
    assert 0 < len(fewer.G) < len(point.G)
    x = fewer.multipliers
    assert np.abs(1.0 - fewer.G.T @ (x.upper - x.lower) - (x.full - x.zero)).max() > 1e-6
    assert point.advance(1e-8, 60) and fewer.advance(1e-8, 60)
    assert fewer.value == pytest.approx(point.value, rel=1e-7)
    x = fewer.multipliers
    assert x.full - x.zero == pytest.approx(1.0 - fewer.G.T @ (x.upper - x.lower), abs=1e-6)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("columns", "cost"), [pytest.param(c, k, id=name) for name, c, k in instances()])
@pytest.mark.parametrize("factor", [1.0, 1e-2])
def test_agrees_with_the_simplex_method_alone(columns, cost, factor, monkeypatch):
    monkeypatch.setattr(dual_simplex, "PATIENCE", 0.0)  # otherwise small programs do not come to it
    alone_solver, solver = DualSimplexSolver(columns), DualSimplexSolver(columns, interior=True)
    alone = alone_solver.solve(factor * cost)
    found = solver.solve(factor * cost)
    assert found.status in ("optimal", alone.status)
    assert found.objective == pytest.approx(alone.objective, rel=1e-8, abs=1e-8)
    assert solver.fallbacks <= alone_solver.fallbacks


def test_correctors_save_steps(monkeypatch):
    steps = []
    for most in (2, 0):
        monkeypatch.setattr(interior, "CORRECTORS", most)
        point = point_of(150, 200, seed=1, steps=0)
        assert point.advance(1e-6, 60)
        steps.append(point.steps)
    assert steps[0] < 0.9 * steps[1]


def test_where_no_column_and_example_are_coupled_there_is_a_basis_of_none_or_the_optimum():
    A = np.zeros((1, 10, 10))  # a kernel that is next to diagonal, of contradictory copies
    places = np.array([0, 1, 2, 3, 4, 5, 6, 4, 1, 1])
    y = np.array([1.0, -1.0, 1.0, -1.0, 1.0, 1.0, 1.0, -1.0, 1.0, 1.0])
    A[0] = y[:, None] * (places[:, None] == places) * y
    cost = np.full((1, 10), 2.4842221934077237e-4)
    alone = DualSimplexSolver(DenseColumns(A)).solve(cost)
    found = DualSimplexSolver(DenseColumns(A), interior=True).solve(cost)
    assert found.status == "optimal" and found.objective == pytest.approx(alone.objective, rel=1e-8)


def test_a_basis_next_to_the_optimum_saves_most_pivots():
    X = on_sphere(np.random.default_rng(0).standard_normal((250, 8)))
    columns, cost = polynomial_problem(X, quadratic_form(X, np.random.default_rng(1)), degrees=range(1, 4))
    solver = DualSimplexSolver(columns)
    basis = near_basis(solver._scaled.program(cost(1e-3, 1e-3)), Clock())
    assert len(basis.k) == len(basis.B)
    near = solver._solve_from(basis, cost(1e-3, 1e-3), Clock())
    cold = DualSimplexSolver(columns).solve(cost(1e-3, 1e-3))
    assert near.objective == pytest.approx(cold.objective, rel=1e-9)
    assert near.iterations < 0.2 * cold.iterations


def test_a_path_is_the_same_with_and_without(monkeypatch):
    monkeypatch.setattr(dual_simplex, "PATIENCE", 0.0)
    X, y = categorical(80, 5, 2)
    columns, cost = polynomial_problem(X + 0.01 * np.random.default_rng(0).standard_normal(X.shape), y)
    plain, with_interior = HINGE_SOLVERS["simplex"](columns), HINGE_SOLVERS["interior"](columns)
    for strength in 10.0 ** -np.arange(5):
        solutions = [solver.solve(cost(strength, strength)) for solver in (plain, with_interior)]
        assert [s.status for s in solutions] == ["optimal", "optimal"]
        assert solutions[1].objective == pytest.approx(solutions[0].objective, rel=1e-9)


def test_conjugate_gradients_end_where_a_direction_has_no_curvature():
    """As where products of tiny numbers are 0; the residual is what it was."""
    b = np.array([1.0, -2.0])
    x, steps = interior_newton._solve(lambda v: 0.0 * v, b, lambda v: v, np.full(2, 1e-9), 10)
    assert (x == b).all() and steps == 0


def test_points_at_their_bounds_move_inside_as_far_as_their_losses_allow():
    """Of losses around 0 pi begin a tenth of their range from a bound, of large ones a hair."""
    random = np.random.default_rng(0)
    u, G = np.full(40, 2.0), random.standard_normal((3, 40))
    G[:, 0], a = (50.0, 0.0, 0.0), np.array([3000.0, 0.0, 0.0])
    loss = 1.0 - a @ G
    pi = np.where(loss > 0.0, u, 0.0)
    point = InteriorPoint.inside_of(u, G, np.full(3, 200.0), pi, a)
    assert (point.pi > 0.0).all() and (point.pi < u).all()
    empty = np.flatnonzero(pi == 0.0)
    near, far = (empty[np.abs(loss[empty]).argsort()[place]] for place in (0, -1))
    assert point.pi[far] < 0.5 * point.pi[near] <= interior.EDGE * 2.0


def test_steps_that_are_too_short_end_a_round(monkeypatch):
    point, taken = point_of(8, 40, steps=1), []

    def short(self):
        taken.append(1)
        return 0.5 * interior.MIN_PROGRESS

    monkeypatch.setattr(InteriorPoint, "_step", short)
    assert not point.advance(0.0, 30)
    assert len(taken) == interior.STEPS_WITHOUT
    lengths = iter([0.5 * interior.MIN_PROGRESS] * 4 + [0.5] + [0.5 * interior.MIN_PROGRESS] * 30)
    taken.clear()
    monkeypatch.setattr(InteriorPoint, "_step", lambda self: (taken.append(1), next(lengths))[1])
    assert not point.advance(0.0, 30)
    assert len(taken) == 5 + interior.STEPS_WITHOUT  # a longer step in between begins the count anew


def test_a_factor_that_conjugate_gradients_need_many_steps_with_gives_way_to_a_better_one(monkeypatch):
    point = point_of(40, 30)
    point._precision = SINGLE
    direction, steps = Newton.direction, iter([0] + [SINGLE.patience + 1] * 9)  # the predictor is no trouble
    monkeypatch.setattr(Newton, "direction", lambda self, p, most=40: (*direction(self, p, most)[:2], next(steps)))
    point._step()
    assert point._precision is not SINGLE and not point.single
