"""What one run says: before it starts, what will be solved; at its end, what came out."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from kernlearn.algorithms import ALGORITHMS
from kernlearn.evaluation import PROTOCOLS, Selection
from kernlearn.report.terminal import mean_std, say, show_table
from kernlearn.runner.cells import Plan

METRIC_NAMES = {
    "error_pct": "test error %",
    "n_support_vectors": "support vectors",
    "n_nonzero": "non-zero coefficients",
}


def describe(plan: Plan) -> None:
    """Print what is going to be solved."""
    data, experiment = plan.dataset, plan.experiment
    counts = Counter(data.y.tolist())
    classes = ", ".join(f"{name} ({counts[c]})" for c, name in enumerate(data.classes))
    protocol, kernel = experiment["protocol"]["name"], dict(experiment["kernel"])
    name = kernel.pop("name")
    algorithm = ALGORITHMS[experiment["algo"]["name"]]
    n_outputs = 1 if len(data.classes) == 2 else len(data.classes)
    solves = len(plan.grid) * len(plan.cells) * n_outputs
    sizes = " x ".join(str(n) for n in [len(plan.grid), len(plan.cells), n_outputs][: 2 + (n_outputs > 1)])
    words = ["grid points", "splits", "classes against the rest"][: 2 + (n_outputs > 1)]
    say(f"data       {data.name}: {data.X.shape[0]} x {data.X.shape[1]}, classes {classes}; {data.source}")
    say(f"protocol   {protocol}, seed {experiment['seed']}: {PROTOCOLS[protocol].description}")
    parameters = ", ".join(f"{key}={value}" for key, value in kernel.items())
    say(f"kernels    {name} {parameters}; scaling of examples: {experiment['scaling']}")
    say(f"algorithm  {plan.label}: {algorithm.description}")
    say(f"solves     {sizes} ({', '.join(words)}) = {solves} {algorithm.problem}")


def show(
    selection: Selection, summary: Sequence[Mapping[str, Any]], rows: Sequence[Mapping[str, Any]], seconds: float
) -> None:
    """Print the selected grid point and the table of results, with the paper's values where there are some."""
    values = ", ".join(f"{key}={value:g}" for key, value in selection.values.items())
    ties = f"; {selection.n_ties} grid points tie" if selection.n_ties > 1 else ""
    say(f"selected   {values} (validation error {selection.validation_error_pct:.2f} %{ties})")
    measured = [row for row in rows if "point" in row]
    inexact = [row for row in measured if row["status"] != "optimal"]
    if inexact:
        say(f"note       {len(inexact)} of {len(measured)} solves were not optimal, such as: {inexact[0]['status']}")
    lines = [_line(row) for row in summary]
    lines.append(["largest relative gap", f"{max(row['gap'] for row in measured):.1e}", "", "", ""])
    lines.append(["seconds", f"{seconds:.1f}", "", "", ""])
    if any("paper" in row for row in summary):
        paper = next(row for row in summary if "paper" in row)
        headers = ["mean (std)", "kernlearn", f"{paper['paper']} table {paper['table']}", "delta", "verdict"]
        show_table(headers, lines)
    else:
        show_table(["mean (std)", "kernlearn"], [line[:2] for line in lines])


def _line(row: Mapping[str, Any]) -> list[str]:
    ours = mean_std(row["mean"], row["std"])
    if "paper" not in row:
        return [METRIC_NAMES[row["metric"]], ours, "", "", row.get("verdict", "")]
    paper = mean_std(row["paper_mean"], row["paper_std"])
    return [METRIC_NAMES[row["metric"]], ours, paper, f"{row['delta']:+.2f}", row["verdict"]]
