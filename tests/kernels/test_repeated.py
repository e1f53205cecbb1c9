"""Stacks of examples that repeat are those of all of them, computed of the kinds that differ."""

import numpy as np
import pytest
from scipy import sparse

from kernlearn.kernels import GramStack, make_family
from kernlearn.kernels.matrices import repeated
from kernlearn.kernels.matrices.columns import KernelColumns
from kernlearn.kernels.matrices.repeated import RepeatedStack, kinds, of_kinds
from kernlearn.kernels.matrices.streamed import StreamedStack, kernel_stack

RNG = np.random.default_rng(0)
KINDS = RNG.standard_normal((7, 4))
WHICH = RNG.integers(0, 7, 60)
X = KINDS[WHICH]
FAMILIES = {
    "polynomial": make_family("polynomial", degrees=[1, 2, 5]),
    "gaussian": make_family("gaussian", gammas=[0.1, 1.0]),
}


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_kinds_are_told_apart_in_the_order_of_their_first_examples(form):
    first, kind = kinds(form(X))
    np.testing.assert_array_equal(X[first][kind], X)
    assert len(first) == len(np.unique(WHICH)) and (np.diff(first) > 0).all()
    np.testing.assert_array_equal(kind[first], np.arange(len(first)))


@pytest.mark.parametrize("rows", [1, 2, 4096])
def test_what_only_looks_equal_is_not(rows, monkeypatch):
    """Rows that differ by what a product with random numbers loses in rounding: then all count as different."""
    monkeypatch.setattr(repeated, "ROWS", rows)
    differ = np.array([[1e20, 0.0], [1e20, 1.0]])
    first, kind = kinds(np.vstack([differ[:1], differ[:1], differ]))
    np.testing.assert_array_equal(first, np.arange(4))
    np.testing.assert_array_equal(kind, np.arange(4))


@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_all_that_is_asked_for_is_the_same(name, form):
    family, examples = FAMILIES[name], form(X)
    kept, stack = GramStack.train(family, examples), of_kinds(StreamedStack(family, examples, examples))
    assert type(stack) is RepeatedStack and stack.shape == kept.shape and len(stack) == len(kept)
    exact = {"rtol": 1e-12, "atol": 1e-12}
    v, points = RNG.standard_normal(60) * (RNG.random(60) < 0.5), np.array([3, 50, 0, 17, 3])
    coef = RNG.standard_normal((2, len(kept), 60)) * (RNG.random((2, len(kept), 60)) < 0.3)
    some, others = stack.narrow(points), form(RNG.standard_normal((5, 4)))
    np.testing.assert_allclose(stack.scales(), kept.scales(), **exact)
    np.testing.assert_allclose(some.scales(), kept.scales()[:, points], **exact)
    np.testing.assert_allclose(stack.price(v), kept.price(v), **exact)
    alone = stack.select(len(kept) - 1)
    assert alone.shape == (1, 60, 60)
    np.testing.assert_allclose(alone.price(v), kept.price(v)[-1:], **exact)
    np.testing.assert_allclose(alone.columns(0, points), kept.columns(len(kept) - 1, points), **exact)
    assert type(of_kinds(StreamedStack(family, examples, examples).take(np.arange(50)))) is RepeatedStack
    np.testing.assert_allclose(some.price(v), kept.price(v)[:, points], **exact)
    long = stack.price(v.astype(np.longdouble))
    assert long.dtype == np.longdouble
    np.testing.assert_allclose(long, kept.price(v.astype(np.longdouble)), **exact)
    np.testing.assert_allclose(stack.expansions(coef), kept.expansions(coef), **exact)
    np.testing.assert_allclose(some.expand(coef[0][:, points]), kept.narrow(points).expand(coef[0][:, points]), **exact)
    np.testing.assert_allclose(stack.at(others).expand(coef[0]), kept.at(others).expand(coef[0]), **exact)
    for k in range(len(kept)):
        np.testing.assert_allclose(stack.columns(k, points), kept.columns(k, points), **exact)
        np.testing.assert_allclose(some.columns(k, np.array([4, 1])), kept.columns(k, points[[4, 1]]), **exact)
        np.testing.assert_allclose(stack.diagonal(k), kept.diagonal(k), **exact)
    np.testing.assert_allclose(stack.take(points).matrix(1), kept.take(points).matrix(1), **exact)


def test_only_streamed_stacks_of_few_kinds_are_computed_of_them():
    family = FAMILIES["gaussian"]
    held, many = GramStack.train(family, X), KINDS[np.arange(7) % 4 + np.arange(7) // 4]
    assert of_kinds(held) is held
    differing = StreamedStack(family, many, many)
    assert of_kinds(differing) is differing
    oblong = StreamedStack(family, X, X[:50])
    assert of_kinds(oblong) is oblong
    assert type(KernelColumns(kernel_stack(family, X, X, 1000.0), np.ones(60)).stack) is RepeatedStack
