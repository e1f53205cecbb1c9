"""``class_weight``: factors of the losses of classes, against estimators and against examples that are there again."""

import csv
import shlex
from functools import partial

import numpy as np
import pytest
from sklearn.svm import SVC
from sklearn.utils.class_weight import compute_sample_weight

import kernlearn
from kernlearn.algorithms import ALGORITHMS, Classes, Problem, Signs
from kernlearn.algorithms.margin.ekm import Enclosed
from kernlearn.cli.configuration.aliases import translated
from kernlearn.cli.configuration.compose import compose_config
from kernlearn.cli.main import main
from kernlearn.errors import UserError
from kernlearn.kernels import GramStack, make_family
from kernlearn.papers.core.compare import printed_values
from kernlearn.runner.cell.class_weight import check_class_weight, in_words, weights_of
from kernlearn.runner.cell.data import data_of, examples_of
from kernlearn.runner.cell.run import run_cell
from kernlearn.runner.plan.identity import identity
from tests.conftest import moons
from tests.runner.experiments import plan_of, rows_of

ABLE = [name for name, method in ALGORITHMS.items() if method.class_weight]
#: Three classes.
WAVES = ("dataset=waveform", "dataset.n=200")
COMBINED = {"kernel": "gaussian", "gammas": [0.1, 1.0], "C": 2.0}
SINGLE = {"kernel": "gaussian", "gamma": 0.5}
TAILS = {"kernel": "gaussian", "gammas": [0.1, 1.0], "theta": 2, "C": 50.0}
#: The estimator of every method, and the words of its grid point.
ESTIMATORS = {
    "vkr": (
        kernlearn.VKRClassifier(kernel="gaussian", gammas=[0.5], lambda_=1e-3, beta=1e-3),
        ["algo.lambdas=[1e-3]", "algo.betas=[1e-3]"],
    ),
    "l1_svm": (kernlearn.L1SVMClassifier(**SINGLE, beta=1e-3), ["algo.betas=[1e-3]"]),
    "l2_svm": (kernlearn.L2SVMClassifier(**SINGLE, C=2.0), ["algo.Cs=[2]"]),
    "soft_svm": (kernlearn.SoftSVMClassifier(**SINGLE, lambda_=1e-3), ["algo.lambdas=[1e-3]"]),
    "sigma_svm": (kernlearn.SigmaSVMClassifier(**SINGLE, C=2.0, D=0.9), ["algo.Cs=[2]", "algo.shares=[0.9]"]),
    "ekm": (kernlearn.EKMClassifier("gaussian", gamma=0.5, C=1e-3), ["algo.Cs=[1e-3]", "algo.Es=[1]"]),
    "rmm": (kernlearn.RMMClassifier(**SINGLE, C=2.0, fraction=0.5), ["algo.Cs=[2]", "algo.fractions=[0.5]"]),
    "rmm_d": (
        kernlearn.RMMClassifier(**SINGLE, C=2.0, D=1.0, nu=5.0),
        ["algo.Cs=[2]", "algo.Ds=[1]", "algo.nus=[5]"],
    ),
    "rmm_c_eq_d": (kernlearn.RMMClassifier(**SINGLE, C=2.0, D=2.0), ["algo.Cs=[2]"]),
    **{name: (kernlearn.TwoStageClassifier(name, **COMBINED), ["algo.Cs=[2]"]) for name in ("unif", "align", "alignf")},
    "l1_mkl": (kernlearn.MKLClassifier(1.0, **COMBINED), ["algo.Cs=[2]"]),
    "l2_mkl": (kernlearn.MKLClassifier(2.0, **COMBINED), ["algo.Cs=[2]"]),
    "multiclass_mkl": (
        kernlearn.MulticlassMKLClassifier(**COMBINED, tol=1e-7),
        ["algo.Cs=[2]", "algo.tol=1e-7"],
    ),
    "multiclass_conv": (
        kernlearn.MulticlassMKLClassifier(**TAILS, tol=1e-7),
        ["algo.Cs=[50]", "algo.thetas=[2]", "algo.tol=1e-7"],
    ),
    "ufo_mkl": (
        kernlearn.UFOMKLClassifier(**COMBINED, finish="exact", tol=1e-6),
        ["algo.Cs=[2]", "algo.finish=exact", "algo.tol=1e-6"],
    ),
    "conv": (kernlearn.LocalRademacherClassifier("conv", **TAILS), ["algo.Cs=[50]", "algo.thetas=[2]"]),
    "dc": (kernlearn.LocalRademacherClassifier("dc", **TAILS), ["algo.Cs=[50]", "algo.thetas=[2]"]),
}


