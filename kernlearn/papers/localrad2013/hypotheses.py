"""Section 3: the hypothesis sets H1 and H2, and the algorithms that learn in them, as statements with numbers."""

from functools import lru_cache

import numpy as np

from kernlearn.algorithms import ALGORITHMS, Problem, Signs
from kernlearn.algorithms.common.inner import SVMInner, squares
from kernlearn.algorithms.kernel_learning.dc import solve_dc
from kernlearn.algorithms.kernel_learning.lp_mkl import solve_mkl
from kernlearn.datasets import load
from kernlearn.kernels import SCALINGS, DenseStack, GramStack, linear_tails, make_family, tail_sums
from kernlearn.solvers import Solution
from kernlearn.types import Array

#: Cut-offs, random weights of each, and the C of the machines.
THETAS, DRAWS, C = (0, 1, 2, 8), 100, 1000.0


@lru_cache
def example() -> tuple[DenseStack, Array]:
    """Return four kernels on 88 real examples, of trace 1, and labels: Gaussian ones and a polynomial."""
    data = load("ionosphere")
    (X,) = SCALINGS["unit"](data.X[::4])
    stacks = gaussians(), GramStack.train(make_family("polynomial", degrees=[2]), X)
    K = np.stack([stack.matrix(k) for stack in stacks for k in range(len(stack))])
    return DenseStack(K / np.trace(K, axis1=1, axis2=2)[:, None, None]), np.where(data.y[::4] == 1, 1.0, -1.0)


def gaussians() -> GramStack:
    """Return the three Gaussian kernels as they are."""
    (X,) = SCALINGS["unit"](load("ionosphere").X[::4])
    return GramStack.train(make_family("gaussian", gammas=[0.1, 1.0, 10.0]), X)


def weights() -> Array:
    """Return random weights of the four kernels, some of them 0, shape (DRAWS, 4)."""
    rng = np.random.default_rng(0)
    return rng.exponential(size=(DRAWS, 4)) * (rng.random((DRAWS, 4)) < 0.8) + 1e-3


def tail(stack: DenseStack, mu: Array, theta: int) -> float:
    """Return ``sum_{j > theta} lambda_j(K_mu)``."""
    return float(tail_sums(DenseStack(stack.combine(mu)[None]), theta)[0])


# Section 3.1


def concave_tail() -> float:
    """Return the largest quotient of the two sides of (5)."""
    stack, _ = example()
    return max(
        float(mu @ tail_sums(stack, theta)) / tail(stack, mu, theta) for theta in THETAS[1:] for mu in weights()[::4]
    )


def inclusion() -> float:
    """Return the largest sum of (4) for H2, ``sum_m mu_m tail(K_m)``, with weights that H1 just allows."""
    stack, _ = example()
    sums = []
    for theta in THETAS[1:]:
        for mu in weights()[::4]:
            allowed = mu / tail(stack, mu, theta)
            sums.append(float(allowed @ tail_sums(stack, theta)))
    return max(sums)


def without_cut() -> float:
    """Return how far the sums of H1 and H2 are from each other for theta = 0, relatively."""
    stack, _ = example()
    return max(abs(float(mu @ tail_sums(stack, 0)) / tail(stack, mu, 0) - 1.0) for mu in weights())


def apart() -> DenseStack:
    """Return two kernels on four points, each with the eigenvalues 2 and 1, that share no eigenvector."""
    return DenseStack(np.stack([np.diag([2.0, 1.0, 0.0, 0.0]), np.diag([0.0, 0.0, 2.0, 1.0])]))


def strict() -> float:
    """Return the least norm in H2 of a function, divided by its least norm in H1, where theta = 1.

    The function has a part of norm 1 in each of the two kernels: in a set it costs ``sqrt(sum_m 1 / mu_m)`` with
    weights that the set allows.
    """
    stack, share = apart(), np.linspace(0.001, 0.999, 999)
    mixed = np.column_stack([share, 1.0 - share])
    sizes = np.array([tail(stack, mu, 1) for mu in mixed]), mixed @ tail_sums(stack, 1)
    in_h1, in_h2 = (float(np.sqrt((size[:, None] / mixed).sum(axis=1)).min()) for size in sizes)
    return in_h2 / in_h1


@lru_cache
def of_the_hull() -> list[float]:
    """Return for functions at the boundary of H2 what convex combination of functions of H1 they are.

    A function of H2 is ``sum_m f_m`` with ``sum_m |f_m|^2 / mu_m <= 1`` and ``sum_m mu_m t_m <= 1``, where ``t_m`` is
    the tail of kernel m and Lambda = 1. With ``nu_m = sqrt(t_m) |f_m|`` every ``f_m / nu_m`` has the norm 1 in the
    kernel ``K_m / t_m``, whose tail is 1: it is in H1. So the function is a convex combination if ``sum_m nu_m <= 1``.

    Returns
    -------
    list of the sums of nu, infinite where a part is not in H1
    """
    stack, _ = example()
    rng, sums = np.random.default_rng(1), []
    for theta in THETAS[1:]:
        t = tail_sums(stack, theta)
        parts_in_h1 = [tail(stack, np.eye(4)[m] / t[m], theta) <= 1.0 + 1e-9 for m in range(4)]
        for mu in weights():
            allowed = mu / (mu @ t)
            aligned = rng.random() < 0.5  # by Cauchy's inequality the sum is 1 where all nu_m / (mu_m t_m) are equal
            norms = allowed * np.sqrt(t) if aligned else allowed * np.sqrt(squares(stack, rng.normal(size=88)))
            norms /= np.sqrt((norms**2 / allowed).sum())
            sums.append(float((np.sqrt(t) * norms).sum()) if all(parts_in_h1) else np.inf)
    return sums


