"""``kernlearn verify`` of models of sequences, of graphs, and with a Universum: proved ones, and altered ones."""

import copy
from dataclasses import replace

import numpy as np
import pytest

from kernlearn import GraphClassifier, LinearChainCRF, StructRMM, StructSVM, USVMClassifier, certify, load, save
from kernlearn.certificates.own.on_graphs import GRAPHS
from kernlearn.cli.main import main
from kernlearn.errors import UserError
from kernlearn.kernels.families.neighbours import ExactSearch
from kernlearn.models.file import load_parts
from kernlearn.models.verification import verify
from tests.algorithms.test_crf import CHAINS, LABELS
from tests.conftest import moons, slow_where
from tests.models.test_verify import altered

X, Y = moons(40)
HIDDEN = np.where(np.arange(len(Y)) % 3, -1, np.where(Y > 0, 1, 0))
THREE = np.where(np.arange(len(Y)) % 2, "-1", np.where(X[:, 0] > 0.8, "far", np.where(Y > 0, "up", "down")))
SEQUENCES = [CHAINS.values[a:b].toarray() for a, b in zip(CHAINS.starts, CHAINS.starts[1:], strict=False)]
NAMES = [LABELS[a:b].tolist() for a, b in zip(CHAINS.starts, CHAINS.starts[1:], strict=False)]
TEXTS = [[{"first": str(np.flatnonzero(place)), "sum": float(place.sum())} for place in one] for one in SEQUENCES]
TAGGERS = [
    (LinearChainCRF(), SEQUENCES),
    (LinearChainCRF(C=10.0), TEXTS),
    (StructSVM(C=10.0), TEXTS),
    (StructSVM(C=10.0, degree=2), SEQUENCES),
    (StructRMM(C=10.0, B=1.2), SEQUENCES),
    (StructRMM(C=100.0), TEXTS),
]
#: Methods whose bound is made of the predictor.
WITHOUT_DUAL = ("crf", "label_propagation", "label_spreading")
#: Attributes that tell nothing of what is predicted or proved.
BESIDE = {"n_features_in_", "n_iter_", "theta_", "B_", "feature_names_", "_vectorizer", "_n_rows"}


def is_verified(model, path, X, y):
    save(model, path, force=True)
    try:
        return verify(load_parts(path), X, y).verified
    except (UserError, ValueError):  # of what no fit accepts
        return False


def require_that_alterations_are_seen(model, path, X, y, beside=BESIDE, least=4):
    """Assert that a model is not verified with any one of its arrays and numbers altered."""
    tried = 0
    for name, value in list(vars(model).items()):
        if name in beside or name in model.get_params() or name == "_proof":
            continue
        for other in altered(value):
            setattr(model, name, other)
            assert not is_verified(model, path, X, y), name
            tried += 1
        setattr(model, name, value)
    proof, (*rest, solution) = model._proof, model._proof.solutions
    for other in (0.9 * solution.dual, 1.1 * solution.dual, solution.dual[..., :-1]):
        if proof.method not in WITHOUT_DUAL:
            model._proof = replace(proof, solutions=(*rest, replace(solution, dual=other)))
            assert not is_verified(model, path, X, y)
    model._proof = replace(proof, weights=np.full(len(y), 2.0))
    assert not is_verified(model, path, X, y)
    model._proof = replace(proof, method="l2_svm")
    assert not is_verified(model, path, X, y)
    model._proof = proof
    assert tried >= least and is_verified(model, path, X, y)


@pytest.mark.parametrize(("model", "data"), slow_where(lambda one: one[0].C != 10.0, TAGGERS))
def test_sequences(model, data, tmp_path):
    path = tmp_path / "model.kl"
    model.fit(data, NAMES)
    proof = certify(model, data, NAMES)
    assert -1e-12 <= proof.relative_gap <= model.tol and proof.n_examples == len(data)
    assert proof.objective == pytest.approx(model.objective_, rel=1e-12)
    assert is_verified(model, path, data, NAMES)
    require_that_alterations_are_seen(model, path, data, NAMES)
    rolled = [[1, *some[1:]] if number == 3 else some for number, some in enumerate(NAMES)]
    for other_data, labels in ((data, rolled), (data[:-1], NAMES[:-1]), (data * 2, NAMES * 2)):
        assert not is_verified(model, path, other_data, labels)


