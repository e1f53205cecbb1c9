"""The commands of the page on differences run, and it shows what they print."""

import os
import shlex
import shutil

import pytest

from kernlearn.cli.main import main
from kernlearn.report.differences.changes import Status
from kernlearn.report.differences.sides import RESULTS
from tests.docs.pages import ROOT, blocks
from tests.report.differences.test_sides import commit, copied, git, replaced

PAGE = ROOT / "docs" / "diff.md"
COMMANDS, SHOWN = blocks(PAGE)[:2]


@pytest.mark.parametrize("line", COMMANDS.text.splitlines())
def test_a_command_runs(line, tmp_path, monkeypatch, capsys):
    copied(tmp_path / RESULTS, "vkr2015/table1")
    for key in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
        monkeypatch.delenv(key, raising=False)
    git(tmp_path, "init", "-q")
    commit(tmp_path)
    (tmp_path / RESULTS / "vkr2015" / "table1.md").write_text("another page")
    commit(tmp_path)
    assert main(shlex.split(line)[1:]) == 0
    assert "same bytes" in capsys.readouterr().out


def test_the_page_shows_what_is_printed(tmp_path, capsys):
    for name in "ab":
        copied(tmp_path / name, "vkr2015/table1")
    file = tmp_path / "b" / "vkr2015" / "table1.csv"
    replaced(file, "l2_svm,error_pct,2.0,", "l2_svm,error_pct,2.5,")
    replaced(file, ",inside,", ",near,")
    assert main(["diff", "a", "b"]) == 1
    assert capsys.readouterr().out.splitlines() == SHOWN.text.splitlines()


def test_the_page_has_every_state():
    text = PAGE.read_text()
    assert [state for state in Status if f"| {state} |" not in text] == []


def test_the_command_of_continuous_integration_fails_if_a_verdict_flips(tmp_path, monkeypatch, capsys):
    assert blocks(PAGE)[-1].text.strip() == "kernlearn diff origin/main . --to markdown"
    for key in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
        monkeypatch.delenv(key, raising=False)
    upstream = tmp_path / "upstream"
    copied(upstream / RESULTS, "vkr2015/table1")
    git(upstream, "init", "-q", "-b", "main")
    commit(upstream)
    git(tmp_path, "clone", "-q", "upstream", "mine")
    os.chdir("mine")
    assert main(["diff", "origin/main", ".", "--to", "markdown"]) == 0
    replaced(tmp_path / "mine" / RESULTS / "vkr2015" / "table1.csv", ",inside,", ",near,")
    assert main(["diff", "origin/main", ".", "--to", "markdown"]) == 1
    shutil.rmtree(tmp_path / "mine" / RESULTS)
    assert main(["diff", "origin/main", "."]) == 2
    assert "has no results" in capsys.readouterr().err
