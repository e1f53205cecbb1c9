"""Lines of tables in Markdown."""

from collections.abc import Iterable


def table_line(cells: Iterable[str]) -> str:
    r"""Return a line of a table. A ``|`` in a cell, as in ``|w|``, is escaped as ``\|``."""
    escaped = (cell.replace("|", r"\|") for cell in cells)
    return f"| {' | '.join(escaped)} |"
