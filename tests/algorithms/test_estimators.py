import numpy as np
import pytest
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import Normalizer, StandardScaler
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import parametrize_with_checks

import kernlearn
from kernlearn.estimators.common.expansion import KernelExpansionClassifier
from kernlearn.estimators.common.structured import Unbounded
from kernlearn.kernels import GramStack, make_family
from tests.algorithms.public import PLAIN
from tests.algorithms.test_combined_estimators import ESTIMATORS as COMBINED
from tests.algorithms.test_krr import ESTIMATORS as RIDGES
from tests.algorithms.test_linear_svm import ESTIMATORS as LINEAR
from tests.algorithms.test_rbf_network import ESTIMATORS as NETWORKS
from tests.algorithms.test_spectral import ESTIMATORS as GRAPHS
from tests.algorithms.test_structured_estimators import ESTIMATORS as SEQUENCES
from tests.algorithms.test_stump_estimators import ESTIMATORS as BOOSTING
from tests.conftest import moons

ESTIMATORS = [one for one in PLAIN if issubclass(one, KernelExpansionClassifier)]
#: Those that are meant for classes that overlap.
SOFT = [one for one in ESTIMATORS if one not in (kernlearn.HardSVMClassifier, kernlearn.KernelPerceptronClassifier)]
#: Those whose problem has all classes at once.
JOINT = [one for one in ESTIMATORS if issubclass(one, Unbounded)]
X, Y = moons(120)


def family_suited(Estimator):
    """Return a kernel for the half circles: the Gaussian one, but for machines that are for few directions."""
    return make_family("linear") if Estimator().kernel == "linear" else make_family("gaussian", gammas=[0.7])


def test_every_public_estimator_is_tested():
    tested = {*ESTIMATORS, *COMBINED, *BOOSTING, *LINEAR, *NETWORKS, *GRAPHS, *SEQUENCES, *RIDGES}
    assert tested == set(PLAIN)


def expected_failures(estimator):
    """Return the checks that cannot hold: the width "scale" is that of all examples alike, whatever their weights."""
    of_width = kernlearn.NearestMeanClassifier, kernlearn.KRRRegressor, kernlearn.KRRMeanRegressor
    by_width = isinstance(estimator, of_width)
    return {"check_sample_weight_equivalence_on_dense_data": "gamma='scale'"} if by_width else {}


@pytest.mark.sampled(8)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")  # some checks use features of size 1e4
@parametrize_with_checks([estimator() for estimator in ESTIMATORS], expected_failed_checks=expected_failures)
def test_scikit_learn_conventions(estimator, check):
    check(estimator)


@pytest.mark.parametrize("Estimator", SOFT)
def test_attributes_rebuild_the_decision_function(Estimator):
    model = Estimator(kernel="polynomial").fit(X, Y)
    family = make_family("polynomial", degrees=getattr(model, "degrees", None) or [model.degree], coef0=1.0)
    stack = GramStack(family, X, model.support_vectors_)
    f = sum(stack.matrix(k) @ model.dual_coef_[k] for k in range(len(stack))) + model.intercept_[0]
    np.testing.assert_allclose(model.decision_function(X), f, atol=1e-9 * np.abs(f).max())
    assert model.dual_coef_.shape == (len(stack), model.n_support_)
    assert len(model.support_) == model.n_support_
    np.testing.assert_array_equal(model.support_vectors_, X[model.support_])
    np.testing.assert_array_equal(model.predict(X), np.where(f > 0, 1.0, -1.0))


@pytest.mark.parametrize("Estimator", ESTIMATORS)
def test_precomputed_equals_the_kernel_itself(Estimator):
    gamma = {"gammas": [0.7]} if "gammas" in Estimator().get_params() else {"gamma": 0.7}
    family = family_suited(Estimator)
    direct = Estimator(kernel=family.name, **gamma).fit(X[:80], Y[:80])
    square, other = GramStack.train(family, X[:80]).matrix(0), GramStack(family, X[80:], X[:80]).matrix(0)
    given = Estimator(kernel="precomputed").fit(square, Y[:80])
    np.testing.assert_allclose(given.decision_function(other), direct.decision_function(X[80:]), rtol=1e-9)
    # Coefficients are rounded, and the objective is that of rounded ones: the gap says what that may be worth.
    assert given.objective_ == pytest.approx(direct.objective_, rel=1e-12 + direct.gap_)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("Estimator", SOFT)
def test_precomputed_matrices_are_sliced_by_grid_search(Estimator):
    K = GramStack.train(family_suited(Estimator), X).matrix(0)
    known = Estimator().get_params()
    grid = {name: [1e-3, 1e-1] for name in ("C", "beta", "lambda_", "mu") if name in known}
    search = GridSearchCV(Estimator(kernel="precomputed"), grid, cv=3).fit(K, Y)
    assert search.best_score_ > 0.8


