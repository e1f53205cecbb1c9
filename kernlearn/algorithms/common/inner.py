"""The predictors behind combined kernels as inner problems of `solvers.kernel_weights.weights`: an SVM, or ridge.

Both are ``max_alpha c(alpha) - mu.w(alpha)`` with ``w_k`` proportional to the squared norm of block k. The weights mu
here are those of the kernels divided by their sizes: ``K_mu = sum_k mu_k K_k / t_k``.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from kernlearn.algorithms.common.ridge import certify_krr, ridge_of, weighted
from kernlearn.algorithms.core.grams import combined_svm
from kernlearn.kernels import FeatureStack, KernelStack
from kernlearn.kernels.matrices.blocks import BlockStack
from kernlearn.kernels.matrices.rows import FunctionRows
from kernlearn.solvers import AT_BOUND, KernelGram, Response, SMOSolver, SVMSolver, definite_inverse
from kernlearn.solvers.core.clock import subprogram
from kernlearn.solvers.core.duplicates import first_equal
from kernlearn.solvers.svm.values import Evaluator, added_up, zero_value
from kernlearn.types import Array

#: What the inner solution is more exact than what is built on it.
INNER = 0.1
#: Part of the mean diagonal of K that is added to it for the curvature, where free examples depend on each other.
JITTER = 1e-10


def squares(stack: KernelStack, a: Array) -> Array:
    """Return ``a' K_k a`` for every k, shape (p,): squared norms, which only rounding makes negative."""
    return np.maximum(stack.quadratic(a), 0.0)


def equal_examples(stack: KernelStack, mu: Array, y: Array) -> NDArray[np.intp]:
    """Return for every example the first that equals it in every kernel with a weight > 0, shape (n,).

    Features need no matrix of n x n for that: their K_mu is multiplied by way of their weights.
    """
    if isinstance(stack, FeatureStack):
        random = np.random.default_rng(0).standard_normal((2, len(y)))
        expansions = [stack.expansion(mu, a) for a in random]
        product = np.stack([stack.expand(w) + constant for w, constant in expansions], axis=1)
        return first_equal(product / ((stack.largest_given(mu) or 1.0) * np.sqrt(len(y))))
    if isinstance(stack, BlockStack):
        return Evaluator(KernelGram(FunctionRows(stack.family.base, stack.X)), y).first
    return Evaluator(stack.combine(mu), y).first


