"""The layout of `Curves`: series over two axes."""

from collections.abc import Iterator, Sequence
from math import isfinite, isnan

from kernlearn.report.plots.layout.frame import (
    FAINT,
    GAP,
    NEAR,
    SAMPLE,
    Entry,
    Frame,
    Names,
    Page,
    begin,
    color_of,
    draw_axes,
    draw_legend,
    draw_notes,
    label_of,
    name_rows,
    room_left,
    shape_of,
)
from kernlearn.report.plots.layout.scene import (
    ASCENT,
    LINE,
    NORMAL,
    SMALL,
    WIDTH,
    Item,
    Named,
    Point,
    Scene,
    Stroke,
    Symbols,
    fitted,
)
from kernlearn.report.plots.layout.ticks import Scale, scale_of
from kernlearn.report.plots.picture import Axis, Curves, Mark, Series

#: Units of the height of a frame with numbers, and of a line of a frame with names.
_HEIGHT, _ROW, _LEAST_ROW, _MOST_HEIGHT = 240.0, 26.0, 3.0, 1200.0
#: The height of a line of at most so many.
_HIGH_ROW, _FEW_ROWS = 42.0, 8
#: Patterns of lines, in the order of the series.
_DASHES: Sequence[Sequence[float]] = ((), (7, 3), (2, 2.5), (9, 2.5, 2, 2.5), (13, 4), (4, 2), (1, 3))
_OF_REFERENCE = (5.0, 4.0)
#: The length and half the width of the head of an arrow.
_ARROW, _HALF = 5.0, 3.0
#: With more points than these, a line has no symbols, and symbols are small and let others shine through.
_FEW, _MANY = 60, 300
#: Ring around a point that stands out.
RING = -1


def curves_scene(picture: Curves) -> Scene:
    """Return the scene of a picture with series."""
    page = begin(picture.title)
    x_values = [x for one in picture.series for x in one.x] + [mark.x for mark in picture.marks]
    y_values = [y for one in picture.series for y in one.y] + [mark.y for mark in picture.marks]
    if not picture.y.log:  # the logarithm of an end near 0 would need most of the scale
        y_values += [end for one in picture.series for ends in (one.low, one.high) for end in ends]
    is_square = picture.x.limits is not None and picture.x.limits == picture.y.limits
    height = _height(picture.y, is_square)
    y = _scale(picture.y, y_values, height, upright=True)
    left = room_left(y, SMALL) + NEAR
    width = WIDTH - left - 2.5 * NEAR
    width = min(width, height) if is_square else width
    x = _scale(picture.x, x_values, width, upright=False)
    if label := label_of(picture.y, y):
        page.items.append(fitted(0.0, page.y + ASCENT * NORMAL, label, WIDTH))
        page.y += LINE * NORMAL
    page.y += NEAR
    frame = Frame(left, page.y, width, height, x, y)
    draw_axes(page, frame, picture.x, base=isinstance(y, Scale))
    if isinstance(y, Names):
        name_rows(page, frame, y.names, SMALL)
        middles = [frame.top + (i + 0.5) * height / len(y.names) for i in range(len(y.names))]
        page.items.append(Stroke([[(left, at), (left + width, at)] for at in middles], width=0.8, opacity=FAINT))
    entries, hidden, beyond = list[Entry](), 0, 0
    looks = dict(
        zip((id(one) for one in picture.series if not one.reference), range(len(picture.series)), strict=False)
    )
    for one in picture.series:
        look = _Look(one, looks.get(id(one)) if one.look is None else one.look)
        hidden += _hidden(one, frame)
        beyond += _beyond(one, frame)
        page.items.append(Named(one.name, list(look.drawn(frame))))
        if one.name:
            entries.append((look.sample, one.name))
    for mark in picture.marks:
        entries += _mark(page, frame, mark)
    draw_legend(page, entries)
    draw_notes(page, _notes(picture, hidden, beyond))
    return Scene(picture.kind, picture.title, picture.words, page.y + GAP, page.items)


