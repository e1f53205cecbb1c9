"""The ellipsoid around examples, against the solver's, and against ellipsoids that are not the smallest."""

import numpy as np
import pytest

from kernlearn.certificates.own.made_kernels import ellipsoid
from kernlearn.errors import UserError
from kernlearn.solvers import solve_ellipsoid

X = np.random.default_rng(0).normal(size=(30, 3)) @ np.array([[1.0, 0.5, 0.0], [0.0, 2.0, 0.1], [0.0, 0.0, 0.3]])


@pytest.mark.parametrize("E", [0.05, 0.3, 5.0])
def test_the_ellipsoid_and_its_gap_are_those_of_the_solver(E):
    solution = solve_ellipsoid(X, E, 1e-9)
    found, theirs = ellipsoid(X, solution.dual, E), solution.extras["ellipsoid"]
    np.testing.assert_allclose(found.M, theirs.A.T @ theirs.A, rtol=1e-8, atol=1e-12)
    np.testing.assert_allclose(found.centre, theirs.centre, atol=1e-10)
    assert -1e-12 <= found.gap <= 1e-8
    other = ellipsoid(X, solution.dual * np.linspace(0.8, 1.2, len(X)), E)
    assert other.gap > 1e-4


def test_the_gap_is_the_same_in_other_units():
    u = solve_ellipsoid(X, 0.3, 1e-4).dual
    assert ellipsoid(1e5 * X, u, 0.3).gap == pytest.approx(ellipsoid(X, u, 0.3).gap, rel=1e-6)


def test_multipliers_of_no_ellipsoid_are_refused():
    for u in (np.zeros(len(X)), np.where(np.arange(len(X)) < 2, 0.1, 0.0)):
        with pytest.raises(UserError, match="ellipsoid"):
            ellipsoid(X, u, 0.3)
