"""The file that a verb is to write: known to be free, and in a place that can be written to, before the work begins."""

import os
from collections.abc import Callable
from pathlib import Path

from kernlearn.errors import UserError
from kernlearn.models.file import require_replaceable


def output_file(name: str, force: bool, is_own: Callable[[Path], bool], kind: str = "") -> Path:
    """Return the path of a file to write; see `require_replaceable` for what it may replace.

    Raises
    ------
    UserError
        If something else is in its place, or its directory is not there or cannot be written to.
    """
    file = Path(name)
    if name == "-":
        raise UserError("-: give the name of a file")
    require_replaceable(file, force, is_own, kind)
    if not file.parent.is_dir():
        raise UserError(f"{file}: there is no directory {file.parent}")
    if not os.access(file.parent, os.W_OK):
        raise UserError(f"{file}: the directory {file.parent} cannot be written to; give another place")
    return file


def require_no_input(output: Path, *inputs: str) -> None:
    """Raise `UserError` if a file that is to be written is one that is read, which nobody wants to lose."""
    for name in inputs:
        if output.exists() and Path(name).exists() and output.samefile(name):
            raise UserError(f"{output}: is read by this command, so it is not replaced; give another name")
