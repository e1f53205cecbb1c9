"""Experiments that differ in anything that changes numbers differ in a column of their summary, not only in `run`."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from kernlearn.algorithms import ALGORITHMS
from kernlearn.cli.configuration.compose import compose_config
from kernlearn.datasets import CATALOGUE, OWN
from kernlearn.datasets.core.dataset import Examples, make_dataset
from kernlearn.evaluation import PROTOCOLS, RULES, SCORES
from kernlearn.kernels import FAMILIES, SCALINGS
from kernlearn.kernels.families.registry import APPROXIMATION, KERNEL_PARAMETERS
from kernlearn.parameters import Choice, Choices, Flag, Number, Numbers, Text, Texts
from kernlearn.runner.cell.cell import Group, PathCell
from kernlearn.runner.plan.by_size import decided
from kernlearn.runner.plan.config import TASKS, check_chosen_by, check_experiment, dataset_kinds
from kernlearn.runner.plan.identity import IDENTITY, directory_name, identity, run_id
from kernlearn.runner.plan.plan import Plan, plan
from kernlearn.runner.store.store import content_key

#: What null stands for: said or not, it is the same experiment.
NULL_IS = {"missing": "refuse", "text": "refuse"}
DATA = make_dataset("tiny", Examples(np.eye(4), [0, 1, 0, 1]), ("a", "b"), "generated")


def planned(config):
    """Return the plan of a configuration on some data, without looking at what cannot be computed on them."""
    experiment = decided(check_experiment(config))
    label = experiment.method.label(**experiment.values)
    versions = Group({"algo": 1, "rows": 1})
    cells = [PathCell(**vars(experiment), data=DATA.digest, versions=versions, split=0)]
    return Plan(
        experiment, replace(DATA, name=experiment.dataset["name"]), label, [], cells, None, check_chosen_by(config)
    )


def said(plan):
    """Return what the columns say beside the name of the run."""
    return {key: value for key, value in identity(plan).items() if key != "run"}


def others(parameter, value):
    """Return other allowed values than that of a parameter."""
    match parameter:
        case Flag():
            return [not value]
        case Choice():
            return [option for option in parameter.options if option != value]
        case Choices():
            return [{"a": option} for option in parameter.options] + [{"b": parameter.options[0]}]
        case Text():
            return ["another one"] if value is None else [f"{value}x", f"{value} x"]
        case Texts():
            return [["a"], ["a", "b"], ["a b"]]
        case Numbers():
            kept = [] if value is None else value
            return [other for other in (kept[1:], kept[:-1], [*kept, 2 * max(kept, default=1)]) if other != value]
        case Number():
            value = 1e-6 if value is None else value
            tries = (value + 1, value - 1, value / 3, value * (1 + 1e-12))
            return [v for v in tries if accepted(parameter, v) and v != value]


def accepted(parameter, value):
    try:
        parameter.check("", value)
    except ValueError:
        return False
    return True


@cache
def configuration(*words):
    return compose_config(words)


def groups():
    yield from (("algo", n, {k: p.kind for k, p in m.parameters.items()}) for n, m in ALGORITHMS.items())
    yield from (("kernel", name, {k: p.kind for k, p in KERNEL_PARAMETERS[name].items()}) for name in FAMILIES)
    yield from (("dataset", name, dataset_kinds(name)) for name in [*CATALOGUE, OWN])


ENTRIES = [(group, name, key, parameter) for group, name, found in groups() for key, parameter in found.items()]


@pytest.mark.sampled(8)
@pytest.mark.parametrize(("group", "name", "key", "parameter"), ENTRIES, ids=lambda x: x if isinstance(x, str) else "")
def test_every_parameter_of_every_choice_is_in_the_columns(group, name, key, parameter):
    own = ["dataset.path=/a/my.csv"] if name == "csv" else []
    config = configuration(f"{group}={name}", *own)
    usual = planned(config)
    if key in APPROXIMATION:  # none is there without the first two
        both = {"approximate": None if key == "approximate" else "nystrom", "rank": 8}
        usual = usual if key == "approximate" else planned({**config, group: {**config[group], **both}})
        config = {**config, group: {**config[group], **both}}
    values = [value for value in others(parameter, config[group][key]) if accepted(parameter, value)]
    if key in NULL_IS:
        values.remove(NULL_IS[key])
        assert said(planned({**config, group: {**config[group], key: NULL_IS[key]}})) == said(usual)
    assert values
    changed = [planned({**config, group: {**config[group], key: value}}) for value in values]
    if key == "path":  # where the data lie is their source
        usual, *changed = (
            replace(p, dataset=replace(DATA, source=p.experiment.dataset["path"])) for p in (usual, *changed)
        )
    columns = [tuple(said(plan).values()) for plan in (usual, *changed)]
    assert len(set(columns)) == len(columns) == len({run_id(plan) for plan in (usual, *changed)})


@pytest.mark.parametrize(
    ("key", "values"),
    {
        "scaling": list(SCALINGS),
        "task": TASKS,
        "seed": [0, 1, 17],
        "select_by": list(SCORES),
        "rule": list(RULES),
    }.items(),
)
def test_so_is_every_choice_beside_them(key, values):
    config = configuration()
    plans = [planned({**config, key: value}) for value in values]
    assert len({tuple(said(plan).values()) for plan in plans}) == len({run_id(plan) for plan in plans}) == len(values)


def test_the_rule_of_the_protocol_is_the_same_run_whether_it_is_said_or_not():
    """And runs of earlier versions, which had no other rule, keep their names."""
    usual, said_so = planned(configuration()), planned({**configuration(), "rule": "overall"})
    assert run_id(usual) == run_id(said_so) and identity(usual) == identity(said_so)
    place = content_key({"cells": usual.keys, "select_by": "error_pct", "data": ["ionosphere", None]})
    assert run_id(usual) == place[:10]
    assert identity(planned({**configuration(), "rule": "first5"}))["parameters"] == "rule=first5"


@pytest.mark.slow
@pytest.mark.parametrize(("group", "names"), [("algo", ALGORITHMS), ("kernel", FAMILIES), ("protocol", PROTOCOLS)])
def test_so_is_every_choice_of_a_group(group, names):
    plans = [planned(configuration(f"{group}={name}")) for name in names]
    assert {identity(plan)["parameters"] for plan in plans} == {""}  # all values are the defaults
    assert len({tuple(said(plan).values()) for plan in plans}) == len({run_id(plan) for plan in plans}) == len(names)


@pytest.mark.parametrize(
    ("kernel", "words"),
    [
        ("gaussian", ""),  # the default for one's own file, as are its gammas and their unit
        ("gaussian", "kernel.gammas=[0.5,2.0]"),
        ("gaussian", "kernel.unit=null"),
        ("polynomial", "kernel.degrees=[3]"),
    ],
)
def test_what_is_the_default_is_not_said_and_the_rest_as_it_is_typed(kernel, words):
    own = ["dataset=csv", "dataset.path=/a/b.csv", f"kernel={kernel}"]
    config = compose_config([*own, *words.split(), "algo.lambdas=[1,0.5]", "algo.max_iter=1000"])
    row = identity(planned(config))
    assert list(row) == list(IDENTITY) and row["parameters"] == f"{words} algo.lambdas=[1.0,0.5]".strip()
    assert row["task"] == "classification" and row["select_by"] == "error_pct" and row["kernel"] == kernel
    again = compose_config([*own, *row["parameters"].split()])
    assert check_experiment(again) == check_experiment(config)


def test_other_data_or_versions_are_another_run():
    plan = planned(configuration())
    other = replace(plan, cells=[replace(plan.cells[0], versions=Group({"algo": 2, "rows": 1}))])
    data = replace(plan, cells=[replace(plan.cells[0], data="0")], dataset=replace(DATA, name="vkr", digest="0" * 64))
    assert len({tuple(said(one).values()) for one in (plan, other, data)}) == 3
    assert len({directory_name(one) for one in (plan, other, data)}) == 3
    assert directory_name(plan).startswith("ionosphere-vkr_lemma3-polynomial-seed0-")


def test_what_is_left_to_the_size_is_the_same_run_as_what_it_comes_to():
    """And runs of versions that had the solver and the tolerance as defaults keep their names."""
    words = ["dataset=ionosphere", "algo=vkr", "protocol=rotation5"]
    named = ["algo.solver=simplex", "algo.tol=1e-9"]
    usual, said_so, another = (
        plan(check_experiment(compose_config([*words, *more]))) for more in ([], named, ["algo.solver=interior"])
    )
    assert usual.cells[0].algo["solver"] == "simplex" and usual.cells[0].algo["tol"] == 1e-9
    assert identity(usual) == identity(said_so) and usual.keys == said_so.keys
    assert identity(usual)["parameters"] == "" and run_id(usual) == "a9089cde22"  # as in results/vkr2015
    assert identity(another)["parameters"] == "algo.solver=interior" and run_id(another) != run_id(usual)