def words_of(name, *more):
    model, words = ESTIMATORS[name]
    gammas = "[0.5]" if "gamma" in model.get_params() or name == "vkr" else "[0.1,1]"
    return (f"algo={name}", *words, "kernel=gaussian", f"kernel.gammas={gammas}", *more)


def parts_of(cell):
    """Return training and test examples of a cell as its method has them, and the names of their classes."""
    dataset, split = data_of(cell)
    _, (train, test) = examples_of(cell, dataset.X[split.train], dataset.X[split.test])
    names = np.array(dataset.classes)
    return train, names[dataset.y[split.train]], test, names[dataset.y[split.test]]


@pytest.mark.sampled(8)
@pytest.mark.parametrize("class_weight", ["balanced", {"bad": 5.0, "good": 0.5}], ids=str)
@pytest.mark.parametrize("name", ESTIMATORS)
def test_a_run_is_the_estimator_with_the_same_weights(name, class_weight):
    said = class_weight if isinstance(class_weight, str) else "{bad: 5, good: 0.5}"
    cell = plan_of(*words_of(name, "dataset=ionosphere", f"class_weight={said}")).cells[0]
    (row,) = run_cell(cell)["rows"]
    train, labels, test, truth = parts_of(cell)
    model = ESTIMATORS[name][0].set_params(class_weight=class_weight).fit(train, labels)
    assert row["status"] == "optimal" and abs(row["gap"]) <= cell.algo["tol"]
    assert row["objective"] == pytest.approx(model.objective_, rel=2e-6)
    assert row["test_errors"] == (model.predict(test) != truth).sum()
    plain = rows_of(*words_of(name, "dataset=ionosphere"))[0]
    assert plain["objective"] != pytest.approx(row["objective"], rel=1e-3)


def copied(name, n):
    """Return values of a grid point on n examples, and the unit in which its objective is that of a sum of losses."""
    plain = {"centre": False, "normalise": "none"}
    return {
        "vkr": ({"complexity": "lemma3", "lambdas": [0.0], "betas": [1.0 / n]}, 1.0 / n),
        "l1_svm": ({"betas": [1.0 / n]}, 1.0 / n),
        "soft_svm": ({"lambdas": [1.0 / n]}, 1.0 / n),
        "sigma_svm": ({"Cs": [2.0], "shares": [0.0]}, 1.0),  # copies move the whitening
        "rmm": ({"Cs": [2.0], "fractions": [0.5]}, 1.0),
        "rmm_d": ({"Cs": [2.0], "Ds": [1.0]}, 1.0),
        **dict.fromkeys(("l2_svm", "rmm_c_eq_d"), ({"Cs": [2.0]}, 1.0)),
        **dict.fromkeys(("unif", "align", "alignf", "l1_mkl", "l2_mkl"), ({"Cs": [2.0], **plain}, 1.0)),
        "multiclass_mkl": ({"Cs": [2.0], "tol": 1e-7, **plain}, 1.0),
        "multiclass_conv": ({"Cs": [2.0 * n], "thetas": [0], "centre": False, "tol": 1e-7}, float(n)),
        "ufo_mkl": (
            {"Cs": [2.0], "alphas": [1.0 / n], "epochs": [30], "finish": "exact", "tol": 1e-6, **plain},
            1.0 / n,
        ),
        # The tail of a Gaussian kernel beyond no eigenvalue is the number of examples.
        **dict.fromkeys(("conv", "dc"), ({"Cs": [2.0 * n], "thetas": [0], "centre": False}, float(n))),
    }[name]


