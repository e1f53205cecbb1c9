"""How the columns of a table became features, so that other tables with these columns can become the same."""

from dataclasses import dataclass


@dataclass(frozen=True)
class RawColumn:
    """A column of a file that is learned from.

    Attributes
    ----------
    name : str
    number : int
        Its place in the file, from 0 on, which names it in files without names.
    kind : str
        One of `kernlearn.datasets.core.cells.TYPES`; of sentences "word" or "text".
    values : tuple of str
        The texts of a category or text, in the order of their codes; empty for numbers.
    indicators : bool
        Whether the file's own features are one indicator for every value, and not the code of the value.
    """

    name: str
    number: int
    kind: str
    values: tuple[str, ...] = ()
    indicators: bool = False


@dataclass(frozen=True)
class TableSchema:
    """The columns of a file that are learned from, and how its cells were read.

    Attributes
    ----------
    columns : tuple of RawColumn
        In the order of the features.
    target : str
    target_number : int
    width : int
        How many columns the file has.
    named : bool
        Whether the names are the file's own.
    decimal, thousands : str
        How numbers were written.
    na_values : tuple of str, optional
        The texts without a value that a person has named.
    """

    columns: tuple[RawColumn, ...]
    target: str
    target_number: int
    width: int
    named: bool
    decimal: str = "."
    thousands: str = ""
    na_values: tuple[str, ...] | None = None
