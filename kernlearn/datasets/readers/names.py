"""The first lines of a table: how many of them have names, and what is missing or too much at their ends."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from kernlearn.datasets.core.cells import Numerals, show
from kernlearn.datasets.core.columns import ROW_NAMES, Keys
from kernlearn.datasets.readers.header import WHOLE, has_header, is_plain_cell, may_be_names
from kernlearn.datasets.readers.source import SAMPLE, Row, Source
from kernlearn.errors import UserError

if TYPE_CHECKING:
    import pandas as pd

#: Said of the column of row names that R has written.
AS_R = "the first line has one name less than the rows have cells, as R writes it"
#: In so many columns a line has texts where all others have numbers, if it has units.
UNITS = 2


@dataclass(frozen=True)
class Head:
    """The first rows of a table, and those below."""

    source: Source
    #: The first three, or as many as there are.
    rows: Sequence[Row]
    #: The number of columns, without those at the end that have neither name nor value.
    width: int
    #: The columns that are no features, the target first.
    others: Sequence[int]
    keys: Keys
    numerals: Numerals
    #: Rows below so many of the first ones, or some thousands of them; None if there is none.
    below: Callable[[int], "pd.DataFrame | None"]
    #: Whether the first column has been given a name because it has row names.
    has_row_names: bool = False

    def names(self, n_lines: int) -> list[str]:
        """Return the names of the columns that so many lines have, empty where there is none."""
        lines = [row.cells[: self.width] for row in self.rows[:n_lines]]
        return [" ".join(filter(None, parts)) for parts in zip(*lines, strict=True)] if lines else [""] * self.width

    def lines_of_names(self) -> tuple[int, tuple[str, ...]]:
        """Return how many lines have names, and a remark if that is a guess.

        Raises `UserError` if the second line has units.
        """
        if self.keys.header is not None:
            return int(self.keys.header), ()
        first = self.rows[0].cells[: self.width]
        is_named = self.has_row_names or self._are_quoted() or self._has_header(0, self.keys.given)
        if not is_named:
            word = "no line has names"
            if may_be_names(first, self.numerals):
                word += ", although the numbers in the first one have equal steps, as names may have"
            return 0, (f"{word} (if not: dataset.header=true)",)
        if self._is_second_of_names():
            example = next(name for name in self.names(2) if name)
            return 2, (f"the first two lines have the names, such as {show(example)} (if not: dataset.header=true)",)
        self._refuse_units()
        return 1, ("the first line has the names (if not: dataset.header=false)",)

    def _has_header(self, line: int, given: Sequence[object] = ()) -> bool:
        rest = self.below(line + 1)
        return has_header(self.rows[line].cells[: self.width], rest, self.others, given, self.numerals)

    def _are_quoted(self) -> bool:
        """Tell numbers in quotes above others without: who quotes texts alone has written texts there."""
        if len(self.rows) < 2:
            return False
        above, below = map(self.source.quoted, self.rows[:2])
        return any(
            is_quoted and not is_below and all(self.numerals.value(row.cells[i]) is not None for row in self.rows[:2])
            for i, (is_quoted, is_below) in enumerate(zip(above, below, strict=False))
        )

    def _is_second_of_names(self) -> bool:
        """Tell names under names of which some are the same, as pandas writes columns of two levels.

        They may be known by that they are missing where the name above is the only one of its kind.
        """
        if len(self.rows) < 3:
            return False
        first, pairs = self.names(1), self.names(2)
        named = [i for i, name in enumerate(first) if name]
        counts = Counter(first)
        alone = [i for i in named if counts[first[i]] == 1]
        if len({pairs[i] for i in named}) < len(named) or len(alone) == len(named):
            return False
        is_by_need = 0 < len(alone) and all((first[i] == pairs[i]) == (counts[first[i]] == 1) for i in named)
        return is_by_need or self._has_header(1) or (not alone and self._has_whole_numbers_above_others())

    @property
    def _features(self) -> list[int]:
        others = set(self.others)
        return [i for i in range(self.width) if i not in others]

    def _has_whole_numbers_above_others(self) -> bool:
        """Tell whether the second line has whole numbers alone, and below are fractions in every feature."""
        rest = self.below(2)
        if rest is None or not all(map(WHOLE.fullmatch, self.rows[1].cells[: self.width])):
            return False
        features = [rest[i] for i in self._features]
        return all(values.dtype.kind == "f" and (values.dropna() % 1.0 != 0.0).any() for values in features)

    def _refuse_units(self) -> None:
        """Raise `UserError` if the second line has texts where all below have numbers."""
        if len(self.rows) < 3:
            return
        _, line, cells = self.rows[1]
        texts = [i for i in self._features if not is_plain_cell(cells[i], self.numerals)]
        rest = self.below(2) if len(texts) >= UNITS else None
        units = [i for i in texts if rest is not None and rest[i].dtype.kind in "iuf" and rest[i].notna().any()]
        if len(units) >= UNITS:
            some = " and ".join(show(cells[i]) for i in units[:2])
            raise UserError(
                f"{self.source.file}, line {line}: has {some} where all lines below have numbers, as a line of units "
                "does; remove it, or say dataset.header=2 if it belongs to the names"
            )


def with_row_names(source: Source, keys: Keys) -> tuple[Source, bool, tuple[str, ...]]:
    """Return a table with a name more where the first line is one short, if it is one for row names, and a remark.

    It is one for row names, which R writes without a name, if no two rows have the same. If the last cell of every row
    is empty, the last column has no name.

    Raises `UserError` if some rows have the same first cell.
    """
    top, second = (*islice(source.rows(), 2), Row(0, 0, []), Row(0, 0, []))[:2]
    first, line = top.cells, top.line
    if keys.header is False or len(first) < 1 or len(second.cells) != len(first) + 1:
        return source, False, ()
    rows = [row.cells for row in islice(source.rows(), 1, SAMPLE)]
    if any(len(cells) != len(first) + 1 for cells in rows):
        return source, False, ()  # counting fields will tell which line has others
    if not any(cells[-1] for cells in rows):
        return source.with_last_cell(line), False, ()
    names = [cells[0] for cells in rows]
    if not _may_be_names(source, top, names):
        return source, False, ()
    if len({*names}) < len(names) or not all(names):
        again = next(name for i, name in enumerate(names) if not name or name in names[:i])
        raise UserError(
            f"{source.file}, line {line}: has {len(first)} names above rows of {len(first) + 1} cells, and these are "
            f"no row names, as several begin with {show(again)}; name every column, or put 1,000 and the like in quotes"
        )
    if keys.index_is_none:
        remark = "the first line has one name less than the rows have cells, and the last column has none"
        return source.with_last_cell(line), False, (f"{remark} (if it is the first: leave out dataset.index=none)",)
    return source.with_first_cell(line, ROW_NAMES), True, ()


def _may_be_names(source: Source, top: Row, row_names: Sequence[str]) -> bool:
    """Tell texts, and numbers that R writes as names: in quotes, or whole, above row names that are texts or count."""
    value = Numerals().value
    if all(value(cell) is None for cell in top.cells):
        return True
    are_counted = list(row_names) == [str(i + 1) for i in range(len(row_names))]
    if not are_counted and any(value(name) is not None for name in row_names):
        return False
    are_whole = len({*top.cells}) == len(top.cells) and all(map(WHOLE.fullmatch, top.cells))
    return are_whole or all(source.quoted(top))
