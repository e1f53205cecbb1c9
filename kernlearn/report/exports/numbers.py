"""What is exported of a result: its numbers, and the grids in which a page shows them."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isfinite, isnan, nan
from typing import Literal, TypeVar

from kernlearn.evaluation import METRICS
from kernlearn.evaluation.comparison import LEVEL
from kernlearn.evaluation.metrics import SMALL, rounded
from kernlearn.report.exports.fitting import TEXT_WIDTH
from kernlearn.report.targets import Target

K = TypeVar("K")
#: Larger numbers are shown with an exponent.
LONGEST = 1e12
#: The note on bold numbers begins with it.
BOLD = "Bold:"
#: Marks a further reading of a paper's text.
READING = "(reading)"
#: Marks a column that the paper does not have.
ADDED = "(not in the paper)"


@dataclass(frozen=True)
class Number:
    """A measured number with what is known of it.

    Attributes
    ----------
    dataset, algorithm, metric : str
        Together they are its name.
    mean : float
        NaN if it is undefined.
    std : float or None
        The standard deviation over the splits.
    digits : int
        After the decimal point, where it is shown.
    n_splits : int
    printed_mean, printed_std : float or None
        The value in the paper.
    interval_low, interval_high : float or None
        The interval that decides on the verdict or, in a comparison, contains the mean.
    verdict : str
        Empty if there is none.
    best : bool
        Whether no number that it is compared with is better.
    p_value : float or None
        Of the test against the best, adjusted by Holm's rule; None if there is no test.
    n_not_optimal : int or None
        The number of selected solutions that are not proved optimal; None if nothing is proved of the method.
    known_as : str
        The name in `kernlearn.evaluation.METRICS`, if it is not `metric`.
    reading : bool
        Whether it is a further reading of the paper's text.
    no_verdict : str
        Why there is no verdict on a printed number; else empty.
    """

    dataset: str
    algorithm: str
    metric: str
    mean: float
    std: float | None
    digits: int
    n_splits: int
    printed_mean: float | None = None
    printed_std: float | None = None
    interval_low: float | None = None
    interval_high: float | None = None
    verdict: str = ""
    best: bool = False
    p_value: float | None = None
    n_not_optimal: int | None = None
    known_as: str = ""
    reading: bool = False
    no_verdict: str = ""

    @property
    def loss(self) -> Callable[[float], float] | None:
        """The function that is small for good values of the metric; None if neither direction is better."""
        known = METRICS.get(self.known_as or self.metric)
        return None if known is None else float.__neg__ if known.larger_is_better else float

    @property
    def delta(self) -> float | None:
        """Our mean minus the printed one."""
        return None if self.printed_mean is None else self.mean - self.printed_mean

    @property
    def worse(self) -> bool:
        """Whether a test finds it worse than the best."""
        return self.p_value is not None and self.p_value <= LEVEL


@dataclass(frozen=True)
class Options:
    """What an export shows; every format has a meaning for some of these.

    Attributes
    ----------
    digits : int or None
        After the decimal point; None for those of each metric.
    all_digits : bool
        Show all digits of the numbers.
    printed : bool
        Show the printed values below ours.
    prefix : str or None
        What the names of macros begin with, in the place of the name of the result.
    width : float
        Of the text of a LaTeX document, in points.
    """

    digits: int | None = None
    all_digits: bool = False
    printed: bool = False
    prefix: str | None = None
    width: float = TEXT_WIDTH


@dataclass(frozen=True)
class Grid:
    """A table of a page.

    Attributes
    ----------
    name : str
        A short name that no other grid of the document has.
    title : str
    rows, columns : sequence of str
        Their headings.
    cells : mapping
        The number at the place (row, column); some may be missing.
    """

    name: str
    title: str
    rows: Sequence[str]
    columns: Sequence[str]
    cells: Mapping[tuple[int, int], Number]

    @property
    def has_printed(self) -> bool:
        """Whether a paper prints one of the numbers."""
        return any(number.printed_mean is not None for number in self.cells.values())


@dataclass(frozen=True)
class Document:
    """The exported result.

    Attributes
    ----------
    target : Target
        The table, figure, run or comparison.
    title : str
    numbers : sequence of Number
        None of a figure.
    titles : mapping
        The titles of the metrics.
    layout : str
        ``"metrics"``: a grid for each metric, with data sets as rows and algorithms as columns, as papers have it;
        ``"datasets"``: a grid for each data set, with algorithms as rows and metrics as columns.
    notes : sequence of str
        Sentences on what the numbers are.
    test : str
        The test behind `Number.p_value` in words; empty if there is none.
    headings : mapping
        The headings of data sets whose heading is not their name.
    readings : collection of str
        The algorithms that are further readings of columns of the paper. They take no part in comparisons.
    additions : collection of str
        Those that the paper does not have, beside others that it has. They take no part, either.
    facts : mapping
        Counts over the whole table by name, such as of the numbers whose verdict is "inside".
    """

    target: Target
    title: str
    numbers: Sequence[Number]
    titles: Mapping[str, str]
    layout: Literal["metrics", "datasets"]
    notes: Sequence[str] = ()
    test: str = ""
    headings: Mapping[str, str] = field(default_factory=dict)
    readings: Collection[str] = ()
    additions: Collection[str] = ()
    facts: Mapping[str, int] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The name of the result."""
        return self.target.name

    def grids(self) -> list[Grid]:
        """Return the tables of its page."""
        if self.layout == "metrics":
            return [self._of_metric(*one) for one in grouped(self.numbers, lambda one: one.metric).items()]
        return [self._of_dataset(*one) for one in grouped(self.numbers, lambda one: one.dataset).items()]

    def _of_metric(self, metric: str, mine: Sequence[Number]) -> Grid:
        rows, columns = _places(one.dataset for one in mine), _places(one.algorithm for one in mine)
        cells = {(rows[one.dataset], columns[one.algorithm]): one for one in mine}
        headings = [self.headings.get(row, row) for row in rows]
        marks = {**dict.fromkeys(self.readings, f" {READING}"), **dict.fromkeys(self.additions, f" {ADDED}")}
        names = [f"{name}{marks.get(name, '')}" for name in columns]
        return Grid(metric, self.titles.get(metric, metric), headings, names, cells)

    def _of_dataset(self, dataset: str, mine: Sequence[Number]) -> Grid:
        rows, columns = _places(one.algorithm for one in mine), _places(one.metric for one in mine)
        cells = {(rows[one.algorithm], columns[one.metric]): one for one in mine}
        return Grid(dataset, dataset, list(rows), [self.titles.get(one, one) for one in columns], cells)

    def notes_of(self, grid: Grid, worse: str, unproved: str, printed: bool) -> list[tuple[str, str]]:
        """Return the note of a grid: sentences, each after a mark or an empty text.

        Parameters
        ----------
        worse, unproved : str
            The marks of a number that a test finds worse than the best, and of one that is not proved optimal.
        printed : bool
            Whether the printed values are shown.
        """
        numbers = grid.cells.values()
        notes = [("", note) for note in (*self.notes, *self.notes_on_verdicts(grid))]
        if any(number.best for number in numbers):
            notes.append(("", f"{BOLD} {self._best_of(grid)}."))
        if any(number.worse for number in numbers):
            notes.append((worse, f"worse than the best by {self.test}."))
        elif any(number.p_value is not None for number in numbers):
            notes.append(("", f"None{self._tested(grid)} is worse than the best by {self.test}."))
        if any(number.n_not_optimal for number in numbers):
            notes.append((unproved, "some selected solutions are not proved optimal."))
        if printed and grid.has_printed:
            notes.append(("", "Lines in italics: the values printed in the paper."))
        return notes

    def notes_on_verdicts(self, grid: Grid) -> list[str]:
        """Return which printed numbers of a grid have no verdict and why, and what its further readings are."""
        compared = [number for number in grid.cells.values() if number.printed_mean is not None]
        notes = []
        for why, mine in grouped(compared, lambda one: one.no_verdict).items():
            rows, columns = _places(one.dataset for one in mine), _places(one.algorithm for one in mine)
            others = {one.algorithm for one in compared if one.no_verdict != why}
            named = "" if not others else f" on {', '.join(rows if others & columns.keys() else columns)}"
            notes += [f"No verdict{named}: {why}."] if why else []
        has_readings = READING in self._marks(grid)
        if self._is_reading(grid):
            left_out = f", and leave columns marked {READING} out" if has_readings else ""
            compared_here = f"Bold numbers and tests compare its columns with each other{left_out}"
            notes.append(f"The whole table is a further reading of the paper's text. {compared_here}.")
        elif has_readings:
            notes.append(
                f"{READING}: a further reading of the paper's text. Bold numbers and tests leave such columns out."
            )
        if ADDED in self._marks(grid):
            notes.append(f"Bold numbers and tests also leave columns out that are {ADDED.strip('()')}.")
        return notes

    def _marks(self, grid: Grid) -> list[str]:
        """Return the marks of columns of a grid that are compared with none."""
        names = {number.algorithm for number in grid.cells.values()}
        known = ((READING, self.readings), (ADDED, self.additions))
        return [mark for mark, columns in known if not names.isdisjoint(columns)]

    def _is_reading(self, grid: Grid) -> bool:
        """Return whether a grid is a further reading as a whole, such as a metric beside the printed one."""
        return any(number.reading and number.algorithm not in self.readings for number in grid.cells.values())

    def _tested(self, grid: Grid) -> str:
        """Return the columns of metrics that are tested, in words; nothing for another layout."""
        tested = {column for (_, column), number in grid.cells.items() if number.p_value is not None}
        if self.layout != "datasets" or len(tested) == len(grid.columns):
            return ""
        return f" in the column {', '.join(grid.columns[i] for i in sorted(tested))}"

    def _best_of(self, grid: Grid) -> str:
        if self.layout == "datasets":
            return "the best of the column"
        loss = next(iter(grid.cells.values())).loss
        marks = self._marks(grid)
        those = f", without columns marked {' or '.join(marks)}" if marks else ""
        those = " without readings" if marks == [READING] and not self._is_reading(grid) else those
        return f"the {'smallest' if loss and loss(1.0) > 0 else 'largest'} of the row{those}"


