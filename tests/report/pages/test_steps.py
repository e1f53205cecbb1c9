"""What pages suggest: commands that are exact, that run, and that repeat nothing that is known."""

import csv
import json
import re
import shlex
import sys
from dataclasses import replace
from shutil import copytree

import pytest

from kernlearn.cli.main import main
from kernlearn.errors import UserError
from kernlearn.report.choice import End
from kernlearn.report.comparison.stored import read_comparison
from kernlearn.report.comparison.tables import separable
from kernlearn.report.pages.comparisons import comparison_part
from kernlearn.report.pages.page import render
from kernlearn.report.pages.runs import run_part
from kernlearn.report.pages.steps import command_of, wider_lists
from kernlearn.report.plots.stored import read_run
from kernlearn.report.targets import find_target
from kernlearn.runner.cell.cell import Experiment
from tests.report.pages.parsed import check
from tests.report.pages.stored import within

#: Forty rows whose label depends on both columns.
ROWS = [[f"{(7 * i) % 40 / 10}", f"{(11 * i) % 40 / 10}", "ab"[(7 * i) % 40 > (11 * i) % 40]] for i in range(40)]
SAID = ["target=label", "engine.jobs=1", "protocol=nested5x5"]


def kernlearn(*words):
    """Run a command as from a shell, which the records of results have."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["kernlearn", *words])
        assert main(list(words)) == 0


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """A directory with a run at the end of a grid, of a file whose name needs quotes, and a comparison."""
    directory = tmp_path_factory.mktemp("home")
    with within(directory):
        with open("my data.csv", "w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([["x", "y", "label"], *ROWS])
        words = ["algo=l2_svm", "kernel=polynomial", "kernel.degrees=[1,2]", "algo.Cs=[1e-3,1e-2]", "seed=3"]
        kernlearn("run", "dataset=my data.csv", *SAID, *words, "select_by=balanced_error_pct")
        kernlearn("compare", "my data.csv", *SAID, "algos=nearest_mean,l2_svm", "kernel=linear")
    return directory


def only(directory, kind):
    (path,) = (directory / "results" / kind).iterdir()
    return find_target(str(path), directory / "results")


def experiment_of(path):
    return json.loads((path / "provenance.json").read_text())["experiment"]


@pytest.mark.slow
def test_the_command_that_widens_a_grid_runs_and_changes_nothing_else(home, tmp_path):
    copytree(home, tmp_path / "copy")
    with within(tmp_path / "copy"):
        target = only(tmp_path / "copy", "runs")
        first = run_part(target).steps[0]
        assert first.words.startswith("Widen the grid")
        before = experiment_of(target.path)
        program, *words = shlex.split(first.command)
        assert program == "kernlearn"
        kernlearn(*words, "engine.jobs=1")
        paths = {path.name: path for path in (tmp_path / "copy/results/runs").iterdir()}
        after = experiment_of(next(path for name, path in paths.items() if name != target.name))
    assert (before["algo"].pop("Cs"), after["algo"].pop("Cs")) == ([1e-3, 1e-2], [1e-3, 1e-2, 0.1, 1.0])
    assert (before["kernel"].pop("degrees"), after["kernel"].pop("degrees")) == ([1, 2], [1, 2, 3, 4])
    before["dataset"].pop("path"), after["dataset"].pop("path")
    assert before == after


@pytest.mark.slow
def test_the_advice_to_widen_a_grid_ends(home, tmp_path):
    """The commands are followed until none is given; the score improves by more than its noise a few times only."""
    copytree(home, tmp_path / "copy")
    with within(tmp_path / "copy"):
        target, followed = only(tmp_path / "copy", "runs"), 0
        while (step := run_part(target).steps[0]).words.startswith("Widen the grid"):
            followed += 1
            assert followed < 4
            known = set((tmp_path / "copy/results/runs").iterdir())
            kernlearn(*shlex.split(step.command)[1:], "engine.jobs=1")
            (new,) = set((tmp_path / "copy/results/runs").iterdir()) - known
            target = find_target(str(new), tmp_path / "copy/results")
        text = " ".join(reason.words for reason in run_part(target).trust)
    assert followed > 0 and "Values beyond the grid may be better" not in text


def test_lists_are_widened_at_the_ends_that_were_selected_and_not_beyond_what_is_allowed(home):
    run = read_run(only(home, "runs"))
    experiment = Experiment.from_json(run.provenance["experiment"])

    def lists(key, value, largest):
        return wider_lists(run, experiment, [End(key, "", value, largest, 1, 5)])

    assert lists("C", 1e-2, True) == {"algo.Cs": [1e-3, 1e-2, 0.1, 1.0]}
    assert lists("C", 1e-3, False) == {"algo.Cs": [1e-5, 1e-4, 1e-3, 1e-2]}
    assert lists("degree", 2, True) == {"kernel.degrees": [1, 2, 3, 4]}
    assert lists("degree", 1, False) == {"kernel.degrees": [1, 2]}
    both = [End("C", "", 1e-3, False, 1, 5), End("C", "", 1e-2, True, 1, 5)]
    assert wider_lists(run, experiment, both) == {"algo.Cs": [1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1.0]}


def test_every_word_of_a_suggested_command_is_one_word_of_a_shell(home):
    run = read_run(only(home, "runs"))
    experiment = Experiment.from_json(run.provenance["experiment"])
    hostile = replace(
        experiment,
        algo={**experiment.algo, "name": "l2_svm; touch $(x)"},
        dataset={**experiment.dataset, "name": "it's `odd`"},
        scaling='"none" && y',
    )
    with within(home):
        words = shlex.split(command_of(hostile, {**run.provenance["chosen_by"], "select_by": "auc|z"}))
    assert {"algo=l2_svm; touch $(x)", "dataset.name=it's `odd`", 'scaling="none" && y', "select_by=auc|z"} < set(words)


def test_a_run_says_at_which_end_and_how_often(home):
    with within(home):
        text = check(render("title", [run_part(only(home, "runs"))])).text
    assert "Values beyond the grid may be better: " in text
    assert "C=0.01 is the largest value of its grid, and the validation balanced error still improves there by" in text
    assert "Splits and grid points are numbered from 0" in text and "Columns are numbered from 0" in text


def test_a_comparison_that_has_the_method_is_not_suggested_again(home, tmp_path):
    with within(home):
        words = [step.words for step in run_part(only(home, "runs")).steps]
    assert "Methods have been compared on these data; see how this one ranks:" in words
    copytree(home / "results/runs", tmp_path / "results/runs")
    with within(tmp_path):
        words = [step.words for step in run_part(only(tmp_path, "runs")).steps]
    assert "See whether another method does better:" in words


def change_record(target, change):
    path = target.path / "provenance.json"
    record = json.loads(path.read_text())
    change(record)
    path.write_text(json.dumps(record))


def comparing(directory):
    (step,) = [
        step for step in run_part(only(directory, "runs")).steps if re.search("compared|does better", step.words)
    ]
    return step


def test_a_method_is_added_to_the_comparison_of_the_same_data_and_no_other_method(home, tmp_path):
    copytree(home, tmp_path / "copy")

    def without_svm(record):
        for key in [key for key, one in record["experiments"].items() if "svm" in one["algo"]["name"]]:
            del record["experiments"][key]

    with within(tmp_path / "copy"):
        comparison = only(tmp_path / "copy", "comparisons")
        change_record(comparison, without_svm)
        step = comparing(tmp_path / "copy")
        parameters = "with the parameters of that comparison, and not those of this run"
        assert step.words == f"Other methods have been compared on these data; add this one, {parameters}:"
        words = ["my data.csv", *SAID, "kernel=linear", "algos=nearest_mean,l2_svm"]
        assert shlex.split(step.command) == ["kernlearn", "compare", *words]
        change_record(comparison, lambda record: [*record["experiments"].values()][0]["algo"].update(name="a;b $c"))
        assert shlex.split(comparing(tmp_path / "copy").command)[-1] == "algos=a;b $c,l2_svm"  # one word of the shell
        change_record(comparison, lambda record: record.update(left_out={"a;b $c, vkr": "0 of 5 splits"}))
        assert comparing(tmp_path / "copy").words == "See whether another method does better:"
        change_record(comparison, lambda record: record.update(left_out={"vkr, l2_svm": "slower than the others"}))
        step = comparing(tmp_path / "copy")
        assert step.words == "Methods have been compared on these data; see why this one was left out:"
        assert shlex.split(step.command)[:2] == ["kernlearn", "report"]
        change_record(comparison, lambda record: record.update(left_out="nothing"))  # no mapping: damaged
        assert comparing(tmp_path / "copy").words == "See whether another method does better:"


def test_a_comparison_does_not_suggest_a_method_that_was_left_out_on_some_data(home, tmp_path):
    copytree(home, tmp_path / "copy")
    with within(tmp_path / "copy"):
        target = only(tmp_path / "copy", "comparisons")
        before = [step.command for step in comparison_part(target).steps if "seed=range(0,10)" in step.command]
        change_record(target, lambda record: record.update(left_out={"nearest_mean, l2_svm": "0 of 5 splits"}))
        after = [step.command for step in comparison_part(target).steps if "seed=range(0,10)" in step.command]
    assert len(before) == 1 and not after


def test_more_seeds_are_for_methods_that_are_still_in_question(home):
    with within(home):
        target = only(home, "comparisons")
        part = comparison_part(target)
    with open(target.path / "ranking.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    (one,) = read_comparison(target.path).comparisons
    undecided = [place.name for i, place in enumerate(one.standings) if not i or separable(place)]
    methods = [row["method"] for row in rows if row["kind"] == "method" and row["method"] in undecided]
    commands = [step.command for step in part.steps if "seed=range(0,10)" in step.command]
    assert len(commands) == (len(undecided) > 1 and bool(methods))
    for command in commands:
        words = shlex.split(command)
        assert words[:3] == ["kernlearn", "compare", "my data.csv"] and set(SAID) < set(words)
        assert [word for word in words if "algos=" in word] == [f"algos={','.join(methods)}"]


def test_a_comparison_says_which_selected_values_are_at_an_end_of_their_grid(home):
    with within(home):
        target = only(home, "comparisons")
        part = comparison_part(target)
    with open(target.path / "splits.csv", newline="", encoding="utf-8") as file:
        chosen = [float(row["selected"].partition("=")[2]) for row in csv.DictReader(file) if row["method"] == "l2_svm"]
    (experiment,) = [
        one
        for one in json.loads((target.path / "provenance.json").read_text())["experiments"].values()
        if one["algo"]["name"] == "l2_svm"
    ]
    grid = list(map(float, experiment["algo"]["Cs"]))
    text, ends = (target.path / "summary.md").read_text(), part.facts["on_data"][0].ends
    for end, which in ((max(grid), "largest"), (min(grid), "smallest")):
        words = [one for one in ends if one.startswith(f"l2_svm: the selected C={end:g} is the {which} of its grid")]
        assert len(words) == (end in chosen) and all(f"- {one}" in text for one in words)
        count = chosen.count(end)
        assert all((f"in {count} of {len(chosen)} choices" in one) == (count < len(chosen)) for one in words)
    words = "Values beyond the grid of", "Selected values of"
    said = [reason for reason in part.trust if reason.words.startswith(words)]
    assert bool(said) == bool(ends)
    for reason in said:  # the page of a run is as strict
        assert reason.good is ("and nothing says that values beyond are better" in reason.words)


@pytest.mark.slow
def test_the_page_of_a_run_has_what_the_terminal_has(tmp_path, monkeypatch, capsys):
    """A printed number, the command that judges it, ties of grid points, and the rule without optimism."""
    monkeypatch.chdir(tmp_path)
    kernlearn("run", "algo=l2_svm", "dataset=ionosphere", "results_dir=my results")
    said = capsys.readouterr().out
    with within(tmp_path):
        (path,) = (tmp_path / "my results/runs").iterdir()
        part = run_part(find_target(str(path), tmp_path / "my results"))
    selected = re.search(r"selected   (.*)", said)[1]
    assert part.facts["chosen"] == f"Selected: {selected}."
    ours, paper, delta = re.search(r"test error % \[1\] +(\S+ \S+) +(\S+ \S+) +(\S+)", said).groups()
    row = next(row for row in part.facts["scores"].rows if row[0] == "test error %")
    assert (f"{row[1]} ({row[2]})", *row[4:]) == (ours, paper, delta)
    commands = [step.command for step in part.steps]
    (judging,) = re.findall(r"kernlearn reproduce .*", said)
    assert f"{judging} --results-dir 'my results'" in commands
    assert "rule=per_split uses none" in said and "with rule=per_split none does" in part.trust[0].words
    (honest,) = [command for command in commands if "rule=per_split" in command]
    assert shlex.split(honest)[:2] == ["kernlearn", "run"]
    for command in commands:
        words = shlex.split(command)
        assert "results_dir=my results" in words or "my results" in words or "my results/runs" in " ".join(words)


def test_commands_name_no_results_directory_if_it_is_the_usual_one(home):
    with within(home):
        steps = run_part(only(home, "runs")).steps
    assert not any("results_dir" in step.command or "--results-dir" in step.command for step in steps)


@pytest.mark.parametrize("damage", ["gone", "empty", "column", "number", "mean", "bytes"])
def test_a_damaged_summary_is_one_clear_line(home, tmp_path, damage):
    copytree(home / "results", tmp_path / "results")
    target = only(tmp_path, "runs")
    path = target.path / "summary.csv"
    text = path.read_text()
    changed = {
        "empty": "",
        "column": text.replace("test_rows_in_choice_pct", "other"),
        "number": text.replace(",0.0,", ",none,"),
        "mean": "\n".join(line.replace("balanced_error_pct,", "balanced_error_pct,9") for line in text.splitlines()),
        "bytes": "\x00\x01",
    }
    path.unlink() if damage == "gone" else path.write_text(changed[damage])
    with within(tmp_path), pytest.raises(UserError) as error:
        run_part(target)
    assert "summary.csv" in str(error.value) and "\n" not in str(error.value)
