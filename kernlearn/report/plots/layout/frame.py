"""What all pictures have: the title, the frame with its axes, the legend and notes."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from math import isnan

from kernlearn.report.plots.layout.scene import (
    ASCENT,
    ELLIPSIS,
    LINE,
    NORMAL,
    SHAPES,
    SMALL,
    TINY,
    TITLE,
    WIDTH,
    Item,
    Named,
    Point,
    Stroke,
    Text,
    fit,
    fitted,
    width_of,
    wrapped,
)
from kernlearn.report.plots.layout.ticks import MINUS, Scale, Tick
from kernlearn.report.plots.picture import Axis

#: Units between parts of a picture, and between an axis and its labels.
GAP, NEAR = 10.0, 5.0
#: Opacity of lines of the grid, and of secondary texts' lines.
FAINT = 0.16
#: The largest share of the width that the names of an axis take.
NAMES = 0.46
#: Units of a sample in the legend, and entries of a legend; the rest is only counted.
SAMPLE, ENTRIES = 26.0, 14
#: Lines of a title and of a note.
_TITLE_LINES, _NOTE_LINES = 4, 3


#: Colours of series; 0 is that of the text.
_COLORS = 6


def color_of(look: int) -> int:
    """Return the colour of a series by its number."""
    return look % _COLORS + 1


def shape_of(look: int) -> int:
    """Return the shape of the symbols of a series by its number."""
    return look % SHAPES


@dataclass
class Page:
    """The items of a picture, which is laid out from top to bottom; `y` is where the next part begins."""

    items: list[Item] = field(default_factory=list)
    y: float = 0.0

    def write(self, words: str, size: float, lines: int, *, bold: bool = False) -> None:
        """Add a paragraph over the whole width."""
        for line in wrapped(words, WIDTH, size, lines, bold) if words else ():
            whole = words if line.endswith(ELLIPSIS) else ""
            self.items.append(Text(0.0, self.y + ASCENT * size, line, size, bold=bold, whole=whole))
            self.y += LINE * size


@dataclass(frozen=True)
class Names:
    """A scale with a name at each of 0, 1, ..., k-1."""

    names: Sequence[str]

    def place(self, value: float) -> float | None:
        """Return the place of a number between 0 and 1; the middle of the first of k parts belongs to 0."""
        part = (value + 0.5) / max(1, len(self.names))
        return part if 0.0 <= part <= 1.0 else None


@dataclass(frozen=True)
class Frame:
    """The area of a picture between its axes."""

    left: float
    top: float
    width: float
    height: float
    x: Scale | Names
    y: Scale | Names

    def at(self, x: float, y: float) -> Point | None:
        """Return the place of a point, or None if the axes do not have it."""
        across, up = self.x.place(x), self.y.place(y)
        if across is None or up is None:
            return None
        return self.left + across * self.width, self.top + self.down(up) * self.height

    def near(self, x: float, y: float) -> Point | None:
        """Return the place of a point, moved to the lower or upper edge if it is beyond; None if it has no x or y."""
        across = self.x.place(x)
        if across is None or isnan(y):
            return None
        up = self.y.place(y)
        if up is None:
            up = 1.0 if isinstance(self.y, Scale) and y > self.y.middle else 0.0
        return self.left + across * self.width, self.top + self.down(up) * self.height

    def down(self, part: float) -> float:
        """Return the part of the height below the top: numbers grow upwards, names are read from the top."""
        return part if isinstance(self.y, Names) else 1.0 - part


def begin(title: str) -> Page:
    """Return a page with a title."""
    page = Page()
    page.write(title, TITLE, _TITLE_LINES, bold=True)
    page.y += NEAR
    return page


def label_of(axis: Axis, scale: Scale | Names) -> str:
    """Return the label of an axis, with the power of ten of its numbers."""
    power = scale.power if isinstance(scale, Scale) else 0
    return f"{axis.label} (times 1e{power})".replace("-", MINUS) if power else axis.label


def room_left(scale: Scale | Names, size: float = NORMAL) -> float:
    """Return the width of the labels of a vertical axis; `size` is that of names."""
    if isinstance(scale, Names):
        most = NAMES * WIDTH
        return min(most, max((width_of(fit(name, most, size), size) for name in scale.names), default=0.0))
    return max((_tick_width(tick) for tick in scale.ticks), default=0.0)


def _tick_width(tick: Tick) -> float:
    return width_of(tick.label, SMALL) + width_of(tick.exponent, TINY)


def draw_axes(page: Page, frame: Frame, x: Axis, *, base: bool = True) -> None:
    """Add grid lines, the axes with their ticks, and the label of the horizontal axis; move below them."""
    bottom, right = frame.top + frame.height, frame.left + frame.width
    if isinstance(frame.y, Scale):
        places = [
            (tick, frame.top + (1.0 - (frame.y.place(tick.value) or 0.0)) * frame.height) for tick in frame.y.ticks
        ]
        page.items.append(_grid([[(frame.left, y), (right, y)] for tick, y in places if tick.label]))
        for tick, y in places:
            page.items += _numbered(tick, frame.left - NEAR, y + 0.36 * SMALL, "end")
    if isinstance(frame.x, Scale):
        marks = [(tick, frame.left + (frame.x.place(tick.value) or 0.0) * frame.width) for tick in frame.x.ticks]
        page.items.append(_grid([[(at, frame.top), (at, bottom)] for tick, at in marks if tick.label]))
        page.items.append(
            Stroke([[(at, bottom), (at, bottom + (4 if t.label else 2.5))] for t, at in marks], width=0.8)
        )
        for tick, at in marks:
            page.items += _numbered(tick, at, bottom + NEAR + ASCENT * SMALL, "middle")
    page.items.append(Stroke([[(frame.left, bottom), (right, bottom)]], width=0.8))
    if base:
        page.items.append(Stroke([[(frame.left, frame.top), (frame.left, bottom)]], width=0.8))
    page.y = bottom + NEAR + LINE * SMALL
    if isinstance(frame.x, Names):
        page.y = bottom + name_columns(page, frame, frame.x.names)
    if label := label_of(x, frame.x):
        middle = frame.left + frame.width / 2
        room = 2 * min(middle, WIDTH - middle)
        if width_of(label) > room:  # it is centred over the whole width instead
            middle, room = WIDTH / 2, WIDTH
        page.items.append(fitted(middle, page.y + ASCENT * NORMAL, label, room, NORMAL, "middle"))
        page.y += LINE * NORMAL


def _grid(lines: Sequence[Sequence[Point]]) -> Stroke:
    return Stroke(lines, width=0.8, opacity=FAINT)


def _numbered(tick: Tick, x: float, y: float, anchor: str) -> list[Item]:
    """Return the label of a tick; an exponent is a smaller text above its end."""
    if not tick.label:
        return []
    start = x - _tick_width(tick) * (1.0 if anchor == "end" else 0.5)
    items: list[Item] = [Text(start, y, tick.label, SMALL)]
    if tick.exponent:
        items.append(Text(start + width_of(tick.label, SMALL), y - 0.4 * SMALL, tick.exponent, TINY))
    elif anchor == "end":
        items = [Text(x, y, tick.label, SMALL, "end")]
    else:
        items = [Text(x, y, tick.label, SMALL, "middle")]
    return items


def name_rows(page: Page, frame: Frame, names: Sequence[str], size: float = NORMAL) -> None:
    """Add the names of rows to the left of a frame; if they are too close, every second, third, ... one."""
    if not names:
        return
    height = frame.height / len(names)
    every = -(-LINE * size // height) if height < LINE * size else 1
    for i in range(0, len(names), int(every)):
        y = frame.top + (i + 0.5) * height + 0.36 * size
        page.items.append(fitted(frame.left - NEAR, y, names[i], frame.left - NEAR, size, "end"))


def name_columns(page: Page, frame: Frame, names: Sequence[str]) -> float:
    """Add the names of columns below a frame, turned if they are too wide; return the height that they take."""
    if not names:
        return 0.0
    bottom, width = frame.top + frame.height, frame.width / len(names)
    if all(width_of(fit(name, WIDTH, SMALL), SMALL) <= width - 3 for name in names):
        for i, name in enumerate(names):
            x = frame.left + (i + 0.5) * width
            page.items.append(fitted(x, bottom + NEAR + ASCENT * SMALL, name, width, SMALL, "middle"))
        return NEAR + LINE * SMALL
    every = int(-(-LINE * SMALL // width)) if width < LINE * SMALL else 1
    shown = range(0, len(names), every)
    short = {i: fit(names[i], 0.3 * WIDTH, SMALL) for i in shown}
    for i in shown:
        x, whole = frame.left + (i + 0.5) * width + 0.36 * SMALL, names[i] if short[i] != names[i] else ""
        page.items.append(Text(x, bottom + NEAR, short[i], SMALL, "end", turned=True, whole=whole))
    return 2 * NEAR + max((width_of(words, SMALL) for words in short.values()), default=0.0)


#: A sample of a series, drawn at a place that is `SAMPLE` wide, and its name.
Entry = tuple[Callable[[float, float], list[Item]], str]


def draw_legend(page: Page, entries: Sequence[Entry]) -> None:
    """Add the entries of a legend in rows; of more than `ENTRIES` the rest is counted."""
    if not entries:
        return
    shown = list(entries if len(entries) <= ENTRIES else entries[: ENTRIES - 1])
    if len(shown) < len(entries):
        shown.append((lambda x, y: [], f"and {len(entries) - len(shown)} more"))
    page.y += GAP
    x = 0.0
    for sample, name in shown:
        short = fit(name, WIDTH - SAMPLE - NEAR, SMALL)
        width = SAMPLE + NEAR + width_of(short, SMALL)
        if x and x + width > WIDTH:
            x, page.y = 0.0, page.y + 1.4 * SMALL
        line = Text(x + SAMPLE + NEAR, page.y + ASCENT * SMALL, short, SMALL, whole=name if short != name else "")
        page.items.append(Named(name, [*sample(x, page.y + 0.58 * SMALL), line]))
        x += width + 1.6 * GAP
    page.y += 1.4 * SMALL


def draw_notes(page: Page, notes: Iterable[str]) -> None:
    """Add notes below a picture."""
    for note in notes:
        page.y += NEAR
        page.write(note, SMALL, _NOTE_LINES)
