"""Columns that identify an experiment. All tables of results begin with them."""

import json
import re
import shlex
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from kernlearn.datasets import OWN
from kernlearn.datasets.core.columns import is_plain
from kernlearn.evaluation import AS_USUAL
from kernlearn.runner.cell.cell import Experiment
from kernlearn.runner.cell.class_weight import as_word, in_words
from kernlearn.runner.plan.defaults import defaults
from kernlearn.runner.plan.plan import Plan
from kernlearn.runner.provenance.record import origin_of
from kernlearn.runner.store.store import content_key

#: ``run`` alone identifies an experiment; the other columns describe it.
IDENTITY = ("run,dataset,data,sha256,task,protocol,seed,kernel,scaling,algorithm,parameters,select_by,versions").split(
    ","
)
#: Columns by which experiments of one data set, algorithm and seed may differ.
SETTING = ("data", "of_data", "sha256", "task", "protocol", "kernel", "scaling", "parameters")
GROUPS = ("dataset", "kernel", "algo", "protocol")
#: Keys of an experiment that belong to the algorithm, and functions that write their values.
SAID: dict[str, Callable[[Any], str]] = {
    "multiclass": str,
    "class_weight": in_words,
    "limit": "{:g}".format,
    "streamed": lambda _: "true",
}
#: Number of digits of run names, and of the sha256 of data.
RUN_DIGITS, DATA_DIGITS = 10, 12


def identity(plan: Plan) -> dict[str, Any]:
    """Return the columns `IDENTITY` of an experiment.

    ``parameters`` has the parameters that differ from their defaults, in the syntax of the command line. It also has
    the selection rule if that is not the rule of the protocol. ``data`` has the path of a user's file.
    """
    experiment = plan.experiment
    return {
        "run": run_id(plan),
        "dataset": plan.dataset.name,
        "data": origin_of(plan.dataset),
        "sha256": plan.dataset.digest[:DATA_DIGITS],
        "task": experiment.task,
        "protocol": experiment.protocol["name"],
        "seed": experiment.seed,
        "kernel": kernel_of(experiment),
        "scaling": experiment.scaling,
        "algorithm": plan.label,
        "parameters": " ".join(filter(None, (changed_rule(plan), changed_parameters(experiment)))),
        "select_by": plan.metric,
        "versions": " ".join(f"{name}={version}" for name, version in plan.cells[0].versions.items()),
    }


def run_id(plan: Plan) -> str:
    """Return a unique name for an experiment and the choice of its grid points."""
    place = [plan.dataset.name, plan.experiment.dataset.get("path")]
    rule = {"rule": plan.rule} if changed_rule(plan) else {}
    return content_key({"cells": plan.keys, "select_by": plan.metric, "data": place, **rule})[:RUN_DIGITS]


def kernel_of(experiment: Experiment) -> str:
    """Return the name of the kernels, with the name of their approximation, such as ``nystrom gaussian``."""
    kernel = experiment.kernel
    return f"{kernel['approximate']} {kernel['name']}" if "approximate" in kernel else str(kernel["name"])


def changed_rule(plan: Plan) -> str:
    """Return the selection rule in the syntax of the command line; empty if it is that of the protocol."""
    return "" if plan.rule == replace(plan, chosen_by=AS_USUAL).rule else f"rule={plan.rule}"


def directory_name(plan: Plan) -> str:
    """Return the name of the directory of a run, which is readable and unique."""
    row = identity(plan)
    words = [row["dataset"], row["algorithm"], row["kernel"], f"seed{row['seed']}", row["run"]]
    return "-".join(re.sub(r"[^\w.]+", "_", word) for word in words)


def keys_of_data(experiment: Experiment) -> list[str]:
    """Return the words of a command line that read the data of an experiment in the same way, after their name.

    The task is the first one, if it is not the usual one. The words have no quotes for a shell.
    """
    task = [f"task={experiment.task}"] if experiment.is_regression else []
    return [*task, *(f"{key}={_in_grammar(value)}" for key, value in _changed(experiment, ("dataset",)))]


def changed_parameters(experiment: Experiment, groups: Sequence[str] = GROUPS) -> str:
    """Return the parameters of data set, kernel, algorithm and protocol that differ from their configuration.

    For a user's file this is the configuration for such files, if there is one. A default that an experiment omits is
    null. The parameters of the algorithm include the reduction of several classes, the weights of classes, the time
    limit of programs, and whether kernel values are computed on demand.
    """
    choices = experiment.to_json()
    said = SAID if "algo" in groups else {}
    words = [_word(key, said[key](choices[key])) for key in said if key in choices]
    return " ".join([*words, *(_word(key, value) for key, value in _changed(experiment, groups))])


def _changed(experiment: Experiment, groups: Sequence[str]) -> list[tuple[str, Any]]:
    """Return the keys of groups that differ from their configuration, and their values."""
    choices, changed = experiment.to_json(), list[tuple[str, Any]]()
    own = "path" in choices["dataset"]
    for group in groups:
        values = dict(choices[group])
        name = OWN if group == "dataset" and own else values["name"]
        usual = (own and defaults(f"own/{group}", name)) or defaults(group, name)
        # Skip columns, and lists of configurations on which others are based.
        left_out = {"name", "defaults"} | ({"path", "task"} if group == "dataset" and own else set())
        unset = dict.fromkeys(key for key, value in usual.items() if key not in values and value is not None)
        changed += [
            (f"{group}.{key}", value)
            for key, value in {**values, **unset}.items()
            if key not in left_out and not (key in usual and usual[key] == value)
        ]
    return changed


def settings(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return for each identity the settings that distinguish it, beside data set, algorithm and seed."""
    head = [tuple(row[key] for key in ("dataset", "algorithm", "seed")) for row in rows]
    several = {key for key, count in Counter(head).items() if count > 1}
    alike = [row for row, key in zip(rows, head, strict=True) if key in several]
    needed = [
        key
        for key in SETTING
        if len({(row["dataset"], row["algorithm"], row.get(key, "")) for row in alike})
        > len({(row["dataset"], row["algorithm"]) for row in alike})
    ]
    if "sha256" in needed and {"data", "of_data", "parameters"} & set(needed):
        needed.remove("sha256")
    return [" ".join(str(row[key]) for key in needed if row[key] != "") for row in rows]


def _in_grammar(value: Any) -> str:
    """Return a value as the command line reads it, before the quotes of a shell."""
    if isinstance(value, str):
        return value if is_plain(value) and not value.isdecimal() else as_word(value)
    if isinstance(value, Mapping):
        return "{" + ",".join(f"{_in_grammar(key)}: {_in_grammar(one)}" for key, one in value.items()) + "}"
    if isinstance(value, Sequence):
        return "[" + ",".join(map(_in_grammar, value)) + "]"
    return json.dumps(value)


def _word(key: str, value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))
    return shlex.quote(f"{key}={text}") if any(c.isspace() or c == "{" for c in text) else f"{key}={text}"
