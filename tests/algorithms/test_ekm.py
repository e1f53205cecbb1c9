"""The ellipsoidal kernel machine: its ellipsoid against Clarabel, the machine against explicit images."""

import cvxpy as cp
import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import SVC

from kernlearn import EKMClassifier
from kernlearn.algorithms import ALGORITHMS, Problem, Signs
from kernlearn.algorithms.margin.ekm import Enclosed
from kernlearn.kernels import GramStack, make_family
from kernlearn.solvers import solve_ellipsoid
from tests.conftest import moons

X, Y = moons(40)
X = np.column_stack([X, X[:, :1] * 3.0 + X[:, 1:] ** 2])
NEW = X[::3] + 0.1


def by_clarabel(X, E):
    """The value of (2.3), as printed."""
    A, b = cp.Variable((X.shape[1],) * 2, PSD=True), cp.Variable(X.shape[1])
    outside = cp.sum(cp.square(X @ A - np.ones((len(X), 1)) @ cp.reshape(b, (1, -1), order="C")), axis=1) - 1
    return cp.Problem(cp.Minimize(-cp.log_det(A) + E * cp.sum(cp.pos(outside)))).solve("CLARABEL")


@pytest.mark.parametrize("E", [0.02, 0.2, 100.0])
def test_the_ellipsoid_is_that_of_clarabel(E):
    solution = solve_ellipsoid(X, E)
    assert solution.status == "optimal" and 0.0 <= solution.gap <= 1e-8
    assert len(Y) == 40 and 3.0 * np.log(solution.objective) == pytest.approx(by_clarabel(X, E), abs=1e-6)
    far = (solution.extras["ellipsoid"].images(X) ** 2).sum(axis=1)
    assert np.count_nonzero(far > 1 + 1e-6) <= X.shape[1] / (2 * E)
    u = solution.x
    held = (u < 1e-5) | ((E - u) < 1e-5) | (np.abs(far - 1.0) < 1e-3)
    assert held.all() and (far[u < 1e-5] < 1 + 1e-6).all()
    value = -np.linalg.slogdet(solution.extras["ellipsoid"].A)[1] + E * np.maximum(far - 1.0, 0.0).sum()
    if E < 1.0:
        assert np.exp(value / 3.0) == pytest.approx(solution.objective, rel=1e-9)


def test_it_goes_with_every_affine_map():
    M, shift = np.array([[2.0, 1.0, 0.0], [0.0, 30.0, -3.0], [0.5, 0.0, 0.1]]), np.array([5.0, -2.0, 1.0])
    first, second = solve_ellipsoid(X, 0.1), solve_ellipsoid(X @ M.T + shift, 0.1)
    ratio = abs(np.linalg.det(M)) ** (1 / 3)
    assert second.objective == pytest.approx(ratio * first.objective, rel=1e-7)
    lengths = [
        (ellipsoid.images(Z) ** 2).sum(axis=1)
        for ellipsoid, Z in ((first.extras["ellipsoid"], X), (second.extras["ellipsoid"], X @ M.T + shift))
    ]
    np.testing.assert_allclose(*lengths, atol=1e-4)


@pytest.mark.parametrize("E", [0.1, 5.0])
def test_with_a_linear_kernel_it_is_the_svm_on_images(E):
    stack = GramStack.train(make_family("linear"), X)
    ellipsoid = solve_ellipsoid(X, E, 1e-11).extras["ellipsoid"]
    for point in ALGORITHMS["ekm"].path(Problem(stack, Signs(Y)), Cs=[0.5, 10.0], Es=[E], tol=1e-11):
        found = point.predictor.outputs(stack.at(NEW))[0]
        svm = SVC(kernel="linear", C=point.values["C"], tol=1e-9).fit(ellipsoid.images(X), Y)
        np.testing.assert_allclose(found, svm.decision_function(ellipsoid.images(NEW)), atol=1e-3)
        assert point.status == "optimal" and abs(point.facts["ellipsoid_gap"][0]) <= 1e-11


