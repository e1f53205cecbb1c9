"""What a method declares, and what follows from it: configuration files, estimators, and versions that CI knows."""

import inspect
import json
from pathlib import Path

import pytest
from omegaconf import OmegaConf

from kernlearn.algorithms import ALGORITHMS
from kernlearn.algorithms.core.method import KERNELS
from kernlearn.cli.main import main
from kernlearn.kernels import FAMILIES, make_family
from kernlearn.kernels.core.choice import UNIT
from kernlearn.kernels.families.registry import APPROXIMATION, KERNEL_PARAMETERS
from kernlearn.parameters import Numbers, plain
from kernlearn.runner.engines.options import ENGINE_OPTIONS
from scripts.tools.write_configs import configurations
from tests.algorithms.public import PLAIN

ROOT = Path(__file__).parents[2]


DECLARED = {
    **{("algo", name): method.parameters for name, method in ALGORITHMS.items()},
    **{("kernel", name): KERNEL_PARAMETERS[name] for name in FAMILIES},
    **{("engine", name): options for name, options in ENGINE_OPTIONS.items()},
}
FILES = dict(configurations())
CHOICES = pytest.mark.parametrize(("group", "name"), DECLARED)


@CHOICES
def test_the_configuration_file_is_the_one_declared(group, name):
    path = ROOT / "configs" / group / f"{name}.yaml"
    assert path.read_text() == FILES[path], "run scripts/tools/write_configs.py"
    values = OmegaConf.to_container(OmegaConf.load(path))
    assert values.pop("name") == name
    inputs = ALGORITHMS[name].inputs if group == "algo" else KERNELS
    brought = [{"override /kernel@_global_.kernel": inputs}, "_self_"]
    assert values.pop("defaults", None) == (None if inputs == KERNELS else brought)
    assert values == {key: parameter.default for key, parameter in DECLARED[group, name].items()}


@CHOICES
def test_defaults_are_allowed_and_everything_has_a_meaning(group, name):
    for key, parameter in DECLARED[group, name].items():
        assert parameter.kind.check(key, parameter.default) == parameter.default
        assert parameter.meaning and parameter.kind.describe()
        assert not parameter.single or isinstance(parameter.kind, Numbers)


@pytest.mark.parametrize("group", ["algo", "kernel", "engine"])
def test_there_is_a_file_for_every_choice_and_no_other(group):
    assert {(group, path.stem) for path in (ROOT / "configs" / group).glob("*.yaml")} == {
        choice for choice in DECLARED if choice[0] == group
    }


@pytest.mark.parametrize("name", FAMILIES)
def test_a_family_is_made_of_the_parameters_that_are_declared(name):
    """With the defaults, where the function has some that are no grid."""
    parameters, declared = inspect.signature(FAMILIES[name]).parameters, DECLARED["kernel", name]
    assert set(parameters) == declared.keys() - APPROXIMATION.keys() - UNIT.keys()
    for key, parameter in parameters.items():
        if parameter.default is not parameter.empty:
            assert plain(parameter.default) == declared[key].default
    assert make_family(name, **{key: parameter.default for key, parameter in declared.items()}).name == name


@pytest.mark.parametrize("name", FAMILIES)
def test_the_list_of_a_kernel_has_all_its_parameters(name, capsys):
    assert main(["list", name]) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"{name}: ")
    for key, parameter in DECLARED["kernel", name].items():
        assert all(text in out for text in (key, json.dumps(parameter.default), parameter.kind.describe()))
        assert parameter.meaning in out


@pytest.mark.parametrize("estimator", PLAIN, ids=lambda estimator: estimator.__name__)
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
