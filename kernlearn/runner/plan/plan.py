"""A cell: one data set, one algorithm with its kernel family, one split, the whole grid."""

import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isfinite
from typing import cast

import numpy as np
from threadpoolctl import threadpool_limits

from kernlearn.algorithms import ALGORITHMS, Method
from kernlearn.algorithms.core.grams import require_without
from kernlearn.algorithms.core.method import CHAINS, KERNELS
from kernlearn.datasets import OWN, Dataset, load
from kernlearn.errors import UserError
from kernlearn.evaluation import AS_USUAL, METRICS, PROTOCOLS, ChosenBy, Row, Selection, select
from kernlearn.evaluation.rules import OF_THE_FIRST
from kernlearn.kernels import GramStack, KernelFamily, NystromFamily, in_unit, make_family, make_stack, scaled
from kernlearn.kernels.families.registry import FEATURES
from kernlearn.runner.cell.class_weight import name_classes
from kernlearn.runner.cell.measure import data_of, examples_of, is_regression, measure, method_of, splits_of, task_of
from kernlearn.runner.plan import by_size
from kernlearn.runner.plan.cost import Cost, cost_of
from kernlearn.runner.plan.sizes import size_of
from kernlearn.runner.provenance.made import Effort, made
from kernlearn.runner.provenance.sources import source_of
from kernlearn.runner.store.partial import Partial
from kernlearn.runner.store.records import Cell, Experiment, Options, PathCell, Shard, Source
from kernlearn.runner.store.store import content_key

#: Raised when the rows of a shard change their meaning: of kernels that are features, and of all others.
FEATURE_ROWS_VERSION, ROWS_VERSION = 4, 3


@dataclass(frozen=True)
class Plan:
    """The cells of an experiment and what can be said before they run; the cost is that of the dearest of them.

    What the experiment left to the number of examples is decided in it, and said in `by_size`, in words of the command
    line.
    """

    experiment: Experiment
    dataset: Dataset
    label: str
    grid: list[dict[str, float]]
    cells: Sequence[PathCell]
    cost: Cost
    chosen_by: ChosenBy = AS_USUAL
    by_size: str = ""

    @cached_property
    def keys(self) -> list[str]:
        """The names of the cells in the store."""
        return [cell_key(cell) for cell in self.cells]

    @property
    def labels(self) -> dict[str, str]:
        """What the cells are called, by key."""
        name = f"{self.dataset.name} {self.label}"
        cells = zip(self.keys, self.cells, strict=True)
        return {key: f"{name} seed {cell['seed']} split {cell['split']}" for key, cell in cells}

    @property
    def source(self) -> Source:
        """By which source they are computed now."""
        return source_of(self.experiment)

    @property
    def about(self) -> str:
        """What computes them, in the words of the command line."""
        return f"algo {self.experiment['algo']['name']}"

    @property
    def metric(self) -> str:
        """By what a grid point is chosen: unless something else is asked for, by the error."""
        return self.chosen_by.metric or ("rmse" if is_regression(self.experiment) else "error_pct")

    @property
    def rule(self) -> str:
        """The rule by which it is chosen, one of `kernlearn.evaluation.RULES`: as a rule, that of the protocol."""
        return self.chosen_by.rule or PROTOCOLS[self.experiment["protocol"]["name"]].rule

    def select(self, rows: Sequence[Row]) -> Selection | None:
        """Choose a grid point, or one for every split; see `kernlearn.evaluation.select`."""
        return select([row for row in rows if "point" in row], self.grid, self.metric, self.rule)


