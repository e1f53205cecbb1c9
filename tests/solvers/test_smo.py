"""Pairs and active sets: the programs of the homotopy and of OSQP, by another way, and on a part of the examples."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.svm import SVC

from kernlearn.errors import UserError
from kernlearn.kernels.matrices.rows import FunctionRows
from kernlearn.solvers import BAND_SOLVERS, BandSolver, KernelGram, OSQPBandSolver, SMOSolver, SVMSolver
from kernlearn.solvers.bands import working_set
from kernlearn.solvers.bands.active_set import follow_to_end
from kernlearn.solvers.bands.smo import minimise_pairs
from kernlearn.solvers.bands.working_set import Sizes
from tests.conftest import first_of
from tests.solvers import test_svm
from tests.solvers.conditions import kkt_violation
from tests.solvers.test_free_factor import of_single_precision
from tests.solvers.test_rmm import NAMES, check, instance, widths
from tests.solvers.test_svm import gram


def noise(n, seed=0):
    random = np.random.default_rng(seed)
    X = random.standard_normal((n, 5))
    return X, np.where(X[:, 0] * X[:, 1] + 0.5 * random.standard_normal(n) > 0, 1.0, -1.0)


def gaussian(X, Z):
    return np.exp(-0.3 * ((X[:, None] - Z[None]) ** 2).sum(axis=2))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("degree", [1, 3])
def test_every_width_is_that_of_the_homotopy(name, degree):
    K, y = instance(name, degree)
    for C in (0.1, 10.0):
        ours, homotopy = SMOSolver(K, y, 1e-9), BandSolver(K, y, 1e-9)
        svm = ours.solve(C)
        test_svm.check(svm, K, y, C)
        theta = homotopy.theta(C)
        assert ours.theta(C) == pytest.approx(theta, rel=1e-7)
        for B in widths(theta):
            one, other = ours.solve(C, B), homotopy.solve(C, B)
            assert one.status == other.status == "optimal"
            assert one.objective == pytest.approx(other.objective, rel=1e-9)
            check(one, K, y, C, B)
            assert kkt_violation(K, y, C, B, one.dual, one.intercept) <= 1e-8
        assert ours.fallbacks == 0  # it is not the homotopy that is compared with itself


@pytest.mark.parametrize("name", ["moons", "copies", "contradictory", "ties", "two points", "unbalanced"])
def test_the_three_ways_agree(name):
    K, y = instance(name, 3)
    ours, osqp = SMOSolver(K, y, 1e-9), OSQPBandSolver(K, y, 1e-9)
    for B in widths(ours.theta(1.0)):
        one, other = ours.solve(1.0, B), osqp.solve(1.0, B)
        assert one.objective == pytest.approx(other.objective, rel=1e-8)
        assert np.abs(K @ one.x + one.intercept).max() <= B * (1.0 + 1e-12)


@pytest.mark.parametrize("name", ["moons", "copies", "contradictory"])
def test_what_the_homotopy_had_to_solve_is_where_the_next_program_starts(name, monkeypatch):
    K, y = instance(name, 3)
    solver = SMOSolver(K, y, 1e-9)
    for step in ("finish", "follow_to_end"):
        monkeypatch.setattr(f"kernlearn.solvers.bands.working_set.{step}", lambda *_: None)
    svm = solver.solve(10.0)
    test_svm.check(svm, K, y, 10.0)
    one = solver.solve(10.0, 2.0)
    check(one, K, y, 10.0, 2.0)
    assert one.dual.shape == (3, len(y)) and kkt_violation(K, y, 10.0, 2.0, one.dual, one.intercept) <= 1e-8
    assert svm.status == one.status == "optimal" and solver.fallbacks == 2
    monkeypatch.undo()
    solver._svm_homotopy = solver._band_homotopy = None
    for B in (None, 2.0):
        again = solver.solve(10.0, B)
        assert again.iterations == 0 and again.status == "optimal" and solver.fallbacks == 2
    assert again.objective == pytest.approx(one.objective, rel=1e-10)


@pytest.mark.parametrize("name", NAMES)
def test_where_rounds_of_sets_do_not_end_a_homotopy_goes_on_from_the_pairs(name, monkeypatch):
    K, y = instance(name, 3)
    usual, other = SMOSolver(K, y, 1e-9), SMOSolver(K, y, 1e-9)
    for B in (None, *widths(usual.theta(10.0))):
        one = usual.solve(10.0, B)
        with monkeypatch.context() as patch:
            patch.setattr("kernlearn.solvers.bands.working_set.finish", lambda *_: None)
            two = other.solve(10.0, B)
        assert one.status == two.status == "optimal" and two.objective == pytest.approx(one.objective, rel=1e-9)
        np.testing.assert_allclose(K @ two.x + two.intercept, K @ one.x + one.intercept, atol=1e-5)
    assert other.fallbacks == 0 and other.followed == 5


@pytest.mark.parametrize("n, kind", [(399, BandSolver), (400, SMOSolver)])
def test_the_number_of_examples_tells_which_solver_is_taken(n, kind):
    X, y = noise(n)
    K = gaussian(X, X)
    solver = BAND_SOLVERS["auto"](K, y, 1e-9)
    assert type(solver) is kind
    other = (SMOSolver if kind is BandSolver else BandSolver)(K, y, 1e-9)
    for B in widths(solver.theta(1.0)):
        one, two = solver.solve(1.0, B), other.solve(1.0, B)
        assert one.status == two.status == "optimal" and one.objective == pytest.approx(two.objective, rel=1e-9)
        largest = np.abs(one.x).max()
        np.testing.assert_allclose(one.x, two.x, atol=1e-8 * largest)
    assert solver.fallbacks == other.fallbacks == 0


def test_pairs_alone_never_lose_and_come_to_libsvms_solution():
    K, y = instance("moons", 3)
    C, n = 10.0, len(y)
    oracle = SVC(kernel="precomputed", C=C, tol=1e-6).fit(K, y)
    for B, most in ((None, float(np.abs(oracle.dual_coef_).sum() - 0.5 * _square(oracle, K))), (2.0, None)):
        levels, targets = SMOSolver(K, y)._levels(C, B)
        zero = np.argmax(levels == 0.0, axis=1)
        u, g, sets, before = np.zeros(n), np.zeros(n), 2 * zero, 0.0
        for _ in range(5000):
            steps, top, low = minimise_pairs(K, K.diagonal().copy(), levels, targets, sets, u, g, 1e-6, 1)
            alpha = np.clip(y * u, 0.0, C)
            dual = alpha.sum() - (B or 0.0) * np.abs(y * u - alpha).sum() - 0.5 * u @ K @ u
            assert dual >= before - 1e-12 * abs(before) and abs(u.sum()) <= 1e-10
            before = dual
            if not steps:
                break
        assert top - low <= 1e-6
        np.testing.assert_allclose(g, K @ u, atol=1e-9)
        most = SMOSolver(K, y, 1e-9).solve(C, B).objective if most is None else most
        assert before == pytest.approx(most, rel=1e-6)


def _square(oracle, K):
    x = np.zeros(len(K))
    x[oracle.support_] = oracle.dual_coef_[0]
    return x @ K @ x


@pytest.mark.parametrize("make", [SMOSolver, BandSolver])
def test_warm_is_cold_whatever_the_order(make):
    K, y = instance("ties", 3)
    warm, free = make(K, y, 1e-9), [(1.0, None), (0.1, None)] if make is SMOSolver else []
    for C, B in [*free, (1.0, 3.0), (1.0, 1.2), (100.0, 1.5), (100.0, 6.0), (0.01, 1.1), *free, (1.0, 1.0001)]:
        found, cold = warm.solve(C, B), make(K, y, 1e-9).solve(C, B)
        assert found.objective == pytest.approx(cold.objective, rel=1e-9)
        np.testing.assert_allclose(K @ found.x, K @ cold.x, atol=1e-6)


@pytest.mark.parametrize("far", [0.15, np.inf])
def test_a_guess_of_the_sets_is_a_start_and_nothing_else(far, monkeypatch):
    monkeypatch.setattr(
        "kernlearn.solvers.bands.working_set.FAR", far
    )  # at most so far from the sets of before is it tried
    K, y = instance("ties", 3)
    usual, misled, random = SMOSolver(K, y, 1e-9), SMOSolver(K, y, 1e-9), np.random.default_rng(0)
    monkeypatch.setattr(misled, "_ahead", lambda C, B: random.integers(1, 6, len(usual._y)))
    for B in (6.0, 4.0, 3.0, 2.5, 2.6, 1.3, 1.01, 5.0):
        one, two = usual.solve(10.0, B), misled.solve(10.0, B)
        assert one.status == two.status == "optimal" and one.objective == pytest.approx(two.objective, rel=1e-10)
        np.testing.assert_allclose(K @ two.x + two.intercept, K @ one.x + one.intercept, atol=1e-8)
    assert usual.fallbacks == misled.fallbacks == 0


def test_pairs_come_first_where_the_guess_is_far(monkeypatch):
    X, y = noise(150)
    K, steps = gaussian(X, X), {}
    homotopy = BandSolver(K, y, 1e-9).solve(1.0, 1.05)
    for far in (0.15, np.inf):
        monkeypatch.setattr("kernlearn.solvers.bands.working_set.FAR", far)
        solver = SMOSolver(K, y, 1e-9)
        monkeypatch.setattr(solver, "_ahead", lambda C, B: np.full(len(y), 3))  # all are free: far away
        found = [solver.solve(1.0, B) for B in (1.6, 1.3, 1.05)]
        steps[far] = found[-1].iterations
        assert found[-1].objective == pytest.approx(homotopy.objective, rel=1e-9)
    assert steps[0.15] > 0 == steps[np.inf]


def test_of_a_matrix_in_memory_all_examples_are_in_the_working_set():
    X, y = noise(30)
    assert len(SMOSolver(gaussian(X, X), y)._set._members) == 30
    X, y = noise(3100)
    part = SMOSolver(KernelGram(FunctionRows(gaussian, X[:, :1])), y)
    assert len(part._set._members) < 3100


def test_the_line_through_two_solutions_tells_the_sets_of_the_next():
    """Without breaks between, the solution is on that line: one round, and its check, are enough."""
    K, y = instance("moons", 3)
    solver = SMOSolver(K, y, 1e-9)
    for B in (2.0, 2.0 - 1e-6, 2.0 - 2e-6):
        solution = solver.solve(10.0, B)
    assert (solver._ahead(10.0, 2.0 - 3e-6) == solver._band.sets).all() and solution.rounds == 1
    assert solver._ahead(10.0, 1.5) is None and solver._ahead(10.0, 3.0) is None


bands = pytest.mark.parametrize(("make", "B"), [(SMOSolver, None), (SMOSolver, 2.0), (BandSolver, 2.0)])


@bands
def test_the_order_of_the_examples_does_not_matter(make, B):
    K, y = instance("moons", 3)
    order = np.random.default_rng(3).permutation(len(y))
    one = make(K, y, 1e-9).solve(10.0, B)
    other = make(K[np.ix_(order, order)], y[order], 1e-9).solve(10.0, B)
    assert other.objective == pytest.approx(one.objective, rel=1e-10)
    assert other.intercept == pytest.approx(one.intercept, abs=1e-8)
    np.testing.assert_allclose(one.x[order], other.x, atol=1e-8 * np.abs(one.x).max())


@pytest.mark.parametrize("scale", [1e-8, 1e8])
@bands
def test_a_kernel_in_other_units_has_the_same_outputs(scale, make, B):
    K, y = instance("moons", 3)
    one = make(K, y, 1e-9).solve(10.0, B)
    other = make(scale * K, y, 1e-9).solve(10.0 / scale, B)
    np.testing.assert_allclose(scale * K @ other.x + other.intercept, K @ one.x + one.intercept, atol=1e-8)
    assert scale * other.objective == pytest.approx(one.objective, rel=1e-9)


@bands
def test_an_example_of_weight_3_is_three_of_it(make, B):
    K, y = instance("moons", 2)
    weights = np.where(np.arange(60) % 2, 3.0, 1.0)
    rows = np.repeat(np.arange(60), weights.astype(int))
    one = make(K, y, 1e-9, weights).solve(1.0, B)
    three = make(K[np.ix_(rows, rows)], y[rows], 1e-9).solve(1.0, B)
    assert one.objective == pytest.approx(three.objective, rel=1e-10)


@pytest.mark.parametrize("make", [SMOSolver, BandSolver])
@pytest.mark.parametrize("B", [1.0, 0.5, 0.0, -2.0])
def test_a_band_that_leaves_no_margin_is_refused(make, B):
    K, y = instance("moons", 1)
    with pytest.raises(UserError, match=r"B=.*use B > 1"):
        make(K, y).solve(1.0, B)


@pytest.mark.parametrize("most", [10**6, 60])
def test_a_part_of_the_examples_leads_to_the_solution_of_all(most):
    X, y = noise(250)
    K = gaussian(X, X)
    every, part = SMOSolver(K, y, 1e-9), SMOSolver(K, y, 1e-9, sizes=Sizes(0, most, first=40, part=1.0))
    part.solve(1.0)
    assert len(part._set._members) < 250
    for C, B in ((1.0, None), (1.0, 1.3), (1.0, 1.1), (50.0, None), (50.0, 1.5)):
        one, other = every.solve(C, B), part.solve(C, B)
        assert other.status == "optimal" and other.objective == pytest.approx(one.objective, rel=1e-9)
        np.testing.assert_allclose(K @ other.x + other.intercept, K @ one.x + one.intercept, atol=1e-6)


@pytest.mark.parametrize("B", [None, 1.3])
def test_a_set_of_many_examples_is_the_matrix_itself(B):
    X, y = noise(250)
    K = gaussian(X, X)
    part = SMOSolver(K, y, 1e-9, sizes=Sizes(0, first=40))
    assert len(part._set._members) == 40
    one, other = SMOSolver(K, y, 1e-9).solve(1.0, B), part.solve(1.0, B)
    assert part._set._K is K
    assert other.status == "optimal" and other.objective == pytest.approx(one.objective, rel=1e-9)
    np.testing.assert_allclose(K @ other.x + other.intercept, K @ one.x + one.intercept, atol=1e-6)


def test_rows_on_demand_are_rows_in_memory(monkeypatch):
    """With room for three rows of 250, and each of the calls small."""
    monkeypatch.setattr("kernlearn.solvers.core.gram.BLOCK", 7)
    X, y = noise(250)
    X, y = np.vstack([X, X[:30]]), np.concatenate([y, y[:15], -y[15:30]])  # copies, and contradictions
    shapes = []

    def function(X, Z):
        shapes.append((len(X), len(Z)))
        return gaussian(X, Z)

    K = gaussian(X, X)
    demand = SMOSolver(KernelGram(FunctionRows(function, X), 3 * 8 * 280), y, 1e-9, sizes=Sizes(0, first=40))
    memory = SMOSolver(K, y, 1e-9)
    for C, B in ((1.0, None), (1.0, 1.2), (10.0, 1.5)):
        one, other = memory.solve(C, B), demand.solve(C, B)
        assert other.status == "optimal" and other.objective == pytest.approx(one.objective, rel=1e-9)
        np.testing.assert_allclose(K @ other.x + other.intercept, K @ one.x + one.intercept, atol=1e-6)
    assert max(m * n for m, n in shapes) < 280**2  # never the whole matrix
    assert len(demand._gram._rows) <= 3


def test_of_numbers_beyond_double_precision_the_best_point_is_returned_without_a_matrix():
    X, y = noise(60)
    solver = SMOSolver(KernelGram(FunctionRows(lambda A, B: 1e9 * (A @ B.T), X)), y, 1e-12)
    solution = solver.solve(1e9)
    assert solution.status != "optimal" and np.isfinite(solution.gap)


@pytest.mark.parametrize("rank", ["low", "full"])
def test_an_svm_by_factors_of_single_precision_is_the_same(monkeypatch, rank):
    X, y = noise(300)
    K = X @ X.T if rank == "low" else gaussian(X, X)
    expected = SMOSolver(K, y, 1e-9).solve(1.0)
    made = []
    monkeypatch.setattr(
        working_set, "RefinedFactor", lambda *given: made.append(of_single_precision(*given)) or made[0]
    )
    solution = SMOSolver(K, y, 1e-9).solve(1.0)
    assert len(made) == 1 and (made[0]._used is made[0]._single) == (rank == "full")
    assert solution.status == "optimal" and solution.objective == pytest.approx(expected.objective, rel=1e-9)
    np.testing.assert_allclose(K @ solution.x + solution.intercept, K @ expected.x + expected.intercept, atol=1e-6)


def test_examples_that_are_all_at_one_level_have_a_solution_too():
    """A part of all, that is: nothing can move, and what is nearest to its target carries b."""
    X, _ = noise(6)
    K, C = gaussian(X, X), 0.1
    for y in (np.ones(6), -np.ones(6)):
        levels = np.column_stack([np.minimum(0.0, C * y), np.maximum(0.0, C * y)])
        for top in (0, 1):
            u = levels[:, top].copy()
            found = follow_to_end(K, 1.0, levels, y[:, None], u, np.full(6, 2 * top), C)
            assert found is not None and found.u == pytest.approx(u, abs=1e-12)
            f = K @ u + found.b
            assert (f >= y - 1e-9).all() if top == 0 else (f <= y + 1e-9).all()


@settings(max_examples=40, deadline=None)
@given(
    n=st.integers(4, 40),
    d=st.integers(1, 6),
    degree=st.integers(1, 5),
    levels=st.integers(2, 6),
    C=st.sampled_from([1e-3, 1.0, 100.0]),
    seed=st.integers(0, 10**6),
)
def test_random_programs_are_certified(n, d, degree, levels, C, seed):
    random = np.random.default_rng(seed)
    X, y = random.integers(levels, size=(n, d)) / levels, random.choice([-1.0, 1.0], size=n)
    y[:2] = [-1.0, 1.0]
    K = gram(X, degree)
    K /= np.diagonal(K).max()
    solver = SMOSolver(K, y)
    for B in (*widths(solver.theta(C)), 1.01, 5.0):
        check(solver.solve(C, B), K, y, C, B, tol=1e-6)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("degree", [1, 3])
def test_at_a_large_C_two_solvers_bound_each_other(name, degree):
    """An alpha of 1e6 is a multiple of 1e-10, and outputs are sums of dozens of them: gaps end between 1e-13 and 1e-8.

    An optimal value is between any value of (D) and any of (P), whoever found the two.
    """
    K, y = instance(name, degree)
    ours, svm, band = SMOSolver(K, y, 1e-9), SVMSolver(K, y, 1e-9), BandSolver(K, y, 1e-9)
    for B in (None, 1.5):
        one, other = ours.solve(1e6, B), svm.solve(1e6) if B is None else band.solve(1e6, B)
        assert one.gap <= 2e-8
        for value in (one, other):
            assert max(one.dual_objective, other.dual_objective) <= value.objective * (1.0 + 1e-10)


@pytest.mark.parametrize("make", [SMOSolver, BandSolver])
def test_numbers_beyond_double_precision_are_never_called_solved(make):
    """An indefinite matrix, and a C where rounding is larger than the losses."""
    random = np.random.default_rng(0)
    A, y = random.normal(size=(30, 30)), random.choice([-1.0, 1.0], 30)
    for K, C in ((A + A.T, 10.0), (A @ A.T, 1e18)):
        solver = make(K, y)
        for solution in (solver.solve(C, 1.5), *([solver.solve_priced(C, 0.1 * C)] if make is BandSolver else [])):
            assert solution.status == "inaccurate" or abs(solution.gap) <= 1e-6


def test_a_start_from_a_similar_matrix_leads_to_the_solution_in_fewer_steps():
    X, y = noise(500)
    y[:250] = np.sign(X[:250, 0])
    K, near = gaussian(X, X), gaussian(1.03 * X, 1.03 * X)
    start = SMOSolver(near, y).solve(1.0).dual
    for weights, C in ((None, 1.0), (np.where(np.arange(500) % 5, 1.0, 1.5), 1.0)):
        cold, warm = (SMOSolver(K, y, 1e-9, weights, Sizes(100), start=s) for s in (None, start))
        one, two = cold.solve(C), warm.solve(C)
        assert two.status == "optimal" and two.objective == pytest.approx(one.objective, rel=1e-9)
        assert two.iterations < one.iterations
        again = warm.solve(2.0 * C)
        assert again.objective == pytest.approx(cold.solve(2.0 * C).objective, rel=1e-8)


@pytest.mark.parametrize("B", [None, 1.5])
def test_of_a_kernel_that_is_0_the_bias_is_that_of_the_larger_class(B):
    y = np.array([1.0] * 3 + [-1.0] * 7)
    solution = SMOSolver(np.zeros((10, 10)), y, 1e-9).solve(10.0, B)
    assert (solution.status, solution.objective, solution.intercept) == (
        "optimal",
        pytest.approx(10.0 * 2.0 * 3),
        pytest.approx(-1.0),
    )


@pytest.mark.parametrize("degree", first_of([4, 3]))
def test_no_solution_is_worse_than_zero(degree):
    """Kernel values of 1e13 to 1e26: where rounding decides, the constant is what is left."""
    for seed in range(8):
        random = np.random.default_rng(seed)
        X = random.integers(-100, 200, (200, 1)).astype(float) * (10.0 if seed % 2 else 1.0)
        y = np.where((X[:, 0] > 50.0) ^ (random.random(200) < 0.3), 1.0, -1.0)
        solver = SMOSolver((X @ X.T + 1.0) ** degree, y)
        for C in (1e-4, 1.0, 1e4):
            solution = solver.solve(C)
            assert solution.objective <= solution.zero
            if not solution.x.any():
                assert C * np.maximum(0.0, 1.0 - y * solution.intercept).sum() == pytest.approx(solution.objective)


@pytest.mark.parametrize("make", [SMOSolver, SVMSolver])
def test_equal_examples_of_two_classes_are_solved_though_their_centred_matrix_is_rounding(make, capfd):
    """The optimum is f = 0, and its value 2 C times the number of the smaller class."""
    for seed in range(40):
        random = np.random.default_rng(seed)
        n, C = int(random.integers(5, 30)), 10.0 ** random.integers(-8, 2)
        X = np.repeat(random.standard_normal((1, 3)), n, axis=0)
        y = np.where(np.arange(n) < random.integers(1, n - 1), 1.0, -1.0)
        solution = make((X @ X.T + 1.0) ** int(random.integers(1, 5)), y).solve(C)
        assert solution.status == "optimal"
        assert solution.objective == pytest.approx(2.0 * C * min((y > 0).sum(), (y < 0).sum()), rel=1e-6)
    assert "illegal" not in "".join(capfd.readouterr())
