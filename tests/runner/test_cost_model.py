"""What the peak of a cell is made of, against numbers worked out by hand."""

from dataclasses import replace

import pytest

from kernlearn.memory import MB
from kernlearn.runner.plan.cost import Constants, Cost
from kernlearn.runner.plan.sizes import Size

#: A hundred examples of ten features in an array of 8 kB, three kernels.
SIZE = Size(
    n=100,
    measured=50,
    d=10.0,
    data=8e3,
    reading=0.0,
    p=3,
    width=1,
    problems=(1.0,),
    joint=False,
    matrices=False,
    features=False,
)
METHOD = Constants(100, square=3, stack=2, kept=0, features=0, products=0)
#: Four copies of the data, the base between all examples, and two matrices to those that are measured.
DATA = 4 * 8e3 + 8 * 100 * 150 + 2 * 8 * 50 * 100


def peak(size=SIZE, **changed):
    return Cost(size, {"": replace(METHOD, **changed)}).peak - 100 * MB


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
    streamed = replace(SIZE, max_matrix_bytes=0.0)
    assert streamed.streamed
    held = [peak(replace(streamed, penalty=penalty), square=0, features=5, columns=0.5) for penalty in (1e-3, 1e-5)]
    assert held[1] - held[0] == pytest.approx(9 * 5 * 8 * 1000 * 100)