def test_features_become_the_columns_that_are_proved(tmp_path):
    path, model = tmp_path / "model.kl", StructSVM(C=10.0).fit(TEXTS, NAMES)
    assert is_verified(model, path, TEXTS, NAMES)
    for name in list(model._vectorizer.vocabulary_)[:12]:  # some of which change no label of the training sequences
        other = copy.deepcopy(model)
        other._vectorizer.vocabulary_["new=word"] = other._vectorizer.vocabulary_.pop(name)
        assert not is_verified(other, path, TEXTS, NAMES)
        with pytest.raises(UserError, match="other features"):
            certify(other, TEXTS, NAMES)


def test_a_kernel_is_of_the_sequences_that_are_proved(tmp_path):
    path, model = tmp_path / "model.kl", StructSVM(C=10.0, degree=2).fit(SEQUENCES, NAMES)
    chains = model._inputs.chains
    model._inputs = replace(model._inputs, learned=chains)
    assert is_verified(model, path, SEQUENCES, NAMES)
    model._inputs = replace(model._inputs, learned=chains.with_values(chains.values * 1.0001))
    assert not is_verified(model, path, SEQUENCES, NAMES)


def test_a_bound_that_is_said_to_follow_is_none_that_was_given(tmp_path):
    path, model = tmp_path / "model.kl", StructRMM(C=10.0, B=1.2).fit(SEQUENCES, NAMES)
    model.B = None
    assert not is_verified(model, path, SEQUENCES, NAMES)


@pytest.mark.parametrize("seed", [0, 10, 15])
def test_a_band_as_wide_as_the_outputs_of_an_svm_has_no_multipliers(seed):
    """With few labels, many outputs tie at the largest one; the proof is that of the SVM."""
    rng = np.random.default_rng(seed)
    rows, labels = rng.normal(size=(40, 2)), np.full(40, -1)
    for label in range(3):
        labels[rng.choice(np.flatnonzero(labels < 0), 4, replace=False)] = label
    model = GraphClassifier(method="kta_s", standardise=True, q=3).fit(rows, labels)
    proved = certify(model, rows, labels)
    assert proved.gap <= 1e-6 * abs(proved.objective)


@pytest.mark.parametrize("seed", [16, 33, 34])
def test_the_kept_multipliers_are_those_of_the_best_bound(seed):
    """With small features, the bound of the last round is far below that of the best one."""
    rng = np.random.default_rng(seed)
    d = int(rng.integers(1, 6))
    sequences = [0.01 * rng.normal(size=(length, d)) for length in rng.integers(1, 4, size=6)]
    labels = [rng.integers(0, 3, size=len(one)) for one in sequences]
    model = StructRMM(C=100.0, B=1.1).fit(sequences, labels)
    proved = certify(model, sequences, labels)
    assert proved.gap <= 1.001 * model.gap_ * model.objective_


