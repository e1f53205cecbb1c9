"""A tiny fitted estimator of every class, and what it predicts."""

import warnings

import numpy as np

from kernlearn import estimators
from tests.conftest import moons

X, Y = moons(30)
NEW, _ = moons(40, seed=1)
TWO = (Y > 0).astype(int)
THREE = np.where(X[:, 0] > 0.8, "far", np.where(Y > 0, "up", "down"))
SENTENCES = [[{"word": "the"}, {"word": "dog", "length": 3}], [{"word": "dogs"}]]
LABELS = [["DT", "NN"], ["NNS"]]


def fitted(name, **parameters):
    """Return an estimator, learned from few examples, and new examples that it predicts."""
    model = getattr(estimators, name)(**parameters)
    if hasattr(model, "sequence_score"):
        X_train, y, new = SENTENCES, LABELS, SENTENCES
    elif name == "GraphClassifier":
        X_train, y, new = X, np.where(np.arange(len(X)) % 2, TWO, -1), NEW
    elif name.endswith("Regressor"):
        X_train, y, new = X, X[:, 1], NEW
    else:
        X_train, y, new = X, THREE if name.startswith(("L", "V", "S")) else TWO, NEW
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # some need more examples, or features of another kind, to be optimal
        return model.fit(X_train, y), new


def outputs(model, new):
    """Return all that a model says of new examples, as one array for each method."""
    found = []
    for name in ("predict", "decision_function", "predict_proba"):
        if hasattr(model, name):
            values = getattr(model, name)(new)
            values = [one for part in values for one in part] if isinstance(values, list) else values
            found.append(np.asarray(values))
    return found
