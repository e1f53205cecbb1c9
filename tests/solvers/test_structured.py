"""Cutting planes over labellings: against enumeration, Clarabel, OSQP and other machines."""

from itertools import product
from math import inf

import cvxpy as cp
import numpy as np
import pytest
from sklearn.datasets import load_wine

from kernlearn.errors import UserError
from kernlearn.solvers import solve_multiclass_svm
from kernlearn.solvers.structured import classes as structured_classes
from kernlearn.solvers.structured.chains import best_labels
from kernlearn.solvers.structured.cut_descent import descend
from kernlearn.solvers.structured.cuts import Cuts
from kernlearn.solvers.structured.joint_weights import best_multiple
from kernlearn.solvers.structured.labellings import scores, second_best
from kernlearn.solvers.structured.solver import StructuredSolver
from tests.conftest import first_of


def chains(n=8, k=3, d=5, seed=0, longest=3):
    """Return features, labels and starts of sequences, of one place some."""
    rng = np.random.default_rng(seed)
    lengths = np.concatenate([[1], rng.integers(1, longest + 1, n - 1)])
    X = rng.normal(size=(lengths.sum(), d))
    labels = (X @ rng.normal(size=(d, k)) + rng.normal(size=(len(X), k))).argmax(axis=1)
    return X, labels, np.concatenate([[0], np.cumsum(lengths)])


def every_labelling(E, T, starts):
    """Yield of every sequence all labellings and their scores."""
    for a, b in zip(starts, starts[1:], strict=False):
        all_of_them = list(product(range(E.shape[1]), repeat=b - a))
        yield (
            a,
            b,
            [
                (y, sum(E[a + t, y[t]] for t in range(b - a)) + sum(T[i, j] for i, j in zip(y, y[1:], strict=False)))
                for y in all_of_them
            ],
        )


def test_labellings_are_those_of_enumeration():
    _, truth, starts = chains(n=12, longest=4)
    rng = np.random.default_rng(1)
    E, T = rng.normal(size=(len(truth), 3)), rng.normal(size=(3, 3))
    nearest, farthest = second_best(E, T, starts, truth), best_labels(-E, -T, starts)
    near, far, true = (scores(E, T, starts, y) for y in (nearest, farthest, truth))
    for i, (a, b, all_of_them) in enumerate(every_labelling(E, T, starts)):
        value = dict(all_of_them)
        given = tuple(truth[a:b])
        assert true[i] == pytest.approx(value[given])
        others = {y: s for y, s in all_of_them if y != given}
        assert tuple(nearest[a:b]) == max(others, key=others.get) and near[i] == pytest.approx(max(others.values()))
        assert tuple(farthest[a:b]) == min(value, key=value.get) and far[i] == pytest.approx(min(value.values()))


def whole(K, labels, k, starts, C, B):
    """Return the value of (4.5) over all labellings, by Clarabel."""
    rows, sequences = [], []
    N, n = len(labels), len(starts) - 1
    for i, (a, b) in enumerate(zip(starts, starts[1:], strict=False)):
        for y in product(range(k), repeat=b - a):
            A, T = np.zeros((N, k)), np.zeros((k, k))
            for t in range(a, b):
                A[t, labels[t]] += 1
                A[t, y[t - a]] -= 1
            for t in range(a, b - 1):
                T[labels[t], labels[t + 1]] += 1
                T[y[t - a], y[t - a + 1]] -= 1
            if A.any() or T.any():
                rows.append((A, T))
                sequences.append(i)
    factor = np.linalg.cholesky(K + 1e-10 * max(K.diagonal().max() / 100.0, 1.0) * np.eye(N))
    D = np.array([np.concatenate([(factor.T @ A).ravel(), T.ravel()]) for A, T in rows])
    a, b, b_star = (cp.Variable(len(rows), nonneg=True) for _ in range(3))
    bounded = B * cp.sum(b + b_star) if B < inf else 0
    w = D.T @ (a - b + b_star) if B < inf else D.T @ a
    groups = np.array(sequences) == np.arange(n)[:, None]
    problem = cp.Problem(cp.Maximize(cp.sum(a) - bounded - 0.5 * cp.sum_squares(w)), [groups @ a <= C / n])
    return problem.solve(solver="CLARABEL")


