"""A model of `kernlearn fit` in Python: certified, scored and fitted again as any pipeline of scikit-learn."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.metrics import r2_score
from sklearn.model_selection import PredefinedSplit, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import kernlearn
from kernlearn.cli.main import main
from kernlearn.errors import UserError
from kernlearn.models.file import load_header


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(5)
    X = rng.normal(size=(40, 2))
    days = pd.date_range("2020-01-31", periods=40).strftime("%Y-%m-%d")
    kind = np.where(X[:, 0] ** 2 + X[:, 1] > 0.5, "out", "in")
    return pd.DataFrame({"u": X[:, 0], "day": days, "letter": list("abba") * 10, "v": X[:, 1], "kind": kind})


@pytest.fixture(scope="module")
def path(table, tmp_path_factory):
    folder = tmp_path_factory.mktemp("loaded")
    table.to_csv(folder / "t.csv", index=False)
    words = ["algo=l2_svm", "kernel.gammas=[0.3]", "algo.Cs=[1.0,10.0]", "text=onehot", "class_weight=balanced"]
    assert main(["fit", str(folder / "t.csv"), *words, "-o", str(folder / "t.kl")]) == 0
    return folder / "t.kl"


def test_the_training_data_prove_a_loaded_model(path, table):
    model = kernlearn.load(path)
    for X in (table, table.drop(columns="kind"), table[table.columns[::-1]]):
        assert kernlearn.certify(model, X, table.kind).relative_gap < 1e-9
    with pytest.raises(ValueError, match="give the training data|weights of the losses"):
        kernlearn.certify(model, table[::-1], table.kind[::-1])


def test_a_loaded_model_is_written_as_it_was(path, tmp_path):
    model = kernlearn.load(path)
    kernlearn.save(model, tmp_path / "again.kl")
    assert (tmp_path / "again.kl").read_bytes() == path.read_bytes()


def test_what_was_said_of_the_data_is_not_said_of_others(path, table, tmp_path):
    model = kernlearn.load(path)
    model.fit(table[:30], table.kind[:30])
    kernlearn.save(model, tmp_path / "other.kl")
    assert "data" in load_header(path)["about"] and "data" not in load_header(tmp_path / "other.kl")["about"]


def test_a_clone_learns_the_same_from_the_same_table(path, table):
    model = kernlearn.load(path)
    again = clone(model).fit(table, table.kind)
    np.testing.assert_array_equal(again.decision_function(table), model.decision_function(table))
    assert model.score(table, table.kind) == np.mean(model.predict(table) == table.kind)
    parts = np.arange(40) % 4
    by_hand = [
        clone(model).fit(table[parts != k], table.kind[parts != k]).score(table[parts == k], table.kind[parts == k])
        for k in range(4)
    ]
    assert cross_val_score(model, table, table.kind, cv=PredefinedSplit(parts)).tolist() == by_hand


@pytest.mark.parametrize("alone", [True, False])
def test_what_a_search_chose_is_in_the_header(alone, table, tmp_path, capsys):
    search = kernlearn.L2SVMClassifierCV(Cs=[0.1, 10.0], cv=3)
    model = search if alone else make_pipeline(StandardScaler(), search)
    kernlearn.save(model.fit(table[["u", "v"]], table.kind), tmp_path / "a.kl")
    selection = load_header(tmp_path / "a.kl")["about"]["selection"]
    assert selection["values"] == search.best_params_ and selection["score"] == search.best_score_
    kernlearn.save(kernlearn.load(tmp_path / "a.kl"), tmp_path / "b.kl")
    assert (tmp_path / "a.kl").read_bytes() == (tmp_path / "b.kl").read_bytes()
    assert main(["info", str(tmp_path / "a.kl")]) == 0
    assert f"C={search.best_params_['C']}" in capsys.readouterr().out


@pytest.mark.filterwarnings("error:X does not have valid feature names")
def test_a_model_of_a_data_frame_gets_its_names(table, tmp_path, capsys):
    model = make_pipeline(StandardScaler(), kernlearn.L2SVMClassifier(kernel="rbf", probability=True))
    kernlearn.save(model.fit(table[["u", "v"]], table.kind), tmp_path / "a.kl")
    table[["v", "kind", "u"]].to_csv(tmp_path / "t.csv", index=False)
    files = [str(tmp_path / "a.kl"), str(tmp_path / "t.csv")]
    assert main(["predict", *files, "--proba", "--scores"]) == 0
    predicted = [line.split(",")[0] for line in capsys.readouterr().out.splitlines()[1:]]
    assert predicted == model.predict(table[["u", "v"]]).tolist()
    assert main(["evaluate", *files, "--target", "kind"]) == 0
    assert main(["explain", *files, "--target", "kind", "--repeats", "2"]) == 0


@pytest.mark.parametrize(("label", "words"), [("fox", "'fox' is no class of the model"), ("in", "no example is of")])
def test_other_classes_are_refused_in_one_line(label, words, path, table):
    y = table.kind.where(table.kind == "in", label) if label == "in" else table.kind.where(table.index > 0, label)
    with pytest.raises(UserError, match=words):
        clone(kernlearn.load(path)).fit(table, y)


def test_missing_values_and_texts_are_learned_again(table, tmp_path):
    lacking = table.assign(u=table.u.where(table.index % 7 > 0), letter=table.letter.where(table.index % 9 > 0))
    lacking.to_csv(tmp_path / "t.csv", index=False)
    words = ["algo=krr", "target=v", "algo.lambdas=[0.1]", "kernel.gammas=[0.3]", "missing=indicator", "text=ordinal"]
    assert main(["fit", str(tmp_path / "t.csv"), *words, "task=regression", "-o", str(tmp_path / "t.kl")]) == 0
    model = kernlearn.load(tmp_path / "t.kl")
    again = clone(model).fit(lacking, lacking.v)
    np.testing.assert_array_equal(again.predict(lacking), model.predict(lacking))
    assert model.score(lacking, lacking.v) == r2_score(lacking.v, model.predict(lacking))


def test_a_cell_that_does_not_fit_its_column_is_one_line(path, table):
    model = kernlearn.load(path)
    dates = table.assign(day=pd.to_datetime(table.day))
    np.testing.assert_array_equal(model.decision_function(dates), model.decision_function(table))
    for column, kind in (("u", "number"), ("day", "date")):
        with pytest.raises(UserError, match=f"column '{column}': 'soon' is no {kind}"):
            model.predict(table.assign(**{column: "soon"}))
