"""What the verbs share: a parser whose complaints are one line, and the switches of those that compute."""

import argparse
from typing import NoReturn

from kernlearn.errors import UserError

#: Switches of ``run`` and ``reproduce``.
SWITCHES = {
    "--force": "compute again what is there already",
    "--retry-failed": "compute again what failed before",
}


class Parser(argparse.ArgumentParser):
    """An argument parser that raises instead of printing its usage and leaving."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong and where to read more."""
        raise UserError(f"{message} ({self.prog} --help)")
