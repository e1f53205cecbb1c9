"""The provenance of a table: who computed its cells, when and on which data, and who collected them.

The first part is read from the shards, so it does not change when tables are written again.
"""

import json
import shlex
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from kernlearn.atomic import write_atomically
from kernlearn.datasets import Dataset
from kernlearn.datasets.sets.catalogue import CATALOGUE
from kernlearn.runner.provenance.made import environment, now
from kernlearn.runner.provenance.sources import differs
from kernlearn.runner.store.files import read_json
from kernlearn.runner.store.records import (
    About,
    Collected,
    Computed,
    Described,
    Made,
    Makers,
    Options,
    Provenance,
    Source,
)

PACKAGE = Path(__file__).resolve().parents[2]
#: Characters with a meaning for shells, without brackets.
SPECIAL = frozenset("\"'\\`$&|;<>(){}*?!#~")
#: Keys that `write_provenance` ignores, since they differ each time the same cells are collected.
OF_THE_MOMENT = ("when", "wall_seconds")
#: Words of a command that only change what it prints.
PRINTING = ("--json", "--progress=json", "--debug")


class Computation:
    """The provenance of the shards of some tables, added up as they are read.

    Parameters
    ----------
    kept : mapping, optional
        A record to which the shards are added.
    """

    def __init__(self, kept: Makers | None = None):
        self._makers: dict[str, Computed] = {}
        self._took: dict[str, dict[str, float]] = {}
        self._other: dict[str, int] = {}
        if kept:
            self._makers = {_who(one["code"], one["packages"], one["machine"]): one for one in kept["computed"]}
            for name, seconds in kept["cell_seconds"].items():
                cpu_seconds, peak_mb = kept["cell_cpu_seconds"][name], kept["cell_peak_mb"][name]
                self._took[name] = {"seconds": seconds, "cpu_seconds": cpu_seconds, "peak_mb": peak_mb}
            self._other = dict(kept.get("other_source", {}))

    def add(self, name: str, made: Made, now: Source | None = None) -> None:
        """Count one cell.

        Parameters
        ----------
        name : str
            The name under which seconds are added up and the largest peak is recorded, such as data set and algorithm.
        made : mapping
            From `kernlearn.runner.provenance.made.made`.
        now : mapping, optional
            The source that would compute it now.
        """
        if now and differs(made.get("source"), now):
            self._other[name] = self._other.get(name, 0) + 1
        code, packages, machine = made["code"], made["packages"], made["machine"]
        when, seconds = made["when"], made["seconds"]
        who = _who(code, packages, machine)
        known = Computed(code=code, packages=packages, machine=machine, cells=0, seconds=0.0, first=when, last=when)
        entry = self._makers.setdefault(who, known)
        entry["cells"] += 1
        entry["seconds"] += seconds
        entry["first"], entry["last"] = min(entry["first"], when), max(entry["last"], when)
        took = self._took.setdefault(name, {"seconds": 0.0, "cpu_seconds": 0.0, "peak_mb": 0.0})
        took["seconds"] += seconds
        took["cpu_seconds"] += made["cpu_seconds"]
        took["peak_mb"] = max(took["peak_mb"], made["peak_mb"] or 0.0)

    def record(self) -> Makers:
        """Return the different environments, earliest first, with their numbers of cells, and the cost by name.

        The cost has the total seconds and CPU seconds, and the largest peak memory of a process. If cells were computed
        by a source other than the present one, their number by name is included.
        """
        makers = sorted(self._makers.values(), key=lambda entry: (entry["first"], json.dumps(entry, sort_keys=True)))
        environments: Makers = {
            "computed": [{**entry, "seconds": round(entry["seconds"], 3)} for entry in makers],
            "cell_seconds": self._rounded("seconds", 3),
            "cell_cpu_seconds": self._rounded("cpu_seconds", 3),
            "cell_peak_mb": self._rounded("peak_mb", 1),
        }
        return {**environments, "other_source": self._other} if self._other else environments

    def _rounded(self, what: str, digits: int) -> dict[str, float]:
        return {name: round(took[what], digits) for name, took in self._took.items()}


