"""What a reader of an exported table has to know stands in the export itself."""

import json

import pytest

from kernlearn.cli.main import main


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
