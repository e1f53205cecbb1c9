"""What a file may take of memory: bounds that are checked before the memory is taken."""

import os
import stat
from math import isfinite
from pathlib import Path
from typing import BinaryIO

from kernlearn.errors import UserError

#: Megabytes of a file, unpacked, and of the matrix that it becomes, where KERNLEARN_MAX_DATA_MB says no other number.
USUAL_MB = 500
#: The squares of larger numbers, and sums of these, overflow: no kernel can tell such examples apart.
LARGEST = 1e150
#: Bytes that a row takes while it is read, beside its values.
ROW_BYTES = 200


def most_bytes() -> int:
    """Return how many bytes a person's file may have, unpacked, and the matrix that is made of it.

    Raises `UserError` if ``KERNLEARN_MAX_DATA_MB`` is no positive number.
    """
    given = os.environ.get("KERNLEARN_MAX_DATA_MB", str(USUAL_MB))
    try:
        megabytes = float(given)
    except ValueError:
        megabytes = 0
    if not (isfinite(megabytes) and megabytes > 0):
        raise UserError(f"KERNLEARN_MAX_DATA_MB={given[:40]}: must be a number of megabytes > 0")
    return int(megabytes * 1e6)


def check_size(file: Path, size: int, what: str) -> None:
    """Raise `UserError` if something of so many bytes is more than `most_bytes`."""
    if size > most_bytes():
        raise UserError(
            f"{file}: {what} take more than {most_bytes() / 1e6:g} MB ({size / 1e6:.0f} MB); "
            "if that is meant, set the environment variable KERNLEARN_MAX_DATA_MB to more"
        )


def check_shape(file: Path, n: int, d: int) -> None:
    """Raise `UserError` if a dense matrix of n rows and d columns is more than `most_bytes`."""
    check_size(file, 8 * n * d, f"{n} x {d} values")


def check_rows(file: Path, n: int) -> None:
    """Raise `UserError` if n rows, with `ROW_BYTES` each, are more than `most_bytes`."""
    check_size(file, ROW_BYTES * n, f"{n} rows")


def open_plain(file: Path) -> BinaryIO:
    """Open a plain file to read bytes; a pipe, which might keep us waiting for ever, or a device is none.

    Raises `UserError` if it is another kind of file. Raises `OSError` or `ValueError` if it cannot be opened.
    """
    handle = os.open(file, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    mode = os.fstat(handle).st_mode
    if stat.S_ISREG(mode):
        return os.fdopen(handle, "rb")
    os.close(handle)
    raise UserError(f"{file}: is {'a directory' if stat.S_ISDIR(mode) else 'a pipe or device'}; give the file itself")
