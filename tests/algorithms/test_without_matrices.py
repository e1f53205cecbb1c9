"""Machines that hold no kernel matrix (``streamed=true``, or many examples): the optimum of the matrix, from rows."""

import resource
import sys
from dataclasses import replace

import numpy as np
import pytest

from kernlearn import L2SVMClassifier, RMMClassifier
from kernlearn.algorithms import ALGORITHMS
from kernlearn.algorithms.core import grams
from kernlearn.errors import UserError
from kernlearn.kernels import GramStack, make_family
from kernlearn.kernels.matrices.streamed import StreamedStack, kernel_stack
from kernlearn.runner.plan.identity import identity
from kernlearn.solvers import DenseGram, KernelGram, SMOSolver
from kernlearn.solvers.bands.working_set import Sizes
from tests.runner.experiments import plan_of, rows_of

FAMILIES = {
    "gaussian": {"gammas": [0.05, 0.5]},
    "polynomial": {"degrees": [1, 3]},
    "polynomial_unit": {"degrees": [2]},
}


def classes(n, d=6, seed=0):
    random = np.random.default_rng(seed)
    X = random.standard_normal((n, d))
    return X, np.where((X[:, 0] * X[:, 1] + X[:, 2] > 0) ^ (random.random(n) < 0.1), 1.0, -1.0)


@pytest.fixture(autouse=True)
def few_in_the_working_set(monkeypatch):
    monkeypatch.setattr("kernlearn.solvers.bands.smo_solver.WHOLE_SET_UP_TO", 60)


@pytest.mark.parametrize("name", FAMILIES)
def test_a_streamed_stack_has_the_values_of_a_stored_one(name):
    X, _ = classes(90)
    family, random = make_family(name, **FAMILIES[name]), np.random.default_rng(1)
    stored, other = GramStack.train(family, X), StreamedStack(family, X, X)
    p, coef = len(family), random.standard_normal((3, len(family), 90))
    assert other.shape == stored.shape
    for k in range(p):
        np.testing.assert_allclose(other.diagonal(k), stored.diagonal(k), rtol=1e-12)
        np.testing.assert_allclose(other.columns(k, np.arange(7, 50)), stored.columns(k, np.arange(7, 50)), rtol=1e-11)
    np.testing.assert_allclose(other.scales(), stored.scales(), rtol=1e-12)
    v = random.standard_normal(90)
    np.testing.assert_allclose(other.price(v), stored.price(v), atol=1e-10 * np.abs(stored.scales()).max())
    for one, two in ((other, stored), (other.at(X[:13] + 0.1), stored.at(X[:13] + 0.1))):
        np.testing.assert_allclose(
            one.expansions(coef), two.expansions(coef), atol=1e-9 * np.abs(stored.scales()).max()
        )


@pytest.mark.parametrize("words", [["algo=l2_svm"], ["algo=rmm", "algo.fractions=[1,0.5]"]])
def test_a_cell_has_the_same_optimum(words):
    kernel = ["kernel=gaussian", "kernel.gammas=[0.01,0.1]"]
    words = [*words, "dataset=sonar", *kernel, "algo.Cs=[0.1,10]", "algo.tol=1e-8"]
    found, expected = rows_of(*words, "streamed=true"), rows_of(*words)
    for one, two in zip(found, expected, strict=True):
        assert one["status"] == "optimal" and abs(one["gap"]) < 1e-8
        assert one["objective"] == pytest.approx(two["objective"], rel=1e-7)
        assert {name: value for name, value in one.items() if name.endswith("_errors")} == {
            name: value for name, value in two.items() if name.endswith("_errors")
        }


@pytest.mark.parametrize("estimator", [L2SVMClassifier, RMMClassifier])
def test_an_estimator_has_the_same_optimum_and_a_certificate(estimator, monkeypatch):
    X, y = classes(300)
    weights = np.where(np.arange(300) % 3, 1.0, 2.0) if estimator is L2SVMClassifier else None
    told = {} if weights is None else {"sample_weight": weights}
    expected = estimator(kernel="gaussian", gamma=0.2).fit(X, y, **told)
    name = "l2_svm" if estimator is L2SVMClassifier else "rmm"
    monkeypatch.setattr(estimator, "_method", replace(ALGORITHMS[name], max_matrix_bytes=0.0))
    found = estimator(kernel="gaussian", gamma=0.2).fit(X, y, **told)
    f = found.decision_function(X)
    np.testing.assert_allclose(f, expected.decision_function(X), atol=1e-4)
    K = np.exp(-0.2 * ((X[:, None] - X[None]) ** 2).sum(axis=2))
    x = np.zeros(300)
    x[found.support_] = found.dual_coef_
    losses = np.maximum(0.0, 1.0 - y * (K @ x + found.intercept_))
    value = 0.5 * x @ K @ x + (losses.sum() if weights is None else weights @ losses)
    assert value == pytest.approx(found.objective_, rel=1e-9)
    assert 0.0 <= found.objective_ - found.dual_objective_ + 1e-9 <= 1e-5 * value


