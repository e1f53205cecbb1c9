"""The commands of the page on exports run, and what it says of names and columns is so."""

import re
import shlex
from pathlib import Path

import pytest

from kernlearn.cli.main import main
from kernlearn.report.exports.formats import FORMATS
from kernlearn.report.exports.tidy import COLUMNS
from tests.docs.pages import ROOT, blocks

PAGE = ROOT / "docs" / "export.md"


@pytest.fixture
def results(tmp_path):
    (tmp_path / "results").symlink_to(ROOT / "results")


@pytest.mark.slow
def test_the_commands_run_and_write_the_macros_of_the_text(results):
    commands, text = blocks(PAGE)
    for line in commands.text.splitlines():
        assert main(shlex.split(line)[1:]) == 0
    assert Path("table1.xlsx").stat().st_size > 10_000 and r"\toprule" in Path("table1.tex").read_text()
    names = set(re.findall(r"newcommand\{(\\[A-Za-z]+)\}", Path("numbers.tex").read_text()))
    used = set(re.findall(r"\\Vkr[A-Za-z]+", PAGE.read_text()))
    assert (
        used <= names
        and len(used) == 3
        and all(name in PAGE.read_text() for name in re.findall(r"\\Vkr\w+", text.text))
    )


def test_the_page_lists_every_format_and_every_column():
    text = PAGE.read_text()
    assert [name for name in FORMATS if f"| `{name}` |" not in text] == []
    assert [name for name in COLUMNS if f"`{name}`" not in text] == []
