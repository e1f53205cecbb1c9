"""What is said of methods that do no better than a baseline which learns nothing: terminal, JSON, pages and models."""

import json
import shlex
from pathlib import Path

import numpy as np
import pytest

from kernlearn.cli.main import main
from kernlearn.report.pages.results import StoredPapers, parts_of
from kernlearn.report.plots.stored import read_run
from kernlearn.report.targets import find_target

RARE = "class 'rare' has 9 of 120 rows, so the error hardly depends on it; select_by=balanced_error_pct counts all"
NO_BETTER = "the method does no better than a baseline that learns nothing from the columns"


@pytest.fixture
def rare(tmp_path, monkeypatch):
    """A file whose 120 labels, 9 of them of one class, are independent of its columns."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    labels = np.array(["common"] * 120, dtype=object)
    labels[rng.permutation(120)[:9]] = "rare"
    rows = zip(rng.normal(size=(120, 4)), labels, strict=True)
    lines = [",".join([*(f"{value:.4f}" for value in x), label]) for x, label in rows]
    Path("rare.csv").write_text("a,b,c,d,t\n" + "\n".join(lines) + "\n")
    return "rare.csv"


def part_of(kind):
    (path,) = Path(f"results/{kind}").iterdir()
    (part,) = parts_of(find_target(str(path), Path("results")), StoredPapers(Path("results")))
    return path, part


def test_a_run_that_learns_nothing_says_so_everywhere(rare, capsys):
    words = ["run", f"dataset={rare}", "target=t", "algo=l2_svm", "kernel=linear", "algo.Cs=[1]", "engine.jobs=1"]
    assert main(words) == 0
    out = capsys.readouterr().out
    assert f"note       {NO_BETTER}; {RARE}" in out and out.count(NO_BETTER) == 1
    assert main([*words, "--json"]) == 0
    (run,) = json.loads(capsys.readouterr().out)["runs"]
    assert run["baseline"]["beaten"] is False and run["baseline"]["p_value"] == 1.0
    path, part = part_of("runs")
    assert part.trust[0].words.startswith(f"T{NO_BETTER[1:]}; {RARE}") and not part.trust[0].good
    assert any(RARE in note for note in part.facts["read"].notes)
    assert main(["fit", "--from", str(path), "-o", "m.kl"]) == 0
    said = capsys.readouterr().out
    model = parts_of(find_target("m.kl", Path("results")), StoredPapers(Path("results")))[0]
    assert model.trust[0].words.startswith(f"C{RARE[1:]}") and not model.trust[0].good
    assert f"note       {NO_BETTER}" in said and "test       a test error of 7.50 % on average" in said


def test_a_wider_grid_is_no_advice_where_the_method_collapses_to_the_common_class(rare, capsys):
    """The validation error falls with C, since the rare class is given up: 7.5 % is the majority class."""
    words = ["run", f"dataset={rare}", "target=t", "algo=l2_svm", "engine.jobs=1", "kernel.gammas=[0.3]"]
    assert main([*words, "algo.Cs=[1,100]"]) == 0
    out = capsys.readouterr().out
    assert f"note       {NO_BETTER}; {RARE}" in out and "values may do better" not in out
    path, part = part_of("runs")
    assert any(end.improves for end in read_run(find_target(str(path), Path("results"))).ends)
    assert part.trust[0].words.startswith(f"T{NO_BETTER[1:]}; {RARE}")
    assert not any("beyond the grid" in reason.words for reason in part.trust)
    assert part.steps[0].words == "Select by a score that counts all classes alike:"
    assert not any(step.words.startswith("Widen") for step in part.steps)
    assert main(shlex.split(part.steps[0].command)[1:]) == 0
    assert "select_by=balanced_error_pct" in capsys.readouterr().out


def test_a_comparison_that_learns_nothing_says_so_and_does_not_offer_a_model(rare, capsys):
    words = ["compare", rare, "target=t", "algos=nearest_mean", "kernel=linear", "engine.jobs=1"]
    assert main(words) == 0
    out = capsys.readouterr().out
    assert f"rare: {RARE}" in out and "next: kernlearn fit" not in out
    (said,) = [line for line in out.splitlines() if line.startswith("result     no method does better than the major")]
    said = said.removeprefix("result     ")
    assert main([*words, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["comparisons"][0]["no_better"] == said and document["best"] is None
    path, part = part_of("comparisons")
    assert f"N{said[1:]}." in part.result and f"N{said[1:]}." in (path / "summary.md").read_text()
    assert not any("fit --from" in step.command for step in part.steps)
