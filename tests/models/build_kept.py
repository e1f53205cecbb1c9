"""Build the models that every later version has to load, and what they predict.

They are built once for every schema, from the root of the repository, and never again::

    python tests/models/build_kept.py
"""

import json
import os
import warnings
from pathlib import Path

import numpy as np
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import kernlearn
from kernlearn.cli.main import main

KEPT = Path(__file__).parent / "kept"
#: Rows that are predicted: numbers, and texts of which one is new.
NEW = [[0.1, -0.4], [1.5, 0.2], [-2.0, 3.0], [0.0, 0.0]]


def build() -> None:
    """Write the models and their predictions."""
    rng = np.random.default_rng(38)
    X = rng.normal(size=(16, 2))
    y = np.where(X[:, 0] ** 2 + X[:, 1] > 0.5, "out", "in")
    KEPT.mkdir(exist_ok=True)
    os.chdir(KEPT)
    models = {
        "svm": make_pipeline(StandardScaler(), kernlearn.L2SVMClassifier(kernel="rbf", C=10.0)),
        "vkr": kernlearn.VKRClassifier(degrees=(1, 2, 3)),
        "lpboost": kernlearn.LPBoostClassifier(rounds=5, random_state=0),
    }
    expected = {}
    for name, model in models.items():
        kernlearn.save(model.fit(X, y), f"{name}.kl")
        expected[name] = [model.predict(NEW).tolist(), model.decision_function(NEW).tolist()]
    lines = [f"{u!r},{'ab'[i % 2]},{label}" for i, (u, label) in enumerate(zip(X[:, 0].tolist(), y, strict=True))]
    lines[3] = f",{lines[3].partition(',')[2]}"
    Path("train.csv").write_text("u,letter,label\n" + "\n".join(lines) + "\n")
    words = ["train.csv", "target=label", "algo=l2_svm", "algo.Cs=[10.0]", "missing=median", "text=onehot"]
    assert main(["fit", *words, "probability=true", "-o", "fitted.kl"]) == 0
    Path("new.csv").write_text("letter,u\nb,0.5\na,-1.25\nc,\nb,2.0\n")
    assert main(["predict", "fitted.kl", "new.csv", "--scores", "--proba", "--force", "-o", "fitted.csv"]) == 0
    Path("expected.json").write_text(json.dumps(expected, indent=1) + "\n")


if __name__ == "__main__":
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        build()
