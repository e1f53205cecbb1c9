"""The layout of `Bars`: a bar or a point for each name."""

from functools import partial
from math import isfinite, isnan

from kernlearn.report.plots.layout.frame import (
    GAP,
    NEAR,
    SAMPLE,
    Frame,
    Names,
    Page,
    begin,
    color_of,
    draw_axes,
    draw_legend,
    draw_notes,
    name_rows,
    room_left,
    shape_of,
)
from kernlearn.report.plots.layout.scene import SMALL, WIDTH, Item, Named, Point, Scene, Stroke, Symbols, Text, width_of
from kernlearn.report.plots.layout.ticks import MINUS, Scale, scale_of
from kernlearn.report.plots.picture import Bars

#: Units of a row, and the share of it that a bar fills.
_ROW, _SHARE = 22.0, 0.62
#: The first so many bars are drawn; the note says what the others are.
MOST_BARS = 60
#: Least units to the left of the axis, for the first number below it.
_LEAST_LEFT = 18.0
#: Units of the ends of an interval, and of the head of an arrow to a value beyond the axis.
_CAP, _ARROW = 3.0, 5.0
#: The size of the point of a value.
_DOT = 8.0


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
    draw_legend(page, [(partial(_sample, look), name) for name, look in picture.groups])
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
        look = picture.groups[picture.members[i]][1] if picture.groups else 0
        page.items.append(Symbols([place], shape_of(look), color_of(look), _DOT))
    else:
        start = frame.left + (frame.x.place(0.0) or 0.0) * frame.width
        half = _SHARE * _ROW / 2
        corners: list[Point] = [(start, y - half), (x, y - half), (x, y + half), (start, y + half)]
        page.items.append(Stroke([corners], 1, 0.0, fill=0.75))
    if len(picture.low) and len(picture.high):
        _interval(page, frame, i, picture.low[i], picture.high[i])


def _interval(page: Page, frame: Frame, i: int, low: float, high: float) -> None:
    """Add the interval of a value, with a cap at each end; where it goes on beyond the axis, with an arrow."""
    if isnan(low) or isnan(high):
        return
    y, ends, heads = frame.top + (i + 0.5) * _ROW, list[Point](), list[list[Point]]()
    for end, edge, back in ((low, frame.left, _ARROW), (high, frame.left + frame.width, -_ARROW)):
        place = frame.at(end, i)
        x = place[0] if place else edge
        slant = 0.0 if place else back
        heads.append([(x + slant, y - _CAP), (x, y), (x + slant, y + _CAP)])
        ends.append((x, y))
    page.items.append(Stroke([ends, *heads], width=1.3))


def _sample(look: int, x: float, y: float) -> list[Item]:
    """Return the sample of a group for the legend."""
    return [Symbols([(x + SAMPLE / 2, y)], shape_of(look), color_of(look), _DOT)]


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
