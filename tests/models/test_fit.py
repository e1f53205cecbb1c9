"""``kernlearn fit`` and ``info`` on files of one's own."""

import csv
import hashlib
import json
import re
import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array

import kernlearn
from kernlearn.cli.model import training
from kernlearn.datasets import load
from kernlearn.datasets.core.raw import MISSING_WAYS, RawFeatures, encoded
from kernlearn.models.features import TableFeatures, table_features
from tests.models.tables import FIT, N, frame, read, run


def test_fit_says_what_it_does(capsys):
    frame().to_csv("mine.csv", index=False)
    assert run(*FIT, "drop=[id]", "-o", "m.kl") == 0
    said = capsys.readouterr().out
    for words in ("data       mine: 60 x 5", "choice     among 2 grid points by 5-fold", "selected   gamma=1"):
        assert words in said
    assert "proved     " in said and "next: kernlearn predict m.kl NEW.csv -o predictions.csv" in said


def test_fit_says_that_a_value_is_at_the_end_of_its_grid(capsys):
    frame().to_csv("mine.csv", index=False)
    assert run(*FIT, "drop=[id]", "-o", "m.kl") == 0
    said = capsys.readouterr().out
    value = float(re.search(r"selected   gamma=1, C=([\d.]+)", said)[1])
    which = "largest" if value == 10 else "smallest"
    note = next(line for line in said.splitlines() if f"the selected C={value:g} is the {which} of its grid; " in line)
    advised = "still improves there by" in note and "algo.Cs=[...] with" in note
    others = "are pointless, since", "there is no sign that", "is the same at the value before"
    assert advised != any(words in note for words in others)


@pytest.mark.parametrize(
    ("name", "words"), [("", "is a directory"), ("-", "give the name of a file"), ("x" * 300, "name too long")]
)
def test_a_model_that_cannot_be_written_is_not_fitted(name, words, model, capsys):
    assert run(*FIT, "-o", name) == 2
    out, err = capsys.readouterr()
    assert words in err and "trained" not in out


def test_fit_needs_a_file(capsys):
    for words in (["algo=l2_svm"], ["algo=l2_svm", "missing=median"]):
        assert run("fit", *words, "-o", "z.kl") == 2
        assert "give a file, such as my.csv" in capsys.readouterr().err and not Path("z.kl").exists()


def test_files_of_others_are_not_replaced(model, capsys):
    Path("out.csv").write_text("mine")
    assert run("predict", "m.kl", "mine.csv", "-o", "out.csv") == 2
    assert run(*FIT, "-o", "out.csv") == 2
    assert Path("out.csv").read_text() == "mine"
    assert run("predict", "m.kl", "mine.csv", "-o", "out.csv", "--force") == 0
    assert read("out.csv")[0] == ["label"]


def test_missing_values_are_filled_in_as_in_training(capsys):
    table = frame()
    table.loc[::7, "u"] = np.nan
    table.loc[::5, "place"] = None
    table.to_csv("mine.csv", index=False)
    assert run(*FIT, "drop=[id]", "missing=indicator", "probability=true", "-o", "m.kl") == 0
    assert run("predict", "m.kl", "mine.csv", "--proba", "-o", "out.csv") == 0
    header, *rows = read("out.csv")
    assert header == ["label", "probability no", "probability yes"]
    shares = np.array([[float(cell) for cell in row[1:]] for row in rows])
    np.testing.assert_allclose(shares.sum(axis=1), 1.0)
    assert ((shares >= 0) & (shares <= 1)).all()
    truth = table["label"].to_numpy() == "yes"
    assert shares[truth, 1].mean() > shares[~truth, 1].mean() + 0.2


def test_regression_gives_values(capsys):
    frame().drop(columns=["label"]).to_csv("mine.csv", index=False)
    words = ["fit", "mine.csv", "algo=krr", "target=v", "task=regression", "drop=[id]", "text=ordinal"]
    assert run(*words, "algo.lambdas=[0.01,1.0]", "kernel.gammas=[0.1]", "-o", "m.kl") == 0
    assert run("predict", "m.kl", "mine.csv", "-o", "out.csv") == 0
    header, *rows = read("out.csv")
    assert header == ["v"]
    typed = frame().assign(day=pd.to_datetime(frame()["day"]), wet=frame()["wet"] == "true")
    assert [float(row[0]) for row in rows] == kernlearn.load("m.kl").predict(typed).tolist()


@pytest.mark.slow
def test_the_time_of_the_other_folds_is_said_after_the_first(monkeypatch, capsys):
    monkeypatch.setattr(training, "LONG", 0.0)
    frame().to_csv("mine.csv", index=False)
    assert run(*FIT, "drop=[id]", "-o", "m.kl") == 0
    assert re.search(
        r"time       the first of 5 folds took \S+ s; the others take about \S+ s", capsys.readouterr().out
    )


