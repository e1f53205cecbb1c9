"""Check that an experiment can run. Each check raises `UserError` with an alternative that works."""

from math import isfinite

from kernlearn.algorithms import ALGORITHMS, Method
from kernlearn.algorithms.core.method import CHAINS, KERNELS
from kernlearn.datasets import Dataset
from kernlearn.errors import UserError
from kernlearn.evaluation import METRICS, ChosenBy, protocol_of
from kernlearn.evaluation.rules import OF_THE_FIRST
from kernlearn.kernels import KernelFamily, make_family
from kernlearn.kernels.families.vectors import FEATURES
from kernlearn.runner.cell.cell import ONE_VS_REST, Experiment, Group


def require_choice(experiment: Experiment, dataset: Dataset, chosen_by: ChosenBy) -> None:
    """Raise `UserError` if the targets do not have the score that selects a grid point, or the rule cannot be used.

    With folds inside the training part, there is no validation part to swap with the test part.
    """
    name, protocol = experiment.protocol["name"], protocol_of(experiment.protocol)
    rule = chosen_by.rule or protocol.rule
    if protocol.n_choosing and rule not in OF_THE_FIRST:
        few = f"only the first {protocol.n_choosing} splits of protocol={name} have validation parts"
        raise UserError(f"rule={rule}: {few}; use {' or '.join(OF_THE_FIRST)}")
    if rule == "swap" and protocol.n_folds:
        raise UserError(f"rule=swap: protocol={name} validates on folds of the training part; use another protocol")
    metric = chosen_by.metric
    if metric is None:
        return
    if problem := why_unscored(metric, experiment, dataset):
        raise UserError(f"select_by={metric}: {problem}")


def why_unscored(metric: str, experiment: Experiment, dataset: Dataset) -> str:
    """Return why an experiment has no such score, and what to use instead; empty if it has."""
    n_classes, regression = len(dataset.classes), experiment.is_regression
    target, sequential = METRICS[metric].target, dataset.is_sequential
    if target == "probabilities":
        return "is a score of probabilities, which no method with a grid gives; use another"
    if metric == "alignment" and not _takes_features(experiment.method):
        return "is of a learned kernel, and this method learns none; use another"
    if not target or (target == "reals" and regression):
        return ""
    if target == "reals":
        return "is a score of real targets; use another, or task=regression"
    if regression and dataset.target is not None:
        return "is a score of classes, but these targets are real; use rmse"
    if target == "votes" and (n_classes == 2 or experiment.multiclass != "one_vs_one"):
        return "is a score of votes; use another, or multiclass=one_vs_one"
    if target == "signs" and (sequential or n_classes > 2):
        these = "labels of sequences" if sequential else n_classes
        return f"is a score of two classes, these are {these}; use another"
    if target == "examples" and sequential:
        return "is a score of single examples, these are sequences; use f1_pct"
    if target == "sequences" and not sequential:
        return "is a score of sequences, but these are single examples; use another"
    return ""


def require_fit(experiment: Experiment) -> None:
    """Raise `UserError` if the algorithm of an experiment cannot do its task or use its kernels."""
    name, task = experiment.algo["name"], experiment.task
    if task not in ALGORITHMS[name].tasks:
        if ALGORITHMS[name].tasks == ("regression",):
            raise UserError(f"algo={name}: is not for task={task}; it needs task=regression")
        able = ", ".join(other for other, algorithm in ALGORITHMS.items() if task in algorithm.tasks)
        raise UserError(f"algo={name}: is not for task={task}; use one of {able}")
    if experiment.class_weight is not None:
        _require_class_weight(task, ALGORITHMS[name])
    if experiment.multiclass != ONE_VS_REST and (task == "regression" or ALGORITHMS[name].joint):
        why = "a regression has no classes" if task == "regression" else f"algo={name} takes all classes at once"
        raise UserError(f"multiclass={experiment.multiclass}: {why}; leave it out")
    if experiment.multiclass == "one_vs_one" and ALGORITHMS[name].unlabelled:
        raise UserError(f"multiclass=one_vs_one: algo={name} learns from examples of no class; use one_vs_rest")
    _require_inputs(experiment.kernel, ALGORITHMS[name])
    if experiment.streamed:
        _require_rows(experiment.kernel, ALGORITHMS[name])
    if experiment.kernel["name"] == FEATURES and not _takes_features(ALGORITHMS[name]):
        able = ", ".join(other for other, method in ALGORITHMS.items() if _takes_features(method))
        raise UserError(f"algo={name}: neither weighs kernels nor learns from features; use one of {able}")


def _takes_features(algorithm: Method) -> bool:
    return algorithm.weighs or algorithm.inputs == FEATURES


def _require_class_weight(task: str, algorithm: Method) -> None:
    """Raise `UserError` if an algorithm cannot weigh examples, or the task has no classes."""
    if task == "regression":
        raise UserError("class_weight: a regression has no classes; leave it out")
    if not algorithm.class_weight:
        able = ", ".join(other.name for other in ALGORITHMS.values() if other.class_weight)
        raise UserError(f"class_weight: is not for algo={algorithm.name}; leave it out, or use one of {able}")


def require_kind(algorithm: Method, dataset: Dataset, kernel: str) -> None:
    """Raise `UserError` if an algorithm or a kernel needs sequences but the data have none, or the reverse."""
    kinds = ("sequences", "single examples")
    if not algorithm.takes(dataset.is_sequential):
        wanted, given = kinds if algorithm.sequential else kinds[::-1]
        able = ", ".join(other.name for other in ALGORITHMS.values() if other.sequential)
        advice = "sentences are read with dataset=conll" if algorithm.sequential else f"sequences are for {able}"
        raise UserError(f"algo={algorithm.name}: learns from {wanted}, but {dataset.name} has {given}; {advice}")
    if dataset.is_sequential != (kernel == CHAINS):
        wanted, given = kinds[::-1] if dataset.is_sequential else kinds
        advice = f"use kernel={CHAINS}" if dataset.is_sequential else "use another one"
        raise UserError(f"kernel={kernel}: is for {wanted}, but {dataset.name} has {given}; {advice}")


def _require_inputs(kernel: Group, algorithm: Method) -> None:
    """Raise `UserError` if an algorithm cannot learn from the chosen kernels."""
    if algorithm.inputs != KERNELS:
        if kernel["name"] != algorithm.inputs:
            reason = f"learns from {algorithm.inputs}, not from {kernel['name']}"
            raise UserError(f"algo={algorithm.name}: {reason}; use kernel={algorithm.inputs}")
    elif not isinstance(make_family(**kernel), KernelFamily) and kernel["name"] not in algorithm.choices:
        able = ", ".join(other.name for other in ALGORITHMS.values() if kernel["name"] in other.choices)
        raise UserError(f"algo={algorithm.name}: learns from kernels, but kernel={kernel['name']} is only for {able}")


def _require_rows(kernel: Group, algorithm: Method) -> None:
    """Raise `UserError` if kernel values cannot be computed on demand, or an algorithm needs the whole matrix."""
    if not isfinite(algorithm.max_matrix_bytes):
        able = ", ".join(other.name for other in ALGORITHMS.values() if isfinite(other.max_matrix_bytes))
        raise UserError(f"streamed=true: is not for algo={algorithm.name}; leave streamed out. It is for {able}")
    family = make_family(**kernel)
    if not (isinstance(family, KernelFamily) and family.streams):
        other = "kernel.approximate" if "approximate" in kernel else f"kernel={kernel['name']}"
        raise UserError(f"streamed=true: is not for {other}; leave streamed out")
