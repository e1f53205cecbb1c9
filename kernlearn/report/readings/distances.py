"""How near the readings of a table come to its printed numbers, and which of them cannot be told apart.

The distance of a reading is the mean of ``|log(ours / printed)|`` over the cells and over our draws. Two readings are
compared draw by draw, because they have the same draws. The noise of the difference is that of the draws alone: ::

    d_gs = difference of the two distances on data group g in draw s
    difference = sum_g w_g mean_s(d_gs),    variance = sum_g w_g^2 var_s(d_gs) / S_g

with the share w_g of the cells in group g and its S_g draws. Student's t with sum_g (S_g - 1) degrees of freedom gives
the p-value. Groups are the data sets of the printed table, since rows on the same data share their draws.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log, nan, sqrt
from statistics import fmean, variance
from typing import Any

from kernlearn.papers import Table
from kernlearn.papers.core.axes import Axis, Reading
from kernlearn.papers.core.compare import PrintedValue
from kernlearn.papers.core.units import Key, repetitions

Row = Mapping[str, Any]
#: Data group, row, column.
Cell = tuple[str, str, str]
#: Readings whose distance differs from the least by less than this test can find are alike.
LEVEL = 0.05


@dataclass(frozen=True)
class Tried:
    """A reading with the distance of each cell in each draw."""

    reading: Reading
    cells: Mapping[Cell, Mapping[Key, float]]

    @property
    def distance(self) -> float:
        """The mean over cells and draws; NaN without any."""
        return _mean(fmean(draws.values()) for draws in self.cells.values() if draws)

    def on(self, groups: Iterable[str]) -> "Tried":
        """Return it restricted to some data groups."""
        some = set(groups)
        return Tried(self.reading, {cell: draws for cell, draws in self.cells.items() if cell[0] in some})

    @property
    def n_draws(self) -> int:
        """The largest number of draws of a cell."""
        return max((len(draws) for draws in self.cells.values()), default=0)


@dataclass(frozen=True)
class Halves:
    """The data groups on which a reading is chosen, and those on which the choice is tested."""

    choosing: tuple[str, ...]
    testing: tuple[str, ...]


@dataclass(frozen=True)
class Stage:
    """What was tried in one stage of a search."""

    title: str
    #: Those whose cells are all finished.
    readings: list[Tried]
    #: The others, in words.
    unfinished: list[str]


@dataclass(frozen=True)
class Difference:
    """How much farther one reading is than another, its standard error, and the p-value of no difference."""

    value: float
    error: float
    p: float


def tried(table: Table, reading: Reading, partitions: Sequence[Row]) -> Tried:
    """Return the distances of a reading.

    Parameters
    ----------
    table : Table
        Under this reading or its own.
    partitions : sequence of mappings
        Rows of `kernlearn.report.reproduction.partition_rows`.
    """
    cells: dict[Cell, dict[Key, float]] = {}
    printed = table.printed_rows()
    for line in table.rows:
        for column in table.columns:
            mine = [row for row in partitions if (row["dataset"], row["algorithm"]) == (line.name, column.name)]
            for metric in table.metrics:  # the first one that is printed for this row
                same = [row for row in mine if row["metric"] == metric]
                if same and not column.reading and (value := table.printed_value(printed, line, column, metric)):
                    draws = repetitions(table.unit, same)
                    distances = {key: log_ratio(ours, value) for key, ours in draws.items()}
                    cells[line.printed, line.name, column.name] = distances
                    break
    return Tried(reading, cells)


def log_ratio(ours: float, printed: PrintedValue) -> float:
    """Return ``|log(ours / printed)|``. Values below half a unit of the last printed digit count as that much."""
    least = 0.5 * 10.0**-printed.digits
    return abs(log(max(ours, least) / max(printed.mean, least)))


def difference(first: Tried, second: Tried) -> Difference:
    """Return how much farther the first reading is than the second, over the cells and draws that both have.

    The p-value is 1 if no group has two draws, because the noise is not known then.
    """
    from scipy.special import stdtr

    groups: dict[str, dict[Key, list[float]]] = {}
    for cell in first.cells.keys() & second.cells.keys():
        one, other = first.cells[cell], second.cells[cell]
        for key in one.keys() & other.keys():
            groups.setdefault(cell[0], {}).setdefault(key, []).append(one[key] - other[key])
    sizes = {group: max(map(len, draws.values())) for group, draws in groups.items()}
    total, value, spread, freedom = sum(sizes.values()), 0.0, 0.0, 0
    if not total:
        return Difference(nan, nan, 1.0)
    for group, draws in groups.items():
        means, weight = [fmean(draws[key]) for key in sorted(draws)], sizes[group] / total
        value += weight * fmean(means)
        if len(means) > 1:
            spread += weight**2 * variance(means) / len(means)
            freedom += len(means) - 1
    if not freedom:
        return Difference(value, nan, 1.0)
    if spread == 0.0:
        return Difference(value, 0.0, float(value == 0.0))
    return Difference(value, sqrt(spread), float(2.0 * stdtr(freedom, -abs(value) / sqrt(spread))))


def nearest(readings: Sequence[Tried]) -> Tried:
    """Return the reading with the least distance; of equal ones the first."""
    return min((one for one in readings if one.cells), key=lambda one: one.distance)


def alike(readings: Sequence[Tried]) -> list[Tried]:
    """Return the readings that cannot be told from the nearest one.

    The test is at 5 % over all comparisons together (Bonferroni).
    """
    best, others = nearest(readings), [one for one in readings if one.cells]
    return [one for one in others if one is best or difference(one, best).p * (len(others) - 1) >= LEVEL]


def importance(axes: Sequence[Axis], readings: Sequence[Tried]) -> dict[str, Difference]:
    """Return the largest change of the distance that an alternative of each decision makes by itself."""
    own = next(one for one in readings if not one.reading)
    changes: dict[str, Difference] = {}
    for axis in axes:
        single = [one for one in readings if list(one.reading) == [axis.name] and one.cells]
        if single:
            changes[axis.name] = max((difference(one, own) for one in single), key=lambda change: abs(change.value))
    return changes


def that_matter(axes: Sequence[Axis], readings: Sequence[Tried]) -> list[Axis]:
    """Return the decisions with an alternative that differs from the table's own by more than the noise."""
    own = next(one for one in readings if not one.reading)
    single = [one for one in readings if len(one.reading) == 1 and one.cells]
    moved = {next(iter(one.reading)) for one in single if difference(one, own).p < LEVEL}
    return [axis for axis in axes if axis.name in moved]


def _mean(values: Iterable[float]) -> float:
    found = list(values)
    return fmean(found) if found else nan
