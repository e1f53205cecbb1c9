"""Who computes: the code, the packages and the machine of this process, which every shard keeps with its rows."""

import os
import platform
import subprocess
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from kernlearn import __version__
from kernlearn.plugins import plugins

PACKAGES = ("numpy", "scipy", "numba", "highspy", "scikit-learn", "joblib", "threadpoolctl", "hydra-core")
#: What numbers depend on in a checkout: a table that is written there, or a text, makes no number doubtful.
SOURCES = ("kernlearn", "pyproject.toml")


def made(seconds: float) -> dict[str, Any]:
    """Return who has made a result just now, and in how many seconds."""
    return {**maker(), "when": now(), "seconds": seconds}


@cache
def maker() -> dict[str, Any]:
    """Return code, packages and machine of this process, as they were when it was first asked."""
    names = [*PACKAGES, *(plugin.package for plugin in plugins())]
    return {
        "code": {"kernlearn": __version__, **_commit()},
        "packages": {"python": platform.python_version(), **{name: _version(name) for name in names}},
        "machine": {
            "host": platform.node(),
            "system": platform.platform(),
            "processor": _processor(),
            "cores": os.cpu_count(),
            "threads_per_cell": 1,
        },
    }


def now() -> str:
    """Return the time in UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _commit() -> dict[str, Any]:
    """Return the commit of a checkout and whether its `SOURCES` have changes; None for an installed package."""
    here = Path(__file__).resolve().parent
    try:
        # not a package installed inside another checkout
        _git(here, "ls-files", "--error-unmatch", Path(__file__).name)
        commit = _git(here, "rev-parse", "HEAD")
        changes = _git(here, "status", "--porcelain", "--", *(f":/{source}" for source in SOURCES))
    except (OSError, subprocess.SubprocessError):
        return {"commit": None, "dirty": None}
    return {"commit": commit, "dirty": bool(changes)}


def _git(directory: Path, *arguments: str) -> str:
    result = subprocess.run(["git", *arguments], cwd=directory, capture_output=True, text=True, timeout=10, check=True)
    return result.stdout.strip()


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor()
