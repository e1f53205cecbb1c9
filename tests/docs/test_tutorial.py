"""The tutorial of a plug-in: its files are written, its commands run."""

import os
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import kernlearn
from tests.docs.pages import ROOT, blocks

TUTORIAL = blocks(ROOT / "docs" / "extend.md")
COMMANDS = [line for block in TUTORIAL if block.language == "console" for line in block.text.splitlines()]


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """Write all files of the tutorial, and the metadata that pip would write."""
    directory = tmp_path_factory.mktemp("tutorial")
    for block in TUTORIAL:
        if block.file:
            target = directory / block.file
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(block.content)
    project = tomllib.loads((directory / "pyproject.toml").read_text())["project"]
    metadata = directory / f"{project['name']}-{project['version']}.dist-info"
    metadata.mkdir()
    lines = [f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"]
    (metadata / "METADATA").write_text("".join(lines))
    points = [
        f"[{group}]\n" + "".join(f"{name} = {module}\n" for name, module in entries.items())
        for group, entries in project["entry-points"].items()
    ]
    (metadata / "entry_points.txt").write_text("".join(points))
    return directory


def run(command, directory):
    """Run a command of the tutorial in its directory; return its output."""
    words = shlex.split(command)
    assert words[0] == "kernlearn"
    paths = [str(directory), str(Path(kernlearn.__file__).parents[1])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    done = subprocess.run(
        [sys.executable, "-m", "kernlearn.cli.main", *words[1:]],
        cwd=directory,
        env=environment,
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_tutorial_has_files_and_commands():
    assert len([block for block in TUTORIAL if block.file]) >= 12
    assert [shlex.split(line)[0] for line in COMMANDS].count("kernlearn") == 3


@pytest.mark.slow
@pytest.mark.parametrize("command", [line for line in COMMANDS if not line.startswith("pip ")])
def test_a_command_runs(package, command):
    output = run(command, package)
    if "square_svm" in command:
        assert "largest relative gap" in output and "algorithm  square_svm" in output
        assert "as reported by the method" not in output and "not proved optimal" not in output
    if "reproduce" in command:
        assert "holds: least squares errs on less than a tenth" in output
        assert (package / "results" / "mine2026" / "table1.md").is_file()
