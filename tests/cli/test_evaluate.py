"""``kernlearn evaluate`` and ``explain``: scores with intervals, and the rows and columns that decide."""

import json
import re
import subprocess
import sys

import numpy as np
import pytest
from scipy.stats import beta
from sklearn.metrics import confusion_matrix, f1_score, log_loss, precision_score, recall_score, roc_auc_score
from sklearn.preprocessing import StandardScaler

import kernlearn
from kernlearn.cli.main import main
from kernlearn.cli.model.explained import decision_of
from kernlearn.cli.model.labelled import read_labelled
from kernlearn.evaluation.intervals import bootstrap_intervals, exact_interval

N = 90
#: A quick fit; its file has the columns u, noise, colour and label.
FIT = ["fit", "train.csv", "target=label", "algo=l2_svm", "algo.Cs=[1.0]", "kernel.gammas=[0.3]", "text=onehot"]


def write(path, seed, classes=2, n=N, labels="abc"):
    """Write a file whose label follows from u and colour, and not from noise."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % classes
    u, noise = np.round(rng.normal(size=n) + 1.5 * y, 3), np.round(rng.normal(size=n), 3)
    colour = np.where(rng.random(n) < 0.8, y, (y + 1) % classes)
    lines = [f"{a},{b},{'rgb'[c]},{labels[k]}" for a, b, c, k in zip(u, noise, colour, y, strict=True)]
    path.write_text("\n".join(["u,noise,colour,label", *lines]) + "\n")


@pytest.fixture(scope="module")
def fitted(tmp_path_factory):
    """Return a directory with a model, its training file, a test file, and both together."""
    directory = tmp_path_factory.mktemp("evaluated")
    for name, seed in (("train.csv", 0), ("test.csv", 1)):
        write(directory / name, seed)
    head, *rows = (directory / "test.csv").read_text().splitlines()
    both = [head, *rows, *(directory / "train.csv").read_text().splitlines()[1:]]
    (directory / "both.csv").write_text("\n".join(both) + "\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(directory)
        assert main([*FIT, "probability=true", "-o", "m.kl"]) == 0
    return directory


@pytest.fixture
def here(fitted, monkeypatch):
    monkeypatch.chdir(fitted)
    return fitted


def evaluated(capsys, *words):
    assert main(["evaluate", *words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_the_scores_are_those_of_scikit_learn(here, capsys):
    found = evaluated(capsys, "m.kl", "test.csv")
    rows, model = read_labelled("m.kl", "test.csv", None), kernlearn.load("m.kl")
    y, predicted = rows.targets.labels, model.predict(rows.codes)
    names = np.array(rows.classes)[y]
    scores = {name: score["value"] for name, score in found["scores"].items()}
    assert scores["error_pct"] == pytest.approx(100 * np.mean(names != predicted))
    assert scores["macro_f1_pct"] == pytest.approx(100 * f1_score(names, predicted, average="macro"))
    assert scores["auc"] == pytest.approx(100 * roc_auc_score(y, model.decision_function(rows.codes)))
    assert scores["log_loss"] == pytest.approx(log_loss(y, model.predict_proba(rows.codes)))
    assert found["confusion"] == confusion_matrix(names, predicted).tolist()
    for k, one in enumerate(found["classes"]):
        assert one["recall_pct"] == pytest.approx(100 * recall_score(names, predicted, average=None)[k])
        assert one["precision_pct"] == pytest.approx(100 * precision_score(names, predicted, average=None)[k])
    for score in found["scores"].values():
        assert score["low"] <= score["value"] <= score["high"]
    assert found["scores"]["error_pct"]["interval"] == "Clopper-Pearson" and not found["notes"]


def test_rows_of_the_training_data_are_found(here, capsys):
    (all_of_them,) = evaluated(capsys, "m.kl", "train.csv")["notes"]
    assert "trained on exactly these rows" in all_of_them
    (some,) = evaluated(capsys, "m.kl", "both.csv")["notes"]
    number = int(re.search(r"at least (\d+) of 180 rows", some)[1])
    assert 0 < number <= N


def test_the_tables_have_every_class(here, capsys):
    assert main(["evaluate", "m.kl", "test.csv"]) == 0
    out = capsys.readouterr().out
    assert "true \\ predicted" in out and "Clopper-Pearson" in out and "recall %" in out and "log loss" in out


def test_labels_in_another_spelling_are_the_same_class(tmp_path, capsys):
    write(tmp_path / "train.csv", 0, labels="12")
    write(tmp_path / "test.csv", 1, labels=["1.0", "+2"])
    assert main([*FIT, "-o", "m.kl"]) == 0
    capsys.readouterr()
    assert [one["name"] for one in evaluated(capsys, "m.kl", "test.csv")["classes"]] == ["1", "2"]


@pytest.mark.parametrize(
    "text, message",
    [
        ("u,noise,colour,label\n1,2,r,z\n1,2,r,a\n", "the label of 1 rows is none of the model's classes ('z'"),
        ("u,noise,colour,label\n1,2,r,\n", "no row has a target"),
        ("u,noise,colour\n1,2,r\n", "has no target column 'label'"),
        ("u,colour,label\n1,r,a\n", "has no column 'noise'"),
    ],
)
@pytest.mark.parametrize("verb", ["evaluate", pytest.param("explain", marks=pytest.mark.slow)])
def test_what_is_wrong_is_one_line(here, verb, text, message, tmp_path, capsys):
    (tmp_path / "bad.csv").write_text(text)
    assert main([verb, "m.kl", str(tmp_path / "bad.csv")]) == 2
    out, err = capsys.readouterr()
    assert message in err and err.count("\n") == 1 and not out


def test_a_regression_has_its_own_scores(tmp_path, capsys):
    write(tmp_path / "train.csv", 0)
    words = ["fit", "train.csv", "target=u", "task=regression", "algo=krr", "drop=[colour,label]", "algo.lambdas=[1.0]"]
    assert main([*words, "kernel.gammas=[1.0]", "-o", "m.kl"]) == 0
    capsys.readouterr()
    found = evaluated(capsys, "m.kl", "train.csv")
    assert set(found["scores"]) == {"rmse", "mae", "r2"} and found["classes"] == []
    assert main(["explain", "m.kl", "train.csv", "--row", "2"]) == 0
    assert "in favour of" in capsys.readouterr().out


def test_an_exact_interval_is_that_of_clopper_and_pearson():
    low, high = exact_interval(3, 20)
    assert (low, high) == pytest.approx((beta.ppf(0.025, 3, 18), beta.ppf(0.975, 4, 17)))
    assert exact_interval(0, 10)[0] == 0.0 and exact_interval(10, 10)[1] == 1.0


def test_resampled_intervals_have_the_width_of_a_mean():
    values = np.random.default_rng(0).normal(size=400)
    low, high = bootstrap_intervals(lambda rows: {"mean": values[rows].mean()}, 400)["mean"]
    assert high - low == pytest.approx(2 * 1.96 * values.std() / 20, rel=0.15)
    constant = bootstrap_intervals(lambda rows: {"undefined": np.nan, "perfect": 100.0}, 9)
    assert np.isnan([constant["undefined"], constant["perfect"]]).all()


def test_the_column_that_matters_is_first_and_noise_is_not(here, capsys):
    assert main(["explain", "m.kl", "test.csv", "--repeats", "5"]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    table = {row[0]: (float(row[1]), float(row[2])) for row in rows if row and row[0] in ("u", "noise", "colour")}
    assert len(table) == 3 and list(table)[-1] == "noise" and table["noise"][0] < 5 < table["u"][0]


@pytest.mark.parametrize("number", [1, 17])
def test_the_parts_of_a_decision_add_up_to_it(here, number):
    rows = read_labelled("m.kl", "test.csv", None)
    codes = rows.codes[number - 1 : number]
    parts, value = decision_of(rows, codes, 0), rows.model.decision_function(codes)[0]
    assert parts.terms.sum() + parts.intercept == pytest.approx(value, abs=1e-9)
    assert len(parts.rows) == rows.model[-1].n_support_


def test_the_training_row_itself_is_nearest(here, capsys):
    """Of a row of the training file, that row has the kernel value 1, and the row number of the file."""
    rows = read_labelled("m.kl", "train.csv", None)
    number = int(rows.model[-1].support_[3]) + 1
    parts = decision_of(rows, rows.codes[number - 1 : number], 0)
    assert parts.rows[parts.kernel.argmax()] + 1 == number and parts.kernel.max() == pytest.approx(1.0)
    assert main(["explain", "m.kl", "train.csv", "--row", str(number), "--top", "200"]) == 0
    assert re.search(rf"^ *{number} .* 1$", capsys.readouterr().out, flags=re.MULTILINE)


def test_of_several_classes_the_predicted_one_is_explained(tmp_path, capsys):
    write(tmp_path / "train.csv", 0, classes=3)
    assert main([*FIT, "-o", "m.kl"]) == 0
    rows = read_labelled("m.kl", "train.csv", None)
    decision, _ = rows.decision(rows.codes[:1])
    for output in range(3):
        parts = decision_of(rows, rows.codes[:1], output)
        assert parts.terms.sum() + parts.intercept == pytest.approx(decision[output, 0], abs=1e-9)
    capsys.readouterr()
    assert main(["explain", "m.kl", "train.csv", "--row", "1"]) == 0
    assert "not " in capsys.readouterr().out


def test_learned_weights_of_kernels_are_shown(tmp_path, capsys):
    write(tmp_path / "train.csv", 0)
    more = ["algo.Cs=[1.0]", "kernel.gammas=[0.1,1.0]", "text=onehot", "-o", "m.kl"]
    for algo in ("alignf", "unif", "l2_mkl"):
        assert main([*FIT[:3], f"algo={algo}", *more]) == 0
        capsys.readouterr()
        assert main(["explain", "m.kl", "train.csv", "--repeats", "1"]) == 0
        found = capsys.readouterr().out
        assert "weight: the factor of the kernel in the learned sum" in found
        for weight in kernlearn.load("m.kl")[-1].weights_[0]:
            assert f" {weight:.4g}\n" in found
        assert main(["verify", "m.kl", "train.csv"]) == 0


def test_weights_of_every_class_are_shown(tmp_path, capsys):
    write(tmp_path / "train.csv", 0, classes=3)
    words = [*FIT[:3], "text=onehot", "algo=alignf", "algo.Cs=[1.0]", "kernel.gammas=[0.1,1.0]"]
    for multiclass in ("one_vs_rest", "one_vs_one"):
        assert main([*words, f"multiclass={multiclass}", "-o", "m.kl"]) == 0
        capsys.readouterr()
        assert main(["explain", "m.kl", "train.csv", "--repeats", "1"]) == 0
        assert ("weight for c" in capsys.readouterr().out) == (multiclass == "one_vs_rest")
        assert kernlearn.load("m.kl")[-1].weights_.shape == (3, 2)
        assert main(["verify", "m.kl", "train.csv"]) == 0


def test_the_gamma_of_a_kernel_is_that_of_the_features(here, capsys):
    assert main(["explain", "m.kl", "test.csv", "--repeats", "1"]) == 0
    found = re.search(r"gamma=(\S+), 0.3 times 1/\(d var\)\)", capsys.readouterr().out)
    machine, rows = kernlearn.load("m.kl")[-1], read_labelled("m.kl", "train.csv", None)
    scaled = StandardScaler().fit_transform(rows.model[0].transform(rows.codes))
    assert float(found[1]) == pytest.approx(0.3 / (scaled.shape[1] * scaled.var()), rel=1e-3)
    assert machine.kernel["unit"] == "scale"


def test_explain_warns_of_training_rows(here, capsys):
    assert main(["explain", "m.kl", "train.csv", "--repeats", "1"]) == 0
    assert "trained on exactly these rows" in capsys.readouterr().out


@pytest.mark.parametrize(
    "words, message",
    [
        (["--row", "0"], "the file has the rows 1 to 90"),
        (["--row", "91"], "the file has the rows 1 to 90"),
        (["--repeats", "0"], "must be at least 1"),
        (["--seed", "-1"], "must be at least 0"),
    ],
)
def test_a_wrong_option_is_one_line(here, words, message, capsys):
    assert main(["explain", "m.kl", "test.csv", *words]) == 2
    assert message in capsys.readouterr().err


def test_a_decision_that_rests_on_no_row_says_so(tmp_path, capsys):
    write(tmp_path / "train.csv", 0)
    assert main([*FIT[:3], "algo=adaboost", "algo.rounds=3", "text=onehot", "-o", "m.kl"]) == 0
    assert main(["explain", "m.kl", "train.csv", "--row", "1"]) == 2
    assert "a decision of adaboost is no sum over training rows" in capsys.readouterr().err


@pytest.mark.slow
def test_a_closed_pipe_ends_quietly(here):
    """The reader of the table goes away after a line, as ``head`` does."""
    command = [sys.executable, "-m", "kernlearn.cli.main", "explain", "m.kl", "test.csv", "--repeats", "1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 1
