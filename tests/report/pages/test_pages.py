"""Pages of runs, comparisons and models whose names are hostile: every text is shown, and none is HTML."""

import json
import re
import shlex
from html import unescape
from pathlib import Path

import pytest

from kernlearn.cli.configuration.grammar import value_of
from kernlearn.errors import UserError
from kernlearn.report.pages import page as pages
from kernlearn.report.pages.page import Part, TooLarge, breakable, html_of_line, render, shown
from kernlearn.report.pages.results import StoredPapers, page_of, parts_of
from kernlearn.report.pages.steps import where_it_ran
from kernlearn.report.targets import find_target
from kernlearn.runner.cell.cell import Experiment
from kernlearn.runner.plan.identity import keys_of_data
from tests.report.pages.parsed import check
from tests.report.pages.stored import EMOJI, FORMULA, IMAGE, SCRIPT, kernlearn, within

RESULTS = Path(__file__).parents[3] / "results"
KINDS = ("run", "comparison", "model")


def targets(stored, *kinds):
    results = stored / "results"
    words = {"run": "l2_svm-linear-seed0", "comparison": "hostile"}
    words = {
        "run": next((results / "runs").iterdir()).name,
        "comparison": next((results / "comparisons").iterdir()).name,
        "model": str(stored / "model.kl"),
    }
    return [find_target(words[kind], results) for kind in kinds]


@pytest.mark.parametrize("kinds", [*((kind,) for kind in KINDS), KINDS])
def test_the_same_results_are_the_same_bytes_and_nothing_of_a_file_is_html(stored, kinds):
    with within(stored):
        content = page_of(targets(stored, *kinds), stored / "results")
        assert content == page_of(targets(stored, *kinds), stored / "results")
    page = check(content)
    assert "\u202e" not in page.text  # it would turn the rest of the line around
    if "comparison" not in kinds[:1]:
        for name in (IMAGE, FORMULA, EMOJI):
            assert name in page.text
        assert SCRIPT[:20] in page.text
    assert len(content) < 200_000  # though a name has half as many characters
    assert all(target.kind in kinds for target in targets(stored, *kinds))


def test_a_template_shows_every_fact_that_its_part_has(stored):
    papers, kept = StoredPapers(RESULTS), ("mkl2010/table2_1", "rmm2010/fig2_4")
    with within(stored):
        parts = [part for target in targets(stored, *KINDS) for part in parts_of(target, papers)]
    for part in [*parts, *map(papers.part, kept)]:
        text, _, _ = pages._environment().loader.get_source(pages._environment(), part.template)
        assert part.facts.keys() <= set(re.findall(r"\b(?:f|facts)\.(\w+)", text)), part.template


@pytest.mark.parametrize("kind", KINDS)
def test_a_page_says_where_its_relative_commands_run(stored, kind, tmp_path):
    with within(stored):
        page = check(page_of(targets(stored, kind), stored / "results"))
        assert f"Relative paths in these commands start from {stored}." in page.text and "cd " not in page.text
    with within(tmp_path):
        page = check(page_of(targets(stored, kind), stored / "results"))
    assert f"Relative paths in these commands start from {tmp_path}." in page.text
    assert (f"Command: cd {stored} && " in page.text) == (kind != "model")


def test_a_stored_command_is_shown_with_the_directory_where_it_ran(stored):
    command = "kernlearn compare my.csv"
    with within(stored):
        assert where_it_ran(command, stored / "results") == command
    assert where_it_ran(command, stored / "results") == f"cd {stored} && {command}"
    assert where_it_ran(command, stored / "other") == command


def test_the_page_of_a_table_says_how_long_it_took(stored):
    part = StoredPapers(RESULTS).part("rmm2010/table5_1")
    (step,) = [step for step in part.steps if step.words.startswith("Compute all of it again")]
    assert re.fullmatch(r"Compute all of it again, which took [\d.]+ h of CPU time here:", step.words)


def test_several_results_have_an_index(stored):
    with within(stored):
        content = page_of(targets(stored, *KINDS), stored / "results").decode()
    assert "<h1>3 results</h1>" in content and content.count("<article ") == 3
    assert content.index('<ol class="index">') < content.index("<article ")


def test_a_run_says_first_how_good_it_is_and_then_how_it_was_understood(stored):
    with within(stored):
        page = check(page_of(targets(stored, "run"), stored / "results"))
    words = ["Test error", "majority class", "No test row took part", "is proved optimal", "kernlearn compare"]
    words += ["What was selected", "What is proved", "Pictures", "How every column was read", "All grid points"]
    places = [page.text.find(word) for word in words if word != "How every column was read"]
    assert -1 not in places and places == sorted(places)


def test_a_comparison_says_that_the_score_of_its_winner_is_optimistic(stored):
    with within(stored):
        (target,) = targets(stored, "comparison")
        (part,) = parts_of(target, StoredPapers(stored / "results"))
    best = part.facts["on_data"][0].ranking.rows[0][0]
    n = len(part.facts["on_data"][0].ranking.rows)
    picked = f"The test rows picked {best} as the best of {n} (4 of them baselines)"
    words = f"{picked}, so its score here is optimistic."
    assert part.result.count(words) == 1 and f"{best} is best" in part.result
    assert not any("any choice" in reason.words for reason in part.trust)
    (unproved,) = [reason for reason in part.trust if reason.words.startswith("Nothing is proved of")]
    assert "nearest_mean" in unproved.words and not unproved.good
    assert not any("nearest_mean" in reason.words for reason in part.trust if "are proved optimal" in reason.words)


