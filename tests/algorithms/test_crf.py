"""The conditional random field, against CRFsuite, all labellings, and what its equations say."""

import pickle
import warnings
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV

from kernlearn import LinearChainCRF
from kernlearn.algorithms import ALGORITHMS, Problem, Sequences
from kernlearn.algorithms.structured.crf import CRFSolver
from kernlearn.certificates import relative_gap
from kernlearn.datasets.core.chains import Chains, chains_of
from kernlearn.kernels import make_family


def tagged(n=30, d=12, k=3, seed=0, longest=7):
    """Return sequences of binary features, some of one place, whose labels follow from them and from each other."""
    rng = np.random.default_rng(seed)
    lengths = rng.integers(1, longest + 1, n)
    X = sparse.csr_array((rng.random((lengths.sum(), d)) < 0.3).astype(float))
    W, T = rng.normal(size=(d, k)), rng.normal(size=(k, k))
    chains, labels = chains_of(lengths, X), np.zeros(lengths.sum(), dtype=np.intp)
    scores = X @ W + rng.normal(size=(lengths.sum(), k))
    for a, b in zip(chains.starts, chains.starts[1:], strict=False):
        for t in range(a, b):
            labels[t] = (scores[t] + (T[labels[t - 1]] if t > a else 0)).argmax()
    return chains, labels


CHAINS, LABELS = tagged()


def test_the_gradient_is_that_of_differences():
    solver, rng = CRFSolver(CHAINS, LABELS, 3), np.random.default_rng(1)
    w, step = rng.normal(size=solver.w.size), 1e-6
    _, g = solver.value(w, 2.5)
    for direction in rng.normal(size=(5, w.size)):
        up, down = (solver.value(w + s * step * direction, 2.5)[0] for s in (1, -1))
        assert (up - down) / (2 * step) == pytest.approx(g @ direction, rel=1e-6)


def test_the_bound_is_the_value_of_the_dual_at_its_own_probabilities():
    """Entropies and the norm of the dual, summed over all labellings of every sequence."""
    chains, labels = tagged(n=6, d=4, longest=4)
    C, k = 3.0, 3
    solution = CRFSolver(chains, labels, k, 1e-2).solve(C)  # far from the optimum, where the bound is no triviality
    solver = CRFSolver(chains, labels, k)
    W, T = solver.parts(solution.x)
    X, entropy, inside = chains.values.toarray(), 0.0, np.zeros_like(solution.x)
    for a, b in zip(chains.starts, chains.starts[1:], strict=False):

        def psi(y, a=a, b=b):
            emitted, pairs = np.zeros_like(W), np.zeros_like(T)
            for t in range(a, b):
                emitted[:, y[t - a]] += X[t]
            for first, second in zip(y, y[1:], strict=False):
                pairs[first, second] += 1
            return np.concatenate([emitted.ravel(), pairs.ravel()])

        maps = np.array([psi(y) for y in product(range(k), repeat=b - a)])
        scores = maps @ solution.x
        p = np.exp(scores - scores.max())
        p /= p.sum()
        entropy -= p @ np.log(p)
        inside += C * (psi(labels[a:b].tolist()) - p @ maps)
    dual = C * entropy - 0.5 * inside @ inside
    assert solution.gap > 1e-5 and dual == pytest.approx(solution.dual_objective, rel=1e-10)
    np.testing.assert_allclose(solution.dual, inside, atol=1e-10)


@pytest.mark.parametrize("C", [0.01, 1.0, 100.0])
def test_the_optimum_is_that_of_crfsuite(C, tmp_path):
    crfsuite = pytest.importorskip("pycrfsuite")
    trainer = crfsuite.Trainer(verbose=False)
    X = CHAINS.values
    for a, b in zip(CHAINS.starts, CHAINS.starts[1:], strict=False):
        places = [{str(j): 1.0 for j in X.indices[X.indptr[t] : X.indptr[t + 1]]} for t in range(a, b)]
        trainer.append(crfsuite.ItemSequence(places), [str(label) for label in LABELS[a:b]])
    trainer.select("lbfgs")
    every = {"feature.possible_states": 1, "feature.possible_transitions": 1}
    trainer.set_params({"c1": 0, "c2": 1 / (2 * C), "epsilon": 1e-9, "delta": 1e-14, "max_iterations": 5000, **every})
    trainer.train(str(tmp_path / "model"))
    theirs = C * trainer.logparser.last_iteration["loss"]
    ours = CRFSolver(CHAINS, LABELS, 3, 1e-9).solve(C)
    assert ours.status == "optimal" and ours.objective == pytest.approx(theirs, rel=1e-5)
    assert ours.dual_objective <= theirs * (1 + 1e-6)


