"""What is refused of a path, however it was made."""

from dataclasses import replace

import pytest

from kernlearn.algorithms import ALGORITHMS, Problem, Signs
from kernlearn.algorithms.core.checked import EXACT, checked_path
from kernlearn.errors import UserError
from kernlearn.kernels import GramStack, make_family
from tests.conftest import moons

X, Y = moons(20)
STACK = GramStack.train(make_family("gaussian", gammas=[0.5, 2.0]), X)
VALUES = {"Cs": [0.1, 1.0]}
METHOD = ALGORITHMS["l2_svm"]
GRID = METHOD.points(STACK.family, "classification", VALUES)


def points_of(change=list, certificate=None, **more):
    """Return the points of a path, changed as a function of their list says, once they are checked."""

    def path(problem, resume=None, **values):
        return change(METHOD.path(problem, **values))

    method = replace(METHOD, path=path, certificate=certificate)
    return list(checked_path(Problem(STACK, Signs(Y)), method, GRID, VALUES, **more))


def with_other_key(points):
    for point in points:
        yield replace(point, values={{"C": "c"}.get(key, key): value for key, value in point.values.items()})


def test_the_points_of_a_path_are_those_of_its_grid():
    assert [point.values for point in points_of()] == GRID
    resumed = points_of(lambda points: list(points)[3:], resume=(3, None))
    assert [point.values for point in resumed] == GRID[3:]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (with_other_key, "the path of l2_svm gave gamma=0.5, c=0.1 where its grid has gamma=0.5, C=0.1"),
        (lambda points: list(points)[::-1], "gave gamma=2.0, C=1.0 where its grid has gamma=0.5, C=0.1"),
        (lambda points: list(points)[1:], "gave gamma=0.5, C=1.0 where its grid has gamma=0.5, C=0.1"),
        (lambda points: list(points)[:-1], "ended where its grid has gamma=2.0, C=1.0"),
        (lambda points: 2 * list(points), "gave gamma=0.5, C=0.1 where its grid has no more points"),
    ],
)
def test_a_path_that_leaves_its_grid_is_refused(change, words):
    with pytest.raises(UserError, match=words):
        points_of(change)


def halved(points, **claimed):
    """Yield half of every predictor, with the bounds that are claimed."""
    for point in points:
        predictor = replace(point.predictor, coef=0.5 * point.predictor.coef)
        yield replace(point, predictor=predictor, solutions=(replace(point.solutions[0], **claimed),))


@pytest.mark.parametrize(("objective", "bound"), [(2.0, 1.0), (1.0, 1.1), (float("nan"), 1.0)])
def test_a_solution_whose_bounds_do_not_prove_it_is_not_optimal(objective, bound):
    with pytest.raises(UserError, match=r"calls gamma=0.5, C=0.1 optimal, but its objective is .* allowed"):
        points_of(lambda points: halved(points, objective=objective, dual_objective=bound))
    assert points_of(lambda points: halved(points, objective=objective, dual_objective=bound, status="stopped"))


def test_the_certificate_of_a_plug_in_replaces_what_its_path_says():
    honest, bounds = points_of(), {"objective": 1.0, "dual_objective": 1.0}
    lying = points_of(lambda points: halved(points, **bounds), METHOD.certificate)
    assert {point.status for point in lying} == {"inaccurate"}
    for point, true in zip(lying, honest, strict=True):
        (solution,), (optimal,) = point.solutions, true.solutions
        assert solution.gap > 10.0 * EXACT and solution.objective > optimal.objective
        assert solution.dual_objective == pytest.approx(optimal.dual_objective)
    nothing = {"objective": float("nan"), "dual_objective": float("nan"), "zero": float("nan")}
    for point, true in zip(points_of(lambda points: halved(points, **nothing), METHOD.certificate), lying, strict=True):
        assert point.solutions[0].objective == true.solutions[0].objective
