"""Table 5.3 of Shivaswamy (2010): counts over the rows of tables 5.1 and 5.2, ours beside those that are printed."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from kernlearn.papers.core.colours import COLOURS, GREY
from kernlearn.papers.core.compare import printed_rows
from kernlearn.papers.core.figures import Rows
from kernlearn.papers.core.measured import NOT_MEASURED, Claim, Measured, everywhere, judgement
from kernlearn.papers.rmm2010.graphs.table5_2 import LEVEL, UNCORRECTED

METHODS = ("mkl_s", "mkl_r", "sgt", "kta_s", "kta_r", "stoam", "storm")
TABLES = ("table5_1", "table5_2")
SIZE = (7.0, 3.4)
#: Rows of both tables together, and how near two means are that are the same.
ROWS, SAME = 50, 1e-9


def points(*tables: Measured) -> Rows:
    """Return for either table in how many rows a method is the best or not worse, and its printed mean the smallest."""
    rows = []
    for name, measured in zip(TABLES, tables, strict=True):
        measured_rows = measured.rows("error_pct", *METHODS)
        best = [best_of({method: measured.mean(row, method) for method in METHODS}) for row in measured_rows]
        near = [_not_worse(measured, row) for row in measured_rows]
        smallest = smallest_printed(name)
        for method in METHODS:
            counts = {"best": sum(method in some for some in best)}
            counts["not_worse"] = sum(
                method in some and method not in first for some, first in zip(near, best, strict=True)
            )
            counts["smallest_printed"] = smallest[method]
            rows.append({"table": name, "method": method, "rows": len(measured_rows), **counts})
    return rows


def best_of(means: Mapping[str, float]) -> list[str]:
    """Return the methods with the smallest mean, several where these are equal."""
    return [method for method, mean in means.items() if mean <= min(means.values()) + SAME]


def _not_worse(measured: Measured, row: str) -> list[str]:
    """Return the methods that are not significantly worse than the best."""
    first = measured.best(row, METHODS)
    return [
        method
        for method in METHODS
        if method == first or measured.p_value(row, method, first, ratio=UNCORRECTED) >= LEVEL
    ]


def smallest_printed(table: str) -> dict[str, int]:
    """Return in how many rows of a table the printed mean of a method is the smallest, alone or with others."""
    means: dict[tuple[str, str], dict[str, float]] = {}
    for row in printed_rows(f"rmm2010/{table}"):
        means.setdefault((row["dataset"], row["setting"]), {})[row["algorithm"]] = float(row["mean"])
    best = [best_of(by_method) for by_method in means.values()]
    return {method: sum(method in some for some in best) for method in METHODS}


def printed(kind: str) -> dict[str, int]:
    """Return the printed counts: "dark_gray" for the best, "light_gray" for those not worse, "total" for both."""
    return {row["algorithm"]: int(row["mean"]) for row in printed_rows("rmm2010/table5_3") if row["setting"] == kind}


def totals(rows: Rows, *kinds: str) -> dict[str, int]:
    """Return the counts over both tables."""
    return {
        method: sum(int(row[kind]) for row in rows if row["method"] == method for kind in kinds) for method in METHODS
    }


def claims(rows: Rows) -> list[Claim]:
    """Check what section 5.5 concludes from table 5.3, and the sums of table 5.3 themselves."""
    n = sum(int(row["rows"]) for row in rows if row["method"] == METHODS[0])
    best, total = totals(rows, "best"), totals(rows, "best", "not_worse")
    return [
        _most("STORM is the best of the seven methods most often", best, printed("dark_gray"), ["storm"], n),
        _most("STORM is the best or not significantly worse most often", total, printed("total"), ["storm"], n),
        _most("and STOAM comes next", total, printed("total"), ["storm", "stoam"], n),
        _most(
            "both KTA are the best or not significantly worse more often than both MKL",
            {method: total[method] for method in ("kta_s", "kta_r", "mkl_s", "mkl_r")},
            printed("total"),
            ["kta_s", "kta_r"],
            n,
            ordered=False,
        ),
        everywhere(
            "the printed counts fit the printed means: none is above that of its smallest means, alone or with others",
            {m: printed("dark_gray")[m] <= count for m, count in totals(rows, "smallest_printed").items()},
        ),
    ]


def _most(
    text: str,
    counts: Mapping[str, int],
    paper: Mapping[str, int],
    first: Sequence[str],
    n: int,
    *,
    ordered: bool = True,
) -> Claim:
    """Return whether the first methods are ahead of all others, perhaps in their order, by how many rows."""
    counted = ", ".join(f"{method} {count} (printed {paper[method]})" for method, count in counts.items())
    if n < ROWS:
        return text, f"{n} of {ROWS} rows", NOT_MEASURED
    others = [count for method, count in counts.items() if method not in first]
    ahead = min(counts[method] for method in first) > max(others)
    falling = all(counts[a] > counts[b] for a, b in zip(first, first[1:], strict=False))
    return text, counted, judgement(ahead and (falling or not ordered))


def draw(canvas: Any, rows: Rows) -> None:
    """Draw the counts of every method over both tables, ours on the left and those printed on the right."""
    axes, places = canvas.subplots(), np.arange(len(METHODS))
    shown = (
        ("ours", -0.2, COLOURS[0], totals(rows, "best"), totals(rows, "not_worse")),
        ("printed", 0.2, GREY, printed("dark_gray"), printed("light_gray")),
    )
    for name, shift, colour, best, near in shown:
        low, high = ([counts[method] for method in METHODS] for counts in (best, near))
        axes.bar(places + shift, low, 0.36, color=colour, label=f"{name}, best")
        axes.bar(places + shift, high, 0.36, bottom=low, color=colour, alpha=0.4, label=f"{name}, not worse")
    axes.set_xticks(places, METHODS)
    axes.set_ylabel("rows of tables 5.1 and 5.2")
    axes.set_axisbelow(True)
    axes.grid(axis="y", linewidth=0.4, color="0.88")
    axes.legend(fontsize=8)
