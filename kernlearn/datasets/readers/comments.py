"""Lines of a table that begin with ``#``, above it and below: comments, or names as numpy writes them."""

import csv
from collections.abc import Mapping

from kernlearn.datasets.core.cells import Numerals
from kernlearn.datasets.core.table import NAMED
from kernlearn.datasets.readers.source import Source

MARK = b"#"


def without_comments(content: bytes) -> tuple[bytes, dict[int, str]]:
    """Return a text with nothing in its first and last lines that begin with ``#``, and these lines by number.

    If there are no others, the text stays as it is.
    """
    lines = content.split(b"\n") if _may_have_comments(content) else []
    comments: dict[int, str] = {}
    for order in (range(len(lines)), reversed(range(len(lines)))):
        for i in order:
            if lines[i].startswith(MARK):
                comments[i + 1] = lines[i].decode()
            elif lines[i].strip():
                break
    if not comments or all(i + 1 in comments or not line.strip() for i, line in enumerate(lines)):
        return content, {}
    return b"\n".join(b"" if i + 1 in comments else line for i, line in enumerate(lines)), comments


def with_names(source: Source, comments: Mapping[int, str], *, named: bool) -> tuple[Source, tuple[str, ...]]:
    """Return a table with those lines that are none of comments, and remarks.

    A line with as many cells as the rows is one of them, ``#`` included. One that has as many without ``#``, directly
    above numbers, has the names, where it is `named`.
    """
    first = next(iter(source.rows()), None)
    if first is None or not comments:
        return source, ()
    above = max((number for number in comments if number <= first.before), default=0)
    left_out, remarks = [], list[str]()
    for number, line in comments.items():
        cells, behind = _cells(source, line), _cells(source, line.removeprefix("#"))
        is_marked = line.startswith("# ")  # else the name, or the text, begins with it
        if len(cells) == len(first.cells) and not is_marked:
            source = source.with_line(number, source.delimiter.join(cells))
        elif number == above and len(behind) == len(first.cells) and named and _has_number(first.cells):
            source = source.with_line(number, source.delimiter.join(behind))
            remarks.append(f"line {number} has the names behind a # (if not: dataset.header=false)")
        else:
            left_out.append(number)
    if left_out:
        numbers = ", ".join(map(str, sorted(left_out)[:NAMED])) + (", ..." if len(left_out) > NAMED else "")
        which = f"line {numbers} begins with # and is a comment" if len(left_out) == 1 else ""
        remarks.append(f"{which or f'lines {numbers} begin with # and are comments'} (remove the # if not)")
    return source, tuple(remarks)


def _may_have_comments(content: bytes) -> bool:
    last = content.rstrip()[-(2**16) :].rpartition(b"\n")[2]
    return content.lstrip().startswith(MARK) or last.startswith(MARK)


def _cells(source: Source, line: str) -> list[str]:
    """Return the cells of a line as they are written, with their quotes."""
    text = " ".join(line.split()) if source.delimiter == " " else line
    return [cell.strip() for cell in next(csv.reader([text], delimiter=source.delimiter, quoting=csv.QUOTE_NONE), [])]


def _has_number(cells: list[str]) -> bool:
    return any(Numerals().value(cell) is not None or Numerals(",").value(cell) is not None for cell in cells)
