"""Files in a directory to which others may also write: safe reads, and atomic, durable writes.

No function here follows a symbolic link in the place of a file, or waits for a pipe. Links in the place of directories
are refused by `refuse_links`, which callers use with the results directory.
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

#: Maximum bytes of our files; a longer file is not ours.
LARGEST = 2**30
#: Seconds after which a temporary file belongs to a process that was killed.
ABANDONED = 3600.0
#: The names of temporary files.
TEMPORARY = re.compile(r"\..+\.[0-9a-f]{8}\.tmp")

# Windows lacks these flags, and 0 sets none.
_NO_LINK = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
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
        handle = os.open(path, os.O_RDONLY | _NO_LINK | _NO_WAIT)
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


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file completely or not at all; see `replacing`."""
    with replacing(path) as file:
        file.write(content)


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """Yield a temporary file that replaces `path` unless the block raises.

    Concurrent readers see the complete old file or the complete new one. At the end of the block, the file and its name
    are on the disk, so they survive a crash of the machine. The file has the usual permissions of a new file.

    Raises `OSError` with the file name, if the directory cannot be written to or the disk is full. The temporary file
    is removed.
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
    for one in (directory, *directory.parents):
        if one == root:
            return
        if one.is_symlink():
            raise NotOurs(errno.ELOOP, "is a symbolic link, which is not followed", str(one))


def create(path: Path, flags: int = os.O_WRONLY) -> int:
    """Return the descriptor of a new file; fail if the name exists."""
    return os.open(path, flags | os.O_CREAT | os.O_EXCL | _NO_LINK, 0o666)


def open_to_append(path: Path) -> BinaryIO:
    """Open a text file, such as a log, for appending; a link or a pipe in its place is an error."""
    with naming(path):
        handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | _NO_LINK | _NO_WAIT, 0o666)
        return os.fdopen(handle, "ab")


def make_directory(path: Path, mode: int = 0o777) -> None:
    """Make a directory and its parents, and write their names to the disk."""
    new = [one for one in (path, *path.parents) if not one.exists()]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.mkdir(mode, exist_ok=True)
    for one in new:
        _sync(one.parent)


def _sync(directory: Path) -> None:
    """Write the names in a directory to the disk, if the system supports that."""
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
    """Add the name of a file to an OSError about it, since the error of a full disk has none."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), str(path)) from error


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
