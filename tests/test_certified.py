"""The promise of the tables: every point of a grid is certified, by arithmetic that shares nothing with the solver."""

from itertools import permutations

import numpy as np
import pytest

from kernlearn.algorithms import ALGORITHMS, Problem, Signs
from kernlearn.datasets import load
from kernlearn.evaluation import PROTOCOLS
from kernlearn.kernels import COMPLEXITIES, GramStack, make_family
from kernlearn.kernels.matrices.columns import KernelColumns
from kernlearn.solvers import HINGE_SOLVERS, DualSimplexSolver, InteriorSolver
from tests.conftest import needs_originals

POWERS = [10.0**-i for i in range(7)]


def complexities(K, y, n_features, name):
    """r_k as printed, from the kernel matrices alone."""
    m = len(y)
    kappa2 = np.array([np.diagonal(matrix).max() for matrix in K])
    if name == "lemma3":
        return np.sqrt(kappa2) * np.sqrt([np.trace(matrix) for matrix in K]) / m
    d = np.cumprod([(n_features + k) / k for k in range(1, len(K) + 1)])  # C(N + k, k)
    return kappa2 * np.sqrt(d)


@pytest.mark.slow
@pytest.mark.parametrize("complexity", ["lemma3", "lemma4"])
@pytest.mark.parametrize("name", ["ionosphere", "pima", "musk", "breastcancer"])
def test_every_point_of_the_grid_in_every_split(name, complexity):
    data = load(name)
    X = data.X / np.linalg.norm(data.X, axis=1, keepdims=True)
    family = make_family("polynomial", degrees=range(1, 11), coef0=1.0)
    for split in PROTOCOLS["rotation5"].make(data.y, data.classes, seed=0):
        train, y = X[split.train], np.where(data.y[split.train] == 1, 1.0, -1.0)
        m = len(y)
        K = np.array([(train @ train.T + 1.0) ** k for k in range(1, 11)])
        r = complexities(K, y, X.shape[1], complexity)
        options = {"complexity": complexity, "lambdas": POWERS, "betas": POWERS}
        points = list(ALGORITHMS["vkr"].path(Problem(GramStack.train(family, train), Signs(y)), **options))
        assert len(points) == 49
        for point in points:
            a, u = point.predictor.coef[0], point.solutions[0].dual
            Lambda = point.values["lambda"] * r + point.values["beta"]
            margins = y * np.einsum("kij,kj->i", K, a)
            primal = np.maximum(0.0, 1.0 - margins).mean() + Lambda @ np.abs(a).sum(axis=1)
            violation = (np.abs(np.einsum("kij,i->kj", K, u * y)) / Lambda[:, None]).max()
            assert (u >= 0.0).all() and (u <= u.dtype.type(1) / m).all() and violation <= 1.0 + 1e-9
            dual = u.sum() / max(1.0, violation)
            assert -1e-12 <= (primal - dual) / primal <= 1e-8
            assert point.solutions[0].objective == pytest.approx(primal, rel=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "algorithm"), [("ionosphere", "vkr"), ("breastcancer", "vkr"), ("sonar", "l1_svm")])
def test_all_solvers_agree_on_every_point_of_the_grid(name, algorithm):
    data = load(name)
    X = data.X / np.linalg.norm(data.X, axis=1, keepdims=True)
    train = PROTOCOLS["rotation5"].make(data.y, data.classes, seed=0)[0].train
    y = np.where(data.y[train] == 1, 1.0, -1.0)
    stack = GramStack.train(make_family("polynomial", degrees=range(1, 11), coef0=1.0), X[train])
    options = {"betas": POWERS} | ({"complexity": "lemma3", "lambdas": POWERS} if algorithm == "vkr" else {})
    paths = (ALGORITHMS[algorithm].path(Problem(stack, Signs(y)), solver=solver, **options) for solver in HINGE_SOLVERS)
    for points in zip(*paths, strict=True):
        found = dict(zip(HINGE_SOLVERS, (point.solutions[0] for point in points), strict=True))
        assert all(point.values == points[0].values for point in points)
        assert all(found[name].gap <= 1e-9 for name in ("simplex", "interior"))
        for first, second in permutations(found.values(), 2):  # each bounds the others
            assert second.dual_objective <= first.objective + 1e-15


