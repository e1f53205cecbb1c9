"""The examples of the gallery: each runs by itself, and the site shows all of them."""

import ast
import os
import subprocess
import sys

import pytest

from tests.docs.pages import ROOT

EXAMPLES = sorted((ROOT / "docs" / "gallery").glob("plot_*.py"))
LISTED = next(
    ast.literal_eval(node.value)
    for node in ast.parse((ROOT / "docs" / "conf.py").read_text()).body
    if isinstance(node, ast.Assign) and node.targets[0].id == "EXAMPLES"
)


def test_the_order_of_the_site_has_all_of_them():
    assert len(EXAMPLES) >= 12
    assert sorted(LISTED) == [example.stem for example in EXAMPLES]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.stem)
def test_an_example_has_a_title_and_draws(example):
    text = example.read_text()
    title, line, *_ = ast.get_docstring(ast.parse(text)).splitlines()
    assert len(line) == len(title) and set(line) == {"="}
    assert "plt.subplots" in text


@pytest.mark.slow
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.stem)
def test_an_example_runs_and_says_something(example, tmp_path):
    pytest.importorskip("matplotlib")
    environment = {**os.environ, "MPLBACKEND": "agg", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, str(example)]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0 and done.stdout and "Warning" not in done.stderr, done.stderr
