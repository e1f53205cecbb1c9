"""Where numbers come from: code, versions, data, machine and time."""

import os
import platform
import subprocess
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from kernlearn import __version__
from kernlearn.runner.cells import Plan
from kernlearn.runner.store import Store

PACKAGES = ("numpy", "scipy", "numba", "highspy", "scikit-learn", "joblib", "threadpoolctl", "hydra-core")


def provenance(
    plans: Sequence[Plan],
    store: Store,
    engine: Mapping[str, Any],
    wall_seconds: float,
    seconds: Mapping[str, float] | None = None,
) -> dict[str, Any]:
    """Return all that a reader of the tables may ask about their making; it is kept in a file apart from them.

    The `seconds` of the cells, added up by data set and algorithm, are read from the shards where they are not given.
    """
    if seconds is None:
        sums: dict[str, float] = {}
        for plan in plans:
            name = f"{plan.dataset.name} {plan.label}"
            shards = [store.read(key) for key in plan.keys]
            sums[name] = sums.get(name, 0.0) + sum(shard["seconds"] for shard in shards if shard)
        seconds = sums
    datasets = {plan.dataset.name: plan.dataset for plan in plans}
    return {
        "written": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": " ".join([Path(sys.argv[0]).name, *sys.argv[1:]]),
        "data": [
            {
                "name": data.name,
                "source": data.source if data.source in ("bundled", "generated", "scikit-learn") else "original file",
                "sha256": data.digest,
                "examples": int(data.X.shape[0]),
                "features": int(data.X.shape[1]),
                "classes": list(data.classes),
            }
            for data in datasets.values()
        ],
        "cell_seconds": dict(seconds),
        "engine": dict(engine),
        "wall_seconds": wall_seconds,
        "code": {"kernlearn": __version__, **_commit()},
        "packages": {"python": platform.python_version(), **{name: _version(name) for name in PACKAGES}},
        "machine": {
            "host": platform.node(),
            "system": platform.platform(),
            "processor": _processor(),
            "cores": os.cpu_count(),
            "threads_per_cell": 1,
        },
    }


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _commit() -> dict[str, Any]:
    """Return the commit of a checkout and whether it has changes; nothing for an installed package."""
    here = Path(__file__).resolve().parent
    try:
        _git(
            here, "ls-files", "--error-unmatch", Path(__file__).name
        )  # not a package installed inside another checkout
        commit = _git(here, "rev-parse", "HEAD")
        changes = _git(here, "status", "--porcelain", "--untracked-files=no")
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
