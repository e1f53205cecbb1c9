"""A reproduced table: paper, ours, difference and verdict of every cell, over one or more partitions."""

from collections.abc import Mapping, Sequence
from math import isfinite, isnan, nan
from pathlib import Path
from typing import Any

from kernlearn.errors import UserError
from kernlearn.evaluation import METRICS, Selection
from kernlearn.evaluation import Row as MeasuredRow
from kernlearn.evaluation.metrics import mean_and_deviation
from kernlearn.papers import Column, PrintedValue, Table, judge, table_values
from kernlearn.papers.core.tables import TableRow
from kernlearn.papers.core.units import SAMPLE, printed_repetitions, repetitions
from kernlearn.report.summary import not_optimal
from kernlearn.runner.store.tables import read_csv

COLUMNS = (
    "paper,table,dataset,setting,algorithm,metric,mean,std,n_splits,n_partitions,partition_std,"
    "paper_mean,paper_std,delta,interval_low,interval_high,verdict,percentile"
).split(",")
#: The columns of the partitions that hold words, not numbers.
WORDS = ("run", "dataset", "algorithm", "metric", "selected", "values")
#: What to do where kept files are damaged.
REMEDY = "restore the files of the table, or reproduce it without --add"
#: The verdict on a sample of fewer splits than are printed.
FEWER_SPLITS = "fewer splits"
#: Metrics that no paper prints: tables of papers are older than they.
UNPRINTED = ("mae", "r2")
#: Those that every partition has.
PARTITION = ("dataset", "algorithm", "seed", "metric", "mean", "n_splits", "selected", "values", "largest_gap")

Row = Mapping[str, Any]


def partition_rows(
    name: str,
    column: Column,
    seed: int,
    rows: Sequence[MeasuredRow],
    selection: Selection,
    more: Mapping[str, Sequence[float]] | None = None,
) -> list[dict[str, Any]]:
    """Return one row a metric for one partition: what was selected, mean and deviation over its splits, the values.

    `name` is that of the table's row: in the column "dataset", because rows are data sets as a rule. Of all `rows` it
    keeps how many programs they are and how well these were solved. `more` has further metrics of the
    selected model, one value a split.
    """
    head = {"run": rows[0]["run"], "dataset": name, "algorithm": column.name, "seed": seed}
    tail = {
        "n_splits": len(selection.rows),
        "n_tested": sum(int(row["n_test"]) for row in selection.rows),
        "selected": ";".join(f"{key}={value:g}" for key, value in selection.values.items()),
        f"validation_{selection.metric}": selection.validation_score,
        "n_ties": selection.n_ties,
        "n_programs": len(rows),
        "n_not_optimal": len(not_optimal(rows)),
        "n_selected_not_optimal": len(not_optimal(selection.rows)),
        "largest_gap": max(float(row["gap"]) for row in rows),
    }
    printed = [metric for metric in selection.metrics if metric not in UNPRINTED]
    measured = {metric: selection.values_of(metric) for metric in printed} | dict(more or {})
    places: dict[str, Any] = dict.fromkeys(("mean", "std"))  # of the columns
    return [{**head, "metric": metric, **places, **tail, **_numbers(v)} for metric, v in measured.items()]


def read_partitions(path: Path, table: Table | None = None) -> list[dict[str, Any]]:
    """Return the rows of `partition_rows` that a file keeps.

    Raises
    ------
    UserError
        If the file is damaged or, given its table, has what no command can have written.
    """
    whole = ("seed", "n_")
    try:
        rows: list[dict[str, Any]] = [
            {
                key: value if key in WORDS else int(value) if key.startswith(whole) else float(value)
                for key, value in row.items()
                if value or key in WORDS
            }
            for row in read_csv(path, PARTITION)
        ]
    except UserError:
        raise
    except ValueError as error:
        raise UserError(f"{path}: damaged ({error})") from error
    if table and (problem := _problem(table, rows)):
        raise UserError(f"{path}: {problem}; {REMEDY}")
    return rows