def hull_within() -> float:
    """Return the quotient of 1 and the largest sum of `of_the_hull`: below 1 a function of H2 is outside the hull."""
    return 1.0 / max(of_the_hull())


def hull_is_all() -> float:
    """Return the largest sum of `of_the_hull`: with 1 or less all of H2 is in the hull of H1."""
    return max(of_the_hull())


# Section 3.2


def normalised() -> float:
    """Return how far the optima of conv and of l1-MKL on the kernels of (6) are from each other, relatively."""
    (stack, y), off = (gaussians(), example()[1]), []
    K = np.stack([stack.matrix(k) for k in range(3)])
    for theta in (1, 8):
        (point,) = ALGORITHMS["conv"].path(Problem(stack, Signs(y)), thetas=[theta], Cs=[C], centre=False, tol=1e-8)
        divided = DenseStack(K / tail_sums(DenseStack(K), theta)[:, None, None])
        mkl = solve_mkl(SVMInner(divided, y, C, np.ones(3), 1e-8), tol=1e-8)
        off.append(abs(point.solutions[0].objective / mkl.objective - 1.0))
    return max(off)


# Section 3.3


@lru_cache
def machine(theta: int = 2) -> Solution:
    """Return what the DC algorithm finds."""
    stack, y = example()
    return solve_dc(stack, y, C, theta, tol=1e-8)


def majorised() -> float:
    """Return the largest quotient of the tail and its linearisation, at other weights than where it was made."""
    stack, _ = example()
    quotients = []
    for theta in THETAS[1:]:
        for here, there in zip(weights()[::4], weights()[1::4], strict=True):
            quotients.append(tail(stack, there, theta) / float(there @ linear_tails(stack, here, theta)))
    return max(quotients)


def touched() -> float:
    """Return how far the two are from each other where the linearisation was made, relatively."""
    stack, _ = example()
    return max(
        abs(float(mu @ linear_tails(stack, mu, theta)) / tail(stack, mu, theta) - 1.0)
        for theta in THETAS
        for mu in weights()[::4]
    )


def touched_as_printed() -> float:
    """Return the same of ``<v, mu - mu0>``, which is printed."""
    stack, _ = example()
    (mu, theta), v = (weights()[0], 2), linear_tails(stack, weights()[0], 2)
    return abs(float((mu - mu) @ v) / tail(stack, mu, theta) - 1.0)


def step(norms: Array, v: Array) -> Array:
    """Return the weights (9) for the norms of the parts of a function, with ``v.mu = 1``."""
    mu = norms / np.sqrt(v)
    return np.asarray(mu / (mu @ v))


def optimal_weights() -> float:
    """Return the largest quotient of ``sum_m |w_m|^2 / mu_m`` at (9) and at other weights with ``v.mu = 1``."""
    stack, _ = example()
    rng, quotients = np.random.default_rng(2), []
    for mu in weights():
        v, norms = linear_tails(stack, mu, 2), rng.exponential(size=4)
        others = rng.exponential(size=(200, 4)) + 1e-6
        others /= (others @ v)[:, None]
        best = float((norms**2 / step(norms, v)).sum())
        quotients.append(best / float((norms**2 / others).sum(axis=1).min()))
    return max(quotients)


def fixed_weights() -> float:
    """Return by how much (9) with (11) moves the weights of the machine, relatively: it is a fixed point."""
    stack, y = example()
    solution = machine()
    used = solution.x > 0.0
    norms = solution.x * np.sqrt(squares(stack, solution.extras["response"].alpha * y))
    moved = step(norms[used], linear_tails(stack, solution.x, 2)[used])
    return float(np.abs(moved - solution.x[used]).max() / solution.x.max())


def dual() -> float:
    """Return how far (10) is from the primal objective at the weights of the machine, relatively."""
    stack, y = example()
    solution = machine()
    response, K = solution.extras["response"], stack.combine(solution.x)
    beta = response.alpha * y
    f = K @ beta + response.intercept
    primal = 0.5 * beta @ K @ beta + C * np.maximum(0.0, 1.0 - y * f).sum()
    return abs(float(response.alpha.sum() - 0.5 * beta @ K @ beta) / float(primal) - 1.0)


def norms_of_parts() -> float:
    """Return how far (11) is from the squared norm of part m in explicit features, relatively."""
    stack, y = example()
    solution = machine()
    beta = solution.extras["response"].alpha * y
    in_features = []
    for mu, K in zip(solution.x, stack.K, strict=True):
        values, vectors = np.linalg.eigh(K)
        psi = vectors * np.sqrt(np.maximum(values, 0.0))
        w = np.linalg.lstsq(psi, mu * K @ beta, rcond=1e-7)[0]  # the least norm of the features that give f_m
        in_features.append(w @ w)
    stated = solution.x**2 * squares(stack, beta)
    return float(np.abs(stated - in_features).max() / stated.max())


def descent() -> float:
    """Return the largest quotient of the objectives after k + 1 and k linearisations, with the printed steps."""
    stack, y = example()
    values = [solve_dc(stack, y, C, 8, step="alternate", max_iter=k).objective for k in range(1, 9)]
    return max(after / before for before, after in zip(values, values[1:], strict=False))
