"""Label propagation and label spreading on the graph: the exact limits of scikit-learn's iterations.

::

    propagation   min_F  1/2 tr F'LF    subject to F = Y on labelled examples                (Zhu and Ghahramani 2002)
    spreading     min_F  1/2 tr F'(I - alpha S)F - (1 - alpha) tr Y'F ,  S = D^{-1/2} W D^{-1/2}     (Zhou et al. 2004)

Y and F have one column for each of the two classes. The class with the larger F is predicted, or the first class for
examples that no label reaches. Both problems are one sparse system of linear equations. `kernlearn.certificates.graphs`
bounds the rounding error of its solution.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from time import perf_counter
from typing import Any

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import splu

from kernlearn.algorithms.core.grid import grid_of
from kernlearn.algorithms.core.method import Method
from kernlearn.algorithms.core.path import Point
from kernlearn.algorithms.core.predictor import Values
from kernlearn.algorithms.core.problem import Problem
from kernlearn.algorithms.core.rounding import Evaluation, error_of_sums, without_noise
from kernlearn.algorithms.transduction.spectral import INPUTS, TOL, labelled_block
from kernlearn.certificates import Certificate
from kernlearn.certificates.graphs import propagation, spreading
from kernlearn.kernels.families.graph import Graph, laplacian
from kernlearn.parameters import Number, Numbers, Parameter
from kernlearn.solvers import Solution
from kernlearn.solvers.core.solution import certified
from kernlearn.types import Array

ALPHAS = Parameter(
    [0.2, 0.5, 0.9, 0.99],
    Numbers(Number(positive=True, high=0.9999)),
    "shares of a value that come from the neighbours",
    "alpha",
)


def propagate(weights: sparse.csr_array, Y: Array, tol: float = 1e-6) -> Solution:
    """Return the harmonic function: on every example without a label the weighted mean of its neighbours.

    Parameters
    ----------
    weights : csr_array of shape (n, n)
        Of the graph.
    Y : array of shape (n, 2)
        Indicators of the classes, rows of zeros without a label.

    Returns
    -------
    Solution
        ``x`` is F, shape (n, 2); rows of zeros on components without a label.
    """
    start, L, labelled = perf_counter(), laplacian(weights), np.asarray((Y != 0).any(axis=1))
    number, component = connected_components(weights, directed=False)
    classes = np.array([np.bincount(component, column, number) > 0 for column in Y.T])[:, component]
    mixed = classes[0] & classes[1]  # where all labels of a component agree F is constant, and costs nothing
    F = np.where(mixed, Y.T, classes).T.astype(np.float64)
    free = np.flatnonzero(mixed & ~labelled)
    if len(free):
        part = L[free]
        F[free] = splu(sparse.csc_array(part[:, free])).solve(-(part @ F)).clip(0.0, 1.0)
    return _solution(F, propagation(weights, Y, F), tol, start)


def spread(graph: Graph, Y: Array, alpha: float, tol: float = 1e-6) -> Solution:
    """Return F with ``F = alpha S F + (1 - alpha) Y``; what else it takes and returns is that of `propagate`."""
    start = perf_counter()
    A, factor = _factored(graph, alpha)
    F = factor.solve((1.0 - alpha) * Y)
    return _solution(F, spreading(A, Y, F, alpha), tol, start)


@lru_cache(maxsize=4)  # the same for all splits of a data set
def _factored(graph: Graph, alpha: float) -> tuple[sparse.csc_array, Any]:
    """Return ``I - alpha S`` and its factors; S is I less the normalised Laplacian, and 0 where there is no edge."""
    alone, unit = graph.degrees == 0, sparse.eye_array(graph.weights.shape[0])
    S = unit - laplacian(graph.weights, normalised=True) - sparse.diags_array(alone.astype(np.float64))
    A = sparse.csc_array(unit - alpha * S)
    return A, splu(A)


def propagation_path(problem: Problem, *, tol: float = 1e-6) -> Iterator[Point]:
    """Propagate the labels."""
    graph, Y = _graph(problem)
    yield _point({}, propagate(graph.weights, Y, tol))


def at_others(graph: Graph, values: Array, X: Any) -> Array:
    """Return the values of a function on a graph at other examples, where they are the means of those of neighbours.

    Parameters
    ----------
    graph : Graph
        Of n examples.
    values : array of shape (n_outputs, n)
    X : array or sparse matrix of shape (m, d)

    Returns
    -------
    array of shape (n_outputs, m)
        See `kernlearn.algorithms.core.rounding`.
    """
    W = graph.to(X)
    totals = np.maximum(np.asarray(W.sum(axis=1)).reshape(-1, 1), 1e-300)
    means, sizes = ((W @ some.T / totals).T for some in (values, np.abs(values)))
    bounds = error_of_sums(sizes, W.shape[1])
    return without_noise(Evaluation(means, bounds.max(axis=1, initial=0.0), lambda rows: bounds[:, rows]))


def spreading_path(problem: Problem, *, alphas: Sequence[float], tol: float = 1e-6) -> Iterator[Point]:
    """Spread the labels with every alpha."""
    graph, Y = _graph(problem)
    for alpha in map(float, sorted(alphas)):
        yield _point({"alpha": alpha}, spread(graph, Y, alpha, tol))


def _graph(problem: Problem) -> tuple[Graph, Array]:
    """Return the graph and the indicators of labels."""
    _, y = labelled_block(problem)
    graph: Graph = problem.inputs.graph
    rows = problem.inputs.rows if problem.labelled is None else problem.inputs.rows[problem.labelled]
    Y = np.zeros((graph.weights.shape[0], 2))
    Y[rows] = np.column_stack([y < 0, y > 0])
    return graph, Y


def _solution(F: Array, certificate: Certificate, tol: float, start: float) -> Solution:
    return certified(Solution(F, 0.0, F, 0.0, 0.0, "optimal", 1, 1, perf_counter() - start), certificate, tol)


def _point(values: dict[str, float], solution: Solution) -> Point:
    return Point(
        values,
        Values((solution.x[:, 1] - solution.x[:, 0])[None], float(np.abs(solution.x).sum(axis=1).max())),
        (solution,),
    )


METHODS = (
    Method(
        "label_propagation",
        "label propagation on a graph: every node without a label gets the mean of its neighbours' values",
        "linear systems",
        {"tol": TOL},
        grid_of({}, one_kernel=False, positive_definite=False),
        propagation_path,
        sees_all=True,
        inputs=INPUTS,
        version=2,
    ),
    Method(
        "label_spreading",
        "label spreading on a graph; the given labels may change, too",
        "linear systems",
        {"alphas": ALPHAS, "tol": TOL},
        grid_of({"alpha": "alphas"}, one_kernel=False, positive_definite=False),
        spreading_path,
        sees_all=True,
        inputs=INPUTS,
    ),
)
