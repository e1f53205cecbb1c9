"""A reproduced table: paper, ours, difference and verdict of every cell, over one or more partitions."""

from collections.abc import Mapping, Sequence
from math import isfinite, isnan, nan
from typing import Any

from kernlearn.evaluation import Selection
from kernlearn.evaluation.metrics import LARGER_IS_BETTER, mean_and_deviation
from kernlearn.papers import Column, PrintedValue, Table, table_values, verdict
from kernlearn.papers.tables import Row as TableRow
from kernlearn.report.terminal import mean_std

COLUMNS = (
    "paper,table,dataset,setting,algorithm,metric,mean,std,n_splits,n_partitions,partition_std,"
    "paper_mean,paper_std,delta,verdict,percentile"
).split(",")

Row = Mapping[str, Any]


def partition_rows(
    name: str,
    column: Column,
    seed: int,
    rows: Sequence[Row],
    selection: Selection,
    more: Mapping[str, Sequence[float]] | None = None,
) -> list[dict[str, Any]]:
    """Return one row a metric for one partition: what was selected, mean and deviation over its splits, the values.

    `name` is that of the table's row: in the column "dataset", because rows are data sets as a rule. Of all `rows` it
    keeps how many programs they are and how well these were solved. `more` has further metrics of the
    selected model, one value a split.
    """
    head = {"dataset": name, "algorithm": column.name, "seed": seed}
    tail = {
        "n_splits": len(selection.rows),
        "selected": ";".join(f"{key}={value:g}" for key, value in selection.values.items()),
        f"validation_{selection.metric}": selection.validation_score,
        "n_ties": selection.n_ties,
        "n_programs": len(rows),
        "n_not_optimal": _not_optimal(rows),
        "n_selected_not_optimal": _not_optimal(selection.rows),
        "largest_gap": max(float(row["gap"]) for row in rows),
    }
    measured = {metric: selection.values_of(metric) for metric in selection.metrics} | dict(more or {})
    places: dict[str, Any] = dict.fromkeys(("mean", "std"))  # of the columns
    return [{**head, "metric": metric, **places, **tail, **_numbers(v)} for metric, v in measured.items()]


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


def _not_optimal(rows: Sequence[Row]) -> int:
    return sum(row["status"] != "optimal" for row in rows)


def _numbers(values: Sequence[float]) -> dict[str, Any]:
    mean, deviation, n_splits = mean_and_deviation(values)
    deviation = nan if deviation is None else deviation
    return {"mean": mean, "std": deviation, "n_splits": n_splits, "values": " ".join(map(repr, values))}


def table_rows(table: Table, partitions: Sequence[Row]) -> list[dict[str, Any]]:
    """Return one row for every data set, column and metric, in the order of the table.

    ``mean`` and ``std`` are averages over the partitions of mean and deviation over the splits, the two numbers the
    paper prints for its one partition; ``partition_std`` is the deviation of the mean from partition to partition;
    ``percentile`` is the share of partitions whose mean is not above the printed one.
    """
    rows = []
    for line in table.rows:
        for column in table.columns:
            mine = [row for row in partitions if (row["dataset"], row["algorithm"]) == (line.name, column.name)]
            for metric in dict.fromkeys(row["metric"] for row in mine):
                same = [row for row in mine if row["metric"] == metric]
                rows.append(_row(table, line, column, same, _printed(table, line, column, metric)))
    return rows


def _printed(table: Table, line: TableRow, column: Column, metric: str) -> PrintedValue | None:
    if column.printed is None:
        return None
    setting = line.setting or (table.metrics[metric].setting if metric in table.metrics else "")
    return table_values(table.printed, line.printed, column.printed, setting).get(_name(table, metric))


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
    if printed and means:
        row |= {"paper_mean": printed.mean, "paper_std": printed.std, "delta": mean - printed.mean}
        row |= {"verdict": "" if table.stand_in else verdict(mean, printed, _name(table, metric) in LARGER_IS_BETTER)}
        row |= {"percentile": 100.0 * sum(value <= printed.mean for value in means) / len(means)}
    return row


