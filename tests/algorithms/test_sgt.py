"""The spectral graph transducer against all stationary points, and against random feasible functions."""

import numpy as np
import pytest

from kernlearn.algorithms import ALGORITHMS
from kernlearn.algorithms.transduction.sgt import solve_sgt, targets
from tests.algorithms.test_storm import LABELLED, Y, points, spectrum
from tests.solvers.test_sphere import stationary


def objective(h, V, Q, C):
    """(5.1) as printed, of functions h on all examples, shape (..., n)."""
    P, tau = np.zeros(len(Y)), np.zeros(len(Y))
    P[LABELLED], tau[LABELLED] = targets(Y[LABELLED])
    return 0.5 * ((h @ V) ** 2 @ Q) + C * ((h - tau) ** 2 @ P)


@pytest.mark.parametrize("C", [1.0, 100.0, 1e5])
def test_it_is_the_global_minimum(C):
    inputs = spectrum(6)
    V, Q = inputs.V, np.arange(1.0, 7.0) ** 2
    solution = solve_sgt(V[LABELLED], Y[LABELLED], len(Y), C)
    h = V @ solution.x
    assert h.sum() == pytest.approx(0.0, abs=1e-9) and h @ h == pytest.approx(len(Y))
    assert solution.objective == pytest.approx(objective(h, V, Q, C), rel=1e-9)
    P, tau = targets(Y[LABELLED])
    G, b = np.diag(Q) + 2 * C * V[LABELLED].T @ (P[:, None] * V[LABELLED]), 2 * C * V[LABELLED].T @ (P * tau)
    values = [objective(V @ z, V, Q, C) for z in stationary(G, b, len(Y)) if abs(z @ z - len(Y)) < 1e-3]
    assert values and solution.objective <= min(values) * (1 + 1e-9)
    z = np.random.default_rng(0).normal(size=(20_000, 6))
    z *= np.sqrt(len(Y)) / np.linalg.norm(z, axis=1, keepdims=True)
    assert solution.objective <= objective(z @ V.T, V, Q, C).min()
    np.testing.assert_allclose(G @ solution.x - b, solution.dual[0] * solution.x, atol=1e-6 * np.abs(b).max())


def test_points_follow_C_and_the_threshold_is_a_constant():
    inputs = spectrum()
    zero, middle = points("sgt", inputs), points("sgt", inputs, threshold="middle")
    _, tau = targets(Y[LABELLED])
    for one, other in zip(zero, middle, strict=True):
        shift = one.predictor.outputs(inputs) - other.predictor.outputs(inputs)
        np.testing.assert_allclose(shift, 0.5 * (tau.max() + tau.min()), atol=1e-12)
        assert one.status == "optimal"
    errors = [(np.sign(one.predictor.outputs(inputs)[0]) != Y).mean() for one in zero]
    assert min(errors) < 0.15
    assert len(ALGORITHMS["sgt"].points(None, "classification", {"Cs": [2.0, 1.0]})) == 2