#: The data sets of table 1 of vkr2015: those that come with the project, and those whose files have to be there.
BUNDLED = ["breastcancer", "ionosphere", "pima", "musk"]
TABLE_1 = [*BUNDLED, *(pytest.param(name, marks=needs_originals) for name in ("climate", "german", "vertebral"))]


@pytest.mark.slow
@pytest.mark.parametrize("complexity", ["lemma3", "lemma4"])
@pytest.mark.parametrize("name", TABLE_1)
def test_interior_points_agree_with_the_simplex_method_on_the_problems_of_table_1(name, complexity):
    data = load(name)
    X = data.X / np.linalg.norm(data.X, axis=1, keepdims=True)
    train = PROTOCOLS["rotation5"].make(data.y, data.classes, seed=0)[0].train
    stack = GramStack.train(make_family("polynomial", degrees=range(1, 11), coef0=1.0), X[train])
    columns, r = KernelColumns(stack, np.where(data.y[train] == 1, 1.0, -1.0)), COMPLEXITIES[complexity](stack)
    simplex, interior = DualSimplexSolver(columns), InteriorSolver(columns)  # to 1e-9, and to 1e-4 without a vertex
    for lambda_, beta in ((1e-1, 1e-2), (1e-2, 1e-4), (1e-4, 1e-2), (0.0, 1e-2), (0.0, 1e-3)):
        cost = np.repeat((lambda_ * r + beta)[:, None], len(train), axis=1)
        exact, found = simplex.solve(cost), interior.solve(cost)
        assert exact.status == found.status == "optimal"
        assert found.dual_objective <= exact.objective * (1 + 1e-12) and exact.dual_objective <= found.objective
        assert found.objective == pytest.approx(exact.objective, rel=1.1e-4)


@pytest.mark.skipif(np.finfo(np.longdouble).eps > 1e-18, reason="this machine has no extended precision")
@pytest.mark.parametrize(
    ("name", "seed", "split"),
    [
        ("pima", 0, 4),
        pytest.param("vertebral", 3, 4, marks=needs_originals),
        pytest.param("german", 4, 4, marks=needs_originals),
    ],
)
def test_the_points_where_double_precision_cannot_tell_an_optimal_basis_from_another(name, seed, split):
    """Degree 10 and beta = 1e-6: coefficients of 1e3 on kernels of 1e3, whose sums are exact to 1e-9 at best."""
    data = load(name)
    X = data.X / np.linalg.norm(data.X, axis=1, keepdims=True)
    train = PROTOCOLS["rotation5"].make(data.y, data.classes, seed=seed)[split].train
    y = np.where(data.y[train] == 1, 1.0, -1.0)
    stack = GramStack.train(make_family("polynomial", degrees=[10], coef0=1.0), X[train])
    points = list(ALGORITHMS["l1_svm"].path(Problem(stack, Signs(y)), betas=POWERS))
    assert max(point.solutions[0].gap for point in points) <= 1e-9
    K, solution = stack.matrix(0).astype(np.longdouble), points[-1].solutions[0]
    a, u = (values.astype(np.longdouble) for values in (solution.x[0], solution.dual))
    primal = np.maximum(0.0, 1.0 - y * (K @ a)).mean() + 1e-6 * np.abs(a).sum()
    dual = u.sum() / max(1.0, (np.abs(K @ (u * y)) / 1e-6).max())
    assert primal == pytest.approx(solution.objective, rel=1e-14)
    assert 0.0 <= (primal - dual) / primal <= 1e-8  # the dual comes back rounded to double precision
