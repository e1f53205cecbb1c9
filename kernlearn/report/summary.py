"""The summary of a run: one row a metric, with the printed value of a paper beside it where there is one."""

from pathlib import Path
from typing import Any

from kernlearn.evaluation import Selection
from kernlearn.papers import judge, printed_values
from kernlearn.runner.cells import Plan
from kernlearn.runner.tables import read_csv, write_csv

COLUMNS = "paper,table,dataset,setting,algorithm,metric,mean,std,n_splits,paper_mean,paper_std,delta,verdict".split(",")


def summary_rows(plan: Plan, selection: Selection) -> list[dict[str, Any]]:
    """Return the rows of ``summary.csv`` for one experiment; with splits missing the verdict is ``incomplete``.

    ``n_splits`` is how many have the metric: those where it is NaN are in no mean.
    """
    experiment, label = plan.experiment, plan.label
    setting = f"{experiment['kernel']['name']};scaling={experiment['scaling']};seed={experiment['seed']}"
    setting += f";task={experiment['task']}" if "task" in experiment else ""
    printed = printed_values(experiment, label, selection.metric)
    rows = []
    for metric, (mean, std, n_splits) in selection.summary().items():
        row: dict[str, Any] = {
            "dataset": plan.dataset.name,
            "setting": setting,
            "algorithm": label,
            "metric": metric,
            "mean": mean,
        }
        row |= {"std": std, "n_splits": n_splits}
        if metric in printed:
            value = printed[metric]
            row |= {"paper": value.paper, "table": value.table, "paper_mean": value.mean, "paper_std": value.std}
            row |= {"delta": mean - value.mean, "verdict": judge([mean], value).word}
        if n_splits < len(plan.cells):
            row["verdict"] = "incomplete"
        rows.append(row)
    return rows


def collect_summaries(results: Path) -> None:
    """Write ``summary.csv`` of a results directory: the rows of all its runs in one table, sorted."""
    rows = [row for path in sorted(results.glob("runs/*/summary.csv")) for row in read_csv(path)]
    rows.sort(key=lambda row: [row[key] for key in ("dataset", "algorithm", "setting")])
    write_csv(results / "summary.csv", rows, COLUMNS)
