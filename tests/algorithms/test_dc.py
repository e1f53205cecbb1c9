"""Kernel learning with the local Rademacher complexity itself: descent, criticality, ties and scales."""

from itertools import product

import numpy as np
import pytest
from sklearn.svm import SVC

from kernlearn import LocalRademacherClassifier
from kernlearn.algorithms.common.inner import SVMInner
from kernlearn.algorithms.kernel_learning.dc import solve_dc
from kernlearn.algorithms.kernel_learning.lp_mkl import solve_mkl
from kernlearn.certificates.kernel_weights import FLOOR, tail_sizes
from kernlearn.kernels import DenseStack, FeatureStack, linear_tails, tail_sums, tied_tails
from tests.algorithms.combinations import STACK, N, P, Y, svm_value
from tests.conftest import first_of


def tail(K, theta):
    return np.linalg.eigvalsh(K)[: max(len(K) - theta, 0)].sum()


class Problem:
    """The problem of dc in plain numpy, with LibSVM, for weights of any scale."""

    def __init__(self, K, y, C, theta, norm):
        self.K, self.y, self.C, self.theta, self.norm = K, y, C, theta, norm
        self.traces = np.trace(K, axis1=1, axis2=2)
        tails = np.array([tail(k, theta) for k in K])
        self.t = np.maximum(tails, FLOOR * self.traces)
        self.lift = np.maximum(1.0 - tails / self.t, 0.0)  # of kernels without a tail

    def complexity(self, mu):
        nu = (self.t * mu) ** self.norm
        return (tail(np.tensordot(nu / self.t, self.K, 1), self.theta) + self.lift @ nu) ** (1 / self.norm)

    def objective(self, mu):
        """The value of the weights, scaled so that the constraint is met."""
        K = np.tensordot(mu / self.complexity(mu), self.K, 1)
        svc = SVC(kernel="precomputed", C=self.C, tol=1e-10).fit(K, self.y)
        beta = np.zeros(len(self.y))
        beta[svc.support_] = svc.dual_coef_[0]
        return np.abs(beta).sum() - 0.5 * beta @ K @ beta

    def steepest(self, mu, seed, h=1e-5):
        """The least slope of the objective, relative to it, towards single kernels, equal and random weights."""
        here, least = self.objective(mu), 0.0
        towards = np.vstack([np.eye(len(mu)), np.ones(len(mu)), np.random.default_rng(seed).random((3, len(mu)))])
        for direction in towards / self.traces:
            direction *= (self.traces @ mu) / (self.traces @ direction)
            least = min(least, (self.objective(mu + h * (direction - mu)) / here - 1.0) / h)
        return least


def random_problem(seed, C=5.0, theta=2, norm=2.0, n=26):
    """Kernels of unlike ranks and sizes, all with a tail, and labels that they tell in part."""
    rng = np.random.default_rng(seed)
    Z = rng.normal(size=(n, 5))
    y = np.where(Z[:, 0] * Z[:, 1] + 0.5 * rng.normal(size=n) > 0, 1.0, -1.0)
    distances = ((Z[:, None] - Z) ** 2).sum(axis=-1)
    K = [np.exp(-0.1 * distances), np.exp(-1.0 * distances), (1 + Z @ Z.T) ** 2, Z @ Z.T, np.eye(n)]
    return Problem(np.array(K) * 10.0 ** rng.uniform(-1, 1, size=(len(K), 1, 1)), y, C, theta, norm)


def solve(problem, **options):
    stack = DenseStack(problem.K)
    return solve_dc(stack, problem.y, problem.C, problem.theta, norm=problem.norm, **{"tol": 1e-8, **options})


CASES = list(product([1.0, 1.2, 2.0, 4.0], [1, 3], [0.5, 50.0]))


@pytest.mark.parametrize("step", first_of(["alternate", "solve"]))
def test_the_objective_never_rises(step):
    """From one linearisation to the next, by LibSVM, and never above that of the weights at the start."""
    for seed, (norm, theta, C) in enumerate(CASES[::2] if step == "alternate" else CASES):
        problem = random_problem(seed, C, theta, norm)
        before = problem.objective(np.ones(5))
        for max_iter in (1, 2, 4, 20):
            solution = solve(problem, max_iter=max_iter, step=step)
            assert problem.complexity(solution.x) == pytest.approx(1.0, rel=1e-9)
            value = problem.objective(solution.x)
            assert value == pytest.approx(solution.objective, rel=1e-7)
            assert value <= before * (1 + 1e-8)
            before = value


