"""What a person should know of a description and its printed values before anything is solved."""

from collections.abc import Iterator, Mapping, Sequence
from statistics import median
from typing import Any

from kernlearn.errors import UserError, closest
from kernlearn.evaluation import METRICS, Metric

Row = Mapping[str, str]
#: The words by which a draft marks what is to be completed.
TO_FILL_IN = "FILL IN"
#: So many names are listed.
NAMED = 8
#: Of a percentage: printed values up to the first, beside a median from the second on, may be fractions.
FRACTION, PER_CENT = 1.0, 10.0


def remarks_on(spec: Mapping[str, Any], printed: Sequence[Row]) -> list[str]:
    """Return remarks on a description and its printed values, a line each.

    Parameters
    ----------
    spec : mapping
        A checked description.
    printed : sequence of mappings
        Rows of `kernlearn.papers.own.files.read_printed`.
    """
    remarks = []
    if unfilled := list(_unfilled("", spec)):
        remarks.append(f"the description still says {TO_FILL_IN}: {_listed(unfilled)}")
    if unknown := _unknown(spec, printed):
        values, used = [row for row in printed if row["mean"]], n_used(spec, printed)
        remarks.append(f"{len(values) - used} of {len(values)} printed numbers are not in the description: {unknown}")
    return [*remarks, *_fractions(spec, printed)]


def check_printed(where: str, spec: Mapping[str, Any], printed: Sequence[Row]) -> None:
    """Raise `UserError` if a printed number is impossible, or none of them is of a row, column and metric."""
    values = [row for row in printed if row["mean"]]
    for row in values:
        if known := _metric(spec, row["metric"]):
            check_possible(f"{where}: {row['dataset']} {row['algorithm']}", known, row["mean"])
    if values and not n_used(spec, printed):
        raise UserError(
            f"{where}: none of its {len(values)} numbers is in the description: {_unknown(spec, printed)}; the keys "
            "printed: of rows, columns and metrics say what they are called here"
        )


def check_possible(where: str, metric: Metric, mean: str) -> None:
    """Raise `UserError` if a printed number is none that a metric can have."""
    value = float(mean)
    if metric.within(value) != value:
        limit = metric.within(value)
        side = "at most" if value > limit else "at least"
        raise UserError(
            f"{where}: {mean} is impossible, since {metric.name} is {side} {limit:g}; correct the number, leave its "
            "column out, or name another metric"
        )


def n_used(spec: Mapping[str, Any], printed: Sequence[Row]) -> int:
    """Return how many printed numbers are of a row, a column and a metric of a description."""
    rows, columns, metrics = _names(spec)
    return sum(
        bool(row["mean"]) and row["dataset"] in rows and row["algorithm"] in columns and row["metric"] in metrics
        for row in printed
    )


def _unknown(spec: Mapping[str, Any], printed: Sequence[Row]) -> str:
    """Return the printed names that a description lacks, in words; empty if it has all."""
    parts = []
    kinds = (("rows", "dataset"), ("columns", "algorithm"), ("metrics", "metric"))
    for (what, key), known in zip(kinds, _names(spec), strict=True):
        names = list(dict.fromkeys(row[key] for row in printed if row["mean"] and row[key] not in known))
        if names:
            parts.append(f"{what} {_listed([f'{name}{closest(name, known)}' for name in names])}")
    return ", ".join(parts)


def _names(spec: Mapping[str, Any]) -> tuple[list[str], list[str], list[str]]:
    """Return what the rows, columns and metrics of a description are called where they are printed."""
    rows = [(one or {}).get("printed", key) for key, one in spec["rows"].items()]
    columns = [one["printed"] for one in spec["columns"].values() if one.get("printed")]
    metrics = [one.get("printed", key) for key, one in spec["metrics"].items()]
    return rows, columns, metrics


def _metric(spec: Mapping[str, Any], printed: str) -> Metric | None:
    """Return the metric that is printed under a name; None of one that only a table has."""
    own = next((key for key, one in spec["metrics"].items() if one.get("printed", key) == printed), printed)
    return METRICS.get(own)


def _fractions(spec: Mapping[str, Any], printed: Sequence[Row]) -> Iterator[str]:
    """Yield a remark on each percentage with printed values that look like fractions."""
    for name in dict.fromkeys(row["metric"] for row in printed):
        metric, rows = _metric(spec, name), [row for row in printed if row["metric"] == name and row["mean"]]
        if not metric or metric.unit != "%":
            continue
        small = [row for row in rows if 0 < float(row["mean"]) <= FRACTION]
        if len(small) > 2 and len(small) == len(rows):
            yield f"all printed values of {name} are at most 1, and it is in per cent: multiply fractions by 100"
        elif small and median(float(row["mean"]) for row in rows) >= PER_CENT:
            cells = _listed([f"{row['dataset']} {row['algorithm']} {row['mean']}" for row in small])
            yield f"{name} is in per cent, and some values may be fractions: {cells}"


def _unfilled(place: str, value: Any) -> Iterator[str]:
    """Yield the keys of a description whose words are to be completed."""
    if isinstance(value, Mapping):
        for key, one in value.items():
            yield from _unfilled(f"{place}.{key}" if place else str(key), one)
    elif isinstance(value, list | tuple):
        for i, one in enumerate(value):
            yield from _unfilled(f"{place}[{i}]", one)
    elif isinstance(value, str) and TO_FILL_IN in value.replace("_", " "):
        yield place


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return f"{', '.join(names[:NAMED])}{more}"
