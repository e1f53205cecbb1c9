"""The commands of the page on evaluation print what the page shows."""

import shlex
import subprocess
import sys

import pytest

from kernlearn.cli.main import main
from tests.docs.pages import ROOT, blocks

COMMANDS, *SHOWN = blocks(ROOT / "docs" / "evaluate.md")


def test_every_shown_output_has_a_command():
    verbs = [shlex.split(line)[1] for line in COMMANDS.text.splitlines()]
    assert verbs == ["-c", "fit", "evaluate", "explain", "explain"] and len(SHOWN) == 3


@pytest.mark.slow
def test_the_page_shows_what_is_printed(capsys):
    write, fit, *others = [shlex.split(line) for line in COMMANDS.text.splitlines()]
    subprocess.run([sys.executable, *write[1:]], check=True)
    assert main(fit[1:]) == 0
    for command, shown in zip(others, SHOWN, strict=True):
        capsys.readouterr()
        assert main(command[1:]) == 0
        assert capsys.readouterr().out.strip() == shown.text.strip()
