"""The linear-chain conditional random field: a probability for every labelling of a sequence.

::

    s(x, y) = sum_t w_{y_t}.phi(x^t) + sum_t T[y_t, y_{t+1}] ,    p(y | x) = exp s(x, y) / Z(x)
    (P)  min_{w,T}  F = 1/2 (|w|^2 + |T|^2) - C sum_i log p(y_i | x_i)
    (D)  max_p      C sum_i H(p_i) - 1/2 |C sum_i (psi(x_i, y_i) - E_{p_i} psi(x_i, y))|^2

psi is the joint feature map of s, p_i any probability of the labellings of x_i, and H their entropy. F is strongly
convex: with its gradient g at any point, ``F - min F <= |g|^2 / 2``. That is also the duality gap of the point's own
probabilities, so ``F - |g|^2 / 2`` is the value of a feasible dual point. Here C is sigma^2 of the source's prior,
and ``1 / (2 c2)`` of CRFsuite's c2.

Solved by L-BFGS with gradients by forward-backward (`kernlearn.solvers.structured.chains`). Source: Lafferty, McCallum
and Pereira (2001), Conditional random fields; as a baseline in Shivaswamy (2010), section 4.5.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from scipy import sparse

from kernlearn.algorithms.core.decoder import Decoder
from kernlearn.algorithms.core.method import Method
from kernlearn.algorithms.core.path import Point
from kernlearn.algorithms.core.problem import Problem
from kernlearn.certificates import Certificate, relative_gap
from kernlearn.certificates.crf import crf
from kernlearn.datasets import Chains
from kernlearn.errors import UserError
from kernlearn.memory import require
from kernlearn.parameters import Number, Numbers, Parameter
from kernlearn.solvers import Solution
from kernlearn.solvers.core.clock import Clock
from kernlearn.solvers.core.solution import certified
from kernlearn.solvers.structured.chains import Marginals, marginals
from kernlearn.threads import one_of_all
from kernlearn.types import Array, Index

#: Unless something else is asked for: the relative gap to reach, and the iterations at one C.
TOL, MAX_ITER = 1e-6, 10_000
#: Pairs of vectors that L-BFGS keeps.
MEMORY = 10
#: Rounds of L-BFGS that begin anew where it stops before the tolerance, for its line search has lost the digits.
RESTARTS = 3

PARAMETERS: dict[str, Parameter] = {
    "Cs": Parameter(
        [1e-2, 1e-1, 1.0, 10.0, 100.0], Numbers(Number(positive=True)), "weights of the log-likelihood", "C"
    ),
    "tol": Parameter(TOL, Number(low=1e-12, high=1.0), "relative duality gap"),
    "max_iter": Parameter(MAX_ITER, Number(low=1, high=10**7, integer=True), "iterations of L-BFGS at one C"),
}


class CRFSolver:
    """Solves (P) for one C after the other, each from the solution before.

    Raises `UserError` if the vectors of L-BFGS do not fit into memory.

    Parameters
    ----------
    chains : Chains
        Of n sequences, with features of all N places, shape (N, D).
    labels : array of shape (N,)
        Numbers from 0 to k - 1.
    k : int
        How many labels there are; some may have no place here.
    tol : float
        Relative gap to reach.
    max_iter : int
        Iterations at one C.
    """

    def __init__(self, chains: Chains, labels: Index, k: int, tol: float = TOL, max_iter: int = MAX_ITER):
        self.chains, self.k, self.tol, self.max_iter = chains, k, tol, max_iter
        N, D = chains.values.shape
        size = D * k + k * k
        require(8.0 * ((2 * MEMORY + 12) * size + 6 * N * k), f"{size} weights", "use fewer features or labels")
        self.X = sparse.csr_array(chains.values)
        self.X_t = sparse.csr_array(self.X.T)
        last = np.zeros(N, dtype=bool)
        last[chains.starts[1:] - 1] = True
        inner = np.flatnonzero(~last)
        observed = sparse.csr_array((np.ones(N), (np.arange(N), labels)), shape=(N, k))
        pairs = np.zeros((k, k))
        np.add.at(pairs, (labels[inner], labels[inner + 1]), 1.0)
        #: sum_i psi(x_i, y_i)
        self.observed = np.concatenate([(self.X_t @ observed).toarray().ravel(), pairs.ravel()])
        self.w = np.zeros(size)

    def parts(self, w: Array) -> tuple[Array, Array]:
        """Return the weights of features, shape (D, k), and of pairs of labels, shape (k, k)."""
        D = self.X.shape[1]
        return w[: D * self.k].reshape(D, self.k), w[D * self.k :].reshape(self.k, self.k)

    def marginals(self, w: Array) -> Marginals:
        """Return sums of logarithms of partition functions and marginal probabilities."""
        weights, transitions = self.parts(w)
        return marginals(self.X @ weights, transitions, self.chains.starts)

    def value(self, w: Array, C: float) -> tuple[float, Array]:
        """Return F and its gradient g."""
        at_w = self.marginals(w)
        expected = _features(self.X_t, at_w)
        objective = 0.5 * float(w @ w) + C * (at_w.log_partition - float(w @ self.observed))
        return objective, w + C * (expected - self.observed)

    def solve(self, C: float) -> Solution:
        """Solve (P).

        Returns
        -------
        Solution
            ``x`` are the weights, those of features before those of pairs; ``dual`` is the vector inside the norm of
            (D), of which the weights are the limit.
        """
        from scipy.optimize import minimize

        clock, w, rounds, iterations = Clock(), self.w, 0, 0
        F, g = self.value(w, C)
        while True:
            bound = _bound(F, g)
            gap = relative_gap(F, bound, 0.0)
            clock.tell(gap)
            if gap <= self.tol or rounds > RESTARTS or iterations >= self.max_iter or clock.over:
                break
            watch = _Watch(lambda w: self.value(w, C), self.tol, clock)
            limits = {"maxiter": self.max_iter - iterations, "maxfun": 4 * self.max_iter}
            options: Any = {"maxcor": MEMORY, "gtol": 0.0, "ftol": 0.0, "maxls": 50, **limits}
            look: Any = watch.look
            with one_of_all():  # products of such vectors gain nothing by threads, and wait for busy cores
                result: Any = minimize(watch, w, jac=True, method="L-BFGS-B", callback=look, options=options)
            w, iterations, rounds = result.x, iterations + int(result.nit), rounds + 1
            F, g = self.value(w, C)
        self.w = w
        status = "capped" if iterations >= self.max_iter else clock.otherwise
        solution = Solution(w, F, w - g, bound, 0.0, status, iterations, rounds, clock.seconds)
        return certified(solution, self._certificate(w, C), self.tol)

    def _certificate(self, w: Array, C: float) -> Certificate:
        at_w, zero = self.marginals(w), self.value(np.zeros_like(w), C)[0]
        parts = self.observed, _features(self.X_t, at_w), _features(abs(self.X_t), at_w), at_w.log_partition
        return crf(w, *parts, C, int(np.diff(self.chains.starts).max()), zero)


def _features(X_t: Any, found: Marginals) -> Array:
    """Return the expectation of psi, for features of shape (D, N)."""
    return np.concatenate([(X_t @ found.places).ravel(), found.pairs.ravel()])


def _bound(F: float, g: Array) -> float:
    """Return the value of the feasible dual point at weights with a value F and a gradient g."""
    return F - 0.5 * float(g @ g)


class _Watch:
    """A function for L-BFGS, which ends it where the gradient proves that the gap is reached, or the time is over."""

    def __init__(self, value: Any, tol: float, clock: Clock):
        self.value, self.tol, self.clock, self.enough = value, tol, clock, False
        self.point, self.gap = np.zeros(0), np.inf

    def __call__(self, w: Array) -> tuple[float, Array]:
        F, g = self.value(w)
        self.point, self.gap = w.copy(), relative_gap(F, _bound(F, g), 0.0)
        # The same as of the gap but for rounding: F - (F - |g|^2 / 2) has lost digits where |g|^2 is small.
        self.enough = 0.5 * float(g @ g) <= self.tol * abs(F)
        return F, g

    def look(self, w: Array) -> None:
        self.clock.tell(self.gap)
        if self.clock.over or (self.enough and np.array_equal(w, self.point)):
            raise StopIteration


def grid(family: Any, Cs: Sequence[float], **_: Any) -> list[dict[str, float]]:
    """Return all C, the strongest regularisation first.

    Raises `UserError` if the features are those of a kernel.
    """
    if family.degree > 1:
        raise UserError(
            f"kernel.degree={family.degree}: algo=crf has a weight for every feature; use 1, or algo=struct_svm"
        )
    return [{"C": float(C)} for C in sorted(Cs)]


def path(problem: Problem, *, Cs: Sequence[float], tol: float, max_iter: int) -> Iterator[Point]:
    """Solve (P) for every C, the smallest first, each from the solution before."""
    inputs: Any = problem.inputs
    target: Any = problem.target
    solver = CRFSolver(inputs.chains, problem.y, target.number, tol, max_iter)
    for C in sorted(Cs):
        solution = solver.solve(float(C))
        yield Point({"C": float(C)}, Decoder(*solver.parts(solution.x)), (solution,))


METHOD = Method(
    "crf",
    "linear-chain conditional random field: a label for every position of a sequence",
    "convex programs",
    PARAMETERS,
    grid,
    path,
    targets=("sequences",),
    inputs="chains",
)
