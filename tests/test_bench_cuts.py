"""The algorithms that structured machines are held against solve the same program."""

import importlib.util
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from kernlearn.solvers.structured.solver import StructuredSolver
from tests.solvers.test_structured import chains

SPEC = importlib.util.spec_from_file_location("bench_cuts", Path(__file__).parents[1] / "scripts" / "bench" / "cuts.py")
bench = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(bench)


@pytest.mark.parametrize(("name", "rounds"), [("Algorithm 4.1, OSQP", 30), ("one slack", 60), ("Frank-Wolfe", 300)])
def test_every_peer_comes_to_the_same_optimum(name, rounds):
    X, labels, starts = chains()
    data, C = bench.Data(X @ X.T, labels, 3, starts), 1.0
    ours = StructuredSolver(*data, tol=1e-7).solve(C)
    for point in islice(bench.PEERS[name](data, C), rounds):
        np.testing.assert_allclose(point.E, data.K @ point.A, atol=1e-9)
        value = point.linear - 0.5 * (np.vdot(point.A, point.E) + np.vdot(point.T, point.T))
        assert value <= ours.objective * (1 + 1e-6)  # a point of the dual, none is above
        if point.gap(C) <= 1e-3:
            return
    raise AssertionError(f"{name}: gap {point.gap(C):.1e}")
