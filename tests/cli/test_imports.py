"""What takes long to import is not imported where it is not needed: lists and repeated commands wait for nothing."""

import subprocess
import sys

import pytest

from kernlearn.cli.main import main

#: A twentieth of a second to two seconds each.
HEAVY = ["sklearn", "pandas", "matplotlib", "numba", "osqp", "joblib", "scipy.stats", "scipy.optimize", "distributed"]
HEAVY += ["highspy", "rich", "asyncio", "hydra"]
#: What is computed with, of which help and lists need nothing.
NUMERICAL = ["numpy", "scipy", "omegaconf"]


def imported_by(*commands, of):
    """Return which of some modules commands have imported, in a process of their own."""
    code = f"""
import sys
from kernlearn.cli.main import main
for command in {commands!r}:
    assert main(command) == 0
print(*sorted(set({of!r}) & set(sys.modules)), file=sys.stderr)
"""
    return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stderr.split()


def test_help_and_lists():
    assert imported_by(["--help"], ["list", "--help"], ["list"], of=HEAVY + NUMERICAL) == []


def test_a_method_with_its_parameters():
    assert imported_by(["list", "l2_svm"], of=HEAVY) == []


@pytest.mark.slow
def test_a_repeated_run(tmp_path):
    command = ["run", "algo=nearest_mean", "dataset=sonar", f"results_dir={tmp_path}", "engine.jobs=1"]
    assert main(command) == 0
    assert imported_by(command, of=HEAVY) == []


@pytest.mark.slow
def test_a_repeated_sweep(tmp_path):
    command = ["sweep", "algo=nearest_mean", "dataset=sonar", "seed=0,1", f"results_dir={tmp_path}", "engine.jobs=1"]
    assert main(command) == 0
    assert imported_by(command, of=HEAVY) == []
