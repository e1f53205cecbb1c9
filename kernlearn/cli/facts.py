"""Facts that the JSON documents of several verbs have: about data, grid points, scores and proofs."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypedDict

if TYPE_CHECKING:  # what the types are of is imported by the verbs that have such facts
    from kernlearn.datasets import Dataset
    from kernlearn.evaluation import Row, Selection
    from kernlearn.papers.core.measured import Claim
    from kernlearn.runner.plan.plan import Plan

#: A row of a table that is written as CSV, by column; null where the table has nothing.
TableRow = dict[str, str | int | float | bool | None]


class ClassSize(TypedDict):
    """A class of the targets, or a label of the places of sequences."""

    name: str
    #: Of sequences, the number of places.
    examples: int


class TargetRange(TypedDict):
    """The range of the targets of a regression."""

    min: float
    max: float


class DataFacts(TypedDict):
    """A data set."""

    name: str
    #: "bundled", "generated", "scikit-learn", or the files that were read.
    source: str
    #: Of all values as they were loaded.
    sha256: str
    #: Rows or sequences.
    examples: int
    #: Of all sequences together; null for single examples.
    places: int | None
    features: int
    #: Empty for a regression.
    classes: list[ClassSize]
    #: Null for classes.
    target: TargetRange | None


class GridEnd(TypedDict):
    """A selected value that is the smallest or the largest of its grid, so that values beyond it may do better."""

    key: str
    value: float
    end: Literal["smallest", "largest"]
    #: The key of the configuration that lists the values; null if there is none.
    parameter: str | None
    #: The number of choices with this value, and of all choices.
    n_chosen: int
    n_choices: int


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
    #: Why nothing is proved of such models, in words; null if there is a proof.
    unproved: str | None


class CellCounts(TypedDict):
    """Numbers of cells."""

    total: int
    #: Those that were stored before the command.
    stored: int
    #: Those that failed, now or earlier.
    failed: int
    #: Those that are not computed yet, at the end of the command.
    missing: int


class TimeEstimate(TypedDict):
    """The estimated time of missing cells."""

    seconds: float
    #: The number of cells that it is about, and of missing cells without an estimate.
    cells: int
    unknown: int
    #: The number of processes; null if it is not known here.
    processes: int | None
    #: The number of measured cells that it rests on.
    measured_cells: int


class ComputationFacts(TypedDict):
    """The cells of a command."""

    #: "finished" if this command wrote tables, "planned" for a dry run, "submitted" for cells that jobs of a cluster
    #: compute, and "background" for a process that continues.
    state: Literal["finished", "planned", "submitted", "background"]
    cells: CellCounts
    #: The estimated memory of the largest process, in bytes; null if no cell is missing, or nothing is known.
    process_bytes: float | None
    #: Of a dry run; null if nothing is known.
    estimate: TimeEstimate | None


class CellFailure(TypedDict):
    """A cell that failed."""

    cell: str
    error: str
    #: The function, file and line if it is code of a plug-in; else null.
    where: str | None
    #: The file with the traceback, or null.
    traceback: str | None


class Trouble(TypedDict):
    """An error of a part of the results that are not cells: an experiment, claims or a picture."""

    part: str
    error: str


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
    #: "kernlearn" if gaps are computed from the data and the solutions, "method" if they are what the method reports.
    gaps_from: Literal["kernlearn", "method"]


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


class RunFacts(ExperimentFacts):
    """An experiment that is run by itself."""

    data: DataFacts
    computation: ComputationFacts
    #: Null if the experiment has no selected grid point.
    baseline: BaselineFacts | None
    #: The directory with the tables; null if none were written.
    directory: str | None
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


class ComparedData(TypedDict):
    """The methods of a comparison on one data set."""

    data: DataFacts
    task: str
    protocol: str
    scaling: str
    #: The score that selects grid points and ranks methods.
    select_by: str
    #: The rows of ranking.csv, the best method first. They have the mean, the interval, the p-value against the best
    #: (``p_holm``), whether the method is tied with the best (``tied_with_best``) and what was selected.
    methods: list[TableRow]
    #: The reasons why methods are left out, by their names.
    left_out: dict[str, str]


class MeanRank(TypedDict):
    """A method over all data sets."""

    method: str
    mean_rank: float
    #: The numbers of the groups of methods that cannot be distinguished by Nemenyi's test.
    groups: list[int]


class RankFacts(TypedDict):
    """The mean ranks of the methods over several data sets."""

    #: The best method first.
    methods: list[MeanRank]
    #: That of Friedman's test, in the version of Iman and Davenport.
    p_value: float | None
    #: Methods whose mean ranks differ by less share a group.
    critical_difference: float | None


class ComparisonFacts(TypedDict):
    """A comparison of methods."""

    #: The command that computes the same.
    command: str
    #: What was found on every data set; without methods if the command does not end with tables.
    comparisons: list[ComparedData]
    #: Null for fewer than three data sets or methods.
    ranks: RankFacts | None
    #: The best method that is no baseline, as algo= names it, on a single data set of your own; else null.
    best: str | None
    computation: ComputationFacts
    #: The directory with the tables; null if none were written.
    directory: str | None
    failures: list[CellFailure]
    troubles: list[Trouble]


class TableState(TypedDict):
    """A table or figure of a paper."""

    name: str
    title: str
    #: "not run", "damaged", or how much of it is finished.
    state: str


class ClaimFacts(TypedDict):
    """A claim of a paper."""

    claim: str
    #: What was found, in words.
    found: str
    #: "holds", "does not hold", "not measured", "not testable" or "no claim".
    verdict: str


class ReadingFacts(TypedDict):
    """A reading of a table that a search has tried, in one stage of the search."""

    #: "one decision", "two decisions" or "whole table".
    stage: str
    #: The decisions that differ from those of the table, as "decision=alternative, ..."; "as in the table" for none.
    reading: str
    #: "stated", "unstated" or "altered": the worst of its alternatives.
    status: str
    cells: int
    draws: int
    #: The mean of |log(ours / printed)|, over all data sets and over each half of them; null if there are no cells.
    distance: float | None
    distance_choosing: float | None
    distance_testing: float | None
    #: The difference from the nearest reading of the stage, its standard error, and the p-value of no difference.
    farther: float | None
    farther_error: float | None
    p: float
    #: Whether the draws cannot tell it from the nearest one.
    alike: bool


class ReproductionFacts(TypedDict):
    """A table or figure of a paper, or several."""

    #: The table or figure that is reproduced; null for --list, --scorecard, and --judge without a table.
    name: str | None
    #: All tables and figures, with --list.
    tables: list[TableState]
    #: The rows of the CSV file of a table: ours, the printed value, their difference and the verdict.
    rows: list[TableRow]
    claims: list[ClaimFacts]
    #: What a search of readings has tried.
    readings: list[ReadingFacts]
    #: Data sets that are not available, and why, in words.
    absent: list[str]
    #: Null if no cells are involved.
    computation: ComputationFacts | None
    #: The reports that were written.
    reports: list[str]
    failures: list[CellFailure]
    troubles: list[Trouble]


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
        facts["selected"] = selected_facts(plan, selection)
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
    from kernlearn.report.summary import not_optimal

    measured = [row for row in rows if "point" in row]
    return {
        "total": len(measured),
        "not_optimal": len(not_optimal(measured)),
        "statuses": dict(Counter(row["status"] for row in measured)),
        "largest_gap": max((row["gap"] for row in measured), key=abs),
        "selected": len(selection.rows),
        "selected_not_optimal": len(not_optimal(selection.rows)),
        "largest_selected_gap": max((row["gap"] for row in selection.rows), key=abs),
        "gaps_from": "kernlearn" if plan.experiment.method.certificate is not None else "method",
    }


def selected_facts(plan: "Plan", selection: "Selection") -> SelectedFacts:
    """Return what was selected."""
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
            }
            for end in ends(plan, selection)
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


def data_facts(data: "Dataset", is_regression: bool) -> DataFacts:
    """Return the size and the targets of a data set."""
    target: TargetRange | None = None
    classes: list[ClassSize] = []
    if is_regression:
        values = data.real_target()
        target = {"min": float(values.min()), "max": float(values.max())}
    else:
        counts = Counter(data.labels.tolist())
        classes = [{"name": name, "examples": counts[i]} for i, name in enumerate(data.classes)]
    return {
        "name": data.name,
        "source": data.source,
        "sha256": data.digest,
        "examples": int(data.X.shape[0]),
        "places": len(data.labels) if data.is_sequential else None,
        "features": int(data.X.shape[1]),
        "classes": classes,
        "target": target,
    }


def table_row(row: Mapping[str, Any]) -> TableRow:
    """Return a row of a CSV table for JSON: cells without a value are null."""
    return {key: None if value == "" else value for key, value in row.items()}


def claim_facts(claims: "Sequence[Claim]") -> list[ClaimFacts]:
    """Return the claims of a paper with what was found."""
    return [{"claim": claim, "found": found, "verdict": verdict} for claim, found, verdict in claims]
