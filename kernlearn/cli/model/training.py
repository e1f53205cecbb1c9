"""Select a grid point by cross-validation over all rows, and train on all of them there."""

from collections.abc import Mapping, Sequence
from math import ceil, isfinite
from pathlib import Path
from statistics import fmean
from time import perf_counter
from typing import Any, cast

import numpy as np
from threadpoolctl import threadpool_limits

from kernlearn.datasets import Dataset, load
from kernlearn.errors import UserError, closest, one_line
from kernlearn.evaluation import METRICS, ChosenBy, Row, Selection, protocol_of
from kernlearn.evaluation.comparison import against_baseline
from kernlearn.evaluation.metrics import mean_and_deviation
from kernlearn.evaluation.selection import best_point, values_of
from kernlearn.evaluation.significance import corrected_interval
from kernlearn.evaluation.splits.protocols import Fit
from kernlearn.evaluation.splits.stratified import folds_of
from kernlearn.models.estimator import MethodEstimator
from kernlearn.models.features import plain, table_features
from kernlearn.models.sentences import SentenceFeatures
from kernlearn.report.choice import leaked_share
from kernlearn.report.comparison.scores import BASELINE
from kernlearn.report.terminal import say
from kernlearn.runner.cell.cell import Experiment, PathCell
from kernlearn.runner.cell.data import matrix_limit
from kernlearn.runner.cell.measure import rows_of_fit
from kernlearn.runner.cell.targets import targets_of
from kernlearn.runner.engines.timing import duration
from kernlearn.runner.plan.baseline import baseline_name, baseline_rows, baseline_scores
from kernlearn.runner.plan.plan import Plan, plan
from kernlearn.runner.plan.results import rows_of
from kernlearn.runner.store.files import read_json
from kernlearn.runner.store.store import Store
from kernlearn.runner.store.tables import read_csv
from kernlearn.types import Index

#: Folds of the cross-validation where the protocol has none inside.
FOLDS = 5
#: Seconds of one fold above which the others are computed in processes of their own.
LONG = 5.0
#: The rule by which a comparison selects grid points.
PER_SPLIT = "per_split"


def n_folds_of(todo: Plan) -> int:
    """Return the number of folds that select: that of the protocol inside its training parts, or `FOLDS`."""
    return protocol_of(todo.experiment.protocol).n_folds or FOLDS


def folds(todo: Plan) -> list[tuple[Index, Index]]:
    """Return the training and the validation part of every fold of all rows, with the classes in equal shares."""
    data, experiment = todo.dataset, todo.experiment
    y = None if experiment.is_regression or data.is_sequential else data.y
    return folds_of(data.X.shape[0], experiment.seed, y, n_folds_of(todo))


def select(todo: Plan, jobs: int) -> tuple[Selection, list[Row]]:
    """Return the grid point with the best validation score over the folds of all rows, and all points of every fold.

    `folds` has the folds.

    Raises `UserError` if no point of the grid has the score that selects.
    """
    data, seen = todo.dataset, np.arange(todo.dataset.X.shape[0])
    fits: list[Fit] = [(train, {"validation": validation}) for train, validation in folds(todo)]
    start = perf_counter()
    rows = [_rows(todo.cells[0], data, fits[0], seen, 0)]
    numbered, seconds = list(enumerate(fits[1:], start=1)), perf_counter() - start
    if seconds > LONG:
        left = duration(seconds * ceil(len(numbered) / jobs))
        say(f"time       the first of {len(fits)} folds took {duration(seconds)}; the others take about {left}")
    if jobs > 1 and seconds > LONG:
        from joblib import Parallel, delayed

        rows += Parallel(n_jobs=jobs)(delayed(_rows)(todo.cells[0], data, fit, seen, i) for i, fit in numbered)
    else:
        rows += [_rows(todo.cells[0], data, fit, seen, i) for i, fit in numbered]
    every = [row for part in rows for row in part]
    found = best_point(every, todo.grid, todo.metric)
    if found is None:
        raise UserError(f"select_by={todo.metric}: no grid point has this score on the validation folds; use another")
    return found, every


def _rows(cell: PathCell, data: Dataset, fit: Fit, seen: Index, number: int) -> list[Row]:
    with threadpool_limits(1):  # same bits on any number of cores
        return [{**row, "split": number} for row in rows_of_fit(cell, data, fit, seen)]


