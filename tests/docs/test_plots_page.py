"""The commands of the page on pictures run, and list the kinds that the page shows."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from kernlearn.cli.main import main
from kernlearn.report.plots.kinds import DRAWING, KINDS
from kernlearn.report.plots.of_outputs import OF_OUTPUTS
from tests.docs.pages import ROOT, blocks

PAGE = ROOT / "docs" / "plots.md"
BLOCKS = blocks(PAGE)
COMMANDS = [line for block in BLOCKS if block.language == "console" for line in block.text.splitlines()]
SHOWN = next(block.text for block in BLOCKS if block.text.startswith("run "))


def test_the_page_lists_every_kind_with_the_results_that_have_it():
    table = PAGE.read_text().partition("## Kinds")[2].partition("##")[0]
    rows = dict(re.findall(r"^\| `([a-z-]+)` \| ([^|]+) \|", table, re.MULTILINE))
    assert rows.keys() == {*KINDS, DRAWING}
    for name, kind in KINDS.items():
        named = {word.split()[0] for word in rows[name].split(", ")}
        assert named == set(kind.of) | ({"model"} if name in OF_OUTPUTS else set())


@pytest.mark.slow
def test_the_commands_run_and_print_what_the_page_shows(tmp_path):
    printed = ""
    for command in COMMANDS:
        command = command.replace("python ", f"{sys.executable} ").replace(
            "kernlearn ", f"{sys.executable} -m kernlearn.cli.main ", 1
        )
        done = subprocess.run(command, shell=True, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        printed += done.stdout
    for line in re.sub(r"seed0-\w+", "seed0", SHOWN).splitlines():
        assert line in re.sub(r"seed0-\w+", "seed0", printed).splitlines()
    for name in re.findall(r"-o (\S+\.(?:svg|pdf|png))", "\n".join(COMMANDS)):
        assert Path(tmp_path / name).stat().st_size > 1000


def test_the_pictures_of_the_page_are_files_of_the_command():
    for path in (ROOT / "docs" / "images").glob("plots_*.svg"):
        assert "kernlearn plot" in path.read_text()[:400]


def test_the_picture_of_the_readme_is_what_the_command_draws_now(tmp_path, capsys):
    name = re.search(r"\]\((docs/images/\w+\.svg)\)", (ROOT / "README.md").read_text())[1]
    drawn = tmp_path / "now.svg"
    words = ["plot", "vkr2015/table1", "--results-dir", str(ROOT / "results"), "--kind", "agreement"]
    assert main([*words, "-o", str(drawn)]) == 0
    assert "44 printed numbers. Verdicts: 37 inside, 4 near, 3 outside." in capsys.readouterr().out
    assert drawn.read_bytes() == (ROOT / name).read_bytes()
