"""Kernels by blocks: every answer is that of the matrices, and none of these is made."""

import tracemalloc

import numpy as np
import pytest

from kernlearn.kernels import DenseStack, GramStack, alignments, make_family
from kernlearn.kernels.core.combined import CombinedKernel
from kernlearn.kernels.matrices import blocks
from kernlearn.kernels.matrices.blocks import BlockStack

FAMILIES = {
    "gaussian": make_family("gaussian", gammas=[1e-3, 0.1, 2.0]),
    "polynomial": make_family("polynomial", degrees=[1, 2, 4]),
}


@pytest.fixture
def small(monkeypatch):
    monkeypatch.setattr(blocks._parts, "__defaults__", (37,))


@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize("centre", [False, True])
def test_answers_are_those_of_the_matrices(name, centre, small):
    random, family = np.random.default_rng(0), FAMILIES[name]
    X = random.standard_normal((120, 5))
    X[7] = X[30]
    dense, blocked = DenseStack.of(GramStack.train(family, X), less_constant=centre), BlockStack(family, X)
    if centre:
        dense, blocked = dense.centred(), blocked.centred()
    mu, a, y = np.array([0.3, 0.0, 1.1]), random.standard_normal(120), np.sign(X[:, 0])
    a[::3] = 0.0
    size = np.abs(dense.K).max()
    np.testing.assert_allclose(blocked.combine(mu), dense.combine(mu), atol=1e-11 * size)
    np.testing.assert_allclose(blocked.quadratic(a), dense.quadratic(a), rtol=1e-9, atol=1e-9 * size)
    some = np.array([0, 2])
    np.testing.assert_allclose(blocked.images(a, some), dense.images(a, some), atol=1e-10 * size)
    np.testing.assert_allclose(
        blocked.images(a, some, np.array([1, 3])), dense.images(a, some)[:, [1, 3]], atol=1e-10 * size
    )
    for b in (y, a, np.roll(a, 1)):  # of the last vector the products are known
        np.testing.assert_allclose(blocked.quadratic(a, b), dense.quadratic(a, b), rtol=1e-9, atol=1e-9 * size)
        np.testing.assert_allclose(blocked.quadratic(b), dense.quadratic(b), rtol=1e-9, atol=1e-9 * size)
    np.testing.assert_allclose(blocked.traces(), dense.traces(), rtol=1e-10)
    np.testing.assert_allclose(blocked.norms(), dense.norms(), rtol=1e-10)
    np.testing.assert_allclose(blocked.products(), dense.products(), rtol=1e-9)
    np.testing.assert_allclose(blocked.heads(3), dense.heads(3), rtol=1e-9)
    np.testing.assert_allclose(alignments(blocked, y), alignments(dense, y), rtol=1e-8)
    np.testing.assert_allclose(blocked.alignment(mu, y), alignments(DenseStack(dense.combine(mu)[None]), y), rtol=1e-8)
    assert 1.0 - 1e-9 <= blocked.largest_given(mu) / dense.largest_given(mu) <= 4.0  # a bound
    weighted = blocked.weighted(mu)
    assert isinstance(weighted, CombinedKernel) == blocked.is_fused
    np.testing.assert_allclose(weighted @ a, dense.combine(mu) @ a, atol=1e-10 * size)
    rows = np.array([3, 50, 119])
    np.testing.assert_allclose(blocked.take(rows).combine(mu), dense.combine(mu)[np.ix_(rows, rows)], atol=1e-11 * size)
    (coef, constant), (other, expected) = blocked.expansion(mu, a), dense.expansion(mu, a)
    np.testing.assert_allclose(coef, other)
    given = GramStack.train(family, X)  # the means are of kernels minus a constant: f is the same
    np.testing.assert_allclose(given.expand(coef) + constant, given.expand(other) + expected, atol=1e-9 * size)


@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize("centre", [False, True])
def test_a_weighted_kernel_has_the_products_and_the_blocks_of_its_matrix(name, centre, small):
    random = np.random.default_rng(1)
    X, mu, a = random.standard_normal((130, 5)), np.array([0.3, 0.0, 1.1]), random.standard_normal(130)
    stack = BlockStack(FAMILIES[name], X).centred() if centre else BlockStack(FAMILIES[name], X)
    K, weighted = stack.combine(mu), CombinedKernel(stack, mu)
    size, some = np.abs(K).max(), np.array([5, 1, 100])
    np.testing.assert_allclose(weighted @ a, K @ a, atol=1e-10 * size)
    np.testing.assert_allclose(weighted.single(1e200 * a), 1e200 * (K @ a), atol=3e-5 * 1e200 * size)
    assert weighted.trace == pytest.approx(np.trace(K)) and len(weighted) == 130
    np.testing.assert_allclose(weighted.block(slice(3, 70), some), K[3:70][:, some], atol=1e-12 * size)
    assert not (CombinedKernel(stack, 0.0 * mu) @ a).any()


def test_a_kernel_that_is_constant_is_none_when_centred(small):
    X = np.ones((60, 2))
    centred = BlockStack(FAMILIES["polynomial"], X).centred()
    assert not centred.combine(np.ones(3)).any() and not centred.traces().any() and not centred.products().any()
    assert not centred.quadratic(np.arange(60.0)).any() and not centred.images(np.ones(60), np.arange(3)).any()


def test_a_pass_takes_the_memory_of_blocks_and_not_of_matrices():
    X = np.random.default_rng(0).standard_normal((1600, 3))
    stack = BlockStack(make_family("gaussian", gammas=list(np.geomspace(0.01, 10, 5))), X)
    tracemalloc.start()
    try:
        centred = stack.centred()
        centred.products(), centred.quadratic(X[:, 0]), centred.traces()
        passes = tracemalloc.get_traced_memory()[1]
        tracemalloc.reset_peak()
        centred.combine(np.ones(5))
        combined = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    matrix = 8 * 1600**2
    assert passes < 2.0 * matrix  # blocks of 504 x 504, some of each kernel; the matrices of five would be 5
    assert combined < 1.8 * matrix
