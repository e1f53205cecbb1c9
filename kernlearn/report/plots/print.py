"""Pictures for print: the same scene as in `kernlearn.report.plots.svg`, drawn by matplotlib as PDF or PNG."""

import warnings
from collections.abc import Callable, Sequence
from typing import Any

from kernlearn.report.pictures import ORIGIN, render
from kernlearn.report.plots.layout.pictures import Sheet, sheet_of
from kernlearn.report.plots.layout.scene import MARGIN, Item, Named, Point, Stroke, Symbols, Text, outline
from kernlearn.report.plots.picture import Picture
from kernlearn.report.plots.svg import COLORS

#: Points of print for one unit: texts of 12.5 units become 9 points.
_POINTS = 0.72
_INK = "#1b1b1b"


def draw_pages(pictures: Sequence[Picture], suffix: str) -> bytes:
    """Return pictures on one sheet as a file, each with its words.

    Parameters
    ----------
    pictures : sequence of Picture
        At least one.
    suffix : str
        ``.pdf`` or ``.png``. Fonts are embedded in a PDF as TrueType. The same pictures give the same bytes with the
        same version of matplotlib.

    Raises
    ------
    UserError
        If matplotlib is not installed.
    """
    sheet = sheet_of(pictures)
    size = (sheet.width * _POINTS / 72, sheet.height * _POINTS / 72)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from")  # names may have characters of any language
        return render(size, _painter(sheet), (suffix,), ORIGIN)[suffix]


def _painter(sheet: Sheet) -> Callable[[Any], None]:
    def paint(canvas: Any) -> None:
        canvas.set_layout_engine("none")
        axes = canvas.add_axes((0, 0, 1, 1))
        axes.set_xlim(0.0, sheet.width)
        axes.set_axis_off()
        axes.set_ylim(sheet.height, 0.0)
        for scene, (left, top) in zip(sheet.scenes, sheet.corners, strict=True):
            _draw(axes, scene.items, (left + MARGIN, top + MARGIN))

    return paint


def _draw(axes: Any, items: Sequence[Item], corner: Point) -> None:
    for item in items:
        if isinstance(item, Text):
            _text(axes, item, corner)
        elif isinstance(item, Stroke):
            _stroke(axes, item, corner)
        elif isinstance(item, Symbols):
            _symbols(axes, item, corner)
        elif isinstance(item, Named):
            _draw(axes, item.items, corner)


def _text(axes: Any, text: Text, corner: Point) -> None:
    axes.text(
        text.x + corner[0],
        text.y + corner[1],
        text.words,
        size=text.size * _POINTS,
        color=_INK,
        weight="bold" if text.bold else "normal",
        ha={"start": "left", "middle": "center", "end": "right"}[text.anchor],
        va="baseline",
        rotation=90 if text.turned else 0,
        rotation_mode="anchor",
        parse_math=False,
    )


def _shifted(points: Sequence[Point], corner: Point) -> tuple[list[float], list[float]]:
    return [x + corner[0] for x, _ in points], [y + corner[1] for _, y in points]


def _stroke(axes: Any, stroke: Stroke, corner: Point) -> None:
    color = COLORS[stroke.color] if stroke.color else _INK
    for line in stroke.lines:
        x, y = _shifted(line, corner)
        if stroke.fill or not stroke.width:
            axes.fill(x, y, facecolor=color, alpha=stroke.fill, linewidth=0)
            continue
        width = stroke.width * _POINTS
        pattern = (0, [part / stroke.width for part in stroke.dash]) if stroke.dash else "solid"
        joint = {"solid_capstyle": "butt", "dash_capstyle": "butt"}
        axes.plot(x, y, color=color, linewidth=width, linestyle=pattern, alpha=stroke.opacity, **joint)


def _symbols(axes: Any, symbols: Symbols, corner: Point) -> None:
    from matplotlib.path import Path as Shape

    color = COLORS[symbols.color] if symbols.color else _INK
    x, y = _shifted(symbols.points, corner)
    look: dict[str, Any] = {"markerfacecolor": color, "markeredgewidth": 0, "marker": "o"}
    if symbols.shape < 0:
        look = {"markerfacecolor": "none", "markeredgewidth": 2 * _POINTS, "marker": "o", "markeredgecolor": color}
    size = symbols.size
    if symbols.shape > 0:
        corners = [(a, -b) for a, b in outline(symbols.shape, 1.0)]
        extent = max(max(abs(a), abs(b)) for a, b in corners)  # matplotlib scales a shape to 0.5
        look["marker"], size = Shape([*corners, corners[0]]), symbols.size * 2 * extent
    axes.plot(x, y, linestyle="none", markersize=size * _POINTS, alpha=symbols.opacity, **look)