@pytest.mark.parametrize("Estimator", SOFT)
def test_works_in_a_pipeline(Estimator):
    model = make_pipeline(StandardScaler(), Normalizer(), Estimator()).fit(X, Y)
    assert model.score(X, Y) > 0.8


@pytest.mark.sampled(3)
@pytest.mark.parametrize("Estimator", [one for one in ESTIMATORS if one not in JOINT])
def test_three_classes_are_three_binary_problems(Estimator):
    rng = np.random.default_rng(0)
    centres = np.array([[0, 0], [2, 0], [0, 2]])
    labels = np.repeat(["red", "green", "blue"], 25)
    points = np.repeat(centres, 25, axis=0) + rng.normal(scale=0.4, size=(75, 2))
    model = Estimator(kernel="gaussian").fit(points, labels)
    decision = model.decision_function(points)
    assert model.score(points, labels) > 0.9 and decision.shape == (75, 3)
    for c, name in enumerate(model.classes_):
        binary = Estimator(kernel="gaussian").fit(points, labels == name)
        np.testing.assert_allclose(decision[:, c], binary.decision_function(points), atol=1e-6)


@pytest.mark.parametrize("Estimator", ESTIMATORS)
def test_one_class_and_wrong_parameters_are_told(Estimator):
    with pytest.raises(ValueError, match="one class only"):
        Estimator().fit(X, np.ones(len(X)))
    with pytest.raises(ValueError, match="must be one of"):
        Estimator(kernel="quadratic").fit(X, Y)
    with pytest.raises(ValueError, match="square matrix"):
        Estimator(kernel="precomputed").fit(X, Y)
    wrong = next((declared.single or name for name, declared in Estimator._declared.items()), "degree")
    with pytest.raises(ValueError, match=wrong):
        Estimator(**{wrong: "nonsense"}).fit(X, Y)


@pytest.mark.parametrize("Estimator", ESTIMATORS)
def test_families_with_the_parameters_of_an_estimator_are_offered(Estimator):
    offered = "one of polynomial, .*gaussian, linear, .*precomputed, or a function$"
    with pytest.raises(ValueError, match=offered) as told:
        Estimator(kernel="sigmoid").fit(X, Y)
    assert ("mixed" in str(told.value)) == ({"gammas", "degrees"} <= Estimator().get_params().keys())


@pytest.mark.parametrize("Estimator", SOFT)
def test_libsvm_s_polynomials_are_those_of_scaled_examples(Estimator):
    libsvm = Estimator(kernel="polynomial_libsvm").fit(X, Y)
    stated = Estimator(kernel="polynomial").fit(X / np.sqrt(X.shape[1]), Y)  # (x.z/n_features + 1)^k
    np.testing.assert_allclose(
        libsvm.decision_function(X), stated.decision_function(X / np.sqrt(X.shape[1])), atol=1e-6
    )


@pytest.mark.parametrize(("solver", "tol", "near"), [("homotopy", 1e-6, 1e-5), ("libsvm", 1e-3, 1e-2)])
def test_l2_svm_agrees_with_scikit_learn(solver, tol, near):
    model = kernlearn.L2SVMClassifier(degree=2, C=3.0, solver=solver, tol=tol).fit(X, Y)
    svc = SVC(kernel="poly", degree=2, gamma=1.0, coef0=1.0, C=3.0, tol=1e-6).fit(X, Y)
    np.testing.assert_allclose(model.decision_function(X), svc.decision_function(X), atol=near)
    assert abs(model.gap_) <= tol


def test_a_capped_fit_warns_and_shows_its_gap():
    from sklearn.exceptions import ConvergenceWarning

    with pytest.warns(ConvergenceWarning, match="stopped at a gap of"):
        model = kernlearn.L2SVMClassifier(C=1e6, solver="libsvm", max_iter=5).fit(X, Y)
    assert model.gap_ > 1e-3


@pytest.mark.parametrize(
    "name", ["L2SVMClassifier", "TwoStageClassifier", "MKLClassifier", "LocalRademacherClassifier"]
)
def test_support_vectors_of_an_svm_are_those_with_a_multiplier_also_where_coefficients_cancel(name):
    """Every example once of either class: f is constant, and all of them are at their bounds."""
    X = np.random.default_rng(0).normal(size=(12, 2))
    X, y = np.vstack([X, X]), np.repeat([0, 1], 12)
    machine = getattr(kernlearn, name)(kernel="gaussian", C=0.1).fit(X, y)
    assert machine.n_support_ == 24 and np.ptp(machine.decision_function(X)) < 1e-9
