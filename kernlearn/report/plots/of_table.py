"""Pictures of a reproduced table: our values against the printed ones."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from math import isfinite, nan
from pathlib import Path

from kernlearn.evaluation import METRICS
from kernlearn.papers import Table, load_table, table_names
from kernlearn.report.plots.layout.bars import MOST_BARS
from kernlearn.report.plots.picture import Axis, Bars, Curves, Picture, Series
from kernlearn.report.plots.stored import Lacking
from kernlearn.report.targets import Target
from kernlearn.runner.store.tables import read_csv

#: More columns of a table are not told apart by their symbols.
_MOST_SERIES = 7
#: A scale is logarithmic if its largest value is so many times its smallest.
_WIDE = 20.0
_COLUMNS = ("dataset", "algorithm", "metric", "mean", "paper_mean")

Row = Mapping[str, str]


def agreement(target: Target) -> list[Picture]:
    """Return our values against the printed ones, a picture for each printed metric."""
    table, rows = _read(target)
    return [_against(table, metric, of_metric) for metric, of_metric in rows.items()]


def deviations(target: Target) -> list[Picture]:
    """Return our values minus the printed ones with their intervals, a picture for each printed metric."""
    table, rows = _read(target)
    return [_deviations(table, metric, of_metric) for metric, of_metric in rows.items()]


def of_paper(producer: Callable[[Target], list[Picture]], target: Target) -> list[Picture]:
    """Return the pictures of all tables of a paper that are reproduced and printed."""
    pictures = list[Picture]()
    for name in table_names():
        path = target.path.parent / name
        if name.partition("/")[0] == target.name and Path(f"{path}.csv").exists():
            with suppress(Lacking):
                pictures += producer(Target("table", name, path))
    if not pictures:
        raise Lacking("none of its tables has both printed numbers and ours")
    return pictures


def _read(target: Target) -> tuple[Table, dict[str, list[Row]]]:
    """Return a table, and its rows with a printed number by their metrics."""
    path = target.path.with_suffix(".csv") if target.path.suffix else Path(f"{target.path}.csv")
    rows = dict[str, list[Row]]()
    for row in read_csv(path, _COLUMNS):
        if isfinite(_of(row, "paper_mean")) and isfinite(_of(row, "mean")):
            rows.setdefault(row["metric"], []).append(row)
    if not rows:
        raise Lacking("the paper prints no number for it")
    return load_table(target.name), rows


def _of(row: Row, column: str) -> float:
    try:
        return float(row.get(column) or nan)
    except ValueError:
        return nan


def _label(table: Table, metric: str) -> str:
    if metric in table.metrics:
        return table.metrics[metric].title
    return f"{METRICS[metric].title} {METRICS[metric].unit}".strip() if metric in METRICS else metric


def _verdicts(rows: Sequence[Row]) -> str:
    """Return how many printed numbers agree with ours, in words."""
    judged = [row for row in rows if isfinite(_of(row, "interval_low"))]
    if not judged:
        return "There are too few repetitions for verdicts."
    words = Counter(row["verdict"].replace(", ", " and ") for row in judged)
    counts = [f"{count} {word}" for word, count in words.most_common()]
    if silent := len(rows) - len(judged):
        counts.append(f"{silent} without a verdict")
    return f"Verdicts: {', '.join(counts)}."


def _against(table: Table, metric: str, rows: Sequence[Row]) -> Picture:
    names = list(dict.fromkeys(row["algorithm"] for row in rows))
    groups = {name: [row for row in rows if row["algorithm"] == name] for name in names}
    if len(names) > _MOST_SERIES:
        groups = {"one cell of the table": list(rows)}
    series = []
    for name, group in groups.items():
        x, y = [_of(row, "paper_mean") for row in group], [_of(row, "mean") for row in group]
        low, high = ([_of(row, f"interval_{end}") for row in group] for end in ("low", "high"))
        has = any(map(isfinite, low))
        series.append(Series(name, x, y, low if has else (), high if has else (), style="points"))
    values = [value for one in series for value in (*one.x, *one.y) if isfinite(value)]
    smallest, largest = min(values), max(values)
    log = smallest > 0.0 and largest >= _WIDE * smallest
    series.append(Series("equal", [smallest, largest], [smallest, largest], reference=True))
    label = _label(table, metric)
    words = f"{len(rows)} printed numbers. {_verdicts(rows)}"
    title = f"{table.name}, ours against printed: {label[:1].lower()}{label[1:]}"
    limits = _limits(smallest, largest, log)
    axes = [Axis(name, log=log, limits=limits) for name in ("printed", "ours")]
    return Curves("agreement", title, axes[0], axes[1], series, words=words)


def _limits(smallest: float, largest: float, log: bool) -> tuple[float, float]:
    """Return the ends of both axes, which are the same, with some room beyond the values."""
    if log:
        room = (largest / smallest) ** 0.05
        return smallest / room, largest * room
    room = 0.05 * (largest - smallest) or 0.1 * abs(largest) or 1.0
    return smallest - room, largest + room


def _deviations(table: Table, metric: str, rows: Sequence[Row]) -> Picture:
    """Return ours minus printed: of percentages in points, otherwise in percent of the printed number."""
    label = _label(table, metric)
    points = metric in METRICS and METRICS[metric].unit == "%" or "%" in label
    unit = "percentage points" if points else "% of the printed number"
    names, ends = list[str](), list[tuple[float, float, float]]()
    for row in rows:
        printed = _of(row, "paper_mean")
        step = 1.0 if points else abs(printed) / 100.0 or nan
        mean, low, high = ((_of(row, name) - printed) / step for name in ("mean", "interval_low", "interval_high"))
        names.append(f"{row['dataset']} {row['algorithm']}")
        ends.append((mean, low, high))
    order = list(range(len(rows)))
    if len(order) > MOST_BARS:
        order.sort(key=lambda i: -abs(ends[i][0]) if isfinite(ends[i][0]) else 1.0)
    values = [ends[i][0] for i in order]
    judged = any(isfinite(low) for _, low, _ in ends)
    intervals = {"low": [ends[i][1] for i in order], "high": [ends[i][2] for i in order]} if judged else {}
    known = sorted(abs(value) for value in values if isfinite(value))
    middle = known[len(known) // 2] if known else nan
    words = f"Half of the {len(rows)} deviations are below {middle:.3g} {unit}. {_verdicts(rows)}"
    largest = f", the {MOST_BARS} largest" if len(order) > MOST_BARS else ""
    title = f"{table.name}, ours minus printed{largest}: {label[:1].lower()}{label[1:]}"
    x, sorted_names = Axis(f"ours minus printed, {unit}"), [names[i] for i in order]
    return Bars("deviations", title, x, sorted_names, values, **intervals, dots=True, reference=0.0, words=words)
