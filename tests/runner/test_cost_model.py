"""What the cost of a cell is made of, against numbers worked out by hand, and constants that a fit finds again."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kernlearn.memory import MB
from kernlearn.runner.plan import cost
from kernlearn.runner.plan.cost import DISTANCE, EXPONENTIAL, Constants, Cost, base_seconds, read_constants
from kernlearn.runner.plan.sizes import Size

#: A hundred examples of ten features in an array of 8 kB, three kernels, four grid points.
SIZE = Size(
    trains=(100,),
    measured=50,
    d=10.0,
    data=8e3,
    reading=0.0,
    p=3,
    width=1,
    points=4,
    problems=(1.0,),
    joint=False,
    matrices=False,
    features=False,
)
METHOD = Constants(100, square=3, stack=2, kept=0, features=0, products=0, seconds=2, n=2, p=0.5, points=1)
#: Four copies of the data, the base between all examples, and two matrices to those that are measured.
DATA = 4 * 8e3 + 8 * 100 * 150 + 2 * 8 * 50 * 100


def peak(size=SIZE, **changed):
    return Cost(size, {"": replace(METHOD, **changed)}).peak - 100 * MB


def seconds(size=SIZE, **changed):
    known = Cost(size, {"": replace(METHOD, **changed)})
    return known.cpu_seconds - base_seconds(size)


def test_the_peak_is_a_sum_of_arrays():
    assert peak(stack=0) == pytest.approx(DATA + 3 * 8 * 100**2)
    assert peak() == pytest.approx(DATA + 2 * 8 * 3 * 100**2)  # two stacks while kernels are centred
    assert peak(square=10) == pytest.approx(DATA + 8 * 3 * 100**2 + 10 * 8 * 100**2)  # then one, and what solves
    assert peak(replace(SIZE, reading=1e7)) == pytest.approx(1e7)


def test_pairs_of_classes_have_matrices_of_their_own():
    pairs = replace(SIZE, problems=(0.5, 0.5, 0.5))
    assert peak(pairs, stack=0) == pytest.approx(DATA + 3 * 0.25 * 3 * 8 * 100**2 + 3 * 8 * 50**2)
    wide = replace(SIZE, width=2)
    kept = 8 * 3 * 100 * 50  # kernels between training and measured examples
    assert peak(wide, stack=0) == pytest.approx(DATA + 8 * 100 * 150 + kept + 3 * 8 * 100**2)


def test_weaker_penalties_let_columns_in():
    streamed = replace(SIZE, held=0.0)
    assert streamed.streamed
    held = [peak(replace(streamed, penalty=penalty), square=0, features=5, columns=0.5) for penalty in (1e-3, 1e-5)]
    assert held[1] - held[0] == pytest.approx(9 * 5 * 8 * 1000 * 100)


def test_exponentials_that_are_not_held_are_computed_in_passes():
    streamed = replace(SIZE, held=0.0, exponentials=3)
    usual = seconds(replace(streamed, exponentials=0), passes=12)
    assert seconds(streamed, passes=0) == seconds(SIZE, passes=12) == pytest.approx(usual)
    assert seconds(streamed, passes=12) == pytest.approx(usual + 12 * 4 * 100**2 * (DISTANCE + 3 * EXPONENTIAL))
    strong, stronger = (seconds(replace(streamed, penalty=penalty), penalty=0.5) for penalty in (1e-3, 1.0))
    assert strong == stronger < seconds(replace(streamed, penalty=1e-4), penalty=0.5)


def test_the_time_is_a_product_of_powers():
    usual = 2 * (100 / 1000) ** 2 * (3 / 10) ** 0.5 * (4 / 10)
    assert seconds() == pytest.approx(usual)
    assert seconds(replace(SIZE, trains=(100, 50))) == pytest.approx(1.25 * usual)  # another path on half as many
    assert seconds(replace(SIZE, problems=(1.0, 0.5))) == pytest.approx(1.25 * usual)
    assert seconds(replace(SIZE, tol_factor=0.01), tol=0.5) == pytest.approx(10 * usual)
    assert seconds(replace(SIZE, penalty=1e-5), penalty=0.5) == pytest.approx(10 * usual)
    assert seconds(replace(SIZE, differ=0.1), once=1) == pytest.approx(usual / 100)
    assert seconds(replace(SIZE, differ=0.1)) == pytest.approx(usual)


def test_the_base_of_the_kernels_takes_its_products():
    once = base_seconds(SIZE)
    assert once > 0.0 and base_seconds(replace(SIZE, features=True)) == 0.0
    assert base_seconds(replace(SIZE, d=30.0, measured=200)) == pytest.approx(6 * once)


def test_the_range_is_that_of_easy_and_hard_data():
    known = Cost(SIZE, {"": replace(METHOD, easy=0.5, hard=3.0)})
    assert known.span == pytest.approx((0.5 * known.cpu_seconds, 3.0 * known.cpu_seconds))


def measured(bench, true):
    """What cells of several sizes would take if the constants were true."""
    for n, p, points, looser, penalty in np.ndindex(2, 2, 2, 2, 2):
        size = replace(
            SIZE,
            trains=(20_000 * (1 + n),),
            p=3 * (1 + p),
            points=4 * (1 + points),
            tol_factor=10.0**-looser,
            penalty=10.0 ** -(3 + penalty),
            held=0.0,
        )
        taken = Cost(size, {"": true})
        yield bench.Measured(size, taken, 100 * MB, taken.peak, taken.cpu_seconds)


def test_a_fit_finds_the_constants_again(bench, monkeypatch):
    monkeypatch.setattr(bench, "WEIGHT", 1e-6)  # without what is taken for likely
    true = Constants(100, 0, 0, 0, 2.5, 0, 0.7, 1.6, 0.3, 0.8, tol=0.2, penalty=0.4, columns=0.35, once=1)
    start = replace(true, features=1, seconds=1, n=2, p=1, points=1, tol=1, penalty=1, columns=1)
    found = bench.fit([*measured(bench, true)], start)
    for name in ("features", "seconds", "n", "p", "points", "tol", "penalty", "columns"):
        assert getattr(found, name) == pytest.approx(getattr(true, name), rel=1e-3), name
    assert (found.base_mb, found.square, found.once) == (100, 0, 1)


def test_the_spread_is_that_of_the_easiest_and_the_hardest(bench):
    some = [*measured(bench, METHOD)][:3]
    some = [one._replace(cpu_seconds=factor * one.cpu_seconds) for one, factor in zip(some, (0.5, 1, 4), strict=True)]
    found = bench.spread(some, METHOD)
    assert (found.easy, found.hard) == pytest.approx((0.5, 4.0))
    found = bench.spread(some[1:2], METHOD)
    assert (found.easy, found.hard) == pytest.approx((1.0, 1.0))


def test_what_is_written_is_what_is_read(bench, monkeypatch, tmp_path):
    monkeypatch.setattr(bench, "TABLE", tmp_path / "costs.csv")
    bench.write_constants(read_constants())
    assert (tmp_path / "costs.csv").read_text() == Path(cost.__file__).with_name("costs.csv").read_text()
