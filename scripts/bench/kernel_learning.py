"""Time the methods of kernel learning against peers, on the same problems and to the same precision.

One thread, in one process a problem. Reported are the CPU seconds of a second run (the first loads and compiles), or of
the first where that took more than ten; the ratio to the first line; and the relative distance of the value reached
from the best of the table, recomputed from the weights.

    pip install -e .[bench]
    python scripts/bench/kernel_learning.py --problem l1_mkl --kernels 7
    python scripts/bench/kernel_learning.py --problem alignf --kernels 50
    python scripts/bench/kernel_learning.py --problem nnls --kernels 2000
    python scripts/bench/kernel_learning.py --problem l2_krr --kernels 4000
    python scripts/bench/kernel_learning.py --problem ridge --kernels 10
    python scripts/bench/kernel_learning.py --problem rank1_mkl --kernels 4000
    python scripts/bench/kernel_learning.py --problem rank1_krr --kernels 4000

l1_mkl   Gaussian kernels on ionosphere (n = 351), C = 1, gap 1e-5: cutting planes (silp), Newton's method, and Clarabel
         on the conic form (one second-order cone a kernel)
alignf   Gaussian kernels on spambase (600 examples): ours, and CKA of MKLpy, which has no bound mu >= 0
nnls     alignf of rank-1 kernels of 2000 documents, the matrices M and a given: ours, and scipy.optimize.nnls
l2_krr   LKRR on rank-1 kernels of 1000 documents: with the best step, and with the printed interpolation; peak memory
ridge    ridge regression with given weights on 600 examples: ours, and himalaya
rank1_mkl, rank1_krr
         weights of bounded l1 norm of rank-1 kernels of 1000 documents, eight C, lambda = 100: ours, in the features;
         Clarabel on the quadratic program in the features; and for ridge regression scikit-learn's Lasso, told the
         penalty that the solution has
"""

import argparse
from collections.abc import Callable
from importlib import import_module
from typing import Any

import one_thread  # noqa: F401  (before numpy is loaded)

# isort: split
import numpy as np
import scipy.sparse as sp
from common import cpu
from scipy.optimize import nnls
from sklearn.linear_model import Lasso

from kernlearn.algorithms.common.inner import SVMInner
from kernlearn.algorithms.common.ridge import solve_krr
from kernlearn.algorithms.kernel_learning.alignf import solve_alignf
from kernlearn.algorithms.kernel_learning.lp_mkl import solve_mkl
from kernlearn.algorithms.ridge.l2_krr import solve_l2_krr
from kernlearn.datasets import load
from kernlearn.kernels import SCALINGS, DenseStack, FeatureStack, GramStack, alignments, make_family, sizes
from kernlearn.kernels.matrices.centring import alignment
from kernlearn.kernels.matrices.columns import FeatureColumns
from kernlearn.memory import MB, peak
from kernlearn.solvers import SquaredL1Solver, SVMSolver, solve_nnqp, solve_squared_l1_ridge

Array = np.ndarray
#: What runs a method, by its name; it returns what the value of the problem is measured at.
Methods = dict[str, Callable[[], Any]]


def peer(module: str) -> Any:
    """Import a peer or leave with one line that says how to get it."""
    try:
        return import_module(module)
    except ImportError as error:
        raise SystemExit(f"{module} cannot be imported ({error}): pip install -e .[bench]") from error


def gaussian_kernels(dataset: str, n: int, p: int) -> tuple[GramStack, Array]:
    """Return p Gaussian kernels of n examples, and labels +-1."""
    data = load(dataset)
    chosen = np.random.default_rng(0).permutation(len(data.y))[:n]
    (X,) = SCALINGS["standard"](data.X[chosen])
    gammas = 2.0 ** np.linspace(-9, -3, p)
    return GramStack.train(make_family("gaussian", gammas=gammas), X), np.where(data.y[chosen] == 1, 1.0, -1.0)


def documents(n: int, p: int) -> tuple[sp.csr_array, Array]:
    """Return counts of p words in n documents, rare ones as frequent as by Zipf's law, and ratings."""
    rng = np.random.default_rng(0)
    frequency = 1.0 / np.arange(1, p + 1) ** 0.7
    counts = rng.poisson(60.0 * frequency / frequency.sum(), (n, p)).astype(float)
    ratings = counts @ np.where(rng.random(p) < 0.1, rng.normal(size=p), 0.0) + rng.normal(size=n)
    return sp.csr_array(counts), (ratings - ratings.mean()) / ratings.std()