def plan(
    experiment: Experiment,
    dataset: Dataset | None = None,
    *,
    like: Plan | None = None,
    chosen_by: ChosenBy = AS_USUAL,
) -> Plan:
    """Lay out the cells of a checked experiment (`kernlearn.runner.plan.config.check_experiment`).

    How a grid point is chosen, `chosen_by`, changes none of them.
    `dataset` saves loading it, where many experiments are planned on the same data; `like`, the plan of an experiment
    that differs in nothing but the seed, saves the checks of data and kernels. The content of the data, not its
    name or place, and the version of the algorithm are part of every cell.

    Raises
    ------
    UserError
        If the algorithm is not for the task or the kernels, the data cannot be had, the protocol cannot split them or
        the kernels cannot be computed on them; or if the targets do not have the score, or the protocol not the parts,
        that are to choose a grid point.
    """
    _require_fit(by_size.decided(experiment))
    dataset = dataset or load(**experiment["dataset"])
    if "class_weight" in experiment:
        experiment = {**experiment, "class_weight": name_classes(experiment["class_weight"], dataset)}
    asked, experiment = experiment, by_size.decided(experiment)
    protocol = PROTOCOLS[experiment["protocol"]["name"]]
    algorithm, values = method_of(experiment)
    if algorithm.universum and dataset.universum is None:
        raise UserError(
            f"algo={algorithm.name}: learns from a Universum, examples of none of the classes, and {dataset.name} has "
            "none; use dataset=mnist_universum, or the estimator, whose fit takes one"
        )
    _require_kind(algorithm, dataset, experiment["kernel"]["name"])
    if like is None:
        splits = splits_of(experiment, dataset)
        largest = max(len(train) for split in splits for train, _ in split.fits)
        experiment = by_size.at_size(asked, algorithm, largest)
        left, values = by_size.words(asked, experiment), method_of(experiment)[1]
        family = make_family(**experiment["kernel"])
        X, *_ = scaled(experiment["scaling"], dataset.X[splits[0].train])
        X, *_ = in_unit(experiment["kernel"].get("unit"), X)
        exact = family.exact if isinstance(family, NystromFamily) else family
        row = make_stack(exact, X[:1], X) if isinstance(exact, KernelFamily) else None  # overflow is seen on one row
        label, grid = algorithm.label(**values), algorithm.points(family, task_of(experiment), values)
        size = size_of(experiment, algorithm, dataset, splits, family, row, grid)
        cost = cost_of(experiment, family, size)
    else:
        label, grid, cost, left = like.label, like.grid, like.cost, like.by_size
        experiment = {**like.experiment, "seed": experiment["seed"]}
        values = method_of(experiment)[1]
    if cost.size.streamed:
        require_without(values.get("solver"), cost.size.n)
    named, n = {"name": algorithm.name}, max(cost.size.trains)
    experiment = {**experiment, "algo": {**named, **algorithm.unsettled(n, values)}}
    algo = {**named, **algorithm.settled(n, values)}  # a cell names what computes it
    rows_version = FEATURE_ROWS_VERSION if experiment["kernel"]["name"] == FEATURES else ROWS_VERSION
    versions = {"algo": algorithm.version, "rows": rows_version}
    cells: list[PathCell] = [
        {**experiment, "algo": algo, "data": dataset.digest, "versions": versions, "split": split}
        for split in range(protocol.n_splits)
    ]
    planned = Plan(experiment, dataset, label, grid, cells, cost, chosen_by, left)
    _require_choice(planned)
    return planned


def _require_choice(todo: Plan) -> None:
    """Raise `UserError` if the score that is to choose a grid point is none of these targets, or the rule needs more.

    With folds inside the training part there is no validation part that could change places with the test part.
    """
    name = todo.experiment["protocol"]["name"]
    if PROTOCOLS[name].n_choosing and todo.rule not in OF_THE_FIRST:
        few = f"only the first {PROTOCOLS[name].n_choosing} splits of protocol={name} have something to validate on"
        raise UserError(f"rule={todo.rule}: {few}; use {' or '.join(OF_THE_FIRST)}")
    if todo.rule == "swap" and PROTOCOLS[name].n_folds:
        raise UserError(f"rule=swap: protocol={name} validates on folds of the training part; use another protocol")
    metric = todo.chosen_by.metric
    if metric is None:
        return
    n_classes, regression = len(todo.dataset.classes), is_regression(todo.experiment)
    target, sequential = METRICS[metric].target, todo.dataset.is_sequential
    if target == "reals":
        if not regression:
            raise UserError(f"select_by={metric}: is a score of real targets; use another, or task=regression")
    elif regression and todo.dataset.target is not None:
        raise UserError(f"select_by={metric}: is a score of classes, and these targets are real; use select_by=rmse")
    elif target == "votes" and (n_classes == 2 or todo.experiment.get("multiclass") != "one_vs_one"):
        raise UserError(f"select_by={metric}: is a score of votes; use another, or multiclass=one_vs_one")
    elif target == "signs" and (sequential or n_classes > 2):
        these = "labels of sequences" if sequential else n_classes
        raise UserError(f"select_by={metric}: is a score of two classes, these are {these}; use another")
    elif target == "sequences" and not sequential:
        raise UserError(f"select_by={metric}: is a score of sequences, and these are single examples; use another")


