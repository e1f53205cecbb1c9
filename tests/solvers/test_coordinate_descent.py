import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernlearn.cli.main import main
from kernlearn.solvers import CoordinateDescent, HighsSolver
from kernlearn.solvers.simplex.coordinate_descent import line_search, steepest_subgradient
from tests.solvers.hinge_problems import DenseColumns, random_problem


@pytest.mark.sampled(2)
@pytest.mark.parametrize("seed", range(6))
def test_it_never_ends_below_the_linear_program_nor_above_the_start(seed):
    A, cost = random_problem(seed)
    best = HighsSolver(DenseColumns(A)).solve(cost)
    found = CoordinateDescent(DenseColumns(A)).solve(cost)
    assert best.dual_objective <= found.objective < 1.0
    a = found.x[0]
    assert np.maximum(0, 1 - A[0] @ a).mean() + cost[0] @ np.abs(a) == pytest.approx(found.objective)
    assert found.dual_objective <= best.objective and found.gap >= 0
    assert found.status in ("stationary", "capped") or found.gap <= 1e-9


def test_it_can_stop_short_of_the_optimum_and_says_so():
    distances = []
    for seed in range(6):
        A, cost = random_problem(seed)
        best, found = (Solver(DenseColumns(A)).solve(cost) for Solver in (HighsSolver, CoordinateDescent))
        distances.append(found.objective / best.objective - 1)
        assert found.gap >= distances[-1] / (1 + distances[-1]) - 1e-12  # the gap bounds the distance from above
    assert max(distances) > 1e-3


def test_a_cap_is_reported():
    A, cost = random_problem(0)
    found = CoordinateDescent(DenseColumns(A), max_iter=2).solve(cost)
    assert found.status == "capped" and found.iterations == 2


def test_one_column_is_solved_exactly_and_proved_so():
    A, cost = random_problem(1)
    for j in range(10):
        one = DenseColumns(A[:, :, j : j + 1])
        best, found = (Solver(one).solve(cost[:, j : j + 1] / 50) for Solver in (HighsSolver, CoordinateDescent))
        assert found.objective == pytest.approx(best.objective, rel=1e-9)
        assert found.status == "optimal"  # the subgradient at the kink proves it, without knowing the optimum


numbers = st.floats(-3, 3).map(lambda x: round(x, 2))


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.tuples(numbers, numbers, st.sampled_from([0.5, 1.0, 3.0])), min_size=1, max_size=12),
    numbers,
    st.floats(0.01, 2.0),
)
def test_line_search_finds_the_minimum(pairs, a, cost):
    margins, column, weights = np.array(pairs).T
    eta, decrease = line_search(margins, column, a, cost, weights)

    def h(steps):
        losses = weights * np.maximum(0, 1 - margins - np.multiply.outer(steps, column))
        return losses.mean(axis=-1) + cost * np.abs(a + steps)

    assert decrease == pytest.approx(h(0.0) - h(eta)) and decrease >= -1e-12
    assert h(eta) <= h(np.concatenate([np.linspace(-8, 8, 161), eta + np.array([-1e-3, 1e-3])])).min() + 1e-9


def test_steepest_subgradient_by_cases():
    """Appendix C: at a non-zero coefficient the derivative, at zero the element nearest to zero."""
    gradient, coef, cost = np.array([0.5, -0.5, 0.2, -2.0, 2.0]), np.array([1.0, 1.0, 0.0, 0.0, 0.0]), np.ones(5)
    np.testing.assert_allclose(steepest_subgradient(gradient, coef, cost), [1.5, 0.5, 0.0, -1.0, 1.0])


def test_it_runs_from_the_command_line(capsys):
    command = ["run", "algo=vkr", "algo.method=cd", "dataset=sonar", "algo.lambdas=[0.1]", "algo.betas=[0.01]"]
    assert main([*command, "algo.max_iter=20", "engine.jobs=1"]) == 0
    out = capsys.readouterr().out
    assert "5 of 5 solutions are not proved optimal" in out and "largest relative gap" in out
