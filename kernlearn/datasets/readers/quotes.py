"""What is wrong with the quotes of a row, and where: the csv module names the line where it gave up."""

import io
import re
from itertools import islice


def bad_quote(content: bytes, delimiter: str, quote: str, before: int, advice: str = "") -> tuple[int, str] | None:
    """Return the line of the first quote that closes too early or never, and what is wrong with it.

    Parameters
    ----------
    content : bytes
        Text with line feeds between lines.
    delimiter, quote : str
        One ASCII character each.
    before : int
        The number of lines before the row.
    advice : str
        Ends what is said of a quote that closes too early: another delimiter may make it a good one.

    Returns
    -------
    (int, str) or None
        None if all quotes of the row are as they should be.
    """
    start = sum(map(len, islice(io.BytesIO(content), before)))
    opening, closed, fields = _patterns(delimiter.encode(), quote.encode())
    at = fields.match(content, start).end()  # type: ignore[union-attr]  # it matches no field too
    line = 1 + before + content.count(b"\n", start, at)
    if match := closed.match(content, at):
        end = match.end()
        if content[end : end + 1] in (b"", b"\n"):
            return None
        last = line + content.count(b"\n", at, end)
        where = f"in line {last}, " if last > line else ""
        wrong = (
            f"closes {where}in the middle of a cell; close it where the cell ends, and double quotes inside it{advice}"
        )
        return line, f"the quote that opens here {wrong}"
    if opening.match(content, at):
        return line, "the quote that opens here is never closed; close it, or remove it"
    return None


def _patterns(delimiter: bytes, quote: bytes) -> tuple[re.Pattern[bytes], re.Pattern[bytes], re.Pattern[bytes]]:
    """Return patterns of an opening quote, a field in quotes, and all good fields with a delimiter behind them."""
    sign = re.escape(delimiter)
    opening = b" *+" + quote
    closed = opening + b"[^%b]*+(?:%b%b[^%b]*+)*+" % (4 * (quote,)) + quote
    plain = b"(?!%b)[^%b\\n]*+" % (opening, sign)
    return re.compile(opening), re.compile(closed), re.compile(b"(?:(?:%b|%b)%b)*+" % (closed, plain, sign))
