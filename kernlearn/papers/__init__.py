"""What each table of each paper is: its printed values, its plan, its claims."""

from kernlearn.papers.core.compare import PrintedValue, judge, printed_values, table_values
from kernlearn.papers.core.figures import Figure, figure_names, load_figure
from kernlearn.papers.core.tables import Column, Table, load_table, table_names

__all__ = [
    "Column",
    "Figure",
    "PrintedValue",
    "Table",
    "figure_names",
    "judge",
    "load_figure",
    "load_table",
    "printed_values",
    "table_names",
    "table_values",
]