def test_a_finished_run_gives_configuration_and_selection(capsys):
    frame().to_csv("mine.csv", index=False)
    words = [f"dataset={word}" if word == "mine.csv" else word for word in FIT[1:]]
    assert run("run", *words, "drop=[id]", "protocol=rotation5", "engine.jobs=1") == 0
    selected = [line for line in capsys.readouterr().out.splitlines() if line.startswith("selected")]
    (directory,) = Path("results/runs").iterdir()
    assert run("fit", "--from", str(directory), "-o", "m.kl") == 0
    values = kernlearn.load("m.kl")[-1].values_
    assert f"gamma={values['gamma']:g}, C={values['C']:g}" in selected[0]
    frame(seed=5).to_csv("mine.csv", index=False)
    assert run("fit", "--from", str(directory), "-o", "m.kl") == 2
    assert "its data have changed" in capsys.readouterr().err


def test_a_comparison_gives_its_best_method_or_another(capsys):
    frame().to_csv("mine.csv", index=False)
    words = ["mine.csv", "target=label", "drop=[id,place,day]", "algos=nearest_mean,hard_svm", "engine.jobs=1"]
    assert run("compare", *words, "kernel.gammas=[1.0]", "seed=0") == 0
    (directory,) = Path("results/comparisons").iterdir()
    rows = csv.DictReader((directory / "ranking.csv").open(newline=""))
    ranked = [row["method"] for row in rows if row["kind"] != "baseline"]
    capsys.readouterr()
    for given, expected in (((), ranked[0]), (("--algo", ranked[1]), ranked[1])):
        assert run("fit", "--from", str(directory), *given, "-o", "m.kl") == 0
        assert f"method     {expected} of {directory}, " in capsys.readouterr().out
        assert kernlearn.load("m.kl")[-1].method == expected
    assert run("fit", "--from", str(directory), "--algo", "hard_sm", "-o", "m.kl") == 2
    error = capsys.readouterr().err
    assert "--algo hard_sm: " in error and "did you mean hard_svm" in error and error.count("\n") == 1
    shutil.copytree(directory, "results/comparisons/two")
    table = Path("results/comparisons/two/ranking.csv")
    table.write_text(table.read_text() + "1,other" + "\n")
    assert run("fit", "--from", "results/comparisons/two", "-o", "m.kl") == 2
    assert "damaged" in capsys.readouterr().err
    assert run("fit", "mine.csv", "target=label", "--algo", "l2_svm", "-o", "m.kl") == 2
    assert "is for --from" in capsys.readouterr().err


def test_info_reads_the_header_alone(model, capsys):
    capsys.readouterr()
    assert run("info", "m.kl") == 0
    said = capsys.readouterr().out
    assert f"data file  sha256 {hashlib.sha256(Path('mine.csv').read_bytes()).hexdigest()}" in said
    assert "seed=0" in said and "dataset.drop=" in said and "dataset.text=onehot" in said and "C of " in said
    assert "features   5: u, day, place, v, wet" in said and "classes    2: no, yes" in said
    assert run("info", "m.kl", "--json") == 0
    about = json.loads(capsys.readouterr().out)["about"]
    assert about["data"]["rows"] == N and about["target"] == "label" and about["algorithm"] == "l2_svm"
    assert about["selection"]["values"].keys() == {"gamma", "C"}
    assert str(Path().absolute()).encode() not in Path("m.kl").read_bytes()


@pytest.mark.parametrize("missing", MISSING_WAYS[2:])
def test_features_are_those_that_scikit_learn_makes(missing):
    rng = np.random.default_rng(0)
    values = np.column_stack([rng.normal(size=50), rng.integers(0, 3, 50), rng.integers(0, 4, 50), rng.normal(size=50)])
    values[rng.random(values.shape) < 0.2] = np.nan
    values[:, 3] = 1.0
    raw = RawFeatures(values, (None, ("a", "b", "c"), ("a", "b", "c", "d"), None), (2,), missing)
    train, new = raw[np.arange(25)], raw[np.arange(25, 50)]
    features = TableFeatures().fit(train)
    for part, expected in zip((train, new), encoded(train, new), strict=True):
        np.testing.assert_array_equal(features.of_examples(part), expected)


def test_a_table_without_a_schema_has_numbers_in_their_order(capsys):
    words = ["algo=l2_svm", "algo.Cs=[1.0]", "kernel=linear", "-o", "m.kl"]
    assert run("fit", "dataset=ionosphere", *words) == 0
    X = load("ionosphere").X
    np.savetxt("new.csv", X[:30], delimiter=",", fmt="%.17g")
    assert run("predict", "m.kl", "new.csv", "-o", "out.csv") == 0
    assert [row[0] for row in read("out.csv")[1:]] == kernlearn.load("m.kl").predict(X[:30]).tolist()
    sparse = csr_array(np.eye(2))
    assert table_features(None, sparse).transform(sparse) is sparse


