"""The interior point method without a vertex: it agrees with the simplex method to the gaps of the two."""

from dataclasses import replace

import numpy as np
import pytest

from kernlearn.certificates import hinge_l1

pytest.importorskip("numba")

from kernlearn.kernels import GramStack
from kernlearn.solvers import DualSimplexSolver, InteriorSolver
from kernlearn.solvers.hinge_l1 import interior_newton, interior_solver
from kernlearn.solvers.hinge_l1 import rounds as hinge_l1_rounds
from kernlearn.solvers.hinge_l1.interior_newton import DOUBLE, SINGLE
from kernlearn.solvers.hinge_l1.parts import Groups, Settings
from tests.conftest import first_of
from tests.solvers.hinge_problems import (
    DenseColumns,
    flipped,
    instances,
    noisy,
    on_sphere,
    polynomial_problem,
    quadratic_form,
)

#: With them examples go into groups, which a hundred would not otherwise.
GROUPS_OF_FEW = Settings(min_alone=10)


#: Where all costs are positive: at a cost of 0 no inner point proves a bound.
PROBLEMS = [pytest.param(c, k, id=name) for name, c, k in instances() if (k > 0).all()]


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("columns", "cost"), PROBLEMS)
@pytest.mark.parametrize("factor", [1.0, 1e-2])
def test_agrees_with_the_simplex_method(columns, cost, factor):
    exact = DualSimplexSolver(columns).solve(factor * cost)
    found = InteriorSolver(columns, 1e-6, settings=GROUPS_OF_FEW).solve(factor * cost)
    assert found.status == "optimal"
    assert found.objective == pytest.approx(exact.objective, rel=2e-6, abs=1e-12)
    assert found.dual_objective <= exact.objective * (1 + 1e-9) + 1e-12
    again = hinge_l1(columns, factor * cost, found.x, columns.shape[1] * found.dual)
    assert again.gap == pytest.approx(found.gap, abs=1e-9)


@pytest.mark.parametrize("size", [1e-6, 1e6])
def test_scales_of_columns_change_nothing_but_the_coefficients(size):
    columns, cost = noisy(120)
    k, j = np.meshgrid(*map(np.arange, cost(1.0, 1.0).shape), indexing="ij")
    A = columns.take(k.ravel(), j.ravel()).reshape(*k.shape, -1).transpose(0, 2, 1)
    plain = InteriorSolver(DenseColumns(A), 1e-6).solve(cost(1e-2, 1e-2))
    scaled = InteriorSolver(DenseColumns(size * A), 1e-6).solve(size * cost(1e-2, 1e-2))
    assert scaled.status == "optimal"
    assert scaled.objective == pytest.approx(plain.objective, rel=2e-6)


def test_groups_leave_all_examples_in_the_program_and_the_bound_holds():
    columns, cost = noisy(400)
    margins = np.linspace(-1.0, 3.0, 400)
    shares = np.where(margins < 1.0, 1.0, 0.0)
    groups = Groups.by(margins, Groups.distances(margins, shares), 40)
    everyone = np.concatenate([groups.alone, *groups.groups])
    np.testing.assert_array_equal(np.sort(everyone), np.arange(400))
    assert len(groups.alone) < 60 and len(groups.groups) == 2
    exact = DualSimplexSolver(columns).solve(cost(1e-2, 1e-2))
    found = InteriorSolver(columns, 1e-6, settings=GROUPS_OF_FEW).solve(cost(1e-2, 1e-2))
    assert found.objective == pytest.approx(exact.objective, rel=2e-6)
    assert found.dual_objective <= exact.objective * (1 + 1e-12) <= found.objective * (1 + 1e-9)


