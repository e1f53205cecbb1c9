"""Drawings of tables and figures, whose modules define the content. The same rows give the same bytes."""

import io
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from kernlearn.errors import UserError
from kernlearn.papers import Figure, Table
from kernlearn.papers.core.tables import Points
from kernlearn.places import code_directory

STYLE = {
    "font.size": 9.0,
    "mathtext.fontset": "dejavusans",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.6,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "lines.linewidth": 1.5,
    "legend.frameon": False,
    "legend.handlelength": 2.4,
    "svg.hashsalt": "kernlearn",  # otherwise the names of elements are random
    "pdf.fonttype": 42,  # TrueType, which journals accept and readers can search
}
#: What pictures of `kernlearn plot` say of their origin.
ORIGIN = "kernlearn plot"
#: The facts that each format of a file would otherwise add, such as the date.
_METADATA: Mapping[str, dict[str, Any]] = {
    ".svg": {"Date": None, "Creator": None},
    ".png": {"Software": None},
    ".pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}
#: The fact that names the origin.
_ORIGINS = {".svg": "Creator", ".png": "Software", ".pdf": "Creator"}
#: The formats of drawings of tables and figures.
_USUAL = (".svg", ".png")


def draw_table(
    table: Table,
    rows: Sequence[Mapping[str, Any]],
    points: Points,
    suffixes: Sequence[str] = _USUAL,
    origin: str | None = None,
) -> dict[str, bytes]:
    """Return the drawings of a table by the suffix of their files; none if it has no picture or no measurements.

    Parameters
    ----------
    rows : sequence
        From `kernlearn.report.reproduction.table_rows`.
    points : mapping
        Its additional points, by name.
    suffixes : sequence of str
        ``.svg``, ``.png`` or ``.pdf``.
    origin : str, optional
        What the files say that they are made by.
    """
    paint = table.draw
    return render(table.size, lambda canvas: paint(canvas, rows, points), suffixes, origin) if paint and rows else {}


def draw_figure(
    figure: Figure, rows: list[dict[str, Any]], suffixes: Sequence[str] = _USUAL, origin: str | None = None
) -> dict[str, bytes]:
    """Return the drawings of a figure by the suffix of their files; see `draw_table`."""
    return render(figure.size, lambda canvas: figure.draw(canvas, rows), suffixes, origin)


def require_matplotlib() -> None:
    """Raise if drawing is not possible.

    Raises `UserError` if matplotlib is not installed.
    """
    _give_fonts_a_cache()
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise UserError("figures need matplotlib: pip install matplotlib") from None


def render(
    size: tuple[float, float], paint: Callable[[Any], None], suffixes: Sequence[str] = _USUAL, origin: str | None = None
) -> dict[str, bytes]:
    """Return the drawing that `paint` makes on a canvas with a size in inches, by the suffix of the files.

    The files say that they are made by `origin`, if it is given.

    Raises `UserError` if matplotlib is not installed.
    """
    require_matplotlib()
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Canvas

    drawings = {}
    settings: Any = {**matplotlib.rcParamsDefault, **STYLE}  # independent of the user's settings
    with matplotlib.rc_context(settings):
        canvas = Canvas(figsize=size, layout="constrained")
        FigureCanvasAgg(canvas)
        paint(canvas)
        for suffix in suffixes:
            content = io.BytesIO()
            canvas.savefig(content, format=suffix[1:], dpi=200, metadata=_METADATA[suffix] | {_ORIGINS[suffix]: origin})
            drawings[suffix] = content.getvalue()
    return drawings


def _give_fonts_a_cache() -> None:
    """Give matplotlib and fontconfig another cache directory if the home directory cannot be written to.

    Otherwise both would print warnings, and search all fonts of the machine every time.
    """
    if os.access(os.path.expanduser("~"), os.W_OK) or (place := code_directory()) is None:
        return
    for variable in ("MPLCONFIGDIR", "XDG_CACHE_HOME"):
        os.environ.setdefault(variable, str(place.with_name("fonts")))
