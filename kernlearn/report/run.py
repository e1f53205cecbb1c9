"""The output of one run: the problems before it starts, and the results at its end."""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import isnan, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernlearn.algorithms import ALGORITHMS
from kernlearn.algorithms.core.approximated import parts_of_bound, why_no_exact_gap
from kernlearn.algorithms.margin.hard_svm import NOT_SEPARABLE
from kernlearn.datasets import Dataset
from kernlearn.datasets.core.cells import show as quoted
from kernlearn.datasets.core.cells import show_name
from kernlearn.evaluation import METRICS, Row, Selection, protocol_of, tallies
from kernlearn.evaluation.metrics import digits_of, mean_and_deviation, rounded
from kernlearn.evaluation.selection import values_of
from kernlearn.kernels.families.vectors import FEATURES
from kernlearn.report.choice import End, ends, leaked_share
from kernlearn.report.summary import (
    compared_with_baseline,
    gap_to_exact,
    largest_gap,
    left_to_size,
    not_optimal,
    on_rare_class,
    select_otherwise,
    why_unproved,
)
from kernlearn.report.terminal import mean_std, say, say_note, show_table
from kernlearn.runner.cell.class_weight import in_words
from kernlearn.runner.plan.baseline import baseline_name, baseline_rows
from kernlearn.runner.plan.plan import Plan

#: A note is shown if the sizes of columns differ by more than this factor.
UNLIKE = 100.0
#: Advice for selected solutions that are not optimal, by their status.
REMEDIES = {
    "capped": "more time (limit=...) or steps, if there are such parameters (kernlearn list {algorithm}), lower it",
    "inaccurate": "features of size 1 (scaling=standard), or larger penalties, may lower it",
}
#: Notes on selected problems that have no optimum, by their status.
UNSOLVABLE = {NOT_SEPARABLE: "no hyperplane separates the classes: a selected problem has no solution; algo=l2_svm has"}
#: The units of gammas.
UNIT_WORDS = {
    None: "",
    "scale": " times 1/(d var) (kernel.unit=null: absolute values)",
    "auto": " times 1/d (kernel.unit=null: absolute values)",
}
#: Marks values of test parts whose examples took part in the choice of hyper-parameters.
SEEN = "[1]"
#: Why a run has no verdict on a printed number.
TOO_FEW = "one partition is too few to compare with the paper"
#: Maximum number of classes named in the note on classes with fewer examples than folds.
SHOWN_RARE = 5
#: Maximum number of classes that are listed, the largest ones.
SHOWN_CLASSES = 20


def notes(plan: Plan) -> list[str]:
    """Return notes for the user before anything is solved: remarks on the data, and possible problems."""
    X = plan.dataset.X
    remarks = [*plan.dataset.remarks, *_rare_classes(plan), *on_rare_class(plan), *_unweighed_choice(plan)]
    if isinstance(X, np.ndarray) and X.ndim == 2:
        with np.errstate(over="ignore", invalid="ignore"):  # sizes that are not finite give no note
            remarks += _unlike_columns(plan, X)
    return remarks


def _rare_classes(plan: Plan) -> list[str]:
    """Warn about classes that are too small to be in the test part of each stratified fold."""
    protocol = protocol_of(plan.experiment.protocol)
    if not protocol.stratified or plan.experiment.is_regression or plan.dataset.is_sequential:
        return []
    counts = Counter(plan.dataset.labels.tolist())
    rare = [f"{quoted(plan.dataset.classes[c])} ({counts[c]})" for c in sorted(counts) if counts[c] < protocol.n_splits]
    if not rare:
        return []
    some = ", ".join(rare[:SHOWN_RARE]) + (f" and {len(rare) - SHOWN_RARE} more" if len(rare) > SHOWN_RARE else "")
    return [f"classes with fewer examples than the {protocol.n_splits} folds: {some}; some folds do not test them"]


def _unweighed_choice(plan: Plan) -> list[str]:
    """Note that class weights apply to losses only, if an unweighted score selects by default."""
    if plan.experiment.class_weight is None or plan.chosen_by.metric is not None:
        return []
    return [
        f"class_weight does not affect the choice by {plan.metric}; select_by=balanced_error_pct weighs classes equally"
    ]