@pytest.mark.parametrize("beta", [1e-2, 1e-4])
def test_a_program_of_all_columns_is_thinned_on_its_way(beta, caplog):
    random = np.random.default_rng(0)  # a high degree: every second column has a coefficient
    X = on_sphere(random.standard_normal((300, 10)))
    columns, cost = polynomial_problem(X, quadratic_form(X, random), degrees=[6])
    with caplog.at_level("DEBUG", logger="kernlearn"):
        found = InteriorSolver(columns, 1e-6).solve(cost(0.0, beta))
    sizes = [record.args[1] for record in caplog.records]
    assert max(sizes) == 300 > sizes[-1]
    exact = DualSimplexSolver(columns).solve(cost(0.0, beta))
    assert found.status == "optimal" and found.objective == pytest.approx(exact.objective, rel=2e-6)
    assert np.count_nonzero(found.x) <= 1.2 * np.count_nonzero(exact.x) + 2


def test_a_program_is_small_as_long_as_that_hides_little(monkeypatch):
    columns, cost = noisy(400)
    sizes, rows = [], Groups.rows
    monkeypatch.setattr(Groups, "rows", lambda g, p, k, j: sizes.append(len(k) * len(g.alone)) or rows(g, p, k, j))
    solver = InteriorSolver(columns, settings=replace(GROUPS_OF_FEW, values=5000))
    exact, found = (one.solve(cost(1e-2, 1e-2)) for one in (DualSimplexSolver(columns), solver))
    assert sizes[0] <= 5000 < max(sizes)
    assert found.status == "optimal"
    assert found.objective == pytest.approx(exact.objective, rel=2e-4)


def test_some_of_many_columns_come_first_and_all_are_certified(monkeypatch):
    columns, cost = noisy(200)
    plain = InteriorSolver(columns, 1e-6)
    solver = InteriorSolver(columns, 1e-6, settings=Settings(sample_beyond=100, sample=40))
    priced, price = [], GramStack.price
    monkeypatch.setattr(GramStack, "price", lambda stack, v: priced.append(stack.shape[2]) or price(stack, v))
    for strength in (1e-2, 3e-3):
        priced.clear()
        found = solver.solve(cost(strength, strength))
        assert found.status == "optimal"
        assert set(priced) == {40, 200}
        assert found.objective == pytest.approx(plain.solve(cost(strength, strength)).objective, rel=2e-6)
        again = hinge_l1(columns, cost(strength, strength), found.x, columns.shape[1] * found.dual)
        assert again.gap == pytest.approx(found.gap, abs=1e-9)


def test_copies_of_columns_are_not_among_some_of_many():
    A = np.repeat(np.random.default_rng(0).standard_normal((1, 60, 60)), 2, axis=2)
    solver = InteriorSolver(DenseColumns(A), 1e-6, settings=Settings(sample_beyond=50, sample=40))
    assert len(solver._some) == 40 and not (solver._some % 2).any()
    cost = np.full((1, 120), 0.02)
    found, exact = solver.solve(cost), DualSimplexSolver(DenseColumns(A)).solve(cost)
    assert found.status == "optimal" and found.objective == pytest.approx(exact.objective, rel=2e-6)


@pytest.mark.parametrize("cost", [0.0, 1e-12])
def test_costs_that_are_next_to_nothing_end(cost):
    A = np.random.default_rng(0).standard_normal((1, 30, 10))
    found = InteriorSolver(DenseColumns(A)).solve(np.full((1, 10), cost))
    assert found.dual_objective <= found.objective
    assert np.isfinite(found.x).all() and found.gap >= -1e-9


def test_blas_is_asked_for_no_empty_product(monkeypatch):
    columns, cost = noisy(400)
    sizes = []
    product = interior_newton.WHOLE.product

    def counted(a, M, **options):
        sizes.append(M.size)
        return product(a, M, **options)

    monkeypatch.setattr(hinge_l1_rounds, "WHOLE", interior_newton.WHOLE._replace(product=counted))
    for beta in (1.0, 0.1, 1e-3):  # few columns have a coefficient at the first ones, and no example couples them
        assert InteriorSolver(columns, 1e-4).solve(cost(1.0, beta)).status == "optimal"
    assert sizes and 0 not in sizes