def provenance(
    datasets: Sequence[Dataset], computation: Computation, wall_seconds: float, engine: Options | None = None
) -> Provenance:
    """Return the full provenance of tables. It is stored in a separate file."""
    different = {(data.name, data.digest): data for data in datasets}
    who = environment()
    collected: Collected = {
        "command": " ".join(
            [*_program(Path(sys.argv[0])), *(shell_word(word) for word in sys.argv[1:] if word not in PRINTING)]
        ),
        "code": who["code"],
        "packages": who["packages"],
        "when": now(),
        "wall_seconds": round(wall_seconds, 3),
    }
    if engine:
        collected["engine"] = dict(engine)
    data = [described(dataset) for dataset in different.values()]
    return {"data": data, **computation.record(), "collected": collected}


def shell_word(word: str) -> str:
    """Return a word of a command as a shell takes it; brackets of lists are left as they are."""
    return shlex.quote(word) if not word or any(c.isspace() or c in SPECIAL for c in word) else word


def _program(called: Path) -> list[str]:
    """Return the words that start this program: Python and a script, or the command, also for ``python -m``."""
    if called.suffix != ".py":
        return [called.name]
    if PACKAGE in called.resolve().parents:
        return ["kernlearn"]
    parts = called.parts
    first = parts.index("scripts") if "scripts" in parts else len(parts) - 2  # without directories of this machine
    return ["python", "/".join(parts[first:])]


def write_provenance(path: Path, record: Provenance, about: About | None = None) -> None:
    """Write a record from `provenance`, after its subject, unless the file has the same record from an earlier time."""
    content = json.loads(json.dumps({**(about or {}), **record}))
    try:
        if _lasting(read_json(path)) == _lasting(content):
            return
    except (OSError, ValueError, LookupError, TypeError, AttributeError):  # no file, or one of another format
        pass
    write_atomically(path, (json.dumps(content, indent=1) + "\n").encode())


def warning(record: Provenance) -> str:
    """Return the warning of a record for the head of a report, or an empty text."""
    return "; ".join(filter(None, (uncommitted(record), other_source(record.get("other_source", {})))))


def other_source(cells: Mapping[str, int]) -> str:
    """Return a note on cells that another source has computed, given their numbers by name."""
    if not cells:
        return ""
    total, names = sum(cells.values()), ", ".join(cells)
    who = "1 cell was" if total == 1 else f"{total} cells were"
    again = "it" if total == 1 else "them"
    return f"{who} computed by other source of the same version ({names}): --force computes {again} again"


def uncommitted(record: Provenance) -> str:
    """Return a warning if the code of a record is not committed, or an empty text."""
    cells = sum(entry["cells"] for entry in record["computed"] if entry["code"]["dirty"])
    if cells:
        total = sum(entry["cells"] for entry in record["computed"])
        return f"UNCOMMITTED CHANGES: {cells} of {total} cells were computed by code that is in no commit"
    return "UNCOMMITTED CHANGES: collected by code that is in no commit" if record["collected"]["code"]["dirty"] else ""


def _who(*what: Any) -> str:
    return json.dumps(what, sort_keys=True)


def described(data: Dataset) -> Described:
    """Return what a record says of data."""
    return {
        "name": data.name,
        "source": origin_of(data),
        "sha256": data.digest,
        "examples": int(data.X.shape[0]),
        "features": int(data.X.shape[1]),
        "classes": list(data.classes),
    }


def _lasting(record: Mapping[str, Any]) -> Mapping[str, Any]:
    collected = {key: value for key, value in record["collected"].items() if key not in OF_THE_MOMENT}
    return {**record, "collected": collected}


def origin_of(data: Dataset) -> str:
    """Return the origin of data in a form that is the same on all machines."""
    if data.name in CATALOGUE and CATALOGUE[data.name].home == "file":
        return "original file"
    return data.source
