"""The methods of chapter 2 on every kind of data: solved and certified, whatever the order of the examples."""

import numpy as np
import pytest

from kernlearn.algorithms import ALGORITHMS, Problem, Signs
from kernlearn.kernels import GramStack, make_family
from tests.solvers.test_svm import degenerate

FAMILY = make_family("gaussian", gammas=[0.5])
METHODS = [
    ("l2_svm", {"Cs": [0.1, 10.0]}),
    ("l2_svm", {"Cs": [0.1, 10.0], "solver": "smo"}),
    ("rmm", {"Cs": [10.0], "fractions": [1.0, 0.5, 0.05]}),
    ("rmm", {"Cs": [10.0], "fractions": [1.0, 0.5, 0.05], "solver": "smo"}),
    ("rmm_d", {"Cs": [10.0], "Ds": [0.1, 10.0], "nus": [2.0, 10.0]}),
    ("rmm_d", {"Cs": [10.0], "Ds": [1.0]}),
    ("rmm_c_eq_d", {"Cs": [0.1, 10.0], "nus": [5.0]}),
    ("sigma_svm", {"Cs": [0.1, 10.0], "shares": [0.0, 0.5, 0.999]}),
    ("klda", {"mus": [1.0, 1e-3]}),
]
KINDS = ["noisy", "separable", "duplicated", "contradictory", "one of a class", "one of each class"]


def data(kind):
    names = {
        "noisy": "moons",
        "duplicated": "copies",
        "one of a class": "unbalanced",
        "one of each class": "two points",
    }
    X, y = degenerate("moons" if kind == "separable" else names.get(kind, kind))
    if kind == "separable":
        y = np.where(X[:, 0] > np.median(X[:, 0]), 1.0, -1.0)
        X = X + 0.5 * np.outer(y, [1.0, 0.0])
    return X, y


def points(name, values, X, y):
    tol = {} if name == "klda" else {"tol": 1e-9}
    stack = GramStack.train(FAMILY, X)
    return stack, list(ALGORITHMS[name].path(Problem(stack, Signs(y)), **values, **tol))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("name", "values"), METHODS, ids=lambda value: value if isinstance(value, str) else "")
def test_it_is_certified_and_the_same_in_any_order(name, values, kind):
    X, y = data(kind)
    order = np.random.default_rng(1).permutation(len(y))
    if len(y) == 2:
        order = np.array([1, 0])
    (stack, here), (other_stack, there) = points(name, values, X, y), points(name, values, X[order], y[order])
    for one, other in zip(here, there, strict=True):
        (solution,), (again,) = one.solutions, other.solutions
        assert one.status == other.status == "optimal" and max(abs(solution.gap), abs(again.gap)) <= 1e-9
        assert again.objective == pytest.approx(solution.objective, rel=1e-8, abs=1e-10)
        f, g = one.predictor.outputs(stack)[0][order], other.predictor.outputs(other_stack)[0]
        assert np.isfinite(f).all()
        # A bias may be anywhere in an interval; what differs between examples is unique.
        np.testing.assert_allclose(f - f.mean(), g - g.mean(), atol=1e-5)
        if "B" in one.facts and "nu" not in one.values:
            assert np.abs(f).max() <= one.facts["B"][0] * (1 + 1e-9)


@pytest.mark.parametrize("kind", ["noisy", "separable"])
def test_whitening_by_next_to_nothing_is_the_svm_on_centred_examples(kind):
    """D -> 0 of (2.4), with a kernel: the machines come together as fast as D goes."""
    X, y = data(kind)
    K = FAMILY.transform(FAMILY.base(X, X), **FAMILY.members[0])
    H = np.eye(len(y)) - 1.0 / len(y)
    centred = GramStack.train(make_family("linear"), np.linalg.cholesky(H @ K @ H + 1e-12 * np.eye(len(y))))
    (svm,) = ALGORITHMS["l2_svm"].path(Problem(centred, Signs(y)), Cs=[10.0], tol=1e-9)
    f = svm.predictor.outputs(centred)[0]
    stack, found = points("sigma_svm", {"Cs": [10.0], "shares": [0.0, 1e-6, 1e-3, 0.5]}, X, y)
    apart = [np.abs(point.predictor.outputs(stack)[0] - f).max() for point in found]
    assert apart[0] <= 1e-6 and apart[1] <= 1e-4 and apart[1] < apart[2] < apart[3] > 1e-2
