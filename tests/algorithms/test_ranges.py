"""The linear programs at the ends of what floating point numbers can hold, and in the corners of their definition."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog
from sklearn.exceptions import ConvergenceWarning

from kernlearn import L1SVMClassifier, VKRClassifier
from kernlearn.algorithms import ALGORITHMS, Problem, Signs
from kernlearn.algorithms.margin.vkr import solve_vkr
from kernlearn.certificates import relative_gap
from kernlearn.datasets import load
from kernlearn.kernels import COMPLEXITIES, GramStack, make_family
from kernlearn.kernels.matrices.columns import KernelColumns
from kernlearn.solvers import HINGE_SOLVERS
from tests.conftest import first_of, moons, needs_originals


def polynomials(X, degrees, coef0=1.0):
    return GramStack.train(make_family("polynomial", degrees=degrees, coef0=coef0), X)


def require_proof(solution, stack, y, Lambda):
    """Hold a solution against its problem: objectives from the matrices alone, feasibility, the status."""
    K = np.stack([stack.matrix(k) for k in range(len(stack))])
    a, u, m = solution.x, solution.dual, len(y)
    assert np.isfinite(a).all() and (u >= 0).all() and (u <= u.dtype.type(1) / m).all()
    f = np.einsum("kij,kj->i", K.astype(np.longdouble), a)
    rounding = 1e-13 * np.einsum("kij,kj->i", np.abs(K), np.abs(a)).max()  # of terms that cancel
    primal = float(np.maximum(0, 1 - y * f).mean() + Lambda @ np.abs(a).sum(axis=1))
    assert primal == pytest.approx(solution.objective, rel=1e-9, abs=rounding)
    taken = float(u.sum()) - solution.dual_objective  # from the bound, where the rounding of outputs is worth something
    assert -1e-12 * solution.dual_objective <= taken <= rounding + 1e-12 * solution.dual_objective
    prices = np.abs(np.einsum("kij,i->kj", K.astype(np.longdouble), u * y)).max(axis=1)
    sizes = np.einsum("kij,i->kj", np.abs(K), u).max(axis=1)
    assert (prices <= Lambda * (1 + 1e-12) + 1e-14 * sizes).all()
    assert (solution.status == "optimal") == (solution.gap <= 1e-9)


def require_agreement(stack, y, r, lambda_, beta):
    """Solve by both solvers; each has to bound the other. Return the solutions."""
    columns, Lambda = KernelColumns(stack, y), lambda_ * np.asarray(r) + beta
    solutions = [solve_vkr(stack, y, r, lambda_, beta, solver=solver(columns)) for solver in HINGE_SOLVERS.values()]
    for one in solutions:
        require_proof(one, stack, y, Lambda)
        for other in solutions:
            assert relative_gap(other.objective, one.dual_objective, 1.0) >= -1e-9  # rounding: coefficients may be 1e6
    return solutions


@pytest.mark.parametrize("degrees", first_of([[10], range(1, 11)]), ids=["one", "ten"])
@pytest.mark.parametrize("name", ["pima", "musk", pytest.param("german", marks=needs_originals)])
def test_features_as_they_are_to_the_power_of_ten(name, degrees):
    """Kernels of 1e45 to 1e67. A penalty that grows with them is solved; one that does not says what it misses."""
    data = load(name)
    y = np.where(data.y[:120] == 1, 1.0, -1.0)
    stack = polynomials(data.X[:120], degrees)
    assert max(stack.matrix(k).max() for k in range(len(stack))) > 1e45
    r = COMPLEXITIES["lemma3"](stack)
    for strength in (1.0, 1e-3, 1e-6):
        for solution in require_agreement(stack, y, r, strength, strength):
            assert solution.status == "optimal"
        for solution in require_agreement(stack, y, r, 0.0, strength):
            assert solution.objective <= 1e-6  # beside such kernels the penalty is nothing


def test_one_huge_degree():
    X, y = moons(40)
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    stack = polynomials(X, [100])
    r = COMPLEXITIES["lemma3"](stack)
    assert r[0] > 1e28
    for strength in (1.0, 1e-3, 1e-6):
        assert all(s.status == "optimal" for s in require_agreement(stack, y, r, strength, 0.0))


def corners():
    X, y = moons(30)
    X /= np.abs(X).max()
    yield "two examples", X[:2], np.array([1.0, -1.0]), [1, 2]
    yield "two equal examples", X[[0, 0]], np.array([1.0, -1.0]), [1, 2]
    yield "one class", X, np.ones(30), [1, 2]
    yield "every example three times", np.tile(X, (3, 1)), np.tile(y, 3), [1, 3]
    yield "every example with both labels", np.tile(X, (2, 1)), np.concatenate([y, -y]), [1, 3]


@pytest.mark.parametrize(("name", "X", "y", "degrees"), list(corners()), ids=lambda v: v if isinstance(v, str) else "")
@pytest.mark.parametrize(("lambda_", "beta"), [(0.0, 1e-3), (1e-2, 0.0), (1e-6, 1e-6), (10.0, 10.0)])
def test_corners(name, X, y, degrees, lambda_, beta):
    stack = polynomials(X, degrees)
    for solution in require_agreement(stack, y, COMPLEXITIES["lemma3"](stack), lambda_, beta):
        assert solution.status == "optimal"


@pytest.mark.parametrize("penalty", [0.0, 0.1])
def test_a_kernel_that_is_zero_everywhere(penalty):
    X, y = moons(20)
    for solution in require_agreement(polynomials(0 * X, [1, 2], coef0=0.0), y, [1.0, 1.0], 0.0, penalty):
        assert solution.objective == solution.dual_objective == 1.0 and not solution.x.any()


def test_no_penalty_at_all(small):
    """lambda = beta = 0: the smallest mean hinge loss is 0 where the kernels can separate the examples."""
    _, y, _ = small
    X = np.random.default_rng(0).standard_normal((60, 3))
    stack = GramStack.train(make_family("gaussian", gammas=[10.0, 100.0]), X)
    for solution in require_agreement(stack, y, [1.0, 1.0], 0.0, 0.0):
        assert solution.objective <= 1e-9 and solution.status == "optimal"


@pytest.mark.parametrize(
    ("x", "signs", "degree", "best"),
    [
        ([1, 1, 0, -1, -2, 1, 2, -1, 1], [1, 1, 1, 1, 1, -1, 1, -1, 1], 6, 4 / 9),
        ([1, -2, -2, -1, 2, 0, 2], [-1, -1, 1, -1, 1, -1, 1], 2, 2 / 7),
    ],
)
def test_no_penalty_and_contradictory_labels(x, signs, degree, best):
    """The best mean loss is that of the contradictions; no dual point but of equal pi for these proves it."""
    stack = polynomials(0.1 * np.array(x, dtype=float)[:, None], [degree])
    solution = solve_vkr(stack, np.array(signs, dtype=float), [1.0], 0.0, 0.0)
    assert solution.objective == pytest.approx(best, rel=1e-6)
    assert (solution.status == "optimal") == (solution.gap <= 1e-9) and solution.dual_objective <= best * (1 + 1e-12)


@pytest.mark.parametrize("solver", sorted(HINGE_SOLVERS))
def test_the_order_in_which_a_grid_is_written_changes_nothing(solver, small):
    stack, y, _ = small
    options = {"complexity": "lemma3", "solver": solver}
    one = ALGORITHMS["vkr"].path(Problem(stack, Signs(y)), lambdas=[0.1, 1e-3, 1.0], betas=[1e-4, 1e-2], **options)
    other = ALGORITHMS["vkr"].path(Problem(stack, Signs(y)), lambdas=[1e-3, 1.0, 0.1], betas=[1e-2, 1e-4], **options)
    for first, second in zip(one, other, strict=True):
        assert first.values == second.values
        np.testing.assert_array_equal(first.predictor.coef, second.predictor.coef)


@pytest.mark.parametrize("solver", first_of(sorted(HINGE_SOLVERS)))
def test_warm_equals_cold_on_every_point_of_a_grid(solver, small):
    stack, y, columns = small
    powers = [10.0**-i for i in range(7)]
    r = COMPLEXITIES["lemma3"](stack)
    for point in ALGORITHMS["vkr"].path(
        Problem(stack, Signs(y)), complexity="lemma3", lambdas=powers, betas=powers, solver=solver
    ):
        cold = solve_vkr(
            stack, y, r, point.values["lambda"], point.values["beta"], solver=HINGE_SOLVERS[solver](columns)
        )
        assert point.solutions[0].objective == pytest.approx(cold.objective, rel=1e-9)


def test_coordinate_descent_is_never_below_the_linear_program(small):
    stack, y, columns = small
    powers = [1.0, 1e-1, 1e-2, 1e-3]
    options = {"complexity": "lemma3", "lambdas": powers, "betas": powers}
    exact = ALGORITHMS["vkr"].path(Problem(stack, Signs(y)), **options)
    descent = ALGORITHMS["vkr"].path(Problem(stack, Signs(y)), method="cd", max_iter=200, **options)
    r, proved = COMPLEXITIES["lemma3"](stack), 0
    for one, other in zip(exact, descent, strict=True):
        best, found = one.solutions[0], other.solutions[0]
        assert best.dual_objective <= found.objective and found.dual_objective <= best.objective * (1 + 1e-12)
        if found.status == "optimal":
            require_proof(found, stack, y, one.values["lambda"] * r + one.values["beta"])
            assert found.objective == pytest.approx(best.objective, rel=3e-9)
            proved += 1
    assert 0 < proved < len(powers) ** 2


@pytest.mark.slow
@settings(max_examples=80, deadline=None)
@given(st.data())
def test_any_shape_and_scale(data):
    """Features of a few values (copies, ties, zeros) times a scale, against both solvers and a plain program."""
    m, d = data.draw(st.integers(2, 9)), data.draw(st.integers(1, 3))
    X = np.array(data.draw(st.lists(st.integers(-2, 2), min_size=m * d, max_size=m * d)), dtype=float).reshape(m, d)
    y = np.array(data.draw(st.lists(st.sampled_from([-1.0, 1.0]), min_size=m, max_size=m)))
    scale = data.draw(st.sampled_from([0.1, 1.0, 1e2]))
    degrees = data.draw(st.lists(st.integers(1, 6), min_size=1, max_size=3, unique=True))
    lambda_, beta = (data.draw(st.sampled_from([0.0, 1e-6, 1e-3, 0.1, 1.0])) for _ in range(2))
    stack = polynomials(X * scale, degrees)
    r = COMPLEXITIES["lemma3"](stack)
    solutions = require_agreement(stack, y, r, lambda_, beta)
    A = np.hstack([y[:, None] * stack.matrix(k) for k in range(len(stack))])
    cost = np.repeat(lambda_ * r + beta, m) / np.abs(A).max(axis=0)  # no column is 0: coef0 is 1
    A = A / np.abs(A).max(axis=0)
    if scale <= 1.0:  # entries that are farther apart are beyond the plain program
        c = np.concatenate([cost, cost, np.full(m, 1 / m)])
        tight = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
        for options in (tight, tight | {"presolve": False}):  # presolve now and then calls this program unbounded
            result = linprog(c, A_ub=-np.hstack([A, -A, np.eye(m)]), b_ub=-np.ones(m), method="highs", options=options)
            if result.status == 0:
                break
        assert result.status == 0
        assert solutions[0].objective == pytest.approx(result.fun, rel=1e-6, abs=1e-6)
    if cost.min() >= 1e-7:  # a dual point that meets smaller limits to 1e-9 is below the resolution of its sums
        assert solutions[0].status == "optimal"


@pytest.mark.parametrize("estimator", [VKRClassifier(lambda_=0.0, beta=0.0, degrees=[1]), L1SVMClassifier(beta=0.0)])
def test_a_penalty_of_nothing_ends_with_what_to_do_about_it(estimator):
    """Where labels contradict each other no bound but 0 is feasible: one line says so, and no other warning."""
    X, y = moons(40)
    X, y = np.vstack([X, X[:9]]), np.append(y, -y[:9])
    with pytest.warns(ConvergenceWarning, match="inaccurate; scale the features, or raise the penalty") as told:
        estimator.fit(X + 1e3, y)
    assert [warning.category for warning in told] == [ConvergenceWarning]
