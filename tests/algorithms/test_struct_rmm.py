"""The structured relative margin machine as a method; its program whole is in tests/solvers/test_structured.py."""

import pytest

from kernlearn.algorithms import ALGORITHMS, Problem, Sequences
from tests.algorithms.test_crf import LABELS
from tests.algorithms.test_struct_svm import SVM, path, windows

RMM = ALGORITHMS["struct_rmm"]


@pytest.mark.slow
def test_bounds_are_kept_and_the_widest_is_the_support_vector_machine():
    problem = Problem(windows(2), Sequences(LABELS, 3))
    (free,) = path(SVM, problem, Cs=[5.0], tol=1e-5)
    points = list(path(RMM, problem, Cs=[5.0], fractions=[0.5, 1.0], tol=1e-5))
    assert [point.values["fraction"] for point in points] == [1.0, 0.5]
    assert points[0].solutions[0].objective == pytest.approx(free.solutions[0].objective, rel=2e-5)
    for point in points:
        assert point.status == "optimal" and point.facts["theta"] <= point.facts["B"] * (1 + 1e-9)
    assert points[1].solutions[0].dual_objective > points[0].solutions[0].objective
