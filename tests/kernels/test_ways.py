"""Held, streamed and in blocks kernels are the same, and what overflows is refused by all with the same words."""

import numpy as np
import pytest

from kernlearn.errors import UserError
from kernlearn.kernels import GramStack, make_family
from kernlearn.kernels.matrices.blocks import BlockStack
from kernlearn.kernels.matrices.streamed import StreamedStack

X = np.random.default_rng(0).normal(size=(30, 3))
FAMILY = make_family("polynomial", degrees=[1, 2, 5])
WAYS = {
    "held": lambda X: GramStack(FAMILY, X, X).matrix(2),
    "streamed": lambda X: StreamedStack(FAMILY, X, X).columns(2, np.arange(len(X))),
    "prices": lambda X: StreamedStack(FAMILY, X, X).price(np.ones(len(X))),
    "scales": lambda X: StreamedStack(FAMILY, X, X).scales(),
    "blocks": lambda X: BlockStack(FAMILY, X).combine(np.array([0.0, 0.0, 1.0])),
    "centred blocks": lambda X: BlockStack(FAMILY, X).centred().products(),
    "images": lambda X: BlockStack(FAMILY, X).images(np.ones(len(X)), np.arange(3)),
    "traces": lambda X: BlockStack(FAMILY, X).traces(),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("size", [1e40, 1e160])
def test_a_kernel_that_overflows_is_refused(way, size):
    assert np.isfinite(WAYS[way](X)).all()
    far = X.copy()
    far[7] *= size
    with pytest.raises(UserError, match=r"^polynomial kernel \(degree=[125]\) overflows on these features"):
        WAYS[way](far)


@pytest.mark.parametrize("offset", [0.0, 1e3, 1e7])
@pytest.mark.parametrize("expansions", [1, 3])
def test_expansions_whose_coefficients_add_up_to_0_are_the_same(offset, expansions):
    coef = np.random.default_rng(1).normal(size=(expansions, 3, 30))
    coef[:, 1:] = 0.0
    coef[0] -= coef[0].mean(axis=-1, keepdims=True)  # others keep the constant
    points, others = X + offset, X[:9] + 0.5 + offset
    held, streamed = (kind(FAMILY, others, points).expansions(coef) for kind in (GramStack, StreamedStack))
    rounding = 4.0 * np.finfo(np.float64).eps * GramStack(FAMILY, others, points).magnitudes(coef, np.arange(9))
    assert (np.abs(streamed - held) <= rounding).all()
    np.testing.assert_array_equal(StreamedStack(FAMILY, others, points).expand(coef[0]), streamed[0])