def l1_mkl(p: int) -> tuple[Methods, Callable[[Any], float]]:
    """Multiple kernel learning; the value of weights is that of the SVM with them."""
    gram, y = gaussian_kernels("ionosphere", 351, p)
    stack = DenseStack.of(gram).centred()
    t, C, tol = sizes(stack, "mean_diagonal"), 1.0, 1e-5

    def ours(method: str) -> Array:
        solution = solve_mkl(SVMInner(stack, y, C, t, tol), method=method, tol=tol)
        assert solution.gap <= tol
        return solution.x

    def value(mu: Array) -> float:
        return SVMSolver(stack.combine(mu / t), y, 1e-9).solve(C).objective

    methods: Methods = {"silp": lambda: ours("silp"), "newton": lambda: ours("newton")}
    return methods | {"clarabel": lambda: conic_mkl(stack.K / t[:, None, None], y, C, tol)}, value


def conic_mkl(K: Array, y: Array, C: float, tol: float) -> Array:
    """Solve ``min t / 2 - sum alpha : |R_k (alpha o y)|^2 <= t, alpha.y = 0, 0 <= alpha <= C``, ``K_k = R_k' R_k``."""
    clarabel = peer("clarabel")
    p, n, _ = K.shape
    rows, b, cones = [sp.csr_array(np.append(y, 0.0)[None])], [np.zeros(1)], [clarabel.ZeroConeT(1)]
    identity = sp.hstack([sp.eye_array(n), sp.csr_array((n, 1))])
    rows += [-identity, identity]
    b += [np.zeros(n), np.full(n, C)]
    cones.append(clarabel.NonnegativeConeT(2 * n))
    for matrix in K:
        values, vectors = np.linalg.eigh(matrix)
        kept = values > 1e-10 * values[-1]
        R = (vectors[:, kept] * np.sqrt(values[kept])).T * y
        edge = np.append(np.zeros(n), 1.0)  # (t + 1, t - 1, 2 R beta) is in the cone
        rows.append(sp.csr_array(np.vstack([-edge, -edge, np.hstack([-2.0 * R, np.zeros((len(R), 1))])])))
        b.append(np.concatenate([[1.0, -1.0], np.zeros(len(R))]))
        cones.append(clarabel.SecondOrderConeT(len(R) + 2))
    settings = clarabel.DefaultSettings()
    settings.verbose, settings.max_threads = False, 1
    settings.tol_gap_abs, settings.tol_gap_rel, settings.tol_feas = 0.0, tol, 1e-8
    A, q = sp.csc_matrix(sp.vstack(rows)), np.append(-np.ones(n), 0.5)
    result = clarabel.DefaultSolver(sp.csc_matrix((n + 1, n + 1)), q, A, np.concatenate(b), cones, settings).solve()
    # The weights are the multipliers of the cones: the first two entries of each belong to t.
    z, places = np.array(result.z), np.cumsum([1 + 2 * n, *(len(c) for c in b[3:])])
    mu = np.maximum([z[i] + z[i + 1] for i in places[:-1]], 0.0)
    return mu / mu.sum()


def alignf(p: int) -> tuple[Methods, Callable[[Any], float]]:
    """Best aligned combination; the value of weights is minus their alignment, infinite if one is negative."""
    gram, y = gaussian_kernels("spambase", 600, p)
    stack = DenseStack.of(gram)

    def cka() -> Array:
        torch = peer("torch")
        algorithms = peer("MKLpy.algorithms")
        torch.set_num_threads(1)
        learner = algorithms.CKA()
        learner.KL, learner.Y, learner.n_kernels = [torch.tensor(K) for K in stack.K], torch.tensor(y), p
        return learner._combine_kernels().weights.numpy()

    def value(mu: Array) -> float:
        print(f"    least weight {mu.min():.2g}, alignment {alignment(stack.combine(mu), np.outer(y, y)):.6f}")
        return -alignment(stack.combine(mu), np.outer(y, y))

    return {"alignf": lambda: solve_alignf(stack, y).x, "MKLpy CKA": cka}, value