def _height(axis: Axis, is_square: bool) -> float:
    if axis.names:
        row = _HIGH_ROW if len(axis.names) <= _FEW_ROWS else _ROW
        return min(row * len(axis.names), max(_MOST_HEIGHT, _LEAST_ROW * len(axis.names)))
    return 320.0 if is_square else _HEIGHT


def _scale(axis: Axis, values: Sequence[float], length: float, *, upright: bool) -> Scale | Names:
    return Names(axis.names) if axis.names else scale_of(axis, values, length, upright=upright)


def _mark(page: Page, frame: Frame, mark: Mark) -> list[Entry]:
    """Add a point that stands out, and return its entry of the legend."""
    if (place := frame.at(mark.x, mark.y)) is None:
        return [(lambda x, y: [], f"{mark.words} (not on the axes)")]
    page.items.append(Named(mark.words, [Symbols([place], RING, size=13.0)]))
    return [(lambda x, y: [Symbols([(x + SAMPLE / 2, y)], RING, size=11.0)], mark.words)]


def _hidden(one: Series, frame: Frame) -> int:
    """Return the number of points that a logarithmic axis cannot show."""
    logs = [isinstance(scale, Scale) and scale.log for scale in (frame.x, frame.y)]
    return sum(
        any(log and isfinite(value) and value <= 0.0 for log, value in zip(logs, point, strict=True))
        for point in zip(one.x, one.y, strict=True)
    )


def _beyond(one: Series, frame: Frame) -> int:
    """Return the number of intervals of points that go on beyond the axis."""
    if one.style != "points" or not len(one.low) or not len(one.high):
        return 0
    ends = zip(one.x, one.y, one.low, one.high, strict=True)
    return sum(
        frame.at(x, y) is not None and any(not isnan(end) and frame.at(x, end) is None for end in (low, high))
        for x, y, low, high in ends
    )


def _notes(picture: Curves, hidden: int, beyond: int) -> list[str]:
    if not any(isfinite(x) and isfinite(y) for one in picture.series for x, y in zip(one.x, one.y, strict=True)):
        return ["There are no values to show."]
    some = "1 value is" if hidden == 1 else f"{hidden} values are"
    notes = [f"{some} 0 or negative and not on the logarithmic axis."] if hidden else []
    lines = "1 line goes" if beyond == 1 else f"{beyond} lines go"
    return [*notes, *([f"{lines} on beyond the axis, as an arrow says."] if beyond else [])]


