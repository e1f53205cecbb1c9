"""The summary of a run: one row for each metric, with the printed value of a paper if there is one."""

import logging
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np

from kernlearn.algorithms import ALGORITHMS
from kernlearn.algorithms.core.approximated import EXACT_GAP, why_no_exact_gap
from kernlearn.algorithms.core.method import CHAINS, KERNELS
from kernlearn.certificates.own.problems import UNPROVED
from kernlearn.datasets.core.cells import show
from kernlearn.errors import UserError
from kernlearn.evaluation import Row, Selection
from kernlearn.evaluation.comparison import Against, against_baseline
from kernlearn.evaluation.selection import values_of
from kernlearn.kernels.families.vectors import FEATURES
from kernlearn.papers import judge, printed_values
from kernlearn.report.choice import ends, leaked_share
from kernlearn.report.model import both_gaps
from kernlearn.runner.plan.baseline import baseline_rows
from kernlearn.runner.plan.identity import IDENTITY, identity
from kernlearn.runner.plan.plan import Plan
from kernlearn.runner.store.files import refuse_links
from kernlearn.runner.store.tables import read_csv, write_csv

log = logging.getLogger(__name__)

CHOICE = ("selected", "at_grid_end", "test_rows_in_choice_pct", "validation_score")
#: Columns on the accuracy of the selected model: the number of solutions that are not optimal, and the largest gap.
CERTIFIED = ("n_selected_not_optimal", "largest_selected_gap")
PRINTED = ("paper", "table", "paper_mean", "paper_std", "delta", "verdict")
#: Columns that every summary must have.
REQUIRED = ("dataset", "algorithm", "metric", "mean")
#: The key with which a rare class counts.
BALANCED = "select_by=balanced_error_pct"
#: A class is rare below this share of the rows, in multiples of an equal share.
RARE = 0.2
#: Maximum number of times that a table is written again because another runner has finished in the meantime.
LOOKS = 5
COLUMNS = (*IDENTITY, "by_size", *CHOICE, "metric", "mean", "std", "n_splits", *CERTIFIED, *PRINTED)


def compared_with_baseline(plan: Plan, selection: Selection) -> Against:
    """Return how the selected grid points of an experiment compare with its baseline on the test parts."""
    ours, other = selection.values_of(selection.metric), values_of(baseline_rows(plan), selection.metric)
    ratio = fmean(row["n_test"] / row["n_train"] for row in selection.rows)
    return against_baseline(ours, other, selection.metric, ratio)


def on_rare_class(plan: Plan) -> list[str]:
    """Return advice if a class is so rare that the error says little about it."""
    data = plan.dataset
    if plan.experiment.is_regression or data.is_sequential or plan.metric != "error_pct":
        return []
    counts = np.bincount(data.y, minlength=len(data.classes))
    if counts.min() * len(counts) > RARE * counts.sum():
        return []
    name, number = show(data.classes[int(counts.argmin())]), int(counts.min())
    return [
        f"class {name} has {number} of {counts.sum()} rows, so the error hardly depends on it; "
        f"{BALANCED} counts all classes alike"
    ]


def select_otherwise(plan: Plan, against: Against) -> list[str]:
    """Return advice to select by another score if a class is rare, and the method no better than always the other.

    Then its validation error falls where it predicts the common class alone, so a wider grid is no remedy.
    """
    if against.better or not (advice := on_rare_class(plan)):
        return []
    return [f"{against.doubt}; {words}" for words in advice]


def summary_rows(plan: Plan, selection: Selection) -> list[dict[str, Any]]:
    """Return the rows of ``summary.csv`` for one experiment. If splits are missing, the verdict is ``incomplete``.

    All rows begin with the identity of the experiment and the selection. ``n_splits`` is the number of splits that have
    the metric. Splits where it is NaN are not part of the mean.
    """
    printed = printed_values(plan.experiment, plan.label, selection.metric)
    head = identity(plan)
    head |= {"by_size": left_to_size(plan), "selected": selected(plan, selection)}
    head |= {"at_grid_end": "; ".join(end.words for end in ends(plan, selection))}
    head |= {"test_rows_in_choice_pct": leaked_share(plan), "validation_score": selection.validation_score}
    certified = dict(zip(CERTIFIED, (len(not_optimal(selection.rows)), largest_gap(selection.rows)), strict=True))
    rows = []
    measured = selection.summary()
    kernel = plan.experiment.kernel
    # Weights of features do not belong to examples: `n_kernels` has their number.
    without_vectors = kernel["name"] == FEATURES or (kernel["name"] == CHAINS and kernel["degree"] == 1)
    if without_vectors or ALGORITHMS[plan.experiment.algo["name"]].inputs != KERNELS:
        del measured["n_support_vectors"]
    for metric, (mean, std, n_splits) in measured.items():
        row: dict[str, Any] = {**head, "metric": metric, "mean": mean, "std": std, "n_splits": n_splits, **certified}
        if metric in printed and n_splits:
            value = printed[metric]
            row |= {"paper": value.paper, "table": value.table, "paper_mean": value.mean, "paper_std": value.std}
            row |= {"delta": mean - value.mean, "verdict": judge([mean], value).word}
        if n_splits < len(plan.cells):
            row["verdict"] = "incomplete"
        rows.append(row)
    return rows


