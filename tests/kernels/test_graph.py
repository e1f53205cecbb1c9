"""Neighbourhood graphs, their Laplacians and the basis of their eigenvectors."""

import sys

import numpy as np
import pytest
from scipy import sparse
from scipy.spatial.distance import cdist

from kernlearn.errors import UserError
from kernlearn.kernels import make_family, make_inputs
from kernlearn.kernels.families.graph import Graph, laplacian, neighbour_graph
from kernlearn.kernels.families.spectrum import components, contrasts, spectrum_of

X = np.random.default_rng(0).normal(size=(60, 3))


def brute(X, k, mutual, weights, width, metric):
    """The graph by its definition."""
    D = cdist(X, X, metric)
    np.fill_diagonal(D, np.inf)
    near = np.zeros(D.shape, dtype=bool)
    for i, row in enumerate(D):
        near[i, np.argsort(row, kind="stable")[:k]] = True
    joined = near & near.T if mutual else near | near.T
    s = width * D[near].mean()
    return np.where(joined, 1.0 if weights == "binary" else np.exp(-0.5 * (np.where(joined, D, 0) / s) ** 2), 0.0)


@pytest.mark.parametrize("mutual", [True, False])
@pytest.mark.parametrize("weights", ["binary", "heat"])
@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
def test_the_graph_is_its_definition(mutual, weights, metric):
    made = neighbour_graph(X, 4, mutual, weights, 0.7, metric)
    np.testing.assert_allclose(made.weights.toarray(), brute(X, 4, mutual, weights, 0.7, metric), atol=1e-9)
    thin = neighbour_graph(sparse.csr_array(X), 4, mutual, weights, 0.7, metric)
    np.testing.assert_allclose(thin.weights.toarray(), made.weights.toarray(), atol=1e-7)


LATTICE = np.array([[i, j] for i in range(6) for j in range(5)], dtype=float)
TIED = {
    "lattice": (LATTICE, "euclidean"),
    "lattice in many dimensions": (LATTICE @ np.eye(2, 20), "euclidean"),  # searched by brute force, not by a tree
    "directions": (LATTICE + 1.0, "cosine"),
    "twins": (np.repeat(np.random.default_rng(1).normal(size=(9, 30)), 5, axis=0), "euclidean"),
    "twins by direction": (np.repeat(np.random.default_rng(1).normal(size=(9, 4)), 5, axis=0), "cosine"),
}


@pytest.mark.parametrize("mutual", [True, False])
@pytest.mark.parametrize("case", TIED)
def test_the_graph_does_not_depend_on_the_order_of_examples_where_distances_tie(case, mutual):
    X, metric = TIED[case]
    made = neighbour_graph(X, 3, mutual, "heat", 1.0, metric)
    D = cdist(X, X, metric).round(9)
    np.fill_diagonal(D, np.inf)
    near = np.sort(D)[:, [2]] >= D
    assert (near.sum(axis=1) > 3).any()  # there are ties
    np.testing.assert_array_equal(made.weights.toarray() > 0, near & near.T if mutual else near | near.T)
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(len(X))
        other = neighbour_graph(X[order], 3, mutual, "heat", 1.0, metric)
        np.testing.assert_allclose(other.weights.toarray(), made.weights.toarray()[np.ix_(order, order)], atol=1e-7)
        new = made.to(X[order] + 0.25).toarray()
        np.testing.assert_allclose(other.to(X + 0.25).toarray()[order], new[:, order], atol=1e-7)


def test_so_many_equal_examples_that_their_edges_do_not_fit_are_refused(monkeypatch):
    monkeypatch.setattr("kernlearn.memory.SMALL", 0)
    monkeypatch.setattr("kernlearn.memory.available", lambda: 500_000)
    neighbour_graph(np.ones((60, 2)), 3)
    with pytest.raises(UserError, match="pairs of equally near examples take .* use fewer examples that are alike"):
        neighbour_graph(np.ones((90, 2)), 3)


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
def test_an_approximate_search_finds_nearly_all_and_the_same_again(metric):
    pytest.importorskip("faiss")
    X = np.random.default_rng(0).normal(size=(1200, 8)) @ np.random.default_rng(1).normal(size=(8, 30))
    exact = neighbour_graph(X, 5, False, metric=metric)
    for given in (X, sparse.csr_array(X)):
        made = neighbour_graph(given, 5, False, metric=metric, search="approximate")
        again = neighbour_graph(given, 5, False, metric=metric, search="approximate")
        assert (made.weights != again.weights).nnz == 0
        assert made.weights.multiply(exact.weights).sum() > 0.97 * exact.weights.sum()
        near = made.to(given[:50])
        assert near.multiply(exact.to(X[:50])).sum() > 0.9 * 250 and (near.sum(axis=1) <= 5).all()


