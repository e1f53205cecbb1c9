"""``kernlearn predict`` on files of one's own: new rows as those of the training file became features."""

import gzip
import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import kernlearn
from kernlearn.datasets.parts import texts_of
from kernlearn.datasets.rows import NewRows
from kernlearn.errors import UserError
from kernlearn.models.predictions import schema_of
from tests.models.tables import FIT, N, frame, read, run


def test_a_fitted_model_predicts_columns_by_name_in_any_order(model, capsys):
    new = frame(seed=1)
    other = new.drop(columns="label")[["wet", "v", "place", "id", "day", "u"]].assign(more=1.5)
    other.to_csv("new.csv", index=False)
    assert run("predict", "m.kl", "new.csv", "--keep", "id", "--scores", "-o", "out.csv") == 0
    assert "column 'more': not used by the model, ignored" in capsys.readouterr().err
    header, *rows = read("out.csv")
    assert header == ["id", "label", "decision"]
    assert [row[0] for row in rows] == new["id"].tolist()
    typed = new.assign(day=pd.to_datetime(new["day"]), wet=new["wet"] == "true")
    assert [row[1] for row in rows] == model.predict(typed).tolist()
    assert [float(row[2]) for row in rows] == model.decision_function(typed).tolist()
    assert np.mean(np.array([row[1] for row in rows]) == new["label"]) > 0.7


def test_standard_output_has_the_predictions_alone(model, capsys):
    capsys.readouterr()
    assert run("predict", "m.kl", "mine.csv") == 0
    out, err = capsys.readouterr()
    assert out.splitlines()[0] == "label" and set(out.splitlines()[1:]) == {"yes", "no"}
    assert "column 'id': not used by the model, ignored" in err


@pytest.mark.parametrize(("part", "end"), [(50, "\r\n"), (300, "\n"), (2**20, "\r\n")])
def test_a_file_is_read_part_by_part(model, part, end):
    schema, fills = schema_of(model)
    text = frame(seed=2).to_csv(index=False, lineterminator="\n").replace("\n", end)
    with gzip.open("new.csv.gz", "wb") as file:
        file.write(text.encode())
    frame(seed=2).to_csv("new.csv", index=False)
    (whole,) = NewRows(Path("new.csv"), schema, ["id"], fills).parts()
    parts = list(NewRows(Path("new.csv.gz"), schema, ["id"], fills, part=part).parts())
    np.testing.assert_array_equal(np.concatenate([one.codes for one in parts]), whole.codes)
    assert sum([one.kept[0] for one in parts], []) == whole.kept[0] == [f"{i:05d}" for i in range(N)]
    assert len(parts) > 1 or part == 2**20


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda t: t.drop(columns=["u", "v"]), "has no columns 'u', 'v', which the model was trained on"),
        (lambda t: t.rename(columns={"place": "Place"}), "has no column 'place', .*did you mean Place"),
        (lambda t: t.assign(u=[1e308, *t["u"][1:]]), "line 2, column 'u': '1e[+]308' is too large to square"),
        (lambda t: t.assign(u=["x", *t["u"][1:]]), "line 2, column 'u': 'x' is no number"),
        (lambda t: t.assign(day="yesterday"), "column 'day': 'yesterday' is no date"),
    ],
)
def test_what_cannot_be_predicted_is_refused_in_one_line(model, change, words, capsys):
    change(frame(seed=3)).to_csv("new.csv", index=False)
    capsys.readouterr()
    assert run("predict", "m.kl", "new.csv", "-o", "out.csv") == 2
    (line,) = [line for line in capsys.readouterr().err.splitlines() if line.startswith("kernlearn: error")]
    assert re.search(words, line)
    assert not Path("out.csv").exists() and not list(Path().glob(".out*"))


def test_the_line_of_a_wrong_cell_is_that_of_the_file(model):
    schema, fills = schema_of(model)
    table = frame(seed=3).assign(place="north")
    table.loc[49, "u"] = np.inf
    table.to_csv("new.csv", index=False)
    with pytest.raises(ValueError, match="line 51, column 'u': 'inf' is no number"):
        list(NewRows(Path("new.csv"), schema, [], fills, part=200).parts())


def test_texts_that_are_new_are_said(model, capsys):
    frame(seed=4).assign(place="moon").to_csv("new.csv", index=False)
    assert run("predict", "m.kl", "new.csv", "-o", "out.csv") == 0
    assert f"column 'place': 'moon', in {N} rows, was in no training row" in capsys.readouterr().err


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-8-sig", "utf-32"])
def test_a_file_is_read_in_the_encoding_of_its_mark(model, encoding, capsys):
    text = frame(seed=4).to_csv(index=False)
    assert run("evaluate", "m.kl", write("plain.csv", text.encode()), "--json") == 0
    scores = json.loads(capsys.readouterr().out)["scores"]
    mark = "\ufeff" if encoding == "utf-16-be" else ""
    file = write("new.csv", (mark + text).encode(encoding))
    assert run("evaluate", "m.kl", file, "--json") == run("predict", "m.kl", file, "-o", "out.csv") == 0
    assert json.loads(capsys.readouterr().out)["scores"] == scores
    assert run("predict", "m.kl", "plain.csv", "-o", "plain.out") == 0
    assert read("out.csv") == read("plain.out")
    if not mark:
        assert (
            run("predict", "m.kl", file, f"encoding={encoding.removesuffix('-sig')}", "--force", "-o", "out.csv") == 0
        )
        assert read("out.csv") == read("plain.out")


def write(name, content):
    """Write a file and return its name."""
    Path(name).write_bytes(content)
    return name


def test_numbers_are_read_in_the_dialect_of_the_file_at_hand(model, capsys):
    new = frame(seed=4)
    styles = {
        "plain.csv": {},
        "comma.csv": {"sep": ";", "decimal": ","},
        "tabs.csv": {"sep": "\t", "decimal": ","},
    }
    for name, style in styles.items():
        new.to_csv(name, index=False, **style)
        assert run("predict", "m.kl", name, "--scores", "-o", f"{name}.out") == 0
        said = capsys.readouterr().err
        assert ("numbers have the decimal comma, and a point in the training data" in said) == ("decimal" in style)
    assert read("plain.csv.out") == read("comma.csv.out") == read("tabs.csv.out")
    words = [f"dataset={word}" if word == "mine.csv" else word for word in FIT[1:]]
    new.to_csv("mine.csv", index=False, sep=";", decimal=",")
    assert run("fit", *words, "drop=[id]", "-o", "c.kl") == 0
    for name in styles:
        assert run("predict", "c.kl", name, "-o", f"{name}.out", "--force") == 0
    assert read("plain.csv.out") == read("comma.csv.out") == read("tabs.csv.out")
    whole = new.assign(u=1, v="1,234")
    whole.to_csv("either.csv", index=False, sep=";")
    assert run("predict", "m.kl", "either.csv", "-o", "a.out") == 2
    assert "decimal=comma or thousands=comma says what the comma is" in capsys.readouterr().err
    assert run("predict", "m.kl", "either.csv", "-o", "a.out", "--scores", "decimal=comma") == 0
    whole.assign(v=1.234).to_csv("point.csv", index=False)
    assert run("predict", "m.kl", "point.csv", "-o", "b.out", "--scores") == 0
    assert read("a.out") == read("b.out")
    assert run("predict", "m.kl", "point.csv", "decimal=dot") == run("predict", "m.kl", "point.csv", "decimals=x") == 2
    said = capsys.readouterr().err
    assert "decimal=dot" in said and "did you mean decimal" in said


def test_rows_without_a_value_have_no_prediction_and_are_not_evaluated(model, capsys):
    new = frame(seed=4)
    new.to_csv("whole.csv", index=False)
    gaps = new.copy()
    gaps.loc[[0, 7, N - 1], "v"] = np.nan
    gaps.loc[[7, 8], "u"] = np.nan
    gaps.loc[[20, 21], "label"] = None
    gaps.to_csv("new.csv", index=False)
    assert run("predict", "m.kl", "whole.csv", "--scores", "-o", "a.out") == 0
    capsys.readouterr()
    assert run("predict", "m.kl", "new.csv", "--scores", "-o", "b.out") == 0
    said = capsys.readouterr().err
    assert re.search("4 rows have no value in columns 'u', 'v', .*: their predictions are empty", said)
    before, after, lacking = read("a.out"), read("b.out"), {1, 8, 9, N}
    assert [["", ""] if i in lacking else row for i, row in enumerate(before)] == after
    assert run("evaluate", "m.kl", "new.csv", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["data"]["rows"] == N - 6
    assert "4 rows have no value" in found["notes"][-2] and "2 rows have no target" in found["notes"][-1]
    assert run("explain", "m.kl", "new.csv", "--row", "8") == run("explain", "m.kl", "new.csv", "--row", "61") == 2
    said = capsys.readouterr().err
    assert "the row has no target, or no value in a column" in said and "the rows 1 to 59" in said
    assert said.count("error: new.csv: --row") == 2
    assert run("explain", "m.kl", "new.csv", "--row", "30") == run("explain", "m.kl", "whole.csv", "--row", "30") == 0
    one, other = capsys.readouterr().out.split("row        30")[1:]
    assert one.splitlines()[:3] == other.splitlines()[:3]


def test_columns_of_one_name_are_told_apart_by_their_places(capsys):
    rng = np.random.default_rng(0)
    table = pd.DataFrame(np.round(rng.normal(size=(40, 3)), 3))
    table["label"] = np.where(table[2] > 0, "p", "q")  # the third column decides
    table.to_csv("mine.csv", index=False, header=["a", "b", "a", "label"])
    table.to_csv("plain.csv", index=False, header=["a", "b", "c", "label"])
    for name in ("mine", "plain"):
        assert run(FIT[0], f"{name}.csv", *FIT[2:], "-o", f"{name}.kl") == 0
        assert run("predict", f"{name}.kl", f"{name}.csv", "--scores", "-o", f"{name}.out") == 0
    assert read("mine.out") == read("plain.out")
    assert "columns 0 and 2 are both called 'a'" in capsys.readouterr().out
    table[[1, 0, 2]].to_csv("fewer.csv", index=False, header=["b", "a", "a"])
    assert run("predict", "mine.kl", "fewer.csv") == 2
    assert "several columns are called 'a'" in capsys.readouterr().err


def test_a_new_text_of_ordinal_ones_is_said_to_be_below_all(capsys):
    frame().to_csv("mine.csv", index=False)
    assert run(*FIT[:-1], "text=ordinal", "drop=[id]", "-o", "m.kl") == 0
    frame().assign(place="moon").to_csv("new.csv", index=False)
    capsys.readouterr()
    assert run("predict", "m.kl", "new.csv", "-o", "out.csv") == 0
    assert "'moon', in 60 rows, was in no training row; it becomes -1" in capsys.readouterr().err
    columns = kernlearn.load("m.kl")[0]
    assert (
        columns.ordinal_columns == {"place"}
        and columns.transform(frame().assign(place="moon", day=pd.to_datetime(frame()["day"]), wet=1.0)).min(axis=0)[-1]
        == -1
    )


def test_values_far_outside_the_training_data_are_counted(model, capsys):
    new = frame(seed=4)
    new.assign(u=new["u"] * 1000).to_csv("new.csv", index=False)
    new.to_csv("plain.csv", index=False)
    assert run("predict", "m.kl", "plain.csv", "-o", "a.out") == 0
    assert "far outside" not in capsys.readouterr().err
    assert run("predict", "m.kl", "new.csv", "-o", "b.out") == run("evaluate", "m.kl", "new.csv") == 0
    out, err = capsys.readouterr()
    u = frame()["u"]
    width = u.max() - u.min()
    count = ((1000 * new["u"] < u.min() - width) | (1000 * new["u"] > u.max() + width)).sum()
    said = f"column 'u': {count} values are far outside the training data, which are from {u.min():g} to {u.max():g}"
    assert said in err and said in out and "column 'v'" not in err


def test_predictions_need_a_directory_that_is_there(model, capsys):
    assert run("predict", "m.kl", "mine.csv", "-o", "none/out.csv") == 2
    assert "there is no directory none" in capsys.readouterr().err and not Path("none").exists()


def test_probabilities_need_the_key(model, capsys):
    assert run("predict", "m.kl", "mine.csv", "--proba") == 2
    assert "fit it with probability=true" in capsys.readouterr().err


def test_files_without_names_go_by_the_order_of_columns(capsys):
    table = frame()[["u", "v", "label"]]
    table.to_csv("mine.csv", index=False, header=False)
    assert run("fit", "mine.csv", "target=2", "algo=l2_svm", "algo.Cs=[1.0]", "kernel.gammas=[1.0]", "-o", "m.kl") == 0
    table[["u", "v"]].to_csv("new.csv", index=False, header=False)
    assert run("predict", "m.kl", "mine.csv", "-o", "a.csv") == run("predict", "m.kl", "new.csv", "-o", "b.csv") == 0
    assert read("a.csv") == read("b.csv") and read("a.csv")[0] == ["prediction"]


def test_a_first_line_may_be_longer_than_what_is_looked_at(capsys):
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.normal(size=(24, 3)), columns=["u" * 40_000, "v" * 40_000, "w"])
    table.assign(label=np.where(table["w"] > 0, "p", "m")).to_csv("wide.csv", index=False)
    words = ["algo=l2_svm", "target=label", "kernel=linear", "algo.Cs=[1]"]
    assert run("fit", *words, "wide.csv", "-o", "wide.kl") == 0
    assert run("predict", "wide.kl", "wide.csv", "-o", "out.csv") == 0
    assert len(read("out.csv")) == 25


@pytest.mark.parametrize(
    ("line", "words"),
    [("1," * 2**24, "a line has more than 33,554,432 characters"), ('"' + "1" * 2**25, "a quote is never closed")],
)
def test_a_line_without_end_is_no_quote(line, words, tmp_path):
    (tmp_path / "long.csv").write_text("a,b\n" + line + "1")
    with pytest.raises(UserError, match=words):
        list(texts_of(tmp_path / "long.csv", "utf-8", 2**20))