def baseline_of(todo: Plan, found: Selection | None) -> dict[str, Any]:
    """Return what predicting one class or number for every row scores, as the header of a model says it.

    It is the mean over the validation parts that selected the model, with the p-value of the difference after
    Bonferroni's correction for all grid points (`kernlearn.evaluation.comparison.Against`). If nothing was selected, it
    is the score on the training rows. Empty if the score is undefined.

    Parameters
    ----------
    todo : Plan
    found : Selection, optional
        That of `select`.
    """
    metric, every = METRICS[todo.metric], np.arange(todo.dataset.X.shape[0])
    part = "validation" if found else "training"
    pairs = folds(todo) if found else [(every, every)]
    rows = [cast(Row, baseline_scores(todo, train, {part: test})) for train, test in pairs]
    values = [metric.value(row, part) for row in rows]
    mean, _, _ = mean_and_deviation(values)
    if not isfinite(mean):
        return {}
    known = {"name": baseline_name(todo), "metric": metric.name, "score": mean, "rows": part}
    if found is None:
        return known
    ours, ratio = (
        [metric.value(row, part) for row in found.rows],
        fmean(len(test) / len(train) for train, test in pairs),
    )
    p_value = against_baseline(ours, values, metric.name, ratio, len(todo.grid)).p_value
    return {**known, "p_value": _number(p_value), "points": len(todo.grid)}


def _number(value: float) -> float | None:
    return value if isfinite(value) else None


def tested(plans: Sequence[Plan], directory: Path, n_methods: int = 1) -> dict[str, Any]:
    """Return the test score of a finished run, or of a method of a comparison, as the header of a model says it.

    Empty if the score of its test parts is not known.

    Parameters
    ----------
    plans : sequence of Plan
        One for every seed.
    directory : Path
        Of the run or comparison.
    n_methods : int
        The number of methods from which these test parts picked this one.
    """
    selections = [todo.select(_rows_of_run(todo, directory)) for todo in plans]
    if not all(selections):
        return {}
    metric = METRICS[plans[0].metric]
    rows = [row for found in selections if found for row in found.rows]
    ours, other = (
        values_of(rows, metric.name),
        [v for todo in plans for v in values_of(baseline_rows(todo), metric.name)],
    )
    ratio = fmean(row["n_test"] / row["n_train"] for row in rows)
    (mean, std, n), baseline = mean_and_deviation(ours), mean_and_deviation(other)[0]
    if not (isfinite(mean) and isfinite(baseline)):
        return {}
    low, high = corrected_interval([value for value in ours if isfinite(value)], ratio)
    return {
        "metric": metric.name,
        "score": mean,
        "std": std,
        "parts": n,
        "low": _number(metric.within(low)),
        "high": _number(metric.within(high)),
        "baseline": {"name": baseline_name(plans[0]), "score": baseline},
        "p_value": _number(against_baseline(ours, other, metric.name, ratio).p_value),
        "test_rows_in_choice_pct": leaked_share(plans[0]),
        "methods": n_methods,
    }


def train(todo: Plan, point: int, probability: bool = False) -> Any:
    """Return the pipeline of all rows at a grid point, with probabilities that are fitted out of fold if asked for.

    Raises `UserError` if there are no probabilities of such targets.
    """
    from sklearn.pipeline import Pipeline

    data, experiment = todo.dataset, todo.experiment
    with threadpool_limits(1):
        every = np.arange(data.X.shape[0])
        features, machine = trained_on(todo, every, point)
        if probability:
            if experiment.is_regression or data.is_sequential or machine._method.unlabelled:
                raise UserError("probability=true: is for classes of single examples, and not for graphs")
            parts = [(trained_on(todo, rest, point), part) for rest, part in folds(todo)]
            outputs = [model[1].outputs(model[0].of_examples(data.X[part])) for model, part in parts]
            labels = np.concatenate([data.y[part] for _, part in parts])
            machine.calibrate(np.concatenate(outputs, axis=1), labels)
    return Pipeline([("columns", features), ("machine", machine)])