def test_few_examples_are_searched_exactly_and_a_library_that_is_missing_is_named(monkeypatch):
    exact = neighbour_graph(X, 4).weights
    monkeypatch.setitem(sys.modules, "faiss", None)
    assert (neighbour_graph(X, 4, search="approximate").weights != exact).nnz == 0
    with pytest.raises(UserError, match="pip install faiss-cpu"):
        neighbour_graph(np.random.default_rng(0).normal(size=(1001, 2)), 4, search="approximate")


def of_edges(n, *edges):
    W = np.zeros((n, n))
    for i, j in edges:
        W[i, j] = W[j, i] = 1.0
    return Graph(sparse.csr_array(W), None, "binary", 1.0)


@pytest.mark.parametrize("normalised", [False, True])
@pytest.mark.parametrize("q", [3, 30, 200])
def test_eigenvectors_are_orthonormal_and_those_of_the_smallest_eigenvalues(normalised, q):
    made = neighbour_graph(X, 3)
    found = spectrum_of(made, q, normalised)
    L = laplacian(made.weights, normalised).toarray()
    m = min(q + 1, 60)
    np.testing.assert_allclose(found.theta, np.linalg.eigvalsh(L)[:m], atol=1e-12)
    np.testing.assert_allclose(found.vectors.T @ found.vectors, np.eye(m), atol=1e-12)
    np.testing.assert_allclose(L @ found.vectors, found.vectors * found.theta, atol=1e-12)
    assert found.U.shape == (60, min(q, m)) and found.V.shape[1] == m - 1 and found.components > 1
    if not normalised:
        np.testing.assert_allclose(found.vectors[:, 0], 60**-0.5)


def test_a_large_component_is_solved_by_lanczos_as_by_a_dense_matrix(monkeypatch):
    made = neighbour_graph(X, 6, mutual=False)
    dense = spectrum_of(made, 10)
    monkeypatch.setattr("kernlearn.kernels.families.spectrum.DENSE", 5)
    lanczos = spectrum_of(made, 10)
    np.testing.assert_allclose(lanczos.theta, dense.theta, atol=1e-9)
    np.testing.assert_allclose(lanczos.vectors, dense.vectors, atol=1e-6)


def test_the_basis_of_many_components_is_their_contrasts_the_largest_first():
    made = of_edges(7, (1, 2), (4, 5), (5, 6))
    parts = components(made.weights)
    assert [part.tolist() for part in parts] == [[4, 5, 6], [1, 2], [0], [3]]
    V = contrasts(np.ones(7), parts, 7)
    np.testing.assert_allclose(V.T @ V, np.eye(4), atol=1e-14)
    assert len(np.unique(V[[4, 5, 6], 1])) == 1 and V[4, 1] > 0 > V[0, 1]
    np.testing.assert_array_equal(V[[4, 5, 6], 2], 0.0)
    found = spectrum_of(made, 6)
    np.testing.assert_allclose(found.theta, [0, 0, 0, 0, 1, 2, 3], atol=1e-14)
    np.testing.assert_allclose(found.vectors[:, :4], V)
    np.testing.assert_array_equal(np.flatnonzero(np.abs(found.vectors[:, 5]) > 1e-12), [1, 2])


@pytest.mark.parametrize("edges", [[(i, (i + 1) % 8) for i in range(8)], [(i, j) for i in range(8) for j in range(i)]])
def test_the_basis_of_an_eigenspace_does_not_depend_on_that_of_the_solver(edges, monkeypatch):
    """A cycle and a complete graph have eigenvalues with several eigenvectors."""
    made = of_edges(8, *edges)
    first = spectrum_of(made, 7)
    from kernlearn.kernels.families import spectrum

    smallest = spectrum._smallest

    def turned(block, number, scale):
        values, vectors = smallest(block, number, scale)
        for level in np.unique(values.round(9)):
            some = np.flatnonzero(values.round(9) == level)
            turn, _ = np.linalg.qr(np.random.default_rng(1).normal(size=(len(some), len(some))))
            vectors[:, some] = vectors[:, some] @ turn
        return values, vectors

    monkeypatch.setattr(spectrum, "_smallest", turned)
    np.testing.assert_allclose(spectrum_of(made, 7).vectors, first.vectors, atol=1e-9)


