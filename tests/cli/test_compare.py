"""``kernlearn compare``: methods and baselines on the same splits, ranked; no test row takes part in a selection."""

import csv
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event

import numpy as np
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import f1_score, log_loss, mean_absolute_error, root_mean_squared_error
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.preprocessing import StandardScaler

from kernlearn.cli.main import main
from kernlearn.cli.work.budget import interrupted_after, seconds_of

METHODS = ["nearest_mean", "perceptron"]


def write(path, n=60, classes=2, seed=0):
    """Write a file with two numeric columns, and one of texts with missing values; return X of the numbers and y."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % classes
    X = np.round(rng.normal(size=(n, 2)) + 1.2 * y[:, None], 3)
    colours = ["" if i % 9 == 0 else "rg"[i % 2] for i in range(n)]
    lines = [f"{a},{b},{colour},{'abc'[c]}" for (a, b), colour, c in zip(X, colours, y, strict=True)]
    path.write_text("\n".join(["u,v,colour,label", *lines]) + "\n")
    return X, y


def compare(*words):
    """Run a comparison with one process in the current directory."""
    return main(["compare", *map(str, words), "engine.jobs=1", "results_dir=results"])


def table(directory, name):
    """Return the rows of a CSV file of the only comparison."""
    (path,) = directory.glob(f"results/comparisons/*/{name}")
    return list(csv.DictReader(path.open()))


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """Return a directory with a comparison, the data, and what was printed."""
    directory = tmp_path_factory.mktemp("compared")
    X, y = write(directory / "mine.csv")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(directory)
        assert compare("mine.csv", "target=label", "drop=colour", "algos=nearest_mean,perceptron") == 0
    return directory, X, y


def test_the_baselines_are_scikit_learns_on_scikit_learns_splits(finished):
    directory, X, y = finished
    rows = {(row["method"], int(row["split"])): row for row in table(directory, "splits.csv")}
    splits = StratifiedKFold(5, shuffle=True, random_state=0).split(X, y)
    for number, (train, test) in enumerate(splits):
        scaler = StandardScaler().fit(X[train])
        for kind in (LogisticRegression, RandomForestClassifier, HistGradientBoostingClassifier):
            model = kind(random_state=0).fit(scaler.transform(X[train]), y[train])
            predicted, row = model.predict(scaler.transform(X[test])), rows[kind.__name__, number]
            assert float(row["error_pct"]) == pytest.approx(100 * np.mean(predicted != y[test]))
            assert float(row["macro_f1_pct"]) == pytest.approx(100 * f1_score(y[test], predicted, average="macro"))
            loss = log_loss(y[test], model.predict_proba(scaler.transform(X[test])))
            assert float(row["log_loss"]) == pytest.approx(loss)


def test_every_method_has_every_split_and_certificates_where_there_is_something_to_certify(finished):
    rows = table(finished[0], "splits.csv")
    names = {row["method"] for row in rows}
    assert names > {*METHODS, "majority class", "LogisticRegression"} and len(names) == 6 and len(rows) == 30
    assert all((row["gap"] != "") == (row["kind"] == "method") for row in rows)
    assert all((row["log_loss"] != "") == row["method"].startswith(("Log", "Ran", "His")) for row in rows)


def test_the_ranking_is_in_order_and_follows_from_the_splits(finished):
    rows = table(finished[0], "ranking.csv")
    means = [float(row["error_pct_mean"]) for row in rows]
    assert means == sorted(means) and rows[0]["rank"] == "1" and rows[0]["p_holm"] == ""
    of_splits = [float(row["error_pct"]) for row in table(finished[0], "splits.csv") if row["method"] == METHODS[0]]
    ours = next(row for row in rows if row["method"] == METHODS[0])
    assert float(ours["error_pct_mean"]) == pytest.approx(np.mean(of_splits))
    assert float(ours["interval_low"]) < float(ours["error_pct_mean"]) < float(ours["interval_high"])
    assert all((row["not_distinguished_from_best"] == "True") == (float(row["p_holm"]) > 0.05) for row in rows[1:])


def test_a_run_of_one_of_its_methods_is_the_same_experiment(finished, monkeypatch):
    directory, _, _ = finished
    monkeypatch.chdir(directory)
    (run,) = {row["run"] for row in table(directory, "splits.csv") if row["method"] == METHODS[0]}
    words = [f"algo={METHODS[0]}", "dataset=mine.csv", "target=label", "drop=colour", "rule=per_split"]
    assert main(["run", *words, "results_dir=results", "engine.jobs=1"]) == 0
    assert [path.name for path in directory.glob(f"results/runs/*{run}")]


def test_the_same_command_computes_nothing_again_and_writes_the_same_bytes(finished, monkeypatch, capsys):
    directory, _, _ = finished
    monkeypatch.chdir(directory)
    before = {path: path.read_bytes() for path in directory.glob("results/comparisons/*/*.csv")}
    assert compare("mine.csv", "target=label", "drop=colour", "algos=nearest_mean,perceptron") == 0
    out = capsys.readouterr().out
    assert "25 already done: nothing to run" in out and "against the best" in out
    assert re.search(r"next: kernlearn fit algo=(nearest_mean|perceptron) mine.csv target=label drop=colour -o", out)
    assert {path: path.read_bytes() for path in before} == before


def test_the_page_and_the_provenance_say_what_was_done(finished):
    directory, _, _ = finished
    (page,) = directory.glob("results/comparisons/*/summary.md")
    text = page.read_text()
    assert "kernlearn compare mine.csv" in text and "| nearest_mean |" in text and "## Left out" not in text
    assert "seed 0." in text and re.search(r"\| perceptron \| gaussian .*gammas=.* \| gamma=\S+ .*\(\d\)", text)
    assert ("not proved optimal" in text) == bool(re.search(r"^\| \d+ \| \w+\*", text, flags=re.MULTILINE))
    record = json.loads(page.with_name("provenance.json").read_text())
    assert {one["algo"]["name"] for one in record["experiments"].values()} == set(METHODS)
    assert record["cell_seconds"].keys() >= {"mine nearest_mean", "mine LogisticRegression"}
    assert not list(page.parent.glob("ranks.*"))  # of one data set there are no ranks


@pytest.mark.slow
def test_texts_and_missing_values_reach_the_baselines_encoded(tmp_path, capsys):
    write(tmp_path / "mine.csv", classes=3)
    words = ("mine.csv", "target=label", "text=onehot", "missing=most_frequent", "algos=nearest_mean")
    assert compare(*words) == 0
    out = capsys.readouterr().out
    assert "colour" in out and "AUC" not in out and "log loss" in out and "3 values" in out
    assert len(table(tmp_path, "splits.csv")) == 25


def test_a_regression_has_its_own_baselines_and_scores(tmp_path, capsys):
    X, y = write(tmp_path / "mine.csv", n=50)
    words = ("mine.csv", "target=v", "drop=[colour,label]", "task=regression", "algos=krr,l2_svm")
    assert compare(*words) == 0
    assert "left out   l2_svm: for classification only" in capsys.readouterr().out
    rows = [row for row in table(tmp_path, "splits.csv") if row["method"] == "Ridge"]
    for row, (train, test) in zip(rows, KFold(5, shuffle=True, random_state=0).split(X), strict=True):
        scaler = StandardScaler().fit(X[train, :1])
        predicted = Ridge().fit(scaler.transform(X[train, :1]), X[train, 1]).predict(scaler.transform(X[test, :1]))
        assert float(row["rmse"]) == pytest.approx(root_mean_squared_error(X[test, 1], predicted))
        assert float(row["mae"]) == pytest.approx(mean_absolute_error(X[test, 1], predicted))


@pytest.mark.slow
def test_test_rows_decide_nothing(finished, tmp_path):
    """Other features of the test rows of a split change its errors, and neither the selection nor the solution."""
    directory, X, y = finished
    lines = (directory / "mine.csv").read_text().splitlines()
    _, test = next(StratifiedKFold(5, shuffle=True, random_state=0).split(X, y))
    for i in test:
        lines[i + 1] = ",".join([f"{-X[i, 0]:.3f}", f"{-X[i, 1]:.3f}", *lines[i + 1].split(",")[2:]])
    (tmp_path / "mine.csv").write_text("\n".join(lines) + "\n")
    assert compare("mine.csv", "target=label", "drop=colour", "algos=nearest_mean,perceptron") == 0
    for name in METHODS:
        before, after = (
            next(row for row in table(where, "splits.csv") if row["split"] == "0" and row["method"] == name)
            for where in (directory, tmp_path)
        )
        assert before["error_pct"] != after["error_pct"]
        assert (before["selected"], before["gap"]) == (after["selected"], after["gap"])


@pytest.mark.parametrize(
    "words, message",
    [
        ([], "give a file or a data set"),
        (["algos=fast"], "give a file or a data set"),
        (["nothere.csv"], "nothere.csv: no such file"),
        (["ionospher"], "did you mean ionosphere?"),
        (["sonar", "algos=vrk"], "did you mean vkr?"),
        (["sonar", "algo=vkr"], "give the methods as algos=vkr"),
        (["sonar", "budget=soon"], "budget=soon: must be a duration such as 90s"),
        (["sonar", "scaling=unit,standard"], "only seed= takes several values here"),
        (["sonar", "rule=overall"], "compare selects by rule=per_split"),
        (["sonar", "algos=crf"], "crf: for labels of sequences only"),
        (["sonar", "algos=sgt"], "transductive: they see the test rows"),
        (["sonar", "dataset=pima"], "give the data without a key"),
    ],
)
def test_what_is_wrong_is_one_line(words, message, capsys, tmp_path):
    assert main(["compare", *words, f"results_dir={tmp_path / 'r'}"]) == 2
    out, err = capsys.readouterr()
    assert message in err and err.count("\n") == 1 and not (tmp_path / "r").exists()


def test_a_budget_interrupts_what_waits():
    over, start = Event(), time.monotonic()
    with pytest.raises(KeyboardInterrupt), interrupted_after(0.1, over):
        time.sleep(60)
    assert over.is_set() and time.monotonic() - start < 30


def test_a_budget_ends_a_command_in_the_background_too():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with pytest.raises(KeyboardInterrupt), interrupted_after(0.1, Event()):
            time.sleep(60)
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


def test_a_budget_that_is_not_used_up_interrupts_nothing():
    over = Event()
    with interrupted_after(0.2, over):
        pass
    time.sleep(0.3)
    assert not over.is_set()


@pytest.mark.parametrize("text, seconds", [("90s", 90.0), ("10m", 600.0), ("1.5h", 5400.0)])
def test_a_budget_is_a_duration(text, seconds):
    assert seconds_of("budget", text) == seconds


def test_a_budget_in_which_nothing_is_finished_leaves_a_page(tmp_path, capsys):
    write(tmp_path / "mine.csv")
    assert compare("mine.csv", "target=label", "drop=colour", "algos=nearest_mean", "budget=0.001s") == 0
    out = capsys.readouterr().out
    assert re.search(r"used up: [01] of 20 cells", out)
    assert "left out   nearest_mean: 0 of 5 splits are finished" in out
    (page,) = tmp_path.glob("results/comparisons/*/summary.md")
    assert "majority class" in page.read_text() and "nearest_mean: 0 of 5 splits" in page.read_text()


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_budget_leaves_out_what_is_not_finished_and_the_same_command_continues(jobs, tmp_path, capsys):
    write(tmp_path / "mine.csv", n=1000)
    words = [
        "compare",
        "mine.csv",
        "target=label",
        "drop=colour",
        "algos=nearest_mean,rbf_qpboost",
        f"engine.jobs={jobs}",
    ]
    assert main([*words, "budget=8s", "results_dir=results"]) == 0
    out = capsys.readouterr().out
    assert "budget     of 8 s used up" in out and "of 25 cells are stored" in out
    assert "left out   rbf_qpboost: 0 of 5 splits are finished" in out and "nearest_mean" in out
    stored = len(list(tmp_path.glob("results/shards/??/*.json")))
    assert main([*words, "budget=5s", "results_dir=results"]) == 0
    assert f"{stored} already done" in capsys.readouterr().out


def test_one_file_under_two_names_is_given_once(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "mine.csv")
    assert compare("mine.csv", "./mine.csv", "target=label", "drop=colour", "algos=nearest_mean") == 2
    assert capsys.readouterr().err == "kernlearn: error: mine.csv and ./mine.csv: are the same file; give it once\n"


@pytest.mark.parametrize("by", ["nope", "rmse"])
def test_a_score_that_no_method_takes_is_refused_once(by, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "mine.csv")
    assert compare("mine.csv", "target=label", "drop=colour", "algos=nearest_mean,perceptron", f"select_by={by}") == 2
    assert capsys.readouterr().err.count("select_by") == 1


@pytest.mark.slow
def test_a_finished_comparison_is_shown_where_nothing_can_be_written(monkeypatch, capfd):
    with TemporaryDirectory() as name:
        place = Path(name)
        monkeypatch.chdir(place)
        write(place / "mine.csv")
        words = ["mine.csv", "target=label", "drop=colour", "algos=nearest_mean"]
        assert compare(*words) == 0
        every = [place, *place.rglob("*")]
        for one in every:
            one.chmod(0o555 if one.is_dir() else 0o444)
        capfd.readouterr()
        command = [sys.executable, "-m", "kernlearn.cli.main", "compare", *words, "results_dir=results"]
        # The superuser may write anywhere, so the command runs without that right.
        ordinary = ["setpriv", "--inh-caps=-all", "--bounding-set=-dac_override"] if os.geteuid() == 0 else []
        try:
            assert subprocess.run([*ordinary, *command], check=False).returncode == 2
        finally:
            for one in every:
                one.chmod(0o755)
        shown = capfd.readouterr()
        assert "nearest_mean" in shown.out.partition("nothing to run")[2]
        assert "choose another place with results_dir=DIR" in shown.err and shown.err.count("\n") == 1
