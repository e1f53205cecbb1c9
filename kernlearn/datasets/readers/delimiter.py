"""By which sign the cells of a table are separated, where nobody says so."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from kernlearn.datasets.core.cells import DECIMAL_COMMA, EITHER_COMMA
from kernlearn.errors import UserError

#: The signs that are looked for, and the words for them in `dataset.delimiter`.
WORDS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "pipe", " ": "blanks"}
SIGNS = ",;\t|"
#: So many lines are looked at, or more than one of so many characters.
LINES, SIZE = 200, 2**16
#: More than this share of the cells between blanks have no sign in them.
MOST = 0.75
#: A field in quotes.
IN_QUOTES = re.compile(r'(?<![^,;\t| \n])"(?:[^"]|"")*+"(?![^,;\t| \n])')
#: A number with a decimal comma after points or blanks between thousands, or commas between thousands before a point.
GROUPED = re.compile(r"[+-]?[0-9]{1,3}(?:([.' ][0-9]{3})+,|(,[0-9]{3})+\.)[0-9]*")


def delimiter_of(file: Path, lines: Iterable[str]) -> tuple[str, tuple[str, ...]]:
    """Return the sign that separates the cells of a table, and a remark if another one may do so.

    A delimiter gives the same number of cells, two or more, in every line; characters in quotes do not count. If
    several characters do, ties are broken in this order. The cells should contain few of the other candidates, apart
    from numbers such as ``1,5``. There should be many cells. The delimiter should not always precede a blank, as in a
    sentence. Blanks are the delimiter if only they give the same number everywhere, or with decimal commas. If no
    character gives the same number in every line, the delimiter is the one that does in most lines.

    Raises `UserError` if two signs may be the delimiter and nothing speaks for one of them.

    Parameters
    ----------
    lines : iterable of str
        Every one ends in a line feed.
    """
    rows = [row for row in IN_QUOTES.sub("q", "".join(_sample(lines))).split("\n") if row.strip()]
    widths = {sign: [len(_cells(row, sign)) for row in rows if row.strip(sign + " \t")] for sign in WORDS}
    fitting = [sign for sign in SIGNS if _is_even(widths[sign])]
    has_signs = any(sign in rows[0] for sign in SIGNS)
    if _is_even(widths[" "]) and (not has_signs or _clean_share(rows, " ", SIGNS) > MOST):
        if not fitting:
            return " ", ()
        if fitting == [","] and any(_has_decimal_comma(cell) for row in rows for cell in row.split()):
            return " ", _remark(" ", ",")
    if not fitting:
        return _most_even(widths), ()
    if len(fitting) == 1:
        return fitting[0], ()
    shares = {sign: _clean_share(rows, sign, fitting) for sign in fitting}
    ranks = {sign: (shares[sign], max(widths[sign]), not _is_prose(rows, sign)) for sign in fitting}
    best, second, *_ = sorted(fitting, key=ranks.__getitem__, reverse=True)
    if ranks[best] == ranks[second]:
        keys = f"dataset.delimiter={WORDS[best]} or dataset.delimiter={WORDS[second]}"
        raise UserError(f"{file}: {WORDS[best]} and {WORDS[second]} may separate the cells; say {keys}")
    return best, () if shares[best] == 1 > shares[second] else _remark(best, second)


def _remark(delimiter: str, other: str) -> tuple[str]:
    return (f"the delimiter is {WORDS[delimiter]} (if not: dataset.delimiter={WORDS[other]})",)


def _sample(lines: Iterable[str]) -> Iterator[str]:
    """Return the first lines that are not blank."""
    n = size = 0
    for line in lines:
        if line.strip():
            yield line
            n, size = n + 1, size + len(line)
        if n >= LINES or (n > 1 and size > SIZE):
            break


def _cells(row: str, sign: str) -> list[str]:
    return row.split() if sign == " " else [cell.strip() for cell in row.split(sign)]


def _is_even(widths: Sequence[int]) -> bool:
    """Tell whether all lines have the same number of cells, but for a first one without a name above row names."""
    first, rest = widths[:1], set(widths[1:] or widths)
    return len(rest) == 1 and max(rest) > 1 and (first[0] in rest or {first[0] + 1} == rest and first[0] > 1)


def _most_even(widths: Mapping[str, list[int]]) -> str:
    """Return the sign with the most lines of one number of cells, blanks if no line has any other sign."""

    def frequency(sign: str) -> tuple[int, int]:
        return max(((widths[sign].count(width), width) for width in {*widths[sign]} if width > 1), default=(0, 0))

    best = max(SIGNS, key=frequency)
    return best if frequency(best)[0] else " "


def _clean_share(rows: Sequence[str], sign: str, others: Sequence[str]) -> float:
    clean = [_is_clean(cell, others) for row in rows for cell in _cells(row, sign)]
    return sum(clean) / len(clean)


def _is_prose(rows: Sequence[str], sign: str) -> bool:
    return all(row.count(sign) == row.count(f"{sign} ") for row in rows)


def _is_clean(cell: str, signs: Sequence[str]) -> bool:
    """Tell a cell without any of some signs or an open quote, or a number with commas."""
    if not any(sign in cell for sign in signs) and '"' not in cell:
        return True
    return any(pattern.fullmatch(cell) for pattern in (DECIMAL_COMMA, EITHER_COMMA, GROUPED))


def _has_decimal_comma(cell: str) -> bool:
    return bool(DECIMAL_COMMA.fullmatch(cell) and not EITHER_COMMA.fullmatch(cell))
