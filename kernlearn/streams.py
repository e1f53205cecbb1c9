"""The standard streams: what is written there, with no orders to the terminal in it, and what if they are full."""

import json
import os
import sys
from typing import Any, TextIO

from kernlearn.errors import PartFailed, UserError

#: What is shown in the place of bytes of a file name that are no text.
BYTES = {0xDC00 + byte: f"\\x{byte:02x}" for byte in range(128, 256)}
#: The same for control characters, which may come with a name from somebody's file.
CONTROLS = BYTES | {code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160)) if chr(code) not in "\t\n"}
#: Characters of a message, which may quote what it was given.
LONGEST = 900
#: Whether the standard error stream has lines of JSON: ``--progress=json``.
_as_events = False


def visible(text: str) -> str:
    """Return a text in which what would move the cursor, or give orders to the terminal, is shown as a code."""
    return text.translate(CONTROLS)


def put(text: str) -> None:
    """Write a text to the standard output, at once; to the standard error stream if the output is for programs.

    Raises `BrokenPipeError` if nobody reads it any more. Raises `UserError` if it cannot be written, as on a full disk.
    """
    if sys.stdout is sys.stderr:  # `kernlearn.documents` keeps the output for a document
        tell(text.removesuffix("\n"))
        return
    try:
        print(visible(text), end="", flush=True)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise UserError(f"cannot write to the standard output: {error.strerror}") from error


def tell(words: str) -> None:
    """Write a line to the standard error stream; where that is closed or full, nobody can be told."""
    if _as_events:
        if words.strip():
            emit("message", text=words.strip())
    else:
        _to_stderr(visible(words))


def emit(event: str, **facts: Any) -> None:
    """Write an event as a line of JSON to the standard error stream, if it has such lines."""
    if _as_events:
        _to_stderr(json.dumps({"event": event, **facts}))


def _to_stderr(line: str) -> None:
    if sys.stderr is None:
        return
    try:
        print(line, file=sys.stderr, flush=True)
    except OSError:
        silence(sys.stderr)


def write_events(yes: bool) -> None:
    """Let the standard error stream have lines of JSON, or plain lines."""
    global _as_events
    _as_events = yes


def has_events() -> bool:
    """Return whether the standard error stream has lines of JSON."""
    return _as_events


def is_terminal() -> bool:
    """Return whether what is printed can be drawn, because a person sees it on a terminal."""
    return sys.stdout.isatty() and not (_as_events and sys.stdout is sys.stderr)


def occupy() -> None:
    """Give standard streams that are closed the null device, and a `sys.stderr` if there is none.

    Otherwise the next file that is opened would be number 2, and receive what libraries and workers have to say.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # gets the lowest number that is free
            os.set_inheritable(number, True)
    if sys.stderr is None:
        sys.stderr = open(2, "w", closefd=False)  # noqa: SIM115


def silence(stream: TextIO) -> None:
    """Send what is still to be written to a stream nowhere, so that the end of the process does not try it again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def complain(error: UserError | PartFailed) -> int:
    """Write an error as one line to the standard error stream and return its exit code."""
    words = " ".join(str(error).split())
    if len(words) > LONGEST:
        words = f"{words[: LONGEST // 2]} ... {words[-LONGEST // 3 :]}"
    if isinstance(error, PartFailed):
        tell(f"kernlearn: {words}")
        return 1
    tell(f"kernlearn: error: {words}")
    return 2
