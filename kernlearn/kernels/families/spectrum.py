"""The smoothest functions on a graph: the eigenvectors of its Laplacian with the smallest eigenvalues, as inputs.

**The basis.** An eigenvalue with several eigenvectors leaves their basis open, and methods that weigh eigenvectors one
by one depend on it. A neighbourhood graph has many components, each with an eigenvalue 0. The rule here, with g = 1, or
``g_i = sqrt(d_i)`` for the normalised Laplacian (1 without edges):

1. the first vector is g; then, for the components from the largest to the smallest (of equal ones that with the first
   example first), the contrast of g on the component with g on all smaller ones, positive on the component;
2. every other eigenvector lives on one component; of equal eigenvalues that of the larger component is first;
3. of several in one component, the first is the projection of the example that the eigenspace represents best (of
   equal ones the first example), positive there; the next one the same of what is left of the eigenspace.

So the basis follows from the graph, and not from a solver. ``basis="random"`` turns the vectors of 1. after the first
at random, to see what the rule is worth.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import sparse
from scipy.linalg import eigh, null_space
from scipy.sparse.csgraph import connected_components

from kernlearn.errors import UserError
from kernlearn.kernels.core.choice import KernelChoice
from kernlearn.kernels.families.graph import METRICS, WEIGHTS, Graph, laplacian, neighbour_graph
from kernlearn.memory import require
from kernlearn.parameters import Choice, Flag, Number, Parameter
from kernlearn.types import Array, Index

#: How the basis of the eigenvalue 0 is chosen.
BASES = ("components", "random")
#: Components up to this size are solved as dense matrices.
DENSE = 3000
#: Part of the largest degree within which eigenvalues are the same, and which residuals may have.
SAME, RESIDUAL = 1e-9, 1e-8
#: Eigenvectors beyond those asked for, so that an eigenspace is not cut.
MORE = 8
#: Part of the largest norm of rows within which these are the same.
TIE = 1e-6


@dataclass(frozen=True, eq=False)  # compared and hashed as the object that it is
class Spectrum:
    """Eigenvectors ``L phi_i = theta_i phi_i`` of norm 1 by increasing eigenvalue, with some of the examples."""

    #: Shape (q + 1,).
    theta: Array
    #: Shape (n, q + 1): fewer of fewer examples.
    vectors: Array
    #: Which of the n examples these are.
    rows: Index
    #: How many of them a method uses.
    q: int
    components: int
    #: The largest norm of ``L phi - theta phi``.
    residual: float
    normalised: bool
    graph: Graph

    def __len__(self) -> int:
        return len(self.rows)

    def take(self, rows: Index) -> "Spectrum":
        """Return the same with some of the examples."""
        return replace(self, rows=self.rows[rows])

    @property
    def U(self) -> Array:
        """Eigenvectors 1 to q on the examples, shape (len(self), q)."""
        return self.vectors[self.rows, : self.q]

    @property
    def V(self) -> Array:
        """Eigenvectors 2 to q + 1 on the examples, shape (len(self), q)."""
        return self.vectors[self.rows, 1 : self.q + 1]

    def at(self, X: Any) -> "Spectrum":
        """Return the eigenvectors continued to other examples by the extension of Nystrom.

        From ``(d_x - theta) phi(x) = sum_k w(x, x_k) phi(k)``, which holds on the graph, with the nearest examples of x
        and the sum d_x of their weights; the first factor is not below one half of d_x. Of the normalised Laplacian
        ``(1 - theta) phi(x) = sum_k w(x, x_k) / sqrt(d_x d_k) phi(k)``, with factors of one half at least.
        """
        W = self.graph.to(X)
        d = np.asarray(W.sum(axis=1)).ravel()
        d = np.where(d > 0, d, 1.0)[:, None]
        if self.normalised:
            degrees = self.graph.degrees
            roots = np.sqrt(np.where(degrees > 0, degrees, 1.0))
            vectors = (W @ (self.vectors / roots[:, None])) / np.sqrt(d) / np.maximum(1.0 - self.theta, 0.5)
        else:
            vectors = (W @ self.vectors) / np.maximum(d - self.theta, 0.5 * d)
        return replace(self, vectors=vectors, rows=np.arange(len(vectors)))


@dataclass(frozen=True)
class GraphFamily:
    """A choice of a graph; see `graph`."""

    neighbours: int
    mutual: bool
    weights: str
    width: float
    metric: str
    standardise: bool
    normalised: bool
    q: int
    basis: str
    search: str = "exact"
    name: str = "graph"
    members: Sequence[Mapping[str, Any]] = ()
    positive_definite: bool = True

    def __len__(self) -> int:
        return 0

    def fit(self, X: Any, seed: int) -> Spectrum:
        """Return the spectrum of the graph over examples of shape (n, d)."""
        how = self.neighbours, self.mutual, self.weights, self.width, self.metric, self.standardise, self.search
        made = neighbour_graph(X, *how)
        return spectrum_of(made, self.q, self.normalised, self.basis, seed)


def graph(
    neighbours: int = 5,
    mutual: bool = True,
    weights: str = "binary",
    width: float = 1.0,
    metric: str = "euclidean",
    standardise: bool = False,
    normalised: bool = False,
    q: int = 200,
    basis: str = "components",
) -> GraphFamily:
    """Eigenvectors of the Laplacian of a neighbourhood graph over all examples; for methods on graphs.

    Raises `UserError` if a value is not as described.

    Parameters
    ----------
    neighbours, mutual, weights, width, metric, standardise
        See `kernlearn.kernels.families.graph.neighbour_graph`, whose neighbours are searched exactly here.
    normalised : bool
        Whether the Laplacian is ``I - D^{-1/2} W D^{-1/2}`` instead of ``D - W``.
    q : int >= 1
        How many eigenvectors are used.
    basis : {"components", "random"}
        Of the eigenvalue 0: see `kernlearn.kernels.families.spectrum`.
    """
    return GraphFamily(
        Number(low=1, integer=True).check("neighbours", neighbours),
        Flag().check("mutual", mutual),
        Choice(WEIGHTS).check("weights", weights),
        Number(positive=True).check("width", width),
        Choice(METRICS).check("metric", metric),
        Flag().check("standardise", standardise),
        Flag().check("normalised", normalised),
        Number(low=1, integer=True).check("q", q),
        Choice(BASES).check("basis", basis),
    )


def spectrum_of(graph: Graph, q: int, normalised: bool = False, basis: str = "components", seed: int = 0) -> Spectrum:
    """Return the ``q + 1`` smallest eigenvalues of the Laplacian of a graph, of fewer examples all, and eigenvectors.

    Small components are solved as dense matrices, large ones by Lanczos iterations (ARPACK).

    Raises `UserError` if the eigenvectors do not fit into memory, or leave a residual.
    """
    W, n = graph.weights, graph.weights.shape[0]
    m = min(q + 1, n)
    require(3.0 * 8 * n * (m + MORE), f"{m} eigenvectors of {n} examples", "use a smaller kernel.q")
    L, degrees = laplacian(W, normalised), graph.degrees
    g = np.sqrt(np.where(degrees > 0, degrees, 1.0)) if normalised else np.ones(n)
    scale = 2.0 if normalised else 2.0 * max(1.0, float(degrees.max()))
    parts = components(W)
    vectors = contrasts(g, parts, m)
    if basis == "random" and vectors.shape[1] > 1:
        turn, _ = np.linalg.qr(np.random.default_rng(seed).standard_normal((vectors.shape[1] - 1,) * 2))
        vectors[:, 1:] = vectors[:, 1:] @ turn
    theta, left = np.zeros(vectors.shape[1]), m - vectors.shape[1]
    if left:
        pairs = [
            (value, number, rows, v) for number, rows in enumerate(parts) for value, v in _of(L, rows, left, scale)
        ]
        values = np.array([value for value, *_ in pairs])
        order = np.argsort(values, kind="stable")
        level = np.empty(len(order), dtype=np.intp)
        level[order] = np.cumsum(np.diff(values[order], prepend=values[order[0]]) > SAME * scale)
        order = np.lexsort((np.array([number for _, number, *_ in pairs]), level))[:left]  # stable within a component
        theta = np.concatenate([theta, values[order]])
        others = np.zeros((n, left))
        for column, i in enumerate(order):
            others[pairs[i][2], column] = pairs[i][3]
        vectors = np.hstack([vectors, others])
    residual = float(np.sqrt((((L @ vectors) - vectors * theta) ** 2).sum(axis=0)).max())
    if not residual <= RESIDUAL * scale:
        raise UserError(f"the eigenvectors of the graph leave a residual of {residual:.1e}: use a smaller kernel.q")
    return Spectrum(theta, vectors, np.arange(n), min(q, m), len(parts), residual, normalised, graph)


def components(weights: sparse.csr_array) -> list[Index]:
    """Return the examples of every component of a graph, the largest first, of equal ones that of the first example."""
    number, label = connected_components(weights, directed=False)
    sizes = np.bincount(label, minlength=number)
    _, first = np.unique(label, return_index=True)
    order = np.lexsort((first, -sizes))
    members = np.split(np.argsort(label, kind="stable"), np.cumsum(sizes)[:-1])
    return [members[c] for c in order]


def contrasts(g: Array, parts: Sequence[Index], m: int) -> Array:
    """Return g and its contrasts between components, orthonormal, at most m, shape (n, min(m, components))."""
    sizes = np.array([g[rows] @ g[rows] for rows in parts])
    smaller = np.append(np.cumsum(sizes[::-1])[::-1], 0.0)[1:]  # of all components after one
    columns = np.zeros((len(g), min(m, len(parts))))
    columns[:, 0] = g / np.sqrt(sizes.sum())
    behind = np.ones(len(g), dtype=bool)
    for k in range(1, columns.shape[1]):
        rows = parts[k - 1]
        behind[rows] = False
        columns[rows, k] = g[rows] / sizes[k - 1]
        columns[behind, k] = -g[behind] / smaller[k - 1]
        columns[:, k] /= np.sqrt(1.0 / sizes[k - 1] + 1.0 / smaller[k - 1])
    return columns


def _of(L: sparse.csr_array, rows: Index, left: int, scale: float) -> Iterator[tuple[float, Array]]:
    """Yield the smallest eigenvalues above 0 of a component, at most so many, with eigenvectors by the rule."""
    if len(rows) == 1:
        return
    block, wanted = L[rows][:, rows], min(left, len(rows) - 1)
    few = min(wanted + MORE, len(rows) - 1)
    values, vectors = _smallest(block, few + 1, scale)
    values, vectors = values[1:], vectors[:, 1:]  # without the 0
    starts = np.flatnonzero(np.diff(values, prepend=-np.inf) > SAME * scale)
    given = 0
    for a, b in zip(starts, [*starts[1:], len(values)], strict=True):
        for v in _canonical(vectors[:, a:b]):
            if given < wanted:
                yield float(values[a:b].mean()), v
            given += 1


def _smallest(block: sparse.csr_array, number: int, scale: float) -> tuple[Array, Array]:
    """Return the smallest eigenvalues of a symmetric matrix, and their eigenvectors."""
    n = block.shape[0]
    if n <= DENSE:
        values, vectors = eigh(block.toarray(), subset_by_index=(0, number - 1))
        return values, vectors
    from scipy.sparse.linalg import eigsh

    start = np.random.default_rng(0).standard_normal(n)  # ARPACK would draw its own
    shifted = sparse.csr_array(scale * sparse.eye_array(n) - block)
    values, vectors = eigsh(shifted, k=number, which="LA", v0=start, ncv=min(n, 2 * number + 20), tol=1e-11)
    order = np.argsort(-values)
    return scale - values[order], vectors[:, order]


def _canonical(B: Array) -> Iterator[Array]:
    """Yield the basis of the space of the orthonormal columns of B that does not depend on them; see the head."""
    while B.shape[1]:
        norms = np.einsum("ij,ij->i", B, B)
        best = int(np.flatnonzero(norms >= (1.0 - TIE) * norms.max())[0])
        row = B[best] / np.sqrt(norms[best])
        yield B @ row
        B = B @ null_space(row[None]) if B.shape[1] > 1 else B[:, :0]


COUNT = Number(low=1, high=10**6, integer=True)
KERNELS = {
    "graph": KernelChoice(
        graph,
        {
            "neighbours": Parameter(5, COUNT, "the nearest examples of each"),
            "mutual": Parameter(True, Flag(), "joined are two that are near each other; false: one of them is"),
            "weights": Parameter(WEIGHTS[0], Choice(WEIGHTS), "of edges: 1, or exp(-d^2 / (2 s^2))"),
            "width": Parameter(1.0, Number(positive=True), "s, in units of the mean distance of near examples"),
            "metric": Parameter(METRICS[0], Choice(METRICS), "distance of examples"),
            "standardise": Parameter(False, Flag(), "features of mean 0 and deviation 1, over all examples"),
            "normalised": Parameter(False, Flag(), "I - D^-1/2 W D^-1/2 for the Laplacian D - W"),
            "q": Parameter(200, COUNT, "eigenvectors that are used"),
            "basis": Parameter(BASES[0], Choice(BASES), "of the components; random, to see what the rule is worth"),
        },
        "a graph",
    )
}
