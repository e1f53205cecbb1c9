"""What the verbs share: a parser whose complaints are one line, and the switches of those that compute."""

import argparse
import re
from typing import NoReturn

from kernlearn.errors import UserError, closest

#: Switches of ``run`` and ``reproduce``.
SWITCHES = {
    "--force": "compute again what is there already",
    "--retry-failed": "compute again what failed before",
}


class Parser(argparse.ArgumentParser):
    """An argument parser that raises instead of printing its usage and leaving."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong and where to read more."""
        near = ""
        if unknown := re.match(r"unrecognized arguments: (-[^\s=]+)", message):
            near = closest(unknown[1], self._option_string_actions)
        elif choice := re.search(r"invalid choice: '(.*)' \(choose from (.*)\)", message):
            near = closest(choice[1], re.findall(r"[^\s',]+", choice[2]))
        raise UserError(f"{message} ({self.prog} --help){near}")
