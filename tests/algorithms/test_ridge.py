"""Ridge regression with one kernel and with learned weights, against closed forms and general methods."""

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.kernel_ridge import KernelRidge

from kernlearn.algorithms import Problem, Reals
from kernlearn.algorithms.common.ridge import solve_krr
from kernlearn.algorithms.ridge import krr
from kernlearn.algorithms.ridge.l1_krr import solve_l1_krr
from kernlearn.algorithms.ridge.l2_krr import solve_l2_krr
from kernlearn.errors import UserError
from kernlearn.kernels import (
    FeatureStack,
    GramStack,
)
from tests.algorithms.combinations import GRAM, REAL, STACK, N, P, T, X


def test_ridge_regression_is_that_of_scikit_learn():
    K = STACK.combine(1 / T)
    solution = solve_krr(K, REAL, 0.3)
    theirs = KernelRidge(alpha=0.3, kernel="precomputed").fit(K, REAL).dual_coef_
    np.testing.assert_allclose(solution.x, theirs, atol=1e-9)
    assert abs(solution.gap) < 1e-12
    assert solution.objective == pytest.approx(REAL @ np.linalg.solve(K + 0.3 * np.eye(N), REAL))


@pytest.mark.parametrize("centre", [True, False])
def test_the_path_of_ridge_regression(centre):
    y = REAL + 5.0
    points = list(krr.path(Problem(GRAM, Reals(y)), lambdas=[0.01, 1.0], centre=centre))
    assert [point.values["lambda"] for point in points[:2]] == [1.0, 0.01] and len(points) == 2 * P
    new = GramStack(GRAM.family, X[:9] + 0.1, X)
    for k, point in enumerate(points[::2]):
        K, cross = GRAM.matrix(k), new.matrix(k)
        f = point.predictor.outputs(new)[0]
        if centre:  # ridge regression with an intercept that is not penalised
            bordered = np.block([[K + np.eye(N), np.ones((N, 1))], [np.ones((1, N)), np.zeros((1, 1))]])
            alpha, b = np.split(np.linalg.solve(bordered, np.append(y, 0.0)), [N])
            np.testing.assert_allclose(f, cross @ alpha + b, atol=1e-8)
        else:
            np.testing.assert_allclose(f, cross @ np.linalg.solve(K + np.eye(N), y), atol=1e-8)
        assert point.status == "optimal"


def f_219(alpha, lambda_, mu0, Lambda, t):
    v = np.array([alpha @ K @ alpha for K in STACK.K]) / t
    return -lambda_ * alpha @ alpha + 2 * alpha @ REAL - mu0 @ v - Lambda * np.linalg.norm(v)


@pytest.mark.parametrize("eta", [None, 0.5])
@pytest.mark.parametrize("mu0", [0.0, 0.4])
def test_lkrr_ends_at_the_optimum_of_2_19(mu0, eta):
    solution = solve_l2_krr(STACK, REAL, 0.3, Lambda=2.0, mu0=mu0, sizes=T, eta=eta, tol=1e-10)
    centre = np.full(P, mu0)
    assert solution.status == "optimal" and -1e-14 <= solution.gap <= 1e-10
    oracle = minimize(lambda a: -f_219(a, 0.3, centre, 2.0, T), solution.extras["alpha"] + 0.01, method="L-BFGS-B")
    assert f_219(solution.dual, 0.3, centre, 2.0, T) == pytest.approx(solution.dual_objective)
    assert solution.dual_objective >= -oracle.fun * (1 - 1e-9)
    v = np.array([solution.extras["alpha"] @ K @ solution.extras["alpha"] for K in STACK.K]) / T
    np.testing.assert_allclose(solution.x, centre + 2.0 * v / np.linalg.norm(v), rtol=1e-4)  # (2.13)
    K = STACK.combine(solution.x / T)
    np.testing.assert_allclose(solution.extras["alpha"], np.linalg.solve(K + 0.3 * np.eye(N), REAL), atol=1e-8)
    assert solution.objective == pytest.approx(REAL @ solution.extras["alpha"])


def test_lkrr_the_best_step_needs_no_more_iterations_than_a_fixed_one():
    for stack, t in ((STACK, T), (FeatureStack(np.random.default_rng(0).normal(size=(N, 200))), np.ones(200))):
        counts = {
            eta: solve_l2_krr(stack, REAL, 0.1, sizes=t, eta=eta, tol=1e-8).iterations for eta in (None, 0.2, 0.5)
        }
        assert counts[None] <= min(counts[0.2], counts[0.5])


def test_lkrr_without_a_centre_only_the_ratio_of_lambda_matters():
    a = solve_l2_krr(STACK, REAL, 0.3, Lambda=2.0, sizes=T, tol=1e-11)
    b = solve_l2_krr(STACK, REAL, 0.6, Lambda=4.0, sizes=T, tol=1e-11)
    f, g = (STACK.combine(s.x / T) @ z for s, z in ((a, a.extras["alpha"]), (b, b.extras["alpha"])))
    np.testing.assert_allclose(f, g, atol=1e-6)


def test_lkrr_refuses_negative_weights():
    with pytest.raises(UserError, match="mu0 has the weight -1"):
        solve_l2_krr(STACK, REAL, 1.0, mu0=[1.0, 0.0, -1.0, 0.0, 0.0])
    with pytest.raises(UserError, match="one for each of 5"):
        solve_l2_krr(STACK, REAL, 1.0, mu0=[1.0, 0.0])
    with pytest.raises(UserError, match="eta"):
        solve_l2_krr(STACK, REAL, 1.0, eta=1.5)


def test_lkrr_of_labels_that_are_zero():
    solution = solve_l2_krr(STACK, np.zeros(N), 1.0)
    assert not solution.extras["alpha"].any() and solution.status == "optimal"


@pytest.mark.parametrize("lambda_", [1e-2, 1.0])
def test_l1_krr_against_a_general_method(lambda_):
    def value(mu):
        return float(REAL @ np.linalg.solve(STACK.combine(mu / T) + lambda_ * np.eye(N), REAL))

    solution = solve_l1_krr(STACK, REAL, lambda_, Lambda=2.0, sizes=T, tol=1e-9)
    oracle = minimize(
        value,
        np.full(P, 2.0 / P),
        bounds=[(0, None)] * P,
        constraints={"type": "ineq", "fun": lambda mu: 2.0 - mu.sum()},
        method="SLSQP",
        options={"ftol": 1e-12, "maxiter": 500},
    )
    assert solution.status == "optimal" and solution.objective == pytest.approx(oracle.fun, rel=1e-5)
    assert (
        solution.objective == pytest.approx(value(solution.x)) == pytest.approx(solution.extras["response"].objective)
    )
    wider = solve_l2_krr(STACK, REAL, lambda_, Lambda=2.0, sizes=T)  # the l2 ball holds the l1 ball
    assert wider.objective <= solution.objective
