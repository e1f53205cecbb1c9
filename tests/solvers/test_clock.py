"""A limit on the time of one program: the best point so far with its own certificate, and no trace without a limit."""

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

import kernlearn
from kernlearn.algorithms.structured.crf import CRFSolver
from kernlearn.certificates import hinge_l1
from kernlearn.errors import UserError
from kernlearn.solvers import (
    CoordinateDescent,
    DualSimplexSolver,
    InteriorSolver,
    SMOSolver,
    SquaredL1Solver,
    newton,
    program_limit,
    solve_multiclass_svm,
    solve_squared_l1_ridge,
)
from kernlearn.solvers.core.clock import Clock
from kernlearn.solvers.structured.solver import StructuredSolver
from kernlearn.solvers.svm.linear_svm import solve_linear_svm
from tests.algorithms.test_crf import tagged
from tests.conftest import moons
from tests.solvers.hinge_problems import DenseColumns
from tests.solvers.test_structured import chains
from tests.solvers.test_weights import Quadratic

X, Y = moons(120)
RANDOM = np.random.default_rng(0)
A = RANDOM.standard_normal((1, 60, 90))
COST = np.full((1, 90), 2e-2)
COLUMNS = DenseColumns(A)
POINTS, SIGNS = X, np.where(Y == Y[0], 1.0, -1.0)
GRAM = np.exp(-2.0 * ((POINTS[:, None] - POINTS[None]) ** 2).sum(axis=2))
FEATURES, LABELS, STARTS = chains()


def test_nothing_is_over_without_a_limit():
    clock = Clock()
    assert not clock.over and clock.otherwise == "inaccurate" and clock.seconds >= 0.0


def test_a_limit_ends_with_its_block_and_what_was_over_stays_so():
    with program_limit(0):
        clock = Clock()
        assert clock.otherwise == "inaccurate"  # nobody was told yet
        with program_limit(1e6):
            assert not Clock().over
    assert clock.over and clock.otherwise == "capped" and not Clock().over


@pytest.mark.parametrize("seconds", [-1, float("nan"), "soon", None])
def test_a_limit_is_a_number(seconds):
    with pytest.raises(UserError, match="seconds="), program_limit(seconds):
        pass


#: Programs that take more than one round: calls that make the solver, where there is one, and what it is given.
PROGRAMS = {
    "simplex": (lambda: DualSimplexSolver(COLUMNS).solve, COST),
    "interior": (lambda: InteriorSolver(COLUMNS).solve, COST),
    "norm 1": (lambda: SquaredL1Solver(COLUMNS, np.ones((1, 90))).solve, 1.0),
    "pairs": (lambda: SMOSolver(GRAM, SIGNS).solve, 1.0),
    "pairs in a band": (lambda: SMOSolver(GRAM, SIGNS).solve, 10.0, 1.5),
    "linear": (lambda: solve_linear_svm, POINTS, SIGNS, 1e-2),
    "all classes": (lambda: solve_multiclass_svm, GRAM, (SIGNS > 0).astype(int), 2, 1.0),
    "sequences": (lambda: StructuredSolver(FEATURES @ FEATURES.T, LABELS, 3, STARTS).solve, 30.0),
    "random field": (lambda: CRFSolver(*tagged(), 3).solve, 1.0),
    "kernel weights": (lambda: newton, Quadratic(), np.ones(6)),
    "norm 1 ridge": (lambda: solve_squared_l1_ridge, COLUMNS, SIGNS[:60], 1.0, 1.0),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_ends_capped_with_its_bounds_and_goes_on_from_there(name):
    make, *given = PROGRAMS[name]
    free, solve = make()(*given), make()
    with program_limit(0):
        cut = solve(*given)
    assert cut.status == "capped" and cut.iterations < free.iterations
    assert np.isfinite([cut.objective, cut.dual_objective]).all() and cut.gap > 0.0
    # Both have the same optimal value between their bounds.
    slack = 1e-9 * abs(free.objective)
    assert cut.objective >= free.dual_objective - slack and cut.dual_objective <= free.objective + slack
    again = solve(*given)
    assert again.status == "optimal" and again.objective == pytest.approx(free.objective, rel=1e-4)


def test_the_certificate_is_that_of_the_point():
    with program_limit(0):
        for Solver in (DualSimplexSolver, InteriorSolver, CoordinateDescent):
            cut = Solver(COLUMNS).solve(COST)
            assert cut.status == "capped"
            again = hinge_l1(COLUMNS, COST, cut.x, A.shape[1] * cut.dual)
            assert again.gap == pytest.approx(cut.gap, abs=1e-12)


def test_an_estimator_warns_of_its_gap():
    with program_limit(0), pytest.warns(ConvergenceWarning, match="stopped at a gap of .*capped"):
        model = kernlearn.LinearSVMClassifier().fit(X, Y)
    assert model.gap_ > 1e-3
