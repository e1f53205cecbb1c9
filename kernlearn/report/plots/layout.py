"""From a picture to the places of its parts."""

from kernlearn.report.plots.bars import bars_scene
from kernlearn.report.plots.curves import curves_scene
from kernlearn.report.plots.grid import grid_scene
from kernlearn.report.plots.picture import Bars, Curves, Picture
from kernlearn.report.plots.scene import Scene


def scene_of(picture: Picture) -> Scene:
    """Return a picture as lines, areas, symbols and texts."""
    if isinstance(picture, Curves):
        return curves_scene(picture)
    return bars_scene(picture) if isinstance(picture, Bars) else grid_scene(picture)