WEIGHED = {
    "unif": ["algo.Cs=[1]"],
    "align": ["algo.Cs=[1]"],
    "l1_mkl": ["algo.Cs=[1]"],
    "l2_mkl": ["algo.Cs=[1]"],
}


@pytest.mark.parametrize("name", [*WEIGHED, "krr", "unif regression", "alignf regression", "l1_krr", "l2_krr"])
def test_kernels_without_any_matrix_have_the_optimum(name, monkeypatch):
    words = WEIGHED.get(name, ["task=regression", "algo.lambdas=[1,0.01]"])
    words = [f"algo={name.split()[0]}", *words, "dataset=sonar", "kernel=gaussian", "kernel.gammas=[0.01,0.1]"]
    expected = rows_of(*words)
    monkeypatch.setattr("kernlearn.kernels.matrices.blocks.MOST_BYTES", 0.0)
    found = rows_of(*words, "streamed=true")
    for one, two in zip(found, expected, strict=True):
        assert one["status"] == two["status"] == "optimal" and abs(one["gap"]) < 2e-6
        assert one["objective"] == pytest.approx(two["objective"], rel=4e-6)
        if name in ("krr", "l1_krr"):
            assert one["alignment"] == pytest.approx(two["alignment"], rel=1e-2)


def test_solvers_that_need_the_matrix_say_so(monkeypatch):
    monkeypatch.setattr(L2SVMClassifier, "_method", replace(ALGORITHMS["l2_svm"], max_matrix_bytes=0.0))
    X, y = classes(100)
    for solver in ("libsvm", "osqp"):
        with pytest.raises(UserError, match=f"solver={solver}: needs the kernel matrix of 100"):
            L2SVMClassifier(kernel="gaussian", solver=solver).fit(X, y)
    with pytest.raises(UserError, match="too far from the origin"):
        L2SVMClassifier(kernel="polynomial", degree=1).fit(X + 1e7, y)


def test_matrices_are_held_below_a_stated_size_whatever_the_machine():
    X, family = np.zeros((20, 2)), make_family("gaussian", gammas=[1.0])
    many = np.zeros((16_385, 1))
    assert type(kernel_stack(family, X, X)) is GramStack
    assert type(kernel_stack(family, many, many)) is StreamedStack
    assert type(kernel_stack(family, many[:16_000], many[:1])) is GramStack


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", [name for name, method in ALGORITHMS.items() if np.isfinite(method.max_matrix_bytes)])
def test_what_is_streamed_is_another_cell_and_says_so(name):
    task = "classification" if "classification" in ALGORITHMS[name].tasks else "regression"
    words = [f"algo={name}", f"task={task}", "dataset=sonar", "kernel=gaussian"]
    without, plan = plan_of(*words, "streamed=true"), plan_of(*words, "streamed=false")
    assert without.cost.size.streamed and not plan.cost.size.streamed
    assert set(without.keys).isdisjoint(plan.keys) and plan.keys == plan_of(*words).keys
    assert identity(without)["parameters"] == f"streamed=true {identity(plan)['parameters']}".strip()
    assert plan.cost.without_matrices == without.cost


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.slow
def test_whether_it_is_streamed_does_not_depend_on_the_memory_that_is_left():
    """2,500 training examples: a matrix of 50 MB, and a limit that six of them would not fit into."""
    words = ["algo=l2_svm", "dataset=ringnorm", "dataset.n=4166", "kernel=gaussian", "kernel.gammas=[0.05]"]
    words += ["algo.Cs=[0.01]"]
    expected = rows_of(*words)
    before = resource.getrlimit(resource.RLIMIT_AS)
    used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + 290 * 2**20, before[1]))
    try:
        assert rows_of(*words) == expected
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def test_what_cannot_be_streamed_is_refused():
    with pytest.raises(
        UserError, match=r"streamed=true: is not for algo=conv; leave streamed out. It is for l1_mkl, l2_mkl, unif"
    ):
        plan_of("algo=conv", "dataset=sonar", "kernel=gaussian", "streamed=true")
    with pytest.raises(UserError, match="streamed=true: is not for kernel=linear; leave streamed out"):
        plan_of("algo=vkr", "dataset=sonar", "kernel=linear", "streamed=true")
    with pytest.raises(UserError, match=r"streamed=true: is not for kernel.approximate"):
        words = ["kernel=gaussian", "kernel.approximate=nystrom", "kernel.rank=5"]
        plan_of("algo=l2_svm", "dataset=sonar", *words, "streamed=true")
    with pytest.raises(UserError, match="solver=libsvm: needs the kernel matrix of 126 examples"):
        plan_of("algo=l2_svm", "algo.solver=libsvm", "dataset=sonar", "streamed=true")
    assert plan_of("algo=vkr", "algo.solver=highs", "dataset=sonar", "streamed=true").cost.size.streamed
    with pytest.raises(UserError, match="streamed=perhaps"):
        plan_of("algo=l2_svm", "dataset=sonar", "streamed=perhaps")