def nnls_problem(p: int) -> tuple[Methods, Callable[[Any], float]]:
    """Return (3.11) for rank-1 kernels, its matrix given."""
    counts, y = documents(2000, p)
    stack = FeatureStack(counts).centred()
    norms = stack.norms()
    M, a = stack.products() / norms[:, None] / norms, alignments(stack, y)

    def scipy() -> Array:
        L = np.linalg.cholesky(M + 1e-12 * np.eye(p))
        return nnls(L.T, np.linalg.solve(L, a / a.max()), maxiter=100 * p)[0]

    return {"nnqp": lambda: solve_nnqp(M, a).x, "scipy nnls": scipy}, lambda x: -float(a @ x / np.sqrt(x @ M @ x))


def l2_krr(p: int) -> tuple[Methods, Callable[[Any], float]]:
    """LKRR; the value of weights is that of ridge regression with them."""
    counts, y = documents(1000, p)
    stack = FeatureStack(counts).centred()
    t = sizes(stack, "trace")

    def ours(eta: float | None) -> Array:
        solution = solve_l2_krr(stack, y, 0.1, sizes=t, eta=eta)
        print(f"    eta={eta}: {solution.iterations} iterations, gap {solution.gap:.1e}")
        return solution.x

    def value(mu: Array) -> float:
        return solve_krr(stack.combine(mu / t), y, 0.1).objective

    return {"best step": lambda: ours(None), "eta = 0.5": lambda: ours(0.5)}, value


def ridge(p: int) -> tuple[Methods, Callable[[Any], float]]:
    """Ridge regression with the mean of p kernels; the value is that of (2.8)."""
    gram, y = gaussian_kernels("spambase", 600, p)
    stack, mu = DenseStack.of(gram), np.full(p, 1.0 / p)
    K = stack.combine(mu)

    def himalaya() -> Array:
        solve = peer("himalaya.kernel_ridge").solve_weighted_kernel_ridge_conjugate_gradient
        return solve(stack.K, y[:, None], np.log(mu)[:, None], alpha=1.0, tol=1e-6, max_iter=10_000)[:, 0]

    def value(alpha: Array) -> float:
        f = K @ alpha
        return float(alpha @ f + (y - f) @ (y - f))

    return {"cholesky": lambda: solve_krr(stack.combine(mu), y, 1.0).x, "himalaya": himalaya}, value


def rank1_mkl(p: int) -> tuple[Methods, Callable[[Any], float]]:
    """``min 1/2 |u|_1^2 + C sum of hinge losses`` for eight C; the value is the sum of theirs."""
    counts, ratings = documents(1000, p)
    stack, y = FeatureStack(counts).centred(), np.where(ratings > np.median(ratings), 1.0, -1.0)
    n, t, Cs = len(y), sizes(stack, "mean_diagonal"), (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0)
    X = counts @ sp.diags_array(1.0 / np.sqrt(t))

    def ours() -> list[Array]:
        free = np.append(np.ones(p), 0.0)[None]  # the bias has no penalty
        solver = SquaredL1Solver(FeatureColumns(stack, y, np.sqrt(t), bias=True), free)
        found = [solver.solve(C).x[0] for C in Cs]
        return [np.append(w[:-1], w[-1] - stack.shift @ (w[:-1] / np.sqrt(t))) for w in found]

    def clarabel() -> list[Array]:  # variables u+, u-, b, xi and their l1 norm
        signed = sp.diags_array(y) @ sp.hstack([X, -X, np.ones((n, 1))])
        margins = sp.hstack([-signed, -sp.eye_array(n), sp.csr_array((n, 1))])
        total = sp.hstack([np.ones((1, 2 * p)), sp.csr_array((1, n + 1)), -np.ones((1, 1))])
        signs = sp.vstack([-sp.eye_array(2 * p, 2 * p + n + 2), -sp.eye_array(n, 2 * p + n + 2, k=2 * p + 1)])
        P = sp.csc_matrix(([1.0], ([2 * p + n + 1], [2 * p + n + 1])), shape=(2 * p + n + 2,) * 2)
        A, b = sp.vstack([total, margins, signs]), np.concatenate([[0.0], -np.ones(n), np.zeros(2 * p + n)])
        costs = [np.concatenate([np.zeros(2 * p + 1), np.full(n, C), [0.0]]) for C in Cs]
        solved = [quadratic_program(P, q, A, b, 1) for q in costs]
        return [np.append(x[:p] - x[p : 2 * p], x[2 * p]) for x in solved]

    def value(found: list[Array]) -> float:
        losses = [np.maximum(0.0, 1.0 - y * (X @ w[:-1] + w[-1])).sum() for w in found]
        norms = [np.abs(w[:-1]).sum() for w in found]
        return float(sum(0.5 * norm**2 + C * loss for C, norm, loss in zip(Cs, norms, losses, strict=True)))

    return {"features": ours, "clarabel": clarabel}, value


