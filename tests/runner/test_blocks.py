"""What the checkpoints of a cell rely on: the path of one kernel owes nothing to the kernels before it."""

import json
from functools import partial
from inspect import signature

import numpy as np
import pytest
from sklearn.datasets import load_iris

from kernlearn.algorithms import ALGORITHMS, REDUCTIONS, Classes, Problem
from kernlearn.algorithms.core.method import KERNELS, Method
from kernlearn.algorithms.core.problem import Signs
from kernlearn.algorithms.margin import vkr
from kernlearn.cli.configuration.compose import compose_config
from kernlearn.kernels import GramStack, make_family
from kernlearn.kernels.matrices.columns import KernelColumns
from kernlearn.runner.cell import measure
from kernlearn.runner.cell.run import run_cell
from kernlearn.runner.plan.config import check_experiment
from kernlearn.runner.plan.plan import plan
from kernlearn.runner.store.partial import Partial, partials
from kernlearn.runner.store.store import Store
from kernlearn.solvers import DualSimplexSolver, InteriorSolver
from tests.conftest import one_of_each

#: Methods whose path can go on from any point.
RESUMABLE = {name for name, method in ALGORITHMS.items() if "resume" in signature(method.path).parameters}

SMALL = ["dataset=ringnorm", "dataset.n=120"]


def experiment(name, *words):
    method = ALGORITHMS[name]
    inputs = "kernel.degrees=[1,2,3]" if method.inputs == KERNELS else f"kernel={method.inputs}"
    few = ["algo.rounds=8"] if "rounds" in method.parameters else []
    config = compose_config([f"algo={name}", inputs, *SMALL, f"task={method.tasks[0]}", *few, *words])
    return check_experiment(config)


@pytest.mark.parametrize("name", sorted(name for name, method in ALGORITHMS.items() if method.inputs == KERNELS))
def test_methods_with_one_kernel_at_a_time_have_a_block_for_each(name):
    values = experiment(name).values
    family = make_family("polynomial", degrees=[1, 2, 3], coef0=1.0)
    points = ALGORITHMS[name].points(family, ALGORITHMS[name].tasks[0], values)
    assert list(ALGORITHMS[name].blocks(family, ALGORITHMS[name].tasks[0], values)) == (
        [0, 1, 2] if "degree" in points[0] else [None]
    )


class Killed(BaseException):
    pass


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    one_of_each(
        sorted(n for n, method in ALGORITHMS.items() if method.takes(sequential=False) and not method.universum),
        lambda name: (name in RESUMABLE, ALGORITHMS[name].inputs, ALGORITHMS[name].problem),
    ),
)
def test_a_cell_killed_anywhere_and_resumed_gives_the_same_rows(name, tmp_path, monkeypatch):
    """Also that blocks together give the rows of the whole path in one go."""
    (cell, *_) = plan(experiment(name)).cells
    monkeypatch.setattr(Method, "blocks", lambda *_: [None])
    whole = run_cell(cell)["rows"]
    monkeypatch.undo()
    if len(whole) == 1:
        pytest.skip("a path of one point has no middle")
    facts, count, first = measure._facts, 0, max(2, len(whole) // 2)

    def dies_sometimes(point):
        nonlocal count
        count += 1
        if count in (first, first + max(1, len(whole) // 4)):
            raise Killed
        return facts(point)

    monkeypatch.setattr(measure, "_facts", dies_sometimes)
    store = Store(tmp_path)
    for _ in range(2):
        with pytest.raises(Killed):
            run_cell(cell, Partial(store, cell.key, seconds=0.0))
        kept = partials(store).read(cell.key) or {"blocks": 0, "points": 0}
        assert (kept["blocks"] > 0) == ("degree" in whole[0]) and (kept["points"] > 0) == (name in RESUMABLE)
    assert run_cell(cell, Partial(store, cell.key, seconds=0.0))["rows"] == whole


def test_three_binary_paths_in_step_go_on_from_the_middle():
    X, y = load_iris(return_X_y=True)
    stack = GramStack.train(make_family("polynomial", degrees=[1, 2, 3], coef0=1.0), X / np.linalg.norm(X))
    binary = partial(vkr.path, complexity="lemma3", lambdas=[0.1, 0.001], betas=[0.1, 0.01, 0.001])
    points, problem, one_vs_rest = [], Problem(stack, Classes(y, 3)), REDUCTIONS["one_vs_rest"]
    for point in one_vs_rest(binary, problem):
        points.append(point)
        if len(points) == 4:
            state = json.loads(json.dumps(point.state()))
    rest = list(one_vs_rest(binary, problem, resume=(4, state)))
    assert [point.values for point in rest] == [point.values for point in points[4:]]
    for one, other in zip(rest, points[4:], strict=True):
        np.testing.assert_array_equal(one.predictor.coef, other.predictor.coef)
        for solution, same in zip(one.solutions, other.solutions, strict=True):
            assert (solution.iterations, solution.rounds) == (same.iterations, same.rounds)


@pytest.mark.parametrize("solver", [DualSimplexSolver, InteriorSolver])
def test_a_program_that_is_solved_in_several_attempts_goes_on_as_it_would(solver):
    """Labels at random of few dimensions, and no penalty: the tolerance is missed, and all attempts are made."""
    random = np.random.default_rng(0)
    stack = GramStack.train(make_family("polynomial", degrees=[1]), random.standard_normal((30, 5)))
    columns = KernelColumns(stack, np.where(random.random(30) < 0.5, 1.0, -1.0))
    whole = solver(columns)
    whole.solve(np.full((1, 30), 10.0))
    state = json.loads(json.dumps(whole.state()))
    other = solver(columns)
    other.restore(state)
    one, same = (machine.solve(np.zeros((1, 30))) for machine in (whole, other))
    assert one.status == "inaccurate"
    assert (one.iterations, one.rounds, one.objective) == (same.iterations, same.rounds, same.objective)


@pytest.mark.parametrize("solver", ["simplex", "interior"])
def test_a_state_is_of_use_within_the_path_of_one_kernel(solver):
    X, y = load_iris(return_X_y=True)
    stack = GramStack.train(make_family("polynomial", degrees=[1, 2], coef0=1.0), X / np.linalg.norm(X))
    problem = Problem(stack, Signs(np.where(y == 1, 1.0, -1.0)))
    path = partial(ALGORITHMS["l1_svm"].path, problem, betas=[0.1, 0.01, 0.001], solver=solver)
    points = [(point, point.state and json.loads(json.dumps(point.state()))) for point in path()]
    assert [state is None for _, state in points] == [False, False, True] * 2
    for done in (1, 2, 4, 5):
        rest = path(resume=(done, points[done - 1][1]))
        for point, (other, _) in zip(rest, points[done:], strict=True):
            np.testing.assert_array_equal(point.predictor.coef, other.predictor.coef)
