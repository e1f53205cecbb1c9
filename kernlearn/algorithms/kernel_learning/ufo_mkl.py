"""UFO-MKL: multiple kernel learning of all classes at once by stochastic subgradients, with its duality gap.

::

    (P)  min_w   lambda/2 ||w||_{2,p}^2 + alpha ||w||_{2,1} + 1/n sum_i c_i xi_i ,       lambda = 1 / (C n) ,
                 xi_i = max_c ( [c != y_i] + f_c(x_i) - f_{y_i}(x_i) ) ,   ||w||_{2,p} = (sum_k |w_k|^p)^(1/p) ,
                 f_c(x) = sum_k w_k.psi_k(x, c) ,   psi_k(x, c) = e_c (x) phi_k(x) / sqrt(t_k)
    (D)  max_A   sum_i A_{i,y_i} - 1/(2 lambda) || (max(0, |theta_k| - alpha))_k ||_q^2 ,
                 theta_k = sum_ic A_ic psi_k(x_i, c) ,   p = 2 log M / (2 log M - 1) ,   q = 2 log M of M kernels
         subject to   A_{i,y_i} <= c_i / n ,   A_ic <= 0 for c != y_i ,   sum_c A_ic = 0

    theta = 0;  for every epoch, for i in a new random order, t = 1, 2, ...:                            (algorithm 1)
        v_k = max(0, |theta_k| - alpha (t - 1)) ,   w_k = v_k (v_k / ||v||_q)^(q-2) theta_k / (lambda (t - 1) |theta_k|)
        r = argmax_c [c != y_i] + f_c(x_i) ;        theta += c_i (psi(x_i, y_i) - psi(x_i, r))

(D) is the Fenchel dual of (P), with the conjugate of both norms at theta; `kernlearn.certificates.multiclass` has it.
After a whole epoch every example was taken as often as any other. So the mean of all subgradients, ``theta / t``, is
that of a feasible A, and the w of the next step is the maximiser of ``<w, theta/t>`` less the two norms: this pair
gives the gap after every epoch. A run ends when the gap is at most `tol`, or after `epochs`; its w is the last one.

The gap falls about as 1 / epochs. With ``finish=exact`` a run that ends above `tol` goes on. By

    lambda/2 ||w||_{2,p}^2 = min_{||d||_{p/(2-p)} <= 1} lambda/2 sum_k |w_k|^2 / d_k ,
    alpha |w_k| = min_e alpha/2 (|w_k|^2 / e + e)

a turn takes the best d and e of the w so far, ``1 / mu_k = lambda (||w||_{2,p} / |w_k|)^(2-p) + alpha / |w_k|``, and
then the best w for them, a multi-class SVM with the kernel ``sum_k mu_k K_k / t_k``. No turn makes (P) larger.

Two classes have ``w_1 = -w_0``: with f = ``f_1 - f_0`` it is the binary problem of lambda / 2 and alpha / sqrt(2). Of
two kernels and of one p and q are 2. alpha = 0.01 and lambda = 1 / (C n) are those of the authors' DOGMA toolbox, whose
kernels are not divided by sizes. Source: Orabona and Luo (2011), used by Cortes, Kloft and Mohri (2013), section 5.
"""

from collections.abc import Iterator, Sequence
from copy import copy
from itertools import product

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from kernlearn.algorithms.core.grid import grid_of
from kernlearn.algorithms.core.method import KERNEL_LEARNING, Method
from kernlearn.algorithms.core.path import Point, rebuilt, with_proof
from kernlearn.algorithms.core.predictor import Expansion
from kernlearn.algorithms.core.prepare import PARAMETERS as PREPARE
from kernlearn.algorithms.core.prepare import prepare
from kernlearn.algorithms.core.problem import Classes, Problem
from kernlearn.algorithms.kernel_learning.multiclass_mkl import MulticlassInner, joint_point
from kernlearn.certificates import group_norm_multiclass, relative_gap, status_of
from kernlearn.certificates.kernel_weights import norm_of
from kernlearn.certificates.multiclass import group_conjugate, group_exponent, group_penalty
from kernlearn.kernels import DenseStack, FeatureStack, KernelStack
from kernlearn.parameters import Choice, Number, Numbers, Parameter
from kernlearn.solvers import Solution
from kernlearn.solvers.core.clock import Clock
from kernlearn.solvers.kernel_weights.group_norms import feature_steps, kernel_steps, weigh
from kernlearn.types import Array, Index

#: Where a run has done as many epochs as are allowed.
CAPPED = "capped"
#: Turns after which `finish=exact` gives up.
MAX_TURNS = 200
#: The least norm of a block to start turns from, and in turns, as a part of the largest: a block of norm 0 stays so.
FLOOR, TINY = 1e-3, 1e-12