def reports_own_gap(name: str) -> bool:
    """Return whether the gaps of a method are those that it computes itself; see docs/results.md."""
    return name in ALGORITHMS and ALGORITHMS[name].certificate is None


def why_unproved(name: str) -> str:
    """Return why nothing is proved of the solutions of a method, such as boosting by rounds; empty if something is."""
    return UNPROVED.get(name, "")


def nothing_proved(methods: Mapping[str, str]) -> list[str]:
    """Return of which methods nothing is proved, and why, in words: a text for each reason.

    `methods` has the methods by the names with which they are shown.
    """
    by_reason = dict[str, list[str]]()
    for name, method in methods.items():
        if why := why_unproved(method):
            by_reason.setdefault(why, []).append(name)
    return [f"nothing is proved of {', '.join(names)}: {why}" for why, names in by_reason.items()]


def not_optimal(rows: Iterable[Row]) -> list[Row]:
    """Return the rows whose solution is not proved to be within its method's tolerance."""
    return [row for row in rows if row["status"] != "optimal"]


def largest_gap(rows: Iterable[Mapping[str, Any]], key: str = "gap") -> float:
    """Return the relative gap with the largest size; a negative one, which proves nothing, counts by its size, too."""
    return max((float(row[key]) for row in rows), key=abs)


def gap_to_exact(experiment: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> str:
    """Return in words how far selected solutions with an approximate kernel are from the optimum with the exact one.

    Empty if the kernel is no approximation, or if rows of an older version do not have this gap.

    Parameters
    ----------
    experiment : mapping
        The groups of the configuration: ``kernel`` and ``algo``.
    rows : sequence of mapping
        Of the selected solutions.
    """
    kernel, algo = experiment["kernel"], experiment["algo"]
    if "approximate" not in kernel:
        return ""
    if why := why_no_exact_gap(algo["name"], kernel.get("exact_gap")):
        return f"it is not known how far the selected solutions are from the optimum of the exact problem ({why})"
    exact = largest_exact_gap(rows)
    return "" if exact is None else both_gaps("each selected solution", exact, largest_gap(rows))


def largest_exact_gap(rows: Sequence[Mapping[str, Any]]) -> float | None:
    """Return the largest gap to the problem with the exact kernel; None if there is none, or a row does not have it."""
    if not rows or any(row.get(EXACT_GAP) in (None, "") for row in rows):
        return None
    return largest_gap(rows, EXACT_GAP)


def left_to_size(plan: Plan) -> str:
    """Return the parameters that were resolved by the number of training examples, in command-line syntax."""
    given, values = plan.experiment.algo, plan.cells[0].algo  # the same values in all cells
    words = sorted(f"algo.{key}={value}" for key, value in values.items() if given.get(key) != value)
    return " ".join([plan.by_size] * bool(plan.by_size) + words)


def selected(plan: Plan, selection: Selection) -> str:
    """Return the chosen hyper-parameters, such as ``C=10;theta=2``, or ``C=1|10|1`` if splits differ."""
    points = [plan.grid[int(row["point"])] for row in selection.rows]
    values = {key: [f"{point[key]:g}" for point in points] for key in points[0]}
    return ";".join(f"{key}={v[0] if len(set(v)) == 1 else '|'.join(v)}" for key, v in values.items())


def collect_summaries(results: Path) -> None:
    """Write ``summary.csv`` of a results directory: the sorted rows of all its runs in one table.

    A summary of an earlier version contributes the columns that it has. A damaged one is left out. Results that another
    runner finishes in the meantime are included, since each runner checks for them after it has written.
    """
    for _ in range(LOOKS):
        before = _summaries(results)
        write_csv(results / "summary.csv", _rows_of(before), COLUMNS)
        if _summaries(results) == before:
            break


def _summaries(results: Path) -> dict[Path, tuple[int, ...]]:
    """Return the summaries of all runs, with data that change when a file is replaced."""
    summaries: dict[Path, tuple[int, ...]] = {}
    for path in sorted(results.glob("runs/*/summary.csv")):
        with suppress(OSError):  # the run was just removed
            state = path.lstat()
            summaries[path] = (state.st_ino, state.st_size, state.st_mtime_ns)
    return summaries


def _rows_of(summaries: Iterable[Path]) -> list[dict[str, Any]]:
    rows = []
    for path in summaries:
        try:
            refuse_links(path.parent, path.parents[2])
            kept = read_csv(path, REQUIRED)
            for row in kept:
                float(row["mean"])
        except (OSError, ValueError) as error:
            words = str(error) if isinstance(error, UserError) else f"{path}: damaged ({error})"
            log.warning("%s, left out; the command of that run writes it again", words)
            continue
        run = path.parent.name.rpartition("-")[2]
        rows += [{"run": run, **{key: row[key] for key in COLUMNS if key in row}} for row in kept]
    return sorted(
        rows, key=lambda row: [row.get(key, "") for key in ("dataset", "algorithm", "kernel", "scaling", "seed", "run")]
    )
