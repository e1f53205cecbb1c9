"""What is installed: every directory of modules and of configurations is listed in pyproject.toml."""

import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def directories(top, suffix):
    """Names of the packages below a directory that have files of their own with an ending."""
    found = {path.parent for path in (ROOT / top).rglob(f"*{suffix}")}
    return {".".join(path.relative_to(ROOT).parts) for path in found}


def test_every_package_is_listed():
    listed = set(tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"])
    configs = {f"kernlearn.{name}" for name in directories("configs", ".yaml")}
    assert directories("kernlearn", ".py") | configs <= listed
    for name in listed:
        path = ROOT / name.replace("kernlearn.configs", "configs").replace(".", "/")
        assert path.is_dir(), f"{name} is listed in pyproject.toml and not there"