PARAMETERS: dict[str, Parameter] = {
    "Cs": Parameter([0.1, 1.0, 10.0, 100.0], Numbers(Number(positive=True)), "weights of the loss, 1/(lambda n)", "C"),
    "alphas": Parameter([0.01], Numbers(Number(low=0)), "weights of the norm that makes kernels few", "alpha"),
    "epochs": Parameter(
        [300], Numbers(Number(low=1, high=10**6, integer=True)), "most passes over the examples", "n_epochs"
    ),
    "finish": Parameter("none", Choice(("none", "exact")), "what goes on where the passes end above the tolerance"),
    **PREPARE,
    "tol": Parameter(1e-2, Number(low=1e-9, high=1.0), "relative duality gap at which a run ends"),
}


class UFO:
    """The method on kernels, which can go on.

    Parameters
    ----------
    stack : KernelStack of shape (p, n, n)
        Matrices or features.
    y : integer array of shape (n,)
        Classes 0, 1, ..., n_classes - 1.
    n_classes : int >= 2
    C : float > 0
    alpha : float >= 0
    sizes : array of shape (p,)
        The t_k.
    weights : array of shape (n,), optional
        The c_i, by default 1.

    Attributes
    ----------
    lambda_, alpha, q : float
    mu, A : arrays of shapes (p,) and (n, n_classes)
        The predictor ``w_k = mu_k theta_k(A)``.
    objective : float
        Its value of (P).
    dual, bound : array of shape (n, n_classes), float
        The feasible A with the largest value of (D) so far, and this value.
    """

    def __init__(
        self,
        stack: KernelStack,
        y: NDArray[np.integer],
        n_classes: int,
        C: float,
        alpha: float,
        sizes: Array,
        weights: Array | None = None,
    ):
        n, p = len(y), len(stack)
        self.stack, self.y, self.sizes = stack, y.astype(np.intp), sizes
        self.lambda_, self.alpha, self.q = 1.0 / (C * n), float(alpha), group_exponent(p)
        self.costs = np.ones(n) if weights is None else weights
        self.zero = float(self.costs.sum()) / n
        self.steps, self.rounds, self.more = 0, 0, 0
        # theta is the sum of all that was subtracted: its A, and its products with the kernels or the features.
        self._A, self._squares = np.zeros((n, n_classes)), np.zeros(p)
        shape = (n_classes, stack.V.shape[1]) if isinstance(stack, FeatureStack) else (p, n_classes, n)
        self._G = np.zeros(shape)
        self.mu, self.A, self.objective = np.zeros(p), self._A.copy(), self.zero
        self.dual, self.bound = self.A, 0.0

    @property
    def gap(self) -> float:
        """The relative gap."""
        return relative_gap(self.objective, self.bound, self.zero)

    def epoch(self, order: Index) -> None:
        """Take every example once, in some order, and compute the gap."""
        penalties, stack, G = (self.lambda_, self.alpha, self.q), self.stack, self._G
        shared = 1.0 / self.sizes, self.y, self.costs, *penalties, order, self.steps, self._A, G, self._squares
        mu = np.zeros(len(stack))
        if isinstance(stack, FeatureStack):
            rows, groups = sparse.csr_array(stack.V, dtype=np.float64), stack.groups
            shift = np.zeros(len(groups)) if stack.shift is None else stack.shift
            self.steps = feature_steps(rows.indptr, rows.indices, rows.data, shift, groups, *shared)
            self._squares = np.bincount(groups, (G**2).sum(axis=0), len(stack)) / self.sizes
            weigh(self._squares / self.steps**2, *penalties, mu)
            W = (mu / self.sizes)[groups] * G
            F = rows @ W.T - W @ shift
        else:
            assert isinstance(stack, DenseStack)
            self.steps = kernel_steps(stack.K, *shared)
            self._squares = np.maximum(np.einsum("ic,kci->k", self._A, G), 0.0) / self.sizes
            weigh(self._squares / self.steps**2, *penalties, mu)
            F = np.tensordot(mu / self.sizes, G, axes=1).T
        self.rounds += 1
        A, norms = self._A / self.steps, np.sqrt(self._squares) / self.steps
        self.add_bound(A, norms)
        self.mu, self.A, self.objective = mu, A, self.value(mu * norms, F / self.steps)

    def value(self, norms: Array, F: Array) -> float:
        """Return (P) of blocks with norms ``|w_k|``, shape (p,), and outputs F, shape (n, n_classes)."""
        own = F[np.arange(len(F)), self.y]
        above = (np.arange(F.shape[1]) != self.y[:, None]) + F - own[:, None]
        return group_penalty(norms, self.lambda_, self.alpha, self.q) + float(self.costs @ above.max(axis=1)) / len(F)

    def add_bound(self, A: Array, norms: Array) -> None:
        """Take note of the value of (D) of a feasible A with the norms ``|theta_k|``, shape (p,)."""
        bound = float(A[np.arange(len(A)), self.y].sum()) - group_conjugate(norms, self.lambda_, self.alpha, self.q)
        if bound > self.bound:
            self.dual, self.bound = A, bound

    def finish(self, tol: float, clock: Clock) -> None:
        """Take turns until the gap is at most `tol`.

        Of every turn a predictor without the kernels of which ``|theta_k| <= alpha`` comes first: they have no weight
        at the optimum.
        """
        p, n = self.q / (self.q - 1.0), len(self.y)
        inner = MulticlassInner(self.stack, self.y, 1.0 / n, self.sizes, tol, self.costs)
        inner.n_classes = self.A.shape[1]
        norms = self.mu * np.sqrt(2.0 * inner.bound(self.A)[1])
        norms = np.maximum(norms, FLOOR * norms.max()) if norms.any() else np.ones(len(norms))
        for _ in range(MAX_TURNS):
            if self.gap <= tol or clock.over:
                return
            norms = np.maximum(norms, TINY * norms.max())
            mu = 1.0 / (self.lambda_ * (norm_of(norms, p) / norms) ** (2.0 - p) + self.alpha / norms)
            response = inner.respond(mu)
            A, theta = response.alpha, np.sqrt(2.0 * response.w)
            self.add_bound(A, theta)
            norms = mu * theta
            for some in (np.where(theta > self.alpha, mu, 0.0), mu):
                objective = self.value(some * theta, self.stack.combine(some / self.sizes) @ A)
                if objective <= self.objective or relative_gap(objective, self.bound, self.zero) <= tol:
                    self.mu, self.A, self.objective = some, A, objective
                if self.gap <= tol:
                    break
            self.rounds, self.more = self.rounds + 1, self.more + response.iterations
            clock.tell(self.gap)
            if not norms.any():
                return

    def solution(self, tol: float, clock: Clock, otherwise: str) -> Solution:
        """Return the predictor and the bound.

        ``x`` are the weights mu of the kernels ``K_k / t_k``, ``dual`` is the A of the bound; ``extras`` have the ``A``
        of the predictor; `iterations` counts steps, `rounds` epochs and turns.
        """
        status = status_of(self.gap, tol, clock.otherwise if clock.over else otherwise)
        points = self.mu, self.objective, self.dual, self.bound, self.zero, status
        return Solution(*points, self.steps + self.more, self.rounds, clock.seconds, extras={"A": self.A})


