"""``kernlearn verify``: models whose parts agree with each other, and that predict other than what they prove."""

import copy
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

import kernlearn
from kernlearn import (
    AdaBoostClassifier,
    EKMClassifier,
    HardSVMClassifier,
    KLDAClassifier,
    KRRMeanRegressor,
    KRRRegressor,
    L1SVMClassifier,
    L2SVMClassifier,
    LinearSVMClassifier,
    LKRRRegressor,
    LocalRademacherClassifier,
    LPBoostClassifier,
    MKLClassifier,
    MulticlassMKLClassifier,
    QPBoostClassifier,
    RBFNetworkClassifier,
    RMMClassifier,
    SigmaSVMClassifier,
    SoftSVMClassifier,
    StructRMMClassifier,
    StructSVMClassifier,
    TwoStageClassifier,
    TwoStageRegressor,
    UFOMKLClassifier,
    USVMClassifier,
    VKRClassifier,
    certify,
    load,
    save,
)
from kernlearn.cli.main import main
from kernlearn.errors import UserError
from kernlearn.kernels import make_family
from kernlearn.models.file import load_header, load_parts
from kernlearn.models.verification import verify
from tests.forty import NAMES, X, named

NOISE = np.where(np.random.default_rng(0).random(40) < 0.5, "yes", "no")
MODELS = [
    L2SVMClassifier(kernel="rbf", C=3.0),
    SoftSVMClassifier(kernel="rbf"),
    HardSVMClassifier(kernel="rbf", gamma=20.0),
    L1SVMClassifier(kernel="rbf", beta=0.01),
    VKRClassifier(degrees=[1, 2]),
    RMMClassifier(kernel="rbf", B=1.2),
    RMMClassifier(kernel="rbf", D=1.0),
    SigmaSVMClassifier(kernel="rbf"),
    KLDAClassifier(kernel="rbf"),
    KLDAClassifier(kernel="rbf", threshold="svm"),
    EKMClassifier(),
    StructSVMClassifier(),
    StructRMMClassifier(C=100.0),
    USVMClassifier(kernel="rbf"),
    LinearSVMClassifier(lambda_=0.1),
    MKLClassifier(norm=2.0),
    MKLClassifier(kernel="features"),
    MulticlassMKLClassifier(),
    UFOMKLClassifier(),
    TwoStageClassifier(),
    TwoStageClassifier(kernel="features"),
    LocalRademacherClassifier(),
    LPBoostClassifier(over="all"),
    QPBoostClassifier(),
    RBFNetworkClassifier(n_units=4),
    KRRRegressor(),
    KRRMeanRegressor(),
    LKRRRegressor(norm=1),
    TwoStageRegressor(),
]


def is_verified(model, path, y=NAMES, X=X):
    """Return whether a model is verified, after its numbers are what a check of it computes."""
    found = []
    try:
        save(model, path, force=True)
        found = verify(load_parts(path), X, y).proofs
        if found:
            model.objective_, model.dual_objective_ = (
                sum(getattr(one, name) for one in found) for name in ("objective", "lower_bound")
            )
            model.gap_ = max(one.relative_gap for one in found)
            save(model, path, force=True)
        return verify(load_parts(path), X, y).verified
    except UserError:
        return False


def put(model, coef):
    """Give a model coefficients, and what shows them."""
    model._coef = coef
    for name, value in (("dual_coef_", coef[0] if len(coef) == 1 else coef), ("coef_", coef)):
        if hasattr(model, name):
            setattr(model, name, value)


def doubled_support(model):
    for name in ("support_", "support_vectors_"):
        setattr(model, name, np.concatenate([getattr(model, name)] * 2))
    model.n_support_ = len(model.support_)
    put(model, np.concatenate([-3.0 * model._coef, model._coef], axis=2))


def support_from_the_end(model):
    model.support_ = model.support_ - len(X)


def one_more_intercept(model):
    model.intercept_ = np.append(model.intercept_, 1e9)


def one_more_output(model):
    one_more_intercept(model)
    put(model, np.concatenate([model._coef, 0.0 * model._coef[:1]]))


