"""A command that goes on when the terminal is closed."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from kernlearn.report.terminal import say
from kernlearn.runner.files import open_to_append


def go_to_background(verb: str, argv: Sequence[str], directory: Path) -> int:
    """Start the same command without ``--detach`` in a session of its own, its words in a file; return 0."""
    words = [word for word in argv if word != "--detach"]
    log = directory / "log.txt"
    with open_to_append(log) as file:
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "kernlearn.cli.main", verb, *words],
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            cwd=os.getcwd(),
        )
    say(f"in the background as process {process.pid}; its words are in {log}; kernlearn status tells how far it is")
    return 0
