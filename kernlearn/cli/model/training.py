"""Select a grid point by cross-validation over all rows, and train on all of them there."""

from collections.abc import Mapping, Sequence
from math import ceil, isfinite, isnan, nan
from pathlib import Path
from statistics import fmean
from time import perf_counter
from typing import Any, NamedTuple, cast

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
from kernlearn.report.choice import ends, leaked_share
from kernlearn.report.comparison.scores import BASELINE, Comparison
from kernlearn.report.comparison.stored import read_comparison
from kernlearn.report.plots.stored import read_run
from kernlearn.report.run import beyond
from kernlearn.report.targets import Target
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


class Picked(NamedTuple):
    """A method of a comparison.

    Attributes
    ----------
    experiments : list
        One for every seed.
    chosen_by : dict
    words : str
        Which method it is.
    n_methods : int
        The number of methods from which it was picked as the best: 1 if it was given.
    name : str
        In the comparison.
    comparison : Comparison
    """

    experiments: list[Any]
    chosen_by: dict[str, str]
    words: str
    n_methods: int
    name: str
    comparison: Comparison

    def against(self, baseline: str, p_value: float) -> dict[str, Any]:
        """Return the p-value against a baseline after the correction for all tests of the comparison.

        The comparison tests its best method against all others, and corrects by Holm's rule. Another method is not
        part of these tests, so its p-value is multiplied by their number (Bonferroni's correction).
        """
        best, *others = self.comparison.standings
        n_tests = sum(not isnan(place.p_value) for place in others)
        if best.name == self.name:
            corrected, rule = next(place.p_value for place in others if place.name == baseline), "Holm"
        else:
            corrected, rule = min(1.0, n_tests * p_value) if isfinite(p_value) else nan, "Bonferroni"
        return {"p_value": _number(corrected), "correction": rule, "tests": n_tests}


class OfRun(NamedTuple):
    """What a finished run, or a method of a comparison, gives to a model.

    Attributes
    ----------
    plan : Plan
    point : int or None
        The grid point that was selected; None if splits selected several.
    words : str
        Which method of a comparison it is; empty of a run.
    test : dict
        That of `tested`.
    ends : list of tuple
        The notes on selected values at an end of their grid, and whether nothing says that a wider one may be better.
    """

    plan: Plan
    point: int | None
    words: str
    test: dict[str, Any]
    ends: list[tuple[str, bool]]


def tested(plans: Sequence[Plan], directory: Path, picked: Picked | None = None) -> dict[str, Any]:
    """Return the test score of a finished run, or of a method of a comparison, as the header of a model says it.

    Empty if the score of its test parts is not known.

    Parameters
    ----------
    plans : sequence of Plan
        One for every seed.
    directory : Path
        Of the run or comparison.
    picked : Picked, optional
        The method of a comparison.
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
    name, p_value = baseline_name(plans[0]), against_baseline(ours, other, metric.name, ratio).p_value
    return {
        "metric": metric.name,
        "score": mean,
        "std": std,
        "parts": n,
        "low": _number(metric.within(low)),
        "high": _number(metric.within(high)),
        "baseline": {"name": name, "score": baseline},
        **(picked.against(name, p_value) if picked else {"p_value": _number(p_value)}),
        "test_rows_in_choice_pct": leaked_share(plans[0]),
        "methods": picked.n_methods if picked else 1,
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


def plan_of_run(directory: Path, algo: str | None = None) -> OfRun:
    """Return the plan of a finished run, or of a method of a comparison, and what is known of its results.

    Raises `UserError` if there is no run or no such method, if its files are damaged, or its data have changed.

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
    picked = None
    try:
        content = read_json(directory / "provenance.json")
        if "experiments" in content:
            picked = _picked(directory, content["experiments"], algo)
            known, chosen = picked.experiments, picked.chosen_by
        elif algo is not None:
            raise UserError(f"--algo {algo}: is for comparisons, and {directory} is a run of one method")
        else:
            read_run(Target("run", directory.name, directory))  # refuses tables that do not follow from each other
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
    todo, test = plans[0], tested(plans, directory, picked)
    if picked and len(known) > 1:
        return OfRun(todo, None, picked.words, test, [])
    rows = _rows_of_run(todo, directory)
    found = todo.select(rows)
    point = None if found is None else found.point
    if picked:
        measured = next(one for one in picked.comparison.measured if one.name == picked.name)
        return OfRun(todo, point, picked.words, test, list(measured.ends))
    at_ends = [(beyond(end), end.is_settled) for end in ends(todo, found, rows)] if found else []
    return OfRun(todo, point, "", test, at_ends)


def _picked(directory: Path, experiments: Mapping[str, Any], algo: str | None) -> Picked:
    """Return a method of a comparison, by default the best that is no baseline.

    Raises `UserError` if the comparison is damaged, has several data sets, or no such method.
    """
    stored = read_comparison(directory)
    if len(names := [one.data["name"] for one in stored.comparisons]) > 1:
        raise UserError(f"{directory}: compares methods on {', '.join(names)}; compare them on the one to fit")
    (comparison,) = stored.comparisons
    measured = {one.name: one for one in comparison.measured if one.kind != BASELINE}
    places = [place for place in comparison.standings if place.name in measured]
    of = {place.name: [experiments[name] for name in measured[place.name].runs] for place in places}
    known = [runs[0]["algo"]["name"] for runs in of.values()]
    place = next((one for one, name in zip(places, known, strict=True) if algo in (None, name, one.name)), None)
    if place is None:
        raise UserError(f"--algo {algo}: {directory} has {', '.join(known)}{closest(algo or '', known)}")
    rank = f"rank {place.rank}"
    first = f"the best method that is no baseline ({rank}); --algo NAME takes another" if algo is None else rank
    words = f"{place.name} of {directory}, {first}"
    chosen_by = {"select_by": comparison.metric, "rule": PER_SPLIT}
    return Picked(of[place.name], chosen_by, words, len(of) if algo is None else 1, place.name, comparison)


def _rows_of_run(todo: Plan, directory: Path) -> Sequence[Row]:
    return rows_of(todo, todo.shards(Store(directory.resolve().parents[1] / "shards")))
