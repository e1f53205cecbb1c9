"""The provenance that every shard stores with its rows: code, packages, machine, time and memory."""

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
#: The paths of a checkout on which numbers depend. Changes of tables and texts elsewhere do not matter.
SOURCES = ("kernlearn", "pyproject.toml")


class Effort:
    """Measures the time and memory of a computation from its creation."""

    def __init__(self) -> None:
        self._start, self._cpu, self._alone = perf_counter(), process_time(), reset_peak()

    def made(self, source: Source | None = None) -> Made:
        """Return the provenance of a result, with its source if known, and the time and memory used so far."""
        most = peak()
        record = made(
            seconds=perf_counter() - self._start,
            cpu_seconds=process_time() - self._cpu,
            peak_mb=None if most is None else most / MB,
            peak_of="cell" if self._alone else "process",
        )
        return {**record, "source": source} if source else record


def made(
    seconds: float = 0.0, cpu_seconds: float = 0.0, peak_mb: float | None = None, peak_of: str = "process"
) -> Made:
    """Return the provenance of a result, with the time and memory that it took.

    Parameters
    ----------
    peak_mb : float, optional
        The peak memory of the process; None if the system does not report it.
    peak_of : {"cell", "process"}
        Whether the peak is that of the computation or, if it cannot be reset, of the whole process.
    """
    took = {"seconds": seconds, "cpu_seconds": cpu_seconds, "peak_mb": peak_mb, "peak_of": peak_of}
    return cast(Made, {**environment(), "when": now(), **took})


@cache
def environment() -> dict[str, Any]:
    """Return code, packages and machine of this process, as they were at the first call."""
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
        # the package may be installed inside another checkout
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
