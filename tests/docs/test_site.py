"""What the build of the site takes for granted; the build itself is a step of ``.ci/run``."""

import importlib.util
import sys

import pytest

from kernlearn import estimators
from kernlearn.algorithms import ALGORITHMS
from kernlearn.cli.main import main
from tests.docs.pages import ROOT

EXTENSION = ROOT / "docs" / "_ext"


def module(name):
    """Import a module of the site, which is no package."""
    spec = importlib.util.spec_from_file_location(f"site_{name}", EXTENSION / f"{name}.py")
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


RECIPES = module("recipes")


def test_every_estimator_says_which_methods_it_is():
    assert sorted(RECIPES.ESTIMATORS) == sorted(estimators.__all__)
    named = {name for methods in RECIPES.ESTIMATORS.values() for name in methods}
    assert named <= set(ALGORITHMS)


@pytest.mark.sampled(10)
@pytest.mark.parametrize("name", sorted(set(ALGORITHMS) - RECIPES.WITHOUT_RUN))
def test_the_run_of_a_page_is_a_valid_command(name, tmp_path, monkeypatch, capsys):
    module("sentences").write(tmp_path / "sentences.txt")
    monkeypatch.chdir(tmp_path)
    assert main(["run", *RECIPES.words(ALGORITHMS[name]), "--dry-run"]) == 0
    assert f"algo={name}" in RECIPES.words(ALGORITHMS[name])


def test_signs_of_mathematics_are_no_markup(monkeypatch):
    monkeypatch.syspath_prepend(EXTENSION)
    pytest.importorskip("matplotlib")
    as_rst = module("pages").as_rst
    assert as_rst("|x| and coef_ of ``|y|`` a*b::\n\n    |z|*2\n\n* item") == (
        "\\|x\\| and coef\\_ of ``|y|`` a\\*b::\n\n    |z|*2\n\n* item"
    )
    assert as_rst("*So it is.* Not a*b.") == "*So it is.* Not a\\*b."
    assert "recipes" in sys.modules
