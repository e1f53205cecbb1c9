"""``kernlearn verify``: models that are proved on the data of the fit, and altered ones that never are."""

import json
import subprocess
import sys
from dataclasses import fields, is_dataclass, replace
from itertools import islice

import numpy as np
import pandas as pd
import pytest
from sklearn.impute import SimpleImputer
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

import kernlearn
from kernlearn import (
    KLDAClassifier,
    L2SVMClassifier,
    LinearSVMClassifier,
    LocalRademacherClassifier,
    LPBoostClassifier,
    MKLClassifier,
    MulticlassMKLClassifier,
    QPBoostClassifier,
    RBFNetworkClassifier,
    SigmaSVMClassifier,
    UFOMKLClassifier,
    VKRClassifier,
    load,
    save,
)
from kernlearn.certificates.own.on_graphs import GRAPHS
from kernlearn.certificates.proofs.proof import as_share
from kernlearn.cli.main import main
from kernlearn.errors import UserError
from kernlearn.models.archive import read_array, read_header, reading, write_archive
from kernlearn.models.file import load_parts
from kernlearn.models.verification import verify
from tests.forty import NAMES, X, Y

MODELS = [
    L2SVMClassifier(kernel="rbf", C=3.0),
    VKRClassifier(degrees=[1, 2]),
    MKLClassifier(norm=2.0),
    LinearSVMClassifier(lambda_=0.1),
    SigmaSVMClassifier(kernel="rbf"),
    KLDAClassifier(kernel="rbf"),
    LocalRademacherClassifier(),
    LocalRademacherClassifier(method="dc"),
    MulticlassMKLClassifier(theta=2),
    UFOMKLClassifier(),
    LPBoostClassifier(),
    LPBoostClassifier(over="all"),
    QPBoostClassifier(n_stumps=30, over="all", random_state=0),
    RBFNetworkClassifier(n_units=4),
]
#: Attributes that tell nothing of what is predicted or proved.
BESIDE = {"n_features_in_", "n_iter_", "n_examples_", "weights_", "_given_widths", "gammas_"}
#: Fields of predictors that predict nothing, and those of networks, which no data say.
UNUSED = {"multipliers", "columns", "owners", "networks"}


def changes(value):
    """Yield values that are not the one that is given."""
    if isinstance(value, np.ndarray) and value.dtype.kind == "f" and value.size:
        yield 1.001 * value + 2e-3
        yield value[::-1] if not (value[::-1] == value).all() else value + 1.0
    elif isinstance(value, np.ndarray) and value.dtype.kind in "iU" and value.size > 1:
        yield value[::-1].copy()
    elif isinstance(value, list):
        for i, one in enumerate(value):
            yield from ([*value[:i], other, *value[i + 1 :]] for other in changes(one) if (other != one).any())
    elif isinstance(value, float):
        yield 1.001 * value + 2e-3
    elif isinstance(value, int) and not isinstance(value, bool):
        yield value + 1


def is_verified(model, path, y=NAMES):
    save(model, path, force=True)
    try:
        return verify(load_parts(path), X, y).verified
    except UserError:
        return False


def altered(value):
    """Yield a nested value with one of the arrays and numbers in it altered."""
    if isinstance(value, list | tuple):
        for i, one in enumerate(value):
            yield from (type(value)([*value[:i], other, *value[i + 1 :]]) for other in altered(one))
    elif is_dataclass(value):
        for field in fields(value):
            if field.name not in UNUSED and not field.name.startswith("_"):
                yield from (replace(value, **{field.name: other}) for other in altered(getattr(value, field.name)))
    else:
        yield from islice(changes(value), 1)


@pytest.mark.sampled(2)
@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
def test_whatever_is_altered_in_a_model_it_is_not_verified(model, tmp_path):
    path = tmp_path / "model.kl"
    model.fit(X, NAMES)
    assert is_verified(model, path)
    altered = 0
    for name, value in list(vars(model).items()):
        if name in BESIDE or name in model.get_params():
            continue
        for other in changes(value):
            setattr(model, name, other)
            assert not is_verified(model, path), f"{name} may be {other}"
            altered += 1
        setattr(model, name, value)
    assert altered >= 6 and is_verified(model, path)
    assert not is_verified(model, path, np.where(NAMES == "yes", "no", "yes"))