def markdown(
    table: Table,
    rows: Sequence[Row],
    partitions: Sequence[Row],
    claims: Sequence[tuple[str, str, str]],
    command: str,
    picture: str = "",
    warning: str = "",
) -> str:
    """Return the table in Markdown, laid out as in the paper: a line a data set, a column an algorithm.

    Parameters
    ----------
    table : Table
    rows : sequence
        From `table_rows`.
    partitions : sequence
        From `partition_rows`.
    claims : sequence of (claim, what was found, "holds" or "does not hold")
    command : str
        That makes the table.
    picture : str
        The file of its picture, beside it; empty if there is none.
    warning : str
        What a reader has to know before all else.
    """
    n_partitions = max((row["n_partitions"] for row in rows), default=0)
    lines = [
        f"# {table.name}: {table.title}",
        "",
        f"`{command}`",
        "",
        *([f"**{warning}**", ""] if warning else []),
        *_legend(table, n_partitions),
        "",
    ]
    lines += [f"![{table.title}]({picture})", ""] if picture else []
    for metric, shown in table.metrics.items():
        cells = {(row["dataset"], row["algorithm"]): row for row in rows if row["metric"] == metric}
        measured = [line for line in table.rows if any(name == line.name for name, _ in cells)]
        if not cells:
            continue
        found = {name for _, name in cells}
        names = [column.name for column in table.columns if column.name in found]
        lines += [f"## {shown.title}", "", f"| | {' | '.join(names)} |", "|---|" + "---|" * len(names)]
        for line in measured:
            texts = [_cell(cells.get((line.name, name)), shown.digits) for name in names]
            lines.append(f"| {line.name} | {' | '.join(texts)} |")
        lines.append("")
    if claims:
        lines += ["## Claims", "", "| claim | found | |", "|---|---|---|"]
        lines += [f"| {claim} | {found} | {judgement} |" for claim, found, judgement in claims]
        lines.append("")
    lines += [
        "## Certified",
        "",
        "| | programs | not optimal | of them selected | largest gap |",
        "|---|---|---|---|---|",
    ]
    for column in table.columns:
        solved = {(row["dataset"], row["seed"]): row for row in partitions if row["algorithm"] == column.name}.values()
        if not solved:
            continue
        counts = (sum(row[key] for row in solved) for key in ("n_programs", "n_not_optimal", "n_selected_not_optimal"))
        largest = max(row["largest_gap"] for row in solved)
        lines.append(f"| {column.name} | {' | '.join(f'{count:,}' for count in counts)} | {largest:.1e} |")
    lines += ["", "## Readings", ""]
    lines += [f"- **{key}**: {text}" for key, text in table.readings.items()]
    return "\n".join(lines) + "\n"


def _legend(table: Table, n_partitions: int) -> list[str]:
    lines = [f"Mean (standard deviation over the splits), averaged over {n_partitions} partition(s); in brackets the"]
    if table.stand_in:
        return [*lines, "printed value of *other data*, which is context only: the data here are a stand-in."]
    direction = "" if any(_name(table, metric) in LARGER_IS_BETTER for metric in table.metrics) else " (smaller)"
    lines += ["printed value and the verdict: within one printed standard deviation *match*, within two *close*, else"]
    return [*lines, f"*better*{direction} or *differs*."]


def _cell(row: Row | None, digits: int) -> str:
    if row is None:
        return "-"
    text = _ours(row, digits)
    if "paper_mean" not in row:
        return text
    printed = f"{mean_std(row['paper_mean'], row['paper_std'], digits)} {row['verdict']}"
    return f"{text} [{printed.rstrip()}]"


def _ours(row: Row, digits: int) -> str:
    """Return mean and deviation; a number that is one for all splits has none."""
    return mean_std(row["mean"], row["std"] if isfinite(row["std"]) else None, digits)


def lines_of(table: Table, rows: Sequence[Row]) -> list[list[str]]:
    """Return the cells of the terminal's table: data set, algorithm, metric, paper, ours, delta, verdict."""
    lines = []
    for row in rows:
        if row["metric"] in table.metrics:
            shown = table.metrics[row["metric"]]
            printed = "paper_mean" in row
            paper = mean_std(row["paper_mean"], row["paper_std"], shown.digits) if printed else ""
            delta = f"{row['delta']:+.{shown.digits}f}" if printed else ""
            ours = _ours(row, shown.digits)
            lines.append([row["dataset"], row["algorithm"], shown.title, paper, ours, delta, row.get("verdict", "")])
    return lines
