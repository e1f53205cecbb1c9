"""What a reader of an exported table has to know stands in the export itself."""

import json
from pathlib import Path

import pytest

from kernlearn.cli.main import main
from kernlearn.evaluation.metrics import digits_of
from kernlearn.report.exports.documents import Only, document_of
from kernlearn.report.exports.latex import latex_tables
from kernlearn.report.exports.markdown import markdown_tables
from kernlearn.report.exports.numbers import ADDED, READING, Document, Number, Options
from kernlearn.report.targets import Target, find_target
from kernlearn.report.terminal import mean_std
from tests.report.exports.examples import RESULTS


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A run whose hyper-parameters are chosen with its test rows."""
    results = tmp_path_factory.mktemp("results")
    words = ["algo=l2_svm", "algo.Cs=[1,10]", "kernel.degrees=[2]", "dataset=sonar", "engine.jobs=1"]
    assert main(["run", *words, f"results_dir={results}"]) == 0
    (directory,) = (results / "runs").iterdir()
    return str(directory)


@pytest.mark.parametrize("kind", ["latex", "macros", "markdown", "json"])
def test_an_optimistic_score_is_called_so(run, kind, capsys):
    assert main(["export", run, "--to", kind]) == 0
    out = capsys.readouterr().out
    share = r"100 \%" if kind == "latex" else "100 %"
    assert f"Optimistic: hyper-parameters were chosen with {share} of these test rows." in out
    if kind == "json":
        assert any("Optimistic" in note for note in json.loads(out)["about"])


@pytest.mark.parametrize("kind", ["latex", "macros", "markdown", "json", "csv"])
def test_it_is_said_of_which_methods_nothing_is_proved_and_their_numbers_have_no_count(kind, capsys):
    words = ["export", "rmm2010/table6_1", "--to", kind, "--datasets", "splice", "--results-dir", str(RESULTS)]
    assert main(words) == 0
    out = " ".join(capsys.readouterr().out.replace("\\_", "_").split())
    reason = "Nothing is proved of adaboost, ebboost, adaboost_reg: the rounds of boosting end before any optimum."
    assert (reason in out) == (kind != "csv")
    if kind == "json":
        numbers = json.loads(out)["numbers"]
        known = {one["algorithm"] for one in numbers if one["n_not_optimal"] is not None}
        assert known == {"lpboost", "qpboost"}


@pytest.mark.parametrize("kind", ["latex", "macros", "markdown", "json", "csv"])
def test_further_readings_are_called_so_and_the_reason_of_no_verdict_is_said(kind, capsys):
    words = ["export", "rmm2010/table5_1", "--to", kind, "--datasets", "r_a_l30", "--results-dir", str(RESULTS)]
    assert main(words) == 0
    out = capsys.readouterr().out.replace("\\_", "_")
    assert (
        "chosen after test errors were seen beside the printed ones" in out
        and "alters the choice that is stated" in out
    )
    named = {"latex": "{sgt_salton (reading)}", "macros": "sgt_salton error_pct mean (reading)"}
    assert named.get(kind, "sgt_salton (reading)") in out or kind in ("json", "csv")
    if kind == "json":
        numbers = json.loads(out)["numbers"]
        apart = [one for one in numbers if one["algorithm"].endswith(("_salton", "_mutual"))]
        assert len(apart) == 10 and all(one["reading"] for one in apart)
        assert not any(one["best"] or one["p_value"] is not None for one in apart)
        assert [one["algorithm"] for one in numbers if one["best"] and one["metric"] == "error_pct"] == ["sgt"]
        assert {bool(one["no_verdict"]) for one in numbers if one["verdict"]} == {False}


def test_columns_are_known_by_their_methods_and_only_those_that_are_there_count():
    """In table 2.3 the column adaboost is the boosting of RBF networks; of rbf_network itself a gap is proved."""
    document = document_of(
        find_target("rmm2010/table2_3", RESULTS), Only(algorithms=["svm", "rbf_network", "adaboost"])
    )
    assert document.notes[-1] == "Nothing is proved of adaboost: the rounds of boosting end before any optimum."
    assert {one.algorithm for one in document.numbers if one.n_not_optimal is None} == {"adaboost"}


def test_a_table_that_is_a_further_reading_as_a_whole_says_what_its_bold_numbers_are():
    """Table 2 of the thesis: another choice of parameters, whose columns are compared with each other."""
    whole = "The whole table is a further reading of the paper's text."
    document = document_of(find_target("rmm2010/table5_1", RESULTS))
    for grid in document.grids():
        notes = " ".join(note for _, note in document.notes_of(grid, "", "", False))
        is_reading = READING in grid.title
        assert (whole in notes) == is_reading == (f"and leave columns marked {READING} out." in notes)
        assert f"Bold: the smallest of the row, without columns marked {READING} or {ADDED}. " in notes
        marked = {column for column in grid.columns if READING in column}
        compared = [one for (_, j), one in grid.cells.items() if one.best or one.p_value is not None]
        assert compared and not any(f"{one.algorithm} {READING}" in marked for one in compared)
        assert f"label_spreading {ADDED}" in grid.columns
        assert not any(one.algorithm == "label_spreading" for one in compared)  # the thesis does not have it


def test_every_part_of_a_table_on_several_pages_explains_its_marks():
    document = document_of(find_target("rmm2010/table5_1", RESULTS))
    floats = latex_tables(document, Options(printed=True)).split(r"\begin{table}")[1:]
    assert sum("continued" in one for one in floats) > 5
    for one in floats:
        assert (
            one.count("Bold: the smallest of the row") == 1 and one.count(r"$^{\dagger}$ worse than the best by") == 1
        )
        assert (r"\caption" in one) != ("continued" in one) and r"\belowcaptionskip" in one


def test_a_mean_and_its_deviation_are_shown_alike():
    digits = digits_of("rmse", 1.63e-11, 1.5e-11)
    assert mean_std(1.63e-11, 1.5e-11, digits) == "1.6e-11 (1.5e-11)"
    number = Number("plane", "krr", "rmse", 1.63e-11, 1.5e-11, digits, 5)
    document = Document(Target("run", "plane", Path()), "Scores", [number], {"rmse": "test RMSE"}, "datasets")
    assert r"{\num{1.6e-11}\,(\num{1.5e-11})}" in latex_tables(document, Options())
    assert "1.6e-11 (1.5e-11)" in markdown_tables(document, Options())
