"""A plug-in's own paper: its table and figure are found, run, interrupted, gone on with, and judged."""

import csv
import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from kernlearn import plugins
from kernlearn.cli.main import main
from kernlearn.errors import UserError
from kernlearn.papers import figure_names, load_figure, load_table, printed_values, table_names
from kernlearn.papers.core.cells import plan_figure, run_figure_cell
from kernlearn.papers.core.index import places
from kernlearn.report.scorecard import scorecard
from kernlearn.runner.cell.cell import Group
from kernlearn.runner.engines.execute import execute
from kernlearn.runner.store.store import Store
from tests.runner.experiments import plan_of

ROOT = Path(__file__).parents[2]
TABLE, FIGURE = "toy2026/table1", "toy2026/fig1"


@pytest.fixture
def site(tmp_path):
    """Install `tests.papers.toy` as pip installs a plug-in; return the directory."""
    metadata = tmp_path / "site" / "toy-1.0.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: toy\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text("[kernlearn.plugins]\ntoy = tests.papers.toy\n")
    return metadata.parent


@pytest.fixture
def installed(site, monkeypatch):
    """Have it installed for this process and for those that it starts, which work beside it."""
    monkeypatch.syspath_prepend(site)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(site), str(ROOT)]))
    monkeypatch.setattr(plugins, "_plugins", None)
    monkeypatch.chdir(site.parent)
    return site.parent


@pytest.fixture
def reproduce(installed, capsys):
    """Run the verb and return what it prints."""

    def run(*words):
        assert main(["reproduce", *words]) == 0
        return capsys.readouterr().out

    return run


@pytest.mark.slow
def test_the_table_is_found_run_gone_on_with_and_judged(installed, reproduce):
    output = reproduce(TABLE, "--seeds", "5", "--jobs", "1")
    assert "cells      50, 0 already done" in output and "holds: both err on fewer than half (for all 1)" in output
    place = installed / "results"
    with (place / f"{TABLE}.csv").open() as file:
        rows = {(row["algorithm"], row["metric"]): row for row in csv.DictReader(file)}
    assert rows["l1_svm", "error_pct"]["verdict"] == "outside, lower"  # 99 % are printed
    assert rows["l2_svm", "n_classes"]["mean"] == "2.0"  # what its module measures
    report, shard = place / f"{TABLE}.md", next(iter((place / "shards").glob("??/*.json")))
    before = report.read_bytes()
    shard.unlink()  # one cell is lost: it alone is computed again
    assert "cells      50, 49 already done" in reproduce(TABLE, "--seeds", "5", "--jobs", "1")
    assert report.read_bytes() == before
    report.unlink()
    reproduce("--judge", TABLE)
    assert report.read_bytes() == before


