"""A checked expression, and its evaluation in the rows of a table."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from kernlearn.papers.language.parts import Evaluation, Part, Undefined, Values


@dataclass(frozen=True)
class Names:
    """The names that an expression may use.

    Attributes
    ----------
    columns : collection of str
    metrics : sequence of str
        The first is meant where none is named.
    larger_is_better : bool
        Of the first metric.
    """

    columns: Collection[str]
    metrics: Sequence[str]
    larger_is_better: bool = False


class Outcome(NamedTuple):
    """What an evaluation found.

    Attributes
    ----------
    rows : dict or None
        Of a condition on every row: whether it holds, and the numbers that it compares, for the rows that were
        measured.
    holds : bool or None
        Of a condition on all rows together; None if it was not measured.
    found : str
        The values over all rows, in words.
    """

    rows: dict[str, tuple[bool, str]] | None
    holds: bool | None
    found: str


@dataclass(frozen=True)
class Expression:
    """A checked expression.

    Attributes
    ----------
    text : str
    columns : frozenset of str
        Those that it names.
    condition : Part
    sides : sequence of Part
        What the comparison at its root compares; empty if it is no comparison.
    """

    text: str
    columns: frozenset[str]
    condition: Part
    sides: Sequence[Part]

    def evaluate(self, values: Values, rows: Sequence[str]) -> Outcome:
        """Return what is found in some rows.

        A condition on every row is judged by the rows that have all values it needs. One on all rows together is not
        measured while a row lacks a value.
        """
        now = Evaluation(values, rows)
        if self.condition.per_row:
            return Outcome(self._of_rows(now), None, "; ".join(now.found))
        try:
            holds = bool(self.condition.value(now))
        except Undefined:
            return Outcome(None, None, "")
        return Outcome(None, holds, "; ".join(now.found))

    def _of_rows(self, now: Evaluation) -> dict[str, tuple[bool, str]]:
        true = {}
        for row in now.rows:
            now.row = row
            try:
                holds = bool(self.condition.value(now))
                numbers = " against ".join(f"{side.value(now):.4g}" for side in self.sides)
            except Undefined:
                continue
            true[row] = holds, numbers
        return true
