"""The drawings of tables and figures by their own modules, from stored rows, in any format."""

from pathlib import Path

from kernlearn.errors import UserError
from kernlearn.papers import load_figure, load_table
from kernlearn.report.figures import read_points
from kernlearn.report.pictures import ORIGIN, draw_figure, draw_table
from kernlearn.report.reproduction import read_partitions, table_rows
from kernlearn.report.targets import Target


def has_drawing(target: Target) -> bool:
    """Return whether the module of a table or figure draws it."""
    return target.kind == "figure" or (target.kind == "table" and load_table(target.name).draw is not None)


def drawing_of(target: Target, suffix: str) -> bytes:
    """Return the drawing of a table or figure as a file.

    Raises
    ------
    UserError
        If a table has no drawing, matplotlib is not installed, or the stored rows are damaged.
    """
    try:
        return _drawn(target, suffix)
    except (LookupError, TypeError, ArithmeticError, ValueError) as error:
        if isinstance(error, UserError):
            raise
        raise UserError(f"{target.name}: its stored rows cannot be drawn ({error!r})") from error


def _drawn(target: Target, suffix: str) -> bytes:
    if target.kind == "figure":
        return draw_figure(load_figure(target.name), read_points(_beside(target, ".csv")), (suffix,), ORIGIN)[suffix]
    table = load_table(target.name)
    if table.draw is None:
        raise UserError(f"{target.name}: has no drawing of its own; kernlearn plot {target.name} lists its pictures")
    rows = table_rows(table, read_partitions(_beside(target, "_partitions.csv"), table))
    points = {name: read_points(_beside(target, f"_{name}.csv")) for name in table.points}
    drawings = draw_table(table, rows, points, (suffix,), ORIGIN)
    if not drawings:
        raise UserError(f"{target.name}: has no measurements to draw")
    return drawings[suffix]


def _beside(target: Target, ending: str) -> Path:
    path = target.path.with_name(target.path.name + ending)
    if not path.is_file():
        raise UserError(f"{path}: does not exist; run kernlearn reproduce {target.name} first")
    return path
