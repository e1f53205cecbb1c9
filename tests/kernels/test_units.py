import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.svm import SVC

from kernlearn.kernels import GramStack, make_family, scaled

RNG = np.random.default_rng(0)
X, Z = RNG.normal(2, 3, size=(40, 6)), RNG.normal(2, 3, size=(7, 6))


@pytest.mark.parametrize("make", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("unit", ["scale", "auto"])
def test_a_width_in_units_is_a_multiple_of_that_of_scikit_learn(unit, make):
    gamma = SVC(gamma=unit).fit(X, RNG.choice(2, 40))._gamma
    train, other = scaled("none", make(X), make(Z), unit=unit)
    family = make_family("gaussian", gammas=[0.3, 1.0], unit=unit)
    stack = GramStack(family, other, train)
    for k, factor in enumerate((0.3, 1.0)):
        np.testing.assert_allclose(stack.matrix(k), rbf_kernel(Z, X, factor * gamma), rtol=1e-12)


@pytest.mark.parametrize("unit", [1e-9, 1.0, 1e9])
def test_a_change_of_units_of_the_features_changes_nothing(unit):
    found = scaled("none", unit * X, unit * Z, unit="scale")
    for ours, there in zip(found, scaled("none", X, Z, unit="scale"), strict=True):
        np.testing.assert_allclose(ours, there, rtol=1e-12)


def test_without_a_unit_or_a_variance_examples_stay_as_they_are():
    assert scaled("none", X, Z)[1] is Z
    np.testing.assert_array_equal(scaled("none", np.ones((3, 2)), Z, unit="scale")[1], Z)
