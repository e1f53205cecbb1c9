"""Pictures of a reproduced table: our values against the printed ones."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from math import isfinite, log10, nan
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from kernlearn.evaluation import METRICS
from kernlearn.papers import Table, load_table, table_names
from kernlearn.papers.core.compare import INSIDE
from kernlearn.report.plots.layout.bars import MOST_BARS
from kernlearn.report.plots.picture import Axis, Bars, Curves, Picture, Series
from kernlearn.report.plots.stored import Lacking, stamp
from kernlearn.report.reproduction import printed_cell, read_partitions, table_rows
from kernlearn.report.scorecard import OUTCOMES, outcome_of, outcomes_of_cells, why_no_verdict
from kernlearn.report.targets import Target
from kernlearn.runner.engines.timing import counted

#: A scale is logarithmic if its largest value is so many times its smallest.
_WIDE = 20.0
#: What the lines of a picture are, for an axis and in words.
_LINES = f", with {100 * INSIDE:g} % intervals"
_WORDS_OF_LINES = (
    f" Lines are {100 * INSIDE:g} % predictive intervals of the printed numbers, from the repetitions of ours:"
)
#: The colours and symbols of verdicts, the same in all pictures: numbers of `Series.look`.
_LOOKS = dict(zip(OUTCOMES, (0, 4, 1, 5), strict=True))
#: The letters of a quantity on an axis.
_MOST_LETTERS = 40
#: An axis is extended for the ends of intervals by this share of what its values need, in either direction.
_FURTHER = 0.5

#: The rows of so many tables are kept.
_KEPT = 4

Row = Mapping[str, Any]


def agreement(target: Target) -> list[Picture]:
    """Return our values against the printed ones, a picture for each printed metric."""
    table, rows = _read(target)
    return [_against(table, metric, _shown(table, of_metric)) for metric, of_metric in rows.items()]


def deviations(target: Target) -> list[Picture]:
    """Return our values minus the printed ones with their intervals, a picture for each printed metric."""
    table, rows = _read(target)
    return [_deviations(table, metric, _shown(table, of_metric)) for metric, of_metric in rows.items()]


def of_paper(producer: Callable[[Target], list[Picture]], target: Target) -> list[Picture]:
    """Return the pictures of all tables of a paper that are reproduced and printed."""
    pictures = list[Picture]()
    for name in table_names():
        path = target.path.parent / name
        if name.partition("/")[0] == target.name and _measurements(path).exists():
            with suppress(Lacking):
                pictures += producer(Target("table", name, path))
    if not pictures:
        raise Lacking("none of its tables has both printed numbers and ours")
    return pictures


class Shown(NamedTuple):
    """What a picture shows of a metric, and what it says of it."""

    rows: list[Row]
    #: How many numbers are compared.
    numbers: str
    #: The numbers of verdicts, and why there are not more.
    verdicts: str
    #: The rows that are in medians: one for each printed number, on data of the paper if there are any.
    typical: list[Row]


def _read(target: Target) -> tuple[Table, dict[str, list[Row]]]:
    """Return a table, and its rows with a printed number by their metrics, from the measurements that pages show."""
    table, measurements = load_table(target.name), _measurements(target.path)
    rows = dict[str, list[Row]]()
    for row in _rows(target.name, measurements, stamp(measurements)):
        if isfinite(_of(row, "paper_mean")) and isfinite(_of(row, "mean")):
            rows.setdefault(row["metric"], []).append(row)
    if not rows:
        raise Lacking("the paper prints no number for it")
    return table, rows


@lru_cache(maxsize=_KEPT)
def _rows(name: str, measurements: Path, _: object) -> Sequence[Row]:
    """Return the rows of a table, which all of its pictures share; the last argument changes with the file."""
    table = load_table(name)
    return table_rows(table, read_partitions(measurements, table))


def _measurements(stem: Path) -> Path:
    """Return the file with the measurements of a table."""
    return stem.with_name(f"{stem.name.removesuffix('.csv')}_partitions.csv")


def _shown(table: Table, rows: Sequence[Row]) -> Shown:
    """Return what is shown of the rows of a metric: those that the scorecard counts, or further readings alone."""
    own = [row for row in rows if not printed_cell(table, row)[1]]
    cells = outcomes_of_cells(table, own)
    shown, left_out = own or list(rows), len(rows) - len(own) if own else 0
    first = list({printed_cell(table, row)[0]: row for row in reversed(own)}.values())[::-1] or shown
    known = [row for row in first if row["dataset"] not in table.stand_ins]
    if not own:
        numbers = f"{counted(len(shown), 'number')} of further readings, which the scorecard does not count."
    else:
        beside = f", compared with {len(own)} of ours" if len(own) > len(cells) else ""
        numbers = f"{counted(len(cells), 'printed number')}{beside}."
    without = {
        printed_cell(table, row)[0] if own else i: row for i, row in enumerate(shown) if why_no_verdict(table, row)
    }
    outcomes = Counter(cells.values() if own else map(outcome_of, shown))
    words = [f"{outcomes[word]} {word}" for word in OUTCOMES[:-1] if outcomes[word]]
    said = [f"Verdicts: {', '.join(words)}."] if words else []
    reasons = Counter(why_no_verdict(table, row) for row in without.values())
    said += [
        f"{'No' if not words and len(reasons) == 1 else f'{count} without a'} verdict: {why}."
        for why, count in reasons.items()
    ]
    if left_out:
        said.append(f"{counted(left_out, 'number')} of further readings {'is' if left_out == 1 else 'are'} left out.")
    return Shown(shown, numbers, " ".join(said), known or first)


def _of(row: Row, column: str) -> float:
    value = row.get(column)
    return nan if value is None or value == "" else float(value)


def _label(table: Table, metric: str) -> str:
    if metric in table.metrics:
        return table.metrics[metric].title
    return f"{METRICS[metric].title} {METRICS[metric].unit}".strip() if metric in METRICS else metric


def _against(table: Table, metric: str, shown: Shown) -> Picture:
    rows = shown.rows
    series, ends_of_intervals = [], list[float]()
    for name, group in _groups(rows).items():
        x, y = [_of(row, "paper_mean") for row in group], [_of(row, "mean") for row in group]
        low, high = ([_of(row, f"interval_{end}") for row in group] for end in ("low", "high"))
        has = any(map(isfinite, low))
        ends_of_intervals += [end for end in (*low, *high) if isfinite(end)]
        low, high = (low, high) if has else ([], [])
        series.append(Series(name, x, y, low, high, style="points", look=_LOOKS[name]))
    values = [value for one in series for value in (*one.x, *one.y) if isfinite(value)]
    smallest, largest = min(values), max(values)
    log = smallest > 0.0 and largest >= _WIDE * smallest
    series.append(Series("equal", [smallest, largest], [smallest, largest], reference=True))
    label = _label(table, metric)
    words, lines = f"{shown.numbers} {shown.verdicts}", ""
    if any(len(one.low) for one in series):
        words += f"{_WORDS_OF_LINES} a number is inside if its line meets the diagonal."
        lines = _LINES
    quantity = _within_sentence(label)
    title = f"{table.name}, ours against printed: {quantity}"
    limits = _limits(smallest, largest, ends_of_intervals, log)
    short = _for_axis(quantity)
    labels = f"printed: {short}", f"ours: {short}{lines}"
    axes = [Axis(label, log=log, limits=limits) for label in labels]
    return Curves("agreement", title, axes[0], axes[1], series, words=words)


def _groups(rows: Sequence[Row]) -> dict[str, list[Row]]:
    """Return rows by their verdicts."""
    by_verdict = {word: [row for row in rows if outcome_of(row) == word] for word in OUTCOMES}
    return {word: group for word, group in by_verdict.items() if group}


def _within_sentence(label: str) -> str:
    """Return a label as it is within a sentence: without a capital, but for abbreviations such as RMSE."""
    return label if label[1:2].isupper() else f"{label[:1].lower()}{label[1:]}"


def _for_axis(quantity: str) -> str:
    """Return a quantity with its unit as an axis has room for it: without what follows the unit if it is long."""
    if len(quantity) <= _MOST_LETTERS:
        return quantity
    name, *others = quantity.split(", ")
    return f"{name}, %" if others[:1] == ["%"] else name


def _limits(smallest: float, largest: float, ends: Sequence[float], log: bool) -> tuple[float, float]:
    """Return the ends of both axes, which are the same: with room for the values, and for most ends of intervals."""
    if log:
        logs = [log10(end) for end in ends if end > 0.0]
        low, high = _limits(log10(smallest), log10(largest), logs, log=False)
        return 10.0**low, 10.0**high
    span = largest - smallest
    low = max(min(smallest, *ends, smallest), smallest - _FURTHER * span)
    high = min(max(largest, *ends, largest), largest + _FURTHER * span)
    room = 0.05 * (high - low) or 0.1 * abs(largest) or 1.0
    return low - room, high + room


def _deviations(table: Table, metric: str, shown: Shown) -> Picture:
    """Return ours minus printed: of percentages in points, otherwise in percent of the printed number."""
    rows, label, known = shown.rows, _label(table, metric), table.metric_of(metric)
    points = known is not None and known.unit == "%" or "%" in label
    unit = "percentage points" if points else "% of the printed number"

    def distance(row: Row, name: str) -> float:
        printed = _of(row, "paper_mean")
        return (_of(row, name) - printed) / (1.0 if points else abs(printed) / 100.0 or nan)

    names = [
        f"{row['dataset']}{' (stand-in)' * (row['dataset'] in table.stand_ins)} {row['algorithm']}" for row in rows
    ]
    ends = [tuple(distance(row, name) for name in ("mean", "interval_low", "interval_high")) for row in rows]
    order = list(range(len(rows)))
    if len(order) > MOST_BARS:
        order.sort(key=lambda i: -abs(ends[i][0]) if isfinite(ends[i][0]) else 1.0)
    values = [ends[i][0] for i in order]
    judged = any(isfinite(low) for _, low, _ in ends)
    low, high = ([ends[i][k] for i in order] if judged else [] for k in (1, 2))
    typical = [size for row in shown.typical if isfinite(size := abs(distance(row, "mean")))]
    words = f"{shown.numbers} {shown.verdicts}"
    if typical:
        stand_ins = [row["dataset"] in table.stand_ins for row in rows]
        on = " on the data of the paper" if any(stand_ins) and not all(stand_ins) else ""
        words = f"The median deviation{on} is {median(typical):.3g} {unit}. {words}"
    lines = ""
    if judged:
        words += f"{_WORDS_OF_LINES} a number is inside if its line meets 0."
        lines = _LINES
    largest = f", the {MOST_BARS} largest of {len(order)}" if len(order) > MOST_BARS else ""
    title = f"{table.name}, ours minus printed{largest}: {_within_sentence(label)}"
    x, sorted_names = Axis(f"ours minus printed, {unit}{lines}"), [names[i] for i in order]
    outcomes = [outcome_of(rows[i]) for i in order]
    there = [word for word in OUTCOMES if word in outcomes]
    return Bars(
        *("deviations", title, x, sorted_names, values, low, high),
        dots=True,
        reference=0.0,
        groups=[(word, _LOOKS[word]) for word in there],
        members=[there.index(word) for word in outcomes],
        words=words,
    )