@pytest.mark.parametrize(
    ("C", "solver"), first_of([(10.0, "descent"), (10.0, "osqp"), (0.1, "descent"), (0.1, "osqp")], 2)
)
def test_the_optimum_is_that_of_the_whole_program(C, solver):
    X, labels, starts = chains()
    K = X @ X.T
    machine = StructuredSolver(K, labels, 3, starts, tol=1e-7, solver=solver)
    free = machine.solve(C)
    assert free.status == "optimal" and free.objective == pytest.approx(whole(K, labels, 3, starts, C, inf), rel=1e-6)
    A, T = machine.parts(free.x)
    margins = [
        max(all_of_them.values()) - min(all_of_them.values())
        for all_of_them in (dict(found) for _, _, found in every_labelling(K @ A, T, starts))
    ]
    assert machine.theta <= max(margins) + 1e-9
    for B in (1.0 + 0.5 * (machine.theta - 1.0), 0.6 * machine.theta):
        solution = machine.solve(C, B)
        assert solution.status == "optimal" and machine.theta <= B * (1 + 1e-9)
        assert solution.objective == pytest.approx(whole(K, labels, 3, starts, C, B), rel=1e-6)
    again = machine.solve(C, 1e3 * B)  # a bound that nothing reaches
    assert again.objective == pytest.approx(free.objective, rel=1e-6)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("C", first_of([0.01, 0.1, 1.0, 10.0], 3))
@pytest.mark.parametrize("B", [1.1, 2.0, 10.0])
def test_few_sequences_with_a_bound_end_within_the_tolerance(C, B):
    for seed in range(20):
        random = np.random.default_rng(seed)
        starts = np.concatenate([[0], np.cumsum(random.integers(1, 4, random.integers(2, 5)))])
        X = random.integers(-2, 3, (starts[-1], 2)).astype(float)
        labels = random.integers(0, 2, len(X))
        if len(set(labels)) == 2:
            solution = StructuredSolver(X @ X.T, labels, 2, starts, tol=1e-3).solve(C, B)
            assert solution.status == "optimal", seed


@pytest.fixture(params=["at once", "never"])
def interior_points(request, monkeypatch):
    """Leave classes to interior points, or not."""
    if request.param == "never":
        monkeypatch.setattr(structured_classes, "FLOPS_AT_ONCE", 0.0)
        monkeypatch.setattr(structured_classes, "FLOPS_LATER", 0.0)


@pytest.mark.usefixtures("interior_points")
def test_classes_are_the_multi_class_machine():
    X, labels, _ = chains(n=30, longest=1, seed=3)
    solution = StructuredSolver(X @ X.T, labels, 3, tol=1e-8).solve(20.0)
    other = solve_multiclass_svm(X @ X.T, labels, 3, 20.0 / 30, tol=1e-9)
    assert solution.status == "optimal" and solution.objective == pytest.approx(other.objective, rel=1e-7)


@pytest.mark.slow
@pytest.mark.usefixtures("interior_points")
@pytest.mark.parametrize("degree", [1, 2])
def test_classes_with_tight_bounds_end_within_few_rounds(degree):
    X, labels, _ = chains(n=30, longest=1, seed=3)
    K = (1.0 + X @ X.T) ** degree
    machine = StructuredSolver(K, labels, 3, tol=1e-7, max_rounds=60)
    machine.solve(100.0)
    theta = machine.theta
    for B in (1.0 + 0.25 * (theta - 1.0), 1.0 + 0.1 * (theta - 1.0)):
        solution = machine.solve(100.0, B)
        assert solution.status == "optimal" and machine.theta <= B * (1 + 1e-9)
        assert solution.objective == pytest.approx(whole(K, labels, 3, np.arange(31), 100.0, B), rel=1e-6)


