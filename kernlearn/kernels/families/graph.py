"""Neighbourhood graphs over examples, and their Laplacians."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from kernlearn.errors import UserError
from kernlearn.kernels.core.off_origin import is_off_origin
from kernlearn.kernels.families.neighbours import Near, Search, dense, make_search
from kernlearn.memory import require
from kernlearn.types import Array

#: What a graph is made with: how near two examples are, and how much an edge counts.
METRICS, WEIGHTS = ("euclidean", "cosine"), ("binary", "heat")
#: Between these, squares of features and their sums are numbers.
SMALLEST, LARGEST = 1e-140, 1e140


@dataclass(frozen=True, eq=False)  # compared and hashed as the object that it is
class Graph:
    """The symmetric weights of the edges between n examples, and what edges to further examples are made with."""

    #: Shape (n, n); the diagonal is zero.
    weights: sparse.csr_array
    #: For the neighbours of an example.
    search: Search
    #: "binary" or "heat".
    kind: str
    #: The distance s of ``exp(-d^2 / (2 s^2))``.
    width: float
    #: Shape (d,). Mean and deviation of the features, where these were standardised; with deviations of 1, where they
    #: are far from the origin.
    standard: tuple[Array, Array] | None = None

    @property
    def degrees(self) -> Array:
        """The sums of the weights of every example, shape (n,)."""
        return np.asarray(self.weights.sum(axis=1), dtype=np.float64).ravel()

    def to(self, X: Any) -> sparse.csr_array:
        """Return the weights between other examples and their nearest of these, shape (len(X), n)."""
        X = _standardised(X, self.standard) if self.standard else X
        near = self.search.near(X)
        return _edges(near, _weigh(near.distances, self.kind, self.width), (X.shape[0], self.weights.shape[0]))


def neighbour_graph(
    X: Any,
    neighbours: int = 5,
    mutual: bool = True,
    weights: str = "binary",
    width: float = 1.0,
    metric: str = "euclidean",
    standardise: bool = False,
    search: str = "exact",
) -> Graph:
    """Join every example to its nearest ones.

    Raises `UserError` if there are no features, they are so large or so small that squares of distances are no numbers,
    dense ones do not fit into memory, or no edge has a weight above 0.

    Parameters
    ----------
    X : array or sparse matrix of shape (n, d)
    neighbours : int >= 1
        How many are near, and with them all that are as near as the last of these; of fewer other examples all are.
    mutual : bool
        Whether two examples are joined where each is near the other, otherwise where one is.
    weights : {"binary", "heat"}
        1 for every edge, or ``exp(-d^2 / (2 s^2))`` of its length d.
    width : float > 0
        The s of heat weights, in units of the mean distance of an example to its near ones.
    metric : {"euclidean", "cosine"}
        The cosine distance is 1 less the cosine; scikit-learn takes that of an example of zeros as 1.
    standardise : bool
        Whether all features are given mean 0 and deviation 1 before; constant ones become 0, and sparse ones dense.
    search : {"exact", "approximate"}
        See `kernlearn.kernels.families.neighbours`; approximate is for very many examples, and leaves out ties.
    """
    if not X.shape[1]:
        raise UserError("kernel=graph: the examples have no features")
    largest = float(abs(X).max())
    if largest and not SMALLEST < largest < LARGEST:
        raise UserError(
            f"kernel=graph: the largest feature is {largest:.1e}, which cannot be squared; scale the features"
        )
    n, standard = X.shape[0], None
    if standardise:
        require(3.0 * 8 * n * X.shape[1], f"{n} x {X.shape[1]} features that are standardised", "use fewer examples")
        X = dense(X)
        deviation = np.where(np.ptp(X, axis=0) > 0, X.std(axis=0), 0.0)
        standard = X.mean(axis=0), np.where(deviation > 0, deviation, 1.0)
        X = _standardised(X, standard)
    elif metric == "euclidean" and not sparse.issparse(X):
        moved = X - (mean := X.mean(axis=0))
        if is_off_origin(mean, moved):  # squares of distances are from inner products, which have lost them
            X, standard = moved, (mean, np.ones(X.shape[1]))
    search_tree = make_search(search, X, metric, neighbours)
    near = search_tree.near()
    length = width * (float(near.distances.mean()) if near.distances.size else 1.0)
    W = _edges(near, values := _weigh(near.distances, weights, length), (n, n))
    if values.size and not values.any():
        raise UserError(f"kernel.width={width}: every edge has the weight 0; give a larger width")
    W = W.minimum(W.T) if mutual else W.maximum(W.T)
    return Graph(sparse.csr_array(W), search_tree, weights, length, standard)


def laplacian(weights: sparse.csr_array, normalised: bool = False) -> sparse.csr_array:
    """Return ``D - W``, or ``I - D^{-1/2} W D^{-1/2}`` with a row of zeros for an example without edges."""
    degrees = np.asarray(weights.sum(axis=1)).ravel()
    if not normalised:
        return sparse.csr_array(sparse.diags_array(degrees) - weights)
    roots = sparse.diags_array(1.0 / np.sqrt(np.where(degrees > 0, degrees, 1.0)))
    return sparse.csr_array(sparse.diags_array((degrees > 0).astype(np.float64)) - roots @ weights @ roots)


def _standardised(X: Any, standard: tuple[Array, Array]) -> Array:
    return (dense(X) - standard[0]) / standard[1]


def _weigh(distances: Array, kind: str, width: float) -> Array:
    if kind == "binary" or not width:  # all examples are equal
        return np.ones_like(distances)
    with np.errstate(over="ignore"):  # then the weight is 0
        return np.asarray(np.exp(-0.5 * (distances / width) ** 2))


def _edges(near: Near, values: Array, shape: tuple[int, int]) -> sparse.csr_array:
    return sparse.csr_array((values, (near.rows, near.columns)), shape=shape)
