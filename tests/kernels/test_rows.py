"""Values of a kernel tile by tile: those of the family, whatever the examples, and none that is not finite."""

import numpy as np
import pytest
from scipy import sparse

from kernlearn.errors import UserError
from kernlearn.kernels import make_family
from kernlearn.kernels.matrices.rows import TILE_COLUMNS, TILE_ROWS, kernel_rows

FAMILIES = {
    "gaussian": make_family("gaussian", gammas=[0.3]),
    "polynomial": make_family("polynomial", degrees=[3]),
    "linear": make_family("linear"),
}


@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize("is_sparse", [False, True])
def test_tiles_have_the_values_of_the_family(name, is_sparse):
    random, family = np.random.default_rng(0), FAMILIES[name]
    dense = random.standard_normal((TILE_COLUMNS + 76, 4)) * (random.random((TILE_COLUMNS + 76, 4)) < 0.7) + 0.0
    X = sparse.csr_array(dense) if is_sparse else dense + 3.0
    rows, columns = random.integers(0, len(dense), TILE_ROWS + 5), random.permutation(len(dense))
    values, out = kernel_rows(family, X), np.empty((len(rows), len(columns)))
    values.fill(rows, columns, out)
    expected = family.transform(family.base(X[rows], X[columns]), **family.members[0])
    np.testing.assert_allclose(out, expected, rtol=1e-12, atol=1e-13 * np.abs(expected).max())
    np.testing.assert_allclose(
        values.take(rows).diagonal(), np.diagonal(family.transform(family.base(X[rows], X[rows]), **family.members[0]))
    )


def test_a_gaussian_kernel_of_an_example_and_its_copy_is_never_above_one():
    X = np.random.default_rng(1).standard_normal((50, 3)) * 1e4
    values, out, every = kernel_rows(FAMILIES["gaussian"], np.vstack([X, X])), np.empty((100, 100)), np.arange(100)
    values.fill(every, every, out)
    assert out.max() <= 1.0 and np.diagonal(out[:50, 50:]).min() > 1.0 - 1e-6


def test_a_kernel_that_overflows_is_told_in_one_line():
    values = kernel_rows(make_family("polynomial", degrees=[300]), np.full((3, 2), 1e3))
    with pytest.raises(UserError, match="overflows"), np.errstate(over="ignore"):
        values.fill(np.arange(3), np.arange(3), np.empty((3, 3)))