def _unlike_columns(plan: Plan, X: NDArray[np.float64]) -> list[str]:
    """Warn about columns that are `UNLIKE` times as large as others, since they dominate the kernels.

    With ``scaling=unit``, examples of norm 1 consist mostly of the columns with the largest mean square, which may be
    constant. Without scaling, the columns with the largest deviation dominate distances and products. Stumps use one
    column at a time, and a graph may standardise columns itself.
    """
    scaling, kernel = plan.experiment.scaling, plan.experiment.kernel
    blind = kernel["name"] == "stumps" or kernel.get("standardise")  # independent of the sizes of columns
    if scaling not in ("unit", "none") or (scaling == "none" and blind) or len(X) < 2:
        return []
    widths = X.std(axis=0)
    sizes = np.sqrt((X**2).mean(axis=0)) if scaling == "unit" else widths
    large, small = int(sizes.argmax()), int(np.where(widths > 0, sizes, np.inf).argmin())
    if not (widths[small] > 0 and sizes[large] > UNLIKE * sizes[small]):
        return []
    what = f"{sizes[large]:.2g} in column {_named(plan, large)}, {sizes[small]:.2g} in column {_named(plan, small)}"
    remedy = f"with scaling={scaling} the largest columns dominate; use scaling=standard to balance them"
    return [f"feature columns differ in size ({what}); {remedy}"]


def _named(plan: Plan, column: int) -> str:
    columns = plan.dataset.columns
    return repr(columns[column]) if columns else f"{column + 1}"


def describe(plan: Plan) -> None:
    """Print the problems that the run will solve."""
    data, experiment, protocol = plan.dataset, plan.experiment, protocol_of(plan.experiment.protocol)
    algorithm = ALGORITHMS[experiment.algo["name"]]
    problem = (experiment.is_regression and algorithm.in_regression) or algorithm.problem
    describe_data(plan)
    own = "path" in experiment.dataset and protocol.stratified
    why = " (the default for your own file)" if own else ""
    stratifies = not (experiment.is_regression or data.is_sequential)
    words = protocol.described(stratifies=stratifies)
    say(f"protocol   {experiment.protocol['name']}, seed {experiment.seed}: {words}{why}")
    seen, by = leaked_share(plan), f"rule={plan.rule}, select_by={plan.metric}"
    choice = (
        f"{seen:.3g} % of the test rows influence it, as validation rows of other splits; rule=per_split avoids this"
        if seen
        else "no test row influences it"
    )
    say(f"choice     of the grid point by {by}: {choice}")
    describe_method(plan)
    counts = plan.problems
    sizes = " x ".join(map(str, counts.values()))
    say(f"solves     {sizes} ({', '.join(counts)}) = {prod(counts.values())} {problem}")
    describe_settings(plan)


def describe_data(plan: Plan) -> None:
    """Print the size and the targets of the data."""
    data = plan.dataset
    places = f" sequences of {len(data.labels)} places" if data.is_sequential else ""
    size = f"{data.X.shape[0]}{places} x {data.X.shape[1]}"
    say(f"data       {data.name}: {size}, {_targets(plan)}; {data.source}")


def describe_method(plan: Plan) -> None:
    """Print the kernels and the method."""
    experiment, kernel = plan.experiment, plan.experiment.kernel
    algorithm = ALGORITHMS[experiment.algo["name"]]
    say(f"{algorithm.inputs:<11}{inputs_in_words(plan)}; scaling of examples: {experiment.scaling}")
    if "approximate" in kernel:
        landmarks = f"{kernel['rank']} training examples"
        say(f"approximate: kernels phi(x).phi(z) of Nystroem's method with {landmarks}; optima and gaps are theirs")
        say(f"exact gap  {_exact_gap_in_words(plan)}")
    say(f"algorithm  {plan.label}: {algorithm.description}")
    if sized := left_to_size(plan):
        full = "; grid=full uses all values" if "=[" in sized else ""
        say(f"by size    {sized} (chosen for {plan.cost.size.n} training examples{full})")


def _exact_gap_in_words(plan: Plan) -> str:
    """Return whether there is a gap to the problem with the exact kernels, and what it is computed from."""
    asked, n = plan.experiment.kernel.get("exact_gap"), plan.cost.size.n
    if why := why_no_exact_gap(plan.experiment.algo["name"], asked):
        return f"there is no gap to the problem with the exact kernels ({why})"
    if (n_parts := parts_of_bound(n, asked)) == 1:
        return "the gap to the problem with the exact kernels is computed, too (column exact_gap of paths.csv)"
    return (
        f"the gap to the problem with the exact kernels (column exact_gap) is computed with the multipliers in up to "
        f"{n_parts} parts, as {n} examples have too many pairs; kernel.exact_gap=true takes all pairs"
    )


def inputs_in_words(plan: Plan) -> str:
    """Return the kernels, or other inputs, of a method with their parameters."""
    return kernels_in_words(plan.experiment.kernel, plan.dataset.X.shape[1])


