"""Check every name and value in the configuration of an experiment, before anything runs."""

import os
import sys
from collections.abc import Callable, Collection, Mapping
from typing import Any

from kernlearn.algorithms import ALGORITHMS, REDUCTIONS
from kernlearn.datasets import CATALOGUE, OWN, OWN_KINDS
from kernlearn.datasets.core.raw import REFUSE
from kernlearn.datasets.loading import LIMITS, check_own_name
from kernlearn.errors import UserError, closest
from kernlearn.evaluation import PROTOCOLS, RULES, SCORES, ChosenBy
from kernlearn.kernels import FAMILIES, SCALINGS
from kernlearn.kernels.core.choice import UNIT
from kernlearn.kernels.families.registry import APPROXIMATION, KERNEL_PARAMETERS
from kernlearn.parameters import Choice, Flag, Kind, Number, Parameter, Text, check_all
from kernlearn.runner.cell.cell import CLASSIFICATION, FULL, GRIDS, ONE_VS_REST, REGRESSION, TASKS, Experiment, Group
from kernlearn.runner.cell.class_weight import check_class_weight
from kernlearn.runner.engines.options import ENGINE_OPTIONS
from kernlearn.runner.store.records import Options

#: The keys of a configuration.
KEYS = ("dataset", "scaling", "kernel", "algo", "protocol", "seed", "engine", "results_dir", "force", "retry_failed")
#: Optional keys: the task, the reduction of several classes, weights of classes, the time limit of a program, settings
#: that depend on the number of examples, and the choice of a grid point.
OPTIONAL_KEYS = ("task", "multiclass", "class_weight", "limit", "streamed", "grid", "select_by", "rule")


def require_keys(config: Mapping[str, Any]) -> None:
    """Raise `UserError` if a configuration lacks a key or has an unknown one."""
    for key in config:
        if key not in KEYS + OPTIONAL_KEYS:
            known = KEYS + OPTIONAL_KEYS
            raise UserError(f"{key}: unknown key, there are: {', '.join(known)}{closest(key, known)}")
    for key in KEYS:
        if key not in config:
            raise UserError(f"{key} is missing: give {key}=VALUE")


def check_experiment(config: Mapping[str, Any]) -> Experiment:
    """Return the values that determine the numbers of an experiment, checked and with their proper types.

    Raises `UserError` if a value is wrong. The message has the key, the value and the allowed values.

    Parameters
    ----------
    config : mapping
        With the keys `KEYS` and, optionally, `OPTIONAL_KEYS`.

    Returns
    -------
    Experiment
        For a regression on a user's file, its data set also has the task, so that the last column is read as numbers.
    """
    require_keys(config)
    task = Choice(TASKS).check("task", config.get("task", CLASSIFICATION))
    dataset = check_dataset(config["dataset"])
    if task == REGRESSION and "path" in dataset:
        dataset = {**dataset, "task": task}
    multiclass = Choice(tuple(REDUCTIONS)).check("multiclass", config.get("multiclass", ONE_VS_REST))
    class_weight = check_class_weight(config.get("class_weight"))
    limit = Number(low=0, high=10**9, optional=True).check("limit", config.get("limit"))
    streamed = config.get("streamed", False)
    return Experiment(
        task=task,
        multiclass=multiclass,
        class_weight=Group(class_weight) if isinstance(class_weight, Mapping) else class_weight,
        limit=limit,
        streamed=streamed if streamed is None else Flag().check("streamed", streamed),
        grid=Choice(GRIDS).check("grid", config.get("grid", FULL)),
        dataset=Group(dataset),
        scaling=Choice(tuple(SCALINGS)).check("scaling", config["scaling"]),
        kernel=Group(_check_kernel(config)),
        algo=Group(_check_group("algo", config, ALGORITHMS, lambda name: _kinds(ALGORITHMS[name].parameters))),
        protocol=Group(_check_group("protocol", config, PROTOCOLS, lambda name: _kinds(PROTOCOLS[name].parameters))),
        seed=Number(low=0, high=2**32 - 1, integer=True).check("seed", config["seed"]),
    )


