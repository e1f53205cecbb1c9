"""What rounds of interior points are made of, on made states: groups of examples, columns that come and go, bounds."""

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("numba")

from kernlearn.solvers.hinge_l1.columns import FAINT, columns, enlarged
from kernlearn.solvers.hinge_l1.parts import SETTINGS, DualPoint, Groups, PrimalDual, Program
from kernlearn.solvers.hinge_l1.round import Count, Round

FIRST_COLUMNS = SETTINGS.first_columns


def program_of(p, m, n, seed=0):
    """A program of p kernels, m examples that stand for one to three each, and n columns a kernel."""
    random = np.random.default_rng(seed)
    u, A = random.integers(1, 4, m).astype(float), random.standard_normal((p, n, m))
    return Program(
        u,
        random.uniform(0.5, 2.0, (p, n)),
        lambda k, j: A[k, j],
        lambda pi: A @ pi,
        lambda k, j, a: a @ A[k, j],
    )


def point_of(program, count=6, seed=1):
    """A point with some coefficients, and pi inside their bounds."""
    random = np.random.default_rng(seed)
    chosen = random.choice(program.limits.size, count, replace=False)
    k, j = np.unravel_index(chosen, program.limits.shape)
    a = random.standard_normal(count)
    return PrimalDual(k, j, a, program.margins(k, j, a), random.uniform(0.1, 0.9, len(program.u)) * program.u)


def round_of(program, near, **changed):
    """A round in the middle, with a bound that leaves the gap 0.1 unless another is asked for."""
    gap = changed.pop("gap", 0.1)
    pi = program.u * (1.0 - gap) * program.value_of(near) / program.u.sum()
    inside = DualPoint(pi, np.zeros_like(program.limits))
    last = Round.before(near, program.value_of(near), inside, np.inf, SETTINGS.values)
    size = last.size._replace(values=changed.pop("values", last.size.values))
    last = replace(last, size=size, count=Count(1, 0, changed.pop("failures", 0)), **changed)
    assert last.gap == pytest.approx(gap)
    return last


def test_a_group_counts_as_all_of_its_examples():
    program, margins = program_of(1, 60, 5), np.linspace(-1.0, 3.0, 60)
    groups, k, j = Groups.by(margins, np.abs(margins - 1.0), 10), np.zeros(5, int), np.arange(5)
    assert len(groups.alone) == 10 and len(groups.groups) == 2
    pi = np.random.default_rng(2).random(12)
    assert groups.rows(program, k, j) @ pi == pytest.approx(program.products(groups.expand_groups(pi, program.u))[0])
    assert groups.expand_groups(groups.sums(program.u), program.u) == pytest.approx(program.u)


def test_examples_whose_pi_do_not_fit_to_their_margins_stand_alone():
    margins = np.linspace(-1.0, 3.0, 400)
    shares = np.where(margins < 1.0, 1.0, 0.0)
    shares[[0, 399]] = 0.5
    shares[[1, 398]] = 0.6, 0.4  # nearer to the right bound
    alone = Groups.by(margins, Groups.distances(margins, shares), 40).alone
    assert {0, 399} < set(alone) and not {1, 398} & set(alone)


@pytest.mark.parametrize("faint", [1.0, 0.1])
def test_the_columns_of_the_first_round_are_those_nearest_to_their_bounds(faint):
    program = program_of(2, 30, 2 * FIRST_COLUMNS)
    inside = DualPoint(0.1 * program.u, np.zeros((2, 2 * FIRST_COLUMNS)))
    first = Round.before(PrimalDual.origin(program.u), program.u.sum(), inside, 1.0, SETTINGS.values)
    ratios = np.random.default_rng(0).random((2, 2 * FIRST_COLUMNS))
    _, j, a = columns(first, program, enlarged(ratios, FIRST_COLUMNS))
    assert set(j) == set(np.argsort(ratios.max(axis=0))[-FIRST_COLUMNS:]) and not a.any()
    ratios = np.zeros((2, 2 * FIRST_COLUMNS))
    ratios[0, :3] = 1.0, 1.0, faint * FAINT
    assert len(columns(first, program, enlarged(ratios, FIRST_COLUMNS))[0]) == (2 if faint < 0.5 else 3)