def kernels_in_words(kernel: Mapping[str, Any], n_columns: int) -> str:
    """Return the kernels of a configuration with their parameters; the data have so many columns."""
    kernel = dict(kernel)
    name, unit = kernel.pop("name"), UNIT_WORDS[kernel.pop("unit", None)]
    parameters = ", ".join(f"{key}={value}{unit if key == 'gammas' else ''}" for key, value in kernel.items())
    if name == FEATURES:
        parameters = f"({n_columns} of rank 1)"
    return f"{name} {parameters}".strip()


def describe_settings(plan: Plan) -> None:
    """Print what else was asked for."""
    experiment = plan.experiment
    if plan.cost.size.streamed:
        say("streamed   kernel values are computed on demand; at most one kernel matrix is in memory")
    if experiment.class_weight is not None:
        say(f"weights    of the losses of classes: {in_words(experiment.class_weight)}")
    if experiment.limit is not None:
        say(f"limit      {experiment.limit:g} s for each of them; which ones are capped depends on the machine")


def _targets(plan: Plan) -> str:
    return classes_in_words(plan.dataset) if not plan.experiment.is_regression else target_range(plan.dataset)


def target_range(data: Dataset) -> str:
    """Return the range of the targets of a regression."""
    target = data.real_target()
    return f"targets from {target.min():g} to {target.max():g}"


def classes_in_words(data: Dataset) -> str:
    """Return the classes with their numbers of examples, or only the largest classes."""
    counts = Counter(data.labels.tolist())
    order = range(len(data.classes))
    some = order if len(order) <= SHOWN_CLASSES else [c for c, _ in counts.most_common(SHOWN_CLASSES)]
    hidden = len(order) - len(some)
    left = f" and {hidden} other{'s' * (hidden > 1)}" if hidden else ""
    return "classes " + ", ".join(f"{show_name(data.classes[c])} ({counts[c]})" for c in some) + left


def shown(metric: str, mean: float, std: float | None) -> str:
    """Return mean and standard deviation of a metric as text, with its number of digits."""
    return mean_std(mean, std, digits_of(metric, mean, std))


def show(
    plan: Plan,
    selection: Selection,
    summary: Sequence[Mapping[str, Any]],
    rows: Sequence[Row],
    seconds: float,
) -> None:
    """Print the selected grid point and the table of results, with the paper's values if there are any."""
    say(f"selected   {choice_in_words(selection)}")
    measured = [row for row in rows if "point" in row]
    inexact, of_chosen = not_optimal(measured), not_optimal(selection.rows)
    if why := why_unproved(name := plan.experiment.algo["name"]):
        say_note(f"nothing is proved of the solutions of {name}: {why}")
    if inexact and not why:
        of_selected = f"{len(of_chosen)} of the {len(selection.rows)} selected among them"
        what = f"{of_selected}, such as: {inexact[0]['status']}"
        say_note(f"{len(inexact)} of {len(measured)} solutions are not proved optimal, {what}")
    if of_chosen:
        say_note(_unproved(of_chosen, plan.experiment.algo["name"]))
    if left_out := len({row["split"] for row in measured} - {row["split"] for row in selection.rows}):
        say_note(f"{left_out} splits are left out: their validation parts have no {selection.metric}")
    against = compared_with_baseline(plan, selection)
    otherwise = select_otherwise(plan, against)
    for note in otherwise or [beyond(end) for end in ends(plan, selection, rows)]:
        say_note(note)
    seen = leaked_share(plan)
    lines = [_line(row, len(selection.rows), seen > 0) for row in summary]
    if exact := gap_to_exact(vars(plan.experiment), selection.rows):
        say(f"exact      {exact}")
    of = " of the approximate problem" if "approximate" in plan.experiment.kernel else ""
    if plan.experiment.method.certificate is None:
        of += " as reported by the method"
    lines.append([f"largest relative gap{of}", f"{largest_gap(measured):.1e}", "", ""])
    lines.append(["seconds of this run", f"{seconds:.1f}", "", ""])
    paper = next((row for row in summary if "paper" in row), None)
    if paper is None:
        show_table(["mean (std)", "kernlearn"], [line[:2] for line in lines])
    else:
        show_table(["mean (std)", "kernlearn", f"{paper['paper']} table {paper['table']}", "delta"], lines)
    if seen:
        say(
            f"{SEEN:<10} optimistic: hyper-parameters were chosen with {seen:.3g} % of these test rows "
            f"(rule={plan.rule}); rule=per_split uses none"
        )
    show_labels(plan.dataset.classes, selection.rows)
    mean, std, _ = mean_and_deviation(values_of(baseline_rows(plan), selection.metric))
    value = shown(selection.metric, mean, std)
    say(f"baseline   {METRICS[selection.metric].words} {value} by the {baseline_name(plan)}")
    if against.doubt and not otherwise:
        say_note(against.doubt)
    if paper is None:
        return
    say(f"verdict    {TOO_FEW}; to compare: {command_that_judges(paper)}")