@pytest.mark.slow
def test_chains_with_tight_bounds_and_large_losses_end_within_few_rounds():
    X, labels, starts = chains(n=40, longest=8, seed=1)
    machine = StructuredSolver((1.0 + X @ X.T) ** 2, labels, 3, starts, max_rounds=200)
    machine.solve(100.0)
    theta = machine.theta
    for B in (1.0 + 0.5 * (theta - 1.0), 1.0 + 0.25 * (theta - 1.0)):
        solution = machine.solve(100.0, B)
        assert solution.status == "optimal" and machine.theta <= B * (1 + 1e-9), (B, solution.gap, solution.rounds)


def test_the_best_multiple_is_that_of_a_search():
    rng = np.random.default_rng(0)
    for most in (inf, 0.3):
        margins = rng.normal(size=20)
        value, s = best_multiple(2.0, margins, 0.7, most)
        grid = np.linspace(0.0, min(most, 5.0), 20001)
        values = grid**2 + 0.7 * np.maximum(0.0, 1.0 - grid[:, None] * margins).sum(axis=1)
        assert value <= values.min() + 1e-12 and s <= most
        assert value == pytest.approx(values.min(), abs=1e-6)


def test_order_duplicates_and_contradictions():
    X, labels, starts = chains(seed=5)
    K = X @ X.T
    first = StructuredSolver(K, labels, 3, starts, tol=1e-8).solve(2.0)
    order = np.random.default_rng(0).permutation(len(starts) - 1)
    places = np.concatenate([np.arange(starts[i], starts[i + 1]) for i in order])
    moved = np.concatenate([[0], np.cumsum(np.diff(starts)[order])])
    other = StructuredSolver(K[np.ix_(places, places)], labels[places], 3, moved, tol=1e-8).solve(2.0)
    assert other.objective == pytest.approx(first.objective, rel=1e-7)
    twice = np.tile(K, (2, 2))  # C/n counts
    ends = np.concatenate([starts, starts[-1] + starts[1:]])
    same = StructuredSolver(twice, np.tile(labels, 2), 3, ends, tol=1e-8).solve(2.0)
    assert same.objective == pytest.approx(first.objective, rel=1e-7)
    wrong = np.concatenate([labels, (labels + 1) % 3])
    contradictory = StructuredSolver(twice, wrong, 3, ends, tol=1e-7).solve(2.0)
    assert contradictory.status == "optimal" and contradictory.objective > first.objective


def test_cuts_that_come_back_are_counted_again():
    X, labels, starts = chains()
    cuts = Cuts(X @ X.T, labels, 3, starts)
    wrong = [(labels[:1] + 1) % 3, (labels[: starts[2]][1:] + 1) % 3]
    assert cuts.add([0, 1], wrong) == 2 and cuts.add([0], wrong[:1]) == 0
    norms = np.sqrt(cuts.gram.diagonal())
    cuts.keep(np.array([1]))
    assert cuts.add([0], wrong[:1]) == 1 and (len(cuts), cuts.added) == (2, 3)
    assert cuts.radius == norms.max()


def test_a_small_C_needs_few_cuts():
    X, labels, starts = chains(n=20, k=5, longest=12)
    machine = StructuredSolver(X @ X.T, labels, 5, starts)
    assert machine.solve(1e-3).status == "optimal"
    assert machine.cuts.added < len(labels)  # not one through every place, which nothing would be gained by


def test_a_solver_that_there_is_not_is_refused():
    X, labels, starts = chains()
    with pytest.raises(UserError, match="solver=simplex: must be one of descent, osqp"):
        StructuredSolver(X @ X.T, labels, 3, starts, solver="simplex")


@pytest.mark.slow
@pytest.mark.usefixtures("interior_points")
def test_classes_whose_kernel_is_ill_conditioned_are_solved_without_a_bound():
    X, labels = load_wine(return_X_y=True)
    K = X @ X.T
    for C in (1.0, 100.0):
        solution = StructuredSolver(K, labels.astype(np.intp), 3, tol=1e-4).solve(C)
        other = solve_multiclass_svm(K, labels, 3, C / len(labels), tol=1e-8)
        assert solution.status == "optimal" and solution.rounds < 40
        assert solution.objective == pytest.approx(other.objective, rel=1e-4)