def test_flows_of_no_labellings_raise_no_bound_above_the_optimum():
    large, C = 1e5, 100.0
    signs = [(1 - 2 * (i % 2), 1 - 2 * (i // 2 % 2)) for i in range(8)]
    data = [np.array([[float(a)], [large * b]]) for a, b in signs]
    names = [["A" if sign > 0 else "B" for sign in both] for both in signs]
    model, c = StructSVM(C=C).fit(data, names), C / len(data)
    optimum = certify(model, data, names).objective
    flows = []
    for i, both in enumerate(signs):
        first, second = (int(sign < 0) for sign in both)
        for label, amount in ((first, 1e8 * c), (1 - first, c)):  # there may be any amount of the true labelling
            flows += [(0, 2 * i, 0, label, amount), (0, 2 * i + 1, label, second, amount)]
        flows.append((0, 2 * i + 1, first, second, 2.0 * c / large))  # what comes from nowhere makes the image 0
    proof, decoder = model._proof, model._decoder
    model._proof = replace(proof, solutions=(replace(proof.solutions[0], dual=np.array(flows).T),))
    model._decoder = replace(decoder, weights=0.0 * decoder.weights, transitions=0.0 * decoder.transitions)
    found = certify(model, data, names)
    assert found.objective == pytest.approx(C) and found.lower_bound <= optimum


def test_the_neighbours_of_new_examples_are_those_of_the_graph(tmp_path):
    path, model = tmp_path / "model.kl", GraphClassifier(q=8).fit(X, HIDDEN)
    spectrum, tried = model._spectrum, 0
    search = spectrum.graph.search
    for row in range(len(X)):
        moved = search._X.copy()
        moved[row] += 0.02
        graph = replace(spectrum.graph, search=ExactSearch(moved, "euclidean", search._k))
        other = copy.copy(model)
        other._spectrum = replace(spectrum, graph=graph)
        if np.array_equal(other.decision_function(X), model.decision_function(X)):  # and of others it is not
            assert not is_verified(other, path, X, HIDDEN)
            tried += 1
    assert tried and is_verified(model, path, X, HIDDEN)
    model.method = "stoam"
    assert not is_verified(model, path, X, HIDDEN)


@pytest.mark.parametrize("method", slow_where(lambda name: name not in ("storm", "label_spreading"), GRAPHS))
def test_graphs(method, tmp_path):
    path = tmp_path / "model.kl"
    for y in (HIDDEN, THREE):
        model = GraphClassifier(method=method, q=8, threshold="middle").fit(X, y)
        proof = certify(model, X, y)
        parts = proof.parts or (proof,)
        assert sum(one.objective for one in parts) == pytest.approx(model.objective_, rel=1e-6)
        assert is_verified(model, path, X, y)
    require_that_alterations_are_seen(model, path, X, y)
    moved = X.copy()
    moved[7] += 1.0
    other = THREE.copy()
    other[0] = "up" if other[0] != "up" else "down"
    more = np.append(np.arange(len(X)), 5)
    for data, labels in ((moved, y), (X, other), (X[::-1], y[::-1]), (X[more], y[more]), (X, np.roll(y, 1))):
        assert not is_verified(model, path, data, labels)


def test_a_universum_is_that_of_the_file(tmp_path):
    path, names = tmp_path / "model.kl", np.where(Y > 0, "yes", "no")
    universum = np.random.default_rng(0).normal(size=(9, 2))
    weights = np.arange(len(X)) % 3
    for given in (None, weights):
        model = USVMClassifier(kernel="rbf").fit(X, names, universum=universum, sample_weight=given)
        proof = certify(model, X, names, given)
        assert proof.only == "the Universum of the file" and 0.0 <= proof.relative_gap <= 1e-6
        assert proof.objective == pytest.approx(model.objective_, rel=1e-9)
        assert is_verified(model, path, X, names)
    require_that_alterations_are_seen(model, path, X, names)
    del model._universum
    assert not is_verified(model, path, X, names)


def test_the_verb_for_sentences_and_for_graphs(tmp_path, capsys):
    path, words = tmp_path / "model.kl", tmp_path / "s.conll"
    words.write_text("\n\n".join(f"the D\ndog N\n{'runs' if i % 2 else 'sleeps'} V" for i in range(12)) + "\n")
    keys = ["dataset=conll", f"dataset.path={words}", "dataset.target=-1", "algo.Cs=[10]", "-o", str(path)]
    for algo in (["algo=crf", "scaling=unit"], ["algo=struct_svm", "kernel=chains", "scaling=none"]):
        assert main(["fit", *algo, *keys]) == 0
        assert main(["verify", str(path), str(words)]) == 0
    other = tmp_path / "t.conll"
    other.write_text(words.read_text().replace("the D", "the N", 1))
    assert main(["verify", str(path), str(other)]) == 1
    other.write_text("\n\n".join(words.read_text().split("\n\n")[:3]) + "\n\nnew N\n")
    assert main(["verify", str(path), str(other)]) == 1
    assert "other features" in capsys.readouterr().out
    model = load(path)
    for change in altered(model[-1]._predictor):
        model[-1]._predictor = change
        save(model, tmp_path / "other.kl", force=True)
        assert main(["verify", str(tmp_path / "other.kl"), str(words)]) in (1, 2)
    table = tmp_path / "moons.csv"
    np.savetxt(table, np.column_stack([X, Y]), delimiter=",", header="a,b,label", comments="")
    graph = ["kernel=graph", "kernel.q=8", "algo.Cs=[100]", "algo.fractions=[0.5]"]
    assert main(["fit", "algo=storm", str(table), "target=label", *graph, "-o", str(path)]) == 0
    assert main(["verify", str(path), str(table)]) == 0
    assert "the band of the model" in capsys.readouterr().out


def test_a_tagger_from_python_has_no_file_to_be_verified_with(tmp_path, capsys):
    save(LinearChainCRF().fit(SEQUENCES, NAMES), tmp_path / "model.kl")
    (tmp_path / "x.csv").write_text("a,b\n1,2\n")
    assert main(["verify", str(tmp_path / "model.kl"), str(tmp_path / "x.csv")]) == 2
    assert "kernlearn.certify(model, X, y)" in capsys.readouterr().err
