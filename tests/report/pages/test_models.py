"""Pages of models: of every kept file, of models that take no table, and of headers that somebody has changed."""

import ast
import json
import shlex
from pathlib import Path

import numpy as np
import pytest

import kernlearn
from kernlearn.cli.main import main
from kernlearn.errors import UserError
from kernlearn.evaluation.significance import corrected_resampled_t
from kernlearn.models.file import load_header
from kernlearn.report.comparison.stored import read_comparison
from kernlearn.report.model import against_baseline, facts_of, grid_ends
from kernlearn.report.pages.marks import Reason
from kernlearn.report.pages.models import model_part
from kernlearn.report.pages.page import render
from kernlearn.report.targets import Target
from kernlearn.report.terminal import shown_path
from tests.models.cases import TWO, X
from tests.models.test_damaged import rewritten
from tests.report.pages.parsed import check

KEPT = sorted((Path(__file__).parents[2] / "models/kept").glob("*.kl"))
#: What somebody may have put in the place of a value of the header.
JUNK = [None, [], {}, 7, "x", [[1, 2], "x"], {"a": None}, 1e308, [["x"]], True, "<b>"]


def page(path):
    return check(render("title", [model_part(Target("model", path.name, path))]))


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_the_page_of_every_kept_model(path):
    found = page(path)
    for words in ("kernlearn predict", "kernlearn verify", "What it takes", "Limits", "is proved to be within"):
        assert words in found.text


def test_a_model_of_kernel_values_takes_no_table(tmp_path):
    path = tmp_path / "a.kl"
    kernlearn.save(kernlearn.L2SVMClassifier(kernel="precomputed").fit(np.asarray(X) @ np.asarray(X).T, TWO), path)
    found = page(path)
    assert (
        "takes no table" in found.text and "What it takes" not in found.text and "kernlearn predict" not in found.text
    )
    assert "kernlearn verify" not in found.text and "the command below" not in found.text


