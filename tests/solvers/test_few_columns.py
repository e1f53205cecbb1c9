"""As few columns as they have dimensions: margins stay, the penalty does not rise, and what is independent stays."""

import numpy as np
import pytest

pytest.importorskip("numba")

from kernlearn.solvers import InteriorSolver
from kernlearn.solvers.hinge_l1.few_columns import MAX_RANK, with_few_columns
from tests.solvers.hinge_problems import DenseColumns, on_sphere

#: Columns, examples, dimensions.
SHAPES = [(40, 100, 7), (8, 50, 5), (40, 5, 5), (600, 300, 20), (9, 30, 1), (601, 900, 250)]


def few(G, t, a):
    """The coefficients for columns that are there as the rows of an array."""
    return with_few_columns(lambda some: G[some], G.shape[1], t, a)


def dependent(N, m, rank, seed=0):
    """Columns of a rank as rows, penalties and coefficients."""
    random = np.random.default_rng(seed)
    G = random.standard_normal((N, rank)) @ random.standard_normal((rank, m))
    return G / np.abs(G).max(axis=1, keepdims=True), random.uniform(0.5, 2.0, N), random.standard_normal(N)


@pytest.mark.parametrize("shape", SHAPES)
def test_dependent_columns_become_as_few_as_their_rank(shape):
    G, t, a = dependent(*shape)
    found = few(G, t, a)
    assert np.count_nonzero(found) <= shape[2]
    assert found @ G == pytest.approx(a @ G, rel=1e-8, abs=1e-8 * np.abs(a).sum())
    assert t @ np.abs(found) <= t @ np.abs(a) * (1.0 + 1e-12)


def test_columns_without_a_coefficient_get_none_and_independent_ones_stay():
    G, t, a = dependent(60, 90, 10)
    a[::2] = 0.0
    found = few(G, t, a)
    assert not found[::2].any() and np.count_nonzero(found) <= 10
    assert (few(G, t, found) == found).all()


@pytest.mark.parametrize("shape", [(30, 100, 30), (2 * MAX_RANK + 40, 400, MAX_RANK + 10), (0, 10, 1), (1, 4, 1)])
def test_many_dimensions_change_nothing(shape):
    G, t, a = dependent(*shape)
    assert (few(G, t, a) == a).all()


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda G, t, a: (np.repeat(G[:1], 50, axis=0), t, a), id="equal"),
        pytest.param(lambda G, t, a: (np.zeros_like(G), t, a), id="nothing"),
        pytest.param(lambda G, t, a: (G, np.zeros_like(t), a), id="free"),
        pytest.param(lambda G, t, a: (G, 1e-9 * t, 1e9 * a), id="scales"),
    ],
)
def test_extremes(change):
    G, t, a = change(*dependent(50, 80, 6))
    found = few(G, t, a)
    assert np.isfinite(found).all() and np.count_nonzero(found) <= 6
    assert found @ G == pytest.approx(a @ G, abs=1e-8 * np.abs(a).sum())
    assert t @ np.abs(found) <= t @ np.abs(a) * (1.0 + 1e-12)


@pytest.mark.parametrize("seed", range(40))
def test_small_integers_whose_combinations_round_to_next_to_nothing(seed):
    random = np.random.default_rng(seed)
    G, a = random.integers(-2, 3, (6, 2)).astype(float), random.integers(-2, 3, 6).astype(float)
    for t in (np.zeros(6), np.ones(6)):
        found = few(G, t, a)
        assert found @ G == pytest.approx(a @ G, abs=1e-9) and t @ np.abs(found) <= t @ np.abs(a) + 1e-12
        assert np.count_nonzero(found) <= 2


def test_interior_points_need_no_more_columns_of_a_linear_kernel_than_a_vertex_has():
    random = np.random.default_rng(0)
    X = on_sphere(random.standard_normal((400, 6)))
    y = np.where(random.random(400) < 0.2, -1.0, 1.0)  # nothing to learn: a constant, of columns around the origin
    columns = DenseColumns((y[:, None] * (X @ X.T + 1.0))[None])
    found = InteriorSolver(columns, 1e-6).solve(np.full((1, 400), 1e-3))
    assert found.status == "optimal" and 0 < np.count_nonzero(found.x) <= 7


@pytest.mark.parametrize("cost", [1e-6, 1e-4])
def test_nor_where_none_of_the_columns_is_likely_to_be_needed(cost):
    random = np.random.default_rng(0)
    x, noise = random.standard_normal((2, 700))
    y = np.where(x + noise > 0, 1.0, -1.0)
    columns = DenseColumns((y[:, None] * (np.outer(x, x) + 1.0))[None])
    found = InteriorSolver(columns, 1e-4).solve(np.full((1, 700), cost))
    assert found.status == "optimal" and 0 < np.count_nonzero(found.x) <= 2
