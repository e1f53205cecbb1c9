"""Networks of Gaussian units: centres by k-means, centres and widths refined by gradient, output weights by ridge.

::

    f(x) = sum_k w_k g_k(x) ,    g_k(x) = exp(-|x - m_k|^2 / (2 s_k^2))
    E    = 1/2 sum_i c_i (f(x_i) - y_i)^2 + lambda/2 |w|^2 ,    with c_i >= 0 that add up to 1

For given centres m_k and widths s_k, the weights w solve a ridge regression, exactly and with a certificate. E is then
a function of only centres and widths, and its gradient is that of E at these w. It is not convex in them: a few steps
of conjugate gradients decrease it from the start. Source: Raetsch, Onoda and Mueller (2001), Soft margins for AdaBoost,
appendix on RBF nets with adaptive centres.
"""

import warnings
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from kernlearn.certificates.linear import units
from kernlearn.errors import UserError
from kernlearn.kernels.core.products import squared_distances
from kernlearn.memory import require
from kernlearn.solvers.core.solution import Solution, certified
from kernlearn.solvers.stumps_networks.rbf_descent import Fit, descend, error_and_slope
from kernlearn.types import Array

#: Relative gap up to which a closed form counts as exact.
EXACT = 1e-6
#: Rounds of k-means.
ROUNDS = 100
#: The mean square distance from the mean up to which those of any two, and sums over them, do not overflow.
LARGEST = 1e290


@dataclass(frozen=True)
class Units:
    """Gaussian units: centres of shape (M, d), widths of shape (M,)."""

    centres: Array
    widths: Array

    def outputs(self, X: Array) -> Array:
        """Return ``g_k(x_i)``, shape (n, M)."""
        require(3.0 * 8 * len(X) * len(self.widths), f"{len(self.widths)} units", "use fewer")
        return np.exp(-squared_distances(X, self.centres) / (2.0 * self.widths**2))


def start(X: Array, number: int, seed: int) -> Units:
    """Return units at the centres that k-means finds, each as wide as it is far to the next; of one, as the data are.

    There are no more units than different examples.

    Raises `UserError` if squared distances of the examples overflow.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        spread = float(np.mean(squared_distances(X, X.mean(axis=0)[None])))
    if not spread <= LARGEST:
        raise UserError("the squared distances of the examples overflow: scale the features")
    different = np.unique(X, axis=0)
    if number >= len(different):
        centres = different
    else:
        from scipy.cluster.vq import kmeans2

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a cluster that becomes empty keeps its centre
            centres, _ = kmeans2(X, number, iter=ROUNDS, minit="++", seed=np.random.default_rng(seed))
    D = squared_distances(centres, centres)
    apart = np.where(D > 0.0, D, np.inf).min(axis=1)
    return Units(centres, np.sqrt(np.where(np.isfinite(apart), apart, spread or 1.0)))


def solve_weights(G: Array, y: Array, lambda_: float, counts: Array) -> Solution:
    """Return the output weights for outputs G of the units, shape (n, M); see `kernlearn.certificates.linear`."""
    begin = perf_counter()
    w = _ridge(G, y, lambda_, counts)
    f = G @ w
    solution = Solution(w, 0.0, counts * (y - f), 0.0, 0.0, "optimal", 1, 1, perf_counter() - begin)
    return certified(solution, units(G, y, w, f, counts, lambda_), EXACT)


def refine(units: Units, X: Array, y: Array, lambda_: float, counts: Array, iterations: int) -> Units:
    """Return the units after so many steps of conjugate gradients on E, whose weights are those of `solve_weights`.

    Examples X have the shape (n, d), targets y and their counts (n,); of M units centres are (M, d), widths (M,).
    Centres move in units of the mean width, so that the scale of the features does not matter.
    """
    if not iterations:
        return units
    unit = float(units.widths.mean())
    return Units(*descend(_fit(X, y, lambda_, counts), units.centres, units.widths, unit, iterations))


def slope(units: Units, X: Array, y: Array, lambda_: float, counts: Array, unit: float = 1.0) -> tuple[float, Array]:
    """Return E at the best weights, and its gradient in centres, over `unit`, and logarithms of widths, (M, d + 1)."""
    E, gradient = error_and_slope(_fit(X, y, lambda_, counts), units.centres, units.widths, unit)
    return float(E), gradient


def _fit(X: Array, y: Array, lambda_: float, counts: Array) -> Fit:
    return Fit(np.ascontiguousarray(X.T), y.astype(np.float64), counts, float(lambda_))


def _ridge(G: Array, y: Array, lambda_: float, counts: Array) -> Array:
    A = (G * counts[:, None]).T @ G
    A.flat[:: len(A) + 1] += lambda_
    return np.asarray(np.linalg.solve(A, G.T @ (counts * y)), dtype=np.float64)
