"""The estimators of boosting: scikit-learn's conventions, their stages and weights, and the paths of their methods."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.utils.estimator_checks import parametrize_with_checks

import kernlearn
from kernlearn.algorithms import ALGORITHMS, Problem, Signs
from kernlearn.errors import UserError
from kernlearn.estimators.common.stumps import StumpClassifier
from kernlearn.kernels import make_family
from tests.algorithms.public import PLAIN
from tests.conftest import moons

ESTIMATORS = [one for one in PLAIN if issubclass(one, StumpClassifier)]
STAGED = [kernlearn.AdaBoostClassifier, kernlearn.EBBoostClassifier, kernlearn.AdaBoostRegClassifier]
VARIANTS = [
    kernlearn.AdaBoostClassifier(rounds=20),
    kernlearn.EBBoostClassifier(rounds=20, lambda_=0.3),
    kernlearn.AdaBoostRegClassifier(rounds=20, C=3.0),
    kernlearn.LPBoostClassifier(rounds=20),
    kernlearn.LPBoostClassifier(over="all", nu=0.1),
    kernlearn.QPBoostClassifier(rounds=20),
    kernlearn.QPBoostClassifier(over="all"),
]
X, Y = moons(80)
THREE = np.where(X[:, 0] > 0.8, "red", np.where(X[:, 1] > 0.3, "green", "blue"))


@pytest.mark.sampled(8)
@parametrize_with_checks([estimator() for estimator in ESTIMATORS])
def test_scikit_learn_conventions(estimator, check):
    check(estimator)


@pytest.mark.parametrize("model", VARIANTS, ids=repr)
def test_it_is_the_path_of_its_method(model):
    name = type(model).__module__.rpartition(".")[2]
    values = {key: parameter.default for key, parameter in ALGORITHMS[name].parameters.items()}
    for key, parameter in ALGORITHMS[name].parameters.items():
        if parameter.single:
            values[key] = [getattr(model, parameter.single)]
        elif hasattr(model, key):
            values[key] = getattr(model, key)
    stumps = make_family("stumps", number=0).fit(X, 0)
    *_, point = ALGORITHMS[name].path(Problem(stumps, Signs(Y)), **values)
    fitted = clone(model).fit(X, Y)
    Z = X[::4] + 0.1
    np.testing.assert_array_equal(fitted.decision_function(Z), point.predictor.outputs(stumps.at(Z))[0])
    (solution,) = point.solutions
    assert fitted.objective_ == pytest.approx(solution.objective, rel=1e-12) and abs(fitted.gap_) <= 1e-6


@pytest.mark.sampled(3)
@pytest.mark.parametrize("model", VARIANTS, ids=repr)
@pytest.mark.parametrize("y", [Y, THREE], ids=["two", "three"])
def test_attributes_rebuild_the_decision_function_and_its_stages(model, y):
    fitted = clone(model).fit(X, y)
    lists = fitted.features_, fitted.thresholds_, fitted.estimator_weights_
    votes = list(zip(*([values] if y is Y else values for values in lists), strict=True))
    f = [(np.where(X[:, k] > t, 1.0, -1.0) @ a) for k, t, a in votes]
    decision = fitted.decision_function(X)
    np.testing.assert_allclose(decision if y is THREE else decision[:, None], np.column_stack(f), atol=1e-10)
    *_, last = stages = list(fitted.staged_decision_function(X))
    assert len(stages) == fitted.n_iter_ == max(len(a) for _, _, a in votes)
    np.testing.assert_allclose(last, decision, atol=1e-12)
    *_, predicted = fitted.staged_predict(X)
    np.testing.assert_array_equal(predicted, fitted.predict(X))
    weights = np.arange(len(y))
    *_, score = scores = list(fitted.staged_score(X, y, weights))
    assert len(scores) == fitted.n_iter_ and score == fitted.score(X, y, weights)
    assert scores[0] == pytest.approx(np.average(next(fitted.staged_predict(X)) == y, weights=weights))
    assert fitted.score(X, y) > 0.8
    importances = fitted.feature_importances_
    assert importances.shape == (2,) and importances.sum() == pytest.approx(1.0) and (importances > 0).all()


@pytest.mark.parametrize("Estimator", STAGED)
def test_stages_are_the_models_of_fewer_rounds(Estimator):
    stages = list(Estimator(rounds=9).fit(X, Y).staged_decision_function(X))
    for rounds in (1, 4, 9):
        np.testing.assert_allclose(
            stages[rounds - 1], Estimator(rounds=rounds).fit(X, Y).decision_function(X), atol=1e-12
        )


@pytest.mark.parametrize("model", VARIANTS, ids=repr)
def test_a_weight_is_so_many_examples(model):
    counts = np.arange(80) % 3
    weighed = clone(model).fit(X, Y, sample_weight=counts)
    repeated = clone(model).fit(np.repeat(X, counts, axis=0), np.repeat(Y, counts))
    assert weighed.objective_ == pytest.approx(repeated.objective_, rel=1e-6)
    if not isinstance(model, kernlearn.LPBoostClassifier):  # which may have several solutions
        np.testing.assert_allclose(weighed.decision_function(X), repeated.decision_function(X), atol=1e-5)


def test_drawn_stumps_follow_the_random_state():
    model = kernlearn.AdaBoostClassifier(rounds=5, n_stumps=8, random_state=3)
    first, again = model.fit(X, Y).decision_function(X), clone(model).fit(X, Y).decision_function(X)
    other = clone(model).set_params(random_state=4, draw="range").fit(X, Y).decision_function(X)
    assert (first == again).all() and (first != other).any()


@pytest.mark.parametrize("Estimator", ESTIMATORS)
def test_one_class_and_wrong_parameters_are_told(Estimator):
    with pytest.raises(ValueError, match="one class only"):
        Estimator().fit(X, np.ones(len(X)))
    with pytest.raises(ValueError, match="n_stumps=-1: must be"):
        Estimator(n_stumps=-1).fit(X, Y)
    with pytest.raises(ValueError, match="rounds=0: must be"):
        Estimator(rounds=0).fit(X, Y)
    with pytest.raises(ValueError, match="draw=x: must be one of"):
        Estimator(draw="x").fit(X, Y)


@pytest.mark.parametrize("Estimator", ESTIMATORS)
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_numbers_that_are_none_are_told_in_training_and_in_prediction(Estimator, value):
    wrong = X.copy()
    wrong[3, 1] = value
    with pytest.raises(ValueError, match="contains (NaN|infinity)"):
        Estimator().fit(wrong, Y)
    model = Estimator(rounds=3).fit(X, Y)
    with pytest.raises(ValueError, match="contains (NaN|infinity)"):
        model.predict(wrong)


@pytest.mark.parametrize("size", [1e160, 1e-170])
def test_weights_whose_squares_are_no_numbers_are_refused(size):
    X, y = np.arange(6.0)[:, None], [0, 0, 1, 0, 1, 1]
    for make in (kernlearn.AdaBoostClassifier, kernlearn.EBBoostClassifier, kernlearn.LPBoostClassifier):
        usual, far = (
            make().fit(X, y).predict(X),
            make().fit(X, y, np.full(6, 2.0 ** (100 if size > 1 else -100))).predict(X),
        )
        np.testing.assert_array_equal(far, usual)
        with pytest.raises(UserError, match="^sample_weight: the largest is .* divide all weights by their mean$"):
            make().fit(X, y, np.full(6, size))
