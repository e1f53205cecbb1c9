"""A reproduced table: the printed value, ours, their difference and the verdict, over one or more partitions."""

from collections.abc import Collection, Mapping, Sequence
from math import isclose, isfinite, isnan, nan
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

import numpy as np

from kernlearn.errors import UserError
from kernlearn.evaluation import METRICS, Selection
from kernlearn.evaluation import Row as MeasuredRow
from kernlearn.evaluation.metrics import mean_and_deviation
from kernlearn.papers import Column, PrintedValue, Table, judge, load_table
from kernlearn.papers.core.claims import check_claims
from kernlearn.papers.core.measured import Claim
from kernlearn.papers.core.tables import TableRow
from kernlearn.papers.core.units import SAMPLE, printed_repetitions, repetitions, values_of
from kernlearn.report.choice import OF_CHOICE
from kernlearn.report.summary import largest_gap, not_optimal
from kernlearn.runner.store.tables import read_csv

COLUMNS = (
    "paper,table,dataset,setting,algorithm,metric,mean,std,n_splits,n_partitions,partition_std,"
    "paper_mean,paper_std,delta,interval_low,interval_high,verdict,percentile"
).split(",")
#: The columns of the partitions with texts, not numbers.
WORDS = ("run", "dataset", "algorithm", "metric", "selected", "values", *OF_CHOICE)
#: The advice for damaged files.
REMEDY = "restore the files of the table, or reproduce it without --add"
#: The verdict on a sample with fewer splits than the paper's.
FEWER_SPLITS = "fewer splits"
#: Metrics that partitions have only if the table shows them: the tables of the works are older than these metrics.
IF_SHOWN = ("mae", "r2", "macro_f1_pct")
#: How the programs of every partition were solved.
SOLVED = ("n_programs", "n_not_optimal", "n_selected_not_optimal", "largest_gap")
#: The columns of every partition.
PARTITION = ("dataset", "algorithm", "seed", "metric", "mean", "n_splits", "selected", "values", "largest_gap")

Row = Mapping[str, Any]


class Reproduced(NamedTuple):
    """A table with all that its stored measurements say."""

    table: Table
    #: From `read_partitions`.
    partitions: list[dict[str, Any]]
    #: From `table_rows`.
    rows: list[dict[str, Any]]
    claims: list[Claim]


def reproduced(name: str, results: Path) -> Reproduced:
    """Return a table from its file of measurements in a results directory.

    Raises `OSError` if there is no such file. Raises `UserError` if it is damaged.
    """
    table = load_table(name)
    partitions = read_partitions(results / f"{name}_partitions.csv", table)
    return Reproduced(table, partitions, table_rows(table, partitions), check_claims(table, partitions))


def partition_rows(
    name: str,
    column: Column,
    seed: int,
    rows: Sequence[MeasuredRow],
    selection: Selection,
    more: Mapping[str, Sequence[float]] | None = None,
    shown: Collection[str] = (),
    choice: Mapping[str, str] | None = None,
) -> list[dict[str, Any]]:
    """Return one row for each metric on one partition: the selection, mean and deviation over splits, and the values.

    `name` is the name of the table's row. It is in the column "dataset", because rows usually are data sets. The rows
    also have the number of programs in all `rows` and how well they were solved. `more` has further metrics of the
    selected model, one value for each split. `shown` has the metrics of the table; see `IF_SHOWN`. `choice` has further
    columns: `kernlearn.report.choice.choice_columns`.
    """
    head = {"run": rows[0]["run"], "dataset": name, "algorithm": column.name, "seed": seed}
    tail = {
        "n_splits": len(selection.rows),
        "n_tested": sum(int(row["n_test"]) for row in selection.rows),
        "n_trained": sum(int(row["n_train"]) for row in selection.rows),
        "selected": ";".join(f"{key}={value:g}" for key, value in selection.values.items()),
        f"validation_{selection.metric}": selection.validation_score,
        "n_ties": selection.n_ties,
        "n_programs": len(rows),
        "n_not_optimal": len(not_optimal(rows)),
        "n_selected_not_optimal": len(not_optimal(selection.rows)),
        "largest_gap": largest_gap(rows),
        **(choice or {}),
    }
    metrics = [metric for metric in selection.metrics if metric in shown or metric not in IF_SHOWN]
    metrics += [metric for metric in selection.derived_metrics if metric in shown and metric not in metrics]
    measured = {metric: selection.values_of(metric) for metric in metrics} | dict(more or {})
    places: dict[str, Any] = dict.fromkeys(("mean", "std"))  # of the columns
    return [{**head, "metric": metric, **places, **tail, **_numbers(v)} for metric, v in measured.items()]


