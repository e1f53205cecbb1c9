"""Methods whose inputs are no kernels and whose predictors are no expansions go through the same door."""

from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

from kernlearn.algorithms import ALGORITHMS, REDUCTIONS, Classes, Method, Point, Problem
from kernlearn.algorithms.core.predictor import Values
from kernlearn.errors import UserError
from kernlearn.kernels import FAMILIES, GramStack, make_family
from kernlearn.kernels.core.products import squared_distances
from kernlearn.runner.cell.cell import Group
from kernlearn.runner.cell.data import data_of
from kernlearn.runner.cell.run import run_cell
from kernlearn.runner.plan import config
from kernlearn.runner.plan.plan import plan
from kernlearn.solvers import Solution
from tests.runner.experiments import plan_of

IRIS, SPECIES = load_iris(return_X_y=True)


@dataclass(frozen=True)
class Directions:
    """Signs of the examples along directions drawn at random."""

    X: np.ndarray
    centre: np.ndarray
    directions: np.ndarray

    def at(self, X):
        return Directions(X, self.centre, self.directions)

    def take(self, rows):
        return self.at(self.X[rows])

    def votes(self):
        return np.where((self.X - self.centre) @ self.directions > 0, 1.0, -1.0)


@dataclass(frozen=True)
class DirectionFamily:
    n: int
    name: str = "directions"
    members: tuple = ()
    positive_definite: bool = True

    def __len__(self):
        return 0

    def fit(self, X, seed):
        return Directions(X, X.mean(axis=0), np.random.default_rng(seed).normal(size=(X.shape[1], self.n)))


@dataclass(frozen=True)
class Vote:
    weights: np.ndarray

    def outputs(self, inputs):
        return (inputs.votes() @ self.weights)[None]

    def counts(self):
        return {"n_support": 0, "n_nonzero": int(np.count_nonzero(self.weights))}


def nothing(n):
    return Solution(np.zeros(n), 0.0, np.zeros(n), 0.0, 0.0, "optimal", 1, 1, 0.0)


def vote_path(problem):
    """The share of right votes of every direction, less one half."""
    votes = problem.inputs.votes()
    yield Point({}, Vote(votes.T @ problem.y / len(problem.y)), (nothing(votes.shape[1]),))


@dataclass(frozen=True)
class Cloud:
    """Examples among which there are distances."""

    X: np.ndarray
    rows: np.ndarray

    def take(self, rows):
        return Cloud(self.X, self.rows[rows])


class CloudFamily(DirectionFamily):
    def fit(self, X, seed):
        return Cloud(X, np.arange(len(X)))


def neighbour_path(problem):
    """The label of the nearest labelled example, for all that are seen."""
    X = problem.inputs.X
    nearest = squared_distances(X, X[problem.labelled]).argmin(axis=1)
    assert len(X) > len(problem.labelled)
    yield Point({}, Values(problem.y[nearest][None]), (nothing(len(X)),))


@pytest.fixture
def registered(monkeypatch):
    one_point = partial(Method, parameters={}, grid=lambda family, **_: [{}], problem="problems")
    for method in (
        one_point("dot_vote", "votes of directions", path=vote_path, inputs="directions"),
        one_point("neighbour", "the nearest labelled example", path=neighbour_path, sees_all=True, inputs="cloud"),
    ):
        monkeypatch.setitem(ALGORITHMS, method.name, method)
    monkeypatch.setitem(FAMILIES, "directions", DirectionFamily)
    monkeypatch.setitem(FAMILIES, "cloud", partial(CloudFamily, 0))
    monkeypatch.setitem(config.KERNEL_PARAMETERS, "directions", {"n": config.Parameter(200, config.Number(low=1))})


def rows(algo, kernel, *words):
    base = plan_of("dataset=sonar", "scaling=none", *words).experiment

    return [
        run_cell(cell)["rows"] for cell in plan(replace(base, algo=Group({"name": algo}), kernel=Group(kernel))).cells
    ]