def _problem(table: Table, partitions: Sequence[Row]) -> str:
    """Return what no command can have written, empty if there is nothing of it."""
    lines, columns = {row.name for row in table.rows}, {column.name for column in table.columns}
    seen: set[tuple[Any, ...]] = set()
    runs: dict[tuple[Any, ...], str] = {}
    splits: dict[tuple[Any, ...], int] = {}
    for number, row in enumerate(partitions, start=2):
        cell = row["dataset"], row["algorithm"]
        key = *cell, row.get("seed", -1)
        try:
            values = [float(value) for value in row["values"].split()]
            mean, _, n_splits = mean_and_deviation(values)
            fine = n_splits == row["n_splits"] and _isclose(mean, row.get("mean", nan))
        except ValueError:
            fine = False
        if not fine or cell[0] not in lines or cell[1] not in columns or key[2] < 0 or row.get("n_tested", 1) <= 0:
            return f"line {number} is damaged"
        if (*key, row["metric"]) in seen or runs.setdefault(key, row["run"]) != row["run"]:
            return f"line {number} is there twice"
        if splits.setdefault((*cell, row["metric"]), len(values)) != len(values):
            return f"line {number} has another number of splits than other partitions of the same cell"
        seen.add((*key, row["metric"]))
    return ""


def _isclose(a: float, b: float) -> bool:
    """Return whether two numbers are the same but for rounding in a file, or both none."""
    return abs(a - b) <= 1e-9 + 1e-9 * abs(b) or (isnan(a) and isnan(b))


def with_ratios(partitions: list[dict[str, Any]], baseline: str, metric: str = "rmse") -> list[dict[str, Any]]:
    """Return the partitions with one more metric: a metric divided, split by split, by that of another column."""
    base = {(row["dataset"], row["seed"]): row for row in partitions if _is(row, baseline, metric)}
    found = []
    for row in partitions:
        found.append(row)
        other = base.get((row["dataset"], row["seed"]))
        if row["metric"] == metric and other:
            pairs = zip(row["values"].split(), other["values"].split(), strict=True)
            v = [float(value) / float(unit) if float(unit) else nan for value, unit in pairs]
            found.append({**row, "metric": f"{metric}_ratio", **_numbers(v)})
    return found


def _is(row: Row, algorithm: str, metric: str) -> bool:
    return (row["algorithm"], row["metric"]) == (algorithm, metric)


def _numbers(values: Sequence[float]) -> dict[str, Any]:
    mean, deviation, n_splits = mean_and_deviation(values)
    deviation = nan if deviation is None else deviation
    return {"mean": mean, "std": deviation, "n_splits": n_splits, "values": " ".join(repr(float(v)) for v in values)}


def table_rows(table: Table, partitions: Sequence[Row]) -> list[dict[str, Any]]:
    """Return one row for every data set, column and metric, in the order of the table.

    ``mean`` and ``std`` are averages over the partitions of mean and deviation over the splits, the two numbers the
    paper prints for its one partition; ``partition_std`` is the deviation of the mean from partition to partition;
    ``percentile`` is the share of partitions whose mean is not above the printed one; ``repetitions`` are ours
    (`kernlearn.papers.core.units`). Verdict and interval are those of `kernlearn.papers.core.compare`.
    """
    rows = []
    for line in table.rows:
        for column in table.columns:
            mine = [row for row in partitions if (row["dataset"], row["algorithm"]) == (line.name, column.name)]
            for metric in dict.fromkeys(row["metric"] for row in mine):
                same = [row for row in mine if row["metric"] == metric]
                rows.append(_row(table, line, column, same, _printed(table, line, column, metric)))
    return rows


def command_of_all(table: Table, partitions: Sequence[Row]) -> str:
    """Return the command that makes what is kept of a table anew, for rows and columns of which there is anything.

    Where some columns have more partitions than others, these are added by further commands.
    """
    seeds: dict[str, int] = {}
    for row in partitions:
        seeds[row["algorithm"]] = max(seeds.get(row["algorithm"], 0), row["seed"] + 1)
    commands: list[str] = []
    for number in sorted(set(seeds.values())):
        more = [row for row in partitions if seeds[row["algorithm"]] >= number]
        words = [f"kernlearn reproduce {table.name}", *(["--add"] if commands else [])]
        for option, key, known in (("--datasets", "dataset", table.rows), ("--algos", "algorithm", table.columns)):
            there = {row[key] for row in more}
            if len(there) < len(known):
                words += [option, *(one.name for one in known if one.name in there)]
        commands.append(" ".join([*words, f"--seeds {number}"]))
    return " && ".join(commands)


