"""Structured machines as methods: sequences and classes, kernels and features, paths, and what their points are."""

from math import inf

import numpy as np
import pytest

from kernlearn.algorithms import ALGORITHMS, Classes, Problem, Sequences
from kernlearn.datasets.core.chains import Chains
from kernlearn.errors import UserError
from kernlearn.kernels import GramStack, make_family
from kernlearn.solvers.structured.solver import StructuredSolver
from tests.algorithms.test_crf import CHAINS, LABELS
from tests.conftest import moons

SVM = ALGORITHMS["struct_svm"]


def path(method, problem, **values):
    """Return the path of a method with the declared values for those that are not given."""
    declared = {name: parameter.default for name, parameter in method.parameters.items()}
    return method.path(problem, **declared | values)


def windows(degree, chains=CHAINS):
    return make_family("chains", window=1, degree=degree).fit(chains)


def test_degree_one_is_the_same_by_weights_and_by_the_kernel():
    problem = Problem(windows(1), Sequences(LABELS, 4))  # one of the labels never occurs
    for point in path(SVM, problem, Cs=[10.0, 0.1], tol=1e-8):  # outputs are about 1e-3
        assert point.status == "optimal" and 0 <= point.solutions[0].gap <= 1e-8
        A = point.solutions[0].x[: 4 * len(LABELS)].reshape(-1, 4)
        np.testing.assert_allclose(point.predictor.emissions(problem.inputs), problem.inputs.images(A), atol=1e-9)
        assert not point.predictor.outputs(problem.inputs)[3].any()


def test_a_kernel_of_degree_two_is_that_of_windows_and_learns_more():
    inputs = windows(2)
    X = CHAINS.values.toarray()
    np.testing.assert_array_equal(inputs.matrix(), (X @ X.T + 1.0) ** 2)
    some = np.array([3, 7, 20])
    other, A = inputs.at(CHAINS[some]), np.random.default_rng(0).normal(size=(len(LABELS), 3))
    np.testing.assert_allclose(other.images(A), (CHAINS[some].values.toarray() @ X.T + 1.0) ** 2 @ A)
    errors = []
    for degree in (1, 2):
        problem = Problem(windows(degree), Sequences(LABELS, 3))
        (point,) = path(SVM, problem, Cs=[1e3], tol=1e-3)
        errors.append((point.predictor.labels(problem.inputs) != LABELS).sum())
    assert errors[1] < errors[0]


def test_two_classes_are_the_machine_without_bias_and_classes_that_never_occur_are_not_predicted():
    X, signs = moons(40)
    y, C = (signs > 0).astype(int), 30.0
    stack = GramStack.train(make_family("polynomial", degrees=[2]), X)
    (point,) = path(SVM, Problem(stack, Classes(y, 2)), Cs=[C], tol=1e-8)
    K = stack.matrix(0)
    rows = np.diag(signs) @ K @ np.diag(signs)
    from scipy.optimize import minimize

    n, bound = len(y), 2.0 * C / len(y)  # w_1 - w_2 is the w of the binary machine, with C 2/n of this one
    dual = minimize(
        lambda a: (0.5 * a @ rows @ a - a.sum(), rows @ a - 1.0),
        np.zeros(n),
        jac=True,
        method="L-BFGS-B",
        bounds=[(0.0, bound)] * n,
        options={"maxiter": 50_000, "ftol": 1e-15},
    )
    f = point.predictor.outputs(stack)[0]
    np.testing.assert_allclose(f, K @ (signs * dual.x), atol=2e-3)
    assert 2.0 * point.solutions[0].objective == pytest.approx(-dual.fun, rel=1e-5)
    (three,) = path(SVM, Problem(stack, Classes(y, 3)), Cs=[C], tol=1e-6)
    assert set(three.predictor.outputs(stack).argmax(axis=0)) <= {0, 1}


def test_a_scale_of_the_features_is_one_of_C():
    X, signs = moons(40)
    y, family = (signs > 0).astype(int), make_family("linear")
    points = [
        next(path(SVM, Problem(GramStack.train(family, s * X), Classes(y, 2)), Cs=[C], tol=1e-6))
        for s, C in ((1.0, 2.0), (2.0**20, 2.0 / 2.0**40))
    ]
    first, second = (point.solutions[0].objective / point.values["C"] for point in points)
    assert first == pytest.approx(second, rel=1e-9)


@pytest.mark.slow
def test_paths_are_warm_in_either_direction_and_sequences_have_no_order():
    problem = Problem(windows(2), Sequences(LABELS, 3))
    K, starts = problem.inputs.matrix(), CHAINS.starts
    machine = StructuredSolver(K, LABELS, 3, starts, tol=1e-6)
    values = [machine.solve(C, B).objective for C, B in ((1.0, inf), (20.0, 4.0), (1.0, inf))]
    assert values[0] == pytest.approx(values[2], rel=2e-6)
    order = np.random.default_rng(0).permutation(len(CHAINS))
    moved = Problem(windows(2, CHAINS[order]), Sequences(Chains(LABELS, starts)[order].values, 3))
    (point,) = path(SVM, moved, Cs=[1.0], tol=1e-6)
    assert point.solutions[0].objective == pytest.approx(values[0], rel=2e-6)


def test_the_field_is_for_features_alone():
    with pytest.raises(UserError, match="kernel.degree=2: algo=crf has a weight for every feature; use 1"):
        ALGORITHMS["crf"].grid(make_family("chains", degree=2), Cs=[1.0])