def check_chosen_by(config: Mapping[str, Any]) -> ChosenBy:
    """Return the checked ``select_by`` and ``rule``. They change only the choice of the grid point."""
    known = {"select_by": tuple(SCORES), "rule": tuple(RULES)}
    return ChosenBy(*(Choice(names, optional=True).check(key, config.get(key)) for key, names in known.items()))


def check_engine(config: Mapping[str, Any]) -> Options:
    """Return the checked ``engine`` group. It changes no number."""
    if "engine" not in config:
        raise UserError("engine is missing: give engine=NAME")
    engine = _check_group("engine", config, ENGINE_OPTIONS, lambda name: _kinds(ENGINE_OPTIONS[name]))
    if engine["memory"] and sys.platform != "linux":
        raise UserError(f"engine.memory={engine['memory']:g}: a limit of memory needs Linux, leave it at 0")
    return engine


def dataset_kinds(name: str) -> Mapping[str, Kind]:
    """Return the parameters of a data set: generators have a size and a seed, a user's file has a path."""
    if name == OWN:
        return {"path": Text(), "target": Text(optional=True), **OWN_KINDS}
    return {key: LIMITS[key] for key in CATALOGUE[name].options}


def check_dataset(given: Any) -> Options:
    """Return the checked ``dataset`` group. A data set with a path is a user's file and may have any new name."""
    if not isinstance(given, Mapping) or "path" not in given:
        return _check_group("dataset", {"dataset": given}, [*CATALOGUE, OWN], dataset_kinds)
    name = check_own_name(given.get("name", OWN))
    unsaid = dict.fromkeys(OWN_KINDS)
    own = _check_group("dataset", {"dataset": {**unsaid, **given, "name": OWN}}, [OWN], dataset_kinds)
    if not own["path"].startswith("~"):  # absolute, but links stay: their names say more than targets
        folder, file = os.path.split(own["path"])
        own["path"] = os.path.join(os.path.realpath(folder), file)
    usual = (None, REFUSE)
    return {key: value for key, value in own.items() if key not in unsaid or value not in usual} | {"name": name}


def _check_kernel(config: Mapping[str, Any]) -> Options:
    """Return the checked ``kernel`` group, without the keys of an approximation or a unit that is not used."""
    given = config["kernel"]
    if isinstance(given, Mapping):
        unsaid = (APPROXIMATION | UNIT).keys() & KERNEL_PARAMETERS.get(str(given.get("name")), {}).keys()
        config = {"kernel": {**dict.fromkeys(unsaid), **given}}
    kernel = _check_group("kernel", config, FAMILIES, lambda name: _kinds(KERNEL_PARAMETERS.get(name, {})))
    approximate, rank = kernel.get("approximate"), kernel.get("rank")
    if approximate is None and rank is not None:
        raise UserError(f"kernel.rank={rank}: is that of an approximation; add kernel.approximate=nystrom")
    if approximate is not None and rank is None:
        raise UserError(f"kernel.approximate={approximate}: give the number of landmarks, too, with kernel.rank=R")
    if approximate is None and kernel.get("exact_gap") is not None:
        raise UserError("kernel.exact_gap: is that of an approximation; add kernel.approximate=nystrom kernel.rank=R")
    return {key: value for key, value in kernel.items() if value is not None or key not in APPROXIMATION | UNIT}


def _kinds(parameters: Mapping[str, Parameter]) -> dict[str, Kind]:
    return {key: parameter.kind for key, parameter in parameters.items()}


def _check_group(
    group: str, config: Mapping[str, Any], known: Collection[str], kinds: Callable[[str], Mapping[str, Kind]]
) -> Options:
    given = config[group]
    if not isinstance(given, Mapping) or "name" not in given:
        raise UserError(f"{group}: choose one with {group}=NAME, one of {', '.join(sorted(known))}")
    values = dict(given)
    name = Choice(tuple(sorted(known))).check(f"{group}.name", values.pop("name"))
    return {"name": name, **check_all(group, values, kinds(name))}
