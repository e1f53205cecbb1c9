"""UFO-MKL against its algorithm written in feature space, and against CVXPY on its problem."""

from itertools import pairwise

import numpy as np
import pytest

import kernlearn
from kernlearn.algorithms import ALGORITHMS, Classes, Problem
from kernlearn.algorithms.kernel_learning.ufo_mkl import UFO
from kernlearn.kernels import DenseStack, FeatureStack, GramStack, make_family

pytestmark = pytest.mark.filterwarnings("ignore:pnorm")  # of CVXPY: p is approximated, to 1e-7
RNG = np.random.default_rng(3)
N, M = 30, 4
X = RNG.normal(size=(N, 6))
LABELS = np.argmax(X[:, :3] + 0.6 * RNG.normal(size=(N, 3)), axis=1)
GROUPS = np.array([0, 0, 1, 2, 2, 3])
WEIGHTS = RNG.uniform(0.5, 2.0, N)
SIZES = np.array([0.5, 1.0, 2.0, 3.0])
GRAM = GramStack.train(make_family("gaussian", gammas=[0.05, 0.3, 1.0, 5.0]), X)


def blocks(X, sizes=SIZES):
    """The features of every kernel, divided by the roots of the sizes."""
    return [X[:, k == GROUPS] / np.sqrt(t) for k, t in enumerate(sizes)]


def optimum(features, y, n_classes, lambda_, alpha, p, weights=None):
    """(P) by CVXPY, on the features of every kernel."""
    cp = pytest.importorskip("cvxpy")
    W = [cp.Variable((V.shape[1], n_classes)) for V in features]
    norms = cp.hstack([cp.norm(w, "fro") for w in W])
    F = sum(V @ w for V, w in zip(features, W, strict=True))
    rows, xi = np.arange(len(y)), cp.Variable(len(y))
    one = np.ones(n_classes)
    own = cp.reshape(cp.sum(cp.multiply(F, np.eye(n_classes)[y]), axis=1), (len(y), 1), order="C")
    limits = [F - own @ one[None] + (np.arange(n_classes) != y[:, None]) <= xi[:, None] @ one[None]]
    losses = (np.ones(len(rows)) if weights is None else weights) @ xi / len(y)
    square = cp.square(cp.pnorm(norms, p, max_denom=2**12))
    problem = cp.Problem(cp.Minimize(0.5 * lambda_ * square + alpha * cp.sum(norms) + losses), limits)
    return problem.solve(solver="CLARABEL")


def exponent(n_kernels):
    q = 2.0 * np.log(n_kernels)
    return q / (q - 1.0)


def roots(stack, centred):
    """Features of matrices."""
    K = DenseStack.of(stack, less_constant=centred)
    found = []
    for one in (K.centred() if centred else K).K:
        values, vectors = np.linalg.eigh(one)
        found.append(vectors * np.sqrt(np.maximum(values, 0.0)))
    return found


@pytest.mark.parametrize(("C", "alpha", "weights"), [(1.0, 0.0, None), (10.0, 0.05, WEIGHTS), (100.0, 0.01, None)])
def test_the_optimum_is_that_of_cvxpy(C, alpha, weights):
    problem = Problem(GRAM, Classes(LABELS, 3), weights=weights)
    values = {"Cs": [C], "alphas": [alpha], "epochs": [20], "normalise": "none", "tol": 1e-6}
    (point,) = ALGORITHMS["ufo_mkl"].path(problem, finish="exact", **values)
    (solution,) = point.solutions
    best = optimum(roots(GRAM, centred=True), LABELS, 3, 1.0 / (C * N), alpha, exponent(M), weights)
    assert point.status == "optimal" and solution.objective == pytest.approx(best, rel=2e-6)
    assert solution.dual_objective <= best * (1 + 1e-6)


@pytest.mark.slow
def test_two_classes_are_the_binary_problem_with_another_lambda_and_alpha():
    cp = pytest.importorskip("cvxpy")
    y, C, alpha = (LABELS > 0).astype(int), 5.0, 0.05
    problem = Problem(FeatureStack(X, GROUPS), Classes(y, 2))
    values = {"Cs": [C], "alphas": [alpha], "epochs": [20], "normalise": "none", "centre": False, "tol": 1e-7}
    (point,) = ALGORITHMS["ufo_mkl"].path(problem, finish="exact", **values)
    w, signs = cp.Variable(6), np.where(y == 1, 1.0, -1.0)
    norms = cp.hstack([cp.norm(w[k == GROUPS], 2) for k in range(M)])
    square = cp.square(cp.pnorm(norms, exponent(M), max_denom=2**12))
    loss = cp.sum(cp.pos(1 - cp.multiply(signs, X @ w))) / N
    best = cp.Problem(cp.Minimize(0.25 / (C * N) * square + alpha / 2**0.5 * cp.sum(norms) + loss))
    assert point.solutions[0].objective == pytest.approx(best.solve(solver="CLARABEL"), rel=1e-5)
    np.testing.assert_allclose(point.predictor.outputs(problem.inputs)[0], X @ w.value, atol=1e-2)


