"""The methods against independent oracles and against each other."""

from functools import partial

import numpy as np
import pytest
from scipy.optimize import linprog

import kernlearn
from kernlearn.algorithms import ALGORITHMS, REDUCTIONS, Classes, Problem, Reals, Signs
from kernlearn.algorithms.core.method import KERNELS
from kernlearn.algorithms.margin.vkr import solve_vkr
from kernlearn.kernels import COMPLEXITIES, GramStack, make_family
from kernlearn.kernels.matrices.columns import KernelColumns
from kernlearn.solvers import HighsSolver
from tests.conftest import moons


def some(parameter):
    """Of a grid two values, not in its order; of anything else what it is by default."""
    if not parameter.single or parameter.default is None:
        return parameter.default
    values = sorted(parameter.default)
    return values[-2:0:-2][:2] or values


#: What every method of kernels is tried with.
VALUES = {
    name: {key: some(parameter) for key, parameter in method.parameters.items()}
    for name, method in ALGORITHMS.items()
    if method.inputs == KERNELS and not method.universum  # tests/algorithms/test_u_svm.py
}
#: Every such method with every task that it can do.
TASKS = [(name, task) for name in sorted(VALUES) if ALGORITHMS[name].always_optimal for task in ALGORITHMS[name].tasks]


def path_of(name, task, stack, y):
    """Return the algorithm, its grid and the points of its path; labels +-1 are real targets too."""
    algorithm, values = ALGORITHMS[name], VALUES[name]
    problem = Problem(stack, target_of(algorithm, task, y))
    return algorithm, algorithm.points(stack.family, task, values), list(algorithm.path(problem, **values))


def target_of(algorithm, task, y):
    """Return real labels, or labels +-1, as what an algorithm learns in a task."""
    if task == "regression":
        return Reals(y)
    return Classes((y > 0).astype(int), 2) if algorithm.joint else Signs(y)


def vkr_by_linprog(stack, y, Lambda):
    """Problem (1) in the variables a+, a-, xi, with the printed sign convention y_i y_j K(x_i, x_j)."""
    m = len(y)
    blocks = [np.outer(y, y) * stack.matrix(k) for k in range(len(stack))]
    A = np.hstack([-np.hstack(blocks), np.hstack(blocks), -np.eye(m)])
    penalty = np.repeat(Lambda, m)
    result = linprog(np.concatenate([penalty, penalty, np.full(m, 1 / m)]), A_ub=A, b_ub=-np.ones(m), method="highs")
    assert result.status == 0
    a = (result.x[: penalty.size] - result.x[penalty.size : 2 * penalty.size]).reshape(len(stack), m)
    return result.fun, a * y  # multiplied by y_j: coefficients of K(x, x_j)


@pytest.mark.parametrize(("lambda_", "beta"), [(0.0, 0.01), (0.01, 0.0), (0.1, 0.01), (1e-3, 1e-4)])
def test_estimator_objective_equals_an_independent_linear_program(small, lambda_, beta):
    stack, y, _ = small
    X, y = moons(60)
    X /= np.abs(X).max()
    model = kernlearn.VKRClassifier(degrees=[1, 2, 3, 4], lambda_=lambda_, beta=beta).fit(X, y)
    value, _ = vkr_by_linprog(stack, y, lambda_ * COMPLEXITIES["lemma3"](stack) + beta)
    assert model.objective_ == pytest.approx(value, rel=1e-7)
    assert 0 <= model.gap_ + 1e-13 <= 1e-9


def test_predictions_do_not_depend_on_the_sign_convention(small):
    stack, y, _ = small
    Lambda = 0.05 * COMPLEXITIES["lemma3"](stack) + 0.01
    _, a = vkr_by_linprog(stack, y, Lambda)
    ours = stack.expand(solve_vkr(stack, y, Lambda, 1.0, 0.0).x)
    printed = stack.expand(a)
    assert (np.sign(ours) == np.sign(printed)).all()
    np.testing.assert_allclose(ours, printed, atol=1e-6)


