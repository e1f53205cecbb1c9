"""Start a command that continues after the terminal is closed."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from kernlearn.report.terminal import say
from kernlearn.runner.store.files import open_to_append


def go_to_background(words: Sequence[str], directory: Path) -> None:
    """Start a kernlearn command, given by its words, in a new session; its output goes to a log in `directory`."""
    log = directory / "log.txt"
    with open_to_append(log) as file:
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "kernlearn.cli.main", *words],
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            cwd=os.getcwd(),
        )
    say(f"in the background as process {process.pid}, with output in {log}; kernlearn status shows its progress")
