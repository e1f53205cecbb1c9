"""Labels of examples without one, as an estimator: what it shares with the methods, and what goes beyond the graph."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.metrics import accuracy_score
from sklearn.semi_supervised import LabelPropagation
from sklearn.utils.estimator_checks import parametrize_with_checks

from kernlearn import GraphClassifier
from kernlearn.algorithms.transduction.storm import solve_storm
from kernlearn.estimators.transduction.spectral import METHODS, SHARES
from tests.algorithms.test_storm import LABELLED, X, Y, points, spectrum
from tests.conftest import moons

ESTIMATORS = [GraphClassifier]
HIDDEN = np.full(len(Y), -1)
HIDDEN[LABELLED] = Y[LABELLED] > 0
NEW = moons(90, seed=5)


@pytest.mark.sampled(6)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@parametrize_with_checks(
    [GraphClassifier(), GraphClassifier(method="label_spreading")],
    expected_failed_checks=lambda _: {"check_classifiers_classes": "-1 is no class, but the lack of a label"},
)
def test_scikit_learn_conventions(estimator, check):
    check(estimator)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("method", sorted(METHODS))
def test_few_labels_are_enough_for_the_others_and_for_further_examples(method):
    C = 1e5 if method == "sgt" else 1000.0
    q = 5 if method.startswith("mkl") else 200  # without an order nothing tells smooth eigenvectors from rough ones
    model = GraphClassifier(method=method, C=C, q=q).fit(X, HIDDEN)
    assert accuracy_score(Y > 0, model.transduction_) > 0.8
    assert accuracy_score(NEW[1] > 0, model.predict(NEW[0])) > 0.8
    assert model.gap_ < 1e-5 and model.classes_.tolist() == [0, 1]
    assert hasattr(model, "label_distributions_") == (method in SHARES)
    assert hasattr(model, "weights_") == (method not in (*SHARES, "sgt"))
    thin = GraphClassifier(method=method, C=C, q=q).fit(sp.csr_matrix(X), HIDDEN)
    np.testing.assert_array_equal(thin.transduction_, model.transduction_)
    np.testing.assert_array_equal(thin.predict(sp.csr_matrix(NEW[0])), model.predict(NEW[0]))


def test_it_is_the_method_on_the_graph():
    inputs = spectrum(12)
    (point,) = points("storm", inputs, Cs=[100.0], fractions=[0.25])
    model = GraphClassifier(C=100.0, fraction=0.25, q=12).fit(X, HIDDEN)
    f = point.predictor.outputs(inputs)[0]
    np.testing.assert_array_equal(model.transduction_, f > 0)
    np.testing.assert_allclose(model.weights_, point.facts["weights"], atol=1e-9)  # labels come in another order
    np.testing.assert_allclose(model.eigenvalues_, inputs.theta, atol=1e-12)
    assert model.objective_ == pytest.approx(point.solutions[0].objective, rel=1e-9)
    stoam = GraphClassifier(method="stoam", C=100.0, q=12).fit(X, HIDDEN)
    value = solve_storm(inputs.U[LABELLED], Y[LABELLED], 100.0).objective
    assert stoam.objective_ == pytest.approx(value, rel=1e-9)


def test_label_propagation_is_that_of_scikit_learn_also_of_three_classes():
    three = np.where(X[:, 0] > 1, 2, Y > 0)
    hidden = np.full(len(Y), -1)
    hidden[::5] = three[::5]
    model = GraphClassifier(method="label_propagation").fit(X, hidden)
    W = spectrum().graph.weights.toarray()
    other = LabelPropagation(kernel=lambda *_: W.copy(), max_iter=100_000, tol=1e-12).fit(X, hidden)
    np.testing.assert_allclose(model.label_distributions_, other.label_distributions_, atol=1e-6)
    np.testing.assert_array_equal(model.transduction_, other.transduction_)
    assert model.decision_function(NEW[0]).shape == (90, 3)


@pytest.mark.parametrize("method", ["storm", "sgt"])
def test_the_extension_of_nystrom_is_near_the_values_on_the_graph(method):
    """Every example of the graph, taken for a new one, is its own nearest neighbour beside four of its others."""
    model = GraphClassifier(method=method, q=10, C=1e4).fit(X, HIDDEN)
    assert accuracy_score(model.transduction_, model.predict(X)) > 0.95
    f = model.decision_function(X)
    (smooth,) = model._predictor.parts
    by_hand = model._spectrum.at(X).vectors[:, : smooth.coef.shape[1]] @ smooth.coef[0] + smooth.intercept[0]
    np.testing.assert_allclose(f, by_hand, atol=1e-9 * np.abs(f).max())


def test_a_fit_leaves_nothing_of_one_before_and_texts_are_classes():
    model = GraphClassifier(method="label_spreading").fit(X, HIDDEN)
    model.set_params(method="kta_s").fit(X, np.where(Y > 0, "up", "down"))
    assert not hasattr(model, "label_distributions_") and set(model.predict(NEW[0])) == {"up", "down"}


@pytest.mark.parametrize(
    ("wrong", "words"),
    [({"method": "none"}, "method"), ({"C": 0.0}, "C"), ({"q": 0}, "q"), ({"fraction": 2.0}, "fraction")],
)
def test_wrong_parameters_are_told_in_one_line(wrong, words):
    with pytest.raises(ValueError, match=words):
        GraphClassifier(**wrong).fit(X, HIDDEN)


def test_labels_of_one_class_are_refused():
    with pytest.raises(ValueError, match="one class only"):
        GraphClassifier().fit(X, np.where(HIDDEN == 1, 1, -1))


def test_texts_and_numbers_stand_beside_the_lack_of_a_label():
    numbers = GraphClassifier(method="label_spreading").fit(X, HIDDEN)
    names = np.array(["b", "a"])[(Y > 0).astype(int)]
    for lack in (np.where(HIDDEN == -1, "-1", names), np.where(HIDDEN == -1, -1, names.astype(object))):
        model = GraphClassifier(method="label_spreading").fit(X, lack)
        assert model.classes_.tolist() == ["a", "b"]
        np.testing.assert_array_equal(model.transduction_ == "a", numbers.transduction_ == 1)


@pytest.mark.parametrize(
    "labels, words", [(np.full(len(Y), -1), "every label is -1"), (np.sign(Y).astype(int), "-1 is no class")]
)
def test_a_label_of_minus_one_is_said_to_be_none(labels, words):
    with pytest.raises(ValueError, match=words):
        GraphClassifier().fit(X, labels)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    "scale, options, words",
    [
        (1e200, {}, "largest feature"),
        (1e-200, {}, "largest feature"),
        (1.0, {"weights": "heat", "width": 1e-90}, "every edge has the weight 0"),
    ],
)
def test_distances_that_are_no_numbers_are_refused_in_one_line(scale, options, words):
    with pytest.raises(ValueError, match=words):
        GraphClassifier(method="label_spreading", **options).fit(scale * X, HIDDEN)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("method", ["stoam", "storm", "sgt", "gaussian_field", "kta_r", "label_spreading"])
@pytest.mark.parametrize("as_sparse", [False, True])
def test_results_do_not_depend_on_the_order_of_the_examples(method, as_sparse):
    """A lattice and copies: distances and eigenvalues are equal, and their basis is open."""
    grid = np.array([[i, j] for i in range(6) for j in range(6)], dtype=float)
    Z = np.vstack([grid, grid[:9]])
    rng = np.random.default_rng(0)
    y = np.where(rng.random(len(Z)) < 0.5, (Z[:, 0] > 2).astype(int), -1)
    y[[0, 30]] = 0, 1
    first = GraphClassifier(method, C=10.0, q=20).fit(sp.csr_array(Z) if as_sparse else Z, y)
    turn = rng.permutation(len(Z))
    other = GraphClassifier(method, C=10.0, q=20).fit(sp.csr_array(Z[turn]) if as_sparse else Z[turn], y[turn])
    assert first.objective_ == other.objective_ and first.gap_ == other.gap_
    np.testing.assert_array_equal(first.transduction_[turn], other.transduction_)
    np.testing.assert_array_equal(first.decision_function(grid + 0.3), other.decision_function(grid + 0.3))