def one_more_kernel(model):
    put(model, np.concatenate([model._coef, 5.0 * model._coef[:, :1]], axis=1))


def other_coefficients_are_proved(model):
    model._coef, model.coef_ = model.coef_.copy(), -3.0 * model.coef_


def other_coefficients_predict(model):
    model._coef = -3.0 * model._coef


def one_more_hyperplane(model):
    one_more_intercept(model)
    if hasattr(model, "coef_"):
        model.coef_ = np.vstack([model.coef_, 0.0 * model.coef_[:1]])


def another_class_of_estimator(model):
    """Return an estimator that stops before an optimum, with all that this one proves."""
    other = AdaBoostClassifier(n_stumps=3).fit(X, np.where(NAMES == "yes", "no", "yes"))
    for name, value in vars(model).items():
        if name.endswith("_") or name.startswith("_"):
            setattr(other, name, value)
    return other


def votes_of_the_other_sign(model):
    """Put votes in the place of those that an output has, which the attributes that are shown have still."""
    model._alphas = [-alphas for alphas in model._alphas]


def other_networks(model):
    model._networks = [replace(one, weights=-one.weights) for one in model._networks]


def no_weights(model):
    """Make the function 0 the best, as no loss counts."""
    proof = model._proof
    solutions = tuple(replace(one, dual=0.0 * one.dual, x=0.0 * one.x) for one in proof.solutions)
    n = len(X) if proof.rows is None else len(proof.rows)
    model._proof = replace(proof, solutions=solutions, weights=np.zeros(n))
    put(model, 0.0 * model._coef)


def negative_weights(model):
    model._proof = replace(model._proof, weights=np.where(np.arange(len(X)) == 3, -5.0, 1.0))


def class_weights(model):
    model.class_weight = {"yes": 9.0}


ALTERATIONS = [
    (doubled_support, "support_vectors_"),
    (support_from_the_end, "support_"),
    (one_more_intercept, "intercept_"),
    (one_more_output, "_coef"),
    (one_more_kernel, "_coef"),
    (other_coefficients_are_proved, "coef_"),
    (other_coefficients_predict, "_coef"),
    (one_more_hyperplane, "intercept_"),
    (another_class_of_estimator, "classes_"),
    (no_weights, "_coef"),
    (negative_weights, "_proof"),
    (class_weights, "class_weight"),
    (votes_of_the_other_sign, "_alphas"),
    (other_networks, "_networks"),
]


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.sampled(3)
@pytest.mark.parametrize("model", MODELS, ids=named)
def test_a_model_that_predicts_other_than_it_proves_is_not_verified(model, tmp_path):
    path, y = tmp_path / "model.kl", X[:, 0] if "Regressor" in type(model).__name__ else NAMES
    model = copy.deepcopy(model).fit(X, y)
    assert is_verified(model, path, y)
    tried = 0
    for alter, attribute in ALTERATIONS:
        if not hasattr(model, attribute) or isinstance(getattr(model, attribute), list):
            continue
        other = copy.deepcopy(model)
        other = alter(other) or other
        assert not is_verified(other, path, y), alter.__name__
        tried += 1
    assert tried >= 2
    more = np.concatenate([np.arange(len(X)), np.arange(len(X))])
    for rows in (more, more[:-1], more[: len(X) - 1], more[: len(X) + 1]):
        assert not is_verified(copy.deepcopy(model), path, y[rows], X[rows])


def test_kernel_weights_below_zero(tmp_path):
    model = TwoStageClassifier(weighting="unif", gammas=[1.0], normalise="none").fit(X, NOISE)
    signs = np.where(NOISE == "yes", 1.0, -1.0)
    pair = [int(np.argmax(signs)), int(np.argmin(signs))]
    f, alpha = 1.5 * signs, np.zeros(len(X))
    f[pair], alpha[pair] = 0.0, 1.0
    (solution,), n = model._proof.solutions, len(X)
    model._proof = replace(model._proof, solutions=(replace(solution, dual=alpha),))
    model.weights_, model.intercept_ = -np.ones((1, 1)), np.zeros(1)
    model.support_, model.support_vectors_, model.n_support_ = np.arange(n), X, n
    put(model, np.linalg.solve(rbf_kernel(X, gamma=1.0), f)[None, None])
    assert not is_verified(model, tmp_path / "model.kl", NOISE)
    with pytest.raises(UserError, match="is not positive semidefinite"):
        certify(model, X, NOISE)


