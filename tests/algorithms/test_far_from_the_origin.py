"""Machines with a bias are the same wherever the origin is: the same values, and the outputs that prove them."""

import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from kernlearn import (
    EKMClassifier,
    HardSVMClassifier,
    L2SVMClassifier,
    RMMClassifier,
    SigmaSVMClassifier,
    SoftSVMClassifier,
    USVMClassifier,
)
from kernlearn.algorithms import ALGORITHMS, REDUCTIONS, Classes, Problem, Signs
from kernlearn.algorithms.margin.hard_svm import solve_hard_svm
from kernlearn.kernels import GramStack, centre, make_family
from kernlearn.solvers import SVMSolver

R = np.random.default_rng(0)
X = np.round(R.standard_normal((40, 3)) * 64) / 64  # so that a million more is no rounding
Y = np.where(X[:, 0] + 0.6 * R.standard_normal(40) > 0, 1, -1)
APART = X + np.outer(Y, [2.0, 0.0, 0.0])
EASY = np.where(X[:, 0] > np.median(X[:, 0]), 1, -1)


@pytest.mark.parametrize("far", [1e3, 1e6, 2.0**23])
@pytest.mark.parametrize(
    "make",
    [L2SVMClassifier, SoftSVMClassifier, HardSVMClassifier, RMMClassifier, USVMClassifier],
)
def test_it_is_the_same_machine(make, far):
    A, y = (X, EASY) if make is HardSVMClassifier else (X, Y)
    here, there = make(kernel="linear", tol=1e-8).fit(A, y), make(kernel="linear", tol=1e-8).fit(A + far, y)
    assert there.objective_ == pytest.approx(here.objective_, rel=1e-6)
    # Outputs are differences of two numbers of the size of |w| far, and the certificate says what their rounding costs.
    rounding = np.finfo(float).eps * far * np.abs(here.dual_coef_ @ A[here.support_]).sum()
    assert abs(there.gap_) <= max(1e-8, 4.0 * rounding if make is HardSVMClassifier else 0.0)
    np.testing.assert_allclose(there.decision_function(A + far), here.decision_function(A), atol=1e-4)


@pytest.mark.sampled(3)
@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("far", [1e3, 1e4, 1e6, 1e7])
@pytest.mark.parametrize(
    ("make", "cost"),
    [
        (lambda C: L2SVMClassifier(kernel="linear", C=C), 1.0),
        (lambda C: SoftSVMClassifier(kernel="linear", lambda_=1.0 / (16.0 * C)), 1.0 / (8.0 * 1e4)),
        (lambda C: SigmaSVMClassifier(kernel="linear", C=C, D=0.99), 1.0),
        (lambda C: RMMClassifier(kernel="linear", C=C, B=1.2), 1.0),
        (lambda C: EKMClassifier(kernel="linear", C=C), 1.0),
    ],
    ids=["l2_svm", "soft_svm", "sigma_svm", "rmm", "ekm"],
)
def test_the_objective_is_that_of_the_decision_function(make, cost, far):
    """With strong coefficients a multiple of them that is rounded drifts elsewhere, which the intercept takes back."""
    C, told = 1e4, 0
    for seed in range(12):
        random = np.random.default_rng(seed)
        A, y = far + random.integers(-4, 5, (8, 2)), np.where(random.integers(0, 2, 8) + np.eye(8)[0], 1, -1)
        y[1] = -1
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            machine = make(C).fit(A, y)
        f = machine.decision_function(A)
        loss = cost * C * np.maximum(0.0, 1.0 - y * f).sum()
        if any(issubclass(one.category, ConvergenceWarning) for one in caught):
            continue
        told += 1
        assert loss <= machine.objective_ * (1.0 + abs(machine.gap_) + 1e-9), seed
        if isinstance(machine, RMMClassifier):
            assert np.abs(f).max() <= 1.2 * (1.0 + 1e-7), seed
    assert told >= 6


@pytest.mark.parametrize("far", [1e5, 1e6])
def test_whole_numbers_with_a_margin_of_a_half_are_separable(far):
    A, y = np.arange(12.0)[:, None] + far, np.where(np.arange(12) > 5, 1, -1)
    machine = HardSVMClassifier(kernel="linear").fit(A, y)
    assert machine.objective_ == pytest.approx(4.0, rel=1e-9)
    assert (machine.predict(A) == y).all() and (y * machine.decision_function(A)).min() >= 1 - 1e-6


@pytest.mark.parametrize("kernel", ["polynomial", "precomputed"])
def test_what_cannot_be_moved_is_centred(kernel):
    A = X / 8 + 1e4
    given = A @ A.T if kernel == "precomputed" else A
    machine = L2SVMClassifier(kernel=kernel, degree=1, C=1.0, tol=1e-6).fit(given, Y)
    here = L2SVMClassifier(kernel="linear", C=1.0, tol=1e-6).fit(X / 8, Y)
    assert machine.objective_ == pytest.approx(here.objective_, rel=1e-5)
    np.testing.assert_allclose(machine.decision_function(given), here.decision_function(X / 8), atol=1e-4)


