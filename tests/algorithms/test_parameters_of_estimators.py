"""Every public estimator takes numpy's numbers and arrays for Python's."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone

import kernlearn
from kernlearn import estimators
from kernlearn.errors import UserError
from kernlearn.estimators.common.sequences import SequenceTagger
from tests.algorithms.public import PLAIN
from tests.conftest import moons

ESTIMATORS = [one for one in PLAIN if not issubclass(one, SequenceTagger)]
KERNELS = [Estimator for Estimator in ESTIMATORS if "kernel" in Estimator().get_params()]
FAMILIES = [Estimator for Estimator in ESTIMATORS if "gammas" in Estimator().get_params()]
X, Y = moons(24)
Y = np.where(Y > 0, 2.0, 1.0)  # -1 is no label for a graph


def highest(Estimator, name):
    """Return the largest value that a number may have."""
    declared = {parameter.single or key: parameter.kind for key, parameter in Estimator._declared.items()}
    kind = declared.get(name)
    return getattr(getattr(kind, "each", kind), "high", np.inf)


def cases():
    """Yield an estimator with every number and sequence of its parameters, and the same from numpy."""
    for Estimator in ESTIMATORS:
        for name, default in Estimator().get_params().items():
            if isinstance(default, bool) or default is None or isinstance(default, str):
                continue
            if isinstance(default, tuple):
                shorter = list(default[:3])
                yield Estimator, name, shorter, np.array(shorter)
                yield Estimator, name, shorter, [np.array(shorter)[i] for i in range(3)]
                if isinstance(default[0], int):
                    yield Estimator, name, [1, 2, 3], np.arange(1, 4)
                    yield Estimator, name, [1, 2, 3], range(1, 4)
            elif isinstance(default, int):
                yield Estimator, name, default, np.int64(default)
                yield Estimator, name, default, np.int32(default)
            else:
                number = float(np.float32(default))
                yield Estimator, name, number, np.float32(number)
                if name != "tol" and highest(Estimator, name) >= 1.0:
                    yield Estimator, name, 1.0, np.int64(1)


@pytest.mark.sampled(16)
@pytest.mark.parametrize(("Estimator", "name", "plain", "numpys"), list(cases()), ids=repr)
def test_numbers_of_numpy_give_the_same_fit(Estimator, name, plain, numpys):
    kernels = ("gaussian", "polynomial") if name in ("degree", "degrees", "coef0") else ("gaussian",)
    for given in [{"kernel": kernel} for kernel in kernels] if Estimator in KERNELS else [{}]:
        one = Estimator(**given, **{name: plain}).fit(X, Y)
        other = clone(Estimator(**given, **{name: numpys})).fit(X, Y)
        assert other.objective_ == one.objective_ and other.gap_ == one.gap_
        assert type(other.objective_) is type(one.objective_)
        np.testing.assert_array_equal(other.predict(X), one.predict(X))


@pytest.mark.sampled(4)
@pytest.mark.parametrize("Estimator", KERNELS)
def test_flags_and_names_of_numpy(Estimator):
    centred = "centre" in Estimator().get_params()
    one = Estimator(kernel="linear", **({"centre": True} if centred else {})).fit(X, Y)
    other = Estimator(kernel=np.str_("linear"), **({"centre": np.True_} if centred else {})).fit(X, Y)
    assert other.objective_ == one.objective_


@pytest.mark.parametrize("Estimator", FAMILIES)
@pytest.mark.parametrize("wrong", [3, "12", ["a"], [], [1, 1], [-1], [np.nan], [True], np.ones((2, 2)), None])
def test_wrong_lists_are_told_in_one_line(Estimator, wrong):
    with pytest.raises(ValueError, match="^gammas"):
        Estimator(kernel="gaussian", gammas=wrong).fit(X, Y)


@pytest.mark.parametrize("Estimator", [kernlearn.L1SVMClassifier, kernlearn.L2SVMClassifier])
@pytest.mark.parametrize("wrong", ["12", [1.0], -1, np.nan, True, None])
def test_wrong_numbers_are_told_in_one_line(Estimator, wrong):
    with pytest.raises(ValueError, match="^gamma"):
        Estimator(kernel="gaussian", gamma=wrong).fit(X, Y)


@pytest.mark.parametrize("Estimator", KERNELS)
@pytest.mark.parametrize("wrong", [np.arange(3), None, {}])
def test_a_kernel_that_is_no_name_is_told_in_one_line(Estimator, wrong):
    with pytest.raises(UserError, match="kernel="):
        Estimator(kernel=wrong).fit(X, Y)


@pytest.mark.parametrize("Estimator", [kernlearn.TwoStageRegressor, kernlearn.LKRRRegressor])
def test_labels_of_a_regression_that_are_no_numbers_are_told_in_one_line(Estimator):
    with pytest.raises(UserError, match="must be numbers"):
        Estimator().fit(X, np.where(Y > 0, "a", "b").astype(object))


@pytest.mark.parametrize("wrong", [["a"], object(), [[1], [1, 2]], 10**400])
def test_a_centre_of_the_ball_that_is_no_number_is_told_in_one_line(wrong):
    with pytest.raises(UserError, match="mu0"):
        kernlearn.LKRRRegressor(mu0=wrong).fit(X, Y)


@pytest.mark.parametrize("Estimator", [kernlearn.MKLClassifier, kernlearn.LKRRRegressor])
def test_sparse_kernel_matrices_are_refused_in_one_line(Estimator):
    with pytest.raises(UserError, match="dense"):
        Estimator(kernel="precomputed").fit(sp.coo_matrix(X @ X.T), Y)


@pytest.mark.parametrize("Estimator", KERNELS)
def test_no_docstring_lists_the_kernels(Estimator):
    """Such a list goes stale; the error of a wrong name has that of the registry."""
    assert not [line for line in Estimator.__doc__.splitlines() if line.strip().startswith("kernel : {")]
    with pytest.raises(UserError, match="gaussian.*min.*precomputed"):
        Estimator(kernel="none").fit(X, Y)


@pytest.mark.parametrize(
    "name", ["KernelPerceptronClassifier", "SGDSVMClassifier", "EKMClassifier", "SigmaSVMClassifier"]
)
def test_numbers_of_single_precision_are_those_of_double_precision_that_they_equal(name):
    """A float32 would round what is computed from it alone, such as its square."""
    Estimator = getattr(kernlearn, name)
    numbers = {key: np.float32(1.1 * v) for key, v in Estimator().get_params().items() if isinstance(v, float)}
    single, double = Estimator(**numbers), Estimator(**{key: float(value) for key, value in numbers.items()})
    np.testing.assert_array_equal(single.fit(X, Y).decision_function(X), double.fit(X, Y).decision_function(X))
    assert single.objective_ == double.objective_ and single.get_params() == numbers | {
        key: value for key, value in double.get_params().items() if key not in numbers
    }


def test_an_argument_that_fit_does_not_take_is_told_with_the_name_of_the_estimator():
    for name in set(estimators.__all__) - {"ColumnKernels"}:
        with pytest.raises(TypeError, match=rf"^{name}\.fit\(\) got an unexpected keyword argument 'weights'"):
            getattr(estimators, name)().fit([[0.0], [1.0]], [0, 1], weights=None)
