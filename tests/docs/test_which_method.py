"""The page that tells methods apart has every method of the registry, and what the registry says of it."""

import runpy
import sys
import xml.etree.ElementTree as ET

from kernlearn.algorithms import ALGORITHMS
from tests.docs.pages import ROOT

WRITER = runpy.run_path(str(ROOT / "scripts" / "tools" / "write_methods.py"))


def test_the_tables_and_the_chart_are_those_of_the_registry(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["write_methods.py", "--check"])
    assert WRITER["main"]() == 0, capsys.readouterr().out + "run python scripts/tools/write_methods.py"


def test_every_method_is_in_a_table_and_no_size_is_of_another():
    page = WRITER["which_method"]()
    sizes = WRITER["sizes"]((ROOT / "docs" / "speed.md").read_text())
    assert set(sizes) <= set(ALGORITHMS)
    for name, method in ALGORITHMS.items():
        lines = [line for line in page.splitlines() if line.startswith(f"| `{name}` | {method.description} |")]
        assert lines and all(line.endswith(f" {sizes.get(name, 'not measured')} |") for line in lines)


def test_the_source_of_every_method_is_named_there_or_in_its_file():
    part = (ROOT / "docs" / "which_method.md").read_text().partition("## Where the methods come from")[2]
    for name, method in ALGORITHMS.items():
        assert part.count(f"`{name}`") == 1 or "Source:" in (sys.modules[method.path.__module__].__doc__ or ""), name


def test_the_readme_says_how_many_gaps_are_recomputed():
    own = [method for method in ALGORITHMS.values() if method.is_own]
    recomputed = sum(method.certificate is not None for method in own)
    readme = " ".join((ROOT / "README.md").read_text().split())
    assert "For nearly half of the methods, kernlearn recomputes the gap" in readme
    assert 0.4 < recomputed / len(own) < 0.5


def test_the_chart_is_an_svg():
    root = ET.fromstring((ROOT / "docs" / "images" / "which_method.svg").read_text())
    assert root.tag.endswith("svg") and root.get("aria-label")
