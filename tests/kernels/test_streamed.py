"""Gram stacks that are not kept are those that are, to rounding."""

import numpy as np
import pytest
from scipy import sparse

pytest.importorskip("numba")

from kernlearn.algorithms import Problem, Signs
from kernlearn.algorithms.margin import l1_svm, vkr
from kernlearn.errors import UserError
from kernlearn.kernels import COMPLEXITIES, GramStack, make_family
from kernlearn.kernels.matrices import streamed
from kernlearn.kernels.matrices.streamed import StreamedStack, kernel_stack

RNG = np.random.default_rng(0)
X, OTHERS = RNG.standard_normal((53, 6)) / 2, RNG.standard_normal((31, 6)) / 2
FAMILIES = {
    "polynomial": make_family("polynomial", degrees=range(1, 6)),
    "polynomial_unit": make_family("polynomial_unit", degrees=[2, 4]),
    "gaussian": make_family("gaussian", gammas=[0.1, 1.0]),
}


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    monkeypatch.setattr(streamed, "ROWS", 7)
    monkeypatch.setattr(streamed, "COLUMNS", 11)


def both(name, examples=X):
    family = FAMILIES[name]
    return GramStack.train(family, examples), StreamedStack(family, examples, examples)


@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_all_that_is_asked_for_is_the_same(name, form):
    kept, stack = both(name, form(X))
    v, points = RNG.standard_normal(53) * (RNG.random(53) < 0.5), np.array([3, 50, 0, 17])
    coef = RNG.standard_normal((2, len(kept), 53)) * (RNG.random((2, len(kept), 53)) < 0.3)
    exact = {"rtol": 1e-12, "atol": 1e-12}
    assert stack.shape == kept.shape
    np.testing.assert_allclose(stack.scales(), kept.scales(), **exact)
    np.testing.assert_allclose(stack.price(v), kept.price(v), **exact)
    np.testing.assert_allclose(stack.price(v.astype(np.longdouble)), kept.price(v.astype(np.longdouble)), **exact)
    np.testing.assert_allclose(stack.expansions(coef), kept.expansions(coef), **exact)
    np.testing.assert_allclose(stack.at(OTHERS).expand(coef[0]), kept.at(OTHERS).expand(coef[0]), **exact)
    for k in range(len(kept)):
        np.testing.assert_allclose(stack.columns(k, points), kept.columns(k, points), **exact)
        np.testing.assert_allclose(stack.diagonal(k), kept.diagonal(k), **exact)
        np.testing.assert_allclose(stack.select(k).matrix(0), kept.matrix(k), **exact)
        np.testing.assert_allclose(stack.narrow(points).columns(k, np.arange(4)), kept.columns(k, points), **exact)
        np.testing.assert_allclose(kept.narrow(points).matrix(k), kept.columns(k, points), **exact)
    np.testing.assert_allclose(stack.narrow(points).price(v), kept.price(v)[:, points], **exact)
    some = np.array([1, 5, 30])
    np.testing.assert_allclose(stack.take(some).matrix(0), kept.take(some).matrix(0), **exact)


def test_the_diagonal_of_many_examples_takes_no_matrix():
    many = np.random.default_rng(1).standard_normal((300, 3))
    kept, stack = both("polynomial", many)
    np.testing.assert_allclose(stack.diagonal(1), kept.diagonal(1), rtol=1e-12)


@pytest.mark.parametrize("complexity", ["lemma3", "lemma4", "massart", "dimension"])
def test_complexities_are_the_same(complexity):
    kept, stack = both("polynomial")
    np.testing.assert_allclose(COMPLEXITIES[complexity](stack), COMPLEXITIES[complexity](kept), rtol=1e-12)


def test_only_large_stacks_of_families_that_stream_are_streamed():
    assert type(kernel_stack(FAMILIES["gaussian"], X, X, vkr.METHOD.max_matrix_bytes)) is GramStack
    assert type(kernel_stack(FAMILIES["gaussian"], X, X, 1000.0)) is StreamedStack
    assert type(kernel_stack(FAMILIES["gaussian"], X, X, np.inf)) is GramStack
    assert type(kernel_stack(make_family("linear"), X, X, 1000.0)) is GramStack


def test_kernels_that_overflow_are_told():
    stack = StreamedStack(make_family("polynomial", degrees=[100]), 1e4 * X, 1e4 * X)
    with pytest.raises(UserError, match="overflows on these features"):
        stack.scales()


@pytest.mark.parametrize("module", [vkr, l1_svm])
def test_paths_are_the_same(module):
    y = np.sign(X[:, 0] * X[:, 1] + 0.01)
    options = {"betas": [0.1, 0.01]} | ({"complexity": "lemma3", "lambdas": [0.01]} if module is vkr else {})
    stored, blockwise = (list(module.path(Problem(stack, Signs(y)), **options)) for stack in both("polynomial"))
    for a, b in zip(stored, blockwise, strict=True):
        assert a.status == b.status == "optimal"
        assert b.solutions[0].objective == pytest.approx(a.solutions[0].objective, rel=1e-9)


def test_fewer_points_of_examples_far_from_the_origin():
    kept, points = GramStack.train(make_family("linear"), 1e6 + X), np.array([3, 50, 0, 17])
    coef = np.zeros((1, 53))
    coef[0, points] = [1.0, -2.0, 0.5, 0.5]
    assert kept.centred_products is not None
    np.testing.assert_allclose(kept.narrow(points).expand(coef[:, points]), kept.expand(coef), rtol=1e-9)