@pytest.mark.parametrize("name", [name for name in ESTIMATORS if name != "ekm"])  # copies move its ellipsoid
def test_a_class_of_weight_three_is_there_three_times(name):
    X, y = moons(60)
    weights, family = np.where(y > 0, 3.0, 1.0), make_family("gaussian", gammas=[1.0])
    again = np.repeat(np.arange(60), weights.astype(int))
    values, unit = copied(name, 60)
    target = partial(Classes, number=2) if ALGORITHMS[name].joint else Signs
    y = (y > 0).astype(int) if ALGORITHMS[name].joint else y
    (weighted,) = ALGORITHMS[name].path(Problem(GramStack.train(family, X), target(y), weights=weights), **values)
    values, of_copies = copied(name, len(again))
    (several,) = ALGORITHMS[name].path(Problem(GramStack.train(family, X[again]), target(y[again])), **values)
    one, other = weighted.solutions[0], several.solutions[0]
    assert weighted.status == several.status == "optimal"
    assert one.objective / unit == pytest.approx(other.objective / of_copies, rel=2e-6)
    assert one.dual_objective <= one.objective * (1 + 1e-9)


def test_the_ellipsoidal_machine_with_weights_is_libsvm_on_its_kernel():
    X, y = moons(60)
    stack, weights = GramStack.train(make_family("linear"), X), np.where(y > 0, 3.0, 1.0)
    (point,) = ALGORITHMS["ekm"].path(Problem(stack, Signs(y), weights=weights), Cs=[2.0], Es=[1.0])
    K = Enclosed(stack, 1.0, 1e-6).matrix
    oracle = SVC(kernel="precomputed", C=2.0, tol=1e-8).fit(K, y, sample_weight=weights)
    np.testing.assert_allclose(point.predictor.outputs(stack)[0], oracle.decision_function(K), atol=1e-4)
    assert abs(point.solutions[0].gap) <= 1e-6


@pytest.mark.parametrize("class_weight", ["balanced", "{2: 4}"])
def test_three_classes_one_against_one_have_the_votes_of_libsvm(class_weight):
    cell = plan_of(*words_of("l2_svm", *WAVES, f"class_weight={class_weight}", "multiclass=one_vs_one")).cells[0]
    train, labels, test, truth = parts_of(cell)
    weights = np.where(labels == "2", 4.0, 1.0)
    if class_weight == "balanced":
        weights = compute_sample_weight("balanced", labels)
    (row,) = run_cell(cell)["rows"]
    oracle = SVC(C=2.0, gamma=0.5, tol=1e-6).fit(train, labels, sample_weight=weights)
    assert row["test_errors"] == (oracle.predict(test) != truth).sum()
    assert row["n_support"] == pytest.approx(np.count_nonzero(oracle.dual_coef_), abs=2)


@pytest.mark.parametrize("name", ["vkr", "l2_svm", "unif", "multiclass_mkl"])
def test_three_classes_against_the_rest_keep_their_weights(name):
    cell = plan_of(*words_of(name, *WAVES, "class_weight={1: 4}")).cells[0]
    train, labels, _, _ = parts_of(cell)
    model = ESTIMATORS[name][0].set_params(class_weight={"1": 4.0}).fit(train, labels)
    assert run_cell(cell)["rows"][0]["objective"] == pytest.approx(model.objective_, rel=2e-6)


def test_a_path_goes_on_from_its_middle_with_weights():
    X, y = moons(60)
    stack = GramStack.train(make_family("gaussian", gammas=[1.0]), X)
    problem, values = Problem(stack, Signs(y), weights=np.where(y > 0, 3.0, 1.0)), {"betas": [1.0, 0.1, 0.01]}
    for name, more in (("l1_svm", {}), ("vkr", {"lambdas": [0.1], "complexity": "lemma3"})):
        path = ALGORITHMS[name].path(problem, **values, **more)
        states, wholes = zip(*((point.state and point.state(), point) for point in path), strict=True)
        again = list(ALGORITHMS[name].path(problem, **values, **more, resume=(1, states[0])))
        assert [point.solutions[0].objective for point in again] == [p.solutions[0].objective for p in wholes[1:]]


