"""What processes say that they compute, and what they leave behind when they die in the middle.

Every process that computes has one file, ``workers/<host>-<pid>`` beside the shards. Its first line says which cell is
running; should the process end in the middle, it stays there, and `faulthandler` has written the traceback below.
"""

import os
import platform
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kernlearn.runner.store.files import ABANDONED, NotOurs, create, make_directory, read_regular, refuse_links
from kernlearn.runner.store.reading import parse_json

#: Seconds of silence after which a process of another machine is gone: a cell may compute that long without a word.
FORGOTTEN = 30 * 86400.0
#: Bytes of a note: the tracebacks of a hundred threads are less.
LONGEST = 2**20
#: Characters of what a note calls its cell, and numbers that are larger than any of a note.
WORDS, LARGEST_NUMBER = 500, 1e12
_notes: dict[Path, int] = {}


def open_note(root: Path) -> int:
    """Return the descriptor of the file in which this process says what it does."""
    path = _note_path(root, os.getpid())
    if path not in _notes:
        refuse_links(path.parent, Path(root).parent)
        make_directory(path.parent)
        # Of a process that had the same number, or a link to where nothing is to be written.
        path.unlink(missing_ok=True)
        _notes[path] = create(path, os.O_RDWR | os.O_APPEND)
    return _notes[path]


def write_note(note: int, text: str) -> None:
    """Replace what a note says."""
    try:
        os.ftruncate(note, 0)
        if text:
            os.write(note, text.encode())
    except OSError:  # a full disk: the shard will say so, and with a file name
        pass


def last_words(root: Path, key: str) -> str:
    """Return what the process that died over a cell has left behind: a traceback, or nothing; and clear it away."""
    found = ""
    for path in _notes_in(root):
        try:
            first, _, words = _text(path).partition("\n")
            if key in first and words:
                path.unlink()
                found = words
        except OSError:
            continue  # another runner has just read it
    return found


def running(root: Path) -> Iterator[dict[str, Any]]:
    """Yield the notes of all processes that are computing a cell, with ``silent``, the seconds since a sign of life.

    Those of dead processes of this machine are left out; those of other machines are to be judged by their silence.
    """
    for path in _notes_in(root):
        machine, _, pid = path.name.rpartition("-")
        note, silent = _note(path), _silence(path)
        if note and not _dead(machine, pid):
            yield {**note, "host": machine, "silent": silent}


def noted(root: Path) -> set[str]:
    """Return the cells that processes were computing when they last said something, be they alive or dead."""
    return {note["key"] for path in _notes_in(root) if (note := _note(path))}


def forget_the_dead(root: Path) -> None:
    """Remove the notes of processes that have ended: of this machine when nobody may want their last words any more."""
    for path in _notes_in(root):
        machine, _, pid = path.name.rpartition("-")
        silent = _silence(path)
        try:
            if silent > FORGOTTEN or (_dead(machine, pid) and (silent > ABANDONED or not path.lstat().st_size)):
                path.unlink()
        except OSError:  # somebody else has done it, or may do it
            continue


def alive(pid: int) -> bool:
    """Return whether there is such a process on this machine; on Windows it is taken for granted."""
    if sys.platform == "win32":  # where a signal of 0 ends the process
        return True
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True


def _text(path: Path) -> str:
    return read_regular(path, LONGEST).decode(errors="replace")


def _note(path: Path) -> dict[str, Any] | None:
    """Return what a process says that it computes; None if it says nothing, or the file is none of ours."""
    try:
        note = parse_json(_text(path).partition("\n")[0].encode())
    except (OSError, ValueError):
        return None
    return note if isinstance(note, dict) and _sound(**{"key": None, "since": None, **note}) else None


def _sound(key: Any, since: Any, label: Any = "", point: Any = 0, of: Any = 0, **_: Any) -> bool:
    """Return whether a note can be shown: in one line, and with no more digits than there is reason for."""
    words = all(isinstance(text, str) and len(text) <= WORDS and text.isprintable() for text in (key, label))
    return words and all(
        isinstance(n, int | float) and -LARGEST_NUMBER < n < LARGEST_NUMBER for n in (since, point, of)
    )


def _silence(path: Path) -> float:
    try:
        return time.time() - path.lstat().st_mtime
    except OSError:  # it has just ended
        return 0.0


def _dead(machine: str, pid: str) -> bool:
    """Return whether a process was one of this machine and is no more."""
    return machine == platform.node() and pid.isdecimal() and not alive(int(pid))


def _note_path(root: Path, pid: int) -> Path:
    return Path(root) / "workers" / f"{platform.node()}-{pid}"


def _notes_in(root: Path) -> list[Path]:
    directory = Path(root) / "workers"
    try:
        refuse_links(directory, directory.parents[1])
        return sorted(directory.iterdir())
    except (FileNotFoundError, NotADirectoryError, NotOurs):
        return []