def test_the_dual_point_and_the_penalty_are_part_of_it(tmp_path):
    model = L2SVMClassifier(kernel="rbf", C=3.0).fit(X, NAMES)
    proof, path = model._proof, tmp_path / "model.kl"
    (solution,) = proof.solutions
    for other in (
        replace(proof, solutions=(replace(solution, dual=0.99 * solution.dual),)),
        replace(proof, values={**proof.values, "C": 3.1}),
        replace(proof, weights=np.full(len(Y), 1.1)),
        replace(proof, rows=proof.rows[1:]),
        replace(proof, method="soft_svm"),
    ):
        model._proof = other
        assert not is_verified(model, path)
    model._proof = proof
    assert is_verified(model, path)
    model.C = 4.0
    assert not is_verified(model, path)


def test_the_verb_proves_a_fitted_model_and_leaves_a_receipt(moons_model, moons_csv, tmp_path, capsys):
    receipt = tmp_path / "receipt.json"
    assert main(["verify", str(moons_model), str(moons_csv), "--receipt", str(receipt)]) == 0
    words = capsys.readouterr().out
    assert "No predictor has an objective below" in words and "verified: " in words
    found = json.loads(receipt.read_text())
    assert (
        found["verified"] is True and found["reasons"] == [] and found["versions"]["kernlearn"] == kernlearn.__version__
    )
    assert all(len(found[key]["sha256"]) == 64 for key in ("model", "data")) and len(found["checker_sha256"]) == 64
    (problem,) = found["problems"]
    assert 0.0 <= problem["objective"] - problem["lower_bound"] <= 1e-9 * problem["objective"]
    assert main(["verify", str(moons_model), str(moons_csv), "--receipt", str(receipt)]) == 0
    assert json.loads(receipt.read_text()) == found


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        (["algo=l2_svm", "multiclass=one_vs_one", "algo.Cs=[1]", "kernel.gammas=[1]"], ""),
        (["algo=qpboost", "multiclass=one_vs_one", "algo.Cs=[0.1]", "algo.rounds=20"], "votes that the file has"),
        (
            ["algo=l2_svm", "algo.Cs=[1]", "kernel.gammas=[1]", "kernel.approximate=nystrom", "kernel.rank=12"],
            "approximated by the landmarks of the model",
        ),
        (
            ["algo=rbf_lpboost", "algo.nus=[0.2]", "algo.units=[3]", "algo.lambdas=[0.01]", "algo.rounds=5"],
            "votes that the file has",
        ),
    ],
    ids=lambda value: f"{value[0]} {value[1]}" if isinstance(value, list) else "",
)
def test_pairs_of_classes_landmarks_and_votes(keys, words, moons_csv, tmp_path, capsys):
    frame, path = pd.read_csv(moons_csv), tmp_path / "model.kl"
    frame["label"] = np.where(frame.a > 0.8, "far", frame.label)
    frame.to_csv(moons_csv, index=False)
    assert main(["fit", str(moons_csv), "target=label", *keys, "-o", str(path)]) == 0
    assert main(["verify", str(path), str(moons_csv)]) == 0
    assert words in capsys.readouterr().out.splitlines()[-1]
    other = tmp_path / "other.csv"
    frame.assign(label=np.roll(frame.label, 1)).to_csv(other, index=False)
    assert main(["verify", str(path), str(other)]) == 1
    model, tried = load(path), 0
    machine = model[-1]
    for name in {"_predictor", "_landmarks", "_inputs", "support_", "support_vectors_", "_scaled"} & vars(
        machine
    ).keys():
        value = getattr(machine, name)
        for one in altered(value):
            setattr(machine, name, one)
            save(model, path)
            assert main(["verify", str(path), str(moons_csv)]) in (1, 2), f"{name} may be {one}"
            tried += 1
        setattr(machine, name, value)
    assert tried >= 3


