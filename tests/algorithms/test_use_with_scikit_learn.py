"""Every public estimator, used as scikit-learn's own are."""

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.base import clone, is_classifier
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from kernlearn.estimators.common.sequences import SequenceTagger
from tests.algorithms.public import PLAIN
from tests.conftest import moons

ESTIMATORS = [one for one in PLAIN if not issubclass(one, SequenceTagger)]
X, Y = moons(60)
TEXTS = np.where(X[:, 0] > 0.8, "red", np.where(X[:, 1] > 0.3, "green", "blue"))
FRAME = pd.DataFrame(X, columns=["width", "height"])


def made(Estimator):
    """Return an estimator, of those with kernels one with a Gaussian kernel."""
    return Estimator(kernel="gaussian") if "kernel" in Estimator().get_params() else Estimator()


def labels_for(Estimator):
    return TEXTS if is_classifier(Estimator()) else np.sin(3 * X[:, 0])


@pytest.mark.sampled(6)
@pytest.mark.parametrize("Estimator", ESTIMATORS)
def test_a_pipeline_of_a_frame_with_three_classes_in_a_grid_search(Estimator):
    y = labels_for(Estimator)
    strengths = ("C", "lambda_", "beta", "nu", "rounds", "gamma")
    name = next(name for name in strengths if name in Estimator().get_params())
    step = Estimator.__name__.lower()
    pipeline = make_pipeline(StandardScaler().set_output(transform="pandas"), made(Estimator))
    tried = np.array([2, 9]) if name == "rounds" else np.array([1e-3, 1.0])
    search = GridSearchCV(pipeline, {f"{step}__{name}": tried}, cv=3).fit(FRAME, y)
    best = search.best_estimator_[-1]
    assert search.best_score_ > 0.6 and list(best.feature_names_in_) == ["width", "height"] and best.n_features_in_ == 2
    again = pickle.loads(pickle.dumps(search.best_estimator_))
    np.testing.assert_array_equal(again.predict(FRAME), search.predict(FRAME))
    np.testing.assert_array_equal(clone(search.best_estimator_).fit(FRAME, y).predict(FRAME), search.predict(FRAME))
    if is_classifier(best):
        assert set(search.predict(FRAME)) <= {"red", "green", "blue"} and best.classes_.tolist() == sorted(set(TEXTS))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("Estimator", ESTIMATORS)
def test_columns_in_another_order_are_refused_and_the_same_ones_give_no_warning(Estimator):
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message=".*feature names")
        model = made(Estimator).fit(FRAME, labels_for(Estimator))
        model.predict(FRAME)
    with pytest.raises(ValueError, match="feature names"):
        model.predict(FRAME[["height", "width"]])


@pytest.mark.parametrize("Estimator", [one for one in ESTIMATORS if not made(one).__sklearn_tags__().input_tags.sparse])
def test_sparse_examples_of_a_dense_kernel_are_refused_in_one_line(Estimator):
    with pytest.raises(TypeError, match="[Ss]parse") as caught:
        made(Estimator).fit(sp.csr_matrix(X), labels_for(Estimator))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("Estimator", [one for one in ESTIMATORS if made(one).__sklearn_tags__().input_tags.sparse])
def test_sparse_examples_where_they_are_taken_are_the_dense_ones(Estimator):
    sparse, dense = (made(Estimator).fit(some, labels_for(Estimator)) for some in (sp.csr_matrix(X), X))
    assert sparse.objective_ == pytest.approx(dense.objective_, rel=1e-9)
    np.testing.assert_array_equal(sparse.predict(sp.csr_matrix(X)), dense.predict(X))
