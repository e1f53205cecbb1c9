"""The SVM with a Universum against the program of the paper, written for cvxpy and solved by Clarabel."""

from dataclasses import replace

import cvxpy as cp
import numpy as np
import pytest

from kernlearn import L2SVMClassifier, USVMClassifier
from kernlearn.algorithms import ALGORITHMS, Problem
from kernlearn.algorithms.core.problem import Signs
from kernlearn.datasets import CATALOGUE
from kernlearn.datasets.core.dataset import Examples
from kernlearn.datasets.sets.entry import Entry
from kernlearn.errors import UserError
from kernlearn.kernels import GramStack, make_family
from kernlearn.runner.cell.cell import Group
from kernlearn.runner.cell.data import data_of
from kernlearn.runner.cell.run import run_cell
from kernlearn.runner.plan.plan import plan
from tests.conftest import moons
from tests.runner.experiments import plan_of

X, Y = moons(40)
UNIVERSUM = np.random.default_rng(0).normal([0.5, 0.25], 0.4, (15, 2))
NEW = moons(50, seed=1)[0]


def optimum(X, y, U, degree, C, cost, epsilon):
    """The value of (P) in the coefficients of all examples."""
    points = np.vstack([X, U])
    values, vectors = np.linalg.eigh((points @ points.T + 1.0) ** degree)
    roots = vectors * np.sqrt(np.maximum(values, 0.0))
    w, b = cp.Variable(len(points)), cp.Variable()
    f = roots @ w + b
    loss = C * cp.sum(cp.pos(1 - cp.multiply(y, f[: len(X)])))
    near = cost * cp.sum(cp.pos(cp.abs(f[len(X) :]) - epsilon))
    return cp.Problem(cp.Minimize(0.5 * cp.sum_squares(w) + loss + near)).solve(solver="CLARABEL")


@pytest.mark.parametrize("C", [0.1, 10.0])
@pytest.mark.parametrize(("cost", "epsilon"), [(0.1, 0.5), (1.0, 0.1), (20.0, 0.0)])
def test_its_objective_is_the_optimum_and_the_value_of_its_function(C, cost, epsilon):
    model = USVMClassifier(degree=2, C=C, C_universum=cost, epsilon=epsilon, tol=1e-9).fit(X, Y, UNIVERSUM)
    assert model.gap_ <= 1e-9
    assert model.objective_ == pytest.approx(optimum(X, Y, UNIVERSUM, 2, C, cost, epsilon), rel=1e-6)
    f, u = model.decision_function(X), model.decision_function(UNIVERSUM)
    points, coef = model.support_vectors_, model.dual_coef_[0]
    norm = coef @ (points @ points.T + 1.0) ** 2 @ coef
    loss, near = np.maximum(0, 1 - Y * f).sum(), np.maximum(0, np.abs(u) - epsilon).sum()
    assert 0.5 * norm + C * loss + cost * near == pytest.approx(model.objective_, rel=1e-7)
    np.testing.assert_array_equal(np.vstack([X, UNIVERSUM])[model.support_], points)


def test_a_class_of_weight_three_is_there_three_times_in_runs_and_estimators():
    weights, given = np.where(Y > 0, 3.0, 1.0), {"degree": 2, "C": 2.0, "tol": 1e-9}
    again = np.repeat(np.arange(len(Y)), weights.astype(int))
    several = USVMClassifier(**given).fit(X[again], Y[again], UNIVERSUM)
    model = USVMClassifier(**given, class_weight={1.0: 3.0}).fit(X, Y, UNIVERSUM)
    stack = GramStack.train(make_family("polynomial", degrees=[2], coef0=1.0), np.vstack([X, UNIVERSUM]))
    problem = Problem(stack, Signs(Y), np.arange(len(Y)), weights=weights)
    (point,) = ALGORITHMS["u_svm"].path(problem, Cs=[2.0], C_universums=[1.0], tol=1e-9)
    assert model.objective_ == pytest.approx(several.objective_, rel=1e-7)
    assert model.objective_ == pytest.approx(point.solutions[0].objective, rel=1e-9)
    assert max(model.gap_, point.solutions[0].gap) <= 1e-9


