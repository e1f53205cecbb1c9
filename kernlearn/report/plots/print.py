"""Pictures for print: the same scene as in `kernlearn.report.plots.svg`, drawn by matplotlib as PDF or PNG."""

import warnings
from collections.abc import Callable, Sequence
from typing import Any

from kernlearn.report.pictures import ORIGIN, render
from kernlearn.report.plots.layout.pictures import scene_of, with_words
from kernlearn.report.plots.layout.scene import MARGIN, Item, Named, Scene, Stroke, Symbols, Text, outline
from kernlearn.report.plots.picture import Picture
from kernlearn.report.plots.svg import COLORS

#: Points of print for one unit: texts of 12.5 units become 9 points.
_POINTS = 0.72
_INK = "#1b1b1b"


def draw_pages(pictures: Sequence[Picture], suffix: str) -> bytes:
    """Return pictures as one file, below each other, each with its words.

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
    scenes = [with_words(scene_of(one)) for one in pictures]
    width = scenes[0].width + 2 * MARGIN
    height = sum(scene.height + 2 * MARGIN for scene in scenes)
    size = (width * _POINTS / 72, height * _POINTS / 72)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from")  # names may have characters of any language
        return render(size, _painter(scenes, width, height), (suffix,), ORIGIN)[suffix]


def _painter(scenes: Sequence[Scene], width: float, height: float) -> Callable[[Any], None]:
    def paint(canvas: Any) -> None:
        canvas.set_layout_engine("none")
        axes = canvas.add_axes((0, 0, 1, 1))
        axes.set_xlim(-MARGIN, width - MARGIN)
        axes.set_axis_off()
        axes.set_ylim(height, 0.0)
        top = 0.0
        for scene in scenes:
            _draw(axes, scene.items, top + MARGIN)
            top += scene.height + 2 * MARGIN

    return paint


def _draw(axes: Any, items: Sequence[Item], top: float) -> None:
    for item in items:
        if isinstance(item, Text):
            _text(axes, item, top)
        elif isinstance(item, Stroke):
            _stroke(axes, item, top)
        elif isinstance(item, Symbols):
            _symbols(axes, item, top)
        elif isinstance(item, Named):
            _draw(axes, item.items, top)


def _text(axes: Any, text: Text, top: float) -> None:
    axes.text(
        text.x,
        text.y + top,
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


def _stroke(axes: Any, stroke: Stroke, top: float) -> None:
    color = COLORS[stroke.color] if stroke.color else _INK
    for line in stroke.lines:
        x, y = [point[0] for point in line], [point[1] + top for point in line]
        if stroke.fill or not stroke.width:
            axes.fill(x, y, facecolor=color, alpha=stroke.fill, linewidth=0)
            continue
        width = stroke.width * _POINTS
        pattern = (0, [part / stroke.width for part in stroke.dash]) if stroke.dash else "solid"
        joint = {"solid_capstyle": "butt", "dash_capstyle": "butt"}
        axes.plot(x, y, color=color, linewidth=width, linestyle=pattern, alpha=stroke.opacity, **joint)


def _symbols(axes: Any, symbols: Symbols, top: float) -> None:
    from matplotlib.path import Path as Shape

    color = COLORS[symbols.color] if symbols.color else _INK
    x, y = [point[0] for point in symbols.points], [point[1] + top for point in symbols.points]
    look: dict[str, Any] = {"markerfacecolor": color, "markeredgewidth": 0, "marker": "o"}
    if symbols.shape < 0:
        look = {"markerfacecolor": "none", "markeredgewidth": 2 * _POINTS, "marker": "o", "markeredgecolor": color}
    size = symbols.size
    if symbols.shape > 0:
        corners = [(a, -b) for a, b in outline(symbols.shape, 1.0)]
        extent = max(max(abs(a), abs(b)) for a, b in corners)  # matplotlib scales a shape to 0.5
        look["marker"], size = Shape([*corners, corners[0]]), symbols.size * 2 * extent
    axes.plot(x, y, linestyle="none", markersize=size * _POINTS, alpha=symbols.opacity, **look)
