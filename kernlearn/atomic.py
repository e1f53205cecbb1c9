"""Files that are written completely or not at all, and durably.

No function here follows a symbolic link in the place of a file.
"""

import errno
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

# Windows lacks these flags, and 0 sets none.
NO_LINK = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file completely or not at all; see `replacing`."""
    with replacing(path) as file:
        file.write(content)


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """Yield a temporary file that replaces `path` unless the block raises.

    Concurrent readers see the complete old file or the complete new one. At the end of the block, the file and its name
    are on the disk, so they survive a crash of the machine. The file has the usual permissions of a new file.

    Raises
    ------
    OSError
        With the file name, if the directory cannot be written to or the disk is full. The temporary file is removed.
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


def create(path: Path, flags: int = os.O_WRONLY) -> int:
    """Return the descriptor of a new file; fail if the name exists."""
    return os.open(path, flags | os.O_CREAT | os.O_EXCL | NO_LINK, 0o666)


def make_directory(path: Path, mode: int = 0o777) -> None:
    """Make a directory and its parents, and write their names to the disk."""
    new = [one for one in (path, *path.parents) if not one.exists()]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.mkdir(mode, exist_ok=True)
    for one in new:
        _sync(one.parent)


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Add the name of a file to an OSError about it, since the error of a full disk has none."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), str(path)) from error


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
