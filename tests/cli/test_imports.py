"""What takes long to import is not imported where it is not needed: lists and repeated commands wait for nothing."""

import subprocess
import sys

import pytest

from kernlearn.cli.main import main

#: A quarter of a second to two seconds each.
HEAVY = ["sklearn", "pandas", "matplotlib", "numba", "osqp", "joblib", "scipy.stats", "scipy.optimize", "distributed"]


def heavy_after(*commands):
    """Return which heavy modules commands have imported, in a process of their own."""
    code = f"""
import sys
from kernlearn.cli.main import main
for command in {commands!r}:
    assert main(command) == 0
print(*sorted(set({HEAVY!r}) & set(sys.modules)), file=sys.stderr)
"""
    return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stderr.split()


def test_lists_and_a_method_with_its_parameters():
    assert heavy_after(["list"], ["list", "l2_svm"]) == []


@pytest.mark.slow
def test_a_repeated_run(tmp_path):
    command = ["run", "algo=nearest_mean", "dataset=sonar", f"results_dir={tmp_path}", "engine.jobs=1"]
    assert main(command) == 0
    assert heavy_after(command) == []


@pytest.mark.slow
def test_a_repeated_sweep(tmp_path):
    command = ["sweep", "algo=nearest_mean", "dataset=sonar", "seed=0,1", f"results_dir={tmp_path}", "engine.jobs=1"]
    assert main(command) == 0
    assert heavy_after(command) == []
