"""From a picture to the places of its parts."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from kernlearn.report.plots.layout.bars import bars_scene
from kernlearn.report.plots.layout.curves import curves_scene
from kernlearn.report.plots.layout.frame import Page
from kernlearn.report.plots.layout.grid import grid_scene
from kernlearn.report.plots.layout.scene import MARGIN, SMALL, Point, Scene
from kernlearn.report.plots.picture import Bars, Curves, Picture


def scene_of(picture: Picture) -> Scene:
    """Return a picture as lines, areas, symbols and texts."""
    if isinstance(picture, Curves):
        return curves_scene(picture)
    return bars_scene(picture) if isinstance(picture, Bars) else grid_scene(picture)


#: Lines of the words below a picture.
_LINES = 6


def with_words(scene: Scene) -> Scene:
    """Return a scene with its words below it, for files that no page explains."""
    if not scene.words:
        return scene
    page = Page(list(scene.items), scene.height)
    page.write(scene.words, SMALL, _LINES)
    return replace(scene, items=page.items, height=page.y + SMALL)


@dataclass(frozen=True)
class Sheet:
    """Pictures on one sheet, each with its words: their left upper corners, and the size, in units."""

    scenes: list[Scene]
    corners: list[Point]
    width: float
    height: float


def sheet_of(pictures: Sequence[Picture]) -> Sheet:
    """Return pictures on one sheet, column by column; with so many columns that it is about as wide as high."""
    scenes = [with_words(scene_of(one)) for one in pictures]
    wide, heights = scenes[0].width + 2 * MARGIN, [scene.height + 2 * MARGIN for scene in scenes]
    n_columns = min(len(scenes), max(1, round((sum(heights) / wide) ** 0.5)))
    columns = _columns(heights, n_columns)
    corners = [(i * wide, top) for i, column in enumerate(columns) for top in accumulate([0.0, *column[:-1]])]
    return Sheet(scenes, corners, wide * len(columns), max(map(sum, columns)))


def _columns(heights: Sequence[float], most: int) -> list[list[float]]:
    """Return heights in at most so many columns, in their order, such that the highest is as low as possible."""
    sums = [sum(heights[i:j]) for j in range(1, len(heights) + 1) for i in range(j)]
    for limit in sorted(sums):
        columns = [[heights[0]]]
        for height in heights[1:]:
            if sum(columns[-1]) + height <= limit:
                columns[-1].append(height)
            else:
                columns.append([height])
        if len(columns) <= most and max(map(sum, columns)) <= limit:
            return columns
    return [list(heights)]
