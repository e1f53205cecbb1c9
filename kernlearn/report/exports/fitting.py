r"""How a table of LaTeX fits on a page: the size of its letters, and the parts into which it is divided.

Widths are estimated in points for letters of 10 pt by those of Computer Modern, the default font, which is wide.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

#: The text width of the class ``article`` with letters of 10 pt, on A4 and letter paper. Points.
TEXT_WIDTH = 345.0
#: The share of it that is used: with letters of 11 and 12 pt fewer fit on a line, and widths are estimates.
USABLE = 0.95
#: The height of a page of the class, and of its lines for letters of 12 pt, where fewest fit. Points.
HEIGHT, LINE = 530.0, 14.5
#: Space around a float and its caption, and the three rules and the gap of a tabular. Points.
AROUND, RULES = 35.0, 18.0
#: Letters in a line of a caption, and of a note.
CAPTION, NOTE = 70, 95
#: Widths of the characters from 32 to 126 in Computer Modern Roman, in thousandths of the size.
WIDTHS = (
    *(333, 278, 500, 833, 500, 833, 778, 278, 389, 389, 500, 778, 278, 333, 278, 500, 500, 500, 500, 500, 500, 500),
    *(500, 500, 500, 500, 278, 278, 778, 778, 778, 472, 778, 750, 708, 722, 764, 681, 653, 785, 750, 361, 514, 778),
    *(625, 917, 750, 778, 681, 778, 736, 556, 722, 750, 750, 1028, 750, 750, 611, 278, 500, 278, 611, 500, 500, 500),
    *(556, 444, 556, 444, 306, 500, 556, 278, 306, 528, 278, 833, 556, 500, 556, 528, 392, 394, 389, 556, 528, 722),
    *(528, 528, 444, 500, 278, 500, 611),
)
#: Of other characters, and of bold letters relative to normal ones.
OTHER, BOLD = 600, 1.16
#: What LaTeX prints for what begins with a backslash, as far as its width is concerned.
PRINTED = (
    (r"\$\^\{\\d?dagger\}\$", "l"),
    (r"\\textbackslash\{\}|\\text[a-z]+\{\}|\\char34", "n"),
    (r"\\quad", "mm"),
    (r"\\[a-z]+ ?", ""),
    (r"\\,", "i"),
    (r"\\(.)", r"\1"),
    (r"[{}$]", ""),
)


@dataclass(frozen=True)
class Size:
    """A size of letters: its command, its widths and heights relative to the normal one, and the gap of columns."""

    command: str
    width: float
    height: float
    #: Points on either side of a column, as ``\tabcolsep``; there is none outside of the table.
    gap: float


#: The sizes of tables, in the order in which they are tried.
SIZES = (Size("", 1.0, 1.0, 6.0), Size(r"\small", 0.93, 0.94, 4.5), Size(r"\footnotesize", 0.855, 0.83, 3.0))


@dataclass(frozen=True)
class Layout:
    """A table on paper.

    Attributes
    ----------
    size : Size
    floats : list of list of (range, range)
        The parts of each float below each other: the rows and the columns of each.
    too_wide : bool
        Whether a part is wider than the text even so.
    """

    size: Size
    floats: list[list[tuple[range, range]]]
    too_wide: bool


def text_width(latex: str, bold: bool = False) -> float:
    """Return the estimated width of a text in LaTeX, in points for letters of 10 pt."""
    for pattern, printed in PRINTED:
        latex = re.sub(pattern, printed, latex)
    width = sum(WIDTHS[code - 32] if 32 <= (code := ord(character)) < 127 else OTHER for character in latex)
    return width / 100 * (BOLD if bold else 1.0)


def layout_of(
    names: Sequence[str], widths: Sequence[float], lines_of_row: int, letters: tuple[int, int], width: float
) -> Layout:
    """Return how a table fits: in the fewest parts beside each other, with letters as large as these allow.

    Parameters
    ----------
    names : sequence of str
        The names of its lines in LaTeX, which every part repeats.
    widths : sequence of float
        Of its columns, in points for letters of 10 pt.
    lines_of_row : int
        Lines that stay together, at least 1.
    letters : (int, int)
        Of its caption and of its note.
    width : float
        Of the text, in points for letters of 10 pt.
    """
    first = max(map(text_width, names), default=0.0)
    tried = [(size, _columns(first, widths, size, USABLE * width)) for size in SIZES]
    size, columns = min(tried, key=lambda one: len(one[1]))
    too_wide = any(_width(first, [widths[j] for j in part], size) > USABLE * width for part in columns)
    line = LINE * size.height
    head = AROUND + LINE * -(-letters[0] // CAPTION) + LINE * SIZES[-1].height * -(-letters[1] // NOTE)
    most = max(1, int((HEIGHT - head - RULES - line) / line)) // lines_of_row * lines_of_row or lines_of_row
    starts = range(0, max(1, len(names)), most)
    parts = [(range(i, min(i + most, len(names))), part) for part in columns for i in starts]
    floats, room = [list[tuple[range, range]]()], HEIGHT - head
    for rows, part in parts:
        needed = RULES + line * (len(rows) + 1)
        if needed > room and floats[-1]:
            floats.append([])
            room = HEIGHT - AROUND - LINE
        floats[-1].append((rows, part))
        room -= needed
    return Layout(size, floats, too_wide)


def _columns(first: float, widths: Sequence[float], size: Size, width: float) -> list[range]:
    """Return the columns of each part, of which there are as few as possible; all have about as many columns."""
    n = len(widths)
    for parts in range(1, n + 1):
        ends = [round(i * n / parts) for i in range(parts + 1)]
        ranges = [range(a, b) for a, b in pairwise(ends)]
        if all(_width(first, [widths[j] for j in part], size) <= width for part in ranges):
            return ranges
    return [range(i, i + 1) for i in range(n)] or [range(0)]


def _width(first: float, widths: Sequence[float], size: Size) -> float:
    return size.width * (first + sum(widths)) + 2 * size.gap * len(widths)
