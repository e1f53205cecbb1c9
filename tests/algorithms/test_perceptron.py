"""The perceptron against its textbook form, line by line, and within the bound that the textbook proves."""

import numpy as np
import pytest
from scipy import sparse

from kernlearn import KernelPerceptronClassifier
from kernlearn.algorithms import ALGORITHMS, Problem, Signs
from kernlearn.algorithms.margin.hard_svm import solve_hard_svm
from kernlearn.algorithms.margin.perceptron import CAPPED, bounds_of, solve_kernel_perceptron, solve_perceptron
from kernlearn.kernels import GramStack, make_family
from tests.algorithms.test_hard_svm import separable
from tests.conftest import moons


def as_printed(X, y):
    """Return w and the updates, taking the examples in turn."""
    w, updates, quiet, i = np.zeros(X.shape[1]), 0, 0, 0
    while quiet < len(y):
        quiet += 1
        if y[i] * (X[i] @ w) <= 0:
            w, updates, quiet = w + y[i] * X[i], updates + 1, 0
        i = (i + 1) % len(y)
    return w, updates


def on_the_sphere(n, d, gamma):
    """Return unit vectors at a distance of at least gamma from a hyperplane."""
    X = np.random.default_rng(0).normal(size=(3 * n, d))
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    X = X[abs(X[:, 0]) >= gamma][:n]
    return X, np.sign(X[:, 0])


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_both_forms_are_the_printed_one(form):
    X, y = on_the_sphere(200, 20, 0.05)
    w, updates = as_printed(X, y)
    found, counted = solve_perceptron(form(X), y)
    solution = solve_kernel_perceptron(X @ X.T, y)
    assert updates == counted == solution.iterations == solution.dual.sum() > 5
    np.testing.assert_allclose(found, w, rtol=1e-12)
    np.testing.assert_allclose(X.T @ solution.x, w, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("unit", [1.0, 10.0, 1e-6])
def test_what_is_0_but_for_rounding_is_0_in_any_units(unit):
    """The third example is orthogonal to the sum of the first two; in tenths the product is 7e-18.

    So it is with Python's sums. Those of a processor with fused products have other rounding errors.
    """
    X, y = unit * np.array([[0.1, 0.2], [0.2, -0.1], [0.1, -0.3]]), np.ones(3)
    (a, b), (c, d) = (X[0] + X[1]).tolist(), X[2].tolist()
    assert (a * c + b * d > 0.0) == (unit == 1.0)
    solution, (w, updates) = solve_kernel_perceptron(X @ X.T, y), solve_perceptron(X, y)
    assert solution.x.tolist() == [2, 1, 1] and updates == 4
    np.testing.assert_allclose(w, X.sum(axis=0) + X[0], atol=1e-12 * unit)


@pytest.mark.parametrize("gamma", [0.3, 0.1, 0.03, 0.01])
@pytest.mark.parametrize("seed", range(3))
def test_it_stops_within_its_bound(gamma, seed):
    """Remark 15.1, with the certified margin of the hard-margin SVM; and what the run itself proves of the margin."""
    X, y = separable(80, gamma, seed)
    stack = GramStack.train(make_family("linear"), X)
    (point,) = ALGORITHMS["perceptron"].path(Problem(stack, Signs(y)), constant=0.0)
    hard = solve_hard_svm(X @ X.T, y, homogenous=True)
    best, rho = hard.objective**-0.5, np.linalg.norm(X, axis=1).max()
    facts = {name: values[0] for name, values in point.facts.items()}
    assert facts["updates"] <= (rho / best) ** 2 <= facts["updates_bound"]
    assert 0 < facts["margin"] <= best * (1 + 1e-9) and best <= facts["margin_bound"] * (1 + 1e-9)
    assert point.status == "optimal" and (np.sign(point.predictor.outputs(stack)[0]) == y).all()


def test_in_feature_space_too():
    X, y = moons(60)
    stack = GramStack.train(make_family("gaussian", gammas=[2.0, 10.0]), X)
    for k, point in enumerate(ALGORITHMS["perceptron"].path(Problem(stack, Signs(y)))):
        K = stack.matrix(k) + 1.0  # the constant feature
        hard = solve_hard_svm(K, y, homogenous=True)
        assert point.facts["updates"][0] <= 2.0 * hard.objective
        assert (point.predictor.outputs(stack)[0] * y > 0).all()


def test_what_is_not_separable_ends_all_the_same():
    X, y = moons(60)
    solution = solve_kernel_perceptron(X @ X.T, y, max_updates=500)
    assert (solution.status, solution.iterations) == (CAPPED, 500)
    assert solution.objective == np.sum(y * (X @ (X.T @ solution.x)) <= 0) and solution.gap == 1
    with pytest.warns(match="KernelPerceptronClassifier stopped .* capped"):
        KernelPerceptronClassifier(kernel="linear", max_updates=500).fit(X, y)


def test_the_constant_feature_is_a_bias():
    X, y = np.array([[1.0], [2.0], [3.0]]), np.array([-1.0, 1.0, 1.0])
    stack = GramStack.train(make_family("linear"), X)
    (with_one,) = ALGORITHMS["perceptron"].path(Problem(stack, Signs(y)))
    (without,) = ALGORITHMS["perceptron"].path(Problem(stack, Signs(y)), constant=0.0, max_updates=100)
    w, _ = as_printed(np.column_stack([X, np.ones(3)]), y)
    np.testing.assert_allclose(with_one.predictor.outputs(stack)[0], X[:, 0] * w[0] + w[1])
    assert with_one.status == "optimal" and without.status == CAPPED


def test_a_margin_of_next_to_nothing_has_its_bounds():
    """An example that a Gaussian kernel sees at a value of 1e-170, whose square is 0."""
    facts = bounds_of(np.array([[1.0, 1e-170], [1e-170, 1.0]]), np.ones(2), np.array([1.0, 0.0]), 1)
    assert facts["margin"] == pytest.approx(1e-170) and facts["updates_bound"] == np.inf