def printed(features, y, n_classes, lambda_, alpha, weights, orders):
    """Algorithm 1 with the joint feature map, block by block."""
    q = 2.0 * np.log(len(features))
    theta = [np.zeros((V.shape[1], n_classes)) for V in features]
    w, t = [np.zeros_like(one) for one in theta], 0
    for order in orders:
        for i in order:
            scores = sum(V[i] @ one for V, one in zip(features, w, strict=True)) + (np.arange(n_classes) != y[i])
            r, t = int(scores.argmax()), t + 1
            for V, one in zip(features, theta, strict=True):
                one[:, y[i]] += weights[i] * V[i]
                one[:, r] -= weights[i] * V[i]
            norms = np.array([np.linalg.norm(one) for one in theta])
            v = np.maximum(0.0, norms - alpha * t)
            size = np.linalg.norm(v, q) or 1.0
            mu = v * (v / size) ** (q - 2) / (lambda_ * t * np.where(norms > 0, norms, 1.0))
            w = [m * one for m, one in zip(mu, theta, strict=True)]
    return sum(V @ one for V, one in zip(features, w, strict=True)), mu


@pytest.mark.parametrize("form", ["kernels", "features", "sparse"])
def test_the_steps_are_those_of_the_paper_on_kernels_and_on_features(form):
    from scipy.sparse import csr_array

    centred = X - X.mean(axis=0)
    stack = {
        "kernels": lambda: DenseStack(np.stack([V @ V.T for V in blocks(centred, np.ones(M))])),
        "features": lambda: FeatureStack(X, GROUPS).centred(),
        "sparse": lambda: FeatureStack(csr_array(X), GROUPS).centred(),
    }[form]()
    orders, run = [RNG.permutation(N) for _ in range(7)], UFO(stack, LABELS, 3, 2.0, 0.02, SIZES, WEIGHTS)
    for order in orders:
        run.epoch(order)
    F, mu = printed(blocks(centred), LABELS, 3, 1.0 / (2.0 * N), 0.02, WEIGHTS, orders)
    np.testing.assert_allclose(run.mu, mu * 7 * N, rtol=1e-9)  # of theta / t
    np.testing.assert_allclose(stack.combine(run.mu / SIZES) @ run.A, F, rtol=1e-8, atol=1e-10)


def test_after_every_epoch_the_optimum_is_between_the_bounds_and_the_gap_falls():
    best = optimum(blocks(X), LABELS, 3, 1.0 / (5.0 * N), 0.03, exponent(M))
    run, gaps = UFO(FeatureStack(X, GROUPS), LABELS, 3, 5.0, 0.03, SIZES), []
    for _ in range(256):
        run.epoch(RNG.permutation(N))
        assert run.bound <= best * (1 + 1e-6) and run.objective >= best * (1 - 1e-6)
        gaps.append(run.gap)
    octaves = [np.mean(gaps[2**k : 2 ** (k + 1)]) for k in range(8)]
    assert all(after < before for before, after in pairwise(octaves)) and octaves[-1] < 0.05


def path(**values):
    problem = Problem(GRAM, Classes(LABELS, 3), seed=values.pop("seed", 0))
    return list(ALGORITHMS["ufo_mkl"].path(problem, **{"Cs": [10.0], "alphas": [0.01], **values}))


def outputs(point):
    return point.predictor.outputs(GRAM)


def test_a_limit_is_a_point_and_a_run_ends_when_its_gap_is_small():
    points = path(epochs=[2, 8, 10_000, 20_000], tol=0.05)
    assert [point.status for point in points] == ["capped", "capped", "optimal", "optimal"]
    assert points[2].solutions[0].rounds == points[3].solutions[0].rounds < 10_000
    (alone,) = path(epochs=[8], tol=0.05)
    np.testing.assert_array_equal(outputs(alone), outputs(points[1]))
    (other,) = path(epochs=[8], tol=0.05, seed=1)
    assert not np.array_equal(outputs(other), outputs(alone))


def test_turns_reach_the_tolerance_and_change_no_epoch_that_follows():
    points = path(epochs=[3, 30], tol=1e-6, finish="exact")
    (alone,) = path(epochs=[30], tol=1e-6, finish="exact")
    assert [point.status for point in points] == ["optimal", "optimal"]
    np.testing.assert_array_equal(outputs(alone), outputs(points[1]))
    assert points[0].solutions[0].objective == pytest.approx(points[1].solutions[0].objective, rel=2e-6)


def test_alpha_takes_kernels_out_and_at_last_all():
    used = [
        np.count_nonzero(path(alphas=[alpha], epochs=[50], tol=1e-5, finish="exact")[0].facts["weights"])
        for alpha in (0.0, 0.26, 0.4)
    ]
    assert used[0] == M > used[1] > used[2] == 0
    (nothing,) = path(alphas=[0.6], epochs=[5])
    assert nothing.solutions[0].objective == pytest.approx(1.0) and nothing.status == "optimal"


def test_the_estimator_says_where_it_stopped():
    with pytest.warns(UserWarning, match="stopped at a gap of .*: capped"):
        model = kernlearn.UFOMKLClassifier(n_epochs=2, C=100.0).fit(X, LABELS)
    exact = kernlearn.UFOMKLClassifier(n_epochs=2, C=100.0, finish="exact", tol=1e-4).fit(X, LABELS)
    assert model.gap_ > 0.1 and exact.gap_ <= 1e-4 and exact.objective_ < model.objective_
    assert exact.dual_objective_ >= model.dual_objective_