def test_sequences_of_one_place_are_a_logistic_regression():
    """Of two labels: the weights of both add up to 0, so that the difference v has the penalty |v|^2 / 4."""
    X, y = CHAINS.values.toarray(), (LABELS > 0).astype(int)
    single = chains_of(np.ones(len(y), dtype=int), sparse.csr_array(X))
    solver = CRFSolver(single, y, 2, tol=1e-12)
    W, T = solver.parts(solver.solve(4.0).x)
    oracle = LogisticRegression(C=2.0 * 4.0, fit_intercept=False, tol=1e-10, max_iter=10000).fit(X, y)
    assert not T.any()
    np.testing.assert_allclose(W[:, 1] - W[:, 0], oracle.coef_[0], atol=1e-4)


def test_a_label_that_never_occurs_is_not_predicted_and_a_path_is_warm():
    inputs = make_family("chains", window=1).fit(CHAINS)
    problem = Problem(inputs, Sequences(LABELS, 4))
    points = list(ALGORITHMS["crf"].path(problem, Cs=[10.0, 0.1], tol=1e-6, max_iter=1000))
    assert [point.values["C"] for point in points] == [0.1, 10.0]
    for point in points:
        assert point.status == "optimal" and point.predictor.outputs(inputs).shape == (4, len(LABELS))
        assert not point.predictor.outputs(inputs)[3].any()
        alone = CRFSolver(CHAINS, LABELS, 4, 1e-10).solve(point.values["C"])
        assert abs(point.solutions[0].objective / alone.objective - 1) < 2e-6


def test_the_order_of_sequences_does_not_matter():
    order = np.random.default_rng(0).permutation(len(CHAINS))
    labels = Chains(LABELS, CHAINS.starts)[order].values
    first, second = (CRFSolver(*one, 3, 1e-10).solve(1.0) for one in ((CHAINS, LABELS), (CHAINS[order], labels)))
    np.testing.assert_allclose(first.x, second.x, atol=1e-4)


def test_a_budget_that_is_used_up_is_told():
    with pytest.warns(ConvergenceWarning, match="capped; scale the features, or raise max_iter"):
        model = LinearChainCRF(C=100.0, max_iter=3).fit(*as_lists())
    assert model.gap_ > 1e-6 and model.n_iter_ <= 3


def as_lists():
    X = [one.toarray() for one in CHAINS.split(CHAINS.values)]
    return X, [[f"tag{label}" for label in one] for one in CHAINS.split(LABELS)]


def test_arrays_sparse_matrices_dictionaries_and_names_give_the_same_model():
    X, y = as_lists()
    forms = {
        "arrays": X,
        "sparse": [sparse.csr_matrix(one) for one in X],
        "dictionaries": [[{f"f{j:02}": bool(v) for j, v in enumerate(place)} for place in one] for one in X],
        "texts": [[{f"f{j:02}": "yes" for j, v in enumerate(place) if v} for place in one] for one in X],
        "names": [[[f"f{j:02}" for j, v in enumerate(place) if v] for place in one] for one in X],
    }
    models = {name: LinearChainCRF(tol=1e-10).fit(form, y) for name, form in forms.items()}
    for name, form in forms.items():
        model = models[name]
        assert model.predict(form) == models["arrays"].predict(X) and model.gap_ <= 1e-10
        np.testing.assert_allclose(model.coef_, models["arrays"].coef_, atol=1e-4)
        assert model.objective_ == pytest.approx(models["arrays"].objective_, rel=1e-9)
    assert models["names"].feature_names_[0] == "f00" and models["texts"].feature_names_[0] == "f00=yes"


