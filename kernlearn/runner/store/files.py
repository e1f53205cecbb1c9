"""Files in a directory to which others may also write: safe reads, locks, and what killed processes left.

No function here follows a symbolic link in the place of a file, or waits for a pipe. Links in the place of directories
are refused by `refuse_links`, which callers use with the results directory.
"""

import errno
import os
import re
import stat
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

from kernlearn.atomic import NO_LINK, make_directory, naming
from kernlearn.runner.store.reading import parse_json

#: Maximum bytes of our files; a longer file is not ours.
LARGEST = 2**30
#: Seconds after which a temporary file belongs to a process that was killed.
ABANDONED = 3600.0
#: The names of temporary files.
TEMPORARY = re.compile(r"\..+\.[0-9a-f]{8}\.tmp")

# Windows lacks this flag, and 0 sets none.
_NO_WAIT = getattr(os, "O_NONBLOCK", 0)
#: Errors which mean that a file is not ours, rather than that the disk has a problem.
_NOT_OURS = frozenset({errno.EINVAL, errno.EFBIG, errno.ELOOP, errno.EISDIR, errno.ENXIO, errno.EACCES, errno.EPERM})


class NotOurs(OSError):
    """The name of our file belongs to a link, pipe, device or directory, or the file is too large or unreadable."""


def read_regular(path: str | Path, largest: int = LARGEST, start: int = 0, end: int = 0) -> bytes:
    """Return the content of a regular file, or only `start` bytes of its beginning or `end` bytes of its end.

    Raises `NotOurs` if it is not a regular file, is larger than `largest` bytes, or may not be read. Raises `OSError`
    with the file name: `FileNotFoundError` if there is no file, or the system's error.
    """
    try:
        handle = os.open(path, os.O_RDONLY | NO_LINK | _NO_WAIT)
        with os.fdopen(handle, "rb") as file:
            status = os.fstat(handle)
            if not stat.S_ISREG(status.st_mode):
                raise OSError(errno.EINVAL, "is not a regular file")
            if status.st_size > largest:
                raise OSError(errno.EFBIG, f"has more than {largest} bytes")
            file.seek(max(status.st_size - end, 0) if end else 0)
            return file.read(start or status.st_size)  # this size is allocated, whatever the file has
    except OSError as error:
        kind = NotOurs if error.errno in _NOT_OURS else OSError
        words = "is a symbolic link" if error.errno == errno.ELOOP else error.strerror or str(error)
        raise kind(error.errno, words, str(path)) from error


def read_json(path: Path) -> Any:
    """Return the JSON content of a regular file; raise `ValueError` for other content, or JSON that is not ours."""
    return parse_json(read_regular(path))


@contextmanager
def exclusive_lock(directory: Path) -> Iterator[None]:
    """Lock a directory: of all processes that use this lock, only one runs its block at a time.

    The block also runs if the system or the file system has no such locks.
    """
    with naming(directory):
        make_directory(directory)
    with ExitStack() as stack:
        with suppress(ImportError, OSError):
            import fcntl  # not on Windows

            handle = os.open(directory, os.O_RDONLY)
            stack.callback(os.close, handle)  # releases the lock, too
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def refuse_links(directory: Path, root: Path) -> None:
    """Raise `NotOurs` if `directory`, or one between it and `root`, is a symbolic link, which could lead anywhere."""
    one, above = str(directory), ""
    while one not in (str(root), above):  # up to the root, or to where there is nothing above
        if os.path.islink(one):
            raise NotOurs(errno.ELOOP, "is a symbolic link, which is not followed", one)
        one, above = os.path.dirname(one), one


def open_to_append(path: Path) -> BinaryIO:
    """Open a text file, such as a log, for appending; a link or a pipe in its place is an error."""
    with naming(path):
        handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | NO_LINK | _NO_WAIT, 0o666)
        return os.fdopen(handle, "ab")


def remove_abandoned(directory: Path) -> None:
    """Remove temporary files of killed processes in a directory and below it."""
    for folder, _, names in os.walk(directory):
        for name in names:
            if TEMPORARY.fullmatch(name):
                _remove_old(os.path.join(folder, name))


def _remove_old(path: str) -> None:
    try:
        if time.time() - os.lstat(path).st_mtime > ABANDONED:
            os.unlink(path)
    except OSError:  # another user has removed it, or has the right to
        pass
