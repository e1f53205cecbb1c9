"""Files in a directory that others may write to, too: read with care, written whole, on the disk when that is said.

Nothing here follows a symbolic link that stands in the place of a file, or waits for a pipe. A link in the place of a
directory is for `refuse_links`: whoever knows the directory that results are in calls it.
"""

import errno
import os
import re
import secrets
import stat
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

from kernlearn.runner.store.reading import parse_json

#: Bytes that a file of ours may have; a longer one is none of ours.
LARGEST = 2**30
#: Seconds after which a temporary file belongs to a process that was killed.
ABANDONED = 3600.0
#: The names of temporary files.
TEMPORARY = re.compile(r"\..+\.[0-9a-f]{8}\.tmp")

# Windows has none of these, and 0 is no flag.
_NO_LINK = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_NO_WAIT = getattr(os, "O_NONBLOCK", 0)
#: What says that a file is no file of ours, and not that the disk is in trouble.
_NOT_OURS = frozenset({errno.EINVAL, errno.EFBIG, errno.ELOOP, errno.EISDIR, errno.ENXIO, errno.EACCES, errno.EPERM})


class NotOurs(OSError):
    """What has the name of a file of ours is a link, a pipe, a device, a directory, too large or kept from us."""


def read_regular(path: str | Path, largest: int = LARGEST, start: int = 0, end: int = 0) -> bytes:
    """Return the content of a regular file, or so many bytes at its `start` or its `end`.

    Raises
    ------
    NotOurs
        If it is none, is larger than `largest` bytes or may not be read.
    OSError
        With the file name: `FileNotFoundError` if there is none, or what the system says.
    """
    try:
        handle = os.open(path, os.O_RDONLY | _NO_LINK | _NO_WAIT)
        with os.fdopen(handle, "rb") as file:
            found = os.fstat(handle)
            if not stat.S_ISREG(found.st_mode):
                raise OSError(errno.EINVAL, "is not a regular file")
            if found.st_size > largest:
                raise OSError(errno.EFBIG, f"has more than {largest} bytes")
            file.seek(max(found.st_size - end, 0) if end else 0)
            return file.read(start or found.st_size)  # so much is allocated, whatever is there
    except OSError as error:
        kind = NotOurs if error.errno in _NOT_OURS else OSError
        words = "is a symbolic link" if error.errno == errno.ELOOP else error.strerror or str(error)
        raise kind(error.errno, words, str(path)) from error


def read_json(path: Path) -> Any:
    """Return what a regular file keeps as JSON; a `ValueError` if it keeps none, or such as no file of ours has."""
    return parse_json(read_regular(path))


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file whole or not at all; see `replacing`."""
    with replacing(path) as file:
        file.write(content)


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """Yield a file under a temporary name that takes the place of `path`, unless the block raises.

    Whoever reads meanwhile sees the old file or the new one whole. When this returns, the file and its name are on the
    disk, so that they are there after a crash of the machine, too. Its permissions are those of any new file.

    Raises
    ------
    OSError
        With the file name, if the directory cannot be written to or is full; nothing is left behind.
    """
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")
    with naming(path):
        try:
            handle = create(temporary)
        except FileNotFoundError:
            make_directory(path.parent)
            handle = create(temporary)
        try:
            with os.fdopen(handle, "wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, path)
        except BaseException:
            os.unlink(temporary)
            raise
        _sync(path.parent)


@contextmanager
def alone(directory: Path) -> Iterator[None]:
    """Keep other processes that ask for it, too, out of the block, which reads and writes files of a directory.

    Where the system or the file system has no such locks the block runs all the same.
    """
    with naming(directory):
        make_directory(directory)
    with ExitStack() as stack:
        with suppress(ImportError, OSError):
            import fcntl  # which Windows has not

            handle = os.open(directory, os.O_RDONLY)
            stack.callback(os.close, handle)  # and with it the lock
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def refuse_links(directory: Path, root: Path) -> None:
    """Raise `NotOurs` if a directory below `root`, or one between them, is a symbolic link, which may lead anywhere."""
    for one in (directory, *directory.parents):
        if one == root:
            return
        if one.is_symlink():
            raise NotOurs(errno.ELOOP, "is a symbolic link, which is not followed", str(one))


def create(path: Path, flags: int = os.O_WRONLY) -> int:
    """Return the descriptor of a new file, which nobody else has had under this name."""
    return os.open(path, flags | os.O_CREAT | os.O_EXCL | _NO_LINK, 0o666)


def open_to_append(path: Path) -> BinaryIO:
    """Open a file of words, such as a log, at its end; a link or a pipe in its place is an error."""
    with naming(path):
        handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | _NO_LINK | _NO_WAIT, 0o666)
        return os.fdopen(handle, "ab")


def make_directory(path: Path, mode: int = 0o777) -> None:
    """Make a directory and those above it, and let the disk know their names."""
    new = [one for one in (path, *path.parents) if not one.exists()]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.mkdir(mode, exist_ok=True)
    for one in new:
        _sync(one.parent)


def _sync(directory: Path) -> None:
    """Have the names in a directory written to the disk, where the system can do that for a directory."""
    if os.name == "nt":
        return
    handle = os.open(directory, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0))
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP, errno.EBADF, errno.EACCES):
            raise
    finally:
        os.close(handle)


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Put the name of a file into an OSError about it; a full disk says none of itself."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), str(path)) from error


def remove_abandoned(directory: Path) -> None:
    """Remove the temporary files that killed processes have left in a directory or below it."""
    for folder, _, names in os.walk(directory):
        for name in names:
            if TEMPORARY.fullmatch(name):
                _remove_old(os.path.join(folder, name))


def _remove_old(path: str) -> None:
    try:
        if time.time() - os.lstat(path).st_mtime > ABANDONED:
            os.unlink(path)
    except OSError:  # somebody else has done it, or may do it
        pass