def test_the_objective_never_rises_where_it_rose():
    """With ||v o mu||_p as the bound for p > 1, it rose from the fifth linearisation to the eighth."""
    values = [solve_dc(STACK, Y, 100.0, 5, norm=2.0, tol=1e-8, max_iter=r).objective for r in (1, 2, 3, 5, 8, 30)]
    assert values == sorted(values, reverse=True)


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("norm", "theta", "C"), CASES)
def test_the_end_is_stationary(norm, theta, C):
    for seed in (0, 1):
        problem = random_problem(seed, C, theta, norm)
        solution = solve(problem)
        assert solution.status == "optimal" and -1e-12 <= solution.gap <= 1e-8
        assert problem.steepest(solution.x, seed) >= -3e-4  # for p > 1 about the root of the gap
        assert problem.steepest(np.ones(5), seed) < -9e-4  # the measure sees what is not stationary


@pytest.mark.parametrize("norm", [1.0, 2.0])
def test_it_ends_no_higher_than_conv_where_it_starts_there(norm):
    for theta, C in product([1, 4], [1.0, 100.0]):
        t = tail_sizes(STACK, tail_sums(STACK, theta))
        conv = solve_mkl(SVMInner(STACK, Y, C, t, 1e-8), norm=norm, tol=1e-8)
        solution = solve_dc(STACK, Y, C, theta, norm=norm, start=conv.x / t, tol=1e-8)
        problem = Problem(STACK.K, Y, C, theta, norm)
        assert solution.status == "optimal"
        assert solution.objective <= problem.objective(conv.x / t) * (1 + 1e-7)
        # (5): the weights that dc allows are among those of conv.
        assert np.linalg.norm(t * solution.x, norm) <= 1 + 1e-9 and conv.dual_objective <= solution.objective * (
            1 + 1e-9
        )


def test_the_norm_1_is_the_printed_problem():
    """The linearisations of (7) with v.mu <= 1, solved one after another by cutting planes."""
    for theta, C in ((1, 3.0), (5, 100.0)):
        mu = np.ones(P)
        for _ in range(12):
            U = np.linalg.eigh(STACK.combine(mu))[1][:, : N - theta]
            v = np.einsum("ij,kil,lj->k", U, STACK.K, U, optimize=True)
            mu = solve_mkl(SVMInner(STACK, Y, C, v, 1e-6), start=mu * v, tol=1e-6, method="silp").x / v
        plain = svm_value(STACK.combine(mu) / tail(STACK.combine(mu), theta), Y, C)[1]
        solution = solve_dc(STACK, Y, C, theta, tol=1e-7)
        assert tail(STACK.combine(solution.x), theta) == pytest.approx(1.0)
        assert solution.objective <= plain * (1 + 1e-6)


@pytest.mark.parametrize("norm", [1.0, 1.5, 3.0, np.inf])
def test_without_a_head_it_is_multiple_kernel_learning(norm):
    t = tail_sizes(STACK, tail_sums(STACK, 0))
    conv = solve_mkl(SVMInner(STACK, Y, 3.0, t, 1e-8), norm=norm, tol=1e-8)
    dc = solve_dc(STACK, Y, 3.0, 0, norm=norm, tol=1e-8)
    assert dc.objective == pytest.approx(conv.objective, rel=1e-7)
    assert np.linalg.norm(t * dc.x, norm) == pytest.approx(1.0)


@pytest.mark.parametrize("norm", [1.0, 2.0])
def test_the_scales_of_kernels_do_not_matter(norm):
    problem, factors = random_problem(3, 20.0, 2, norm), np.array([1e-6, 1.0, 1e5, 1e2, 1e-3])
    plain = solve(problem, start=1.0 / problem.t)
    K = problem.K * factors[:, None, None]
    scaled = solve(Problem(K, problem.y, 20.0, 2, norm), start=1.0 / problem.t / factors)
    assert scaled.objective == pytest.approx(plain.objective, rel=1e-8)
    np.testing.assert_allclose(problem.t * scaled.x * factors, problem.t * plain.x, atol=1e-4)


def test_a_small_kernel_in_a_small_problem_is_the_same_as_large_ones():
    """Where all kernels shrink and C does not, the constraint makes them large again."""
    problem = random_problem(1)
    for factor in (1e-8, 1e8):
        scaled = Problem(problem.K * factor, problem.y, problem.C, problem.theta, problem.norm)
        assert solve(scaled).objective == pytest.approx(solve(problem).objective, rel=1e-8)


