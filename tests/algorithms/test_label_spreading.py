"""Label propagation and spreading against scikit-learn's, run to the end."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.semi_supervised import LabelPropagation, LabelSpreading

from kernlearn.algorithms.transduction.label_spreading import propagate, spread
from kernlearn.kernels import make_family, make_inputs
from kernlearn.kernels.families.graph import Graph
from tests.algorithms.test_storm import LABELLED, X, Y, points, spectrum

HIDDEN = np.full(len(Y), -1)
HIDDEN[LABELLED] = Y[LABELLED] > 0


def distributions(model, inputs):
    W = inputs.graph.weights.toarray()
    return model(kernel=lambda X, Z: W.copy(), max_iter=100_000, tol=1e-12).fit(X, HIDDEN).label_distributions_


def test_propagation_is_that_of_scikit_learn():
    inputs = spectrum()
    (point,) = points("label_propagation", inputs)
    F = distributions(LabelPropagation, inputs)
    np.testing.assert_allclose(point.solutions[0].x, F, atol=1e-6)
    np.testing.assert_allclose(point.predictor.outputs(inputs)[0], F[:, 1] - F[:, 0], atol=1e-6)
    assert point.status == "optimal" and abs(point.solutions[0].gap) < 1e-9


@pytest.mark.parametrize("weights", ["binary", "heat"])
def test_an_optimum_of_nothing_is_certified(weights):
    """Parts whose labels agree cost nothing; of that no part is a relative gap."""
    X = np.concatenate([np.random.default_rng(0).normal(size=(30, 2)) + far for far in (0.0, 100.0)])
    inputs = make_inputs(make_family("graph", mutual=False, weights=weights), X)
    Y_ = np.zeros((60, 2))
    Y_[[3, 9, 21], 0] = Y_[[31, 50], 1] = 1.0
    solution = propagate(inputs.graph.weights, Y_)
    assert solution.objective == solution.dual_objective == solution.gap == 0.0 and solution.status == "optimal"
    np.testing.assert_array_equal(solution.x, np.repeat(np.eye(2), 30, axis=0))


def test_spreading_is_that_of_scikit_learn():
    inputs = spectrum()
    for point in points("label_spreading", inputs):
        alpha = point.values["alpha"]
        F = distributions(lambda alpha=alpha, **options: LabelSpreading(alpha=alpha, **options), inputs)
        x = point.solutions[0].x
        np.testing.assert_allclose(x / x.sum(axis=1, keepdims=True), F, atol=1e-6)
        assert point.status == "optimal"


def test_nothing_is_smoother_than_the_harmonic_function():
    inputs = spectrum()
    W = inputs.graph.weights
    Y_ = np.zeros((len(Y), 2))
    Y_[LABELLED] = np.column_stack([Y < 0, Y > 0])[LABELLED]
    solution = propagate(W, Y_)
    free = np.setdiff1d(np.arange(len(Y)), LABELLED)
    rng = np.random.default_rng(0)
    for size in (1e-3, 0.1):
        other = solution.x.copy()
        other[free] += size * rng.normal(size=(len(free), 2))
        A = W.toarray()
        energy = 0.25 * sum((A * np.subtract.outer(column, column) ** 2).sum() for column in other.T)
        assert energy > solution.objective >= solution.dual_objective - 1e-9


@pytest.mark.parametrize("solve", [propagate, lambda W, Y: spread(Graph(W, None, "binary", 1.0), Y, 0.9)])
def test_components_without_a_label_and_examples_without_an_edge_get_nothing(solve):
    W = sparse.csr_array(np.array([[0, 1, 0, 0, 0], [1, 0, 0, 0, 0], [0, 0, 0, 1, 0], [0, 0, 1, 0, 0], [0] * 5], float))
    F = solve(W, np.array([[1.0, 0], [0, 0], [0, 0], [0, 0], [0, 0]])).x
    assert F[1, 0] > 0.4 and not F[2:].any()
    isolated = make_inputs(make_family("graph", neighbours=1), np.array([[0.0], [1.0], [1.5]]))
    assert isolated.components == 2