def test_few_kinds_of_contradictory_examples_have_the_optimum_of_their_matrix():
    """Of ties that no active set ends with a homotopy finds the solution, and equal examples of a class are one."""
    random = np.random.default_rng(0)
    X = random.integers(-1, 3, (900, 3)).astype(float)
    y = np.where((X[:, 0] > 0) ^ (random.random(900) < 0.3), 1.0, -1.0)
    family = make_family("polynomial", degrees=[3])
    values = KernelGram(StreamedStack(family, X, X).gram_rows())
    by_rows = SMOSolver(values, y, 1e-6, sizes=Sizes(3000))
    dense = SMOSolver(GramStack.train(family, X).matrix(0), y, 1e-6)
    assert isinstance(by_rows._gram, DenseGram)
    assert len(by_rows._y) == len(np.unique(np.column_stack([X, y]), axis=0))
    for C in (0.01, 1.0, 100.0):
        found, expected = by_rows.solve(C), dense.solve(C)
        assert found.status == "optimal" and found.objective == pytest.approx(expected.objective, rel=2e-6)
    found, expected = by_rows.solve(1.0, 1.5), dense.solve(1.0, 1.5)
    assert found.status == "optimal" and found.objective == pytest.approx(expected.objective, rel=2e-6)


@pytest.mark.parametrize("B", [None, 1.5])
def test_what_active_sets_do_not_end_goes_to_a_homotopy_on_what_differs(B, monkeypatch):
    random = np.random.default_rng(0)
    X = random.integers(-1, 3, (300, 3)).astype(float)
    y = np.where((X[:, 0] > 0) ^ (random.random(300) < 0.3), 1.0, -1.0)
    family = make_family("polynomial", degrees=[2])
    expected = SMOSolver(GramStack.train(family, X).matrix(0), y, 1e-6).solve(1.0, B)
    solver = SMOSolver(KernelGram(StreamedStack(family, X, X).gram_rows()), y, 1e-6, sizes=Sizes(3000))
    monkeypatch.setattr(solver, "_move", lambda point, B, clock: (point, 0, 0))  # which get nowhere
    found = solver.solve(1.0, B)
    assert solver.fallbacks == 1 and found.status == "optimal"
    assert found.objective == pytest.approx(expected.objective, rel=2e-6)


def test_what_a_cell_needs_grows_with_the_examples_alone():
    words = ["algo=l2_svm", "dataset=gaussians", "kernel=gaussian", "kernel.gammas=[1]", "protocol=rotation5"]
    small, large = (plan_of(*words, f"dataset.n={n}").cost.peak for n in (40_000, 80_000))
    assert large < 1.1 * small < 2.5e9
    words = ["algo=alignf", "dataset=gaussians", "dataset.n=40000", "kernel=gaussian", "protocol=rotation5"]
    cost = plan_of(*words).cost
    assert cost.size.p == 7 and cost.peak < 1.7 * 8 * cost.size.n**2  # of one kernel, not of seven


WEIGHING = [
    ["algo=unif", "algo.Cs=[1]"],
    ["algo=alignf", "algo.Cs=[1]"],
    ["algo=l1_mkl", "algo.Cs=[0.1,1]"],
    ["algo=l2_mkl", "algo.Cs=[1]", "algo.centre=false"],
    ["algo=alignf", "task=regression", "algo.lambdas=[1]"],
    ["algo=l2_krr", "task=regression", "algo.lambdas=[1]"],
    ["algo=l1_krr", "task=regression", "algo.lambdas=[1]"],
    ["algo=krr", "task=regression", "algo.lambdas=[1,0.01]"],
]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("words", WEIGHING, ids=lambda words: " ".join(words))
def test_kernels_by_blocks_are_weighed_as_their_matrices_are(words, monkeypatch):
    """Of one hundred examples at most the working set, and one combined matrix: the same weights and optimum."""
    monkeypatch.setattr(grams, "WHOLE_SET_UP_TO", 60)
    data = ["dataset=ionosphere" if "task=regression" in words else "dataset=sonar"]
    words = [*words, *data, "kernel=gaussian", "kernel.gammas=[0.003,0.03,0.3]"]
    for one, two in zip(rows_of(*words, "streamed=true"), rows_of(*words), strict=True):
        assert one["status"] == two["status"] == "optimal"
        assert one["objective"] == pytest.approx(two["objective"], rel=2e-6)
        assert one["alignment"] == pytest.approx(two["alignment"], rel=1e-3)
        assert one.get("weights", "").count(" ") == two.get("weights", "").count(" ")
        weights, expected = (np.array(row.get("weights", "").split(), dtype=float) for row in (one, two))
        np.testing.assert_allclose(weights, expected, atol=3e-3 * np.abs(expected).max(initial=0.0))
