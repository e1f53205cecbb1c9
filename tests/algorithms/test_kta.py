"""Aligned weights against a direct maximisation of the alignment."""

import numpy as np
import pytest
from scipy.optimize import minimize

from kernlearn.algorithms import ALGORITHMS, Problem, Signs
from kernlearn.algorithms.transduction.kta import solve_kta
from kernlearn.kernels.matrices.centring import alignment
from kernlearn.solvers import SVMSolver
from tests.algorithms.test_storm import LABELLED, Y, points, spectrum


def aligned(F, y, delta):
    K = (F * delta) @ F.T
    return alignment(K, np.outer(y, y), centred=False)


@pytest.mark.parametrize("q", [2, 5, 12])
def test_no_other_weights_in_order_are_better_aligned(q):
    F, y = spectrum(q).U[LABELLED], Y[LABELLED]
    solution = solve_kta(F, y)
    delta = solution.x
    assert delta.sum() == pytest.approx(1.0) and (np.diff(delta[1:]) <= 1e-12).all() and (delta >= 0).all()
    best = aligned(F, y, delta)
    order = [{"type": "ineq", "fun": lambda d, i=i: d[i] - d[i + 1]} for i in range(1, q - 1)]
    for seed in range(4):
        start = np.sort(np.random.default_rng(seed).random(q))[::-1]
        direct = minimize(lambda d: -aligned(F, y, d), start, bounds=[(0, 10)] * q, constraints=order, method="SLSQP")
        assert -direct.fun <= best + 1e-6
    assert -direct.fun == pytest.approx(best, abs=1e-4)
    assert solution.status == "optimal"


def test_the_machine_is_the_svm_of_the_aligned_kernel_and_the_widest_band_changes_nothing():
    inputs = spectrum()
    F, y = inputs.U[LABELLED], Y[LABELLED]
    delta = solve_kta(F, y, 1e-6).x
    free = points("kta_s", inputs)
    wide = points("kta_r", inputs, fractions=[1.0])
    for one, other in zip(free, wide, strict=True):
        solver = SVMSolver((F * delta) @ F.T, y)
        solution = solver.solve(one.values["C"])
        f = inputs.U @ (delta * (F.T @ solution.x)) + solution.intercept
        np.testing.assert_allclose(one.predictor.outputs(inputs)[0], f, atol=1e-4)
        np.testing.assert_allclose(other.predictor.outputs(inputs), one.predictor.outputs(inputs), atol=1e-9)
    for point in points("kta_r", inputs):
        assert np.abs(point.predictor.outputs(inputs.take(LABELLED))).max() <= point.facts["B"][0] * (1 + 1e-9)


def test_labels_that_no_eigenvector_has_anything_of_get_equal_weights():
    F, y = np.zeros((4, 3)), np.array([1.0, 1.0, -1.0, -1.0])
    np.testing.assert_allclose(solve_kta(F, y).x, 1 / 3)
    two = np.array([0, 40])
    (point, *_) = ALGORITHMS["kta_s"].path(Problem(spectrum(300), Signs(np.array([1.0, -1.0])), two), Cs=[10.0])
    assert np.isfinite(point.predictor.outputs(spectrum(300))).all()