def rank1_krr(p: int) -> tuple[Methods, Callable[[Any], float]]:
    """``min |y - X u|^2 / lambda + |u|_1^2``, of centred features."""
    counts, y = documents(1000, p)
    stack, lambda_ = FeatureStack(counts).centred(), 100.0
    n, t = len(y), sizes(stack, "mean_diagonal")
    X = stack.columns(np.arange(p)) / np.sqrt(t)

    def ours() -> Array:
        return solve_squared_l1_ridge(FeatureColumns(stack, np.ones(n), np.sqrt(t), bias=False), y, lambda_, 1.0).x

    penalty = lambda_ * np.abs(ours()).sum() / n

    def lasso() -> Array:
        return Lasso(penalty, fit_intercept=False, tol=1e-6, max_iter=10**6).fit(X, y).coef_

    def clarabel() -> Array:  # variables u+, u-, the residual and the l1 norm
        sums = sp.vstack(
            [
                sp.hstack([X, -X, sp.eye_array(n), sp.csr_array((n, 1))]),
                sp.hstack([np.ones((1, 2 * p)), sp.csr_array((1, n)), -np.ones((1, 1))]),
            ]
        )
        P = sp.diags_array(np.concatenate([np.zeros(2 * p), np.full(n, 2.0 / lambda_), [2.0]])).tocsc()
        A, b = sp.vstack([sums, -sp.eye_array(2 * p, 2 * p + n + 1)]), np.concatenate([y, np.zeros(2 * p + 1)])
        x = quadratic_program(P, np.zeros(2 * p + n + 1), A, b, n + 1)
        return x[:p] - x[p : 2 * p]

    def value(u: Array) -> float:
        return float(((y - X @ u) ** 2).sum() / lambda_ + np.abs(u).sum() ** 2)

    return {"features": ours, "sklearn Lasso": lasso, "clarabel": clarabel}, value


def quadratic_program(P: Any, q: Array, A: Any, b: Array, n_equal: int) -> Array:
    """Solve ``min x'Px / 2 + q.x``, ``A x = b`` in the first rows and ``A x <= b`` in the others, by Clarabel."""
    clarabel = peer("clarabel")
    settings = clarabel.DefaultSettings()
    settings.verbose, settings.max_threads = False, 1
    cones = [clarabel.ZeroConeT(n_equal), clarabel.NonnegativeConeT(len(b) - n_equal)]
    return np.array(clarabel.DefaultSolver(sp.csc_matrix(P), q, sp.csc_matrix(A), b, cones, settings).solve().x)


PROBLEMS: dict[str, Callable[[int], tuple[Methods, Callable[[Any], float]]]] = {
    "l1_mkl": l1_mkl,
    "alignf": alignf,
    "nnls": nnls_problem,
    "l2_krr": l2_krr,
    "ridge": ridge,
    "rank1_mkl": rank1_mkl,
    "rank1_krr": rank1_krr,
}


def main() -> None:
    """Run one comparison and print its table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--problem", choices=sorted(PROBLEMS), required=True)
    parser.add_argument("--kernels", type=int, required=True, help="how many kernels, p")
    options = parser.parse_args()
    methods, value = PROBLEMS[options.problem](options.kernels)
    seconds, values = {}, {}
    for name, method in methods.items():
        seconds[name], result = cpu(method)
        if seconds[name] < 10.0:
            seconds[name], result = cpu(method)
        values[name] = value(result)
    first, best = next(iter(methods)), min(values.values())
    print(f"{options.problem}, {options.kernels} kernels")
    print(f"{'method':14s} {'CPU s':>9s} {'ratio':>8s} {'distance':>9s}")
    for name in methods:
        distance = (values[name] - best) / abs(best)
        print(f"{name:14s} {seconds[name]:9.4f} {seconds[name] / seconds[first]:8.1f} {distance:9.1e}")
    print(f"peak memory {(peak() or 0) / MB:.0f} MB")


if __name__ == "__main__":
    main()
