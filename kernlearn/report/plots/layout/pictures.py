"""From a picture to the places of its parts."""

from kernlearn.report.plots.layout.bars import bars_scene
from kernlearn.report.plots.layout.curves import curves_scene
from kernlearn.report.plots.layout.grid import grid_scene
from kernlearn.report.plots.layout.scene import Scene
from kernlearn.report.plots.picture import Bars, Curves, Picture


def scene_of(picture: Picture) -> Scene:
    """Return a picture as lines, areas, symbols and texts."""
    if isinstance(picture, Curves):
        return curves_scene(picture)
    return bars_scene(picture) if isinstance(picture, Bars) else grid_scene(picture)
