"""What an expression is made of: typed parts, each of which gives a number or a truth, for a row or for all rows."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import Protocol


class Undefined(ArithmeticError):
    """A value that was not measured, or that has no value, such as a quotient by zero."""


class Values(Protocol):
    """The values that an expression asks for; NaN where there is none."""

    def mean(self, row: str, column: str, metric: str) -> float:
        """Return the mean over all splits."""
        ...

    def deviation(self, row: str, column: str, metric: str) -> float:
        """Return the standard deviation over all splits."""
        ...

    def printed(self, row: str, column: str, metric: str) -> float:
        """Return the printed mean."""
        ...

    def p_value(self, row: str, first: str, second: str, metric: str, ratio: float | None) -> float:
        """Return the p-value of the corrected resampled t-test.

        `ratio` is the number of test examples divided by that of training examples, None for that of the splits.
        """
        ...


@dataclass
class Evaluation:
    """The state of one evaluation: the values, the rows, the current row, and what was found over all rows."""

    values: Values
    rows: Sequence[str]
    row: str = ""
    #: The values of the parts over all rows, which are computed once, and what they found in words.
    known: dict[int, float] = field(default_factory=dict)
    found: list[str] = field(default_factory=list)


#: Gives the value of a part; a truth is 1.0 or 0.0.
Value = Callable[[Evaluation], float]
#: Gives the column of the current row.
Column = Callable[[Evaluation], str]


@dataclass(frozen=True)
class Part:
    """A part of an expression.

    Attributes
    ----------
    truth : bool
        Whether it is true or false; otherwise it is a number.
    per_row : bool
        Whether every row has one of its own.
    value : callable
        Raises `Undefined` where it has none.
    """

    truth: bool
    per_row: bool
    value: Value


def defined(value: float) -> float:
    """Return a number, or raise `Undefined` if it is infinite or NaN."""
    if not isfinite(value):
        raise Undefined
    return value


def over_rows(summary: Callable[[dict[str, float]], tuple[float, str]], part: Part, *, truth: bool) -> Part:
    """Return the part that summarises the values of another one over all rows, and notes what was found in words.

    It has no value while one of the rows has none.
    """

    def value(now: Evaluation) -> float:
        if id(part) not in now.known:
            outer, values = now.row, dict[str, float]()
            for row in now.rows:
                now.row = row
                values[row] = part.value(now)
            now.row = outer
            if not values:
                raise Undefined
            now.known[id(part)], words = summary(values)
            if words not in now.found:
                now.found.append(words)
        return now.known[id(part)]

    return Part(truth, False, value)
