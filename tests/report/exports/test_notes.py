"""What a reader of an exported table has to know stands in the export itself."""

import json

import pytest

from kernlearn.cli.main import main
from kernlearn.report.exports.documents import Only, document_of
from kernlearn.report.targets import find_target
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
    reason = "Nothing is proved of adaboost, ebboost, adaboost_reg: its rounds of boosting end before any optimum."
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
    assert document.notes[-1] == "Nothing is proved of adaboost: its rounds of boosting end before any optimum."
    assert {one.algorithm for one in document.numbers if one.n_not_optimal is None} == {"adaboost"}