@pytest.mark.parametrize("kind", [L2SVMClassifier, SoftSVMClassifier, RMMClassifier, USVMClassifier])
def test_an_indefinite_kernel(kind, tmp_path):
    model = kind(kernel="rbf", gamma=1.0).fit(X, NAMES)
    model._family = make_family("sigmoid", slopes=[5.0], offset=-1.0)
    del model.gamma_
    model._proof = replace(model._proof, values={k: v for k, v in model._proof.values.items() if k != "gamma"})
    assert not is_verified(model, tmp_path / "model.kl")
    with pytest.raises(UserError, match="is not positive semidefinite"):
        certify(model, X, NAMES)


def test_the_band_of_a_relative_margin_machine_is_the_one_that_is_said(tmp_path):
    path = tmp_path / "model.kl"
    narrow, half = (
        RMMClassifier(kernel="rbf", C=10.0, **one).fit(X, NOISE) for one in ({"B": 1.05}, {"fraction": 0.5})
    )
    narrow.B, half.fraction = 5.0, 1.0
    for model, changed in ((narrow, {"options": {"B": 5.0}}), (half, {"values": {"fraction": 1.0}})):
        proof, (name, fields) = model._proof, next(iter(changed.items()))
        model._proof = replace(proof, **{name: {**getattr(proof, name), **fields}})
        if model is half:
            model._proof = replace(model._proof, options={**proof.options, "fractions": [1.0]})
        assert not is_verified(model, path, NOISE)
    honest = RMMClassifier(kernel="rbf", C=10.0).fit(X, NOISE)
    assert is_verified(honest, path, NOISE)
    (proof,) = verify(load_parts(path), X, NOISE).proofs
    assert proof.only.startswith("the band of the model")


def test_weights_of_examples_are_those_of_the_file_and_so_it_is_said(tmp_path):
    path, weights = tmp_path / "model.kl", 1.0 + np.arange(len(X)) % 3
    for class_weight, given, only in (
        (None, None, ""),
        ("balanced", None, ""),
        ({"yes": 2.0}, None, ""),
        (None, weights, "the sample weights of the file"),
        ("balanced", weights, "the sample weights of the file"),
        (None, weights - 1.0, "the sample weights of the file"),
    ):
        model = L2SVMClassifier(kernel="rbf", class_weight=class_weight).fit(X, NAMES, sample_weight=given)
        assert is_verified(model, path)
        (proof,) = verify(load_parts(path), X, NAMES).proofs
        assert proof.only == only
        assert proof.n_examples == (len(X) if given is None else np.count_nonzero(given))
    more = np.append(np.arange(len(X)), [0])
    assert not is_verified(model, path, NAMES[more], X[more])


@pytest.fixture
def table(tmp_path):
    frame = pd.DataFrame(X, columns=["a", "b"])
    frame["c"] = np.where(np.arange(len(X)) % 3 == 0, "x", "z")
    frame["label"] = NAMES
    frame.loc[3, "b"] = np.nan
    path = tmp_path / "moons.csv"
    frame.to_csv(path, index=False)
    return path