class SVMInner:
    """``J(mu) = max_alpha sum alpha - 1/2 (alpha o y)' K_mu (alpha o y)``, ``0 <= alpha <= C``, ``alpha.y = 0``.

    Every solution starts from the one before.

    Parameters
    ----------
    stack : KernelStack of shape (p, n, n)
    y : array of shape (n,)
        Labels +-1, both of them.
    C : float > 0
    sizes : array of shape (p,)
        The t_k.
    tol : float
        Relative gap of the problem around this one.
    weights : array of shape (n,), optional
        Factors > 0 of C for every example.
    """

    def __init__(self, stack: KernelStack, y: Array, C: float, sizes: Array, tol: float, weights: Array | None = None):
        self.stack, self.y, self.C, self.sizes, self.tol = stack, y, float(C), sizes, INNER * tol
        self.weights = np.ones(len(y)) if weights is None else weights
        self.alpha: Array | None = None
        self._solver: SVMSolver | SMOSolver | None = None
        self._first = equal_examples(stack, 1.0 / sizes, y)

    def move_to(self, C: float) -> None:
        """Go on with another C; examples at their bound stay there."""
        if self.alpha is not None:
            self.alpha = np.minimum(self.alpha * (C / self.C), C * self.weights)
        self.C = float(C)

    @property
    def zero(self) -> float:
        """Value of f = 0 with the better of two biases."""
        return zero_value(self.y, self.C, self.weights)

    @subprogram()
    def respond(self, mu: Array) -> Response:
        """Solve the SVM with K_mu."""
        self._solver = None  # which keeps the K before: two would not fit
        self._solver = combined_svm(self.stack, mu / self.sizes, self.y, self.tol, self.alpha, self.weights)
        solution = self._solver.solve(self.C)
        self.alpha = solution.dual
        constant, w = self.bound(solution.dual)
        predictor = solution.x, solution.intercept
        return Response(solution.objective, constant, w, solution.dual, *predictor, max(1, solution.iterations))

    def bound(self, alpha: Array) -> tuple[float, Array]:
        """Return ``c = sum alpha`` and ``w_k = 1/2 (alpha o y)' K_k (alpha o y) / t_k``."""
        return float(alpha.sum()), 0.5 * squares(self.stack, added_up(alpha * self.y, self._first)) / self.sizes

    def curvature(self, mu: Array, response: Response, some: NDArray[np.intp]) -> Array:
        """Return ``G' P G``, ``G_k = (K_k beta / t_k)_F`` on the free examples F, P the derivative of beta_F.

        P is ``K_FF^-1`` on the vectors that keep the sum of beta.
        """
        beta = added_up(response.alpha * self.y, self._first)
        if isinstance(self._solver, SMOSolver):
            free, solve = self._solver.free_system()
            G = self._images(beta, some, free).T / self.sizes[some]
            H = G.T @ np.array([solve(column) for column in G.T]).T
            return 0.5 * (H + H.T)
        free = np.flatnonzero((response.alpha > 0) & (response.alpha < (1.0 - AT_BOUND) * self.C * self.weights))
        if not len(free):
            return np.zeros((len(some), len(some)))
        G = self._images(beta, some, free).T / self.sizes[some]
        K = self.stack.combine(mu / self.sizes)[np.ix_(free, free)]
        # With a multiple of 11' added, P stays the same and the matrix is positive definite where P is defined.
        shift = float(np.trace(K)) / len(K) or 1.0
        K += shift
        K.flat[:: len(K) + 1] += JITTER * shift
        PG = definite_inverse(K, JITTER * shift)(np.column_stack([G, np.ones(len(free))]))
        ones = PG[:, -1]
        PG = PG[:, :-1] - np.outer(ones, ones @ G) / ones.sum()
        return G.T @ PG

    def _images(self, beta: Array, some: NDArray[np.intp], rows: NDArray[np.intp]) -> Array:
        """Return ``K_k beta`` for some k on some examples, shape (len(some), len(rows))."""
        if isinstance(self.stack, BlockStack):
            return self.stack.images(beta, some, rows)
        return self.stack.images(beta, some)[:, rows]


class RidgeInner:
    """``J(mu) = max_alpha -lambda |alpha|^2 - alpha' K_mu alpha + 2 alpha.y = y' (K_mu + lambda I)^-1 y`` (2.9).

    Parameters
    ----------
    stack : KernelStack of shape (p, n, n)
    y : array of shape (n,)
    lambda_ : float > 0
    sizes : array of shape (p,)
        The t_k.
    """

    def __init__(self, stack: KernelStack, y: Array, lambda_: float, sizes: Array):
        self.stack, self.y, self.lambda_, self.sizes = stack, y, float(lambda_), sizes
        self._inverse: Callable[[Array], Array] | None = None

    @property
    def zero(self) -> float:
        """Value of f = 0."""
        return float(self.y @ self.y) / self.lambda_

    @subprogram()
    def respond(self, mu: Array) -> Response:
        """Solve ridge regression with K_mu."""
        self._inverse = None  # which keeps the K before: two would not fit
        K = weighted(self.stack, mu / self.sizes)
        alpha, self._inverse = ridge_of(self.stack)(K, self.y, self.lambda_)
        objective = certify_krr(K, self.y, self.lambda_, alpha).objective
        return Response(objective, *self.bound(alpha), alpha, alpha, 0.0, 1)

    def bound(self, alpha: Array) -> tuple[float, Array]:
        """Return ``c = 2 alpha.y - lambda |alpha|^2`` and ``w_k = alpha' K_k alpha / t_k``."""
        return float(2.0 * alpha @ self.y - self.lambda_ * alpha @ alpha), squares(self.stack, alpha) / self.sizes

    def curvature(self, mu: Array, response: Response, some: NDArray[np.intp]) -> Array:
        """Return ``2 G' (K_mu + lambda I)^-1 G``, ``G_k = K_k alpha / t_k``, for the mu solved last."""
        G = self.stack.images(response.alpha, some).T / self.sizes[some]
        assert self._inverse is not None
        return 2.0 * G.T @ self._inverse(G)