def test_coordinate_descent_takes_weights():
    X, y = moons(60)
    problem = Problem(
        GramStack.train(make_family("gaussian", gammas=[1.0]), X), Signs(y), weights=np.where(y > 0, 3.0, 1.0)
    )
    values = {"complexity": "lemma3", "lambdas": [0.0], "betas": [0.1]}
    (best,), (found,) = (ALGORITHMS["vkr"].path(problem, **values, method=method) for method in ("lp", "cd"))
    best, found = best.solutions[0], found.solutions[0]
    assert found.dual_objective <= best.objective * (1 + 1e-9) and best.objective <= found.objective * (1 + 1e-9)
    assert found.objective == pytest.approx(best.objective, rel=0.05)


@pytest.mark.parametrize("name", [name for name in ALGORITHMS if name not in ABLE])
def test_other_methods_refuse_it(name):
    task = ALGORITHMS[name].tasks[0]
    told = "a regression has no classes; leave it out"
    if task == "classification":
        told = f"is not for algo={name}; leave it out, or use one of {', '.join(ABLE)}"
    with pytest.raises(UserError, match=f"class_weight: {told}"):
        plan_of(f"algo={name}", f"task={task}", "class_weight=balanced")


def test_every_method_with_weights_is_tested():
    assert {*ESTIMATORS, "u_svm"} == set(ABLE)  # of u_svm, whose data are no bundled ones: test_u_svm.py


def test_without_weights_nothing_is_another_and_with_them_the_experiment():
    words = ("algo=vkr", "dataset=ionosphere")
    plain, null, weighted = (plan_of(*words, *more) for more in ([], ["class_weight=null"], ["class_weight=balanced"]))
    assert identity(plain)["run"] == identity(null)["run"] == "a9089cde22" and plain.keys == null.keys
    assert null.cells[0].class_weight is None and set(weighted.keys).isdisjoint(plain.keys)
    assert identity(weighted)["parameters"] == f"class_weight=balanced {identity(plain)['parameters']}".strip()
    assert printed_values(plain.experiment, "vkr_lemma3") and not printed_values(weighted.experiment, "vkr_lemma3")


def test_the_order_of_classes_is_of_no_account_and_the_words_are_understood_again():
    one, other = (
        plan_of("algo=l2_svm", f"class_weight={said}") for said in ("{good: 2, bad: 5.5}", "{bad: 5.5, good: 2.0}")
    )
    assert one.keys == other.keys
    (word,) = [word for word in identity(one)["parameters"].split() if "class_weight" in word]
    assert plan_of("algo=l2_svm", word.strip("'")).keys == one.keys


def test_names_with_other_signs_stand_in_quotes(tmp_path):
    X, y = moons(40)
    rows = [[*x, ">50K" if label > 0 else "<=50K, or so"] for x, label in zip(X.tolist(), y.tolist(), strict=True)]
    with open(tmp_path / "own.csv", "w", newline="") as file:
        csv.writer(file).writerows([["a", "b", "income"], *rows])
    words = ["algo=l2_svm", "dataset=csv", f"dataset.path={tmp_path / 'own.csv'}", "dataset.target=income"]
    plan = plan_of(*words, 'class_weight="{>50K: 5}"')
    assert plan.experiment.class_weight == {">50K": 5.0}
    (word,) = [word for word in shlex.split(identity(plan)["parameters"]) if "class_weight" in word]
    assert plan_of(*words, word).keys == plan.keys


@pytest.mark.parametrize("mapping", ["{'>50K': 5, 'it''s': 2}", '{">50K": 5, "it\'s": 2}', '{>50K: 5, "it\'s": 2}'])
def test_names_may_be_in_quotes_of_either_kind(mapping):
    (word,), _ = translated([f"class_weight={mapping}"], lambda group: [])
    config = compose_config(["algo=vkr", word])
    assert check_class_weight(config["class_weight"]) == {">50K": 5.0, "it's": 2.0}


def test_a_choice_that_does_not_weigh_classes_is_told_of_unless_it_was_asked_for(capsys):
    words = ["run", "algo=l2_svm", "class_weight=balanced", "--dry-run"]
    for more, times in ([], 1), (["select_by=error_pct"], 0), (["select_by=auc"], 0):
        assert main([*words, *more]) == 0
        note = "note       class_weight does not affect the choice by error_pct; select_by=balanced_error_pct weighs"
        assert capsys.readouterr().out.count(note) == times


