"""Directories outside of an experiment: the user's cache, and a private place for machine code.

Whatever executes as the user, machine code or pickled jobs, lies in a directory that nobody else can write to.
"""

import logging
import os
import stat
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from kernlearn.errors import UserError

log = logging.getLogger(__name__)


def cache_directory() -> Path:
    """Return the directory for downloads: ``KERNLEARN_CACHE``, or the platform's cache directory.

    Without a home directory, as for a user that the system does not know, it is one for temporary files.
    """
    if chosen := os.environ.get("KERNLEARN_CACHE"):
        return _expanded(chosen)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or "~/AppData/Local"
    elif sys.platform == "darwin":
        base = "~/Library/Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return _expanded(base) / "kernlearn"


def _expanded(path: str) -> Path:
    try:
        return Path(path).expanduser()
    except RuntimeError:  # the user has no home directory
        return temporary_directory()


def temporary_directory() -> Path:
    """Return the name of this user's directory for temporary files that later processes use again."""
    user = f"-{os.geteuid()}" if hasattr(os, "geteuid") else ""  # on Windows it is within a directory of the user's
    return Path(tempfile.gettempdir()) / f"kernlearn{user}"


@cache
def code_directory() -> Path | None:
    """Return a private directory for machine code, or None if there is none; a warning says where it is instead.

    The first that can be used is taken of the user's cache and of the directory for temporary files.
    """
    reasons = []
    for place in _code_places():
        try:
            private_directory(place, "the machine code")
            tempfile.TemporaryFile(dir=place).close()
        except (OSError, UserError) as error:
            reasons.append(f"{place}: {error.strerror}" if isinstance(error, OSError) else str(error))
            continue
        break
    else:
        place = None
    if reasons and _is_first():
        instead = f"is cached in {place}" if place else "is not cached, so that every process compiles it again"
        advice = "set KERNLEARN_CACHE to a directory that only you can write to"
        log.warning("machine code %s (%s); %s", instead, reasons[0], advice)
    return place


def _is_first() -> bool:
    """Return whether this process is no worker of another, which has said the same."""
    from multiprocessing import parent_process

    return parent_process() is None


def _code_places() -> Iterator[Path]:
    yield cache_directory() / "numba"
    yield temporary_directory() / "numba"


def private_directory(path: Path, what: str = "the pickled jobs") -> None:
    """Make a directory for what is executed later: nobody else may enter it, or put another in its place.

    Raises `OSError` if it cannot be made, or belongs to somebody else. Raises `UserError` if it is a symbolic link, or
    if another user owns a directory above it or may write there.

    Parameters
    ----------
    what : str
        That is in it, for the message.
    """
    for parent in reversed(path.parents):
        parent.mkdir(0o755, exist_ok=True)  # whatever the umask, not for others to write to
    path.mkdir(0o700, exist_ok=True)
    if path.is_symlink():
        raise UserError(f"{path}: is a symbolic link, which could lead to {what} of others; remove it")
    if not hasattr(os, "geteuid"):
        return
    handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        os.fchmod(handle, 0o700)
    finally:
        os.close(handle)
    place = path.resolve()
    for one in (place, *place.parents):
        status = one.stat()
        if status.st_uid not in (os.geteuid(), 0):
            raise UserError(f"{one}: belongs to somebody else, who could replace {what} in {path}")
        if status.st_mode & 0o022 and not status.st_mode & stat.S_ISVTX:
            raise UserError(f"{one}: others may write there and replace {what} in {path}: chmod go-w {one}")
