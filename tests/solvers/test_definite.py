"""Systems whose matrix the factor overwrites, definite or not."""

import numpy as np
import pytest

from kernlearn.solvers import definite_inverse


@pytest.mark.parametrize("least", [1e-3, -1e-3])
def test_the_inverse_is_that_of_the_matrix_as_it_was_given(least):
    """Also where there is no factor, and it was begun: eigenvalues below the floor count as the floor."""
    random = np.random.default_rng(0)
    vectors = np.linalg.qr(random.standard_normal((30, 30)))[0]
    values = np.append(least, np.linspace(0.1, 2.0, 29))
    A, floor = (vectors * values) @ vectors.T, 1e-4
    A = 0.5 * (A + A.T)  # to the last digit
    B = random.standard_normal((30, 3))
    expected = (vectors / np.maximum(values, floor)) @ (vectors.T @ B)
    found = definite_inverse(A.copy(), floor)(B)
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9 * np.abs(expected).max())


def test_the_factor_takes_the_place_of_the_matrix():
    A = np.diag(np.arange(1.0, 6.0)) + 0.1
    before = A.copy()
    definite_inverse(A, 1e-9)
    assert not np.array_equal(A, before)
