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
#: The fewest lines of a part that begin at the end of a float if more follow, or end at the beginning of the next.
FEWEST = 8
#: Parts are made narrower in so many steps, as long as there are not more of them.
NARROWER = 40
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
    names: Sequence[str], widths: Sequence[float], lines_of_row: int, letters: tuple[int, int, int], width: float
) -> Layout:
    """Return how a table fits: in the fewest parts beside each other, with letters as large as these allow.

    Each float is filled before the next one begins, but for fewer than `FEWEST` lines of a part.

    Parameters
    ----------
    names : sequence of str
        The names of its lines in LaTeX, which every part repeats.
    widths : sequence of float
        Of its columns, in points for letters of 10 pt.
    lines_of_row : int
        Lines that stay together, at least 1.
    letters : (int, int, int)
        Of its caption, of its note, and of the note of further floats.
    width : float
        Of the text, in points for letters of 10 pt.
    """
    first = max(map(text_width, names), default=0.0)
    tried = [(size, _columns(first, widths, size, USABLE * width)) for size in SIZES]
    size, columns = min(tried, key=lambda one: len(one[1]))
    too_wide = any(_width(first, [widths[j] for j in part], size) > USABLE * width for part in columns)
    line, n = LINE * size.height, len(names)
    caption, note, further = (
        LINE * height * -(-count // length)
        for count, length, height in zip(
            letters, (CAPTION, NOTE, NOTE), (1.0, SIZES[-1].height, SIZES[-1].height), strict=True
        )
    )
    floats, room = [list[tuple[range, range]]()], HEIGHT - AROUND - caption - note
    for part in columns:
        start = 0
        while start < n or not n:
            fitting = max(0, int((room - RULES) / line) - 1) // lines_of_row * lines_of_row
            if fitting < min(n - start, FEWEST) and floats[-1]:
                floats.append([])
                room = HEIGHT - AROUND - LINE - further
                continue
            taken = min(n - start, max(lines_of_row, fitting))
            if 0 < n - start - taken < FEWEST < taken:  # no few lines are alone on the next page
                taken = (n - start - FEWEST) // lines_of_row * lines_of_row
            floats[-1].append((range(start, start + taken), part))
            room -= RULES + line * (taken + 1)
            start += taken
            if not n:
                break
    return Layout(size, floats, too_wide)


def _columns(first: float, widths: Sequence[float], size: Size, width: float) -> list[range]:
    """Return the columns of each part: of as few parts as possible, and these about equally wide."""

    def parts_within(limit: float) -> list[range]:
        ends = [0]
        for j in range(len(widths)):
            if j > ends[-1] and _width(first, widths[ends[-1] : j + 1], size) > limit:
                ends.append(j)
        return [range(a, b) for a, b in pairwise([*ends, len(widths)])]

    fewest = len(parts_within(width))
    narrower = (parts_within(width * i / NARROWER) for i in range(1, NARROWER + 1))
    return next(parts for parts in narrower if len(parts) == fewest)


def _width(first: float, widths: Sequence[float], size: Size) -> float:
    return size.width * (first + sum(widths)) + 2 * size.gap * len(widths)
