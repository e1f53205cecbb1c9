"""Examples, targets and kernels in other units have the same predictions, and predict is a rule on decision values."""

import warnings

import numpy as np
import pytest
from sklearn.base import is_classifier, is_regressor
from sklearn.exceptions import ConvergenceWarning

from kernlearn.estimators.common.combined import CombinedKernelEstimator
from kernlearn.estimators.common.sequences import SequenceTagger
from tests.algorithms.public import PLAIN
from tests.conftest import moons

ESTIMATORS = [one for one in PLAIN if not issubclass(one, SequenceTagger)]
X, Y = moons(30)
X = np.round((X - X.mean(axis=0)) * 2**20) / 2**20 + 0.3 * Y[:, None]
Y = np.where(Y > 0, 2, 1)  # -1 is no label for a graph
THREE = 1 + (np.arange(30) % 3)
X3 = X + 2.0 * np.column_stack([THREE == 1, THREE == 2])
REAL = np.sin(X[:, 0]) + X[:, 1]
#: Powers of two leave the digits as they are, those of ten do not.
SCALES = [2.0**-30, 2.0**30, 1e-9, 1e9]
#: What parameters are multiplied by where kernels grow by a factor: by which power of it.
POWERS = {"C": -1.0, "C_universum": -1.0, "lambda_": 1.0, "beta": 1.0, "constant": 0.5, "alpha": 0.5}


def estimator(Estimator, kernel, factor, gamma_factor=1.0):
    """The estimator that has the same outputs of kernels times a factor, with less of a tolerance."""
    model = Estimator()
    known = model.get_params()
    kernels = "kernel" in known or "constant" in known
    values = {"tol": 1e-8, "random_state": 0, "normalise": "none", "finish": "exact"}
    if "kernel" in known:
        values |= {"kernel": kernel, "gamma": 0.7 * gamma_factor, "gammas": [0.7 * gamma_factor]}
    own_size = "E" in known or known.get("theta")  # examples are brought into a ball, kernels divided by their tails
    if kernels and not own_size:
        held = {"lambda_"} if "beta" in known else set()  # the penalty of coefficients in units of the kernel's size
        start = {"lambda_": 0.1, "beta": 0.01, "constant": 5e-4}
        for name in POWERS.keys() & known.keys() - held:
            given = start.get(name, 1.0 if known[name] is None else known[name])
            values[name] = given * factor ** POWERS[name]
    return model.set_params(**{name: value for name, value in values.items() if name in known})


def fitted(model, examples, labels):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(examples, labels)


def ruled(model, f):
    """The classes by scikit-learn's rule."""
    return model.classes_[(f > 0).astype(int) if f.ndim == 1 else f.argmax(axis=1)]


def outputs(model, examples):
    f = model.decision_function(examples) if is_classifier(model) else model.predict(examples)
    if is_classifier(model):
        np.testing.assert_array_equal(model.predict(examples), ruled(model, f))
    return f


def same(f, g):
    largest = np.abs(g[np.isfinite(g)]).max()
    np.testing.assert_allclose(f, g, atol=1e-3 * largest, rtol=0)


CASES = [
    (Estimator, kernel)
    for Estimator in ESTIMATORS
    for kernel in (("linear", "gaussian", "precomputed") if "kernel" in Estimator().get_params() else ("",))
]


@pytest.mark.sampled(12)
@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize(("Estimator", "kernel"), CASES)
def test_examples_in_other_units(Estimator, kernel, scale):
    model = Estimator()
    for examples, labels in [(X, Y), (X3, THREE)] if is_classifier(model) else [(X, REAL)]:
        made = [lambda s, examples=examples: s * examples]
        if kernel == "precomputed":
            several = isinstance(model, CombinedKernelEstimator)
            K = examples @ examples.T
            made = [lambda s, K=K, several=several: s**2 * (K[None] if several else K)]
        gaussian = kernel == "gaussian"
        options = [(1.0, 1.0), (1.0, scale**-2.0) if gaussian else (scale**2, 1.0)]
        one, other = (estimator(Estimator, kernel, *given) for given in options)
        (make,) = made
        f = outputs(fitted(one, make(1.0), labels), make(1.0))
        g = outputs(fitted(other, make(scale), labels), make(scale))
        same(g / np.abs(g).max(), f / np.abs(f).max())
        if is_classifier(model):
            np.testing.assert_array_equal(ruled(one, f), ruled(other, g))


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("Estimator", [Estimator for Estimator in ESTIMATORS if is_regressor(Estimator())])
def test_targets_in_other_units(Estimator, scale):
    f, g = (outputs(fitted(estimator(Estimator, "gaussian", 1.0), X, s * REAL), X) for s in (1.0, scale))
    np.testing.assert_allclose(g / scale, f, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("Estimator", [Estimator for Estimator, kernel in CASES if kernel == "linear"])
def test_small_features_are_told_apart_with_parameters_as_they_are(Estimator):
    """Margins of 1 are out of reach, but not the signs of the outputs."""
    if not is_classifier(Estimator()):
        pytest.skip("of classes")
    known = Estimator().get_params()
    values = {"kernel": "linear", "normalise": "none", "lambda_": 1.0, "constant": 0.0, "alpha": 0.0}
    if "beta" in known:  # the penalty on coefficients, as alpha, leaves nothing of features that small
        values |= {"beta": 0.0, "lambda_": 1e-15}
    model = Estimator().set_params(**{name: value for name, value in values.items() if name in known})
    y = np.tile([1, 2], 15)  # as many of each, or the intercept is that of the larger class
    apart = 1e-6 * (X - 0.3 * (2 * Y[:, None] - 3) + np.outer(2 * y - 3, [4.0, 0.0]))
    f = fitted(model, apart, y).decision_function(apart)
    assert model.score(apart, y) == np.mean((f > 0) == (y == 2)) >= 0.9
