"""Lines, areas, points and texts at places in units: what a picture consists of, for every format that it is drawn in.

One unit is about a pixel. y grows downwards. Widths of texts are estimated by those of DejaVu Sans, which is wider than
most fonts that are used instead.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Literal
from unicodedata import category, combining, east_asian_width

#: The width of every picture in units.
WIDTH = 460.0
#: Units around every picture.
MARGIN = 6.0
#: Sizes of texts in units.
TITLE, NORMAL, SMALL, TINY = 14.0, 12.5, 11.5, 9.0
#: Height of a line of text in multiples of its size, and the share of it above the base line.
LINE, ASCENT = 1.25, 0.95
#: Widths of the characters from 32 to 126 in thousandths of the size.
_ASCII = (
    *(318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337, 636, 636, 636, 636, 636, 636),
    *(636, 636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632, 575, 775, 752, 295, 295, 656),
    *(557, 863, 748, 787, 603, 787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838, 500, 500, 613),
    *(635, 550, 635, 615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818),
    *(592, 592, 525, 636, 337, 636, 838),
)
#: Widths of other characters: East Asian and emoji, and the rest.
_WIDE, _OTHER = 1.25, 0.75
#: The width of bold text relative to normal text.
_BOLD = 1.17
#: Units that do not count.
_ROUNDING = 1e-6
ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"
_JOINER = "\N{ZERO WIDTH JOINER}"
#: More characters than any place has room for: the rest is not measured.
_MOST = 500

Anchor = Literal["start", "middle", "end"]
Point = tuple[float, float]
#: Left, top, right, bottom.
Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class Text:
    """A line of text; y is its base line.

    Attributes
    ----------
    whole : str
        The whole text if `words` is shortened.
    turned : bool
        Whether it is read from bottom to top.
    """

    x: float
    y: float
    words: str
    size: float = NORMAL
    anchor: Anchor = "start"
    bold: bool = False
    turned: bool = False
    whole: str = ""

    @property
    def box(self) -> Box:
        """The estimated place."""
        width = width_of(self.words, self.size, self.bold)
        before = {"start": 0.0, "middle": width / 2, "end": width}[self.anchor]
        above = 0.78 * self.size
        if self.turned:
            return self.x - above, self.y - width + before, self.x + 0.22 * self.size, self.y + before
        return self.x - before, self.y - above, self.x - before + width, self.y + 0.22 * self.size


@dataclass(frozen=True)
class Stroke:
    """Lines through points, each with at least one point; with `fill` they enclose an area of this opacity.

    Colour 0 is that of the text; the others are the colours of series.
    """

    lines: Sequence[Sequence[Point]]
    color: int = 0
    width: float = 1.0
    dash: Sequence[float] = ()
    opacity: float = 1.0
    fill: float = 0.0


@dataclass(frozen=True)
class Symbols:
    """The same symbol at several points; `size` is its diameter."""

    points: Sequence[Point]
    shape: int = 0
    color: int = 0
    size: float = 6.0
    opacity: float = 1.0


#: The number of shapes of symbols; shape -1 is a ring.
SHAPES = 7


@dataclass(frozen=True)
class Named:
    """Items that belong together under a name, such as a curve or a field of a grid."""

    name: str
    items: Sequence["Item"]


Item = Text | Stroke | Symbols | Named


@dataclass(frozen=True)
class Scene:
    """A picture that is ready to be drawn."""

    kind: str
    title: str
    words: str
    height: float
    items: Sequence[Item] = field(default=())
    width: float = WIDTH


def texts_of(items: Sequence[Item]) -> list[Text]:
    """Return all texts."""
    found = list[Text]()
    for item in items:
        if isinstance(item, Text):
            found.append(item)
        elif isinstance(item, Named):
            found += texts_of(item.items)
    return found


def width_of(words: str, size: float = NORMAL, bold: bool = False) -> float:
    """Return the estimated width of a text in units."""
    return sum(map(_width, words)) * size * (_BOLD if bold else 1.0)


def _width(character: str) -> float:
    code = ord(character)
    if 32 <= code < 127:
        return _ASCII[code - 32] / 1000
    if combining(character) or category(character) in ("Mn", "Me", "Cf"):
        return 0.0
    return _WIDE if east_asian_width(character) in "WF" else _OTHER


def printable(words: str, most: int = 4 * _MOST) -> str:
    """Return a text in one line, without characters that cannot be drawn or that turn the direction of others.

    A text with more than `most` characters is cut, with an ellipsis at its end.
    """
    cut = words if len(words) <= most else f"{words[: most - 1]}{ELLIPSIS}"
    return "".join(_shown(character) for character in " ".join(cut.split()))


def _shown(character: str) -> str:
    kind = category(character)
    if character == _JOINER or kind[0] != "C":
        return "" if ord(character) & 0xFFFE == 0xFFFE else character
    return f"\\x{ord(character):02x}" if kind == "Cc" else "\N{REPLACEMENT CHARACTER}" if kind in ("Cs", "Cn") else ""


def fit(words: str, room: float, size: float = NORMAL, bold: bool = False) -> str:
    """Return a printable text that is at most so wide; if it is shortened, it ends with an ellipsis."""
    words = printable(words)
    if len(words) <= _MOST and width_of(words, size, bold) <= room + _ROUNDING:
        return words
    left = room - width_of(ELLIPSIS, size, bold)
    ends = accumulate(width_of(character, size, bold) for character in words[:_MOST])
    words = words[: sum(end <= left for end in ends)]
    while words and (words[-1] == _JOINER or _width(words[-1]) == 0.0):
        words = words[:-1]  # do not end within a character of several codes
    return words.rstrip() + ELLIPSIS


def wrapped(words: str, room: float, size: float, most: int, bold: bool = False) -> list[str]:
    """Return a text in at most `most` lines of a width; the last one is shortened if necessary."""
    words = printable(words, 4 * _MOST * most).replace(" %", "\N{NO-BREAK SPACE}%")
    lines, rest = list[str](), words.split(" ")
    while rest and len(lines) < most - 1:
        count = 1
        while count < len(rest) and width_of(" ".join(rest[: count + 1])[:_MOST], size, bold) <= room:
            count += 1
        lines.append(fit(" ".join(rest[:count]), room, size, bold))
        rest = rest[count:]
    return [*lines, fit(" ".join(rest), room, size, bold)] if rest else lines


def fitted(x: float, y: float, words: str, room: float, size: float = NORMAL, anchor: Anchor = "start") -> Text:
    """Return a text that is at most so wide, with the whole text if it is shortened."""
    short = fit(words, room, size)
    return Text(x, y, short, size, anchor, whole=words if short.endswith(ELLIPSIS) else "")


def outline(shape: int, size: float) -> list[Point]:
    """Return the corners of a symbol around its point: square, triangles, diamond, plus and cross.

    The circle, shape 0, has none.
    """
    r = size / 2
    third = 0.36 * r
    plus = [
        *((-third, -r), (third, -r), (third, -third), (r, -third), (r, third), (third, third)),
        *((third, r), (-third, r), (-third, third), (-r, third), (-r, -third), (-third, -third)),
    ]
    half = 0.5**0.5
    return [
        [],
        [(-0.9 * r, -0.9 * r), (0.9 * r, -0.9 * r), (0.9 * r, 0.9 * r), (-0.9 * r, 0.9 * r)],
        [(0.0, -1.15 * r), (1.1 * r, 0.8 * r), (-1.1 * r, 0.8 * r)],
        [(0.0, -1.25 * r), (1.25 * r, 0.0), (0.0, 1.25 * r), (-1.25 * r, 0.0)],
        [(0.0, 1.15 * r), (1.1 * r, -0.8 * r), (-1.1 * r, -0.8 * r)],
        [(1.2 * x, 1.2 * y) for x, y in plus],
        [(1.2 * half * (x - y), 1.2 * half * (x + y)) for x, y in plus],
    ][shape]
