"""The minimum of a quadratic function on a sphere, against every stationary point there is."""

import numpy as np
import pytest

from kernlearn.solvers import minimise_on_sphere


def stationary(G, b, n):
    """All real stationary points, by the quadratic eigenvalue problem of Gander, Golub and von Matt."""
    q = len(b)
    block = np.block([[G, -np.eye(q)], [-np.outer(b, b) / n, G]])
    found = np.linalg.eigvals(block)
    real = found[np.abs(found.imag) < 1e-7 * np.abs(found).max()].real
    return [np.linalg.solve(G - mu * np.eye(q), b) for mu in real]


@pytest.mark.parametrize("seed", range(6))
def test_it_is_the_least_of_all_stationary_points(seed):
    rng = np.random.default_rng(seed)
    A, b, n = rng.normal(size=(6, 6)), rng.normal(size=6) * 10.0 ** rng.uniform(-3, 3), 7.0
    G = A + A.T
    solution = minimise_on_sphere(G, b, n, 2.0)
    z = solution.x
    assert z @ z == pytest.approx(n, rel=1e-12)
    values = [0.5 * x @ G @ x - b @ x + 2.0 for x in stationary(G, b, n) if abs(x @ x - n) < 1e-4 * n]
    assert solution.objective == pytest.approx(min(values), rel=1e-7)
    assert solution.status == "optimal" and abs(solution.gap) < 1e-9
    np.testing.assert_allclose(G @ z - solution.dual[0] * z, b, atol=1e-9 * max(1.0, np.abs(b).max()))


@pytest.mark.parametrize("n", [0.01, 1.0, 100.0])
def test_the_hard_case(n):
    """Nothing of b is along the least eigenvector: for a small sphere it decides, for a large one it does not."""
    G, b = np.diag([1.0, 2.0, 5.0]), np.array([0.0, 3.0, 1.0])
    solution = minimise_on_sphere(G, b, n)
    angles = np.random.default_rng(0).normal(size=(200_000, 3))
    points = np.sqrt(n) * angles / np.linalg.norm(angles, axis=1, keepdims=True)
    least = (0.5 * np.einsum("ij,jk,ik->i", points, G, points) - points @ b).min()
    assert solution.objective <= least and solution.status == "optimal"
    assert solution.objective == pytest.approx(least, abs=1e-3 * n + 1e-3)


def test_without_a_linear_part_it_is_the_least_eigenvector():
    solution = minimise_on_sphere(np.diag([3.0, 1.0, 2.0]), np.zeros(3), 4.0)
    np.testing.assert_allclose(solution.x, [0.0, 2.0, 0.0], atol=1e-12)
    assert solution.objective == pytest.approx(2.0) and solution.status == "optimal"