@pytest.mark.parametrize("name", ["l2_svm", "soft_svm", "hard_svm", "rmm", "rmm_d", "ekm"])
def test_paths_and_pairs_of_classes_have_it_too(name):
    options = {
        "l2_svm": {"Cs": [1.0]},
        "soft_svm": {"lambdas": [0.01]},
        "rmm": {"Cs": [1.0], "fractions": [0.5]},
        "rmm_d": {"Cs": [1.0], "Ds": [1.0]},
        "ekm": {"Cs": [1.0], "Es": [1.0]},
    }.get(name, {})
    outputs, votes = [], []
    for A in (APART, APART + 1e6):
        stack = GramStack.train(make_family("linear"), A)
        (point,) = ALGORITHMS[name].path(Problem(stack, Signs(Y.astype(float))), **options)
        outputs.append(point.predictor.outputs(stack.at(A[::3])))
        three = Classes(np.digitize(APART[:, 0], [-1.5, 1.5]), 3)
        (point,) = REDUCTIONS["one_vs_one"](lambda p: ALGORITHMS[name].path(p, **options), Problem(stack, three))
        votes.append(point.predictor.outputs(stack.at(A[::3] + 1 / 128)))
    np.testing.assert_allclose(outputs[1], outputs[0], atol=1e-4)
    np.testing.assert_array_equal(votes[1], votes[0])


def test_near_examples_are_left_as_they_are():
    stack = GramStack.train(make_family("linear"), X)
    assert stack.centred_products is None and stack.matrix_with_bias(0)[0] is stack.matrix(0)
    assert not stack.matrix_with_bias(0)[1].any()


def test_homogenous_hyperplanes_are_not_moved():
    stack = GramStack.train(make_family("linear"), X + 1e6)
    assert stack.centred_products is not None and stack.matrix_with_bias(0, False)[0] is stack.matrix(0)
    assert EKMClassifier().fit(X + 1e6, Y).objective_ == pytest.approx(EKMClassifier().fit(X, Y).objective_, rel=1e-6)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("degree", [1, 2, 3])
@pytest.mark.parametrize("make", [L2SVMClassifier, SoftSVMClassifier, HardSVMClassifier, RMMClassifier, USVMClassifier])
def test_digits_that_a_polynomial_has_lost_are_told_of(make, degree):
    A, y = (X, EASY) if make is HardSVMClassifier else (X, Y)
    with pytest.warns(ConvergenceWarning, match="inaccurate far from the origin|not separable|inaccurate"):
        make(kernel="polynomial", degree=degree).fit(A + 1e6, y)


def test_a_universum_far_away_does_not_make_it_worse_than_nothing():
    A = R.normal(size=(40, 2))
    y, U = np.where(A[:, 0] > 0, 1, -1), R.normal(size=(10, 2))
    with pytest.warns(ConvergenceWarning):
        machine = USVMClassifier(kernel="linear", C=1.0).fit(A + [1e6, 0.0], y, universum=U)
    assert machine.objective_ <= 40.0


@pytest.mark.parametrize("kernel", [{"name": "linear"}, {"name": "polynomial", "degrees": [1]}])
def test_contradictory_duplicates_are_not_separable_wherever_they_are(kernel):
    for seed in range(4):
        rng = np.random.default_rng(seed)
        A = rng.normal(size=(12, 2))
        y = np.where(A[:, 0] > A[1, 0], 1.0, -1.0)
        for far in (0.0, 1e4, 1e8):
            stack = GramStack.train(make_family(**kernel), np.concatenate([A, A[:3]]) + far)
            (point,) = ALGORITHMS["hard_svm"].path(Problem(stack, Signs(np.concatenate([y, -y[:3]]))))
            assert point.status == "not separable" and point.facts["margin"] == 0.0


def test_a_margin_that_is_rounding_is_none():
    K, y = np.full((4, 4), 1e8), np.array([1.0, 1.0, -1.0, -1.0])
    K[:2, :2] += 1.5e-8  # one unit in the last place
    K[2:, 2:] += 1.5e-8
    assert solve_hard_svm(K, y, homogenous=True).status == "not separable"


def test_a_kernel_that_rounding_has_made_negative_is_not_divided_by():
    rng = np.random.default_rng(3)
    A = rng.normal(size=(20, 2)) + 1e8
    y = np.where(rng.normal(size=20) > 0, 1.0, -1.0)
    for seed in range(6):
        K = np.random.default_rng(seed).integers(-2, 3, size=(20, 20)) * 4.0
        K = centre(K + K.T)
        solution = SVMSolver(K, y, 1e-6).solve(10.0)
        assert np.isfinite(solution.x).all()
    assert np.isfinite(L2SVMClassifier(kernel="polynomial", degree=1, C=1e3).fit(A, y).objective_)