def read_partitions(path: Path, table: Table | None = None) -> list[dict[str, Any]]:
    """Return the rows of `partition_rows` from a file.

    Raises `UserError` if the file is damaged or, given its table, has content that no command can have written.
    """
    integers = ("seed", "n_")
    try:
        rows: list[dict[str, Any]] = [
            {
                key: value if key in WORDS else int(value) if key.startswith(integers) else float(value)
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
    """Return the problem if no command can have written these rows, or an empty text."""
    lines, columns = {row.name for row in table.rows}, {column.name for column in table.columns}
    seen: set[tuple[Any, ...]] = set()
    runs: dict[tuple[Any, ...], str] = {}
    splits: dict[tuple[Any, ...], int] = {}
    for number, row in enumerate(partitions, start=2):
        cell = row["dataset"], row["algorithm"]
        key = *cell, row.get("seed", -1)
        try:
            values = values_of(row["values"])
            finite = [value for value in values if not isnan(value)]
            mean, std = (fmean(finite) if finite else nan), row.get("std", nan)
            fine = len(finite) == row["n_splits"] and _isclose(mean, row.get("mean", nan))
            fine &= isnan(std) or _isclose(float(np.std(finite, ddof=1)), std)
            fine &= all(key in row and isfinite(row[key]) for key in SOLVED)
        except (ValueError, OverflowError):
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
    """Return whether two numbers are equal up to rounding in a file, or both NaN."""
    return isclose(a, b, rel_tol=1e-9, abs_tol=1e-9) or (isnan(a) and isnan(b))


def with_ratios(partitions: list[dict[str, Any]], baseline: str, metric: str = "rmse") -> list[dict[str, Any]]:
    """Return the partitions with one more metric: for each split, a metric divided by that of another column."""
    base = {(row["dataset"], row["seed"]): row for row in partitions if _is(row, baseline, metric)}
    extended = []
    for row in partitions:
        extended.append(row)
        other = base.get((row["dataset"], row["seed"]))
        if row["metric"] == metric and other:
            pairs = zip(values_of(row["values"]), values_of(other["values"]), strict=True)
            v = [value / unit if unit else nan for value, unit in pairs]
            extended.append({**row, "metric": f"{metric}_ratio", **_numbers(v)})
    return extended


def _is(row: Row, algorithm: str, metric: str) -> bool:
    return (row["algorithm"], row["metric"]) == (algorithm, metric)


def _numbers(values: Sequence[float]) -> dict[str, Any]:
    mean, deviation, n_splits = mean_and_deviation(values)
    deviation = nan if deviation is None else deviation
    return {"mean": mean, "std": deviation, "n_splits": n_splits, "values": " ".join(repr(float(v)) for v in values)}


def table_rows(table: Table, partitions: Sequence[Row]) -> list[dict[str, Any]]:
    """Return one row for each data set, column and metric, in the order of the table.

    The paper prints mean and deviation over the splits of its one partition. ``mean`` and ``std`` are the averages of
    these two numbers over our partitions. ``partition_std`` is the deviation of the mean over partitions.
    ``percentile`` is the share of partitions whose mean is not above the printed one. ``repetitions`` are ours
    (`kernlearn.papers.core.units`). Verdict and interval come from `kernlearn.papers.core.compare`.
    """
    cells: dict[tuple[str, str], dict[str, list[Row]]] = {}
    for row in partitions:
        cells.setdefault((row["dataset"], row["algorithm"]), {}).setdefault(row["metric"], []).append(row)
    printed = table.printed_rows()
    return [
        _row(table, line, column, mine, table.printed_value(printed, line, column, metric))
        for line in table.rows
        for column in table.columns
        for metric, mine in cells.get((line.name, column.name), {}).items()
    ]


def command_of_all(table: Table, partitions: Sequence[Row]) -> str:
    """Return the command that computes the stored results of a table again, for the rows and columns that have any.

    If some columns have more partitions than others, further commands add them.
    """
    seeds: dict[str, int] = {}
    for row in partitions:
        seeds[row["algorithm"]] = max(seeds.get(row["algorithm"], 0), row["seed"] + 1)
    commands: list[str] = []
    for number in sorted(set(seeds.values())):
        more = [row for row in partitions if seeds[row["algorithm"]] >= number]
        words = [f"kernlearn reproduce {table.name}", *(["--add"] if commands else [])]
        for option, key, known in (("--datasets", "dataset", table.rows), ("--algos", "algorithm", table.columns)):
            present = {row[key] for row in more}
            if len(present) < len(known):
                words += [option, *(one.name for one in known if one.name in present)]
        commands.append(" ".join([*words, f"--seeds {number}"]))
    return " && ".join(commands)


def printed_cell(table: Table, row: Row) -> tuple[tuple[str, ...], bool]:
    """Return the printed cell with which a row of `table_rows` is compared, and whether it is a further reading."""
    line = next(line for line in table.rows if line.name == row["dataset"])
    column = next(column for column in table.columns if column.name == row["algorithm"])
    metric = table.metrics.get(row["metric"])
    reading = column.reading or (metric is not None and metric.reading)
    return (
        line.printed,
        table.setting_of(line, row["metric"]),
        str(column.printed),
        table.printed_name(row["metric"]),
    ), reading


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
    """Return the verdict on a printed mean, and its interval.

    A sample with fewer splits than the paper's has no verdict, because the variance over its splits has another weight.
    """
    splits, n_splits = table.splits_printed(line), max(row["n_splits"] for row in mine)
    if table.unit == SAMPLE and n_splits < splits:
        return {"verdict": FEWER_SPLITS}
    ours = list(repetitions(table.unit, mine).values())
    step = _step(table, mine) * (n_splits / splits if splits else 1.0)
    word, low, high = judge(ours, printed, printed_repetitions(table.unit, splits), step)
    return {"verdict": word} | ({"interval_low": low, "interval_high": high} if isfinite(low) else {})


def _step(table: Table, mine: Sequence[Row]) -> float:
    """Return the change of the mean over the splits of a seed caused by one example."""
    row = max(mine, key=lambda row: int(row["n_splits"]))  # a partition may have no value on any split
    metric, shown = METRICS.get(row["metric"]), table.metrics.get(row["metric"])  # a table may have other metrics
    if not row["n_splits"]:
        return 0.0
    if metric and metric.whole:
        return 1 / int(row["n_splits"])
    if metric and metric.share:
        return 100 / row["n_tested"] if row.get("n_tested") else 0.0
    return shown.step / int(row["n_splits"]) if shown else 0.0
