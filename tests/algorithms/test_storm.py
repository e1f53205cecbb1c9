"""STORM, STOAM and multiple kernel learning of eigenvectors: order, sums, limits, and Theorem 22."""

import numpy as np
import pytest

from kernlearn.algorithms import ALGORITHMS, REDUCTIONS, Classes, Problem, Signs
from kernlearn.algorithms.transduction.storm import ordered, solve_storm, unordered
from kernlearn.errors import UserError
from kernlearn.kernels import make_family, make_inputs
from tests.conftest import moons
from tests.solvers.test_weighted_features import literal

X, Y = moons(120)
LABELLED = np.array([*np.flatnonzero(Y > 0)[:9], *np.flatnonzero(Y < 0)[:9]])
METHODS = ("stoam", "storm", "mkl_s", "mkl_r")


def spectrum(q=12, **options):
    return make_inputs(make_family("graph", q=q, mutual=False, **options), X)


def points(name, inputs, **options):
    problem = Problem(inputs, Signs(Y[LABELLED]), LABELLED)
    values = {key: p.default for key, p in ALGORITHMS[name].parameters.items()}
    return list(ALGORITHMS[name].path(problem, **{**values, **options}))


@pytest.mark.parametrize("B", [None, 1.5])
@pytest.mark.parametrize("order", [True, False])
def test_the_nested_kernels_are_5_14(order, B):
    F = spectrum(8).U[LABELLED]
    y, C, q, epsilon = Y[LABELLED], 100.0, 8, 1e-3
    found = solve_storm(F, y, C, B, order=order, epsilon=epsilon, tol=1e-8)
    if not order:
        assert found.objective == pytest.approx(literal(F, y, C, B, unordered(q)), rel=1e-6)
        return
    # (5.14) as printed: with lambda, tau and one constraint for every sum of the first eigenvectors
    cp = pytest.importorskip("cvxpy")
    alpha, beta, eta, lam = (cp.Variable(k, nonneg=True) for k in (18, 18, 18, q))
    tau, gam = cp.Variable(), cp.multiply(y, alpha) - beta + eta
    constraints = [alpha <= C, cp.sum(gam) == 0, 0.5 * cp.square(F[:, 0] @ gam) <= tau - lam[0]]
    constraints += [0.5 * cp.sum_squares(F[:, 1 : i + 1].T @ gam) <= i * tau - lam[i] for i in range(1, q)]
    constraints += [beta == 0, eta == 0] if B is None else []
    value = cp.sum(alpha) - tau + epsilon * cp.sum(lam) - (B or 0.0) * cp.sum(beta + eta)
    assert found.objective == pytest.approx(
        cp.Problem(cp.Maximize(value), constraints).solve(solver="CLARABEL"), rel=1e-6
    )


@pytest.mark.parametrize("name", METHODS)
def test_weights_sum_to_one_and_fall_where_they_have_to(name):
    for point in points(name, spectrum()):
        (delta,) = point.facts["weights"]
        assert delta.sum() == pytest.approx(1.0) and (delta >= 0).all()
        assert point.status == "optimal"
        if name.startswith("sto"):
            assert (delta[1:-1] - delta[2:] >= 1e-6 * (1 - 1e-9)).all() and delta[-1] >= 1e-6 * (1 - 1e-9)


def test_storm_with_a_wide_band_is_stoam_and_no_band_is_better_with_less():
    inputs = spectrum()
    F, y = inputs.U[LABELLED], Y[LABELLED]
    for order in (True, False):
        wide = solve_storm(F, y, 100.0, order=order, tol=1e-8).objective
        assert solve_storm(F, y, 100.0, 50.0, order=order, tol=1e-8).objective == pytest.approx(wide, rel=1e-7)
        values = [solve_storm(F, y, 100.0, B, order=order).objective for B in (1.8, 1.4, 1.1)]
        assert wide <= values[0] <= values[1] <= values[2]
    stoam = {point.values["C"]: point for point in points("stoam", inputs)}
    for point in points("storm", inputs, fractions=[1.0]):
        other = stoam[point.values["C"]]
        np.testing.assert_allclose(point.predictor.outputs(inputs), other.predictor.outputs(inputs), atol=1e-9)


def test_the_order_costs_something():
    F, y = spectrum().U[LABELLED], Y[LABELLED]
    ordered_value, free = (solve_storm(F, y, 1000.0, order=order).objective for order in (True, False))
    assert free < ordered_value * (1 - 1e-3)


def test_theorem_22_the_machine_is_the_regularised_function_on_the_graph():
    """(5.3) in Clarabel, with a bias, has the values of the expansion (5.4) at the weights that STOAM learns."""
    cp = pytest.importorskip("cvxpy")
    inputs = spectrum(6)
    (point,) = points("stoam", inputs, Cs=[100.0], tol=1e-9)
    (delta,), y = point.facts["weights"], Y[LABELLED]
    z, b = cp.Variable(6), cp.Variable()
    h = inputs.U @ z + b
    loss = cp.sum(cp.pos(1 - cp.multiply(y, h[LABELLED])))
    value = 0.5 * cp.sum(cp.multiply(1.0 / delta, cp.square(z))) + 100.0 * loss
    optimum = cp.Problem(cp.Minimize(value)).solve(solver="CLARABEL")
    assert point.solutions[0].objective == pytest.approx(optimum, rel=1e-6)
    np.testing.assert_allclose(point.predictor.outputs(inputs)[0], h.value, atol=2e-3)


def test_the_outputs_keep_to_the_band_on_labelled_examples():
    inputs = spectrum()
    for point in points("storm", inputs):
        f = point.predictor.outputs(inputs.take(LABELLED))[0]
        assert np.abs(f).max() <= point.facts["B"][0] * (1 + 1e-9)


def test_classes_more_than_two_by_both_reductions():
    inputs, classes = spectrum(), (X[:, 0] > 0).astype(int) + (X[:, 0] > 1)
    labelled = np.arange(0, 120, 3)
    for name, reduction in REDUCTIONS.items():
        path = ALGORITHMS["stoam"].path
        (point,) = reduction(
            lambda p, path=path: path(p, Cs=[1e3]), Problem(inputs, Classes(classes[labelled], 3), labelled)
        )
        predicted = point.predictor.outputs(inputs).argmax(axis=0)
        assert (predicted == classes).mean() > 0.8, name


@pytest.mark.parametrize("name", METHODS)
def test_few_labels_more_eigenvectors_than_examples_and_no_edges(name):
    two = np.array([np.flatnonzero(Y > 0)[0], np.flatnonzero(Y < 0)[0]])
    values = {key: p.default for key, p in ALGORITHMS[name].parameters.items()}
    for inputs in (spectrum(500), make_inputs(make_family("graph", q=20), np.arange(120.0)[:, None] ** 3)):
        for point in ALGORITHMS[name].path(Problem(inputs, Signs(Y[two]), two), **{**values, "Cs": [100.0]}):
            assert np.isfinite(point.predictor.outputs(inputs)).all()
            assert point.solutions[0].gap < 1e-4
    with pytest.raises(UserError, match="of one class only"):
        next(ALGORITHMS[name].path(Problem(inputs, Signs(np.ones(2)), two), **values))


def test_differences_that_leave_nothing_are_refused():
    chains = ordered(5, 0.01)
    np.testing.assert_allclose(chains.base, 0.01 * np.array([1, 4, 3, 2, 1]))
    np.testing.assert_allclose(chains.N.sum(axis=0), 1 - chains.base.sum())
    with pytest.raises(UserError, match="use a smaller one"):
        ordered(200, 1e-3)
