"""From a picture to the places of its parts."""

from dataclasses import replace

from kernlearn.report.plots.layout.bars import bars_scene
from kernlearn.report.plots.layout.curves import curves_scene
from kernlearn.report.plots.layout.frame import Page
from kernlearn.report.plots.layout.grid import grid_scene
from kernlearn.report.plots.layout.scene import SMALL, Scene
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
