"""The part of a page that shows a run: how good it is, what is proved and selected, and how its data were read."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, field
from math import isfinite
from pathlib import Path
from typing import Any

from kernlearn.datasets import OWN, TITLES, Column, Dataset, load, load_own, summarised
from kernlearn.errors import UserError
from kernlearn.evaluation import METRICS, ChosenBy
from kernlearn.evaluation.metrics import digits_of, mean_and_deviation, rounded
from kernlearn.evaluation.selection import values_of
from kernlearn.report.choice import End
from kernlearn.report.pages.marks import Reason
from kernlearn.report.pages.page import Head, Part, Sheet
from kernlearn.report.pages.provenance import environments, in_words
from kernlearn.report.pages.steps import PER_SPLIT, steps_of_run, where_it_ran
from kernlearn.report.plots.kinds import pictures_of
from kernlearn.report.plots.stored import StoredRun, read_run
from kernlearn.report.plots.svg import figure
from kernlearn.report.run import TOO_FEW, choice_in_words, classes_in_words, notes, shown, target_range
from kernlearn.report.summary import (
    compared_with_baseline,
    gap_to_exact,
    largest_exact_gap,
    largest_gap,
    not_optimal,
    reports_own_gap,
    select_otherwise,
    why_unproved,
)
from kernlearn.report.targets import Target
from kernlearn.report.terminal import capitalised
from kernlearn.runner.cell.cell import Experiment
from kernlearn.runner.plan.baseline import baseline_name, baseline_rows
from kernlearn.runner.plan.plan import plan
from kernlearn.runner.provenance.record import uncommitted
from kernlearn.runner.store.tables import read_csv

#: Data with more examples are not read again for a page.
MOST_EXAMPLES = 20_000
#: Of more columns, those that are alike and side by side share a line.
MOST_COLUMNS = 300
#: Columns of ``paths.csv`` that are the same in all rows.
SAME = ("run", "dataset", "algorithm", "seed")
#: Columns that hold more than a number or a word.
LONG = ("weights", "pairs")
#: Most bytes of the table of grid points; the file has the others. Bytes of a cell beside its text.
LARGEST, OVERHEAD = 2_000_000, 5
#: A gap to the problem with the exact kernel that is no reason against a result with an approximate one.
CLOSE = 0.01
#: How splits and grid points are numbered, on every page as in the tables.
COLUMNS_NUMBERED = "Columns are numbered from 0, as in dataset.target=0."
NUMBERED = "Splits and grid points are numbered from 0, as in paths.csv."


@dataclass
class Read:
    """How the data of a run were read.

    Attributes
    ----------
    columns : list of Column
        Of a file of one's own.
    notes : list of str
    targets : str
        The classes with their numbers of examples, or the range of the targets, in words.
    baseline : str
        The score of the baseline in words; empty if it is not known.
    doubt : str
        What a comparison with the baseline says against the run; empty if nothing.
    otherwise : list of str
        The same with the advice to select by another score, if a class is rare.
    missing : str
        Why nothing of this is known; empty if it is.
    """

    columns: list[Column] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    targets: str = ""
    baseline: str = ""
    doubt: str = ""
    otherwise: list[str] = field(default_factory=list)
    missing: str = ""


def run_part(target: Target) -> Part:
    """Return the part of a page that shows a run.

    Raises `UserError` if its files are damaged, or no split has finished.
    """
    from markupsafe import Markup

    run = read_run(target)
    experiment, record = run.provenance["experiment"], run.provenance
    try:
        read = _read_again(run)
    except (LookupError, TypeError, AttributeError) as error:
        raise UserError(
            f"{target.path}: provenance.json is damaged ({error}); repeat the command of the run"
        ) from error
    command = str(record.get("collected", {}).get("command", ""))
    lines, ends = read_csv(target.path / "paths.csv"), run.ends
    n_failed = sum(not line.get("point") for line in lines)
    anchor = f"run-{target.name}"
    pictures = [Markup(figure(one)) for one in pictures_of(target)]
    return Part(
        run.title,
        anchor,
        "run.html",
        _result(run, read),
        _trust(run, read, ends, n_failed),
        steps_of_run(run, target, ends, by_another_score=bool(read.otherwise)),
        {
            "name": target.name,
            "scores": _scores(run),
            "choices": _choices(run),
            "chosen": f"Selected: {choice_in_words(run.selection)}.",
            "certificate": _certificate(run),
            "pictures": pictures,
            "data": [in_words(one) for one in record.get("data", [])],
            "columns": _columns(read.columns),
            "read": read,
            "points": _points(lines),
            "command": where_it_ran(command, target.path.resolve().parents[1]) if command else "",
            "configuration": json.dumps({**experiment, **record["chosen_by"]}, indent=1, ensure_ascii=False),
            "environments": environments(record),
        },
        starts=str(Path.cwd()),
    )


def _read_again(run: StoredRun) -> Read:
    """Return how the data of a run were read, by reading them again if they are still the same."""
    described, experiment = run.provenance["data"][0], Experiment.from_json(run.provenance["experiment"])
    if described["examples"] > MOST_EXAMPLES:
        return Read(missing=f"Data of more than {MOST_EXAMPLES:,} examples are not read again for a page.")
    read = Read()
    try:
        data = _load(experiment, read)
    except (UserError, OSError):  # the message may quote a file that is not the one of the run
        data = None
    if data is None or data.digest != described["sha256"]:
        return Read(missing="The data are not where they were, or have changed since, so they were not read again.")
    read.targets = target_range(data) if experiment.is_regression else classes_in_words(data)
    try:
        chosen = run.provenance["chosen_by"]
        todo = plan(experiment, data, chosen_by=ChosenBy(chosen["select_by"], chosen["rule"]))
        read.notes = notes(todo)
        values, metric = values_of(baseline_rows(todo), run.metric.name), run.metric
    except UserError:  # of another version
        return read
    mean, std, _ = mean_and_deviation(values)
    if isfinite(mean):
        unit = f" {metric.unit}" if metric.unit else ""
        read.baseline = f"always predicting the {baseline_name(todo)} gives {shown(metric.name, mean, std)}{unit}"
        against = compared_with_baseline(todo, run.selection)
        read.doubt, read.otherwise = against.doubt, select_otherwise(todo, against)
    return read


def _load(experiment: Experiment, read: Read) -> Dataset:
    options = dict(experiment.dataset)
    if "path" not in options:
        return load(**options)
    name = options.pop("name", OWN)
    return load_own(name, options, lambda columns, _: read.columns.extend(columns))


def _result(run: StoredRun, read: Read) -> str:
    """Return the score of the selected points in one sentence."""
    metric = run.metric
    mean, std, n = mean_and_deviation(run.selection.values_of(metric.name))
    unit = f" {metric.unit}" if metric.unit else ""
    words = metric.words.removesuffix(metric.unit).strip()
    digits = digits_of(metric.name, mean, std)
    score, over = rounded(mean, digits), "on one test part"
    if std is not None:
        spread = rounded(std, digits)
        over = f"on average over {n} test parts, with a standard deviation of {spread}"
    against = f"; {read.baseline}" if read.baseline else ""
    return f"{capitalised(words)} {score}{unit} {over}{against}."


def _end_in_words(end: End) -> str:
    """Return the value, at which end of its grid it is, how many splits selected it, and how the score changes."""
    often = "" if end.n_chosen == end.n_choices else f" (selected on {end.n_chosen} of {end.n_choices} test parts)"
    trend = f", and {end.trend.words}" if end.trend else ""
    return f"{end.key}={end.value:g} is the {'largest' if end.largest else 'smallest'} value of its grid{often}{trend}"


def _trust(run: StoredRun, read: Read, ends: Sequence[End], n_failed: int) -> list[Reason]:
    """Return the reasons to trust the score, and those not to."""
    share = float(run.summary[0]["test_rows_in_choice_pct"] or 0.0)
    reasons = [Reason(True, "No test row took part in the choice of hyper-parameters.")]
    if share:
        words = f"The score is optimistic: {share:.3g} % of the test rows took part in the choice"
        reasons = [Reason(False, f"{words}; with {PER_SPLIT} none does.")]
    if read.otherwise:
        reasons = [*(Reason(False, f"{capitalised(words)}.") for words in read.otherwise), *reasons]
        ends = []  # the validation score improves where the common class alone is predicted
    elif read.doubt:
        reasons.append(Reason(False, f"{capitalised(read.doubt)}."))
    reasons.append(_proof(run))
    if exact := gap_to_exact(run.provenance["experiment"], run.selection.rows):
        largest = largest_exact_gap(run.selection.rows)
        is_close = largest is not None and largest <= CLOSE
        reasons.append(Reason(is_close, f"The kernel is approximate: {exact}."))
    if unsettled := "; ".join(_end_in_words(end) for end in ends if not end.is_settled):
        reasons.append(Reason(False, f"Values beyond the grid may be better: {unsettled}."))
    if settled := "; ".join(_end_in_words(end) for end in ends if end.is_settled):
        reasons.append(Reason(True, f"A selected value is at an end of its grid: {settled}."))
    if n_failed:
        reasons.append(Reason(False, f"{n_failed} split{'s' if n_failed > 1 else ''} failed, see paths.csv."))
    if words := uncommitted(run.provenance):  # type: ignore[arg-type]
        reasons.append(Reason(False, f"{words}."))
    return reasons


def _proof(run: StoredRun) -> Reason:
    """Return what is proved of the selected solutions."""
    rows = run.selection.rows
    inexact, largest = not_optimal(rows), largest_gap(rows)
    name = run.provenance["experiment"]["algo"]["name"]
    if why := why_unproved(name):
        return Reason(False, f"Nothing is proved of the selected solutions: {why}.")
    reported = ", as reported by the method itself" if reports_own_gap(name) else ""
    if inexact:
        words = f"{len(inexact)} of {len(rows)} selected solutions are not proved optimal"
        return Reason(False, f"{words}; the largest gap is {largest:.1e}{reported}.")
    words = (
        f"Every selected solution is proved optimal on its training rows, up to a relative {abs(largest):.1e}{reported}"
    )
    return Reason(True, f"{words}.")


def _scores(run: StoredRun) -> Sheet:
    """Return mean and deviation of every metric, and the printed ones beside them if a paper has them."""
    printed = {row["metric"]: row for row in run.summary if row.get("paper_mean")}
    rows = []
    for metric, (mean, std, n) in run.selection.summary().items():
        cells = [METRICS[metric].words, shown(metric, mean, None)]
        cells += [shown(metric, std, None) if std is not None else "", str(n)]
        if printed:
            cells += _printed(metric, printed[metric]) if metric in printed else ["", ""]
        rows.append(cells)
    heads = [Head("score", number=False), Head("mean"), Head("standard deviation"), Head("test parts")]
    if not printed:
        return Sheet("Scores of the selected grid points", heads, rows)
    paper = next(iter(printed.values()))
    heads += [Head(f"{paper['paper']} table {paper['table']}"), Head("ours - printed")]
    return Sheet("Scores of the selected grid points", heads, rows, note=f"{capitalised(TOO_FEW)}.")


def _printed(metric: str, row: Mapping[str, str]) -> list[str]:
    """Return the printed mean and deviation, and the difference of ours from the mean."""
    std = float(row["paper_std"]) if row["paper_std"] else None
    return [shown(metric, float(row["paper_mean"]), std), f"{float(row['delta']):+.2f}"]


def _choices(run: StoredRun) -> Sheet:
    """Return what was selected on every split."""
    metric = run.metric
    validation, test = metric.column_of("validation"), metric.column_of("test")
    heads = (
        Head("split", number=False),
        *map(Head, run.parameters),
        Head(f"validation {metric.title}"),
        Head(f"test {metric.title}"),
        Head("gap"),
        Head("status", number=False),
    )
    rows = []
    for row in run.selection.rows:
        values: Mapping[str, Any] = row
        scores = [
            shown(metric.name, metric.value(row, part), None) if column in values else ""
            for part, column in (("validation", validation), ("test", test))
        ]
        chosen = [f"{values[name]:g}" if name in values else "" for name in run.parameters]
        rows.append([str(row["split"]), *chosen, *scores, f"{row['gap']:.1e}", str(row["status"])])
    return Sheet("The selected grid point of every split", heads, rows, note=NUMBERED)


def _certificate(run: StoredRun) -> str:
    """Return in plain words what the gaps mean."""
    n_optimal, gap = len(run.rows) - len(not_optimal(run.rows)), f"{largest_gap(run.rows):.1e}"
    name = run.provenance["experiment"]["algo"]["name"]
    if why := why_unproved(name):
        return (
            f"Nothing is proved of the {len(run.rows):,} solutions of {name}: {why}. The gap in paths.csv is what the "
            f"method itself reports of its last step; the largest is {gap}."
        )
    return (
        f"Of {len(run.rows):,} solutions, {n_optimal:,} are optimal within the tolerance of the method"
        f"{', as it reports itself' if reports_own_gap(name) else ''}. Each has a "
        "gap: the distance of its objective from a lower bound on all objectives, as a share of the objective. The "
        f"largest gap of all is {gap}. No other solution of the same problem can be better by more than its gap."
    )


def _columns(columns: Sequence[Column]) -> Sheet | None:
    if not columns:
        return None
    heads = [Head(title, number=False) for title in TITLES]
    few = len(columns) <= MOST_COLUMNS
    lines = [line for column in columns for line in summarised([column])] if few else summarised(columns)
    rows = [[str(value) for value in astuple(line)[: len(TITLES)]] for line in lines]
    return Sheet("How every column was read", heads, rows, note=COLUMNS_NUMBERED)


def _points(rows: Sequence[Mapping[str, str]]) -> Sheet:
    """Return the rows of all grid points; rows are left out where the table would be too large for a page."""
    keys = [key for key in rows[0] if key not in (*SAME, *LONG)]
    lines, size = [], 0
    for row in rows:
        line = [_short(row[key]) for key in keys]
        size += sum(map(len, line)) + OVERHEAD * len(line)
        if size > LARGEST:
            break
        lines.append(line)
    left = len(rows) - len(lines)
    note = f"{NUMBERED} {left:,} more rows are in that file." if left else NUMBERED
    words = {key for key in keys if key in ("status", "error")}
    return Sheet(
        f"All {len(rows):,} rows of paths.csv", [Head(key, key not in words) for key in keys], lines, note=note
    )


def _short(text: str) -> str:
    """Return a number with at most six digits, and another text as it is."""
    try:
        return f"{float(text):.6g}" if "." in text or "e" in text else text
    except ValueError:
        return text