def test_the_gap_to_the_exact_problem_is_computed_again(moons_csv, tmp_path, capsys):
    path, page = tmp_path / "model.kl", tmp_path / "page.html"
    keys = ["algo=l2_svm", "algo.Cs=[1]", "kernel.gammas=[1]", "kernel.approximate=nystrom", "kernel.rank=12"]
    assert main(["fit", str(moons_csv), "target=label", *keys, "-o", str(path)]) == 0
    gap = load(path)[-1].exact_gap_
    sentence = f"the model is within {as_share(gap)} of the optimum of the exact problem, and within "
    assert sentence in capsys.readouterr().out and 1e-3 < gap < 1.0
    assert main(["info", str(path)]) == main(["report", str(path), "-o", str(page)]) == 0
    assert sentence in capsys.readouterr().out and sentence in page.read_text()
    assert main(["verify", str(path), str(moons_csv)]) == 0
    assert sentence in capsys.readouterr().out
    whole = tmp_path / "whole.kl"
    assert main(["fit", str(moons_csv), "target=label", *keys[:3], "-o", str(whole)]) == 0
    optimum, model = load(whole)[-1].objective_, load(path)
    assert 0.0 < (model[-1].objective_ - optimum) / model[-1].objective_ <= gap
    model[-1].exact_gap_ = 0.5 * gap
    save(model, path, force=True)
    assert main(["verify", str(path), str(moons_csv)]) == 1
    assert f"the file says a gap of {0.5 * gap} to the exact problem, and it is {gap:.2g}" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.parametrize(
    ("algo", "keys"),
    [
        *[(algo, []) for algo in ("vkr", "l1_svm", "rmm", "rmm_d", "rmm_c_eq_d", "l2_svm", "soft_svm", "sigma_svm")],
        *[(algo, []) for algo in ("l1_mkl", "l2_mkl", "unif", "align", "alignf", "conv", "dc", "multiclass_mkl")],
        *[(algo, []) for algo in ("multiclass_conv", "lpboost", "qpboost", "rbf_lpboost", "rbf_qpboost")],
        *[(algo, []) for algo in ("rbf_network", "krr", "krr_mean", "l1_krr", "l2_krr")],
        *[(algo, []) for algo in ("ekm", "klda", "struct_svm", "struct_rmm")],
        ("klda", ["algo.threshold=svm"]),
        ("ufo_mkl", ["algo.finish=exact"]),
        *[(algo, ["kernel=graph"]) for algo in GRAPHS],
        *[(algo, ["kernel=features"]) for algo in ("l1_mkl", "conv", "alignf", "l1_krr", "l2_krr")],
        ("hard_svm", ["kernel.gammas=[100]"]),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, list) else value,
)
def test_a_fitted_model_of_every_kind_is_proved(algo, keys, moons_csv, tmp_path, capsys):
    path, target, frame = tmp_path / "model.kl", ["target=label"], pd.read_csv(moons_csv)
    frame.insert(0, "c", np.where(frame.a > 0.5, "x", "z"))
    if "krr" in algo:
        target, frame = ["target=b", "task=regression"], frame[["a", "c", "b"]]
    frame.to_csv(moons_csv, index=False)
    given = [f"algo={algo}", str(moons_csv), *target, *keys, "text=onehot", "grid=by_size"]
    assert main(["fit", *given, "-o", str(path)]) == 0
    assert main(["verify", str(path), str(moons_csv)]) == 0


def test_other_data_are_not_proved(moons_model, moons_csv, tmp_path, capsys):
    frame = pd.read_csv(moons_csv)
    for change in (frame.iloc[::-1], frame.iloc[1:], frame.assign(a=1.01 * frame.a), frame.assign(label=NAMES[::-1])):
        path = tmp_path / "other.csv"
        change.to_csv(path, index=False)
        assert main(["verify", str(moons_model), str(path)]) == 1
        assert "not verified: " in capsys.readouterr().out


def test_columns_that_predict_are_part_of_it(moons_model, moons_csv, capsys):
    model = load(moons_model)
    first, second = model[0].schema["columns"]
    first["name"], second["name"] = second["name"], first["name"]
    save(model, moons_model)
    assert main(["verify", str(moons_model), str(moons_csv)]) == 1
    assert "columns of the file are not those of the model" in capsys.readouterr().out


def test_numbers_in_another_dialect_are_the_cause(moons_model, moons_csv, tmp_path, capsys):
    pd.read_csv(moons_csv).to_csv(other := tmp_path / "other.csv", index=False, sep=";", decimal=",")
    assert main(["verify", str(moons_model), str(other)]) == 1
    assert "is read with decimal=',', and the training file was with '.'" in capsys.readouterr().out