def solve_path(
    stack: KernelStack,
    problem: Problem,
    C: float,
    alpha: float,
    sizes: Array,
    *,
    epochs: Sequence[int],
    finish: str = "none",
    tol: float = 1e-2,
) -> Iterator[tuple[int, Solution]]:
    """Run the method once, and yield what it has after each of some numbers of epochs; see `UFO.solution`.

    Parameters
    ----------
    stack : KernelStack of shape (p, n, n)
        The kernels of `problem`, centred or not.
    problem : Problem
        Its seed is that of the orders in which examples are taken.
    C, alpha : float
    sizes : array of shape (p,)
    epochs : sequence of int
    finish : {"none", "exact"}
        Whether turns follow where the gap is above `tol`; they change nothing for the epochs that follow.
    tol : float
    """
    assert isinstance(problem.target, Classes)
    clock, rng = Clock(), np.random.default_rng(problem.seed)
    run = UFO(stack, problem.y, problem.target.number, C, alpha, sizes, problem.weights)
    for limit in sorted(epochs):
        while run.rounds < limit and not (run.gap <= tol or clock.over):
            run.epoch(rng.permutation(len(problem.y)))
            clock.tell(run.gap)
        if finish == "none":
            yield limit, run.solution(tol, clock, CAPPED)
            continue
        last = copy(run)
        last.finish(tol, clock)
        yield limit, last.solution(tol, clock, clock.otherwise)


def path(
    problem: Problem,
    *,
    Cs: Sequence[float],
    alphas: Sequence[float],
    epochs: Sequence[int],
    finish: str = "none",
    centre: bool = True,
    normalise: str = "mean_diagonal",
    tol: float = 1e-2,
) -> Iterator[Point]:
    """Run for every C and every alpha, with examples in the same orders, drawn by the seed of the problem."""
    kernels, t = prepare(problem.inputs, centre, normalise)
    for C, alpha in product(sorted(Cs), sorted(alphas)):
        for limit, solution in solve_path(kernels, problem, C, alpha, t, epochs=epochs, finish=finish, tol=tol):
            values = {"C": float(C), "alpha": float(alpha), "epochs": float(limit)}
            point = joint_point(problem, kernels, values, solution.x / t, solution.extras["A"], solution)
            predictor = point.predictor
            assert isinstance(predictor, Expansion)
            proof = group_norm_multiclass(
                *(problem.inputs, problem.y, predictor.coef, predictor.intercept, solution.dual),
                *(1.0 / (C * len(problem.y)), alpha, t),
                centred=centre,
                weights=problem.weights,
            )
            yield with_proof(point, proof, tol)


METHOD = Method(
    "ufo_mkl",
    "multiple kernel learning for all classes at once by stochastic subgradients, with a norm that makes kernels few",
    KERNEL_LEARNING,
    PARAMETERS,
    grid_of({"C": "Cs", "alpha": "alphas", "epochs": "epochs"}, one_kernel=False),
    path,
    weighs=True,
    class_weight=True,
    always_optimal=False,
    targets=("classes",),
    certificate=rebuilt("ufo_mkl"),
)
