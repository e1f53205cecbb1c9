"""Dual points for solutions that come without one, made from the predictor by the conditions of an optimum.

Of a smooth loss the multipliers at an optimum are its slopes. Of a loss with a kink they are 0 on one side of it and
the cost on the other; those at the kink follow from ``f = sum_i beta_i K(x_i, .)`` on the examples there, by least
squares within their bounds. No problem is solved: a predictor that is far from the optimum has a poor point.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from kernlearn.certificates.outputs import Outputs, outputs
from kernlearn.certificates.proofs.examples import is_sparse
from kernlearn.certificates.proofs.problem import Problem, Weights
from kernlearn.types import Array, Index

#: Distances from a kink within which an example is taken to be at it, in units of the largest distance.
DISTANCES = 10.0 ** -np.arange(0.0, 11.0)
#: At most so many examples next to a kink get fitted multipliers: least squares of more take seconds.
FITTED = 300
#: Eigenvalues below this part of the largest are rounding.
RANK = 1e-14


def points(problem: Problem, f: Outputs) -> Iterator[Array]:
    """Yield dual points: that of the solution, and points that are made from the outputs f without the intercept."""
    loss = problem.kind
    if problem.beta is not None:
        yield problem.beta
    if loss.slopes is not None:
        slopes = loss.slopes
        yield _balanced_slopes(problem, f, lambda z: slopes(z, problem.epsilon))[0]
    elif problem.beta is None:
        yield from _at_the_kink(problem, f)


def _balanced_slopes(problem: Problem, f: Outputs, slopes: Callable[[Array], Array]) -> tuple[Array, Array, Array]:
    """Return the slopes of the losses as multipliers, the margins or absolute residuals, and the signs of multipliers.

    They are those for the intercept at which their sum is 0, if there is one that is not penalised.
    """
    from scipy.optimize import brentq

    def multipliers(b: float) -> tuple[Array, Array, Array]:
        shifted = f.plus(b)
        z, residual = problem.excess(shifted), problem.target - (shifted.high + shifted.low)
        side = problem.target if problem.kind.labels else np.sign(residual)
        return side * problem.costs * slopes(z), z, side

    b = problem.intercept
    if problem.bias:
        reach = 2.0 * float(np.abs(f.high).max() + np.abs(problem.target).max() + abs(b) + 1.0)
        ends = [float(multipliers(end)[0].sum()) for end in (-reach, reach)]
        if ends[0] > 0.0 > ends[1]:
            b = float(brentq(lambda b: float(multipliers(b)[0].sum()), -reach, reach, xtol=1e-15, rtol=1e-15))
    return multipliers(b)


def _at_the_kink(problem: Problem, f: Outputs) -> Iterator[Array]:
    """Yield multipliers for several sets of examples that are taken to be at the kink.

    Theirs are fitted, and those of more examples than can be grow with the distance from one end to the other.
    """
    sign = -1.0 if problem.kind.labels else 1.0  # a margin is short below the kink
    kink, last = problem.kind.kink(problem.epsilon), -1
    unit = float(np.abs(problem.excess(f.plus(problem.intercept)) - kink).max(initial=0.0))
    for distance in (unit * DISTANCES).tolist():
        share = partial(_share, kink=kink, sign=sign, distance=distance)
        beta, z, side = _balanced_slopes(problem, f, share)
        free = np.flatnonzero((np.abs(z - kink) <= distance) & (problem.costs > 0.0))
        if len(free) != last:
            last = len(free)
            yield _fitted(problem, f, beta, side, free) if 0 < last <= FITTED else beta


def _share(z: Array, kink: float, sign: float, distance: float) -> Array:
    """Return the parts of the costs that multipliers are, which grow from 0 to 1 around the kink."""
    return np.clip(0.5 + 0.5 * sign * (z - kink) / distance, 0.0, 1.0)


def _fitted(problem: Problem, f: Outputs, beta: Array, side: Array, free: Index) -> Array:
    """Return multipliers with those of some examples fitted to the outputs there, within ``[0, c_i]``."""
    from scipy.optimize import lsq_linear

    fixed = beta.copy()
    fixed[free] = 0.0
    K, wanted = _equations(problem.machine, f, fixed, free)
    eigenvalues, vectors = np.linalg.eigh(side[free, None] * K * side[free])
    used = eigenvalues > RANK * max(eigenvalues[-1], 0.0)
    if not used.any():
        return beta
    roots = np.sqrt(eigenvalues[used])
    costs = problem.costs[free]  # the unknowns are parts of these, so that units make no difference
    A, b = roots[:, None] * vectors[:, used].T * costs, (vectors[:, used].T @ (side[free] * wanted)) / roots
    size = float(np.abs(A).max())
    A, b = A / size, b / size
    if problem.bias:  # the sum of all multipliers is 0
        weight = len(free) / float(costs.max())
        A, b = np.vstack([A, weight * side[free] * costs]), np.append(b, -weight * fixed.sum())
    fitted = lsq_linear(A, b, bounds=(0.0, 1.0), tol=1e-14, max_iter=200).x
    fixed[free] = side[free] * costs * fitted
    return fixed


def _equations(machine: Any, f: Outputs, fixed: Array, free: Index) -> tuple[Array, Array]:
    """Return the kernel matrix of some examples, and what their multipliers are to add to the outputs there.

    Of a linear function with a 1-norm only the features with a weight have an equation.
    """
    if isinstance(machine, Weights):
        used = np.flatnonzero(machine.w) if machine.l1 else np.arange(len(machine.w))
        X, w = machine.X[:, used], machine.w[used]
        rows = X[free]
        products = rows @ rows.T
        K = products.toarray() if is_sparse(products) else products
        return K, rows @ (machine.l2 * w + machine.l1 * np.sign(w) - X.T @ fixed)
    indicators, columns = np.zeros((1, len(fixed))), np.zeros((len(fixed), len(free)))
    indicators[0, free] = 1.0
    for rows, values, _ in machine.inputs.terms(indicators):
        columns[rows] += values
    g = outputs(machine.inputs, fixed[None])
    return columns[free], (f.high + f.low - g.high - g.low)[free]
