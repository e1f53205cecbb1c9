"""Voted Kernel Regularization with kernels that are not positive definite, or not even symmetric."""

import csv

import numpy as np
import pytest

import kernlearn
from kernlearn.algorithms import ALGORITHMS, Problem, Signs
from kernlearn.algorithms.margin.vkr import solve_vkr
from kernlearn.cli.main import main
from kernlearn.datasets import load
from kernlearn.errors import UserError
from kernlearn.kernels import COMPLEXITIES, GramStack, make_family
from kernlearn.kernels.families.vectors import precomputed
from tests.algorithms.test_programs import vkr_by_linprog
from tests.conftest import moons, random_sequences

QUICK = ["algo.lambdas=[0.1,0.01]", "algo.betas=[0.001]", "engine.jobs=1"]


def sigmoid_stack():
    X, y = moons(60)
    return GramStack.train(make_family("sigmoid", slopes=[0.5, 2.0], offset=-1.0), X), y


def edit_distance_stack(n=60, **costs):
    """Sequences whose label is whether the code 0 occurs more often than the code 1."""
    X = random_sequences(n, seed=0, longest=12, letters=3)
    y = np.where((X == 0).sum(axis=1) > (X == 1).sum(axis=1), 1.0, -1.0)
    return GramStack.train(make_family("edit_distance", gammas=[0.02, 0.2], **costs), X), y


def random_stack():
    X, y = moons(60)
    return GramStack.train(precomputed(), np.random.default_rng(0).normal(size=(60, 60)) + np.outer(y, X[:, 0])), y


STACKS = {
    "sigmoid": sigmoid_stack(),
    "edit_distance": edit_distance_stack(),
    "edit_distance, costly deletions": edit_distance_stack(deletion=3.0),
    "a matrix without symmetry": random_stack(),
}


@pytest.mark.parametrize("name", ["sigmoid", "edit_distance"])
def test_some_kernels_have_clearly_negative_eigenvalues(name):
    stack, _ = STACKS[name]
    eigenvalues = np.linalg.eigvalsh(stack.matrix(0))
    assert eigenvalues[0] < -1e-4 * eigenvalues[-1]  # far beyond rounding, 1e-14


@pytest.mark.parametrize("name", ["edit_distance, costly deletions", "a matrix without symmetry"])
def test_some_kernels_are_not_symmetric(name):
    K = STACKS[name][0].matrix(0)
    assert np.abs(K - K.T).max() > 0.1


@pytest.mark.parametrize("name", sorted(STACKS))
@pytest.mark.parametrize(("lambda_", "beta"), [(0.1, 0.01), (1e-2, 1e-3), (0.0, 1e-4)])
def test_the_optimum_is_certified_and_that_of_an_independent_linear_program(name, lambda_, beta):
    stack, y = STACKS[name]
    r = COMPLEXITIES["massart"](stack)
    solution = solve_vkr(stack, y, r, lambda_, beta)
    value, _ = vkr_by_linprog(stack, y, lambda_ * r + beta)
    assert solution.gap <= 1e-9
    assert solution.objective == pytest.approx(value, rel=1e-7)


def test_the_estimator_takes_a_matrix_without_symmetry():
    stack, y = STACKS["a matrix without symmetry"]
    model = kernlearn.VKRClassifier(kernel="precomputed", complexity="massart").fit(stack.matrix(0), y)
    f = stack.matrix(0)[:, model.support_] @ model.dual_coef_[0]
    np.testing.assert_allclose(model.decision_function(stack.matrix(0)), f, atol=1e-9)
    assert model.gap_ <= 1e-9


@pytest.mark.parametrize("name", ["sigmoid", "edit_distance"])
@pytest.mark.parametrize("complexity", ["lemma3", "local"])
def test_measures_for_positive_definite_kernels_are_refused(name, complexity):
    values = {"complexity": complexity, "lambdas": [1.0], "betas": [1.0], "local_radii": None}
    with pytest.raises(UserError, match=f"the {name} kernel is not; use algo.complexity=massart"):
        ALGORITHMS["vkr"].grid(STACKS[name][0].family, **values)


