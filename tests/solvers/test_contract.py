"""The contract of solvers: every solver that a room registers is held to it, on the instance of its problem."""

import inspect
import json
from functools import partial
from importlib import import_module
from pkgutil import walk_packages

import numpy as np
import pytest

from kernlearn import solvers
from kernlearn.certificates import relative_gap, status_of
from kernlearn.solvers import CoordinateDescent, LibSVMSolver, Resumable, Solution, Solver, program_limit
from kernlearn.solvers.kernel_weights.weights import evaluate
from tests.solvers.contract_problems import PROBLEMS, TOL

#: These do not aim at the gap: a method of a paper, one with a tolerance of its own, the value of given weights.
APPROXIMATE = {CoordinateDescent, LibSVMSolver, evaluate}
#: Classes whose ``solve`` is that of a linear system.
FACTORS = {"FreeFactor", "RefinedFactor", "RidgeSystem", "RowSystem"}
#: How near to the optimum the independent solvers come, as a part of it.
NEAR = 1e-5
MODULES = [import_module(found.name) for found in walk_packages(solvers.__path__, "kernlearn.solvers.")]
REGISTERED = [
    (problem, solver)
    for module in MODULES
    for problem, registered in getattr(module, "SOLVERS", {}).items()
    for solver in registered
]
#: A solver of a problem without an instance fails a test of its own.
TESTED = [one for one in REGISTERED if one[0] in PROBLEMS]
every_solver = pytest.mark.parametrize(
    ("problem", "solver"), [pytest.param(*one, id=f"{one[0]}-{one[1].__name__}") for one in TESTED]
)


def public(module, kind):
    """What a module defines itself, by name."""
    return {
        name: value
        for name, value in inspect.getmembers(module, kind)
        if value.__module__ == module.__name__ and not name.startswith("_")
    }


def require_registered(solver):
    place = f"SOLVERS in the __init__.py beside {inspect.getsourcefile(solver)}"
    assert solver in {one for _, one in REGISTERED}, f"list {solver.__name__} in {place}"


def test_every_solver_is_registered_and_returns_a_solution():
    for module in MODULES:
        for name, function in public(module, inspect.isfunction).items():
            returns = inspect.signature(function).return_annotation
            if name.startswith("solve"):
                assert returns is Solution, f"{name} has to return a Solution"
                require_registered(function)
        for name, one in public(module, inspect.isclass).items():
            methods = [value for method, value in vars(one).items() if method.startswith("solve") and callable(value)]
            if methods and name not in FACTORS and one is not Solver:
                assert issubclass(one, Solver), f"{name} has to be a Solver"
                require_registered(one)
                assert all(inspect.signature(method).return_annotation is Solution for method in methods), name


def test_every_problem_has_an_instance():
    assert {problem for problem, _ in REGISTERED} <= set(PROBLEMS), "add it to tests/solvers/contract_problems.py"


def checked(solution, problem, s=1.0):
    """Hold what a solution says of itself against the data."""
    objective, bound = PROBLEMS[problem].values(solution, s)
    slack = 1e-9 * abs(objective) + 1e-12 * abs(solution.zero)
    assert solution.objective == pytest.approx(objective, abs=slack)
    assert bound is None or solution.dual_objective == pytest.approx(bound, abs=slack)
    gap = relative_gap(solution.objective, solution.dual_objective, solution.zero)
    assert solution.gap == gap >= -1e-9 and solution.iterations >= 0 and solution.seconds >= 0.0
    assert (solution.status == "optimal") == (status_of(gap, TOL) == "optimal")
    return solution


@every_solver
def test_the_optimum_is_between_the_values_and_these_are_those_of_the_points(problem, solver):
    _, again = PROBLEMS[problem].start(solver, 1.0)
    solution, optimum = checked(again(), problem), PROBLEMS[problem].optimum()
    near = NEAR * abs(optimum)
    assert solution.dual_objective - near <= optimum <= solution.objective + near
    assert solver in APPROXIMATE or solution.status == "optimal"


@every_solver
def test_from_its_own_solution_it_is_no_worse_and_soon_done(problem, solver):
    _, again = PROBLEMS[problem].start(solver, 1.0)
    cold = again()
    warm = checked(again(cold), problem)
    assert warm.objective <= cold.objective + 2.0 * TOL * abs(cold.objective)
    assert warm.iterations <= cold.iterations and warm.rounds <= cold.rounds


@every_solver
def test_a_limit_on_time_leaves_a_point_with_its_true_gap(problem, solver):
    _, again = PROBLEMS[problem].start(solver, 1.0)
    with program_limit(0.0):
        cut = checked(again(), problem)
    whole = again()
    assert cut.objective >= whole.dual_objective - 1e-9 * abs(whole.objective)
    assert solver in APPROXIMATE or (whole.status == "optimal" and cut.status in ("optimal", "capped"))


@pytest.mark.parametrize(
    ("problem", "solver", "name"),
    [
        pytest.param(problem, solver, name, id=f"{problem}-{solver.__name__}")
        for problem, solver in TESTED
        for name in inspect.signature(solver).parameters
        if name.startswith("max_")
    ],
)
def test_a_limit_on_iterations_leaves_a_point_with_its_true_gap(problem, solver, name):
    _, again = PROBLEMS[problem].start(partial(solver, **{name: 1}), 1.0)
    cut, optimum = checked(again(), problem), PROBLEMS[problem].optimum()
    assert cut.dual_objective - NEAR * abs(optimum) <= optimum <= cut.objective + NEAR * abs(optimum)
    assert cut.status == "optimal" or cut.status.startswith("capped")


@pytest.mark.parametrize(
    ("problem", "solver"),
    [one for one in TESTED if inspect.isclass(one[1]) and issubclass(one[1], Resumable)],
)
def test_another_goes_on_with_the_same_bits(problem, solver):
    (first, again), (second, on) = (PROBLEMS[problem].start(solver, 1.0) for _ in range(2))
    again()
    second.restore(json.loads(json.dumps(first.state())))
    one, other = again(), on()
    for name in ("x", "dual"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
    names = ("objective", "dual_objective", "status", "iterations", "rounds")
    assert [getattr(one, name) for name in names] == [getattr(other, name) for name in names]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("s", [1e-3, 1e3])
@pytest.mark.parametrize(
    ("problem", "solver"),
    [pytest.param(*o, id=f"{o[0]}-{o[1].__name__}") for o in TESTED if PROBLEMS[o[0]].power is not None],
)
def test_units_change_the_objective_as_they_must(problem, solver, s):
    here, there = (checked(PROBLEMS[problem].start(solver, unit)[1](), problem, unit) for unit in (1.0, s))
    slack = (here.gap + there.gap + 1e-9) * abs(here.objective)
    assert there.objective / s ** PROBLEMS[problem].power == pytest.approx(here.objective, abs=slack)
    assert (here.status == "optimal") == (there.status == "optimal")
