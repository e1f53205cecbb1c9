"""What made every number of a table: command, seeds, data, selection, solver, gap, cost and environment."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from kernlearn.algorithms import ALGORITHMS
from kernlearn.papers import Column, Table
from kernlearn.papers.core.tables import TableRow
from kernlearn.papers.core.units import DRAW, values_of
from kernlearn.report.choice import chosen_values
from kernlearn.report.layout import interval, ours
from kernlearn.report.pages.marks import effect, mark_of
from kernlearn.report.pages.page import Head, Sheet
from kernlearn.report.reproduction import Reproduced
from kernlearn.report.summary import largest_gap
from kernlearn.report.terminal import mean_std
from kernlearn.runner.store.files import read_json

Row = Mapping[str, Any]
#: So many repetitions are listed one by one.
LISTED = 12
#: So many different choices are listed.
SHOWN_CHOICES = 3
#: Digits of a sha256 that are shown.
DIGITS = 16
#: Keys of a method's parameters that say how it is solved.
OF_SOLVER = ("solver", "method", "tol")
#: The note on the last columns but one.
SHARED = "CPU seconds and memory are those of all rows and columns with the same method and data set."
#: What was done for a cell of the table, whatever the metric.
RUNS = (
    Head("column", number=False),
    Head("setting", number=False),
    Head("solver", number=False),
    Head("seeds", number=False),
    Head("selected", number=False),
    *map(Head, ("programs", "not proved optimal", "selected of these", "largest gap", "CPU seconds", "peak MB")),
    Head("command", number=False),
)
#: What was found, by metric.
NUMBERS = (
    Head("column and metric", number=False),
    *map(Head, ("ours", "printed", "difference", "effect", "95 % interval")),
    Head("verdict", number=False),
    Head("repetitions", number=False),
)


class RowProvenance(NamedTuple):
    """What made a row of a table."""

    anchor: str
    name: str
    #: Its data and the code that computed it, in words.
    about: list[tuple[str, str]]
    runs: Sheet
    #: The ids of the rows of `runs`.
    run_ids: list[str]
    numbers: Sheet
    #: The ids of the rows of `numbers`.
    number_ids: list[str]


def read_record(path: Path) -> dict[str, Any]:
    """Return the provenance of a table or figure, or an empty record if there is none that can be read."""
    try:
        record = read_json(path)
    except (OSError, ValueError):
        return {}
    return record if isinstance(record, dict) else {}


def provenance_of(reproduction: Reproduced, record: Row, prefix: str) -> list[RowProvenance]:
    """Return what made the numbers, for every row of a table that has any.

    Parameters
    ----------
    reproduction : Reproduced
    record : mapping
        Its provenance, see `read_record`.
    prefix : str
        The beginning of the ids.
    """
    table = reproduction.table
    runs: dict[tuple[str, str], list[Row]] = {}
    for row in reproduction.partitions:
        runs.setdefault((row["dataset"], row["algorithm"]), []).append(row)
    shown: dict[str, list[Row]] = {}
    for row in reproduction.rows:
        if row["metric"] in table.metrics:
            shown.setdefault(row["dataset"], []).append(row)
    metrics, commits = list(table.metrics), _commits(record)
    places = {column.name: i for i, column in enumerate(table.columns)}
    rows = []
    for i, line in enumerate(table.rows):
        if line.name not in shown:
            continue
        names = list(dict.fromkeys(row["algorithm"] for row in shown[line.name]))
        columns = [table.columns[places[name]] for name in names]
        rows.append(
            RowProvenance(
                f"{prefix}-{i}",
                line.name,
                [*(("data", words) for words in _data(record, table, line)), *commits],
                Sheet(
                    f"What was run for {line.name}",
                    RUNS,
                    [_run(reproduction, line, column, runs[line.name, column.name], record) for column in columns],
                    note=SHARED,
                ),
                [run_id(prefix, i, places[name]) for name in names],
                Sheet(
                    f"What was found for {line.name}",
                    NUMBERS,
                    [_number(reproduction, row) for row in shown[line.name]],
                ),
                [
                    f"{run_id(prefix, i, places[row['algorithm']])}-{metrics.index(row['metric'])}"
                    for row in shown[line.name]
                ],
            )
        )
    return rows


def run_id(prefix: str, row: int, column: int) -> str:
    """Return the id of what was run for a cell; that of what was found ends with the number of the metric."""
    return f"{prefix}-{row}-{column}"


def _run(reproduction: Reproduced, line: TableRow, column: Column, mine: Sequence[Row], record: Row) -> list[str]:
    """Return the cells of `RUNS`; what a metric does not change is taken from each seed once."""
    by_seed = {row["seed"]: row for row in mine}
    seeds, of_seeds = sorted(by_seed), list(by_seed.values())
    part = f"--datasets {line.name} --algos {column.name} --seeds {seeds[-1] + 1}"
    command = f"kernlearn reproduce {reproduction.table.name} {part}"
    totals = [
        f"{sum(row[key] for row in of_seeds):,}" if all(key in row for row in of_seeds) else ""
        for key in ("n_programs", "n_not_optimal", "n_selected_not_optimal")
    ]
    experiment = _mapping(_mapping(record, "experiments"), f"{line.name} {column.name}")
    cost = f"{_mapping(experiment, 'dataset').get('name')} {_label(experiment)}"
    return [
        column.name,
        " ".join(column.overrides + line.overrides),
        _solver(experiment),
        f"{seeds[0]} to {seeds[-1]}" if len(seeds) > 1 else str(seeds[0]),
        _selected(reproduction.table, of_seeds),
        *totals,
        f"{largest_gap(of_seeds, 'largest_gap'):.1e}",
        *(_cost(record, key, cost) for key in ("cell_cpu_seconds", "cell_peak_mb")),
        command,
    ]


def _selected(table: Table, of_seeds: Sequence[Row]) -> str:
    """Return what the splits of some seeds chose; older partitions have only what all splits of a seed agree on."""
    if chosen := chosen_values(of_seeds):
        return "; ".join(f"{key}={_often(counts)}" for key, counts in chosen.items())
    counts = Counter(row["selected"].replace(";", ", ") or _unsaid(table, row) for row in of_seeds)
    words = [f"{values}{f' ({n})' if len(of_seeds) > 1 else ''}" for values, n in counts.most_common(SHOWN_CHOICES)]
    return "; ".join(words) + _others(counts)


def _often(counts: Counter[str]) -> str:
    """Return values with how often each was chosen, the most frequent first."""
    if len(counts) == 1:
        return next(iter(counts))
    some = " or ".join(f"{value} ({n})" for value, n in counts.most_common(SHOWN_CHOICES))
    return f"{some}{_others(counts)}"


def _others(counts: Counter[str]) -> str:
    left = len(counts) - SHOWN_CHOICES
    return f", and {left} other{'s' * (left > 1)}" if left > 0 else ""


def _unsaid(table: Table, row: Row) -> str:
    """Return what an older partition without a common choice has chosen from: its programs are more than its splits."""
    splits = len(values_of(row["values"])) / (2 if table.unit == DRAW else 1)
    return "other values in each split" if row.get("n_programs", 0) >= 2 * splits else "nothing to choose"


def _number(reproduction: Reproduced, row: Row) -> list[str]:
    """Return the cells of `NUMBERS`."""
    display = reproduction.table.metrics[row["metric"]]
    digits = display.digits
    printed = ["", "", ""]
    if "paper_mean" in row:
        printed = [
            mean_std(row["paper_mean"], row["paper_std"], digits),
            f"{row['delta']:+.{digits}f}",
            effect(row),
        ]
    values = list(row["repetitions"].values())
    what = f"{len(values)} {reproduction.table.unit}{'' if len(values) == 1 else 's'}"
    if len(values) > LISTED:
        what += f", from {min(values):.{digits}f} to {max(values):.{digits}f}"
    elif values:
        what += ": " + ", ".join(f"{value:.{digits}f}" for value in values)
    mark = mark_of(row)
    return [
        f"{row['algorithm']}: {display.title}",
        ours(row, digits),
        *printed,
        interval(row, digits),
        f"{mark.sign} {mark.words}" if "paper_mean" in row else "",
        what,
    ]


def _data(record: Row, table: Table, line: TableRow) -> list[str]:
    """Return the data set of a row in words; several if it does not follow from the record which one it is."""
    data = record.get("data")
    name = line.dataset.get("name", line.name)
    named = [one for one in data if isinstance(one, dict) and one.get("name") == name] if isinstance(data, list) else []
    # A record lists data in the order of the rows; rows of one name may have different data, such as pairs of groups.
    different: list[Mapping[str, Any]] = []
    for row in table.rows:
        if row.dataset.get("name", row.name) == name and row.dataset not in different:
            different.append(row.dataset)
    if len(different) == len(named):
        named = [named[different.index(line.dataset)]]
    return [in_words(one) for one in named]


def in_words(data: Row) -> str:
    """Return a data set of a record in words."""
    classes = data.get("classes")
    many = f", {len(classes)} classes" if isinstance(classes, list) and classes else ""
    size = f"{data.get('examples')} examples, {data.get('features')} features{many}"
    return f"{data.get('name')}: {size}; {data.get('source')}; sha256 {str(data.get('sha256'))[:DIGITS]}"


def _mapping(record: Row, key: str) -> Row:
    value = record.get(key)
    return value if isinstance(value, dict) else {}


def _solver(experiment: Row) -> str:
    algo = _mapping(experiment, "algo")
    known = [f"{key}={algo[key]}" for key in OF_SOLVER if algo.get(key) is not None]
    return ", ".join(known) or ("the method's own" if algo else "")


def _label(experiment: Row) -> str:
    """Return the name by which the cost of an experiment is added up."""
    values = dict(_mapping(experiment, "algo"))
    method = ALGORITHMS.get(values.pop("name", ""))
    try:
        return method.label(**values) if method else ""
    except (TypeError, ValueError, KeyError):  # parameters of another version
        return ""


def _cost(record: Row, key: str, name: str) -> str:
    value = _mapping(record, key).get(name)
    return f"{value:,.1f}" if isinstance(value, int | float) else ""


def _commits(record: Row) -> list[tuple[str, str]]:
    """Return the commits that computed the cells of a record."""
    sheet = environments(record)
    if sheet is None:
        return []
    names = list(dict.fromkeys(row[0] for row in sheet.rows))
    return [("commit", names[0] if len(names) == 1 else f"one of {', '.join(names)}")]


def environments(record: Row) -> Sheet | None:
    """Return the environments that computed the cells of a record, or None if it has none."""
    computed = record.get("computed")
    if not isinstance(computed, list) or not all(isinstance(one, dict) for one in computed):
        return None
    rows = []
    for one in computed:
        code, machine, packages = (_mapping(one, key) for key in ("code", "machine", "packages"))
        commit = str(code.get("commit") or "none")[:12]
        seconds = one.get("seconds")
        rows.append(
            [
                commit + (" with uncommitted changes" if code.get("dirty") else ""),
                str(one.get("cells", "")),
                f"{seconds / 3600:.2f}" if isinstance(seconds, int | float) else "",
                f"{str(one.get('first', ''))[:10]} to {str(one.get('last', ''))[:10]}",
                f"{machine.get('processor', '')}, {machine.get('system', '')}",
                ", ".join(
                    f"{name} {version}" for name, version in {"kernlearn": code.get("kernlearn"), **packages}.items()
                ),
            ]
        )
    heads = (
        Head("commit", number=False),
        Head("cells"),
        Head("hours by the clock"),
        *(Head(name, number=False) for name in ("computed", "machine", "packages")),
    )
    return Sheet("The code and machines that computed it", heads, rows)