def test_local_complexities_add_the_radius_to_the_grid(small):
    stack, y, _ = small
    values = {"complexity": "local", "lambdas": [0.1, 1.0], "betas": [1e-2, 1e-3], "local_radii": [0.01, 1]}
    points = list(ALGORITHMS["vkr"].path(Problem(stack, Signs(y)), **values))
    assert [point.values for point in points] == ALGORITHMS["vkr"].grid(stack.family, **values)
    assert points[0].values == {"radius": 1.0, "lambda": 1.0, "beta": 1e-2}
    assert len(points) == 8 and max(point.solutions[0].gap for point in points) <= 1e-9
    for point in points:
        s, lambda_, beta = point.values.values()
        model = kernlearn.VKRClassifier(
            kernel="precomputed", complexity="local", lambda_=lambda_, beta=beta, local_radius=s
        )
        r = COMPLEXITIES["local"](stack, s)
        expected, _ = vkr_by_linprog(stack, y, lambda_ * r + beta)
        assert point.solutions[0].objective == pytest.approx(expected, rel=1e-7)
        single = stack.select(1)
        model.fit(single.matrix(0), y)
        assert model.objective_ == pytest.approx(solve_vkr(single, y, r[1:2], lambda_, beta).objective, rel=1e-9)


def test_a_radius_without_local_complexities_and_the_reverse_are_told(small):
    stack, y, _ = small
    for values, message in [
        ({"complexity": "local"}, "complexity=local: needs radii, such as algo.local_radii="),
        ({"complexity": "lemma3", "local_radii": [1.0]}, r"local_radii=\[1.0\]: must be null unless"),
    ]:
        with pytest.raises(UserError, match=message):
            ALGORITHMS["vkr"].grid(stack.family, lambdas=[1.0], betas=[1.0], **values)
    for parameters in ({"complexity": "local"}, {"local_radius": 1.0}, {"complexity": "local", "local_radius": 0.0}):
        with pytest.raises(ValueError, match="local_radius="):
            kernlearn.VKRClassifier(**parameters).fit(stack.base, y)


@pytest.mark.slow
def test_promoters_with_the_edit_distance_from_the_words_to_the_tables(tmp_path, capsys):
    command = ["run", "dataset=promoters", "kernel=edit_distance", "scaling=none", "algo.complexity=massart", *QUICK]
    assert main(command) == 0
    out = capsys.readouterr().out
    assert "promoters: 106 x 57, classes other (53), promoter (53)" in out
    with (tmp_path / out.splitlines()[-1].removeprefix("results: ") / "paths.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 10 and max(float(row["gap"]) for row in rows) <= 1e-9
    assert {row["status"] for row in rows} == {"optimal"}


def test_promoters_have_an_indefinite_edit_distance_kernel():
    K = GramStack.train(make_family("edit_distance", gammas=[1e-3]), load("promoters").X).matrix(0)
    assert np.linalg.eigvalsh(K)[0] < -1e-3


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        (
            ["kernel=edit_distance", "algo.complexity=massart"],
            "kernel=edit_distance: works on sequences of integer codes",
        ),
        (["kernel=spectrum"], "scaling=none"),
        (["kernel=edit_distance", "scaling=none"], "use algo.complexity=massart"),
        (
            ["kernel=spectrum", "scaling=none", "kernel.lengths=[58]"],
            "kernel.lengths: 58 is more than the 57 positions",
        ),
        (["kernel=sigmoid", "algo=l2_svm"], "kernel=sigmoid: is not positive definite, and this method"),
        (["algo.complexity=local"], "algo.complexity=local: needs radii"),
        (["algo.local_radii=[1]"], "algo.local_radii=[1.0]: must be null"),
        (["algo.local_radii=[0]"], "algo.local_radii[0]=0: must be a number > 0"),
    ],
)
def test_mistakes_are_told_before_anything_runs(overrides, message, capsys, tmp_path):
    assert main(["run", "dataset=promoters", *overrides]) == 2
    error = capsys.readouterr().err
    assert message in error and error.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
@pytest.mark.parametrize("overrides", [["kernel=spectrum"], ["kernel=polynomial_libsvm"]])
def test_local_complexities_run(overrides, capsys):
    local = ["algo.complexity=local", "algo.local_radii=[1,0.01]", "scaling=none"]
    assert main(["run", "dataset=promoters", *overrides, *local, *QUICK]) == 0
    out = capsys.readouterr().out
    assert "vkr_local" in out and "selected   radius=" in out


def test_sigmoid_runs():
    assert main(["run", "dataset=sonar", "kernel=sigmoid", "algo.complexity=massart", *QUICK]) == 0
