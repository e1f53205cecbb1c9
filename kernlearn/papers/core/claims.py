"""What the papers say in words, as checks that can fail."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isnan, nan
from random import Random
from typing import Any

from kernlearn.errors import UserError
from kernlearn.evaluation.significance import corrected_resampled_t
from kernlearn.papers.core.figures import Figure
from kernlearn.papers.core.measured import (
    FAILS,
    HOLDS,
    NOT_MEASURED,
    NOT_TESTABLE,
    Claim,
    Measured,
    Rows,
    everywhere,
    judgement,
)
from kernlearn.papers.core.tables import Statement, Table

#: So many rows have their numbers shown where a claim holds.
FEW = 3
#: So many times a claim is evaluated on invented numbers, to see whether it can be judged.
TRIALS = 3


def check_claims(table: Table, partitions: Rows) -> list[Claim]:
    """Return the claims of a table with what was found; none while columns that they need are missing.

    Other data and a smaller run than the paper's can neither confirm nor refute what it says. A claim that some rows
    with the data of the paper have is judged by these; one that needs a stand-in is "not testable".

    Parameters
    ----------
    partitions : sequence of mappings
        Rows with ``dataset``, ``algorithm``, ``seed``, ``metric`` and ``values`` (one number a split).
    """
    if table.stand_in or table.reduced:
        return not_testable(_claims(table, partitions))
    claims, stand_ins = _claims(table, partitions), table.stand_ins
    if not stand_ins & {row["dataset"] for row in partitions}:
        return claims
    exact = [row for row in partitions if row["dataset"] not in stand_ins]
    judged = {claim[0]: claim for claim in _claims(table, exact) if claim[2] in (HOLDS, FAILS)}
    return [judged[claim[0]] if claim[0] in judged else not_testable([claim])[0] for claim in claims]


def claims_of_figure(figure: Figure, rows: list[dict[str, Any]]) -> list[Claim]:
    """Return the claims of a figure with what was found."""
    claims = figure.claims(rows)
    return not_testable(claims) if figure.reduced else claims


def not_testable(claims: Sequence[Claim]) -> list[Claim]:
    """Return claims with what was found, and no judgement."""
    return [
        (claim, value, NOT_TESTABLE if judgement in (HOLDS, FAILS) else judgement) for claim, value, judgement in claims
    ]


def _claims(table: Table, partitions: Rows) -> list[Claim]:
    if not partitions:
        return []
    measured = Measured(partitions)
    claims = table.claims(measured) if table.claims and table.needs <= set(measured.algorithms) else []
    columns, values = set(measured.algorithms), _ValuesOf(table, measured, table.printed_rows())
    left_out = table.stand_ins - set(measured.datasets)
    stated = [one for one in table.statements if one.holds.columns <= columns]
    return claims + [_judged(one, [row for row in one.rows if row not in left_out], values) for one in stated]


def _judged(statement: Statement, rows: Sequence[str], values: "_ValuesOf") -> Claim:
    """Return a claim of a description with what was found in some rows, and what further readings make of it.

    The columns as stated decide whether it holds.
    """
    claim, found, judged = _with_columns(statement, rows, values)
    measured = [one for one in statement.readings if one in values.measured.algorithms]
    for reading in measured:
        stated = statement.readings[reading]
        _, other, word = _with_columns(statement, rows, replace(values, instead={stated: reading}))
        found += f"; with {reading} for {stated}: {other} ({word})"
    return claim, found, judged


def _with_columns(statement: Statement, rows: Sequence[str], values: "_ValuesOf") -> Claim:
    outcome = statement.holds.evaluate(values, rows)
    if outcome.rows is not None:
        return _of_every_row(statement.claim, outcome.rows)
    if outcome.holds is None:
        return statement.claim, "a row lacks what it compares", NOT_MEASURED
    return statement.claim, outcome.found, judgement(outcome.holds)


def _of_every_row(text: str, true: Mapping[str, tuple[bool, str]]) -> Claim:
    """Return a claim about every row, with the numbers of the rows where it fails, or of all if these are few."""
    named = {row: f"{row} ({numbers})" if numbers else row for row, (_, numbers) in true.items()}
    text, extent, judged = everywhere(text, {named[row]: holds for row, (holds, _) in true.items()})
    few = judged == HOLDS and len(true) <= FEW
    return text, f"{extent}: {', '.join(named.values())}" if few else extent, judged


def require_answers(table: Table, has: Callable[[str, str, str], bool]) -> None:
    """Raise `UserError` if a table shows a metric that it cannot measure, or has a claim that it can never judge.

    Parameters
    ----------
    has : callable
        ``has(row, column, metric)`` tells whether a cell will have a metric.
    """
    cells = [(row.name, column.name) for row in table.rows for column in table.columns if row.has(column)]
    for metric in table.metrics:
        if not any(has(*cell, metric) for cell in cells):
            raise UserError(
                f"{table.name}: metrics.{metric}: no cell of the table will have it, by its task, data and method; "
                "leave it out, or change the overrides"
            )
    for one in table.statements:
        values = [_Invented(table, has, table.printed_rows(), seed) for seed in range(TRIALS)]
        outcomes = [one.holds.evaluate(every, one.rows) for every in values]
        if not any(outcome.rows or outcome.holds is not None for outcome in outcomes):
            raise UserError(
                f"{table.name}: the claim {one.claim!r} can never be judged: {one.holds.text} has no value in "
                f"{'any row' if one.rows else 'a row, since none has its columns'}, whatever is measured; it divides "
                "by zero, or asks for a metric or a printed number that these cells do not have"
            )


@dataclass(frozen=True)
class _Invented:
    """Invented numbers for all that will be measured, by which it is seen whether a claim can be judged."""

    table: Table
    has: Callable[[str, str, str], bool]
    rows: Sequence[Mapping[str, str]]
    seed: int

    def mean(self, row: str, column: str, metric: str) -> float:
        if not self.has(row, column, metric):
            return nan
        return Random(f"{self.seed} {row} {column} {metric}").uniform(1.0, 2.0)

    deviation = mean

    def printed(self, row: str, column: str, metric: str) -> float:
        return _printed(self.table, self.rows, row, column, metric)

    def p_value(self, row: str, first: str, second: str, metric: str, ratio: float | None) -> float:
        return 0.5 * min(self.mean(row, first, metric), self.mean(row, second, metric))


def _printed(table: Table, rows: Sequence[Mapping[str, str]], row: str, column: str, metric: str) -> float:
    """Return a printed number of a table, NaN if none is printed."""
    line = next(one for one in table.rows if one.name == row)
    place = next(one for one in table.columns if one.name == column)
    value = table.printed_value(rows, line, place, metric)
    return value.mean if value else nan


@dataclass(frozen=True)
class _ValuesOf:
    """What was measured of a table, and what is printed, as expressions ask for it: NaN where there is nothing."""

    table: Table
    measured: Measured
    rows: Sequence[Mapping[str, str]]
    #: Columns whose measurements are those of another one, a further reading.
    instead: Mapping[str, str] = field(default_factory=dict)

    def mean(self, row: str, column: str, metric: str) -> float:
        column = self.instead.get(column, column)
        return self.measured.mean(row, column, metric) if self.measured.has(row, metric, column) else nan

    def deviation(self, row: str, column: str, metric: str) -> float:
        column = self.instead.get(column, column)
        return self.measured.deviation(row, column, metric) if self.measured.has(row, metric, column) else nan

    def printed(self, row: str, column: str, metric: str) -> float:
        return _printed(self.table, self.rows, row, column, metric)

    def p_value(self, row: str, first: str, second: str, metric: str, ratio: float | None) -> float:
        first, second = (self.instead.get(column, column) for column in (first, second))
        if not self.measured.has(row, metric, first, second):
            return nan
        ratio = self.measured.test_to_train(row, first) if ratio is None else ratio
        gains = [gain for gain in self.measured.differences(row, first, second, metric) if not isnan(gain)]
        return corrected_resampled_t(gains, ratio) if len(gains) > 1 and not isnan(ratio) else nan