def test_it_draws_the_outputs_on_the_universum_to_0():
    models = [USVMClassifier(degree=2, C_universum=cost).fit(X, Y, UNIVERSUM) for cost in (1e-3, 1.0, 1e3)]
    sizes = [np.abs(model.decision_function(UNIVERSUM)).sum() for model in models]
    assert sizes[0] > 1.1 * sizes[1] > 1.1 * sizes[2]


@pytest.mark.parametrize("universum", [None, X[:4]], ids=["none", "far from costing"])
def test_a_universum_that_costs_nothing_changes_nothing(universum):
    given = {"degree": 2, "C": 3.0, "tol": 1e-9}
    model = USVMClassifier(**given, epsilon=1e3).fit(X, Y, universum)
    oracle = L2SVMClassifier(**given).fit(X, Y)
    np.testing.assert_allclose(model.decision_function(NEW), oracle.decision_function(NEW), atol=1e-5)


def test_of_several_classes_every_one_has_the_universum():
    y = np.where(X[:, 0] > 1.2, 2, (Y > 0).astype(int))
    model = USVMClassifier(degree=2).fit(X, y, UNIVERSUM)
    for k in range(3):
        one = USVMClassifier(degree=2).fit(X, np.where(y == k, 1, -1), UNIVERSUM)
        np.testing.assert_allclose(model.decision_function(NEW)[:, k], one.decision_function(NEW), atol=1e-9)


@pytest.mark.parametrize("universum", [np.zeros((3, 5)), np.full((3, 2), np.nan), np.zeros(2)])
def test_a_universum_that_is_none_is_told(universum):
    with pytest.raises(ValueError, match=r"features|NaN|2D array"):
        USVMClassifier().fit(X, Y, universum)


def test_of_a_precomputed_kernel_there_are_no_values_for_it():
    with pytest.raises(UserError, match="kernel=precomputed"):
        USVMClassifier(kernel="precomputed").fit(X @ X.T, Y, UNIVERSUM)


@pytest.fixture
def moons_and_more(monkeypatch):
    """A data set with a Universum."""
    entry = Entry(
        "two moons and points between them", 40, 2, {"0": "a", "1": "b"}, "none", "none",
        make=lambda: Examples(X, (Y > 0).astype(int), universum=UNIVERSUM),
    )  # fmt: skip
    monkeypatch.setitem(CATALOGUE, "moons_and_more", entry)
    base = plan_of("dataset=sonar", "algo=l2_svm", "kernel.degrees=[2]", "scaling=none").experiment
    algo = {"name": "u_svm", "Cs": [0.5, 5.0], "C_universums": [1.0], "epsilon": 0.1, "tol": 1e-9}
    return replace(base, dataset=Group({"name": "moons_and_more"}), algo=Group(algo))


def test_as_a_method_it_learns_from_the_universum_of_the_data(moons_and_more):
    todo = plan(moons_and_more)
    assert todo.dataset.universum.shape == (15, 2) and len(todo.dataset.y) == 40
    for cell in todo.cells:
        data, split = data_of(cell)
        labels = np.where(data.y == 1, 1, -1)
        for row in run_cell(cell)["rows"]:
            model = USVMClassifier(degree=2, C=row["C"], C_universum=row["C_universum"], tol=1e-9)
            model.fit(data.X[split.train], labels[split.train], UNIVERSUM)
            assert row["objective"] == pytest.approx(model.objective_, rel=1e-6) and row["n_train"] == 24
            wrong = {part: model.predict(data.X[index]) != labels[index] for part, index in split.fits[0][1].items()}
            assert [row[f"{part}_errors"] for part in wrong] == [errors.sum() for errors in wrong.values()]


def test_without_a_universum_it_says_what_it_needs(moons_and_more):
    with pytest.raises(UserError, match="algo=u_svm: learns from a Universum.* sonar has none"):
        plan(replace(moons_and_more, dataset=Group({"name": "sonar"})))
    with pytest.raises(UserError, match="algo=u_svm learns from examples of no class; use one_vs_rest"):
        plan(replace(moons_and_more, multiclass="one_vs_one"))
    stack = GramStack.train(make_family("gaussian", gammas=[1.0]), X)
    with pytest.raises(UserError, match="there is none"):
        next(ALGORITHMS["u_svm"].path(Problem(stack, Signs(Y)), Cs=[1.0], C_universums=[1.0]))
