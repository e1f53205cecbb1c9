"""Packages of others add to the registries, in every process."""

import csv
import os
import subprocess
import sys
from pathlib import Path

import pytest

import kernlearn
from kernlearn import plugins
from kernlearn.errors import UserError
from kernlearn.plugins import Registry
from tests.plugin import MODULE, install

WORDS = ["algo=own_svm", "kernel=cauchy", "dataset=rings", "scaling=none"]


def kernlearn_in(directory, *words):
    """Run the command with what is installed in ``directory/site``; return code, output and error."""
    paths = [str(directory / "site"), str(Path(kernlearn.__file__).parents[1])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    command = [sys.executable, "-m", "kernlearn.cli.main", *words]
    done = subprocess.run(command, cwd=directory, env=environment, capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.slow
def test_what_a_package_adds_is_known_to_worker_processes_and_its_version_is_in_the_provenance(tmp_path):
    install(tmp_path / "site")
    code, output, error = kernlearn_in(tmp_path, "run", *WORDS, "kernel.widths=[2]", "engine.jobs=2")
    assert (code, error) == (0, "")
    assert "rings: 60 x 2" in output and "5, 0 already done" in output and "kernels    cauchy widths=[2.0]" in output
    (summary,) = tmp_path.glob("results/runs/rings-own_svm-*/summary.csv")
    errors = [float(row["mean"]) for row in csv.DictReader(summary.open()) if row["metric"] == "error_pct"]
    assert errors and max(errors) < 10.0
    assert '"kernlearn_rings": "1.2"' in summary.with_name("provenance.json").read_text()


@pytest.mark.slow
def test_a_sweep_and_the_lists_have_it_too(tmp_path):
    install(tmp_path / "site")
    code, output, error = kernlearn_in(tmp_path, "sweep", *WORDS[:-1], "scaling=none,unit", "--dry-run")
    assert (code, error) == (0, "") and "10" in output
    listed = kernlearn_in(tmp_path, "list")[1]
    assert "an SVM of one's own" in listed and "Cauchy kernels" in listed  # what their files do not say
    for words in (["list"], ["run", "--help"]):
        code, output, _ = kernlearn_in(tmp_path, *words)
        assert code == 0 and all(name in output for name in ("own_svm", "cauchy", "rings"))


@pytest.mark.slow
def test_where_a_package_failed_is_told(tmp_path):
    lines = MODULE + "\n\ndef path(problem, **_):\n    return iter(np.linalg.solve(np.zeros((2, 2)), [1, 1]))\n"
    fails = lines + '\nALGORITHMS["own_svm"] = Method("own_svm", "it fails", "none", {}, l2_svm.METHOD.grid, path)\n'
    install(tmp_path / "site", fails.replace("{}, l2", "l2_svm.PARAMETERS, l2"))
    code, output, _ = kernlearn_in(tmp_path, "run", *WORDS, "engine.jobs=1")
    where = f"in path ({tmp_path}/site/kernlearn_rings/__init__.py:{lines.count(chr(10))}); traceback in results/shards"
    assert code == 1 and output.count(f"failed: LinAlgError: Singular matrix, {where}") == 5


@pytest.mark.slow
@pytest.mark.parametrize(
    ("module", "message"),
    [
        (
            "import nowhere",
            "plug-in rings cannot be imported: ModuleNotFoundError",
        ),
        (MODULE.replace('"own_svm": Method', '"vkr": Method'), "gives ALGORITHMS a second 'vkr'"),
        (MODULE.replace('/ "configs"', '/ "settings"'), "has no directory"),
    ],
)
def test_a_broken_package_is_told_in_one_line(tmp_path, module, message):
    install(tmp_path / "site", module)
    code, output, error = kernlearn_in(tmp_path, "run", "dataset=ionosphere", "--dry-run")
    assert code == 2 and message in error and error.count("\n") == 1
    assert kernlearn_in(tmp_path, "--help")[0] == 0


@pytest.mark.slow
def test_a_method_without_a_configuration_file_is_told(tmp_path):
    install(tmp_path / "site", MODULE + '\nALGORITHMS["bare"] = ALGORITHMS["own_svm"]\n')
    code, _, error = kernlearn_in(tmp_path, "run", "algo=bare", "dataset=ionosphere", "--dry-run")
    assert code == 2 and "algo=bare: is in the plug-in rings, but its CONFIGS has no file algo/bare.yaml" in error


def test_registries_are_dictionaries(monkeypatch):
    monkeypatch.setattr(plugins, "_plugins", [])
    registry = Registry("THINGS", {"b": 2, "a": 1})
    registry["c"] = 3
    assert list(registry) == ["b", "a", "c"] and dict(registry) == {"b": 2, "a": 1, "c": 3} and "d" not in registry
    del registry["a"]
    assert len(registry) == 2 and registry.get("a") is None
    with pytest.raises(KeyError):
        registry["a"]


def test_plugins_are_asked_once_and_may_look_into_the_registries(tmp_path, monkeypatch):
    looks = MODULE + "\nfrom kernlearn import algorithms\nSEEN = sorted(algorithms.ALGORITHMS)\n"
    monkeypatch.syspath_prepend(install(tmp_path, looks, "kernlearn_looks"))
    monkeypatch.setattr(plugins, "_plugins", None)
    (plugin,) = plugins.plugins()
    assert "vkr" in plugin.module.SEEN and plugins.plugins()[0] is plugin
    registry = Registry("FAMILIES", {})
    assert list(registry) == ["cauchy"]
    with pytest.raises(UserError, match="second 'cauchy'"):
        len(Registry("FAMILIES", {"cauchy": None}))


def test_what_is_listed_is_what_the_registries_say():
    """Lists read the configuration files, which takes no import of the algorithms."""
    from kernlearn.algorithms import ALGORITHMS
    from kernlearn.datasets import CATALOGUE
    from kernlearn.datasets.loading import STAND_INS
    from kernlearn.evaluation import PROTOCOLS
    from kernlearn.kernels import FAMILIES
    from kernlearn.parameters import headline

    for group, known in {
        "algo": {name: method.description for name, method in ALGORITHMS.items()},
        "kernel": {name: headline(family) for name, family in FAMILIES.items()},
        "dataset": {name: entry.description for name, entry in CATALOGUE.items()},
        "protocol": {name: protocol.description for name, protocol in PROTOCOLS.items()},
    }.items():
        listed = dict(plugins.described(group))
        if group == "dataset":
            assert all("your own" in listed.pop(name) for name in STAND_INS)
        assert listed == known
