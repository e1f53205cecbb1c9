"""Who computes, and what it takes: code, packages, machine, time and memory, which every shard keeps with its rows."""

import os
import platform
import subprocess
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, cast

from kernlearn import __version__
from kernlearn.memory import MB, peak, reset_peak
from kernlearn.plugins import plugins
from kernlearn.runner.store.records import Made, Source

PACKAGES = ("numpy", "scipy", "numba", "highspy", "scikit-learn", "joblib", "threadpoolctl", "hydra-core")
#: What numbers depend on in a checkout: a table that is written there, or a text, makes no number doubtful.
SOURCES = ("kernlearn", "pyproject.toml")


class Effort:
    """What a computation takes from here on."""

    def __init__(self) -> None:
        self._start, self._cpu, self._alone = perf_counter(), process_time(), reset_peak()

    def made(self, source: Source | None = None) -> Made:
        """Return who has made a result just now, by which source if that is known, and what it took until now."""
        most = peak()
        found = made(
            seconds=perf_counter() - self._start,
            cpu_seconds=process_time() - self._cpu,
            peak_mb=None if most is None else most / MB,
            peak_of="cell" if self._alone else "process",
        )
        return {**found, "source": source} if source else found


def made(
    seconds: float = 0.0, cpu_seconds: float = 0.0, peak_mb: float | None = None, peak_of: str = "process"
) -> Made:
    """Return who has made a result just now, with what it took.

    Parameters
    ----------
    seconds, cpu_seconds : float
    peak_mb : float, optional
        The most memory that the process had at once; None where the system does not tell.
    peak_of : {"cell", "process"}
        Whether that is of the computation or, where a peak cannot begin anew, of all the process has ever done.
    """
    took = {"seconds": seconds, "cpu_seconds": cpu_seconds, "peak_mb": peak_mb, "peak_of": peak_of}
    return cast(Made, {**maker(), "when": now(), **took})


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