def test_balanced_classes_have_the_same_total_in_every_training_part():
    y = np.array([0, 0, 0, 2, 2, 0])
    weights = weights_of("balanced", ("a", "b", "c"), y)  # no example is of class b
    np.testing.assert_allclose(weights, [0.75, 0.75, 0.75, 1.5, 1.5, 0.75])
    np.testing.assert_allclose(weights_of({"c": 4.0}, ("a", "b", "c"), y), [1, 1, 1, 4, 4, 1])
    assert weights_of(None, ("a", "b", "c"), y) is None


def test_classes_that_are_numbers_are_known_in_any_spelling(tmp_path):
    X, y = moons(40)
    rows = [[*x, {-1.0: "-1", 1.0: "+1"}[label]] for x, label in zip(X.tolist(), y.tolist(), strict=True)]
    with open(tmp_path / "own.csv", "w", newline="") as file:
        csv.writer(file).writerows([["a", "b", "label"], *rows])
    words = ["algo=l2_svm", "dataset=csv", f"dataset.path={tmp_path / 'own.csv'}", "dataset.target=label"]
    plans = [plan_of(*words, f"class_weight={{{name}: 5}}") for name in ("1", "+1", "1.0")]
    assert [plan.experiment.class_weight for plan in plans] == [{"+1": 5.0}] * 3


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("even", "class_weight=even: must be balanced, a mapping such as {NAME: 5} of classes to numbers > 0, or null"),
        ("2", "class_weight=2: must be balanced"),
        ("{}", "class_weight={}: must be balanced"),
        ("{bad: -1}", "class_weight.bad=-1: must be a number > 0"),
        ("{bad: balanced}", "class_weight.bad=balanced: must be a number > 0"),
        ('"{bad}"', "class_weight={bad}: must be balanced, a mapping such as {NAME: 5}"),
        ("{bat: 5}", "class_weight.bat: ionosphere has the classes bad, good; did you mean bad?"),
    ],
)
def test_wrong_weights_are_told_in_one_line(value, told, capsys):
    assert main(["run", "algo=l2_svm", f"class_weight={value}", "--dry-run"]) == 2
    assert told in capsys.readouterr().err


def test_a_run_says_so(tmp_path, capsys):
    words = ["algo=l2_svm", "kernel=linear", "algo.Cs=[1]", "algo.class_weight={bad: 5}", "engine.jobs=1"]
    assert main(["run", *words, f"results_dir={tmp_path}"]) == 0
    assert "weights    of the losses of classes: {bad:5.0}" in capsys.readouterr().out
    (directory,) = (tmp_path / "runs").iterdir()
    with open(directory / "summary.csv", newline="") as file:
        assert {row["parameters"] for row in csv.DictReader(file)} == {"'class_weight={bad:5.0}' algo.Cs=[1.0]"}


NAMES = [
    "true",
    "null",
    "1.0",
    "-1",
    "a,b",
    "a:b",
    ">50K",
    "it's",
    'say "hi"',
    "größe",
    "two words",
    "{x}",
    "a\\b",
    "b\\",
]


@pytest.mark.parametrize("name", NAMES)
def test_what_is_said_of_a_run_is_what_the_command_line_understands(name):
    weights = {name: 5.0, "other": 0.5}
    config = compose_config(["algo=vkr", f"class_weight={in_words(weights)}"])
    assert check_class_weight(config["class_weight"]) == weights


@pytest.mark.parametrize("text", ['"{1: 5, 1: 2}"', '"{1: 5, +1: 2}"', "'{1.0: 5, 1: 2}'"])
def test_a_class_has_one_factor(tmp_path, text):
    path = tmp_path / "t.csv"
    path.write_text("a,b,y\n" + "".join(f"{i},{i * i % 7},{i % 2}\n" for i in range(30)))
    words = ["dataset=csv", f"dataset.path={path}", "dataset.target=y", f"class_weight={text}"]
    with pytest.raises(UserError, match="class_weight: the class '?1'? has two factors; give one"):
        plan_of("algo=l2_svm", *words)
