"""What a method declares, and what follows from it: configuration files, estimators, and versions that CI knows."""

import inspect
import json
from pathlib import Path

import pytest
from omegaconf import OmegaConf

import kernlearn
from kernlearn.algorithms import ALGORITHMS
from kernlearn.algorithms.common.method import configuration
from kernlearn.parameters import Numbers
from scripts.record_sources import KEPT, source_of

ROOT = Path(__file__).parents[2]
ESTIMATORS = [getattr(kernlearn, name) for name in kernlearn.__all__ if isinstance(getattr(kernlearn, name), type)]


@pytest.mark.parametrize("name", ALGORITHMS)
def test_the_configuration_file_is_the_one_declared(name):
    path = ROOT / "configs/algo" / f"{name}.yaml"
    assert path.read_text() == configuration(ALGORITHMS[name]), "run scripts/write_configs.py"
    values = OmegaConf.to_container(OmegaConf.load(path))
    assert values.pop("name") == name == ALGORITHMS[name].name
    assert values == {key: parameter.default for key, parameter in ALGORITHMS[name].parameters.items()}


@pytest.mark.parametrize("name", ALGORITHMS)
def test_defaults_are_allowed_and_everything_has_a_meaning(name):
    for key, parameter in ALGORITHMS[name].parameters.items():
        assert parameter.kind.check(key, parameter.default) == parameter.default
        assert parameter.meaning and parameter.kind.describe()
        assert not parameter.single or isinstance(parameter.kind, Numbers)


def test_there_is_a_file_for_every_algorithm_and_no_other():
    assert {path.stem for path in (ROOT / "configs/algo").glob("*.yaml")} == set(ALGORITHMS)


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda estimator: estimator.__name__)
def test_an_estimator_has_the_defaults_that_are_declared(estimator):
    """Of what is no value of a grid; and a line in its docstring for every parameter."""
    given = inspect.signature(estimator).parameters
    declared = estimator._declared
    documented = inspect.getdoc(estimator)
    for key, parameter in declared.items():
        if not parameter.single and key in given:
            assert given[key].default == parameter.default, key
    for name in given:
        assert name in documented or "are those of" in documented or "As for" in documented, name


@pytest.mark.parametrize("name", ALGORITHMS)
def test_no_number_outlives_the_code_that_made_it(name):
    """Where the source of a method or of what it imports has changed, somebody has looked whether its numbers have."""
    kept = json.loads(KEPT.read_text())
    assert kept.get(name) == {"version": ALGORITHMS[name].version, "source": source_of(name)}, (
        f"the source of {name} has changed: raise the version of its Method if its numbers may have, "
        "then run scripts/record_sources.py"
    )