def test_votes_are_measured_as_expansions_are(registered):
    found = rows("dot_vote", {"name": "directions", "n": 200}, "seed=3")
    again = rows("dot_vote", {"name": "directions", "n": 200}, "seed=3")
    assert found == again and all(row["test_auc"] > 60 and row["n_nonzero"] > 100 for (row,) in found)


def test_what_a_method_does_not_learn_from_is_refused_in_one_line(registered):
    base = plan_of("dataset=sonar").experiment
    for algo, kernel, told in [
        ("dot_vote", {"name": "cloud"}, "algo=dot_vote: learns from directions, not from cloud; use kernel=directions"),
        ("dot_vote", base.kernel, "learns from directions, not from polynomial; use kernel=directions"),
        ("l2_svm", {"name": "cloud"}, "algo=l2_svm: learns from kernels, but kernel=cloud is only for neighbour"),
    ]:
        with pytest.raises(UserError, match=told):
            plan(replace(base, algo=Group({"name": algo, **some_values(algo)}), kernel=Group(kernel)))


def some_values(algo):
    return {key: parameter.default for key, parameter in ALGORITHMS[algo].parameters.items()}


def test_a_method_that_sees_all_examples_predicts_them_where_they_stand(registered):

    base = plan_of("dataset=sonar", "scaling=none").experiment
    for cell in plan(replace(base, algo=Group({"name": "neighbour"}), kernel=Group({"name": "cloud"}))).cells:
        (row,) = run_cell(cell)["rows"]
        data, split = data_of(cell)
        oracle = KNeighborsClassifier(1).fit(data.X[split.train], data.y[split.train])
        for part in ("validation", "test"):
            index = getattr(split, part)
            assert row[f"{part}_errors"] == (oracle.predict(data.X[index]) != data.y[index]).sum()


def test_one_against_one_has_the_votes_of_libsvm():
    stack = GramStack.train(make_family("gaussian", gammas=[0.5]), IRIS)
    path = partial(ALGORITHMS["l2_svm"].path, Cs=[0.1, 10.0])
    problem = Problem(stack, Classes(SPECIES, 3))
    new = IRIS[::7] + 0.05
    for point in REDUCTIONS["one_vs_one"](path, problem):
        oracle = SVC(C=point.values["C"], gamma=0.5, tol=1e-6, decision_function_shape="ovo").fit(IRIS, SPECIES)
        decision = oracle.decision_function(new)  # positive for the first of a pair
        votes = np.zeros((3, len(new)))
        for f, (first, second) in zip(decision.T, [(0, 1), (0, 2), (1, 2)], strict=True):
            votes[first] += f > 0.0
            votes[second] += f <= 0.0
        np.testing.assert_array_equal(point.predictor.outputs(stack.at(new)), votes)
        assert len(point.solutions) == 3


def test_one_against_one_is_another_experiment_and_of_two_classes_the_same():
    two = [plan_of("dataset=sonar", "algo=l2_svm", *words) for words in ([], ["multiclass=one_vs_one"])]
    assert two[0].keys != two[1].keys
    first, second = (run_cell(p.cells[0])["rows"] for p in two)
    assert first == second
    with pytest.raises(UserError, match="all classes at once; leave it out"):
        plan_of("dataset=sonar", "algo=multiclass_mkl", "multiclass=one_vs_one")


def test_of_two_votes_each_the_first_class_is_predicted_and_no_class_without_an_example():
    stack = GramStack.train(make_family("gaussian", gammas=[0.5]), IRIS)
    few = np.where(SPECIES == 1, 3, SPECIES)  # class 1 of four has no example
    path = partial(ALGORITHMS["l2_svm"].path, Cs=[1.0])
    (point,) = REDUCTIONS["one_vs_one"](path, Problem(stack, Classes(few, 4)))
    votes = point.predictor.outputs(stack)
    assert votes.shape == (4, 150) and not votes[1].any() and (votes.sum(axis=0) == 3).all()
