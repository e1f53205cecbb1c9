"""Provenance is that of the computation: it stays what it is when the tables are written again."""

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from kernlearn.cli.main import main
from kernlearn.cli.parser import EVERY_VERB
from kernlearn.runner.cell import run
from kernlearn.runner.provenance import made
from kernlearn.runner.provenance import record as provenance
from kernlearn.runner.provenance.record import PRINTING, uncommitted, write_provenance
from tests.conftest import first_of

RUN = ["run", "algo=l1_svm", "dataset=sonar", "kernel.degrees=[1]", "algo.betas=[0.1]", "engine.jobs=1"]
SWEEP = ["sweep", "algo=l1_svm", "dataset=sonar,wdbc", "kernel.degrees=[1]", "algo.betas=[0.1]", "engine.jobs=1"]
TABLE = ["reproduce", "vkr2015/table1", "--datasets", "ionosphere", "--algos", "vkr_lemma4", "--jobs", "1"]


def record_in(tmp_path):
    (path,) = (tmp_path / "results").rglob("*provenance.json")
    return path, json.loads(path.read_bytes())


@pytest.fixture
def with_numpy(monkeypatch):
    """Say that this process has another version of numpy."""
    true = made.environment()

    def pretend(version):
        other = {**true, "packages": {**true["packages"], "numpy": version}}
        for module in (made, provenance):
            monkeypatch.setattr(module, "environment", lambda: other)

    return pretend


@pytest.mark.parametrize("command", first_of([RUN, SWEEP, TABLE], 2), ids=lambda words: words[0])
def test_running_again_leaves_every_byte(command, tmp_path):
    assert main(command) == 0
    path, record = record_in(tmp_path)
    before = path.read_bytes()
    assert main(command) == 0 and path.read_bytes() == before
    (entry,) = record["computed"]
    assert entry["cells"] == (10 if command is SWEEP else 5) and entry["seconds"] > 0
    assert sum(record["cell_seconds"].values()) == pytest.approx(entry["seconds"], abs=0.01)
    assert entry["packages"]["numpy"] and entry["machine"]["host"] and entry["first"] <= entry["last"]


@pytest.mark.slow
@pytest.mark.parametrize("command", [RUN, SWEEP, TABLE], ids=lambda words: words[0])
def test_versions_are_those_that_computed_and_not_those_that_collected(command, tmp_path, with_numpy):
    with_numpy("1.99")
    assert main(command) == 0
    _, first = record_in(tmp_path)
    with_numpy("2.99")
    assert main(command) == 0
    _, second = record_in(tmp_path)
    assert second["computed"] == first["computed"] and second["cell_seconds"] == first["cell_seconds"]
    assert [entry["packages"]["numpy"] for entry in second["computed"]] == ["1.99"]
    assert second["collected"]["packages"]["numpy"] == "2.99"


def test_cells_of_different_versions_are_told_apart(tmp_path, monkeypatch, with_numpy):
    measure = run.measure
    with_numpy("1.99")
    monkeypatch.setattr(run, "measure", lambda cell, *rest: 1 / 0 if cell.split else measure(cell, *rest))
    assert main(RUN) == 1
    monkeypatch.setattr(run, "measure", measure)
    with_numpy("2.99")
    assert main([*RUN, "--retry-failed"]) == 0
    _, record = record_in(tmp_path)
    assert {entry["packages"]["numpy"]: entry["cells"] for entry in record["computed"]} == {"1.99": 1, "2.99": 4}


def test_data_of_the_same_name_are_all_in_the_record(tmp_path):
    words = ["sweep", "algo=l1_svm", "dataset=gaussians", "dataset.n=40,50", "kernel=linear", "algo.betas=[0.1]"]
    assert main([*words, "engine.jobs=1"]) == 0
    _, record = record_in(tmp_path)
    assert [data["examples"] for data in record["data"]] == [40, 50]


@pytest.mark.slow
def test_uncommitted_changes_are_loud(tmp_path, monkeypatch, capsys):
    true = made.environment()
    dirty = {**true, "code": {**true["code"], "dirty": True}}
    for module in (made, provenance):
        monkeypatch.setattr(module, "environment", lambda: dirty)
    said = "UNCOMMITTED CHANGES: 5 of 5 cells were computed by code that is in no commit"
    for command in (RUN, TABLE):
        assert main(command) == 0
        assert f"{said}; commit it, then --force" in capsys.readouterr().out
    (report,) = (tmp_path / "results/vkr2015").glob("table1-partial-*.md")
    assert f"**{said}**" in report.read_text()