def test_the_command_of_a_regression_is_of_the_same_task_and_reads_the_same_file(tmp_path, capsys):
    """Targets are whole numbers, so that without the task they would be classes."""
    lines = [f"{i / 7:.3f};{i % 5};{i % 4};x".replace(".", ",") for i in range(40)]
    keys = ["task=regression", 'target="the $t"', "dataset.drop=[k]", "delimiter=semicolon", "decimal=comma"]
    with within(tmp_path):
        (tmp_path / "my file.csv").write_text("\n".join(["u;v;the $t;k", *lines]) + "\n")
        words = ["algo=krr", "kernel=linear", "algo.lambdas=[1]", "protocol=rotation5", "engine.jobs=1"]
        kernlearn("run", "dataset=my file.csv", *keys, *words)
        (run,) = (tmp_path / "results/runs").iterdir()
        page = page_of([find_target(run.name, tmp_path / "results")], tmp_path / "results").decode()
        (command,) = re.findall("kernlearn compare [^<]*", unescape(page))
        program, verb, data, *rest = shlex.split(command)
        read = {word.partition("=")[0].removeprefix("dataset."): value_of(word) for word in rest}
        recorded = json.loads((run / "provenance.json").read_text())["experiment"]["dataset"]
        assert (program, verb, data) == ("kernlearn", "compare", "my file.csv")
        assert read == {key: value for key, value in recorded.items() if key not in ("name", "path")}
        assert read["task"] == "regression" and read["target"] == "the $t" and read["drop"] == ["k"]
        assert "targets from 0 to 3" in kernlearn(verb, data, *rest, "algos=krr", "--dry-run")


@pytest.mark.parametrize(
    "name", ["a", "two words", 'a"b', "the $t", "7", "true", "a\\", "[x]", "\u05e9", "a,b", "", "'"]
)
def test_keys_of_data_are_read_back(name):
    kept = {"name": "csv", "path": "x.csv", "target": name, "drop": [name, 7], "types": {name: "text"}}
    groups = {key: {"name": name} for key, name in (("kernel", "linear"), ("algo", "krr"), ("protocol", "rotation5"))}
    words = keys_of_data(Experiment.from_json({"dataset": kept, **groups, "scaling": "unit", "seed": 0}))
    read = {word.partition("=")[0]: value_of(word) for word in words}
    assert read == {f"dataset.{key}": kept[key] for key in ("target", "drop", "types")}


def test_data_that_have_changed_are_not_shown_as_those_of_the_run(stored, tmp_path):
    from shutil import copytree

    copytree(stored, tmp_path / "copy")
    run = next((tmp_path / "copy/results/runs").iterdir())
    record = (run / "provenance.json").read_text()
    secret = tmp_path / "secret.csv"
    secret.write_text("password,is\nhunter2,hunter3\n")
    (run / "provenance.json").write_text(record.replace(str(stored / "hostile.csv"), str(secret)))
    page = check(page_of([find_target(str(run), tmp_path)], tmp_path))
    assert "not read again" in page.text and "hunter" not in page.text and "password" not in page.text


def test_damaged_files_are_one_clear_line(stored, tmp_path):
    from shutil import copytree

    copytree(stored, tmp_path / "copy")
    for kind, file in (("runs", "provenance.json"), ("comparisons", "provenance.json"), ("comparisons", "splits.csv")):
        directory = next((tmp_path / "copy/results" / kind).iterdir())
        before = (directory / file).read_bytes()
        for content in (b"", b"{}", b"[1]", before[: len(before) // 2], before.replace(b'"data"', b'"date"')):
            (directory / file).write_bytes(content)
            if content == before:
                continue
            with pytest.raises(UserError, match=file if file.endswith(".csv") else directory.name):
                page_of([find_target(str(directory), tmp_path)], tmp_path)
        (directory / file).write_bytes(before)


def test_a_page_that_is_too_large_is_none(monkeypatch):
    part = Part("title", "anchor", "index.html", "result", facts={"sheets": []})
    size = len(render("title", [part]))
    monkeypatch.setattr(pages, "LARGEST", size)
    assert len(render("title", [part])) == size
    monkeypatch.setattr(pages, "LARGEST", size - 1)
    with pytest.raises(TooLarge, match=f"{size:,} bytes"):
        render("title", [part])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\x00b\x1b[31m\x85", "a\\x00b\\x1b[31m\\x85"),
        ("\u202eevil\u2066", "\\u202eevil\\u2066"),
        ("line\n\ttab", "line\n\ttab"),
        ("x" * 2001, "x" * 2000 + "… (2,001 characters)"),
        (7, 7),
    ],
)
def test_what_is_shown_of_a_text(text, expected):
    assert shown(text) == expected


def test_lone_surrogates_and_markdown_do_no_harm():
    part = Part("\ud800 <b>", "anchor", "index.html", "result", facts={"sheets": []})
    assert b"\\ud800 &lt;b&gt;" in render("title", [part])
    assert html_of_line("*a* `b` <i>") == "<em>a</em> <code>b</code> &lt;i&gt;"


def test_long_names_break_between_their_words_and_are_escaped():
    assert breakable("HistGradientBoostingClassifier") == "Hist<wbr>Gradient<wbr>Boosting<wbr>Classifier"
    assert breakable("<script>alert(1)</script>_a") == "&lt;script&gt;alert(1)&lt;/script&gt;_<wbr>a"
    assert breakable("l2_svm") == "l2_svm"  # short enough
