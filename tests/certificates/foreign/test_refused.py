"""What `certify` refuses, of scikit-learn's estimators: no certificate, other data, and labels that are none."""

import copy
from contextlib import suppress

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import (
    Lasso,
    LogisticRegression,
    Ridge,
    RidgeClassifier,
    SGDClassifier,
)
from sklearn.svm import SVC, SVR, LinearSVC, LinearSVR, NuSVC

from kernlearn import certify
from kernlearn.errors import UserError
from tests.certificates.foreign.test_scikit_learn import CLASSES, SIGNS, TARGET, WEIGHTS, N, X, Y


@pytest.mark.parametrize(
    ("words", "call"),
    [
        ("there is no certificate for it", lambda: certify(RandomForestClassifier(2).fit(X, Y), X, Y)),
        ("is not fitted", lambda: certify(SVC(), X, Y)),
        ("fitted to 60 examples, and X has 59", lambda: certify(SVC().fit(X, Y), X[1:], Y[1:])),
        ("are not those rows of X", lambda: certify(SVC().fit(X, Y), X[::-1], Y[::-1])),
        ("are not those rows of X", lambda: certify(SVC().fit(X, Y), X * (1.0 + 1e-9), Y)),
        ("is not the data", lambda: certify(KernelRidge().fit(X, TARGET), X + 1.0, TARGET)),
        ("fitted to 4 features, and X has 3", lambda: certify(LinearSVC().fit(X, Y), X[:, 1:], Y)),
        ("as many rows as each other", lambda: certify(LinearSVC().fit(X, Y), X, Y[1:])),
        ("the label 'maybe', which is no class", lambda: certify(SVC().fit(X, Y), X, np.where(Y == "no", "maybe", Y))),
        ("no example of class 'yes'", lambda: certify(LinearSVC().fit(X, Y), X, np.full(N, "no"))),
        ("NaN or infinite", lambda: certify(LinearSVC().fit(X, Y), X * np.nan, Y)),
        ("sample_weight must have a number >= 0", lambda: certify(LinearSVC().fit(X, Y), X, Y, -WEIGHTS)),
        ("not positive semidefinite", lambda: certify(SVC(kernel="sigmoid", gamma=1.0).fit(X, Y), X, Y)),
        ("crammer_singer", lambda: certify(LinearSVC(multi_class="crammer_singer").fit(X, CLASSES), X, CLASSES)),
        ("without a penalty", lambda: certify(LogisticRegression(C=np.inf).fit(X, Y), X, Y)),
        ("loss=perceptron", lambda: certify(SGDClassifier("perceptron").fit(X, Y), X, Y)),
        ("positive=True", lambda: certify(Ridge(positive=True).fit(X, TARGET), X, TARGET)),
        ("only a model file", lambda: certify(SVC().fit(X, Y), X, Y, C=3.0)),
        ("the fit had more than 30 weights above 0", lambda: certify(SVC().fit(X, Y), X, Y, np.arange(N) % 2)),
        (
            "must have a number above 0",
            lambda: certify(LogisticRegression().fit(X, CLASSES), X, CLASSES, 0.0 * X[:, 0]),
        ),
        ("fitted to 1 targets, and y has 2", lambda: certify(Ridge().fit(X, TARGET), X, X[:, :2])),
        ("must have one column", lambda: certify(SVR().fit(X, TARGET), X, X[:, :2])),
    ],
)
def test_what_has_no_certificate_is_refused(words, call):
    with pytest.raises(UserError, match=words) as caught:
        call()
    assert "\n" not in str(caught.value)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("model", [SVC(), NuSVC(nu=0.2), LinearSVC(), LogisticRegression(), RidgeClassifier()])
def test_wrong_labels_are_one_line(model):
    """Other names, other kinds of names, and labels that are missing: without a traceback, and without a warning."""
    for y in (Y, CLASSES):
        fitted = copy.deepcopy(model).fit(X, y)
        names = y.tolist()
        wrong = [
            [f"{name}?" for name in names],
            [None, *names[1:]],
            np.where(y == y[0], np.nan, 1.0),
            np.array([[name] for name in names[1:]]),
            np.array(["2026-01-01"] * N, dtype="M8[D]"),
            np.where(y == y[0], 1j, 1.0),
            [[name, name] for name in names],
            [[name] * (i % 2 + 1) for i, name in enumerate(names)],
            "no",
            None,
            [["a"], *names[1:]],
        ]
        for labels in wrong:
            with pytest.raises(UserError) as caught:
                certify(fitted, X, labels)
            assert "\n" not in str(caught.value)
        column = certify(fitted, X, y[:, None])
        assert column == certify(fitted, X, y)
    turned = np.where(CLASSES == 0, 1, np.where(CLASSES == 1, 0, CLASSES))
    with suppress(UserError):  # of a machine with kernels it is seen that these are not the labels of the fit
        assert certify(fitted, X, turned).relative_gap > certify(fitted, X, CLASSES).relative_gap


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("model", [SVR(), LinearSVR(max_iter=10**5), KernelRidge(), Ridge(), Lasso(0.1)])
def test_wrong_targets_are_one_line(model):
    fitted = copy.deepcopy(model).fit(X, TARGET)
    for y in (
        Y,
        np.where(SIGNS > 0, np.nan, 1.0),
        TARGET[1:],
        TARGET + 1j,
        [None] * N,
        X[:, :2],
        "no",
        CLASSES < [[1]],
    ):
        with pytest.raises(UserError) as caught:
            certify(fitted, X, y)
        assert "\n" not in str(caught.value)


def test_support_vectors_that_fit_do_not_hide_other_data():
    """Rows beside the support vectors were others: gamma="scale" is another number then."""
    model = SVC(C=10.0).fit(X, SIGNS)
    other = X.copy()
    other[np.setdiff1d(np.arange(N), model.support_)] += 100.0
    with pytest.raises(UserError, match="differ from those of its coefficients"):
        certify(model, other, SIGNS)
