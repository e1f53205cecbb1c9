"""A model file that was written by this Python predicts the same, to the last bit, under the others that are here."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer

import kernlearn
from kernlearn import KRRRegressor, L2SVMClassifier, LPBoostClassifier, MKLClassifier, VKRClassifier

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]
ROOT = Path(__file__).parents[2]
MODELS = {
    "vkr": VKRClassifier(),
    "l2_svm": L2SVMClassifier(kernel="gaussian"),
    "mkl": MKLClassifier(kernel="gaussian", gammas=[0.01, 0.1]),
    "lpboost": LPBoostClassifier(rounds=20),
    "krr": KRRRegressor(kernel="gaussian"),
}
PREDICT = """
import json, sys
import numpy as np
import kernlearn

X = np.load("X.npy")
models = {name: kernlearn.load(f"{name}.kl") for name in sys.argv[1:]}
values = {n: getattr(m, "decision_function", m.predict)(X) for n, m in models.items()}
print(json.dumps({name: [value.hex() for value in row.tolist()] for name, row in values.items()}))
"""


@pytest.mark.parametrize("version", ["3.12", "3.13"])
def test_other_pythons_predict_the_same(version, tmp_path):
    python = interpreter(version)
    if python is None:
        pytest.skip(f"no Python {version} here")
    X, y = load_breast_cancer(return_X_y=True)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    np.save(tmp_path / "X.npy", X)
    for name, model in MODELS.items():
        kernlearn.save(model.fit(X[:200], y[:200]), tmp_path / f"{name}.kl")
    here = output(sys.executable, "-c", PREDICT, *MODELS, cwd=tmp_path)
    output(python, "-m", "venv", "other", cwd=tmp_path)
    pip = [tmp_path / "other/bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    output(*pip, str(ROOT), cwd=tmp_path)
    there = output(tmp_path / "other/bin/python", "-c", PREDICT, *MODELS, cwd=tmp_path)
    assert json.loads(there) == json.loads(here)


def interpreter(version):
    """Return a Python of this version, on the path or of pyenv, that starts."""
    of_pyenv = sorted((Path.home() / ".pyenv/versions").glob(f"{version}.*/bin/python"))
    for python in [shutil.which(f"python{version}"), *of_pyenv]:
        if python and subprocess.run([python, "--version"], capture_output=True, check=False).returncode == 0:
            return python
    return None


def output(*command, cwd):
    """Return what a command prints, which must not fail."""
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout
