"""``kernlearn plot``: pictures of runs, comparisons, tables, figures and models, from the command line."""

import csv
import json
import re
import shutil
from math import nan
from pathlib import Path
from statistics import fmean, stdev
from xml.etree import ElementTree

import numpy as np
import pytest
from scipy.stats import rankdata, studentized_range
from sklearn.metrics import confusion_matrix, root_mean_squared_error

import kernlearn
from kernlearn.cli.main import main
from kernlearn.errors import UserError
from kernlearn.report.plots.kinds import KINDS, available, pictures_of
from kernlearn.report.plots.outputs import NotComputed
from kernlearn.report.plots.stored import Lacking
from kernlearn.report.targets import find_target

#: They share runs, a comparison and models that take seconds; the pictures have fast tests in tests/report/plots.
pytestmark = pytest.mark.slow
RESULTS = Path(kernlearn.__file__).parents[1] / "results"
QUICK = ["engine.jobs=1", "scaling=standard"]
RUNS = {
    "two": ["algo=l2_svm", "two.csv", "target=label", "kernel=gaussian", "kernel.gammas=[0.1,1]", "algo.Cs=[0.1,1,10]"],
    "three": ["algo=l2_svm", "three.csv", "target=label", "kernel=gaussian", "kernel.gammas=[0.3]", "algo.Cs=[1,10]"],
    "weights": ["algo=alignf", "two.csv", "target=label", "kernel=gaussian", "kernel.gammas=[0.1,1]", "algo.Cs=[1]"],
    "real": ["algo=krr", "real.csv", "target=y", "task=regression", "kernel=gaussian", "kernel.gammas=[0.1,1]"],
    "votes": ["algo=l2_svm", "three.csv", "target=label", "kernel=linear", "algo.Cs=[1,2]", "multiclass=one_vs_one"],
}


def write(directory, n=60):
    """Write files with two and three classes, one class with a hostile name, and a regression."""
    rng = np.random.default_rng(0)
    for name, labels in (("two", ["no", "<script>"]), ("three", ["a", "b", "c"])):
        y = np.arange(n) % len(labels)
        X = rng.normal(size=(n, 2)) + 1.3 * y[:, None]
        lines = [f"{a:.4f},{b:.4f},{labels[k]}" for (a, b), k in zip(X, y, strict=True)]
        (directory / f"{name}.csv").write_text("\n".join(["u,v,label", *lines]) + "\n")
    u = rng.normal(size=n)
    lines = [f"{a:.4f},{np.sin(a) + 0.1 * e:.5f}" for a, e in zip(u, rng.normal(size=n), strict=True)]
    (directory / "real.csv").write_text("\n".join(["u,y", *lines]) + "\n")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Return a directory with the results of all runs, and their directories by name."""
    directory = tmp_path_factory.mktemp("plotted")
    write(directory)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(directory)
        for name, words in RUNS.items():
            before = set(directory.glob("results/runs/*"))
            data, *rest = words[1:]
            assert main(["run", words[0], f"dataset={data}", *rest, *QUICK]) == 0
            (new,) = set(directory.glob("results/runs/*")) - before
            new.rename(directory / name)
        (here := directory / "compared").mkdir()
        write(here, n=40)
        patch.chdir(here)
        again = (here / "two.csv").read_text().splitlines()
        (here / "part.csv").write_text("\n".join([again[0], *again[5:]]) + "\n")
        words = ["two.csv", "three.csv", "part.csv", "target=label", "algos=nearest_mean,perceptron"]
        assert main(["compare", *words, "kernel.gammas=[0.3]", *QUICK]) == 0
        patch.chdir(directory)
        words = ["l2_svm", "two.csv", "target=label", "algo.Cs=[1]", "kernel.gammas=[0.3]", "probability=true"]
        assert main(["fit", f"algo={words[0]}", *words[1:], "-o", "two.kl"]) == 0
        assert main(["fit", "algo=krr", "real.csv", "target=y", "task=regression", "-o", "real.kl"]) == 0
    return directory


@pytest.fixture
def here(made, tmp_path):
    """Return a copy of the results in the current directory."""
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    return tmp_path


def table(path):
    return list(csv.DictReader(path.open()))


def plot(*words):
    return main(["plot", *map(str, words)])


def picture(run, kind):
    (one,) = pictures_of(find_target(str(run), Path("results")), [kind])
    return one


def test_a_result_lists_its_kinds_and_the_next_command_draws_one(here, capsys):
    assert plot("two") == 0
    out = capsys.readouterr().out
    lines = {line.split()[0]: line.split()[1] for line in out.splitlines() if line}
    assert lines["validation"] == "1" and lines["weights"] == "-" and lines["roc"] == "*" and lines["residuals"] == "-"
    (command,) = re.findall("^next: kernlearn (.*)$", out, re.MULTILINE)
    assert main(command.split()) == 0
    assert ElementTree.parse("validation.svg").getroot().tag.endswith("svg")


def test_the_validation_surface_is_the_mean_over_the_splits(here):
    found, rows = picture("two", "validation"), table(here / "two" / "paths.csv")
    gammas, cs = sorted({row["gamma"] for row in rows}, key=float), sorted({row["C"] for row in rows}, key=float)
    assert (len(found.values), len(found.values[0])) == (len(gammas), len(cs)) == (2, 3)
    for i, gamma in enumerate(gammas):
        for j, c in enumerate(cs):
            mine = [float(r["validation_error_pct"]) for r in rows if (r["gamma"], r["C"]) == (gamma, c)]
            assert found.values[i][j] == pytest.approx(fmean(mine))
    selected = table(here / "two" / "summary.csv")[0]["selected"]
    values = {f"C={float(cs[j]):g};gamma={float(gammas[i]):g}" for i, j in found.framed}
    splits = len({row["split"] for row in rows})
    of_split = [dict(one.split("=") for one in selected.split(";"))]
    names = {key: value.split("|") * (splits if "|" not in value else 1) for key, value in of_split[0].items()}
    assert values == {f"C={c};gamma={g}" for c, g in zip(names["C"], names["gamma"], strict=True)}


def test_a_curve_over_one_parameter_has_means_and_deviations(here):
    found, rows = picture("three", "validation"), table(here / "three" / "paths.csv")
    (series,) = found.series
    for x, y, low in zip(series.x, series.y, series.low, strict=True):
        mine = [float(row["validation_error_pct"]) for row in rows if float(row["C"]) == x]
        assert y == pytest.approx(fmean(mine)) and low == pytest.approx(fmean(mine) - stdev(mine))


def test_the_scores_of_splits_are_those_of_the_summary(here):
    found = picture("two", "splits")
    one, mean, spread = found.series
    summary = next(row for row in table(here / "two" / "summary.csv") if row["metric"] == "error_pct")
    assert mean.x[1] == pytest.approx(float(summary["mean"]))
    assert spread.x[4] - spread.x[3] == pytest.approx(2 * float(summary["std"]))
    assert len(one.x) == 2 * int(summary["n_splits"])


def test_sparsity_and_path_have_every_grid_point(here):
    found, rows = picture("two", "sparsity"), table(here / "two" / "paths.csv")
    assert {series.name for series in found.series} == {"validation parts", "test parts"}
    means = sorted(fmean(float(r["n_nonzero"]) for r in rows if r["point"] == p) for p in {r["point"] for r in rows})
    assert sorted(found.series[0].x) == pytest.approx(means)
    pictures = {one.y.label: one for one in pictures_of(find_target("two", here), ["path"])}
    gaps = [y for series in pictures["relative gap"].series for y in series.y]
    assert sorted(gaps) == sorted(float(row["gap"]) for row in rows if row["split"] == "0")
    assert "All 6 solutions are proved optimal." in pictures["relative gap"].words


def test_kernel_weights_are_means_of_the_selected_points(here):
    found, rows = picture("weights", "weights"), table(here / "weights" / "paths.csv")
    weights = np.array([[float(word) for word in row["weights"].split()] for row in rows])
    assert list(found.names) == ["gamma=0.1", "gamma=1"]
    np.testing.assert_allclose(found.values, weights.mean(axis=0))
    np.testing.assert_allclose(found.high, weights.mean(axis=0) + weights.std(axis=0, ddof=1))


@pytest.mark.parametrize("run", ["two", "three", "weights", "votes"])
def test_predictions_are_computed_once_and_have_the_scores_of_the_run(here, capsys, run):
    assert plot(run, "--kind", "confusion", "-o", "a.svg") == 0
    assert "outputs    all test scores are the same as in the run" in capsys.readouterr().out
    path = here / run / "predictions.csv"
    rows, state = table(path), path.stat().st_mtime_ns
    errors = sum(row["truth"] != row["prediction"] for row in rows)
    summary = next(row for row in table(here / run / "summary.csv") if row["metric"] == "error_pct")
    assert 100 * errors / len(rows) == pytest.approx(float(summary["mean"]))  # the parts have one size
    classes = json.loads((here / run / "provenance.json").read_text())["data"][0]["classes"]
    counts = confusion_matrix([row["truth"] for row in rows], [row["prediction"] for row in rows], labels=classes)
    assert [[int(text) for text in row] for row in picture(run, "confusion").shown] == counts.tolist()
    assert sorted(int(row["row"]) for row in rows) == list(range(1, 61))
    assert plot(run, "--kind", "confusion", "-o", "b.svg") == 0
    assert "outputs" not in capsys.readouterr().out and path.stat().st_mtime_ns == state
    assert Path("a.svg").read_bytes() == Path("b.svg").read_bytes()
    assert b"<script>" not in Path("a.svg").read_bytes()


def test_decision_values_decide_the_predictions(here):
    assert plot("three", "--kind", "roc,precision-recall", "-o", "a.svg") == 0
    rows = table(here / "three" / "predictions.csv")
    for row in rows:
        assert max("abc", key=lambda name: float(row[f"decision_{name}"])) == row["prediction"]


def test_votes_have_no_roc_curve(here, capsys):
    assert plot("votes", "--kind", "roc") == 2
    assert "only votes" in capsys.readouterr().err and not (here / "votes" / "predictions.csv").exists()
    assert plot("votes", "--kind", "confusion,roc") == 2
    assert "votes_a" in table(here / "votes" / "predictions.csv")[0]


def test_residuals_of_a_regression_have_its_error(here):
    assert plot("real", "--kind", "residuals", "-o", "r.svg") == 0
    rows = table(here / "real" / "predictions.csv")
    summary = next(row for row in table(here / "real" / "summary.csv") if row["metric"] == "rmse")
    errors = []
    for split in sorted({row["split"] for row in rows}):
        mine = [(float(row["truth"]), float(row["prediction"])) for row in rows if row["split"] == split]
        errors.append(root_mean_squared_error(*zip(*mine, strict=True)))
    assert fmean(errors) == pytest.approx(float(summary["mean"]))


def test_data_that_changed_or_went_give_one_line_and_no_file(here, made, capsys):
    data = made / "two.csv"
    text = data.read_text()
    try:
        data.write_text(text.replace("no", "maybe"))
        assert plot("two", "--kind", "roc", "-o", "x.svg") == 2
        assert "its data have changed since it was run" in capsys.readouterr().err
        data.unlink()
        assert plot("two", "--kind", "roc", "-o", "x.svg") == 2
        assert len(capsys.readouterr().err.splitlines()) == 1
    finally:
        data.write_text(text)
    assert not Path("x.svg").exists() and not (here / "two" / "predictions.csv").exists()


def test_scores_that_differ_are_said(here, capsys):
    path = here / "two" / "paths.csv"
    rows = table(path)
    for row in rows:
        row["test_errors"] = str(int(row["test_errors"]) + 1)
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    assert plot("two", "--kind", "roc", "-o", "x.svg") == 0
    out = capsys.readouterr().out
    assert "the outputs are not those of the run: split 0: test errors" in out and "all test scores" not in out


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda path: path.write_text("run,split\n"), "damaged"),
        (lambda path: path.write_text(path.read_text().replace("<script>", "other")), "damaged"),
        (lambda path: path.write_text(path.read_text()[:-5]), "damaged"),
    ],
)
def test_damaged_predictions_give_one_line(here, capsys, change, words):
    assert plot("two", "--kind", "roc", "-o", "x.svg") == 0
    change(here / "two" / "predictions.csv")
    capsys.readouterr()
    assert plot("two", "--kind", "confusion", "-o", "y.svg") == 2
    error = capsys.readouterr().err
    assert words in error and len(error.splitlines()) == 1 and not Path("y.svg").exists()


def without(key):
    return lambda text: json.dumps({k: v for k, v in json.loads(text).items() if k != key})


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("paths.csv", lambda text: text[: len(text) // 2]),
        ("paths.csv", lambda text: text.replace("split", "splat", 1)),
        ("paths.csv", lambda text: text.replace(",optimal", ",", 1)),
        ("paths.csv", lambda text: text.replace("n_train", "trained", 1)),
        ("summary.csv", lambda text: text[:-1]),
        ("provenance.json", lambda text: text[:100]),
        ("provenance.json", without("chosen_by")),
        ("provenance.json", without("experiment")),
        ("provenance.json", lambda text: text.replace('"select_by": "error_pct"', '"select_by": "luck"')),
        ("summary.csv", lambda text: text.replace("n_splits", "splits", 1)),
        ("summary.csv", lambda text: text.replace(",error_pct,", ",error_pct,x", 2)),
        ("provenance.json", lambda text: json.dumps({**json.loads(text), "data": [3]})),
        ("provenance.json", lambda text: json.dumps({**json.loads(text), "data": []})),
        ("provenance.json", lambda text: json.dumps({**json.loads(text), "collected": 7})),
        ("provenance.json", lambda text: json.dumps({**json.loads(text), "computed": 3})),
        ("provenance.json", without("computed")),
    ],
)
def test_damaged_tables_give_one_line(here, capsys, name, change):
    path = here / "two" / name
    path.write_text(change(path.read_text()))
    for verb, file in (("plot", "x.svg"), ("export", "x.csv"), ("report", "x.html")):
        assert main([verb, "two", "-o", file]) == 2
        error = capsys.readouterr().err
        assert len(error.splitlines()) == 1 and any(w in error for w in ("damaged", "not measured"))
        assert not Path(file).exists()


def test_a_score_that_is_not_there_cannot_select(here, capsys):
    path = here / "two" / "paths.csv"
    path.write_text(path.read_text().replace("validation_errors", "errors", 1))
    assert plot("two", "-o", "x.svg") == 2
    assert "not measured" in capsys.readouterr().err and not Path("x.svg").exists()


def test_a_model_shows_what_it_rests_on_and_how_it_does_on_a_file(here, capsys):
    assert plot("two.kl", "-o", "m.svg") == 0
    assert plot("two.kl", "--data", "two.csv", "-o", "d.svg") == 0
    assert "the model was trained on exactly these rows" in capsys.readouterr().out
    titles = [e.text for e in ElementTree.parse("d.svg").iter("{http://www.w3.org/2000/svg}title")]
    for words in ("Confusion matrix", "ROC curve", "Precision and recall", "Calibration"):
        assert any(title.startswith(f"{words}: two.kl on two.csv") for title in titles)
    assert plot("real.kl", "--data", "real.csv", "--kind", "residuals", "-o", "r.svg") == 0
    assert plot("two.kl", "--data", "two.csv") == 0
    assert "next: kernlearn plot two.kl --data two.csv --kind confusion" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nothing"], "no such result"),
        (["two", "--kind", "rocc"], "did you mean roc?"),
        (["two", "--kind", "deviations"], "deviations: it is of a table or of a paper; choose from validation, splits"),
        (["two", "--kind", "weights"], "learns no kernel weights"),
        (["two", "-o", "x.jpg"], "must end in .svg, .pdf or .png"),
        (["two", "-o", "missing/x.svg"], "there is no directory missing"),
        (["two", "-o", "two.csv.svg"], "is there and is no picture of kernlearn"),
        (["two", "--data", "two.csv"], "is for models"),
        (["two", "--target", "x"], "belong to --data"),
        (["two.kl", "--data", "none.csv", "-o", "x.svg"], "none.csv"),
        (["two.kl", "--data", "two.csv", "--kind", "residuals"], "targets are classes"),
        (["two.kl", "--kind", "validation"], "validation: it is of a run; choose from weights, rows"),
        (["two.kl", "--kind", "roc"], "roc: it is of a run, and of a model with --data; choose from weights, rows"),
        (
            ["two", "--kind", "drawing,rocc"],
            "drawing: it is of a table or figure, drawn alone; choose from validation, splits",
        ),
        (["two", "--kind", "drawing"], "drawing: it is of a table or figure"),
        (["vkr2015/table1"], "run kernlearn reproduce vkr2015/table1 first"),
    ],
)
def test_mistakes_give_one_line_and_exit_code_2(here, capsys, words, message):
    Path("two.csv.svg").write_text("somebody's own picture")
    before = sorted(here.rglob("*"))
    assert plot(*words) == 2
    error = capsys.readouterr().err
    assert message in error and len(error.splitlines()) == 1 and sorted(here.rglob("*")) == before


def test_a_picture_is_replaced_and_another_file_only_with_force(here):
    Path("x.svg").write_text("somebody's own picture")
    assert plot("two", "--kind", "splits", "-o", "x.svg", "--force") == 0
    assert plot("two", "--kind", "validation", "-o", "x.svg") == 0
    assert plot("two", "--kind", "validation") == 0
    assert Path("two-validation.svg").read_bytes() == Path("x.svg").read_bytes()


@pytest.mark.parametrize("suffix", [".pdf", ".png"])
def test_pictures_for_print(here, suffix):
    pytest.importorskip("matplotlib")
    assert plot("two", "--kind", "validation", "-o", f"x{suffix}") == 0
    assert Path(f"x{suffix}").read_bytes().startswith({".pdf": b"%PDF", ".png": b"\x89PNG"}[suffix])


def test_a_comparison_has_ranking_splits_and_ranks(here):
    (directory,) = (here / "compared").glob("results/comparisons/*")
    pictures = pictures_of(find_target(str(directory), here))
    assert [one.kind for one in pictures] == ["ranking"] * 3 + ["splits"] * 3 + ["ranks"]
    places, scores = table(directory / "ranking.csv"), table(directory / "splits.csv")
    for found, strips, name in zip(pictures[:3], pictures[3:6], ("two", "three", "part"), strict=True):
        rows = [row for row in places if row["dataset"] == name]
        assert list(found.names) == [row["method"] for row in rows] and found.title.endswith(f" on {name}")
        assert list(found.values) == pytest.approx([float(row["error_pct_mean"]) for row in rows])
        lows = [max(0.0, float(row["interval_low"])) if row["interval_low"] else nan for row in rows]
        assert list(found.low) == pytest.approx(lows, nan_ok=True)  # none where all test parts agree
        shown = [row["method"] for row in rows if row["method"] in strips.y.names]
        mine = [float(row["error_pct"]) for row in scores if row["dataset"] == name and row["method"] in shown]
        assert sorted(strips.series[0].x) == pytest.approx(sorted(mine)) and len(shown) >= len(rows) - 1
    ranks = pictures[-1]
    means = [[float(row["error_pct_mean"]) for row in places if row["method"] == name] for name in ranks.names]
    expected = rankdata(np.round(means, 8), axis=0).mean(axis=1)
    assert list(ranks.values) == pytest.approx(expected) and (np.diff(ranks.values) >= 0).all()
    k, n = len(ranks.names), 3
    difference = studentized_range.ppf(0.95, k, np.inf) / np.sqrt(2) * np.sqrt(k * (k + 1) / (6 * n))  # Demsar, (7)
    assert ranks.high[0] - ranks.low[0] == pytest.approx(difference, rel=1e-6)


def test_a_table_has_its_deviations_and_a_figure_its_drawing(here, capsys):
    pytest.importorskip("matplotlib")
    assert plot("vkr2015/table1", "--results-dir", RESULTS, "--kind", "deviations", "-o", "t.svg") == 0
    assert plot("mkl2010/fig2_1", "--results-dir", RESULTS, "-o", "f.pdf") == 0
    assert Path("f.pdf").read_bytes().startswith(b"%PDF")
    assert plot("vkr2015/table1", "--results-dir", RESULTS, "--kind", "drawing", "-o", "d.svg") == 2
    assert "has no drawing of its own" in capsys.readouterr().err


def test_every_kind_has_a_line_and_every_result_a_picture(here):
    for kind in KINDS.values():
        assert kind.line and not kind.line.endswith(".")
    for name in ("two", "two.kl"):
        found = available(find_target(name, here))
        assert any(not isinstance(pictures, Lacking) for pictures in found.values())
    assert isinstance(available(find_target("two", here))["roc"], NotComputed)


@pytest.mark.parametrize("name", [*RUNS, "comparison", "two.kl", "real.kl", "vkr2015/table1", "mkl2010"])
def test_every_kind_that_is_listed_is_drawn_and_no_other(name, here, capsys):
    words, known = [], [*KINDS]
    if name == "comparison":
        (path,) = (here / "compared").glob("results/comparisons/*")
        name = str(path)
    elif name.startswith(("vkr", "mkl")):
        words = ["--results-dir", RESULTS]
    for data in ([], ["--data", name.replace(".kl", ".csv")])[: 1 + name.endswith(".kl")]:
        assert plot(name, *words, *data, "--json") == 0
        listed = {one["kind"]: one["pictures"] for one in json.loads(capsys.readouterr().out)["kinds"]}
        assert any(count != 0 for count in listed.values())
        for kind in known:
            code = plot(name, *words, *data, "--kind", kind, "-o", "x.svg", "--force", "--json")
            answer = json.loads(capsys.readouterr().out)
            assert code == (0 if listed.get(kind, 0) != 0 else 2), (kind, answer)
            if code == 0:
                assert len(answer["drawn"]) == (listed[kind] or len(answer["drawn"])) > 0


def test_the_possible_kinds_are_drawn_and_the_error_says_why_others_are_not(here, capsys):
    assert plot("three", "--kind", "calibration,splits,residuals,deviations,rocc,drawing", "-o", "x.svg") == 2
    out, error = capsys.readouterr()
    assert "picture: x.svg" in out and error.count("\n") == 1
    assert "has no picture calibration: it is drawn for two classes, or for probabilities; residuals: its" in error
    assert "deviations: it is of a table or of a paper; choose from validation, splits" in error
    assert "rocc: no such kind of picture, choose from validation, splits" in error and "did you mean roc?" in error
    assert "drawing: it is of a table or figure, drawn alone" in error and "rocc: rocc" not in error
    assert plot("three", "--kind", "splits", "-o", "y.svg") == 0
    assert Path("x.svg").read_bytes() == Path("y.svg").read_bytes()
    assert plot("three", "--kind", "calibration,residuals,rocc", "-o", "z.svg") == 2
    error = capsys.readouterr().err
    assert "calibration: it is drawn" in error and "residuals: its targets" in error and error.count("\n") == 1
    assert not Path("z.svg").exists()


def test_the_document_has_the_pictures_and_the_reason_why_others_are_not_drawn(here, capsys):
    assert plot("three", "--kind", "splits,weights", "-o", "x.svg", "--json") == 2
    found = json.loads(capsys.readouterr().out)
    assert found["picture"] == "x.svg" and [one["kind"] for one in found["drawn"]] == ["splits"]
    assert found["exit"] == 2 and "no picture weights: its method learns no" in found["error"]


def test_files_that_one_kind_needs_take_no_other_picture(here, capsys):
    (here / "two" / "predictions.csv").write_text("run,split\n")
    assert plot("two", "--kind", "splits,roc,confusion", "-o", "x.svg") == 2
    error = capsys.readouterr().err
    assert Path("x.svg").exists() and "has no picture roc, confusion: " in error and "damaged" in error
    (here / "two" / "paths.csv").write_text("run,split\n")
    assert plot("two", "--kind", "splits,validation", "-o", "y.svg") == 2
    error = capsys.readouterr().err
    assert "has no picture splits, validation: " in error and error.count("\n") == 1 and not Path("y.svg").exists()


@pytest.mark.parametrize(
    ("kinds", "words"),
    [("", "give a kind"), (" , ", "give a kind"), ("a/b\n\x1b[31m", "no such kind"), ("'\"", "no such kind")],
)
def test_words_that_are_no_kinds_give_one_line(here, capsys, kinds, words):
    before = sorted(here.rglob("*"))
    assert plot("two", "--kind", kinds) == 2
    error = capsys.readouterr().err
    assert words in error and error.count("\n") == 1 and "\x1b" not in error and sorted(here.rglob("*")) == before
    if kinds.strip(" ,"):
        assert plot("two", "--kind", f" splits,{kinds}") == 2
        assert len(set(here.rglob("*")) - set(before)) == 1


def test_outputs_that_cannot_be_computed_take_no_other_picture(here, made, capsys):
    (made / "two.csv").rename(made / "away.csv")
    try:
        assert plot("two", "--kind", "splits,roc", "-o", "x.svg") == 2
    finally:
        (made / "away.csv").rename(made / "two.csv")
    error = capsys.readouterr().err
    assert "has no picture roc: " in error and "two.csv" in error and Path("x.svg").exists()


def test_a_run_without_finished_splits_has_nothing_to_show(here):
    path = here / "two" / "paths.csv"
    path.write_text(path.read_text().splitlines()[0] + "\n")
    with pytest.raises(UserError, match="no split has finished"):
        pictures_of(find_target("two", here))
