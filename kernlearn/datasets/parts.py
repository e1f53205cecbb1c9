"""The text of a file that is never in memory as a whole: how it begins, its encoding, and parts of whole rows."""

import codecs
import gzip
import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from kernlearn.datasets.core.bounds import open_plain
from kernlearn.datasets.readers.parquet import is_parquet
from kernlearn.datasets.userfile import MARKS
from kernlearn.errors import UserError

#: Characters of a file that are read at a time, and bytes that tell what it is.
PART, HEAD = 2**23, 2**16
#: Characters that a row may have, which may go on over several lines in quotes.
MOST_LEFT = 4 * PART


def start_of(file: Path, said: str | None) -> tuple[bytes, str]:
    """Return how a file begins, text in UTF-8, and its encoding, found out as for a training file if nobody says it."""
    with opened(file) as stream:
        start = stream.read(HEAD)
    encoding = said or next((name for mark, name in MARKS.items() if start.startswith(mark)), "utf-8")
    if encoding == "utf-8":
        encoding = "utf-8-sig" if said or _is_utf8(start) else "cp1252"
    if is_parquet(start):
        return start, encoding
    try:  # a character at the end may be cut
        text = codecs.getincrementaldecoder(encoding)().decode(start)
    except (UnicodeError, LookupError) as error:
        raise UserError(f"{file}: is not {encoding} text ({error}); encoding=NAME names another") from None
    if "\x00" in text:
        raise UserError(f"{file}: is not a text file (encoding=utf-16 reads UTF-16 text without a byte order mark)")
    return text.encode(), encoding


def texts_of(file: Path, encoding: str, part_size: int) -> Iterator[str]:
    """Yield the text of a file in parts of about so many characters, which end where a row does.

    Raises `UserError` if the file is not in this encoding, a line is too long, or a quote is never closed.
    """
    with opened(file) as stream:
        left = ""
        try:
            reader = io.TextIOWrapper(stream, encoding, newline=None)
            while more := reader.read(part_size):
                part, left = records(left + more)
                if len(left) > MOST_LEFT:
                    if left.count('"') % 2 == 0:
                        raise UserError(f"{file}: a line has more than {MOST_LEFT:,} characters; is it a table?")
                    raise UserError(f"{file}: a quote is never closed; close it, or remove it")
                if part:
                    yield part
        except (UnicodeError, LookupError) as error:
            raise UserError(f"{file}: is not {encoding} text ({error}); encoding=NAME names another") from None
        if left.strip():
            yield left


def records(text: str, least: int = 0) -> tuple[str, str]:
    """Split a text where a line ends outside of quotes: as late as possible, or the first after so many characters."""
    start = min(least, len(text))
    is_open = text.count('"', 0, start) % 2 == 1
    end, found = text.find("\n", start), 0
    while end >= 0:
        is_open ^= text.count('"', start, end) % 2 == 1
        start = end + 1
        if not is_open:
            found = start
            if least:
                break
        end = text.find("\n", start)
    if least and not found:
        found = len(text)
    return text[:found], text[found:]


def _is_utf8(start: bytes) -> bool:
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        decoder.decode(start)
    except UnicodeDecodeError:
        return False
    return True


@contextmanager
def opened(file: Path) -> Iterator[Any]:
    """Open a plain file, unpacked if it is gzipped."""
    try:
        with open_plain(file) as stream:
            packed = stream.read(2) == b"\x1f\x8b"
            stream.seek(0)
            yield gzip.GzipFile(fileobj=stream) if packed else stream
    except FileNotFoundError:
        raise UserError(f"{file}: no such file") from None
    except (EOFError, gzip.BadGzipFile) as error:
        raise UserError(f"{file}: damaged gzip file ({error})") from None