@pytest.mark.slow
def test_the_figure_goes_on_where_it_was_killed(installed, reproduce):
    pytest.importorskip("matplotlib")
    shards = installed / "results" / "shards"
    command = [sys.executable, "-m", "kernlearn.cli.main", "reproduce", FIGURE, "--jobs", "1"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    for line in process.stdout:
        if re.match("cells +[0-9]+/40", line):  # some are finished
            process.kill()
            break
    process.communicate()
    kept = {path: path.stat().st_ino for path in shards.glob("??/*.json")}
    assert kept
    output = reproduce(FIGURE, "--jobs", "2")
    assert f"cells      40, {len(kept)} already done" in output
    assert "holds: a hundred times as many numbers" in output
    assert {path: path.stat().st_ino for path in kept} == kept and len(list(shards.glob("??/*.json"))) == 40
    target = installed / "results" / FIGURE
    files = {end: target.with_suffix(end).read_bytes() for end in (".csv", ".md", ".svg")}
    record = json.loads(target.with_suffix(".provenance.json").read_bytes())
    assert record["state"] == "20 of 20 repetitions" and sum(one["cells"] for one in record["computed"]) == 40
    target.with_suffix(".md").unlink()
    reproduce("--judge", FIGURE)
    assert target.with_suffix(".md").read_bytes() == files[".md"]
    reproduce(FIGURE, "--jobs", "1", "--results-dir", "other")  # at one go: the same bytes
    assert {end: (installed / "other" / FIGURE).with_suffix(end).read_bytes() for end in files} == files


def test_nothing_but_a_plugin_brings_them(installed, monkeypatch):
    assert TABLE in table_names() and FIGURE in figure_names()
    table = load_table(TABLE)
    assert table.printed == TABLE and table.needs == {"l1_svm", "l2_svm"}
    monkeypatch.setattr(plugins, "_plugins", [])
    assert TABLE not in table_names() and FIGURE not in figure_names()


def test_the_scorecard_has_the_papers_of_plugins_last(installed, tmp_path):
    text = scorecard(tmp_path)
    assert "| table1 | Toys by an SVM and a norm-1 SVM |  |  |  |  | 2 |" in text.partition("## toy2026")[2]
    assert (
        printed_values(
            replace(plan_of("algo=vkr", "dataset=sonar").experiment, dataset=Group({"name": "nothing"})), "vkr_lemma3"
        )
        == {}
    )


def test_cells_are_known_by_all_that_they_depend_on(installed):
    plan = plan_figure(load_figure(FIGURE), 2)
    first = plan.cells[0]
    assert [(cell.seed, cell.options["n"]) for cell in plan.cells] == [(0, 10), (0, 1000), (1, 10), (1, 1000)]
    assert first.to_json()["kind"] == "figure" and len(set(plan.keys)) == 4
    assert plan.labels[plan.keys[1]] == "toy2026/fig1 n=1000 seed 0"
    for change in ({"version": 2}, {"data": Group({"mnist": "0" * 64})}, {"figure": "toy2026/fig2"}):
        other = plan_figure(load_figure(FIGURE), 1)
        other.cells[0] = replace(first, **change)
        assert other.keys[0] != plan.keys[0]


def test_a_failing_repetition_is_told_and_takes_no_other(installed, tmp_path):
    plan = plan_figure(load_figure(FIGURE), 1)
    wrong = replace(plan.cells[0], options=Group({"n": -1}))
    store = Store(tmp_path)
    assert sorted(execute([wrong, plan.cells[1]], store, jobs=1, work=run_figure_cell)) == ["failed", "ok"]


def package(directory, files):
    """Write a package of papers and return the plug-in that names it."""
    for path, text in {"__init__.py": "", **files}.items():
        target = directory / "own_papers" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
    return plugins.Plugin("own", "own-papers", type("module", (), {"PAPERS": "own_papers"}))


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"vkr2015/table1.yaml": "columns:\n"}, "vkr2015/table1 is in kernlearn.papers.vkr2015 and in own_papers"),
        ({"toys/fig1.yaml": "title: x\nreadings: {}\n"}, "fig1.py has no function claims"),
        (
            {"toys/fig1.yaml": "title: x\nreadings: {}\n", "toys/fig1.py": "claims = draw = cell = print"},
            "needs either points",
        ),
        ({"toys/fig1.yaml": "title: x\n"}, "toys/fig1.readings is missing"),
        ({"toys/fig1.yaml": "title: x\nreadings: {}\ncels: []\n"}, "toys/fig1.cels: unknown key.*did you mean cells"),
        ({"toys/fig1.yaml": "title: x\nreadings: {}\ncolour: red\n"}, "toys/fig1.colour: unknown key"),
        (
            {
                "toys/fig1.yaml": "title: x\nreadings: {}\nrepetitions: few\n",
                "toys/fig1.py": "claims = draw = cell = print",
            },
            "toys/fig1: repetitions=few: must be an integer >= 1",
        ),
        (
            {"toys/fig1.yaml": "title: x\nreadings: {}\n", "toys/fig1.py": "1 / 0"},
            "cannot be imported: ZeroDivisionError",
        ),
    ],
)
def test_mistakes_of_a_package_are_told_in_one_line(files, message, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    for name in [name for name in sys.modules if name.startswith("own_papers")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(plugins, "_plugins", [package(tmp_path, files)])
    with pytest.raises(UserError, match=message) as error:
        load_figure("toys/fig1")
    assert "\n" not in str(error.value)


def test_a_package_that_is_not_there_is_told(monkeypatch):
    plugin = plugins.Plugin("own", "own-papers", type("module", (), {"PAPERS": "no_such_papers"}))
    monkeypatch.setattr(plugins, "_plugins", [plugin])
    with pytest.raises(UserError, match="the plug-in own of own-papers has no package no_such_papers"):
        places()


def test_a_module_in_a_directory_of_configurations_is_never_imported(tmp_path, monkeypatch):
    """Files of strangers are data: ``--config-dir`` makes no module run, whatever lies there."""
    for group in ("experiment/toys", "papers/toys", "toys"):
        (tmp_path / group).mkdir(parents=True)
        (tmp_path / group / "table1.yaml").write_text("# @package _global_\nseed: 3\n")
        (tmp_path / group / "table1.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')")
        (tmp_path / group / "__init__.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')")
    words = ["--config-dir", str(tmp_path), "dataset=ionosphere", "algo=l2_svm", "--dry-run"]
    monkeypatch.chdir(tmp_path)
    assert main(["run", *words, "+experiment=toys/table1"]) == 0
    assert main(["reproduce", "toys/table1"]) == 2
    assert not (tmp_path / "ran").exists()
