"""Certificates where rounding decides: what is proved is checked in exact arithmetic."""

from fractions import Fraction
from time import process_time

import numpy as np
import pytest

from kernlearn.certificates import hinge_l1

pytest.importorskip("numba")

from kernlearn.certificates import relative_gap
from kernlearn.kernels import GramStack, make_family
from kernlearn.kernels.matrices.columns import KernelColumns
from kernlearn.solvers import HINGE_SOLVERS, DualSimplexSolver, program_limit
from kernlearn.solvers.simplex import dual_simplex
from tests.conftest import first_of
from tests.solvers.hinge_problems import flipped, polynomial_problem

X = np.array([0, 3, 0, 1, 4, 4, 4, 0, 4, 4, 1, 0, 1, 0, 3, 1, 0, 3, 4, 4])[:, None]
Y = np.array([1, -1, -1, -1, -1, 1, 1, -1, -1, 1, -1, 1, -1, 1, -1, -1, -1, -1, 1, 1.0])


def columns_of(X, y, degree):
    stack = GramStack.train(make_family("polynomial", degrees=[degree]), X.astype(float))
    assert stack.matrix(0).max() < 2**52  # integers, exactly
    return KernelColumns(stack, y)


def proved(X, y, degree, beta, pi):
    """The largest value of (D) at a multiple of pi, by rational numbers."""
    K = (X.astype(object) @ X.T.astype(object) + 1) ** degree
    u = [Fraction(*value.as_integer_ratio()) / len(y) for value in np.clip(pi, 0.0, 1.0)]
    largest = max(abs(sum(int(s) * v * int(k) for s, v, k in zip(y, u, column, strict=True))) for column in K)
    return min(Fraction(1), Fraction(beta) / largest if largest else Fraction(1)) * sum(u)


@pytest.fixture
def certified(monkeypatch):
    """What is given to `hinge_l1`, with what it says."""
    given = []

    def noted(columns, cost, coef, pi):
        given.append((pi, hinge_l1(columns, cost, coef, pi)))
        return given[-1][1]

    monkeypatch.setattr(dual_simplex, "hinge_l1", noted)
    return given


def instances():
    yield "one dimension", X, Y, 6
    for seed, n, d, high, degree in [(1, 20, 3, 3, 6), (2, 40, 1, 5, 4), (3, 20, 3, 5, 7), (4, 10, 5, 3, 7)]:
        random = np.random.default_rng(seed)
        examples = random.integers(0, high, (n, d))[random.integers(n // 2, size=n)]
        yield str(seed), examples, np.where(random.random(n) < 0.5, 1.0, -1.0), degree


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("X", "y", "degree"), [pytest.param(*rest, id=name) for name, *rest in instances()])
def test_no_bound_is_more_than_what_exact_arithmetic_proves(X, y, degree, certified):
    columns = columns_of(X, y, degree)
    for beta in (1e-1, 1e-3, 1e-5, 1e-7, 1e-9):
        DualSimplexSolver(columns).solve(np.full((1, len(y)), beta))
        for pi, certificate in certified:
            truth = proved(X, y, degree, beta, pi)
            assert certificate.dual_objective <= float(truth) * (1.0 + 2e-10)
        certified.clear()


def test_objectives_fall_with_penalties_also_where_little_is_proved():
    random = np.random.default_rng(744)
    X = random.integers(0, 5, (60, 3))
    y = np.where(X @ random.standard_normal(3) + random.standard_normal(60) > 0, 1.0, -1.0)
    rows = random.integers(30, size=60)
    columns = columns_of(X[rows], flipped(y[rows], random, 0.2), 7)
    before, solver = 1.0, DualSimplexSolver(columns)
    for beta in (1e-3, 1e-5, 1e-7, 1e-9):
        solution = solver.solve(np.full((1, 60), beta))
        assert solution.objective <= before * (1.0 + 1e-9)
        assert solution.gap == relative_gap(solution.objective, solution.dual_objective, 1.0)
        before = solution.objective


@pytest.mark.parametrize("name", first_of(sorted(HINGE_SOLVERS)))
def test_a_limit_of_time_ends_every_solver(name):
    """Three columns of integers and a real one, some labels contradictory, no penalty to speak of: HiGHS takes long."""
    random = np.random.default_rng(1)
    X = np.hstack([random.integers(0, 3, (250, 3)), random.standard_normal((250, 1))])
    y = np.where(X @ random.standard_normal(4) + random.standard_normal(250) > 0, 1.0, -1.0)
    rows = random.integers(250, size=250)
    columns, cost = polynomial_problem(X[rows], flipped(y[rows], random, 0.2), degrees=range(1, 11))
    solver = HINGE_SOLVERS[name](columns)
    solver.solve(np.ones((10, 250)))  # compiled on its first call
    with program_limit(0.3):
        start = process_time()
        solution = solver.solve(cost(1e-9, 0.0))
    assert solution.status in ("capped", "optimal") or 1e-9 < solution.gap < 1.0
    assert process_time() - start < 3.0
