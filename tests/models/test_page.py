"""The page of models shows what the commands on it print."""

import re
import shlex
import subprocess
import sys

import pytest

from kernlearn.cli.main import main
from tests.docs.pages import ROOT, blocks

PAGE = blocks(ROOT / "docs" / "models.md")
#: What differs from place to place: directories, and what the versions of packages make longer or shorter.
PLACES = re.compile(r"; \S*cultivars\.csv|\(\d+ bytes\)|gap (of )?\S+")


@pytest.mark.slow
def test_the_commands_run_and_print_what_the_page_shows(capsys):
    (commands,) = (block.text for block in PAGE if block.language == "console")
    shown = [line for block in PAGE if not block.language for line in block.text.splitlines()]
    said = []
    for line in commands.splitlines():
        program, *words = shlex.split(line)
        if program == "python":
            subprocess.run([sys.executable, *words], check=True)
        else:
            assert main(words) == 0
        said += capsys.readouterr().out.splitlines()
    with open("predictions.csv") as file:
        said += file.read().splitlines()
    plain = {PLACES.sub("", line) for line in said}
    assert not [line for line in shown if PLACES.sub("", line) not in plain and not line.startswith("0,")]
