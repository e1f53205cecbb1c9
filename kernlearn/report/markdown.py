"""Lines of tables in Markdown."""

from collections.abc import Iterable


def table_line(cells: Iterable[str]) -> str:
    r"""Return a line of a table; a ``|`` in a cell, such as those of ``|w|``, is written ``\|`` and ends no cell."""
    escaped = (cell.replace("|", r"\|") for cell in cells)
    return f"| {' | '.join(escaped)} |"