@pytest.mark.parametrize("C", first_of([1.0, 100.0]))
@pytest.mark.parametrize("few", first_of([structured_classes.FLOPS_AT_ONCE, 0.0]))
def test_classes_whose_kernel_is_ill_conditioned_are_solved_with_bounds(few, C, monkeypatch):
    monkeypatch.setattr(structured_classes, "FLOPS_AT_ONCE", few)  # without it interior points come after many rounds
    X, labels = load_wine(return_X_y=True)
    machine = StructuredSolver(X @ X.T, labels.astype(np.intp), 3, tol=1e-4)
    machine.solve(C)
    for r in (0.5, 0.1):
        solution = machine.solve(C, 1.0 + r * (machine.theta - 1.0))
        assert solution.status == "optimal" and solution.rounds < 40


def test_a_w_that_is_small_beside_its_coefficients_has_a_certificate():
    X, labels, _ = chains(n=60, d=2, longest=1, seed=2)
    solution = StructuredSolver(1e6 * X @ X.T, labels, 3, tol=1e-5).solve(1000.0)
    assert solution.status == "optimal" and solution.objective < 800.0


def test_a_w_that_rounding_hides_has_no_certificate_that_is_too_good():
    cuts = Cuts(1e18 * np.ones((4, 4)) + np.eye(4), np.array([0, 1, 0, 1]), 2, np.arange(5))
    cuts.add([0, 2], [np.array([1]), np.array([1])])
    w = cuts.combine(np.array([1.0, -1.0]))  # |w|^2 = 4, of products of 1e18
    assert w.squares >= 4.0
    assert (w + w.times(-1.0)).squares >= 0.0 and cuts.combine(np.array([1.0, 0.0])).squares == pytest.approx(2e18)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("scale", [1e-60, 1e-12, 1.0, 1e12, 1e60])
def test_a_gap_that_single_precision_allows_is_reached_at_any_scale(scale):
    X, labels, starts = chains(n=20, seed=5)
    K, C = scale * X @ X.T, 10.0 / max(scale, 1.0)
    machine = StructuredSolver(K, labels, 3, starts, tol=1e-4)
    for B in (inf, 2.0):
        solution = machine.solve(C, B)
        assert solution.status == "optimal" and solution.gap <= 1e-4
        A, T = machine.parts(solution.x)
        true = scores(K @ A, T, starts, labels)
        other = scores(K @ A, T, starts, second_best(K @ A, T, starts, labels))
        losses = np.maximum(0.0, 1.0 - true + other).mean()
        squares = np.vdot(A, K @ A) + np.vdot(T, T)
        assert 0.5 * squares + C * losses == pytest.approx(solution.objective, rel=1e-9)


def test_a_cut_that_is_0_loses_the_multiplier_of_its_bound():
    Z, q = np.array([[0.0], [0.5], [0.0]]), np.zeros(1)
    descend(np.zeros((1, 1)), np.array([0, 1]), np.array([0]), Z, q, 1.0, 2.0, 1)
    assert Z.ravel().tolist() == [1.0, 0.0, 0.0] and not q.any()  # its loss is 1 whatever w is


@pytest.mark.parametrize("scale", first_of([1e2, 1e4]))
def test_sequences_whose_features_are_not_scaled_are_solved(scale):
    X, labels, starts = chains(n=30, d=2, seed=3)  # not to be separated
    K = scale**2 * X @ X.T
    solution = StructuredSolver(K, labels, 3, starts, max_rounds=100).solve(1.0)
    assert solution.status == "optimal"
    best = whole(K, labels, 3, starts, 1.0, inf)
    slack = 1e-4 * best  # Clarabel has K with a ridge
    assert solution.dual_objective <= best + slack and best <= solution.objective + slack
