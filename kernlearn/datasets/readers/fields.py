"""Counting the rows of a large table quickly, before it is read."""

import numpy as np
from numpy.typing import NDArray

#: Bytes that are looked at at once.
CHUNK = 2**24
BREAK, BLANK = ord("\n"), ord(" ")


def count_rows(content: bytes, delimiter: str, quote: str, width: int) -> int | None:
    """Return the number of rows if every one has so many fields, and quotes stand around whole fields alone.

    Lines of blanks and delimiters alone are no rows, but they may not have more fields either.

    Parameters
    ----------
    content : bytes
        Text in UTF-8 with line feeds between lines.
    delimiter, quote : str
        One ASCII character each; no quote if empty.
    width : int
        Fields in a row.

    Returns
    -------
    int or None
        None if something is otherwise: then a reader that knows the whole grammar has to find out what.
    """
    if b"\r" in content:
        return None
    if quote.encode() not in content:
        quote = ""
    n, start, size = 0, 0, CHUNK
    while start < len(content):
        chunk = np.frombuffer(content, np.uint8, min(size, len(content) - start), start)
        outside = np.cumsum(chunk == ord(quote), dtype=np.int32) % 2 == 0 if quote else np.ones(len(chunk), dtype=bool)
        breaks = np.flatnonzero((chunk == BREAK) & outside)
        last = start + len(chunk) == len(content)
        if not last and not len(breaks):
            size *= 2
            continue
        stop = len(chunk) if last else int(breaks[-1]) + 1
        chunk, outside = chunk[:stop], outside[:stop]
        if quote and not _are_around_fields(chunk, ord(delimiter), ord(quote)):
            return None
        starts = np.concatenate([[0], breaks + 1])
        starts = starts[starts < stop]
        delimiters = (chunk == ord(delimiter)) & outside
        solid = (chunk > BLANK) & (chunk != (ord(quote) if quote else BREAK)) & ~delimiters
        is_row = np.add.reduceat(solid, starts, dtype=np.int64) > 0
        others = np.add.reduceat(delimiters, starts, dtype=np.int64) - (width - 1)
        if others[is_row].any() or (others > 0).any():
            return None
        n += int(is_row.sum())
        start, size = start + stop, CHUNK
    return n


def _are_around_fields(chunk: NDArray[np.uint8], delimiter: int, quote: int) -> bool:
    """Tell whether quotes open where a field begins, close where it ends, and are doubled between."""
    quotes = np.flatnonzero(chunk == quote)
    if len(quotes) % 2:
        return False
    ends = (BREAK, quote, delimiter)
    padded = np.concatenate([[BREAK], chunk, [BREAK]])
    before, after = padded[quotes[0::2]], padded[quotes[1::2] + 2]
    return bool(np.isin(before, ends).all() and np.isin(after, ends).all())