def test_scores_are_those_of_the_predictions():
    X, y = as_lists()
    model = LinearChainCRF().fit(X[:20], y[:20])
    y[25][0] = "never seen"
    predicted = model.predict(X[20:])
    right = [a == b for one, two in zip(predicted, y[20:], strict=True) for a, b in zip(one, two, strict=True)]
    assert model.score(X[20:], y[20:]) == np.mean(right) < 1
    whole = [one == two for one, two in zip(predicted, y[20:], strict=True)]
    assert model.sequence_score(X[20:], y[20:]) == np.mean(whole)
    report = model.report(X[20:], y[20:])
    assert report["never seen"]["places"] == 1 and report["never seen"]["recall"] == 0
    assert sum(one["places"] for one in report.values()) == len(right)
    for proba, one in zip(model.predict_proba(X[20:]), X[20:], strict=True):
        assert proba.shape == (len(one), 3)
        np.testing.assert_allclose(proba.sum(axis=1), 1.0)


def test_it_is_used_as_scikit_learns_estimators_are():
    X, y = as_lists()
    search = GridSearchCV(LinearChainCRF(), {"C": [1e-3, 1.0]}, cv=3).fit(X, y)
    assert search.best_params_["C"] == 1.0 and search.best_score_ > 0.5
    model = search.best_estimator_
    assert pickle.loads(pickle.dumps(model)).predict(X) == clone(model).fit(X, y).predict(X)
    few = [one[:, :5] for one in X]  # another width, and another form, in a second fit
    assert model.fit(few, y).coef_.shape == (3, 5)
    assert model.fit([[["a"]], [["b"], ["a"]]], [["A"], ["B", "A"]]).predict([[["b"]]]) == [["B"]]


@pytest.mark.parametrize(
    ("X", "y", "told"),
    [
        ([np.ones((2, 2)), np.ones((0, 2))], [["a", "b"], []], "sequence 1 .* is empty"),
        ([[{"a": 1}], []], [["a"], []], "sequence 1 .* is empty"),
        ([np.ones((2, 2)), np.ones((1, 3))], [["a", "b"], ["a"]], "different numbers of features: 2, 3"),
        ([np.ones((2, 2))], [["a"]], "sequence 0 .* has 1 labels for 2 places"),
        ([np.ones((2, 2))], [["a", "b"], ["c"]], "labels of 2 sequences, X has 1"),
        ([np.full((1, 2), np.nan)], [["a"]], "sequence 0 .* not finite"),
        ([np.ones((2, 2))], [["a", "a"]], "one class only"),
        (np.ones((2, 2)), ["a", "b"], "one matrix"),
        ([], [], "no sequence"),
    ],
)
def test_wrong_input_is_told_in_one_line(X, y, told):
    with pytest.raises(ValueError, match=told) as caught:
        LinearChainCRF().fit(X, y)
    assert "\n" not in str(caught.value)


def test_other_features_than_those_learned_from_are_told():
    X, y = as_lists()
    model = LinearChainCRF().fit(X, y)
    with pytest.raises(ValueError, match="X has 5 features, the training sequences have 12"):
        model.predict([one[:, :5] for one in X])
    with pytest.raises(ValueError, match="in the form in which"):
        model.predict([[{"f": 1}]])
    with pytest.raises(ValueError, match="C=-1"):
        LinearChainCRF(C=-1.0).fit(X, y)


def test_features_of_any_size_have_a_certificate_or_none_is_claimed():
    scaled = replace(CHAINS, values=CHAINS.values * 2.0**10)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for C in (1e-6, 1e-2, 1.0):
            solution = CRFSolver(scaled, LABELS, 3).solve(C)
            assert solution.status == "optimal" and 0 <= solution.gap <= 1e-6
            assert solution.gap == relative_gap(solution.objective, solution.dual_objective, solution.zero)
        hard = CRFSolver(scaled, LABELS, 3, max_iter=500).solve(1e6)  # by L-BFGS from units of one in a thousand
    assert hard.status == "capped" and hard.gap > 1e-6