class _Look:
    """How a series is drawn: its colour, pattern and symbol."""

    def __init__(self, series: Series, number: int | None):
        self.series, n = series, number or 0
        self.color = 0 if number is None else color_of(n)
        self.dash = _OF_REFERENCE if number is None else _DASHES[n % len(_DASHES)]
        self.shape = shape_of(n)
        self.has_line = series.style != "points"
        count = len(series.x)
        self.has_symbols = series.style == "points" or (series.style == "line and points" and count <= _FEW)
        self.size, self.opacity = (4.0, 0.55) if count > _MANY else (6.5, 0.85 if series.style == "points" else 1.0)
        self.width, self.faded = (1.0, 0.7) if number is None else (1.9, 1.0)

    def drawn(self, frame: Frame) -> Iterator[Item]:
        """Yield the items of the series: intervals, line, symbols."""
        one = self.series
        if len(one.low) and len(one.high):
            yield from self._intervals(frame)
        pieces = list(_pieces(frame, one.x, one.y))
        if self.has_line:
            lines = [_stairs(piece) if one.style == "steps" else piece for piece in pieces]
            yield Stroke(
                [_simple(line) for line in lines if len(line) > 1], self.color, self.width, self.dash, self.faded
            )
        points = list(dict.fromkeys((round(x, 1), round(y, 1)) for piece in pieces for x, y in piece))
        if not self.has_symbols:  # a point without neighbours has no line
            points = [piece[0] for piece in pieces if len(piece) == 1]
        if points:
            yield Symbols(points, self.shape, self.color, self.size, self.opacity)

    def _intervals(self, frame: Frame) -> Iterator[Item]:
        one = self.series
        if not self.has_line:
            ends = [
                (frame.near(x, low), frame.near(x, high)) for x, low, high in zip(one.x, one.low, one.high, strict=True)
            ]
            yield Stroke([[a, b] for a, b in ends if a and b], self.color, 1.2)
            heads = [*self._heads(frame, one.low, _ARROW), *self._heads(frame, one.high, -_ARROW)]
            if heads:
                yield Stroke(heads, self.color, 1.2)
            return
        bands = []
        for piece in _runs(one, frame):
            below, above = ([frame.near(one.x[i], ends[i]) for i in piece] for ends in (one.low, one.high))
            bands.append([place for place in (*below, *reversed(above)) if place])
        yield Stroke([band for band in bands if len(band) > 2], self.color, 0.0, fill=0.18)

    def _heads(self, frame: Frame, ends: Sequence[float], back: float) -> Iterator[list[Point]]:
        """Yield the heads of arrows at the edge, for the ends of intervals beyond it."""
        for x, y, end in zip(self.series.x, self.series.y, ends, strict=True):
            place = frame.near(x, end)
            if place and frame.at(x, y) and frame.at(x, end) is None:
                across, down = place
                yield [(across - _HALF, down - back), (across, down), (across + _HALF, down - back)]

    def sample(self, x: float, y: float) -> list[Item]:
        """Return the sample of the series for the legend."""
        items: list[Item] = []
        if self.has_line:
            items.append(Stroke([[(x, y), (x + SAMPLE, y)]], self.color, self.width, self.dash, self.faded))
        if self.has_symbols:
            items.append(Symbols([(x + SAMPLE / 2, y)], self.shape, self.color, max(6.0, self.size)))
        return items


def _runs(one: Series, frame: Frame) -> Iterator[list[int]]:
    """Yield the numbers of neighbouring points that have a place and an interval."""
    run = list[int]()
    for i, (x, y) in enumerate(zip(one.x, one.y, strict=True)):
        if frame.at(x, y) is None or isnan(one.low[i]) or isnan(one.high[i]):
            if run:
                yield run
            run = []
        else:
            run.append(i)
    if run:
        yield run


def _pieces(frame: Frame, xs: Sequence[float], ys: Sequence[float]) -> Iterator[list[Point]]:
    """Yield the parts of a line that are not interrupted."""
    piece = list[Point]()
    for x, y in zip(xs, ys, strict=True):
        place = frame.at(x, y)
        if place is None:
            if piece:
                yield piece
            piece = []
        else:
            piece.append(place)
    if piece:
        yield piece


def _stairs(points: Sequence[Point]) -> list[Point]:
    """Return a line with a horizontal and then a vertical part between neighbours."""
    line = [points[0]]
    for (_, before), (x, y) in zip(points, points[1:], strict=False):
        line += [(x, before), (x, y)]
    return line


def _simple(points: Sequence[Point]) -> list[Point]:
    """Return a line without the points that lie on it anyway, at the resolution of a tenth of a unit."""
    line = list[Point]()
    for x, y in points:
        place = (round(x, 1), round(y, 1))
        if line and line[-1] == place:
            continue
        if len(line) > 1 and _between(line[-2], line[-1], place):
            line[-1] = place
        else:
            line.append(place)
    return line if len(line) > 1 else [*line, *line]


def _between(a: Point, b: Point, c: Point) -> bool:
    """Return whether b lies between a and c on a horizontal or vertical line."""
    return any(a[i] == b[i] == c[i] and (b[1 - i] - a[1 - i]) * (c[1 - i] - b[1 - i]) > 0 for i in (0, 1))
