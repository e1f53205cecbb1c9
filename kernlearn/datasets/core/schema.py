"""How the columns of a table became features, so that other tables with these columns can become the same."""

from dataclasses import dataclass


@dataclass(frozen=True)
class RawColumn:
    """A column of a file that is learned from."""

    name: str
    #: Its place in the file, from 0 on, which names it in files without names.
    number: int
    #: One of `kernlearn.datasets.core.cells.TYPES`; of sentences "word" or "text".
    kind: str
    #: The texts of a category or text, in the order of their codes; empty for numbers.
    values: tuple[str, ...] = ()
    #: Whether the file's own features are one indicator for every value, and not the code of the value.
    indicators: bool = False


@dataclass(frozen=True)
class TableSchema:
    """The columns of a file that are learned from, and how its cells were read."""

    #: In the order of the features.
    columns: tuple[RawColumn, ...]
    target: str
    target_number: int
    #: How many columns the file has.
    width: int
    #: Whether the names are the file's own.
    named: bool
    #: `decimal`, `thousands`: how numbers were written.
    decimal: str = "."
    thousands: str = ""
    #: The texts without a value that a person has named.
    na_values: tuple[str, ...] | None = None