def cell_key(cell: Cell) -> str:
    """Return the name of a cell in the store; of a file of one's own the content is part of it, not name and place.

    A cell without a ``kind`` is the path of an algorithm; those of another kind have their data by content already.
    """
    if "kind" in cell:
        return content_key(cell)
    dataset = dict(cell["dataset"])
    if dataset.pop("path", None) is not None:
        dataset["name"] = OWN
    return content_key({**cell, "dataset": dataset})


def run_cell(cell: Cell, partial: Partial | None = None) -> Shard:
    """Solve the grid of a cell and measure every point.

    Parameters
    ----------
    cell : mapping
    partial : Partial, optional
        Where the finished blocks of the cell are kept, and found again if it was interrupted.

    Returns
    -------
    dict
        ``status`` ("ok" or "failed"), ``rows``, ``cell``, ``made`` (who computed it, when, and what it took; see
        `kernlearn.runner.provenance.made`) and, after a failure, ``error`` (one line) and ``traceback``; a failure is a
        result, not an exception.
    """
    found = cast(PathCell, cell)

    def rows() -> list[Row]:
        if partial:
            partial.source = source_of(found)["digest"]
        return measure(found, partial)

    return attempt(cell, lambda: source_of(found), rows)


def attempt(cell: Cell, source_of: Callable[[], Source], rows_of: Callable[[], list[Row]]) -> Shard:
    """Return the payload of a cell, as `run_cell` does, with the rows and the source that two functions give."""
    effort, source = Effort(), None
    try:
        with threadpool_limits(1):  # the same arithmetic whatever runs beside it
            source = source_of()
            rows = rows_of()
    except Exception as error:
        return {**failure(cell, _one_line(error), traceback.format_exc()), "made": effort.made(source)}
    return {"status": "ok", "cell": cell, "rows": rows, "made": effort.made(source)}


def failure(cell: Cell, error: str, trace: str) -> Shard:
    """Return the payload of a cell that has failed."""
    return {"status": "failed", "cell": cell, "rows": [], "error": error, "traceback": trace, "made": made()}


def training_part(cell: PathCell) -> tuple[GramStack, np.ndarray]:
    """Return the training stack and the labels +-1 of a cell with two classes."""
    dataset, split = data_of(cell)
    family, (train,) = examples_of(cell, dataset.X[split.train])
    return GramStack.train(family, train), np.where(dataset.y[split.train] == 1, 1.0, -1.0)


