"""All methods of transduction on graphs that leave little to learn from, or nothing."""

import numpy as np
import pytest

from kernlearn import GraphClassifier
from kernlearn.algorithms import ALGORITHMS, Problem, Signs
from kernlearn.algorithms.core.predictor import joined, predict
from kernlearn.errors import UserError
from kernlearn.kernels import make_family, make_inputs

METHODS = [name for name, method in ALGORITHMS.items() if method.inputs == "graph"]
RNG = np.random.default_rng(0)
APART = np.concatenate([RNG.normal(size=(10, 2)), 100.0 + RNG.normal(size=(10, 2))])
CASES = {
    "no edge": (2.0 ** np.arange(12.0)[:, None], {"neighbours": 1}),
    "one component": (RNG.normal(size=(20, 2)), {"neighbours": 19}),
    "isolated examples": (np.array([0, 1, 2, 3, 9, 27, 81, 243.0])[:, None], {"neighbours": 1}),
    "two parts": (APART, {"neighbours": 4, "mutual": False}),
    "all examples twice": (np.repeat(RNG.normal(size=(8, 2)), 2, axis=0), {"neighbours": 3, "mutual": False}),
    "all examples equal": (np.ones((9, 2)), {"neighbours": 3, "mutual": False, "weights": "heat"}),
    "fewer eigenvectors than components": (APART, {"neighbours": 1, "q": 2}),
    "one eigenvector": (RNG.normal(size=(9, 2)), {"neighbours": 4, "mutual": False, "q": 1}),
    "normalised, with isolated examples": (2.0 ** np.arange(9.0)[:, None], {"neighbours": 1, "normalised": True}),
}


def solved(name, inputs, y, labelled):
    values = {key: p.default for key, p in ALGORITHMS[name].parameters.items()}
    values |= {"Cs": [1e4]} if "Cs" in values else {}
    return list(ALGORITHMS[name].path(Problem(inputs, Signs(y), labelled), **values))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("name", METHODS)
def test_every_method_has_a_certified_answer(name, case):
    X, how = CASES[case]
    inputs, n = make_inputs(make_family("graph", **how), X), len(X)
    for labelled in (np.array([0, n - 1]), np.arange(n)):
        y = np.where(labelled < n / 2, 1.0, -1.0)
        for point in solved(name, inputs, y, labelled):
            f = point.predictor.outputs(inputs)
            assert f.shape == (1, n) and np.isfinite(f).all()
            for solution in point.solutions:  # an optimal value may be 0
                assert solution.gap >= -1e-9
                assert solution.objective - solution.dual_objective <= 1e-4 * abs(solution.objective) + 1e-9
            if name == "storm":
                assert np.abs(f[0, labelled]).max() <= point.facts["B"][0] * (1 + 1e-9)


@pytest.mark.parametrize("name", METHODS)
def test_two_parts_with_a_label_each_have_these_labels(name):
    X, how = CASES["two parts"]
    inputs = make_inputs(make_family("graph", **how, q=2), X)
    y = np.where(np.arange(20) < 10, 1.0, -1.0)
    for point in solved(name, inputs, y[[3, 15]], np.array([3, 15]))[-1:]:
        np.testing.assert_array_equal(np.sign(point.predictor.outputs(inputs)[0]), y)


@pytest.mark.parametrize("name", METHODS)
def test_all_labels_the_same_are_refused(name):
    inputs = make_inputs(make_family("graph"), APART)
    with pytest.raises(UserError, match="of one class only: label some of the other"):
        solved(name, inputs, np.ones(3), np.arange(3))


@pytest.mark.parametrize("C", [1.0, 1e4])
def test_outputs_of_hardly_any_kernel_are_no_ties(C):
    """All are below 1e-7, of the sign of the nearer labels on a ring."""
    angles = 2 * np.pi * np.arange(12) / 12
    inputs = make_inputs(make_family("graph", neighbours=2), np.column_stack([np.cos(angles), np.sin(angles)]))
    labelled, y = np.array([0, 1, 6, 7]), np.array([-1.0, -1.0, 1.0, 1.0])
    (point,) = ALGORITHMS["diffusion"].path(
        Problem(inputs, Signs(y), labelled), sigmas=[0.1], Cs=[C], fractions=[1.0], tol=1e-6
    )
    f = point.predictor.outputs(inputs)
    assert 1e-13 < np.abs(f).max() / C < 1e-11
    np.testing.assert_array_equal(f[0] > 0, np.isin(np.arange(12), range(4, 10)))
    np.testing.assert_array_equal(predict(f), f[0] > 0)
    both = joined([point.predictor])  # as two classes are learned, by the one of them against the other
    np.testing.assert_array_equal(predict(both.outputs(inputs)), f[0] > 0)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", [name for name in METHODS if name not in ("label_propagation", "kta_s")])
def test_names_of_classes_decide_nothing_where_examples_are_copies(name):
    """But for two methods that give some of these examples 0, which is the first class whatever its name."""
    for seed in range(6):
        random = np.random.default_rng(seed)
        X, y = random.integers(-3, 4, (14, 1)).astype(float), random.integers(0, 2, 14)
        y[:4], y[8:] = [0, 1, 0, 1], -1
        one, other = (GraphClassifier(method=name, neighbours=3) for _ in range(2))
        one.fit(X, y), other.fit(X, np.where(y < 0, y, 1 - y))
        assert other.objective_ == pytest.approx(one.objective_, rel=1e-5)
        np.testing.assert_array_equal(other.transduction_, 1 - one.transduction_)