def test_equal_examples_are_one_however_many():
    """Four values of three features: of 1500 examples on a sphere 52 differ, and their columns."""
    random = np.random.default_rng(0)
    X = random.integers(0, 4, (1500, 3)) - 1.5
    y = np.where(X[:, 0] * X[:, 1] + 0.3 * X[:, 2] + random.standard_normal(1500) > 0.0, 1.0, -1.0)
    columns, cost = polynomial_problem(on_sphere(X), y, degrees=range(1, 6))
    solver, simplex = InteriorSolver(columns, 1e-6), DualSimplexSolver(columns)
    for strengths in ((1e-2, 1e-3), (0.0, 1e-5)):
        found = solver.solve(cost(*strengths))
        assert found.status == "optimal" and found.rounds < 40
        assert found.objective == pytest.approx(simplex.solve(cost(*strengths)).objective, rel=2e-6)
        again = hinge_l1(columns, cost(*strengths), found.x, 1500 * found.dual)
        assert again.gap == pytest.approx(found.gap, abs=1e-9)


def test_of_two_copies_of_a_column_the_cheaper_one_has_the_coefficient():
    random = np.random.default_rng(0)
    A = np.repeat(random.standard_normal((1, 60, 20)), 2, axis=2)
    cost = np.full((1, 40), 0.02)
    cost[0, 1::4] *= 0.9  # a copy, of every second pair
    found, exact = (solver(DenseColumns(A)).solve(cost) for solver in (InteriorSolver, DualSimplexSolver))
    assert found.status == "optimal" and found.objective == pytest.approx(exact.objective, rel=2e-4)
    assert found.x[0, 1::4].any() and not found.x[0, 3::4].any()


@pytest.mark.parametrize(("lam", "beta"), [(1e-4, 1e-5), (1e-5, 1e-6)])
def test_weak_penalties_of_kernels_of_low_rank(lam, beta):
    """Of 600 columns 34 are independent: pi was far from all bounds, and all columns went."""
    random = np.random.default_rng(2)
    X = random.standard_normal((200, 4))
    y = flipped(np.sign(X[:, 0] * X[:, 1]), random, 0.15)
    columns, cost = polynomial_problem(X, y, degrees=range(1, 4))
    found = InteriorSolver(columns, 1e-4).solve(cost(lam, beta))
    assert found.status == "optimal" and found.rounds < 60
    assert found.objective == pytest.approx(DualSimplexSolver(columns).solve(cost(lam, beta)).objective, rel=2e-4)


def test_one_example_a_hundred_million_times_larger_makes_nothing_worse_than_zero():
    random = np.random.default_rng(0)
    X = random.standard_normal((200, 5))
    y = np.sign(X[:, 0] * X[:, 1] + 0.3 * random.standard_normal(200))
    X[0] *= 1e8
    columns, cost = polynomial_problem(X, y, degrees=[3])
    found = InteriorSolver(columns, 1e-4).solve(cost(0.0, 1e-3))
    assert found.objective <= 1.0


def test_columns_do_not_come_and_go_for_ever():
    """Two examples, twice each: rounds went from four columns to two and back until there were 60, three times."""
    random = np.random.default_rng(6)
    X = on_sphere(random.standard_normal((2, 3)))
    columns, cost = polynomial_problem(np.vstack([X, X]), np.array([1.0, 1.0, -1.0, 1.0]))
    found = InteriorSolver(columns, 1e-4).solve(cost(0.0, 1e-5))
    assert found.status == "optimal" and found.rounds < 20
    assert found.objective == pytest.approx(DualSimplexSolver(columns).solve(cost(0.0, 1e-5)).objective, rel=2e-4)


def test_nearly_dependent_columns_get_a_factor_of_double_precision(monkeypatch):
    """Of (x.z + 1)^3 on a circle seven columns are independent: the others are no more than rounding."""
    random = np.random.default_rng(0)
    x = random.standard_normal((300, 2))
    y = np.where(x[:, 0] + random.standard_normal(300) > 0.0, 1.0, -1.0)
    columns, cost = polynomial_problem(on_sphere(x), y, degrees=[3])
    made, of = [], interior_newton.Newton.of

    def noted(*given):
        made.append(given[-1])
        return of(*given)

    monkeypatch.setattr(interior_newton.Newton, "of", noted)
    for tol in (1e-4, 1e-8):
        solvers = InteriorSolver(columns, tol, settings=Settings(min_single_size=1)), DualSimplexSolver(columns, tol)
        found, truth = (solver.solve(cost(0.0, 1e-4)) for solver in solvers)
        assert found.status == "optimal" and found.objective == pytest.approx(truth.objective, rel=2.0 * tol)
    assert {SINGLE, DOUBLE} <= set(made)


