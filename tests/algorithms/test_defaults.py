"""The defaults of the classifiers are of use on ordinary data."""

import numpy as np
import pytest
from sklearn.base import is_classifier
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

import kernlearn
from tests.algorithms.public import PLAIN
from tests.conftest import slow_where

CLASSIFIERS = [
    *(Estimator() for Estimator in PLAIN if is_classifier(Estimator())),
    kernlearn.TwoStageClassifier(machine="ridge"),
    kernlearn.LocalRademacherClassifier(method="dc"),
    kernlearn.MulticlassMKLClassifier(theta=1),
]


def is_long(model):
    """Return whether a first fit compiles, or searches, for many seconds."""
    return isinstance(model, kernlearn.GraphClassifier | kernlearn.RBFNetworkClassifier)


@pytest.mark.sampled(8)
@pytest.mark.parametrize("load", [load_breast_cancer, load_wine, load_iris], ids=lambda load: load.__name__)
@pytest.mark.parametrize("model", slow_where(is_long, CLASSIFIERS), ids=repr)
def test_defaults_beat_the_majority_class_clearly(model, load):
    X, y = load(return_X_y=True)
    train, test, y_train, y_test = train_test_split(X, y, random_state=0, stratify=y, train_size=75)
    scaler = StandardScaler().fit(train)
    score = model.fit(scaler.transform(train), y_train).score(scaler.transform(test), y_test)
    assert score > 0.85 > np.bincount(y_test).max() / len(y_test) + 0.2


@pytest.mark.parametrize(
    ("model", "other"),
    [
        (kernlearn.LocalRademacherClassifier(theta=0), kernlearn.MKLClassifier()),
        (kernlearn.MulticlassMKLClassifier(theta=0), kernlearn.MulticlassMKLClassifier()),
    ],
    ids=repr,
)
def test_by_default_tails_are_means(model, other):
    """The tail beyond no eigenvalue is the trace, n times the mean of the diagonal."""
    X, y = load_iris(return_X_y=True)
    scores = [estimator.fit(X[::3], y[::3]).decision_function(X) for estimator in (model, other)]
    np.testing.assert_allclose(*scores, atol=1e-3 * np.abs(scores[0]).max())