def test_a_tolerance_that_the_gap_exceeds(tmp_path, moons_csv, capsys):
    path = tmp_path / "model.kl"
    save(LinearSVMClassifier(lambda_=0.1, tol=1e-2).fit(X, NAMES), path)
    assert main(["verify", str(path), str(moons_csv)]) == 1
    assert "and the tolerance 0.001" in capsys.readouterr().out  # what the file says counts only if it is less
    assert main(["verify", str(path), str(moons_csv), "--tol", "1e-2"]) == 0
    assert "the tolerance is 0.01" in capsys.readouterr().out
    assert main(["verify", str(path), str(moons_csv), "--tol", "1e-12"]) == 1
    assert "and the tolerance 1e-12" in capsys.readouterr().out


def test_a_pipeline_that_was_saved_from_python(tmp_path, moons_csv, capsys):
    path, frame = tmp_path / "model.kl", pd.read_csv(moons_csv)
    model = make_pipeline(StandardScaler(), L2SVMClassifier(kernel="rbf")).fit(frame[["a", "b"]], frame.label)
    save(model, path)
    assert main(["verify", str(path), str(moons_csv), "target=label"]) == 0
    model[0].mean_ = model[0].mean_ + 0.01
    save(model, path)
    assert main(["verify", str(path), str(moons_csv), "target=label"]) == 1
    assert "are not those rows of X" in capsys.readouterr().out


def test_a_step_that_changes_only_other_examples_is_named_or_refused(moons_model, moons_csv, tmp_path, capsys):
    path, rows = tmp_path / "model.kl", pd.read_csv(moons_csv)
    harmless = SimpleImputer(missing_values=1e6, strategy="constant", fill_value=-1.0)
    model = load(moons_model)
    harmless.fit(model[0].transform(rows))
    save(Pipeline([model.steps[0], ("harmless", harmless), model.steps[1]]), path)
    assert main(["verify", str(path), str(moons_csv)]) == 2
    assert "has steps that no kernlearn fit writes" in capsys.readouterr().err
    numbers = rows[["a", "b"]].to_numpy()
    estimator = L2SVMClassifier().fit(harmless.fit_transform(numbers), rows["label"])
    save(Pipeline([("harmless", harmless), ("svm", estimator)]), path, force=True)
    found = verify(load_parts(path), numbers, rows["label"].to_numpy())
    assert found.verified and found.steps == [repr(harmless)]


def test_what_info_shows_is_what_predicts(moons_model, moons_csv, tmp_path):
    with reading(moons_model) as archive:
        header = read_header(archive)
        arrays = [read_array(archive, number) for number in range(len(archive.members) - 1)]
    for key, value in {"steps": ["machine"], "class": "VKRClassifier", "classes": ["a", "b"], "n_support": 1}.items():
        about = {**header["about"], key: value}
        write_archive(tmp_path / "other.kl", {**header, "about": about}, arrays)
        assert main(["verify", str(tmp_path / "other.kl"), str(moons_csv)]) == 1


def test_a_model_without_a_proof_is_refused(tmp_path, moons_csv, capsys):
    path = tmp_path / "model.kl"
    save(kernlearn.AdaBoostClassifier().fit(X, NAMES), path)
    assert main(["verify", str(path), str(moons_csv)]) == 2
    assert "nothing is proved of adaboost: the rounds of boosting end" in capsys.readouterr().err
    assert load(path).predict(X).shape == Y.shape


@pytest.mark.slow
def test_to_certify_imports_no_solver():
    program = (
        "import sys, kernlearn, numpy as np\n"
        "import kernlearn.certificates.own.problems\n"
        "from sklearn.svm import SVC\n"
        "kernlearn.certify(SVC().fit(np.eye(4), [0, 1, 0, 1]), np.eye(4), [0, 1, 0, 1])\n"
        "rooms = tuple(f'kernlearn.{room}' for room in ('solvers', 'algorithms', 'estimators', 'runner'))\n"
        "print([name for name in sys.modules if name.startswith(rooms)])\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "[]", done.stdout + done.stderr