@pytest.mark.slow
def test_equal_eigenvalues_do_not_hide_a_descent():
    """Of the identity any eigenvector may be left out: to leave out q makes the second kernel cheap, and it tells y."""
    rng, n = np.random.default_rng(5), 30
    y, q = np.where(np.arange(n) < 15, 1.0, -1.0), np.where(np.arange(n) % 2, 1.0, -1.0)
    q -= (q @ y) / n * y
    rough = rng.normal(size=(n, 3))
    rough -= np.outer(y, y @ rough) / n
    stack = DenseStack(np.array([np.eye(n), 20 * np.outer(q, q) + 0.05 * np.outer(y, y), rough @ rough.T]))
    mu = np.array([1.0, 0.0, 0.0])
    plain, ties = linear_tails(stack, mu, 1), list(tied_tails(stack, mu, 1))
    assert len(ties) == 3
    nearby = mu + 1e-7 * np.eye(3)
    for k, v in enumerate(ties):
        slope = (tail(stack.combine(nearby[k]), 1) - tail(stack.combine(mu), 1)) / 1e-7
        assert v[k] == pytest.approx(slope, rel=1e-5) and v[k] <= plain[k] * (1 + 1e-9)
        for other in rng.random((20, 3)):  # each is a supergradient
            assert tail(stack.combine(other), 1) <= v @ other * (1 + 1e-12)
    problem = Problem(stack.K, y, 10.0, 1, 1.0)
    solution = solve(problem, start=mu)
    assert solution.status == "optimal" and solution.objective < 0.5 * problem.objective(mu)
    assert problem.steepest(solution.x, 0) >= -1e-3
    assert not list(tied_tails(STACK, np.ones(P), 1)) and not list(tied_tails(STACK, np.ones(P), N))


def test_a_kernel_without_a_tail_and_one_that_is_zero():
    rank_two = FeatureStack(np.random.default_rng(0).normal(size=(N, 2)), [0, 0]).combine(np.ones(1))
    stack = DenseStack(np.stack([STACK.K[0], rank_two, np.zeros((N, N))]))
    t = tail_sizes(stack, tail_sums(stack, 2))
    assert tail_sums(stack, 2)[1] == 0.0
    assert t[1] == pytest.approx(FLOOR * np.trace(rank_two)) and t[2] == 1.0 and t[0] > 0.0
    solution = solve_mkl(SVMInner(stack, Y, 0.1, t, 1e-5), tol=1e-5)
    assert solution.status == "optimal" and np.isfinite(solution.x).all()
    for norm in (1.0, 2.0):
        values = [solve_dc(stack, Y, 0.1, 2, norm=norm, tol=1e-5, max_iter=r) for r in (1, 2, 4, 200)]
        assert values[-1].status == "optimal"
        assert [s.objective for s in values] == sorted((s.objective for s in values), reverse=True)


@pytest.mark.parametrize("step", ["solve", "alternate"])
@pytest.mark.parametrize("theta", [0, 1, 5])
def test_no_weights_of_the_linearised_problem_are_lower(theta, step):
    tol = 1e-6 if step == "solve" else 2e-3
    solution = solve_dc(STACK, Y, 3.0, theta, tol=tol, step=step)
    mu = solution.x
    assert solution.status == "optimal" and solution.gap <= tol
    K = STACK.combine(mu)
    assert tail(K, theta) == pytest.approx(1.0)  # the constraint of (7) is met
    primal, dual = svm_value(K, Y, 3.0)
    assert dual - 1e-6 * dual <= solution.objective <= primal * (1 + 1e-6)
    v = linear_tails(STACK, mu, theta)
    assert v @ mu == pytest.approx(1.0)
    linearised = solve_mkl(SVMInner(STACK, Y, 3.0, v, 1e-7), tol=1e-7, method="silp").objective
    assert solution.objective <= linearised * (1 + 2 * tol)


def test_solving_the_linearised_problem_ends_no_higher_than_the_printed_alternation():
    for theta in (1, 5):
        full = solve_dc(STACK, Y, 3.0, theta)
        printed = solve_dc(STACK, Y, 3.0, theta, step="alternate", tol=1e-4)
        assert full.objective <= printed.objective * (1 + 1e-6) and full.iterations < printed.iterations


def test_what_is_stopped_says_so():
    solution = solve_dc(STACK, Y, 3.0, 5, step="alternate", max_iter=2)
    assert solution.status == "inaccurate" and solution.gap > 1e-6 and solution.rounds == 2


@pytest.mark.parametrize("method", ["conv", "dc"])
def test_a_whole_number_may_be_written_as_a_float(method):
    X = np.random.default_rng(0).normal(size=(30, 3))
    y = np.sign(X[:, 0])
    first, second = (LocalRademacherClassifier(method=method, theta=theta).fit(X, y) for theta in (1, 1.0))
    np.testing.assert_array_equal(first.decision_function(X), second.decision_function(X))