def command_that_judges(paper: Mapping[str, Any]) -> str:
    """Return the command that compares ours with a printed number; `paper` is a row of the summary that has one."""
    cell = f"--datasets {paper['dataset']} --algos {paper['algorithm']}"
    return f"kernlearn reproduce {paper['paper']}/table{paper['table']} {cell} --seeds 10"


def _unproved(rows: Sequence[Row], algorithm: str) -> str:
    """Return the gap of the worst of some solutions that are not proved optimal, and advice."""
    if unsolvable := next((UNSOLVABLE[row["status"]] for row in rows if row["status"] in UNSOLVABLE), None):
        return unsolvable
    worst = max(rows, key=lambda row: abs(row["gap"]))
    if why_unproved(algorithm):
        return (
            f"the status of {len(rows)} selected solutions is {worst['status']}; kernlearn list {algorithm} explains it"
        )
    known = f"the optimum may be {100 * worst['gap']:.3g} % below the objective of a selected one (gap in paths.csv)"
    if not worst["gap"] > 0:  # a bound above the objective, or none
        known = "the bound of a selected one proves nothing (gap in paths.csv)"
    remedy = REMEDIES.get(worst["status"], "").format(algorithm=algorithm)
    return "; ".join(filter(None, (known, remedy)))


def show_labels(labels: Sequence[str], rows: Sequence[Row]) -> None:
    """Print precision, recall and F1 of each label, over all test parts together, if rows have their counts."""
    if not rows or "test_tallies" not in rows[0]:
        return
    every = tallies.added(tallies.read(row["test_tallies"]) for row in rows)
    lines = []
    for label, (name, true) in enumerate(zip(labels, every.true.tolist(), strict=True)):
        shares = ["-" if isnan(share) else f"{share:.2f}" for share in every.scores(label)]
        lines.append([show_name(name), *shares, str(true)])
    show_table(["label", "precision %", "recall %", "F1 %", "places"], lines)


def choice_in_words(selection: Selection) -> str:
    """Return the selected values, and their validation score."""
    values = [f"{key}={value:g}" for key, value in selection.values.items()]
    if selection.point is None:
        values.append("else each split by itself" if values else "each split by itself, see summary.csv")
    elif not values:
        values.append("nothing to choose")
    metric = METRICS[selection.metric]
    digits = digits_of(metric.name, selection.validation_score, None)
    score = f"{rounded(selection.validation_score, digits)} {metric.unit}".rstrip()
    n_splits = len(selection.rows)
    score += f" of {selection.n_scored} of {n_splits} splits" if selection.n_scored < n_splits else ""
    ties = ""
    if selection.point is not None and selection.n_ties > 1:
        ties = f"; {selection.n_ties} grid points tie: fewest support vectors, then strongest penalty"
    return f"{', '.join(values)} (validation {metric.title} {score}{ties})"


def beyond(end: End) -> str:
    """Return the note on a selected value at an end of its grid, with advice if a wider one may be better."""
    which, other = ("largest", "larger") if end.largest else ("smallest", "smaller")
    often = "" if end.n_chosen == end.n_choices else f" in {end.n_chosen} of {end.n_choices} choices"
    trend = f"; {end.trend.words}" if end.trend else ""
    remedy = f", so {end.parameter}=[...] with {other} values may do better" if end.improves and end.parameter else ""
    return f"the selected {end.key}={end.value:g} is the {which} of its grid{often}{trend}{remedy}"


def _line(row: Mapping[str, Any], n_splits: int, seen: bool) -> list[str]:
    ours = shown(row["metric"], row["mean"], row["std"])
    if row["n_splits"] < n_splits:  # the metric is undefined on the other splits
        ours += f" of {row['n_splits']} of {n_splits} splits"
    metric = METRICS[row["metric"]]
    words = f"{metric.words} {SEEN}" if seen and metric.target else metric.words
    if "paper" not in row:
        return [words, ours, "", ""]
    paper = shown(row["metric"], row["paper_mean"], row["paper_std"])
    return [words, ours, paper, f"{row['delta']:+.2f}"]
