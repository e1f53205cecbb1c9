"""Facts about experiments: what was selected, scores and proofs."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypedDict

from kernlearn.cli.facts.cells import CellFailure, ComputationFacts, Trouble
from kernlearn.cli.facts.data import DataFacts, TableRow

if TYPE_CHECKING:  # verbs that have such facts import these
    from kernlearn.evaluation import Row, Selection
    from kernlearn.runner.plan.plan import Plan


class GridEnd(TypedDict):
    """A selected value that is the smallest or the largest of its grid."""

    key: str
    value: float
    end: Literal["smallest", "largest"]
    #: The key of the configuration that lists the values; null if there is none.
    parameter: str | None
    #: The number of choices with this value, and of all choices.
    n_chosen: int
    n_choices: int
    #: Whether the validation score still improves there by more than its noise, so that values beyond may do better;
    #: null if this is not known.
    improves: bool | None


class SelectedFacts(TypedDict):
    """The selected grid point, or what the splits have in common if they select different ones."""

    #: The number of the grid point, from 0; null if the splits select different ones.
    point: int | None
    #: The hyper-parameters on which all splits agree.
    values: dict[str, float]
    #: The metric that selects, and its mean over the validation parts; null if nothing was selected by a metric.
    select_by: str | None
    validation_score: float | None
    #: The number of grid points with the same score.
    n_ties: int | None
    at_grid_end: list[GridEnd]


class CertificateFacts(TypedDict):
    """What is proved of the solution of a trained model."""

    #: "optimal", or why it is not proved within its tolerance; null if nothing is proved.
    status: str | None
    objective: float | None
    #: No predictor has a smaller objective.
    lower_bound: float | None
    #: Their difference as a part of the objective.
    gap: float | None
    #: With an approximate kernel the same for the problem with the exact one; null otherwise, or if it is not known.
    exact_gap: float | None
    #: Why nothing is proved of such models, in words; null if there is a proof.
    unproved: str | None


class PrintedFacts(TypedDict):
    """The value that a paper prints."""

    paper: str
    table: str
    mean: float
    std: float | None
    #: Ours minus that of the paper.
    delta: float | None
    verdict: str | None


class MetricFacts(TypedDict):
    """A score or size on the test parts."""

    metric: str
    #: The mean and the standard deviation over the splits that have the metric; null if it is undefined.
    mean: float | None
    std: float | None
    #: The number of these splits.
    n: int
    paper: PrintedFacts | None


class SolutionFacts(TypedDict):
    """How exactly the problems of an experiment were solved."""

    #: The solutions of all grid points and splits, and those that are not proved optimal.
    total: int
    not_optimal: int
    #: The numbers of solutions by status.
    statuses: dict[str, int]
    #: The relative gap with the largest size.
    largest_gap: float | None
    #: The same for the selected solutions.
    selected: int
    selected_not_optimal: int
    largest_selected_gap: float | None
    #: With an approximate kernel the same for the problem with the exact one; null otherwise, or if it is not known.
    largest_selected_exact_gap: float | None
    #: "kernlearn" if gaps are computed from the data and the solutions, "method" if they are what the method reports.
    gaps_from: Literal["kernlearn", "method"]
    #: Why nothing is proved of such solutions, in words; null if there is a proof.
    unproved: str | None


class ExperimentFacts(TypedDict):
    """An experiment and its results, which are null if it has no selected grid point."""

    #: The name of the run in all tables.
    run: str
    dataset: str
    algorithm: str
    seed: int
    #: The whole configuration of the experiment.
    config: dict[str, Any]
    #: The rule that selects a grid point.
    rule: str
    #: The share of the test rows that influence the selection, as validation rows of other splits.
    test_rows_in_choice_pct: float | None
    selected: SelectedFacts | None
    #: The metric that selects comes first.
    metrics: list[MetricFacts]
    solutions: SolutionFacts | None


class BaselineFacts(TypedDict):
    """The most frequent class, or the mean target, of the training part."""

    name: str
    metric: str
    mean: float | None
    std: float | None
    n: int
    #: Whether the mean of the experiment is better, and the p-value of the corrected resampled t-test; null without a
    #: test.
    beaten: bool
    p_value: float | None


class RunFacts(ExperimentFacts):
    """An experiment that is run by itself."""

    data: DataFacts
    computation: ComputationFacts
    #: Null if the experiment has no selected grid point.
    baseline: BaselineFacts | None
    #: The directory with the tables; null if none were written.
    directory: str | None
    #: The time of this command for the run.
    seconds: float
    failures: list[CellFailure]


class SweepFacts(TypedDict):
    """The experiments of a sweep."""

    #: The name of the sweep for kernlearn status.
    name: str
    #: The command that computes the same.
    command: str
    data: list[DataFacts]
    #: Data sets and methods of ``dataset=all`` that are left out, and why, in words.
    left_out: list[str]
    #: Null if the command ends before.
    computation: ComputationFacts | None
    experiments: list[ExperimentFacts]
    #: The rows of ranking.csv.
    ranking: list[TableRow]
    #: The directory with the tables; null if none were written.
    directory: str | None
    failures: list[CellFailure]
    troubles: list[Trouble]


def selected_facts(plan: "Plan", selection: "Selection", rows: "Sequence[Row]") -> SelectedFacts:
    """Return what was selected among the rows of all grid points and splits."""
    from kernlearn.report.choice import ends

    return {
        "point": selection.point,
        "values": {key: float(value) for key, value in selection.values.items()},
        "select_by": selection.metric,
        "validation_score": selection.validation_score,
        "n_ties": selection.n_ties,
        "at_grid_end": [
            {
                "key": end.key,
                "value": end.value,
                "end": "largest" if end.largest else "smallest",
                "parameter": end.parameter or None,
                "n_chosen": end.n_chosen,
                "n_choices": end.n_choices,
                "improves": end.improves if end.trend else None,
            }
            for end in ends(plan, selection, rows)
        ],
    }


def given_point(point: int, values: dict[str, float]) -> SelectedFacts:
    """Return a grid point that was not selected by a score, because it is the only one or that of a run."""
    return {
        "point": point,
        "values": values,
        "select_by": None,
        "validation_score": None,
        "n_ties": None,
        "at_grid_end": [],
    }


def experiment_facts(
    plan: "Plan", found: "tuple[Selection, Sequence[Mapping[str, Any]], Sequence[Row]] | None"
) -> ExperimentFacts:
    """Return an experiment and its results: the selection, the rows of its summary, and those of all grid points."""
    from kernlearn.runner.plan.identity import run_id

    experiment = plan.experiment
    facts: ExperimentFacts = {
        "run": run_id(plan),
        "dataset": plan.dataset.name,
        "algorithm": plan.label,
        "seed": experiment.seed,
        "config": experiment.to_json(),
        "rule": plan.rule,
        "test_rows_in_choice_pct": None,
        "selected": None,
        "metrics": [],
        "solutions": None,
    }
    if found is not None:
        selection, summary, rows = found
        facts["test_rows_in_choice_pct"] = summary[0]["test_rows_in_choice_pct"]
        facts["selected"] = selected_facts(plan, selection, rows)
        facts["metrics"] = [_metric(row) for row in summary]
        facts["solutions"] = _solutions(plan, selection, rows)
    return facts


def _metric(row: Mapping[str, Any]) -> MetricFacts:
    paper: PrintedFacts | None = None
    if "paper" in row:
        paper = {
            "paper": row["paper"],
            "table": str(row["table"]),
            "mean": row["paper_mean"],
            "std": row["paper_std"],
            "delta": row.get("delta"),
            "verdict": row.get("verdict"),
        }
    return {"metric": row["metric"], "mean": row["mean"], "std": row["std"], "n": row["n_splits"], "paper": paper}


def _solutions(plan: "Plan", selection: "Selection", rows: "Sequence[Row]") -> SolutionFacts:
    from kernlearn.report.summary import largest_exact_gap, largest_gap, not_optimal, why_unproved

    measured = [row for row in rows if "point" in row]
    return {
        "total": len(measured),
        "not_optimal": len(not_optimal(measured)),
        "statuses": dict(Counter(row["status"] for row in measured)),
        "largest_gap": largest_gap(measured),
        "selected": len(selection.rows),
        "selected_not_optimal": len(not_optimal(selection.rows)),
        "largest_selected_gap": largest_gap(selection.rows),
        "largest_selected_exact_gap": largest_exact_gap(selection.rows),
        "gaps_from": "kernlearn" if plan.experiment.method.certificate is not None else "method",
        "unproved": why_unproved(plan.experiment.algo["name"]) or None,
    }
