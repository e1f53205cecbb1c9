"""What `algo.solver=auto` is, by the number of examples."""

import numpy as np

from kernlearn.algorithms.margin import vkr
from kernlearn.solvers import DualSimplexSolver, InteriorSolver, choices, resolve_hinge
from tests.solvers.hinge_problems import DenseColumns, noisy


def test_what_is_left_to_the_number_of_examples():
    assert resolve_hinge(2000, "auto", None) == ("simplex", 1e-9)
    assert resolve_hinge(5000, "auto", None) == ("interior", 1e-9)
    assert resolve_hinge(5001, "auto", None) == ("interior", 1e-4)
    assert resolve_hinge(5001, "simplex", None) == ("simplex", 1e-9)
    assert resolve_hinge(5001, "auto", 1e-6) == ("interior", 1e-6)
    assert vkr.METHOD.resolve_auto(100, {"solver": "auto", "tol": None, "x": 1}) == {
        "solver": "simplex",
        "tol": 1e-9,
        "x": 1,
    }


def test_interior_ends_at_a_vertex_as_long_as_that_is_small(monkeypatch):
    columns, cost = noisy(60)
    assert isinstance(choices.begin_with_interior_points(columns), DualSimplexSolver)
    monkeypatch.setattr(choices, "VERTEX_EXAMPLES", 50)
    assert isinstance(choices.begin_with_interior_points(columns), InteriorSolver)
    A = np.random.default_rng(0).standard_normal((1, 40, 10))  # 80 examples, 40 that differ
    assert isinstance(choices.begin_with_interior_points(DenseColumns(np.repeat(A, 2, axis=1))), DualSimplexSolver)