def test_where_no_steps_lead_on_stronger_penalties_do():
    few = Settings(steps=2)  # so that 300 examples are as hard as thousands with all steps
    columns, cost = noisy(300, d=20, degrees=range(1, 11), share=0.1)
    solvers = InteriorSolver(columns, settings=few), DualSimplexSolver(columns)
    found, exact = (solver.solve(cost(1e-4, 1e-6)) for solver in solvers)
    assert found.status == "optimal" and found.objective == pytest.approx(exact.objective, rel=2e-4)
    assert InteriorSolver(columns, settings=replace(few, detours=0)).solve(cost(1e-4, 1e-6)).gap > 0.5


def test_nothing_is_solved_from_the_same_point_again(monkeypatch):
    """A program that stalls from the origin goes on by others."""
    columns, cost = noisy(300, d=20, degrees=range(1, 11), share=0.1)
    begun, steps = [], []

    def approach(program, near, goal, *others):
        found = hinge_l1_rounds.approach(program, near, goal, *others)
        begun.append((program.limits.tobytes(), near.a.tobytes(), near.pi.tobytes(), goal))
        steps.append(found.steps)
        return found

    monkeypatch.setattr(interior_solver, "approach", approach)
    solution = InteriorSolver(columns, settings=Settings(steps=2)).solve(cost(1e-4, 1e-6))
    assert solution.status == "optimal" and solution.iterations == sum(steps)
    assert len(set(begun)) == len(begun) >= 3


def test_rounds_that_get_more_columns_are_no_failures():
    """Of a high degree few columns lead nowhere, three rounds long; to begin anew takes as many again."""
    few = Settings(first_columns=10, min_new_columns=5, steps=4, detours=0)
    random = np.random.default_rng(0)
    X = on_sphere(random.standard_normal((300, 10)))
    columns, cost = polynomial_problem(X, quadratic_form(X, random), degrees=[8])
    assert InteriorSolver(columns, settings=few).solve(cost(0.0, 1e-4)).status == "optimal"


def test_columns_stay_while_the_bound_is_next_to_nothing():
    random = np.random.default_rng(0)  # of degree 10, which fits all examples: with columns that go, 140 rounds
    X = on_sphere(random.standard_normal((800, 20)))
    columns, cost = polynomial_problem(X, flipped(quadratic_form(X, random), random, 0.1), degrees=[10])
    found = InteriorSolver(columns).solve(cost(0.0, 1e-3))
    assert found.status == "optimal" and found.rounds < 40


def test_a_kernel_of_tiny_values_does_not_hide_the_others():
    random = np.random.default_rng(1)
    X = random.standard_normal((300, 3))
    y = np.sign(X[:, 0] * X[:, 1] * X[:, 2] + X[:, 2] + 0.3 * random.standard_normal(300))
    products = 1e-6 * X @ X.T
    columns, cost = DenseColumns(y[:, None] * np.stack([products, products**3])), np.full((2, 300), 1e-8)
    exact, found = (solver(columns, 1e-6).solve(cost) for solver in (DualSimplexSolver, InteriorSolver))
    assert exact.objective < 0.9
    assert found.objective == pytest.approx(exact.objective, rel=2e-6)


@pytest.mark.parametrize("seed", first_of(range(24), 8))
def test_columns_that_are_left_out_too_early_come_back(seed):
    random = np.random.default_rng(seed)
    m, p, n = random.integers((20, 1, 2), (120, 4, 20))
    columns = DenseColumns(random.standard_normal((p, m, n)))
    cost = np.full((p, n), 10.0 ** random.uniform(-5, -1))
    assert InteriorSolver(columns, 1e-6).solve(cost).status == "optimal"