def test_the_kernel_is_one_of_examples_in_a_ball_and_expansions_are_its_own():
    family = make_family("polynomial", degrees=[2])
    stack = GramStack.train(family, X)
    enclosed = Enclosed(stack.select(0), 1e3, 1e-9)
    # of nine monomials without the constant one is spanned by others: the third feature is quadratic in the others
    assert np.linalg.matrix_rank(enclosed.matrix) == 8 and np.diagonal(enclosed.matrix).max() <= 1 + 1e-9
    beta = np.random.default_rng(0).normal(size=len(X))
    coef, constant = enclosed.expansion(beta)
    np.testing.assert_allclose(stack.matrix(0) @ coef + constant, enclosed.matrix @ beta, atol=1e-6)


def test_directions_that_all_examples_share_do_not_matter_nor_do_equal_examples():
    flat = np.column_stack([X, X[:, 0] - X[:, 1], np.ones(len(X))])
    one, other = (EKMClassifier(C=3.0).fit(Z, Y) for Z in (X, flat))
    np.testing.assert_allclose(one.decision_function(X), other.decision_function(flat), atol=1e-4)
    same = EKMClassifier().fit(np.ones((6, 2)), [0, 0, 0, 0, 1, 1])
    assert set(same.predict(np.ones((2, 2)))) == {0}


def test_rounding_in_the_direction_of_ones_does_not_move_outputs():
    """With the many directions of a Gaussian kernel: outputs do not change with a constant in the kernel."""
    points, y = moons(120)
    K = GramStack.train(make_family("gaussian", gammas=[0.7]), points).matrix(0)
    outputs = [
        EKMClassifier(kernel="precomputed").fit(G[:80, :80], y[:80]).decision_function(G[80:, :80]) for G in (K, K + 1)
    ]
    np.testing.assert_allclose(*outputs, atol=1e-4 * np.abs(outputs[0]).max())


@pytest.mark.parametrize("far", [1e3, 1e4, 1e6])
def test_far_from_the_origin_it_is_the_same_machine(far):
    """Rounding of products of 1e12 is no direction, and the objective is that of the outputs."""
    r = np.random.default_rng(0)
    A = np.round(r.standard_normal((30, 3)) * 64) / 64
    y = np.where(A[:, 0] + 0.8 * r.standard_normal(30) > 0, 1, -1)
    here, there = EKMClassifier(C=100.0).fit(A, y), EKMClassifier(C=100.0).fit(A + far, y)
    assert there.objective_ == pytest.approx(here.objective_, rel=1e-8)
    np.testing.assert_allclose(there.decision_function(A + far), here.decision_function(A), atol=1e-6)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_where_outputs_have_lost_their_digits_the_certificate_is_theirs():
    r = np.random.default_rng(0)
    A = r.standard_normal((30, 3)) + 1e6
    y = np.where(A[:, 0] - 1e6 + 0.8 * r.standard_normal(30) > 0, 1, -1)
    machine = EKMClassifier(kernel="precomputed", C=100.0).fit(A @ A.T, y)
    loss = 100.0 * np.maximum(0.0, 1.0 - y * machine.decision_function(A @ A.T)).sum()
    assert machine.objective_ >= loss * (1 - 1e-6)


def test_directions_that_are_left_out_are_told_of():
    """It is the same machine whatever the scale of a feature, until the others are lost beside its squares."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2))
    y = np.where(X[:, 0] > 0, 1, -1)
    X[:, 0] += 0.3 * y
    here, there = (EKMClassifier(kernel="linear", C=10.0).fit(X * [1, s], y) for s in (1, 5e3))
    assert there.objective_ == pytest.approx(here.objective_, rel=1e-6)
    with pytest.warns(ConvergenceWarning, match="directions left out"):
        EKMClassifier(kernel="linear", C=10.0).fit(X * [1, 2e4], y)
    collinear = np.column_stack([X, X @ [1.0, 2.0], X[:, 0] * 1e3])
    assert EKMClassifier(kernel="linear", C=10.0).fit(collinear, y).gap_ <= 1e-6
