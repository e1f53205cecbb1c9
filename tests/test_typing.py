"""What a type checker knows of the public names."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import kernlearn

NAMES = [name for name in kernlearn.__all__ if name != "__version__"]
ESTIMATORS = [name for name in NAMES if hasattr(getattr(kernlearn, name), "fit")]


def mypy(tmp_path, text):
    """Return what mypy says of a program of someone who installed the package."""
    file = tmp_path / "program.py"
    file.write_text(text)
    command = [sys.executable, "-m", "mypy", "--config-file=", "--follow-imports=silent", "--ignore-missing-imports"]
    environment = {**os.environ, "MYPYPATH": str(Path(kernlearn.__file__).parents[1])}
    return subprocess.run([*command, file], cwd=tmp_path, env=environment, capture_output=True, text=True).stdout


def test_every_name_at_run_time_is_there():
    for name in NAMES:
        assert getattr(kernlearn, name).__name__ == name
    assert set(dir(kernlearn)) == set(kernlearn.__all__)


@pytest.mark.slow
def test_an_estimator_is_imported_with_no_other_of_another_method():
    code = "import sys; from kernlearn import VKRClassifier; print(*(name for name in sys.modules if 'estim' in name))"
    names = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()
    methods = [name for name in names if name.startswith("kernlearn.estimators") and ".common" not in name]
    assert methods == ["kernlearn.estimators", "kernlearn.estimators.margin", "kernlearn.estimators.margin.vkr"]


@pytest.mark.slow
def test_public_names_have_types(tmp_path):
    lines = [f"import numpy as np\nfrom kernlearn import {', '.join(ESTIMATORS)}"]
    lines += [f"reveal_type({name}())\nreveal_type({name}().fit([[0.0]], [0]))" for name in ESTIMATORS]
    lines += ["reveal_type(VKRClassifier().fit([[0.0]], [0]).predict([[0.0]]))"]
    lines += ["VKRClassifier(degrees=np.arange(1, 5), gammas=[0.1, 1.0], beta=np.float64(1))"]
    found = mypy(tmp_path, "\n".join(lines))
    revealed = [line.rpartition("Revealed type is ")[2].strip('"').rpartition(".")[2] for line in found.splitlines()]
    assert revealed[: 2 * len(ESTIMATORS)] == [name for name in ESTIMATORS for _ in range(2)]
    assert "ndarray" in found.splitlines()[2 * len(ESTIMATORS)] and "error" not in found


@pytest.mark.slow
def test_misspelled_names_and_wrong_types_are_found(tmp_path):
    found = mypy(tmp_path, "from kernlearn import VKRClasifier, L2SVMClassifier\nL2SVMClassifier(C='large')\n")
    assert 'has no attribute "VKRClasifier"' in found and 'incompatible type "str"; expected "float"' in found
