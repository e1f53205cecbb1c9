"""``--json``: one JSON document on the standard output, for programs.

What a verb prints goes to the standard error stream then. The verb hands its facts to `deliver`, and the document is
written at the end of the command, also after an error. Its schema is made of the class ``Document`` in the module of
the verb, a `TypedDict` of these facts (``scripts/tools/write_schemas.py``).
"""

import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import isfinite
from typing import Any, TextIO, TypedDict

from kernlearn import __version__
from kernlearn.errors import UserError
from kernlearn.streams import BYTES, silence

#: The version of the schemas of all documents. It grows if a field disappears or changes its meaning or type.
SCHEMA_VERSION = 1


class Head(TypedDict):
    """What every document has, also that of a command that fails."""

    #: The version of this schema. It grows if a field disappears or changes its meaning or type.
    schema_version: int
    #: The version of kernlearn.
    kernlearn: str
    #: The verb of the command.
    verb: str
    #: The exit code: 0 for success, 1 if part of the work failed, 2 for a user error, 3 for a bug, 130 after Ctrl-C.
    #: It is null in the lines of kernlearn watch before the last one.
    exit: int | None
    #: What a person should know of the results, in words.
    notes: list[str]


class Failure(Head):
    """What the document of a command that fails has at least. It also has the facts that were known by then."""

    #: What is wrong, in words.
    error: str
    #: What to do about it, in words; null if the error does not say it.
    hint: str | None


class _Open:
    """The document of the command that is running."""

    def __init__(self, verb: str, stream: TextIO):
        self.verb, self.stream = verb, stream
        self.facts: dict[str, Any] = {}
        self.notes: list[str] = []
        self.failure: dict[str, Any] = {}
        #: None for a document in one line.
        self.indent: int | None = 1


_open: _Open | None = None


def wanted() -> bool:
    """Return whether the command is to print a JSON document."""
    return _open is not None


def deliver(facts: Mapping[str, Any]) -> None:
    """Add facts to the document of the command; do nothing if it prints none."""
    if _open is not None:
        _open.facts.update(facts)


def add_note(words: str) -> None:
    """Add a note to the document, each once; do nothing if the command prints none."""
    if _open is not None and words not in _open.notes:
        _open.notes.append(words)


def fail(words: str) -> None:
    """Make the document that of an error, given by one line: what is wrong; and after a semicolon, what to do."""
    if _open is not None:
        _open.failure = {"error": words, "hint": _hint(words)}


def _hint(words: str) -> str | None:
    """Return what stands after the first semicolon that is in no parentheses."""
    depth = 0
    for i, letter in enumerate(words):
        depth += (letter in "([{") - (letter in ")]}")
        if letter == ";" and depth <= 0:
            return words[i + 1 :].strip() or None
    return None


@contextmanager
def opened(verb: str) -> Iterator[None]:
    """Keep the standard output for the document of a verb, and send what is printed to the standard error stream.

    Processes that the command starts inherit this. `write` writes the document.
    """
    global _open
    before = sys.stdout
    duplicate: TextIO | None = None
    if _is_process_output(before):
        before.flush()
        duplicate = os.fdopen(os.dup(1), "w", encoding="utf-8")
        os.dup2(2, 1)
    _open, sys.stdout = _Open(verb, duplicate or before), sys.stderr
    try:
        yield
    finally:
        _open, sys.stdout = None, before
        if duplicate is not None:
            os.dup2(duplicate.fileno(), 1)
            duplicate.close()


def _is_process_output(stream: TextIO) -> bool:
    try:
        return stream.fileno() == 1
    except (OSError, ValueError):  # of a test, or a notebook
        return False


def write(code: int) -> None:
    """Write the document of the command, which leaves with an exit code.

    Raises `BrokenPipeError` if nobody reads it. Raises `UserError` if it cannot be written, as on a full disk.
    """
    assert _open is not None
    _write(_open, {**_open.failure, **_open.facts}, code)


def write_line(facts: Mapping[str, Any]) -> None:
    """Write facts as a document in one line, before the last document of the command; do nothing if it prints none.

    Raises the same as `write`.
    """
    if _open is not None:
        _open.indent = None
        _write(_open, facts, None)


def _write(document: _Open, facts: Mapping[str, Any], code: int | None) -> None:
    try:
        document.stream.write(text_of(content_of(document.verb, facts, code, document.notes), document.indent))
        document.stream.flush()
    except BrokenPipeError:
        silence(document.stream)
        raise
    except OSError as error:
        silence(document.stream)
        raise UserError(f"cannot write to the standard output: {error.strerror}") from error


def content_of(verb: str, facts: Mapping[str, Any], code: int | None = 0, notes: Sequence[str] = ()) -> dict[str, Any]:
    """Return the content of a document: its head, and the facts."""
    head: Head = {
        "schema_version": SCHEMA_VERSION,
        "kernlearn": __version__,
        "verb": verb,
        "exit": code,
        "notes": list(notes),
    }
    return {**head, **facts}


def text_of(content: Mapping[str, Any], indent: int | None = 1) -> str:
    """Return the text of a document."""
    return json.dumps(plain(content), indent=indent, allow_nan=False) + "\n"


def plain(value: Any) -> Any:
    """Return a value as JSON has it: numbers that are not finite are null, and bytes that are no text are escaped."""
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return float(value) if isfinite(value) else None
    if isinstance(value, Mapping):
        return {_text(key): plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(one) for one in value]
    return plain(value.tolist()) if hasattr(value, "tolist") else _text(value)


def _text(value: object) -> str:
    return str(value).translate(BYTES).encode("utf-8", "backslashreplace").decode()