def _places(names: Iterable[str]) -> dict[str, int]:
    """Return the places of names in the order of their first occurrence."""
    return {name: place for place, name in enumerate(dict.fromkeys(names))}


def grouped(numbers: Iterable[Number], key: Callable[[Number], K]) -> dict[K, list[Number]]:
    """Return numbers by a key, in the order of its first occurrence."""
    groups = dict[K, list[Number]]()
    for number in numbers:
        groups.setdefault(key(number), []).append(number)
    return groups


def with_best(
    numbers: Sequence[Number], p_values: Callable[[Number, Number], float | None] | None = None
) -> list[Number]:
    """Return numbers that are compared with each other, such as those of one row, with the best ones marked.

    Numbers that look like the best one are marked, too.

    Parameters
    ----------
    numbers : sequence of Number
        Of one metric.
    p_values : function, optional
        Returns the p-value of a number against the best, without Holm's adjustment, or None if there is no test.
    """
    from kernlearn.evaluation.significance import holm

    loss = numbers[0].loss if numbers else None
    known = [one for one in numbers if not isnan(one.mean)]
    if loss is None or len(known) < 2:
        return list(numbers)
    best = min(known, key=lambda one: loss(one.mean))
    tested = {}
    for one in known if p_values else ():
        if p_values and one is not best and (p := p_values(one, best)) is not None:
            tested[id(one)] = p
    adjusted = dict(zip(tested, holm(list(tested.values())), strict=True))
    same = shown(best.mean, best.digits)
    return [
        replace(one, best=one is best or shown(one.mean, one.digits) == same, p_value=adjusted.get(id(one)))
        for one in numbers
    ]


def shown(value: float | None, digits: int | None) -> str:
    """Return a number as text, with all its digits if `digits` is None; empty if it is undefined."""
    if value is None or isnan(value):
        return ""
    if digits is None or not isfinite(value):
        return repr(float(value))
    if abs(value) >= LONGEST:
        return f"{value:.3e}"
    text = rounded(value, digits) if abs(value) < SMALL else f"{value:.{digits}f}"
    return text if float(text) or not text.startswith("-") else text[1:]  # no -0.00


def with_digits(document: Document, digits: int | None) -> Document:
    """Return a document whose numbers are all shown with so many digits after the decimal point."""
    return (
        document
        if digits is None
        else replace(document, numbers=[replace(one, digits=digits) for one in document.numbers])
    )


def number_or_none(text: str) -> float | None:
    """Return the number in a cell of a CSV file, or None if it is empty or undefined."""
    value = float(text) if text else nan
    return None if isnan(value) else value
