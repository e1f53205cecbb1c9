"""The layout of `Grid`: a shaded field for each pair of a row and a column."""

from collections.abc import Sequence
from math import isfinite

from kernlearn.report.plots.layout.frame import (
    FAINT,
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
    Text,
    fitted,
    printable,
    width_of,
)
from kernlearn.report.plots.layout.ticks import MINUS
from kernlearn.report.plots.picture import Grid

#: Largest units of a field.
_WIDE, _HIGH = 64.0, 34.0
#: Rows up to which a field may be as high; of more rows each is as high as its name.
_FEW_ROWS, _LOW = 20, 16.0
#: The opacity of the largest value; texts have contrast above it on light and on dark pages.
_DARKEST = 0.72
#: More rows or columns are joined.
MOST_FIELDS = 100
#: Fields of a grid that have a name and a text each.
_MOST_NAMED = 900
#: Units of the bar that explains the shade, and the number of its steps.
_SCALE_WIDTH, _SCALE_HEIGHT, _STEPS = 150.0, 10.0, 24


def grid_scene(picture: Grid) -> Scene:
    """Return the scene of a picture with fields."""
    page = begin(picture.title)
    values, rows, columns, joined = _coarse(picture)
    low, high = picture.limits or _range(values)
    names = Names(rows)
    left = room_left(names) + NEAR
    width = min(WIDTH - left - NEAR, _WIDE * len(columns))
    most = _HIGH if len(rows) <= _FEW_ROWS else _LOW
    height = len(rows) * min(most, max(4.0, width / max(1, len(columns))))
    page.items.append(fitted(0.0, page.y + ASCENT * NORMAL, picture.y.label, WIDTH))
    page.y += LINE * NORMAL + NEAR
    frame = Frame(left, page.y, width, height, Names(columns), names)
    is_joined = joined != (1, 1)
    if len(rows) * len(columns) > _MOST_NAMED:
        page.items += _shades(frame, values, low, high)
    else:
        for i, row in enumerate(values):
            for j, value in enumerate(row):
                shown = printable(picture.shown[i][j]) if len(picture.shown) and not is_joined else ""
                page.items.append(_field(frame, i, j, value, _part(value, low, high), shown))
    for i, j in picture.framed:
        page.items.append(Stroke([_corners(frame, i // joined[0], j // joined[1])], width=2.2))
    draw_axes(page, frame, picture.x)
    name_rows(page, frame, rows, SMALL if height / max(1, len(rows)) < LINE * NORMAL else NORMAL)
    _shade(page, picture.shade, low, high)
    draw_notes(page, _notes(values, joined))
    return Scene(picture.kind, picture.title, picture.words, page.y + GAP, page.items)


def _coarse(picture: Grid) -> tuple[list[list[float]], list[str], list[str], tuple[int, int]]:
    """Return the values with their names, where neighbours are joined to their mean if there are too many."""
    values = [[float(value) for value in row] for row in picture.values]
    rows = list(picture.y.names) or [str(i + 1) for i in range(len(values))]
    columns = list(picture.x.names) or [str(j + 1) for j in range(len(values[0]) if values else 0)]
    down, across = -(-len(rows) // MOST_FIELDS) or 1, -(-len(columns) // MOST_FIELDS) or 1
    if (down, across) == (1, 1):
        return values, rows, columns, (1, 1)
    means = [
        [
            _mean([value for row in values[i : i + down] for value in row[j : j + across]])
            for j in range(0, len(columns), across)
        ]
        for i in range(0, len(rows), down)
    ]
    return means, rows[::down], columns[::across], (down, across)


def _mean(values: Sequence[float]) -> float:
    known = [value for value in values if isfinite(value)]
    return sum(known) / len(known) if known else float("nan")


def _range(values: Sequence[Sequence[float]]) -> tuple[float, float]:
    known = [value for row in values for value in row if isfinite(value)]
    return min(known, default=0.0), max(known, default=0.0)


def _part(value: float, low: float, high: float) -> float:
    """Return the shade of a value between 0 and 1."""
    return min(1.0, max(0.0, (value - low) / (high - low))) if high > low else 0.5


def _corners(frame: Frame, i: int, j: int) -> list[Point]:
    width, height = _sizes(frame)
    x, y = frame.left + j * width, frame.top + i * height
    return [(x, y), (x + width, y), (x + width, y + height), (x, y + height), (x, y)]


def _sizes(frame: Frame) -> tuple[float, float]:
    assert isinstance(frame.x, Names) and isinstance(frame.y, Names)
    return frame.width / max(1, len(frame.x.names)), frame.height / max(1, len(frame.y.names))


def _shades(frame: Frame, values: Sequence[Sequence[float]], low: float, high: float) -> list[Item]:
    """Return the fields of a large grid by their shades, in steps of a hundredth, which need little space in a file."""
    by_shade: dict[float, list[list[Point]]] = {}
    for i, row in enumerate(values):
        for j, value in enumerate(row):
            if isfinite(value) and (shade := round(_DARKEST * _part(value, low, high), 2)):
                by_shade.setdefault(shade, []).append(_corners(frame, i, j)[:4])
    return [Stroke(corners, 1, 0.0, fill=shade) for shade, corners in sorted(by_shade.items())]


def _field(frame: Frame, i: int, j: int, value: float, part: float, shown: str) -> Named:
    """Return a field with its text, if it has room, and a name that says what it is."""
    assert isinstance(frame.x, Names) and isinstance(frame.y, Names)
    width, height = _sizes(frame)
    corners = _corners(frame, i, j)
    items: list[Item] = []
    if isfinite(value):
        items.append(Stroke([corners], 1, 0.0, fill=round(_DARKEST * part, 3)))
    if min(width, height) > 10:
        items.append(Stroke([corners], width=0.6, opacity=FAINT))
    if shown and width_of(shown, SMALL) <= width - 2 and height >= SMALL + 2:
        x, y = frame.left + (j + 0.5) * width, frame.top + (i + 0.5) * height
        items.append(Text(x, y + 0.36 * SMALL, shown, SMALL, "middle"))
    said = shown or (f"{value:.4g}" if isfinite(value) else "no value")
    return Named(f"{frame.y.names[i]}, {frame.x.names[j]}: {said}", items)


def _shade(page: Page, words: str, low: float, high: float) -> None:
    """Add a bar that explains the shade."""
    if not words or not high > low:
        return
    page.y += GAP
    ends = [f"{value:.4g}".replace("-", MINUS) for value in (low, high)]
    x = width_of(ends[0], SMALL) + NEAR
    step = _SCALE_WIDTH / _STEPS
    steps: list[Item] = []
    for k in range(_STEPS):
        left = x + k * step
        area = [
            (left, page.y),
            (left + step, page.y),
            (left + step, page.y + _SCALE_HEIGHT),
            (left, page.y + _SCALE_HEIGHT),
        ]
        steps.append(Stroke([area], 1, 0.0, fill=round(_DARKEST * (k + 0.5) / _STEPS, 3)))
    y = page.y + 0.5 * _SCALE_HEIGHT + 0.36 * SMALL
    page.items.append(Named(words, steps))
    page.items += [Text(0.0, y, ends[0], SMALL), Text(x + _SCALE_WIDTH + NEAR, y, ends[1], SMALL)]
    start = x + _SCALE_WIDTH + 2 * NEAR + width_of(ends[1], SMALL) + NEAR
    page.items.append(fitted(start, y, words, WIDTH - start, SMALL))
    page.y += _SCALE_HEIGHT + NEAR


def _notes(values: Sequence[Sequence[float]], joined: tuple[int, int]) -> list[str]:
    if not any(isfinite(value) for row in values for value in row):
        return ["There are no values to show."]
    down, across = joined
    return [f"Each field is the mean of {down} x {across} values."] if joined != (1, 1) else []
