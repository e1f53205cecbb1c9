"""The layout of `Bars`: a bar or a point for each name."""

from math import isfinite

from kernlearn.report.plots.layout.frame import (
    GAP,
    NEAR,
    Frame,
    Names,
    Page,
    begin,
    draw_axes,
    draw_notes,
    name_rows,
    room_left,
)
from kernlearn.report.plots.layout.scene import SMALL, WIDTH, Named, Point, Scene, Stroke, Symbols, Text, width_of
from kernlearn.report.plots.layout.ticks import MINUS, Scale, scale_of
from kernlearn.report.plots.picture import Bars

#: Units of a row, and the share of it that a bar fills.
_ROW, _SHARE = 22.0, 0.62
#: The first so many bars are drawn; the note says what the others are.
MOST_BARS = 40
#: Least units to the left of the axis, for the first number below it.
_LEAST_LEFT = 18.0
#: Units of the ends of an interval, and of the head of an arrow to a value beyond the axis.
_CAP, _ARROW = 3.0, 5.0


def bars_scene(picture: Bars) -> Scene:
    """Return the scene of a picture with bars."""
    page = begin(picture.title)
    names, values = list(picture.names)[:MOST_BARS], [float(value) for value in picture.values][:MOST_BARS]
    numbers = [_number(value) for value in values]
    rows = Names(names)
    height = _ROW * max(1, len(names))
    left = max(room_left(rows, SMALL) + NEAR, _LEAST_LEFT)
    width = WIDTH - left - max((width_of(text, SMALL) for text in numbers), default=0.0) - 2 * NEAR
    ends = [*values, *picture.low[:MOST_BARS], *picture.high[:MOST_BARS]]
    ends += [] if picture.reference is None else [picture.reference]
    x = scale_of(picture.x, ends, width, zero=not picture.dots and not picture.x.log)
    frame = Frame(left, page.y, width, height, x, rows)
    draw_axes(page, frame, picture.x, base=picture.dots)
    _zero_line(page, frame, x, picture)
    name_rows(page, frame, names, SMALL)
    for i, (name, value, text) in enumerate(zip(names, values, numbers, strict=True)):
        _bar(page, frame, picture, i, value)
        y = frame.top + (i + 0.5) * _ROW + 0.36 * SMALL
        page.items.append(Named(name, [Text(WIDTH, y, text, SMALL, "end")]))
    draw_notes(page, _notes(picture))
    return Scene(picture.kind, picture.title, picture.words, page.y + GAP, page.items)


def _zero_line(page: Page, frame: Frame, scale: Scale, picture: Bars) -> None:
    bottom = frame.top + frame.height
    for value, dash in ((None if picture.dots else 0.0, ()), (picture.reference, (5.0, 4.0))):
        if value is not None and (part := scale.place(value)) is not None:
            x = frame.left + part * frame.width
            page.items.append(Stroke([[(x, frame.top), (x, bottom)]], width=1.0, dash=dash))


def _bar(page: Page, frame: Frame, picture: Bars, i: int, value: float) -> None:
    """Add the bar or point of a value with its interval."""
    place = frame.at(value, i)
    if place is None:
        _beyond(page, frame, i, value)
        return
    x, y = place
    if picture.dots:
        page.items.append(Symbols([place], color=1, size=8.0))
    else:
        start = frame.left + (frame.x.place(0.0) or 0.0) * frame.width
        half = _SHARE * _ROW / 2
        corners: list[Point] = [(start, y - half), (x, y - half), (x, y + half), (start, y + half)]
        page.items.append(Stroke([corners], 1, 0.0, fill=0.75))
    if len(picture.low) and len(picture.high):
        ends = (frame.at(picture.low[i], i), frame.at(picture.high[i], i))
        if ends[0] and ends[1]:
            caps = [[(end, y - _CAP), (end, y + _CAP)] for end, _ in (ends[0], ends[1])]
            page.items.append(Stroke([[ends[0], ends[1]], *caps], width=1.3))


def _beyond(page: Page, frame: Frame, i: int, value: float) -> None:
    """Add an arrow at the edge for a value beyond the ends of the axis."""
    if isfinite(value) and isinstance(frame.x, Scale):
        up = value > frame.x.middle
        x, y = frame.left + frame.width * up, frame.top + (i + 0.5) * _ROW
        back = -_ARROW if up else _ARROW
        page.items.append(Stroke([[(x + back, y - _CAP), (x, y), (x + back, y + _CAP)]], 1, 1.8))
        page.items.append(Stroke([[(x + 3 * back, y), (x, y)]], 1, 1.8))


def _number(value: float) -> str:
    if not isfinite(value):
        return "no value"
    return f"{value:.0f}".replace("-", MINUS) if 1e3 <= abs(value) < 1e7 else f"{value:.3g}".replace("-", MINUS)


def _notes(picture: Bars) -> list[str]:
    """Return what is not drawn, in words."""
    if not len(picture.values):
        return ["There are no values to show."]
    rest = [float(value) for value in picture.values[MOST_BARS:]]
    if not rest:
        return []
    known = [value for value in rest if isfinite(value)]
    between = f", with values from {_number(min(known))} to {_number(max(known))}" if known else ""
    return [f"{len(rest)} more are not drawn{between}."]