def test_fill_values_of_columns_that_lack_nothing_are_part_of_it(table, tmp_path, capsys):
    path, keys = tmp_path / "model.kl", ["algo.Cs=[1]", "kernel.gammas=[1]", "missing=median", "text=onehot"]
    assert main(["fit", "algo=l2_svm", str(table), "target=label", *keys, "-o", str(path)]) == 0
    assert main(["verify", str(path), str(table)]) == 0
    about = dict(load_header(path)["about"])
    for name in ("numbers", "indicators", "places"):
        model = load(path)
        part = model[0]._encoding.get(name)
        if part is None or part["fill"] is None:
            continue
        part["fill"] = part["fill"].copy()
        part["fill"][0] -= 50.0
        other = tmp_path / "other.kl"
        save(model, other, about=about)
        capsys.readouterr()
        assert main(["verify", str(other), str(table)]) == 1
        assert "other fill values" in capsys.readouterr().out
        break
    else:
        pytest.fail("nothing is filled in")


def test_the_unit_of_a_kernel_is_that_of_the_data(table, tmp_path, capsys):
    path, keys = tmp_path / "model.kl", ["algo.Cs=[1]", "kernel.gammas=[1]", "kernel.unit=scale"]
    frame = pd.read_csv(table)[["a", "c", "label"]]
    frame.to_csv(table, index=False)
    assert main(["fit", "algo=l2_svm", str(table), "target=label", "text=onehot", *keys, "-o", str(path)]) == 0
    assert main(["verify", str(path), str(table)]) == 0
    model, about = load(path), dict(load_header(path)["about"])
    model[-1]._factor *= 1.001
    save(model, path, about=about)
    assert main(["verify", str(path), str(table)]) == 1
    assert "another scaling" in capsys.readouterr().out


def test_steps_of_a_pipeline_are_learned_again(table, tmp_path, capsys):
    frame, path = pd.read_csv(table), tmp_path / "model.kl"
    columns = ColumnTransformer(
        [
            ("numbers", make_pipeline(SimpleImputer(), StandardScaler()), ["a", "b"]),
            ("texts", OneHotEncoder(handle_unknown="ignore"), ["c"]),
        ]
    )
    model = make_pipeline(columns, L2SVMClassifier(kernel="rbf")).fit(frame[["a", "b", "c"]], frame.label)
    save(model, path)
    assert main(["verify", str(path), str(table), "target=label"]) == 0
    model[0].named_transformers_["numbers"][0].statistics_[0] = -50.0  # of a column without missing values
    save(model, path)
    capsys.readouterr()
    assert main(["verify", str(path), str(table), "target=label"]) == 1
    assert "ColumnTransformer has learned something else" in capsys.readouterr().out


def test_every_estimator_with_a_proof_is_in_the_table_of_methods():
    from kernlearn.certificates.own.predictor import METHODS_OF

    assert set(METHODS_OF) <= set(kernlearn.__all__)
    structured = {"GraphClassifier", "LinearChainCRF", "StructRMM", "StructSVM"}  # which have tests of their own
    assert {type(model).__name__ for model in MODELS} | {"SGDSVMClassifier"} | structured == set(METHODS_OF)


def test_the_grid_point_of_a_fitted_model_is_the_one_that_its_parameters_say(table, tmp_path):
    path, other, keys = tmp_path / "model.kl", tmp_path / "other.kl", ["algo.Cs=[1]", "kernel.gammas=[1]"]
    frame = pd.read_csv(table)[["a", "label"]]
    frame.to_csv(table, index=False)
    assert main(["fit", "algo=l2_svm", str(table), "target=label", *keys, "-o", str(path)]) == 0
    for change in ({"point": 0, "options": {"Cs": [2.0]}}, {"method": "soft_svm"}, {"labels": ("yes", "no")}):
        model, about = load(path), dict(load_header(path)["about"])
        assert main(["verify", str(path), str(table)]) == 0
        machine = model[-1]
        change = {name: {**getattr(machine, name), **one} if name == "options" else one for name, one in change.items()}
        vars(machine).update(change)
        machine._proof = replace(machine._proof, options=machine.options, method=machine.method)
        save(model, other, about=about, force=True)
        assert main(["verify", str(other), str(table)]) in (1, 2)
    for name, value in (("values_", {**machine.values_, "C": 2.0}), ("n_support_", 1)):
        model = load(path)
        setattr(model[-1], name, value)
        save(model, other, about=about, force=True)
        assert main(["verify", str(other), str(table)]) == 1