def trained_on(todo: Plan, rows: Index, point: int) -> tuple[Any, MethodEstimator]:
    """Return the model of some rows at a grid point."""
    data, experiment = todo.dataset, todo.experiment
    features: Any = table_features(data.schema, data.X[rows], data.columns)
    if data.is_sequential and data.schema is not None:
        features = SentenceFeatures(plain(data.schema), list(data.columns)).fit()
    targets = targets_of(data, experiment.is_regression).at(rows)
    machine = MethodEstimator(
        experiment.method.name,
        todo.cells[0].values,
        dict(experiment.kernel),
        experiment.scaling,
        point,
        experiment.multiclass,
        () if experiment.is_regression else data.classes,
        matrix_limit(experiment, experiment.method),
        experiment.seed,
        dict(given) if isinstance(given := experiment.class_weight, Mapping) else given,
    )
    y = targets.real if targets.real is not None else targets.classes
    return features, machine.learn(features.of_examples(data.X[rows]), y)


def plan_of_run(directory: Path, algo: str | None = None) -> tuple[Plan, int | None, str, dict[str, Any]]:
    """Return the plan of a finished run, and the grid point that it selected; None if its splits selected several.

    Of a comparison it is the run of a method; the third value says which one. The last value is that of `tested`.

    Raises `UserError` if there is no run or no such method, or its data have changed.

    Parameters
    ----------
    directory : Path
        As ``results/runs/NAME`` or ``results/comparisons/NAME``.
    algo : str, optional
        The method of a comparison; by default the best that is no baseline.
    """
    if not (directory / "provenance.json").is_file():
        what = "has no provenance.json of a finished run" if directory.is_dir() else "no such directory"
        raise UserError(f"--from {directory}: {what}; give one such as results/runs/NAME")
    try:
        content = read_json(directory / "provenance.json")
        words, n_methods = "", 1
        if is_comparison := "experiments" in content:
            known, chosen, words, n_methods = _method_of(directory, content["experiments"], algo)
        elif algo is not None:
            raise UserError(f"--algo {algo}: is for comparisons, and {directory} is a run of one method")
        else:
            known, chosen = [content["experiment"]], content["chosen_by"]
        experiments = [Experiment.from_json(one) for one in known]
        experiment = experiments[0]
        sha256 = content["data"][0]["sha256"]
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        if isinstance(error, UserError):
            raise
        raise UserError(f"{directory}: is no directory of a finished run ({one_line(error)})") from None
    data = load(**experiment.dataset)
    if data.digest != sha256:
        raise UserError(f"{directory}: its data have changed since it was run; run it again")
    plans = [plan(one, data, chosen_by=ChosenBy(chosen["select_by"], chosen["rule"])) for one in experiments]
    todo, test = plans[0], tested(plans, directory, n_methods)
    if is_comparison and len(known) > 1:
        return todo, None, words, test
    found = todo.select(_rows_of_run(todo, directory))
    return todo, None if found is None else found.point, words, test


def _method_of(
    directory: Path, experiments: Mapping[str, Any], algo: str | None
) -> tuple[list[Any], dict[str, str], str, int]:
    """Return the experiments of a method of a comparison, one for every seed, how they chose, and who it is in words.

    The last value is the number of methods from which it was picked as the best: 1 if it was given.

    Raises `UserError` if the comparison has several data sets, or no such method.
    """
    ranking = read_csv(directory / "ranking.csv", ("rank", "dataset", "method", "kind", "select_by", "runs"))
    if len(names := list(dict.fromkeys(row["dataset"] for row in ranking))) > 1:
        raise UserError(f"{directory}: compares methods on {', '.join(names)}; compare them on the one to fit")
    methods = [row for row in ranking if row["kind"] != BASELINE]
    of = {row["method"]: [experiments[name] for name in row["runs"].split()] for row in methods}
    known = [runs[0]["algo"]["name"] for runs in of.values()]
    row = next((one for one, name in zip(methods, known, strict=True) if algo in (None, name, one["method"])), None)
    if row is None:
        raise UserError(f"--algo {algo}: {directory} has {', '.join(known)}{closest(algo or '', known)}")
    rank = f"rank {row['rank']}"
    first = f"the best method that is no baseline ({rank}); --algo NAME takes another" if algo is None else rank
    words = f"{row['method']} of {directory}, {first}"
    return of[row["method"]], {"select_by": row["select_by"], "rule": PER_SPLIT}, words, len(of) if algo is None else 1


def _rows_of_run(todo: Plan, directory: Path) -> Sequence[Row]:
    return rows_of(todo, todo.shards(Store(directory.resolve().parents[1] / "shards")))
