"""Notes of processes: the cell that each one computes, and the traceback of a process that crashed.

Each computing process has one file, ``workers/<host>-<pid>`` beside the shards. Its first line names the running cell.
If the process crashes, the file remains, and `faulthandler` has written the traceback below that line.
"""

import os
import platform
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kernlearn.atomic import create, make_directory
from kernlearn.runner.store.files import ABANDONED, NotOurs, read_regular, refuse_links
from kernlearn.runner.store.reading import parse_json

#: Seconds of silence after which a process of another machine counts as gone. A cell may compute for long in silence.
FORGOTTEN = 30 * 86400.0
#: Maximum bytes of a note, enough for the tracebacks of a hundred threads.
LONGEST = 2**20
#: Maximum characters of the label of a cell, and an upper bound of all numbers in a note.
WORDS, LARGEST_NUMBER = 500, 1e12
_notes: dict[Path, int] = {}


def open_note(root: Path) -> int:
    """Return the descriptor of the note of this process."""
    path = _note_path(root, os.getpid())
    if path not in _notes:
        refuse_links(path.parent, Path(root).parent)
        make_directory(path.parent)
        # Left by a process with the same number, or a link that must not be followed.
        path.unlink(missing_ok=True)
        _notes[path] = create(path, os.O_RDWR | os.O_APPEND)
    return _notes[path]


def write_note(note: int, text: str) -> None:
    """Replace the content of a note."""
    try:
        os.ftruncate(note, 0)
        if text:
            os.write(note, text.encode())
    except OSError:  # a full disk; writing the shard will report it, with a file name
        pass


def last_words(root: Path, key: str) -> str:
    """Return the traceback of a process that died over a cell, or an empty text, and remove the note."""
    last = ""
    for path in _notes_in(root):
        try:
            first, _, words = _text(path).partition("\n")
            if key in first and words:
                path.unlink()
                last = words
        except OSError:
            continue  # another runner has just removed it
    return last


def running(root: Path) -> Iterator[dict[str, Any]]:
    """Yield the notes of all processes that compute a cell, with ``silent``, the seconds since their last heartbeat.

    Dead processes of this machine are left out. Whether processes of other machines are alive can only be judged by
    their silence.
    """
    for path in _notes_in(root):
        machine, _, pid = path.name.rpartition("-")
        note, silent = _note(path), _silence(path)
        if note and not _dead(machine, pid):
            yield {**note, "host": machine, "silent": silent}


def noted(root: Path) -> set[str]:
    """Return the cells in the notes of all processes, alive or dead."""
    return {note["key"] for path in _notes_in(root) if (note := _note(path))}


def forget_the_dead(root: Path) -> None:
    """Remove notes of ended processes. Those of this machine stay for a while, since tracebacks may be read."""
    for path in _notes_in(root):
        machine, _, pid = path.name.rpartition("-")
        silent = _silence(path)
        try:
            if silent > FORGOTTEN or (_dead(machine, pid) and (silent > ABANDONED or not path.lstat().st_size)):
                path.unlink()
        except OSError:  # somebody else has done it, or may do it
            continue


def alive(pid: int) -> bool:
    """Return whether there is such a process on this machine; on Windows, always true."""
    if sys.platform == "win32":  # signal 0 would end the process there
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
    """Return the content of a note; None if it is empty, or the file is not ours."""
    try:
        note = parse_json(_text(path).partition("\n")[0].encode())
    except (OSError, ValueError):
        return None
    return note if isinstance(note, dict) and _sound(**{"key": None, "since": None, **note}) else None


def _sound(key: Any, since: Any, label: Any = "", point: Any = 0, of: Any = 0, **_: Any) -> bool:
    """Return whether a note can be shown: in one line, with a reasonable number of digits."""
    words = all(isinstance(text, str) and len(text) <= WORDS and text.isprintable() for text in (key, label))
    return words and all(
        isinstance(n, int | float) and -LARGEST_NUMBER < n < LARGEST_NUMBER for n in (since, point, of)
    )


def _silence(path: Path) -> float:
    try:
        return time.time() - path.lstat().st_mtime
    except OSError:  # the process has just ended
        return 0.0


def _dead(machine: str, pid: str) -> bool:
    """Return whether a process ran on this machine and has ended."""
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