def test_the_label_of_a_sentence_file_may_be_the_first_column():
    Path("train.conll").write_text("\n\n".join(["D the\nN dog\nV runs", "D a\nN cat\nV sleeps"] * 5) + "\n")
    keys = ["dataset=conll", "dataset.path=train.conll", "dataset.target=0", "scaling=none", "algo.Cs=[10]"]
    assert run("fit", "algo=crf", *keys, "-o", "m.kl") == 0
    Path("new.conll").write_text("the\ncat\nruns\n")
    assert run("predict", "m.kl", "new.conll", "-o", "out.txt") == 0
    assert Path("out.txt").read_text() == "the\tD\ncat\tN\nruns\tV\n\n"
    assert run("verify", "m.kl", "train.conll") == 0


def test_sentences_get_a_label_for_every_word(capsys):
    pairs = [("The", "D"), ("dog", "N"), ("runs", "V")], [("A", "D"), ("cat", "N"), ("sleeps", "V"), (".", "P")]
    lines = ["\n".join(f"{word} x {label}" for word, label in sentence) for _ in range(5) for sentence in pairs]
    Path("train.conll").write_text("\n\n".join(lines) + "\n")
    assert run("fit", "train.conll", "algo=crf", "scaling=none", "algo.Cs=[10.0]", "-o", "m.kl") == 0
    Path("new.conll").write_text("the x\ncat x\nruns x\n\ndog y\n")
    assert run("predict", "m.kl", "new.conll", "-o", "out.conll") == 0
    assert Path("out.conll").read_text() == "the\tD\ncat\tN\nruns\tV\n\ndog\tN\n\n"
    assert run("predict", "m.kl", "train.conll", "-o", "again.conll") == 0
    found = [line.split("\t") for line in Path("again.conll").read_text().splitlines() if line]
    assert found == [list(pair) for _ in range(5) for sentence in pairs for pair in sentence]
    Path("wrong.conll").write_text("The x D\ndog x V\n\nA x D\ncat x N\nsleeps x Z\n")
    for words, wrong, sentences in ((["train.conll"], 0, 0), (["wrong.conll"], 2 / 5, 1)):
        capsys.readouterr()
        assert run("evaluate", "m.kl", *words, "--json") == 0
        found = json.loads(capsys.readouterr().out)
        scores = found["scores"]
        assert scores["error_pct"]["value"] == 100 * wrong and scores["sequence_error_pct"]["value"] == 100 * sentences
        assert "trained on exactly these rows" in "".join(found["notes"]) if not wrong else found["data"]["words"] == 5
    assert "label 'Z': of no training word, so 1 words are counted as errors" in found["notes"]
    of_d = next(one for one in found["classes"] if one["name"] == "D")
    assert of_d == {"name": "D", "rows": 2, "precision_pct": 100.0, "recall_pct": 100.0, "f1_pct": 100.0}
    assert run("evaluate", "m.kl", "wrong.conll") == 0
    assert "2 sentences of 5 words" in capsys.readouterr().out
    assert run("explain", "m.kl", "wrong.conll") == run("evaluate", "m.kl", "new.conll") == 2
    said = capsys.readouterr().err
    assert "is a model of sentences, which" in said and "the word 'the' has no label" in said and "damaged" not in said
    Path("wide.conll").write_bytes(Path("train.conll").read_text().encode("utf-16"))
    assert run("predict", "m.kl", "wide.conll", "-o", "wide.out") == 0
    assert Path("wide.out").read_text() == Path("again.conll").read_text()
    Path("new.conll").write_text("the\n")
    assert run("predict", "m.kl", "new.conll") == 2
    assert (
        "new.conll, line 1: has 1 columns, and the training sentences had 3 with the label" in capsys.readouterr().err
    )


def test_fit_and_info_prove_nothing_where_verify_does_not(capsys):
    frame().to_csv("mine.csv", index=False)
    words = ["mine.csv", "algo=adaboost", "algo.rounds=3", "target=label", "drop=[id,place,day]"]
    assert run("fit", *words, "-o", "m.kl") == 0
    assert run("info", "m.kl") == 0
    out = capsys.readouterr().out
    assert out.count("proved     nothing: the rounds of boosting end before any optimum") == 2 and "gap" not in out
    assert run("verify", "m.kl", "mine.csv") == 2
    assert "the rounds of boosting end before any optimum" in capsys.readouterr().err


def test_fit_takes_a_file_whose_name_has_an_equals_sign(capsys):
    frame().to_csv("a=b.csv", index=False)
    words = [word if word != "mine.csv" else "a=b.csv" for word in FIT]
    assert "a=b.csv" in words and run(*words, "drop=[id]", "-o", "m.kl") == 0
    shutil.copy("a=b.csv", "${HOME}.csv")
    assert run(*[word.replace("a=b.csv", "${HOME}.csv") for word in words], "drop=[id]", "-o", "m.kl") == 2
    assert "is read as a reference; rename the file, or give a link to it" in capsys.readouterr().err


def test_the_run_to_fit_from_is_named_in_plain_words(capsys):
    Path("empty").mkdir()
    for name, words in {"nope": "no such directory", "empty": "has no provenance.json of a finished run"}.items():
        assert run("fit", "--from", name, "-o", "m.kl") == 2
        assert capsys.readouterr().err == (
            f"kernlearn: error: --from {name}: {words}; give one such as results/runs/NAME\n"
        )
