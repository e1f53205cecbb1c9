"""HiGHS behind its layer: silent, and refusing what it does not know."""

import subprocess
import sys

import pytest

from kernlearn.solvers.core.lp import Highs, SolverError

SOLVED = """
import numpy as np
from kernlearn.solvers.core.lp import BoundedMaximiser, CuttingPlanes
program = BoundedMaximiser(2)
program.set_bounds(np.ones(2), np.zeros(0))
program.run()
CuttingPlanes(2, 1.0).add(0.0, np.ones(2))
"""


def test_nothing_is_printed():  # in a process of its own, for HiGHS prints its name once in each
    done = subprocess.run([sys.executable, "-c", SOLVED], capture_output=True, text=True, check=True)
    assert done.stdout == done.stderr == ""


def test_unknown_options_and_values_are_refused():
    with pytest.raises(SolverError, match="threds=1"):
        Highs(threds=1)
    with pytest.raises(SolverError, match="presolve=perhaps"):
        Highs(presolve="perhaps")