def test_a_random_basis_of_the_components_spans_the_same():
    made = neighbour_graph(X, 2)
    rule, drawn = spectrum_of(made, 59), spectrum_of(made, 59, basis="random", seed=3)
    k = rule.components
    assert k > 5
    first, second = rule.vectors[:, :k], drawn.vectors[:, :k]
    np.testing.assert_allclose(first @ first.T, second @ second.T, atol=1e-12)
    assert np.abs(drawn.vectors[:, 1:k] - rule.vectors[:, 1:k]).max() > 0.1
    np.testing.assert_array_equal(drawn.vectors[:, 0], rule.vectors[:, 0])


def test_graphs_without_edges_of_one_example_and_of_equal_ones():
    alone = spectrum_of(of_edges(4), 2)
    assert alone.components == 4 and not alone.theta.any() and alone.vectors.shape == (4, 3)
    family = make_family("graph")
    one = make_inputs(family, np.zeros((1, 2)))
    np.testing.assert_array_equal(one.vectors, [[1.0]])
    for weights in ("binary", "heat"):
        equal = make_inputs(make_family("graph", weights=weights, mutual=False), np.ones((9, 2)))
        assert equal.theta.shape == (9,) and np.isfinite(equal.vectors).all()
    with pytest.raises(UserError, match="no features"):
        make_inputs(family, np.zeros((3, 0)))
    for key, value in [("q", 0), ("neighbours", 0), ("metric", "l1"), ("width", 0.0), ("basis", "other")]:
        with pytest.raises(UserError, match=key):
            make_family("graph", **{key: value})


@pytest.mark.parametrize("normalised", [False, True])
def test_the_extension_of_nystrom_is_the_eigenvector_where_a_twin_is(normalised):
    """An example with the neighbours that a vertex has gets the value of the vertex, up to what is kept finite."""
    made = neighbour_graph(X, 5, mutual=False, weights="heat")
    found = spectrum_of(made, 4, normalised)
    W, d = made.weights.toarray(), made.degrees
    other = found.at(X + 1e-9)
    W = made.to(X + 1e-9).toarray()
    d = W.sum(axis=1)
    phi = found.vectors[:, 1]
    if normalised:
        expected = (W / np.sqrt(d[:, None] * made.degrees)) @ phi / max(1 - found.theta[1], 0.5)
    else:
        expected = W @ phi / np.maximum(d - found.theta[1], 0.5 * d)
    np.testing.assert_allclose(other.vectors[:, 1], expected)
    assert np.corrcoef(other.vectors[:, 1], phi)[0, 1] > 0.95


def test_eigenvectors_that_do_not_fit_are_refused(monkeypatch):
    monkeypatch.setattr("kernlearn.memory.SMALL", 0)
    monkeypatch.setattr("kernlearn.memory.available", lambda: 1000)
    with pytest.raises(UserError, match="smaller kernel.q"):
        spectrum_of(neighbour_graph(X, 5), 20)


def test_standardised_features_are_those_of_scikit_learn_also_of_other_examples():
    from sklearn.preprocessing import StandardScaler

    raw = np.column_stack([X * [1.0, 50.0, 0.01], np.ones(60)])
    scaler = StandardScaler().fit(raw)
    expected = neighbour_graph(scaler.transform(raw), 4)
    for given in (raw, sparse.csr_array(raw)):
        made = neighbour_graph(given, 4, standardise=True)
        np.testing.assert_array_equal(made.weights.toarray(), expected.weights.toarray())
        other = made.to(given[:9]).toarray()
        np.testing.assert_array_equal(other, expected.to(scaler.transform(raw[:9])).toarray())


@pytest.mark.parametrize("far", [1e7, 2.0**27])
def test_neighbours_are_the_same_far_from_the_origin(far):
    X = np.round(np.random.default_rng(0).normal(size=(200, 16)) * 64) / 64  # far more is no rounding
    here, there = neighbour_graph(X, 5), neighbour_graph(X + far, 5)
    assert (here.weights != there.weights).nnz == 0
    assert (here.to(X[:9]) != there.to(X[:9] + far)).nnz == 0