@pytest.mark.slow
def test_the_report_of_a_part_names_the_command_that_made_it(tmp_path):
    assert main(TABLE) == 0
    (report,) = (tmp_path / "results/vkr2015").glob("table1-partial-*.md")
    command = "kernlearn reproduce vkr2015/table1 --datasets ionosphere --algos vkr_lemma4 --seeds 1"
    assert f"`{command}`" in report.read_text()


def test_only_changes_of_what_computes_make_a_checkout_dirty(tmp_path):
    def git(*words):
        name = ["-c", "user.name=a", "-c", "user.email=a@b"]
        subprocess.run(["git", *name, *words], cwd=tmp_path, check=True, capture_output=True)

    source = tmp_path / "kernlearn/runner/provenance/made.py"
    source.parent.mkdir(parents=True)
    shutil.copy(made.__file__, source)
    for name in ("README.md", "pyproject.toml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("a\n")
    spec = importlib.util.spec_from_file_location("elsewhere", source)
    elsewhere = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(elsewhere)
    git("init")
    assert elsewhere._commit() == {"commit": None, "dirty": None}  # in no commit: a package installed in a checkout
    git("add", ".")
    git("commit", "-m", "all")
    assert elsewhere._commit()["dirty"] is False
    (tmp_path / "README.md").write_text("b\n")
    (tmp_path / "results").mkdir()
    (tmp_path / "results/table.csv").write_text("1\n")
    assert elsewhere._commit()["dirty"] is False
    (tmp_path / "kernlearn/new.py").write_text("")  # would be imported
    assert elsewhere._commit()["dirty"] is True
    (tmp_path / "kernlearn/new.py").unlink()
    (tmp_path / "pyproject.toml").write_text("b\n")
    assert elsewhere._commit()["dirty"] is True


def test_nothing_is_said_of_an_installed_package():
    entry = {"cells": 5, "code": {"commit": None, "dirty": None}}
    assert uncommitted({"computed": [entry], "collected": {"code": entry["code"]}}) == ""


@pytest.mark.parametrize(
    "text", ["", "[]", "3", '{"state": "of an earlier version"}', '{"collected": 1}', '{"collected"', '{"a":' * 100_000]
)
def test_a_record_of_another_form_is_written_anew(text, tmp_path):
    path, record = tmp_path / "provenance.json", {"collected": {"command": "this", "when": "now"}}
    path.write_text(text)
    write_provenance(path, record)
    assert json.loads(path.read_text()) == record


def test_a_pipe_in_the_place_of_a_record_is_not_waited_for(tmp_path):
    path, record = tmp_path / "provenance.json", {"collected": {"command": "this", "when": "now"}}
    os.mkfifo(path)
    write_provenance(path, record)
    assert json.loads(path.read_text()) == record


ROOT = Path(__file__).parents[2]
KEPT = sorted((ROOT / "results").glob("*/*.provenance.json"))


@pytest.mark.parametrize("path", KEPT, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_what_is_kept_was_made_by_a_command_that_names_no_directory(path):
    command = json.loads(path.read_bytes())["collected"]["command"]
    program, what, *words = command.split()
    if program == "python":  # a benchmark, whose script is in the project
        assert re.fullmatch(r"scripts/\w+/\w+\.py", what) and (ROOT / what).is_file(), command
    else:
        assert (program, what) == ("kernlearn", "reproduce") and "/" not in words[0].partition("/")[2], command
    assert not any(word.startswith(("/", "~", ".")) for word in words), command


@pytest.mark.parametrize(
    ("called", "words"),
    [
        ("/venv/bin/kernlearn", "kernlearn reproduce"),
        (str(ROOT / "kernlearn/cli/main.py"), "kernlearn reproduce"),
        ("/home/me/project/scripts/bench/growth.py", "python scripts/bench/growth.py reproduce"),
    ],
)
def test_a_command_is_recorded_as_it_is_repeated(monkeypatch, called, words):
    monkeypatch.setattr(sys, "argv", [called, "reproduce"])
    assert provenance.provenance([], provenance.Computation(), 1.0)["collected"]["command"] == words


def test_a_command_is_recorded_without_switches_of_its_output_and_with_quotes(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["kernlearn", "compare", "my file.csv", "--json", "--progress=json", "--debug"])
    command = provenance.provenance([], provenance.Computation(), 1.0)["collected"]["command"]
    assert command == "kernlearn compare 'my file.csv'"
    assert set(PRINTING) == EVERY_VERB.keys()
