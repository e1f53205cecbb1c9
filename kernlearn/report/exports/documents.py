"""The documents of tables, runs and comparisons, read from their files."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from math import isfinite, nan
from pathlib import Path
from typing import Any

from kernlearn.errors import UserError
from kernlearn.evaluation import METRICS
from kernlearn.evaluation.metrics import digits_of
from kernlearn.evaluation.significance import corrected_resampled_t
from kernlearn.papers import Table, load_table
from kernlearn.papers.core.compare import FEWEST
from kernlearn.report.exports.numbers import Document, Number, number_or_none, with_best
from kernlearn.report.layout import STAND_IN, averaged_over
from kernlearn.report.reproduction import read_partitions, table_rows
from kernlearn.report.targets import Target
from kernlearn.runner.store.tables import read_csv

Row = Mapping[str, Any]
#: The columns of a run's summary and of a comparison's ranking that are needed.
OF_RUN = ("dataset", "algorithm", "metric", "mean", "std", "n_splits", "n_selected_not_optimal")
OF_COMPARISON = ("dataset", "method", "select_by", "interval_low", "interval_high", "p_holm", "n_splits")
#: The test of a comparison.
RESAMPLED = "the corrected resampled t-test of Nadeau and Bengio, adjusted by Holm's rule, at 5 %"


def document_of(target: Target) -> Document:
    """Return the document of a table, a run or a comparison.

    Raises `UserError` if its files are damaged.
    """
    if target.kind == "table":
        return of_table(load_table(target.name), target.path)
    try:
        return of_run(target) if target.kind == "run" else of_comparison(target)
    except UserError:
        raise
    except (ValueError, OverflowError) as error:
        raise UserError(f"{target.path}: its table is damaged ({error})") from error


def of_table(table: Table, path: Path) -> Document:
    """Return the document of a table, in the layout of the paper.

    Parameters
    ----------
    path : Path
        Of its files, without suffix.
    """
    partitions = read_partitions(path.with_name(f"{path.name}_partitions.csv"), table)
    rows = table_rows(table, partitions)
    repeated = {_place(row): row["repetitions"] for row in rows}
    unproved: dict[tuple[str, str], dict[int, int]] = {}
    for row in partitions:
        counts = unproved.setdefault((row["dataset"], row["algorithm"]), {})
        counts[row["seed"]] = row.get("n_selected_not_optimal", 0)

    def p_value(one: Number, best: Number) -> float | None:
        ours, others = (repeated[number.dataset, number.algorithm, number.metric] for number in (one, best))
        differences = [ours[key] - others[key] for key in sorted(ours.keys() & others.keys())]
        return None if len(differences) < FEWEST else corrected_resampled_t(differences, 0.0)

    numbers = list[Number]()
    for metric, display in table.metrics.items():
        for line in table.rows:
            mine = [
                _of_row(row, display.digits, sum(unproved[row["dataset"], row["algorithm"]].values()))
                for row in rows
                if (row["dataset"], row["metric"]) == (line.name, metric)
            ]
            numbers += with_best(mine, p_value)
    test = ""
    if any(number.p_value is not None for number in numbers):
        test = f"a paired t-test over the {table.unit}s, adjusted by Holm's rule within the row, at 5 %"
    return Document(
        kind="table",
        name=table.name,
        title=table.title,
        numbers=numbers,
        titles={name: display.title for name, display in table.metrics.items()},
        layout="metrics",
        notes=[f"{averaged_over(table, repeated)}.", *([STAND_IN] if table.stand_in else [])],
        test=test,
        headings={name: f"{name} (stand-in)" for name in table.stand_ins},
    )


def _place(row: Row) -> tuple[str, str, str]:
    return row["dataset"], row["algorithm"], row["metric"]


def _of_row(row: Row, digits: int, n_not_optimal: int) -> Number:
    return Number(
        *_place(row),
        mean=row["mean"],
        std=row["std"] if row["std"] is not None and isfinite(row["std"]) else None,
        digits=digits,
        n_splits=row["n_splits"],
        printed_mean=row.get("paper_mean"),
        printed_std=row.get("paper_std"),
        interval_low=row.get("interval_low"),
        interval_high=row.get("interval_high"),
        verdict=row.get("verdict", ""),
        n_not_optimal=n_not_optimal,
    )


def of_run(target: Target) -> Document:
    """Return the document of a run: a row for its method, a column for each metric."""
    rows = read_csv(target.path / "summary.csv", OF_RUN)
    numbers = []
    for row in rows:
        mean, std = float(row["mean"]), number_or_none(row["std"])
        numbers.append(
            Number(
                *_place(row),
                mean=mean,
                std=std,
                digits=_digits(row["metric"], mean, std),
                n_splits=int(row["n_splits"]),
                printed_mean=number_or_none(row.get("paper_mean", "")),
                printed_std=number_or_none(row.get("paper_std", "")),
                verdict=row.get("verdict", ""),
                n_not_optimal=int(row["n_selected_not_optimal"]),
            )
        )
    _require_unique(target, numbers)
    return Document(
        kind="run",
        name=target.name,
        title=f"{numbers[0].algorithm} on {numbers[0].dataset}" if numbers else target.name,
        numbers=numbers,
        titles=_titles(numbers),
        layout="datasets",
        notes=[f"Mean (standard deviation) over {numbers[0].n_splits if numbers else 0} test parts."],
    )


def of_comparison(target: Target) -> Document:
    """Return the document of a comparison: a row for each method, a column for each metric."""
    rows = read_csv(target.path / "ranking.csv", OF_COMPARISON)
    numbers = list[Number]()
    for _, group in groupby(rows, key=lambda row: row["dataset"]):
        lines = list(group)
        for name in (key.removesuffix("_mean") for key in lines[0] if key.endswith("_mean")):
            mine = with_best([_of_method(row, name) for row in lines if row[f"{name}_mean"]])
            ranks = {row["method"]: number_or_none(row["p_holm"]) for row in lines if row["select_by"] == name}
            numbers += [replace(number, p_value=ranks.get(number.algorithm)) for number in mine]
    _require_unique(target, numbers)
    selected = ", ".join(dict.fromkeys(row["select_by"] for row in rows))
    tested = any(number.p_value is not None for number in numbers)
    return Document(
        kind="comparison",
        name=target.name,
        title="Comparison on " + ", ".join(dict.fromkeys(row["dataset"] for row in rows)),
        numbers=numbers,
        titles=_titles(numbers),
        layout="datasets",
        notes=["Mean (standard deviation) over the test parts.", f"Methods are ranked by {selected}."],
        test=RESAMPLED if tested else "",
    )


def _of_method(row: Mapping[str, str], metric: str) -> Number:
    mean, std = float(row[f"{metric}_mean"]), number_or_none(row.get(f"{metric}_std", ""))
    ranked = row["select_by"] == metric
    return Number(
        row["dataset"],
        row["method"],
        metric,
        mean=mean,
        std=std,
        digits=_digits(metric, mean, std),
        n_splits=int(row["n_splits"]),
        interval_low=number_or_none(row["interval_low"]) if ranked else None,
        interval_high=number_or_none(row["interval_high"]) if ranked else None,
        n_not_optimal=int(row["n_selected_not_optimal"]) if row.get("n_selected_not_optimal") else None,
    )


def _digits(metric: str, mean: float, std: float | None) -> int:
    """Return the digits of a metric, or 2 of one that this version does not know."""
    return digits_of(metric, mean, std) if metric in METRICS else 2


def _titles(numbers: Sequence[Number]) -> dict[str, str]:
    return {one.metric: METRICS[one.metric].words if one.metric in METRICS else one.metric for one in numbers}


def _require_unique(target: Target, numbers: Sequence[Number]) -> None:
    """Raise `UserError` if a number is there twice."""
    seen = set[tuple[str, str, str]]()
    for one in numbers:
        key = one.dataset, one.algorithm, one.metric
        if key in seen:
            raise UserError(f"{target.path}: {' '.join(key)} is there twice")
        seen.add(key)