def test_without_lambda_it_is_the_norm_1_svm_over_all_kernels(small):
    stack, y, _ = small
    m = len(y)
    all_kernels = np.hstack([y[:, None] * stack.matrix(k) for k in range(len(stack))])
    c = np.concatenate([np.full(2 * all_kernels.shape[1], 0.01), np.full(m, 1 / m)])
    A = np.hstack([-all_kernels, all_kernels, -np.eye(m)])
    norm1 = linprog(c, A_ub=A, b_ub=-np.ones(m), method="highs").fun
    for complexity in COMPLEXITIES.values():
        assert solve_vkr(stack, y, complexity(stack), 0.0, 0.01).objective == pytest.approx(norm1, rel=1e-7)


def test_one_kernel_without_lambda_is_the_l1_svm(small):
    stack, y, _ = small
    for k in range(len(stack)):
        single = stack.select(k)
        vkr = solve_vkr(single, y, [5.0], 0.0, 0.02)
        (l1,) = ALGORITHMS["l1_svm"].path(Problem(single, Signs(y)), betas=[0.02])
        assert vkr.objective == pytest.approx(l1.solutions[0].objective, rel=1e-9)


def test_two_equal_kernels_share_the_cheaper_penalty(small):
    """With the kernel twice, r and 3r, the dearer copy is of no use."""
    stack, y, _ = small
    single = stack.select(1)
    twice = GramStack.train(make_family("gaussian", gammas=[1.0, 1.0 + 1e-15]), moons(60)[0])
    once = twice.select(0)
    dear = solve_vkr(twice, y, [1.0, 3.0], 0.01, 0.0)
    assert dear.objective == pytest.approx(solve_vkr(once, y, [1.0], 0.01, 0.0).objective, rel=1e-9)
    assert not dear.x[1].any() and single.shape[0] == 1


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("name", "task"), TASKS)
def test_paths_follow_their_grid_and_recompute(name, task, small):
    stack, y, _ = small
    algorithm, grid, points = path_of(name, task, stack, y)
    assert [point.values for point in points] == grid
    for point in points:
        assert point.predictor.outputs(stack).shape == (1, len(y))
        assert point.solutions[0].gap <= algorithm.resolve_auto(len(y), VALUES[name]).get("tol", 1e-9)
        assert point.status == "optimal"


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("name", "task"), TASKS)
def test_grids_begin_with_the_strongest_penalty(name, task, small):
    stack, y, _ = small
    _, _, points = path_of(name, task, stack, y)
    sizes = [np.abs(point.predictor.coef).sum() for point in points]
    if len(points) == len(stack):  # a point for every kernel: no penalty
        return
    assert sizes[0] <= sizes[1] * (1 + 1e-9) and sizes[0] < sizes[-1]  # the first two differ in beta, C or lambda alone


def test_one_vs_rest_runs_in_step(small):
    stack, _, _ = small
    y = np.arange(60) % 3
    path = partial(ALGORITHMS["l1_svm"].path, **VALUES["l1_svm"])
    joined = list(REDUCTIONS["one_vs_rest"](path, Problem(stack, Classes(y, 3))))
    for c in range(3):
        alone = list(path(Problem(stack, Signs(np.where(y == c, 1.0, -1.0)))))
        for point, single in zip(joined, alone, strict=True):
            np.testing.assert_array_equal(point.predictor.coef[c], single.predictor.coef[0])


def test_columns_are_the_signed_kernel_matrices(small):
    stack, y, columns = small
    dense = np.stack([y[:, None] * stack.matrix(k) for k in range(len(stack))])
    rng = np.random.default_rng(0)
    v, coef = rng.normal(size=60), rng.normal(size=(4, 60))
    np.testing.assert_allclose(columns.price(v), np.einsum("kij,i->kj", dense, v))
    np.testing.assert_allclose(columns.apply(coef), np.einsum("kij,kj->i", dense, coef))
    np.testing.assert_allclose(columns.scales(), np.abs(dense).max(axis=1))
    k, j = np.array([2, 0, 2]), np.array([5, 7, 1])
    np.testing.assert_array_equal(columns.take(k, j), dense[k, :, j])


def test_a_solver_on_other_columns_gives_the_same_value_warm(small):
    stack, y, _ = small
    r = COMPLEXITIES["lemma3"](stack)
    solver = HighsSolver(KernelColumns(stack, y))
    for lambda_, beta in [(1.0, 0.1), (1e-3, 1e-3), (0.1, 1e-4)]:
        warm = solve_vkr(stack, y, r, lambda_, beta, solver=solver)
        assert warm.objective == pytest.approx(solve_vkr(stack, y, r, lambda_, beta).objective, rel=1e-9)
