"""Pictures as files: SVG of our own, PDF and PNG by matplotlib."""

from collections.abc import Sequence
from pathlib import Path

from kernlearn.report.pictures import ORIGIN
from kernlearn.report.plots.picture import Picture
from kernlearn.report.plots.svg import svg_file

#: Bytes at either end of a file that say who made it.
_ENDS = 4096


def pictures_file(pictures: Sequence[Picture], suffix: str) -> bytes:
    """Return pictures on one sheet as a file; ``.svg``, ``.pdf`` or ``.png``.

    Raises
    ------
    UserError
        If matplotlib is not installed, for ``.pdf`` and ``.png``.
    """
    if suffix == ".svg":
        return svg_file(pictures).encode()
    from kernlearn.report.plots.print import draw_pages

    return draw_pages(pictures, suffix)


def is_picture(path: Path) -> bool:
    """Return whether a file says that it is a picture of kernlearn, so that another one may replace it."""
    with path.open("rb") as file:
        head = file.read(_ENDS)
        file.seek(max(0, path.stat().st_size - _ENDS))
        return ORIGIN.encode() in head + file.read(_ENDS)