def printed_cell(table: Table, row: Row) -> tuple[tuple[str, ...], bool]:
    """Return which printed cell a row of `table_rows` is compared with, and whether by a further reading."""
    line = next(line for line in table.rows if line.name == row["dataset"])
    column = next(column for column in table.columns if column.name == row["algorithm"])
    metric = table.metrics.get(row["metric"])
    reading = column.reading or (metric is not None and metric.reading)
    return (
        line.printed,
        _setting(table, line, row["metric"]),
        str(column.printed),
        _name(table, row["metric"]),
    ), reading


def _printed(table: Table, line: TableRow, column: Column, metric: str) -> PrintedValue | None:
    if column.printed is None:
        return None
    setting = _setting(table, line, metric)
    return table_values(table.printed, line.printed, column.printed, setting).get(_name(table, metric))


def _setting(table: Table, line: TableRow, metric: str) -> str:
    return line.setting or (table.metrics[metric].setting if metric in table.metrics else "")


def _name(table: Table, metric: str) -> str:
    """Return the name of a metric in the printed table."""
    return (table.metrics[metric].printed if metric in table.metrics else "") or metric


def _row(
    table: Table, line: TableRow, column: Column, mine: Sequence[Row], printed: PrintedValue | None
) -> dict[str, Any]:
    metric, means = mine[0]["metric"], [row["mean"] for row in mine if not isnan(row["mean"])]
    mean, partition_std, n_partitions = mean_and_deviation(means)
    row = {
        "paper": table.paper,
        "table": table.name.partition("/")[2],
        "dataset": line.name,
        "setting": " ".join(column.overrides + line.overrides),
        "algorithm": column.name,
        "metric": metric,
        "mean": mean,
        "std": mean_and_deviation([row["std"] for row in mine])[0],
        "n_splits": sum(row["n_splits"] for row in mine),
        "n_partitions": n_partitions,
        "partition_std": "" if partition_std is None else partition_std,
    }
    row["repetitions"] = repetitions(table.unit, mine)
    if printed and means:
        row |= {"paper_mean": printed.mean, "paper_std": printed.std, "delta": mean - printed.mean}
        if line.name not in table.stand_ins and not table.why_silent(column, metric):
            row |= _verdict(table, line, mine, printed)
        row |= {"percentile": 100.0 * sum(value <= printed.mean for value in means) / len(means)}
    return row


def _verdict(table: Table, line: TableRow, mine: Sequence[Row], printed: PrintedValue) -> dict[str, Any]:
    """Return the verdict on a printed mean, and the interval it comes from.

    A sample of fewer splits than are printed has none: what its splits do not share is another part of its mean.
    """
    splits, n_splits = table.splits_printed(line), max(row["n_splits"] for row in mine)
    if table.unit == SAMPLE and n_splits < splits:
        return {"verdict": FEWER_SPLITS}
    ours = list(repetitions(table.unit, mine).values())
    step = _step(table, mine) * (n_splits / splits if splits else 1.0)
    word, low, high = judge(ours, printed, printed_repetitions(table.unit, splits), step)
    return {"verdict": word} | ({"interval_low": low, "interval_high": high} if isfinite(low) else {})


def _step(table: Table, mine: Sequence[Row]) -> float:
    """Return by how much the mean over the splits of a seed changes with one example."""
    row = max(mine, key=lambda row: int(row["n_splits"]))  # one may have no value on any split
    metric, shown = METRICS.get(row["metric"]), table.metrics.get(row["metric"])  # a table may have others
    if not row["n_splits"]:
        return 0.0
    if metric and metric.whole:
        return 1 / int(row["n_splits"])
    if metric and metric.share:
        return 100 / row["n_tested"] if row.get("n_tested") else 0.0
    return shown.step / int(row["n_splits"]) if shown else 0.0