def _require_fit(experiment: Experiment) -> None:
    """Raise `UserError` if the algorithm of an experiment cannot do its task or use its kernels."""
    name, task = experiment["algo"]["name"], experiment.get("task", "classification")
    if task not in ALGORITHMS[name].tasks:
        if ALGORITHMS[name].tasks == ("regression",):
            raise UserError(f"algo={name}: is not for task={task}; add task=regression, which it is for")
        able = ", ".join(other for other, algorithm in ALGORITHMS.items() if task in algorithm.tasks)
        raise UserError(f"algo={name}: is not for task={task}, which these are for: {able}")
    if "class_weight" in experiment:
        _require_class_weight(task, ALGORITHMS[name])
    if "multiclass" in experiment and (task == "regression" or ALGORITHMS[name].joint):
        why = "a regression has no classes" if task == "regression" else f"algo={name} takes all classes at once"
        raise UserError(f"multiclass={experiment['multiclass']}: {why}; leave it out")
    if experiment.get("multiclass") == "one_vs_one" and ALGORITHMS[name].unlabelled:
        raise UserError(f"multiclass=one_vs_one: algo={name} learns from examples of no class; use one_vs_rest")
    _require_inputs(experiment["kernel"], ALGORITHMS[name])
    if "streamed" in experiment:
        _require_rows(experiment["kernel"], ALGORITHMS[name])
    takes_features = [other for other, method in ALGORITHMS.items() if method.weighs or method.inputs == FEATURES]
    if experiment["kernel"]["name"] == FEATURES and name not in takes_features:
        able = ", ".join(takes_features)
        raise UserError(f"algo={name}: neither weighs kernels nor learns from features, as these do: {able}")


def _require_class_weight(task: str, algorithm: Method) -> None:
    """Raise `UserError` if an algorithm cannot weigh examples, or nothing has a class."""
    if task == "regression":
        raise UserError("class_weight: a regression has no classes; leave it out")
    if not algorithm.class_weight:
        able = ", ".join(other.name for other in ALGORITHMS.values() if other.class_weight)
        raise UserError(f"class_weight: is not for algo={algorithm.name}; leave it out, or use one of {able}")


def _require_kind(algorithm: Method, dataset: Dataset, kernel: str) -> None:
    """Raise `UserError` if an algorithm, or a kernel, is for sequences and the data are not, or the other way round."""
    kinds = ("sequences", "single examples")
    if not algorithm.takes(dataset.is_sequential):
        wanted, there = kinds if algorithm.sequential else kinds[::-1]
        able = ", ".join(other.name for other in ALGORITHMS.values() if other.sequential)
        advice = "sentences are read with dataset=conll" if algorithm.sequential else f"sequences are for {able}"
        raise UserError(f"algo={algorithm.name}: learns from {wanted}, and {dataset.name} has {there}; {advice}")
    if dataset.is_sequential != (kernel == CHAINS):
        wanted, there = kinds[::-1] if dataset.is_sequential else kinds
        advice = f"use kernel={CHAINS}" if dataset.is_sequential else "use another one"
        raise UserError(f"kernel={kernel}: is for {wanted}, and {dataset.name} has {there}; {advice}")


def _require_inputs(kernel: Options, algorithm: Method) -> None:
    """Raise `UserError` if an algorithm learns from something else than what is chosen as kernels."""
    if algorithm.inputs != KERNELS:
        if kernel["name"] != algorithm.inputs:
            told = f"learns from {algorithm.inputs}, not from {kernel['name']}"
            raise UserError(f"algo={algorithm.name}: {told}; use kernel={algorithm.inputs}")
    elif not isinstance(make_family(**kernel), KernelFamily) and kernel["name"] not in algorithm.choices:
        able = ", ".join(other.name for other in ALGORITHMS.values() if kernel["name"] in other.choices)
        raise UserError(f"algo={algorithm.name}: learns from kernels, and kernel={kernel['name']} is none: for {able}")


def _require_rows(kernel: Options, algorithm: Method) -> None:
    """Raise `UserError` if kernel values cannot be computed as they are needed, or an algorithm needs them all."""
    if not isfinite(algorithm.held):
        able = ", ".join(other.name for other in ALGORITHMS.values() if isfinite(other.held))
        raise UserError(f"streamed=true: is not for algo={algorithm.name}; leave streamed out. It is for {able}")
    family = make_family(**kernel)
    if not (isinstance(family, KernelFamily) and family.streams):
        other = "kernel.approximate" if "approximate" in kernel else f"kernel={kernel['name']}"
        raise UserError(f"streamed=true: is not for {other}; leave streamed out")


def _one_line(error: Exception) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())