def test_columns_come_that_are_next_to_their_bounds_and_those_far_from_them_go():
    program = program_of(2, 30, 40)
    near = point_of(program)
    a = np.where(np.arange(6) == 5, 1e-9, 1e-3 * near.a)  # the last costs little, and is worth little
    near = replace(near, a=a, margins=program.margins(near.k, near.j, a))
    ratios = np.full((2, 40), 0.5)
    ratios[near.k, near.j] = [0.95, 0.95, 0.95, 0.95, 0.95, 0.3]
    new = next(j for j in range(40) if j not in near.j)
    ratios[1, new] = 0.97
    k, j, a = columns(round_of(program, near), program, ratios)
    assert set(zip(k.tolist(), j.tolist(), strict=True)) == {*zip(near.k[:5], near.j[:5], strict=True), (1, new)}
    assert (a[:5] == near.a[:5]).all() and a[5] == 0.0
    for kept in (round_of(program, near, ahead=False), round_of(program, near, failures=1)):
        assert len(columns(kept, program, ratios)[0]) == 7  # none goes where rounds get nowhere


def test_a_column_far_from_its_bound_stays_if_it_is_dear_or_worth_more_than_the_gap():
    program = program_of(1, 30, 40)
    program = program._replace(limits=0.01 * program.limits)
    k, j = np.zeros(6, int), np.arange(6)
    a = 0.02 * np.sign(program.products(program.u)[k, j])  # all are worth their cost
    near = PrimalDual(k, j, a, program.margins(k, j, a), 0.5 * program.u)
    costs = program.limits[k, j] * np.abs(a)
    cheap, dear = int(costs.argmin()), int(costs.argmax())
    rest = np.arange(6) != cheap
    rise = program.value(k[rest], j[rest], a[rest], program.margins(k[rest], j[rest], a[rest])) / program.value_of(near)
    assert rise > 1.0
    for far, gap, stay in ((cheap, 0.5 * (rise - 1.0), 6), (cheap, 2.0 * (rise - 1.0), 5), (dear, 0.4, 6)):
        ratios = np.zeros((1, 40))
        ratios[0, :6] = 0.95
        ratios[0, far] = 0.0
        assert len(columns(round_of(program, near, gap=gap), program, ratios)[0]) == stay


def test_while_the_gap_is_wide_columns_double_and_none_goes():
    program = program_of(1, 30, 200)._replace(settings=replace(SETTINGS, min_new_columns=2))
    near, ratios = point_of(program, count=10), np.full((1, 200), 0.7)
    ratios[near.k, near.j] = 0.01
    assert len(columns(round_of(program, near, gap=0.8), program, ratios)[0]) == 20
    assert len(columns(round_of(program, near, gap=0.8, values=15 * 30), program, ratios)[0]) == 15
    half = point_of(program, count=100)
    assert len(columns(round_of(program, half, gap=0.8), program, ratios)[0]) == 200  # all come, where all have room


def test_a_feasible_point_goes_towards_others_and_never_loses():
    random = np.random.default_rng(0)
    A = random.standard_normal((2, 40, 30))
    shares = lambda pi: np.einsum("kij,i->kj", A, pi) / 5.0  # noqa: E731
    inside = DualPoint.of(np.full(40, 0.5), shares(np.full(40, 0.5)))
    for pi in random.uniform(0.0, 1.0, (20, 40)):
        before, inside = inside, inside.towards(pi, shares(pi))
        assert inside.sum >= max(before.sum, DualPoint.of(pi, shares(pi)).sum)
        np.testing.assert_allclose(inside.shares, shares(inside.pi), atol=1e-12)
        assert np.abs(inside.shares).max() <= 1.0 + 1e-12 and (inside.pi >= 0.0).all() and (inside.pi <= 1.0).all()


def test_bounds_that_no_pi_reaches_do_not_raise_the_others():
    """Those of a kernel of tiny values may be a thousand million times as large, and more than half of all."""
    program = program_of(2, 30, 8)
    program = program._replace(limits=np.stack([np.full(8, 1e-3), np.full(8, 1e15)]))
    assert (program.raised().limits == program.limits).all()
    flat = program._replace(limits=np.stack([np.zeros(8), np.full(8, 2.0)])).raised().limits
    assert (flat[0] > 0.0).all() and (flat[0] < 1e-3).all() and (flat[1] == 2.0).all()
