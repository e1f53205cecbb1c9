"""Diffusion kernels and Gaussian fields against the functions of the Laplacian that they are."""

import numpy as np
import pytest
from scipy.linalg import expm

from kernlearn.kernels.families.graph import laplacian
from kernlearn.solvers import SVMSolver
from tests.algorithms.test_storm import LABELLED, Y, points, spectrum


def function_of(name, L, sigma):
    return expm(-L / sigma**2) if name == "diffusion" else np.linalg.inv(sigma**2 * np.eye(len(L)) + L)


@pytest.mark.parametrize("name", ["diffusion", "gaussian_field"])
@pytest.mark.parametrize("sigma", [0.3, 2.0])
def test_with_all_eigenvectors_it_is_the_svm_of_the_matrix_function(name, sigma):
    inputs = spectrum(200)
    K = function_of(name, laplacian(inputs.graph.weights).toarray(), sigma)
    K /= np.trace(K)
    for point in points(name, inputs, sigmas=[sigma], fractions=[1.0]):
        solution = SVMSolver(K[np.ix_(LABELLED, LABELLED)], Y[LABELLED]).solve(point.values["C"])
        assert point.solutions[0].objective == pytest.approx(solution.objective, rel=1e-5)
        np.testing.assert_allclose(
            point.predictor.outputs(inputs)[0], K[:, LABELLED] @ solution.x + solution.intercept, atol=1e-3
        )
        assert point.values["sigma"] == sigma and point.facts["weights"].sum() == pytest.approx(1.0)


def test_widths_that_leave_next_to_nothing_leave_the_first_eigenvectors():
    inputs = spectrum(20)
    (point, *_) = points("diffusion", inputs, sigmas=[1e-3])
    assert np.count_nonzero(point.facts["weights"]) == inputs.components
    assert np.isfinite(point.predictor.outputs(inputs)).all()