def test_ranges_of_dates_are_dates(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = [f"2024-01-{day:02},{day % 7},{'ab'[day % 2]}" for day in range(1, 31)]
    Path("a.csv").write_text("day,number,label\n" + "\n".join(lines) + "\n")
    assert main("fit a.csv algo=nearest_mean kernel=linear target=label -o a.kl".split()) == 0
    found = page(tmp_path / "a.kl")
    assert "2024-01-01 to 2024-01-30" in found.text and "0 to 6" in found.text
    assert "trained on 30 rows of a; selected: nothing to choose" in found.text
    assert "The file has no score" in found.text and "Nothing is proved of its optimality" in found.text
    assert "kernlearn verify" not in found.text
    # ten weekdays of 30 days have 15 of each label; the first of equally frequent classes counts
    assert "always predicting the majority class gives a training error of 50.00 %" in found.text
    assert "Nothing in the file says whether it is better than this baseline" in found.text


def fitted(directory, monkeypatch, *words):
    """Return the page of a model of 40 rows: the label of 30 of them is a, that of the last 10 is b."""
    assert main(["fit", written(directory, monkeypatch), "kernel=linear", *words, "-o", "a.kl"]) == 0
    return page(directory / "a.kl")


def written(directory, monkeypatch):
    """Return the name of a file of 40 rows in a directory, which is then the working directory."""
    monkeypatch.chdir(directory)
    labels = ["a"] * 30 + ["b"] * 10
    rows = [f"{i % 7},{i % 5},{'9' if labels[i] == 'b' else '1'},{labels[i]},{i // 10}.5" for i in range(40)]
    Path("a.csv").write_text("x,y,z,label,number\n" + "\n".join(rows) + "\n")
    return "a.csv"


def test_a_model_is_compared_with_the_majority_class_on_the_same_folds(tmp_path, monkeypatch):
    found = fitted(tmp_path, monkeypatch, "target=label", "algo=l2_svm", "algo.Cs=[1,10]")
    # each stratified fold of 8 rows has two of class b
    assert "always predicting the majority class gives a validation error of 25.00 %" in found.text
    words = "all validation parts agree, so a test has nothing to go by"
    assert f"Its validation score is better than that of the majority class, but {words}" in found.text
    assert "The validation score on 40 rows selected the model among 2 grid points, so it is optimistic" in found.text


def test_a_model_of_noise_gets_no_tick_for_the_best_of_many_validation_scores(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(100)
    X, y = rng.normal(size=(40, 5)), rng.permutation(40) < 20
    lines = [
        ",".join([*(f"{value:.4f}" for value in x), "uv"[label]]) for x, label in zip(X, y.astype(int), strict=True)
    ]
    Path("pure.csv").write_text("a,b,c,d,e,y\n" + "\n".join(lines) + "\n")
    assert main("fit pure.csv target=y algo=l2_svm kernel.gammas=[0.1,0.3,1] algo.Cs=[0.1,1,10] -o a.kl".split()) == 0
    about = load_header(tmp_path / "a.kl")["about"]
    assert about["selection"]["validation_score"] < about["baseline"]["score"] and about["baseline"]["points"] == 9
    good, words = against_baseline(about)
    assert not good and words.startswith("its validation score is not distinguished from that of the majority class")
    out = capsys.readouterr().out
    assert f"note       {words}\n" in out and main(["info", "a.kl"]) == 0
    assert f"compared   {words}\n" in capsys.readouterr().out
    part = model_part(Target("model", "a.kl", tmp_path / "a.kl"))
    assert [reason.good for reason in part.trust if reason.words[1:] == f"{words[1:]}."] == [False]
    del about["baseline"]["p_value"]  # of an older version
    assert against_baseline(about)[1].endswith("the file does not say if by more than chance")


def test_a_model_keeps_the_test_score_of_the_run_that_it_is_from(tmp_path, monkeypatch, capsys):
    words = ["dataset=" + written(tmp_path, monkeypatch), "target=label", "algo=l2_svm", "kernel=linear"]
    assert main(["run", *words, "algo.Cs=[1,10]", "protocol=rotation5", "rule=overall", "--json"]) == 0
    (run,) = json.loads(capsys.readouterr().out)["runs"]
    assert main(["fit", "--from", run["directory"], "-o", "a.kl", "--json"]) == 0
    test = json.loads(capsys.readouterr().out)["test"]
    assert load_header(tmp_path / "a.kl")["about"]["test"] == test
    of_run = next(one for one in run["metrics"] if one["metric"] == test["metric"])
    assert (test["score"], test["std"], test["parts"]) == (of_run["mean"], of_run["std"], of_run["n"])
    assert test["test_rows_in_choice_pct"] == run["test_rows_in_choice_pct"] > 0
    assert test["baseline"]["score"] == run["baseline"]["mean"] and test["p_value"] == run["baseline"]["p_value"]
    found = page(tmp_path / "a.kl")
    assert f"with a test error of {test['score']:.2f} % on average over 5 test parts" in found.text
    assert "It is optimistic, since the test rows took part in a choice" in found.text
    assert "The file has no score" not in found.text and "Nothing in the file" not in found.text


def test_a_model_of_a_comparison_says_from_how_many_methods_the_test_rows_picked_it(tmp_path, monkeypatch, capsys):
    words = [written(tmp_path, monkeypatch), "target=label", "algos=nearest_mean,l2_svm", "kernel=linear", "seed=0,1"]
    assert main(["compare", *words, "engine.jobs=1"]) == 0
    (path,) = (tmp_path / "results/comparisons").iterdir()
    capsys.readouterr()
    for given, n in (((), 2), (("--algo", "l2_svm"), 1)):
        assert main(["fit", "--from", str(path), *given, "-o", "a.kl"]) == 0
        said, test = capsys.readouterr().out, load_header(tmp_path / "a.kl")["about"]["test"]
        assert (test["methods"], test["parts"]) == (n, 10) and "test       a test error of" in said
        among = "optimistic, since the test rows picked it as the best of 2 methods that are no baselines"
        assert (among in said) == (n == 2)


@pytest.mark.slow
def test_a_model_of_a_comparison_has_its_p_value(tmp_path, monkeypatch, capsys):
    """The comparison corrects for its tests, so a tick on the model cannot contradict it."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(3)
    X = rng.normal(size=(40, 3))
    y = np.where(X[:, 0] + 1.2 * rng.normal(size=40) > 0, "u", "v")
    lines = [",".join([*(f"{value:.4f}" for value in x), label]) for x, label in zip(X, y, strict=True)]
    Path("noisy.csv").write_text("a,b,c,y\n" + "\n".join(lines) + "\n")
    words = ["noisy.csv", "target=y", "algos=nearest_mean,perceptron", "kernel=linear", "engine.jobs=1"]
    assert main(["compare", *words]) == 0
    (path,) = (tmp_path / "results/comparisons").iterdir()
    (comparison,) = read_comparison(path).comparisons
    places = {place.name: place for place in comparison.standings}
    simple = places["majority class"]
    n_tests = sum(not np.isnan(place.p_value) for place in places.values())
    values = {one.name: one.values("error_pct") for one in comparison.measured}
    capsys.readouterr()
    for name in ("nearest_mean", "perceptron"):
        assert main(["fit", "--from", str(path), "--algo", name, "-o", "a.kl"]) == 0
        about = load_header(tmp_path / "a.kl")["about"]
        test, said = about["test"], against_baseline(about)[1]
        if name == comparison.standings[0].name:
            expected, rule = simple.p_value, "Holm"
        else:
            raw = corrected_resampled_t(np.subtract(values[name], values["majority class"]).tolist(), 8 / 32)
            expected, rule = min(1.0, n_tests * raw), "Bonferroni"
        assert test["p_value"] == pytest.approx(expected) and (test["correction"], test["tests"]) == (rule, n_tests)
        assert f"after {rule}'s correction for the {n_tests} tests of the comparison" in said


@pytest.mark.parametrize("kind", ["runs", pytest.param("comparisons", marks=pytest.mark.slow)])
def test_a_model_keeps_what_is_open_at_the_ends_of_the_grid_of_its_run(kind, tmp_path, monkeypatch, capsys):
    """RMSE of krr without noise falls with lambda, so its smallest value is selected and a smaller one is better."""
    monkeypatch.chdir(tmp_path)
    X = np.random.default_rng(0).normal(size=(60, 2))
    lines = [f"{a:.6f},{b:.6f},{3 * a - 2 * b + 1:.6f}" for a, b in X]
    Path("plane.csv").write_text("a,b,y\n" + "\n".join(lines) + "\n")
    words = ["target=y", "task=regression", "kernel.gammas=[0.1]", "engine.jobs=1"]
    if kind == "runs":
        assert main(["run", "dataset=plane.csv", "algo=krr", "algo.lambdas=[0.01,0.1,1]", *words]) == 0
    else:
        assert main(["compare", "plane.csv", "algos=krr", *words]) == 0
    (path,) = (tmp_path / "results" / kind).iterdir()
    capsys.readouterr()
    assert main(["fit", "--from", str(path), "-o", "a.kl"]) == 0
    assert "note       the selected lambda=" in capsys.readouterr().out
    ends = grid_ends(load_header(tmp_path / "a.kl")["about"]["selection"])
    part = model_part(Target("model", "a.kl", tmp_path / "a.kl"))
    assert all(Reason(settled, f"{words[0].upper()}{words[1:]}.") in part.trust for words, settled in ends)
    if kind == "runs":
        ((said, settled),) = ends
        assert not settled and "so algo.lambdas=[...] with smaller values may do better" in said
    else:
        (krr,) = [one for one in read_comparison(path).comparisons[0].measured if one.name == "krr"]
        assert ends == list(krr.ends) and ends


def test_a_model_says_which_selected_values_are_at_an_end_of_their_grid(tmp_path, monkeypatch, capsys):
    found = fitted(tmp_path, monkeypatch, "target=label", "algo=l2_svm", "algo.Cs=[1e-6,1e-5]")
    notes = [line for line in capsys.readouterr().out.splitlines() if line.startswith("note") and "of its grid" in line]
    assert len(notes) == 1
    words = notes[0].removeprefix("note").strip()
    assert f"{words[0].upper()}{words[1:]}." in found.text
    assert main(["info", "a.kl"]) == 0 and f"grid ends  {words}" in capsys.readouterr().out
    inner = fitted(tmp_path, monkeypatch, "target=label", "algo=l2_svm", "algo.Cs=[1]", "--force")
    assert "of its grid" not in inner.text


def test_a_model_that_learns_nothing_is_said_to(tmp_path, monkeypatch):
    found = fitted(
        tmp_path, monkeypatch, "target=label", "dataset.drop=[z,number]", "algo=l2_svm", "algo.Cs=[1e-6,1e-5]"
    )
    assert "no better than that of the majority class" in found.text


def test_a_regression_is_compared_with_the_mean(tmp_path, monkeypatch):
    words = ("target=number", "task=regression", "dataset.drop=[label]", "algo=krr", "algo.lambdas=[1.0]")
    found = fitted(tmp_path, monkeypatch, *words)
    # targets are 0.5, 1.5, 2.5, 3.5, ten of each: their mean squared distance from the mean is 1.25
    assert "always predicting the mean target gives a training RMSE of 1.118" in found.text


def test_a_model_has_its_kernel_and_what_chose_it_and_not_what_was_searched(tmp_path, monkeypatch):
    words = ["algo=l2_svm", "kernel=gaussian", "kernel.gammas=[0.3,1]", "algo.Cs=[1,10]", "protocol=rotation5"]
    assert main(["fit", written(tmp_path, monkeypatch), "target=label", *words, "-o", "cv.kl"]) == 0
    of_cv = dict(facts_of(load_header(tmp_path / "cv.kl")["about"]))
    assert of_cv["kernel"].startswith(("gaussian gamma=0.3,", "gaussian gamma=1,"))
    assert of_cv["chosen by"] == "5-fold cross-validation over all rows"
    assert of_cv["grid"] == "gamma of 0.3, 1; C of 1, 10"
    assert "rotation5" not in str(of_cv) and "Cs=" not in of_cv["settings"]
    assert main(["run", "dataset=a.csv", "target=label", "rule=overall", *words]) == 0
    (run,) = (tmp_path / "results/runs").iterdir()
    assert main(["fit", "--from", str(run), "-o", "run.kl"]) == 0
    of_run = dict(facts_of(load_header(tmp_path / "run.kl")["about"]))
    assert of_run["chosen by"] == "the protocol rotation5 of the run" and "gammas" not in of_run["kernel"]
    assert (
        main(["fit", "a.csv", "target=label", "algo=vkr", "kernel=gaussian", "kernel.gammas=[0.3,1]", "-o", "all.kl"])
        == 0
    )
    of_all = dict(facts_of(load_header(tmp_path / "all.kl")["about"]))
    assert "gammas=[0.3, 1.0]" in of_all["kernel"]  # it combines all of its kernels


@pytest.mark.parametrize("algo", ["adaboost", "nearest_mean"])
def test_no_proof_is_checked_of_a_method_that_proves_nothing(algo, tmp_path, monkeypatch):
    kernel = "kernel=linear" if algo == "nearest_mean" else "kernel=stumps"
    found = fitted(tmp_path, monkeypatch, "target=label", f"algo={algo}", kernel)
    assert "Nothing is proved of its optimality" in found.text and "kernlearn verify" not in found.text


def test_a_file_without_a_baseline_says_so():
    assert "nothing to compare it with" in page(KEPT[0]).text


@pytest.mark.parametrize("value", JUNK, ids=repr)
def test_a_changed_header_is_shown_as_text_or_refused(value, tmp_path):
    path, source = tmp_path / "a.kl", KEPT[0]
    keys = ("algorithm", "class", "classes", "data", "features", "ranges", "selection", "certificate", "target", "task")
    for key in (*keys, "experiment", "parameters", "steps", "n_support", "unproved", "probability", "baseline"):
        path.write_bytes(source.read_bytes())
        rewritten(path, lambda header, key=key: header["about"].update({key: value}))
        try:
            page(path)
        except UserError as error:
            assert "is damaged" in str(error) and "\n" not in str(error)


def test_commands_in_a_shell_and_in_python_quote_the_path_each_in_its_way(tmp_path):
    path = tmp_path / "it's a model.kl"
    kernlearn.save(kernlearn.L2SVMClassifier().fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1]), path)
    part = model_part(Target("model", path.name, path))
    commands = [step.command for step in part.steps] + [command for _, command in part.facts["uses"]]
    loads = [command for command in commands if command.startswith("kernlearn.load(")]
    shown = str(shown_path(path))
    assert loads and all(ast.literal_eval(one.split("(", 1)[1].split(")", 1)[0]) == shown for one in loads)
    others = [shlex.split(command) for command in commands if command not in loads]
    assert all(shown in words for words in others)


def test_a_distance_from_the_best_objective_is_not_negative(tmp_path, monkeypatch):
    """Rounding may put the objective below its bound."""
    fitted(tmp_path, monkeypatch, "target=label", "algo=l2_svm", "algo.Cs=[1.0]")
    rewritten(tmp_path / "a.kl", lambda header: header["about"]["certificate"].update(gap=-1.2e-16))
    assert "proved to be within a relative 1.2e-16 of the best possible one" in page(tmp_path / "a.kl").text
