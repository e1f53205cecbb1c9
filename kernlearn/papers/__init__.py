"""What each table of each paper is: its printed values, its plan, its claims."""

from kernlearn.papers.compare import PrintedValue, printed_values, verdict

__all__ = ["PrintedValue", "printed_values", "verdict"]
