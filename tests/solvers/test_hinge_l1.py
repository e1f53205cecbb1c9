import numpy as np
import pytest

from kernlearn.certificates import hinge_l1
from kernlearn.kernels import GramStack, make_family
from kernlearn.kernels.matrices.columns import KernelColumns
from kernlearn.solvers import HighsSolver
from kernlearn.solvers.core import lp
from kernlearn.solvers.core.lp import BoundedMaximiser, SolverError
from tests.solvers.hinge_problems import DenseColumns, linprog_objective, random_problem


@pytest.mark.parametrize("seed", range(8))
def test_optimal_value_equals_an_independent_linear_program(seed):
    A, cost = random_problem(seed)
    solution = HighsSolver(DenseColumns(A)).solve(cost)
    assert solution.status == "optimal"
    assert solution.objective == pytest.approx(linprog_objective(A, cost), rel=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_objectives_and_feasibility_hold_without_the_solver(seed):
    A, cost = random_problem(seed)
    solution = HighsSolver(DenseColumns(A)).solve(cost)
    (A,), (cost,), a, u = A, cost, solution.x[0], solution.dual
    assert np.maximum(0, 1 - A @ a).mean() + cost @ np.abs(a) == pytest.approx(solution.objective, rel=1e-13)
    assert u.sum() == pytest.approx(solution.dual_objective, rel=1e-13)
    assert (np.abs(A.T @ u) <= cost * (1 + 1e-12)).all() and (u >= 0).all() and (u <= u.dtype.type(1) / len(A)).all()
    assert 0 <= solution.gap + 1e-14 <= 1e-9


@pytest.mark.parametrize("seed", range(4))
def test_complementary_slackness(seed):
    A, cost = random_problem(seed)
    solution = HighsSolver(DenseColumns(A)).solve(cost)
    (A,), (cost,), a, u = A, cost, solution.x[0], solution.dual
    prices, margins = A.T @ u, A @ a
    used = np.abs(a) > 1e-12
    np.testing.assert_allclose(prices[used], cost[used] * np.sign(a[used]), rtol=1e-8)
    assert (u[margins > 1 + 1e-9] < 1e-9).all()
    np.testing.assert_allclose(u[margins < 1 - 1e-9], 1 / len(A), rtol=1e-9)


def test_warm_starts_in_any_order_change_no_value():
    A, cost = random_problem(3)
    factors = [1.0, 0.1, 3.0, 0.5, 0.03, 1.0]
    warm = HighsSolver(DenseColumns(A))
    values = [warm.solve(factor * cost).objective for factor in factors]
    cold = [HighsSolver(DenseColumns(A)).solve(factor * cost).objective for factor in factors]
    np.testing.assert_allclose(values, cold, rtol=1e-9)
    assert values[0] == pytest.approx(values[-1], rel=1e-9)


def test_a_strong_penalty_gives_the_zero_solution():
    A, cost = random_problem(0)
    solution = HighsSolver(DenseColumns(A)).solve(1e3 * cost)
    assert not solution.x.any() and solution.objective == solution.dual_objective == 1.0


def test_no_penalty_on_separable_data_reaches_zero():
    A, _ = random_problem(1)
    solution = HighsSolver(DenseColumns(A)).solve(np.zeros((1, 40)))
    assert solution.objective <= 1e-9 and solution.status == "optimal"


def degenerate():
    (A,), (cost,) = random_problem(5)
    yield "duplicate rows", np.vstack([A, A]), cost
    yield "duplicate columns", np.hstack([A, A, -A]), np.tile(cost, 3)
    yield "zero columns", np.hstack([A, 0 * A]), np.tile(cost, 2)
    yield "one column", A[:, :1], cost[:1]
    yield "two rows", A[:2], cost
    yield "contradicting rows", np.vstack([A, -A]), cost
    yield (
        "scales over 24 orders of magnitude",
        A * np.logspace(-12, 12, A.shape[1]),
        cost * np.logspace(-12, 12, A.shape[1]),
    )


@pytest.mark.parametrize(
    ("name", "A", "cost"), list(degenerate()), ids=lambda value: value if isinstance(value, str) else ""
)
def test_degenerate_problems(name, A, cost):
    A, cost = A[None], cost[None]
    solution = HighsSolver(DenseColumns(A)).solve(cost)
    assert solution.gap <= 1e-9 and solution.status == "optimal"
    scale = DenseColumns(A).scales()
    scale[scale == 0] = 1.0  # an equal problem that scipy can be trusted with
    assert solution.objective == pytest.approx(linprog_objective(A / scale[:, None], cost / scale), rel=1e-7)


def test_certificate_of_any_pair_of_points_bounds_the_optimum():
    A, cost = random_problem(2)
    rng = np.random.default_rng(0)
    best = linprog_objective(A, cost)
    for _ in range(50):
        certificate = hinge_l1(DenseColumns(A), cost, rng.normal(size=(1, 40)), rng.normal(size=25) * 3)
        assert certificate.dual_objective <= best + 1e-12 <= certificate.objective + 2e-12
        assert (np.abs(certificate.dual @ A) <= cost * (1 + 1e-12)).all()


def test_a_breakdown_of_the_linear_program_is_reported_with_its_gap():
    """Features far from the origin make kernel columns parallel to 13 digits: beyond double precision."""
    X = np.random.default_rng(0).normal(loc=100.0, size=(100, 4))
    y = np.where(X[:, 0] > 100.0, 1.0, -1.0)
    columns = KernelColumns(GramStack.train(make_family("polynomial", degrees=[4], coef0=1.0), X), y)
    cost = np.full((1, 100), 1e-3)
    solution = HighsSolver(columns).solve(cost)
    A = columns.take(np.zeros(100, np.intp), np.arange(100)).astype(np.longdouble)
    losses = np.maximum(0.0, 1.0 - solution.x[0].astype(np.longdouble) @ A)
    assert float(losses.mean() + 1e-3 * np.abs(solution.x).sum()) == pytest.approx(solution.objective)
    own = np.finfo(np.float64).eps * np.abs(A) @ np.abs(solution.dual)  # what rounding the dual itself is worth
    assert (np.abs(A @ solution.dual) <= 1e-3 + own).all() and (solution.dual >= 0.0).all()
    assert solution.dual_objective == pytest.approx(float(solution.dual.sum()))
    assert 0.0 <= solution.gap <= 1.0


def test_refused_options_and_failed_programs_raise(monkeypatch):
    monkeypatch.setitem(BoundedMaximiser.OPTIONS, "threads", -7)
    with pytest.raises(SolverError, match="threads=-7"):
        BoundedMaximiser(3)


def test_a_limit_of_time_is_that_of_one_run():
    program = BoundedMaximiser(200)
    program.set_bounds(np.ones(200), np.zeros(0))
    G = np.random.default_rng(0).standard_normal((400, 200))
    program.add_rows(G, np.full(400, 0.1))
    assert program.run(60.0) > 0
    used = program.highs.getRunTime()
    program.set_bounds(np.ones(200), np.full(400, 0.2))
    program.run(60.0)  # which raises an error unless it is solved
    assert used > 0.0
    assert program.highs.getOptionValue("time_limit")[1] > 59.9 + used  # HiGHS counts all its runs


@pytest.mark.parametrize("seconds", [np.inf, 0.0])
def test_what_is_stopped_is_no_optimum(seconds, monkeypatch):
    if seconds:
        monkeypatch.setattr(lp, "ITERATIONS", 0)
    program = BoundedMaximiser(3)
    program.add_rows(np.eye(3), np.full(3, 0.5))
    with pytest.raises(SolverError, match="stopped with status"):
        program.run(seconds)
