"""The errors of experiments: what failed or is missing, where in a plug-in, and where the traceback is."""

import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from kernlearn.cli.facts.cells import CellFailure, Trouble
from kernlearn.errors import PartFailed, one_line
from kernlearn.plugins import plugins
from kernlearn.report.terminal import say, say_note, shown_path
from kernlearn.runner.provenance.record import Computation, uncommitted
from kernlearn.runner.store.records import Provenance, Shard
from kernlearn.runner.store.store import Store

log = logging.getLogger(__name__)

#: Maximum number of errors that are shown.
SHOWN = 60
#: So many data sets that are not available for one reason are named.
NAMED = 3
FRAME = re.compile(r'^  File "(.+)", line (\d+), in (.+)$', re.MULTILINE)


class Failed(NamedTuple):
    """A failed cell; as a text it is one line."""

    cell: str
    error: str
    #: The function, file and line, if it is code of a plug-in.
    where: str
    #: The file with the traceback, if it has one.
    traceback: Path | None

    def __str__(self) -> str:
        kept = f"; traceback in {shown_path(self.traceback)}" if self.traceback else ""
        return f"{self.cell} failed: {self.error}{f', in {self.where}' if self.where else ''}{kept}"


@dataclass(frozen=True)
class Account:
    """The provenance and the errors of experiments, gathered while they are collected."""

    #: The environments that computed them.
    computation: Computation = field(default_factory=Computation)
    #: The failed cells.
    failed: list[Failed] = field(default_factory=list)
    #: The keys of the missing cells.
    missing: list[str] = field(default_factory=list)
    #: The error of each experiment that could not be collected, by its title.
    troubles: dict[str, Exception] = field(default_factory=dict)


def failed(what: str, key: str, shard: Shard, store: Store) -> Failed:
    """Return the failure of a cell with this shard; its traceback goes to the log, which ``--debug`` shows."""
    trace = shard.get("traceback", "")
    log.debug("%s: %s", what, trace)
    return Failed(what, shard["error"], place_in_plugin(trace), store.path(key, failed=True) if trace else None)


def failures(account: Account) -> list[CellFailure]:
    """Return the failed cells for a JSON document."""
    return [
        {
            "cell": one.cell,
            "error": one.error,
            "where": one.where or None,
            "traceback": str(one.traceback) if one.traceback else None,
        }
        for one in account.failed
    ]


def troubles(account: Account) -> list[Trouble]:
    """Return the errors that are not those of cells, for a JSON document."""
    return [{"part": part, "error": one_line(error)} for part, error in account.troubles.items()]


def failed_again(keys: Sequence[str], store: Store) -> str:
    """Return a warning about cells that have just failed and had succeeded before, or nothing.

    A success counts more than a failure, since two machines may compute the same cell. So their old numbers stay.
    """
    paths = [store.path(key, failed=True) for key in keys if store.path(key).exists()]
    paths = [path for path in paths if path.exists()]
    if not paths:
        return ""
    return f"{len(paths)} cells failed this time; their numbers are earlier ones; traceback in {shown_path(paths[0])}"


def place_in_plugin(trace: str) -> str:
    """Return file, line and function of the innermost frame of a traceback that is code of a plug-in, or nothing."""
    roots = [Path(plugin.module.__file__) for plugin in plugins()]
    roots = [root.parent if root.name == "__init__.py" else root for root in roots]
    for file, line, function in reversed(FRAME.findall(trace)):
        if any(Path(file).is_relative_to(root) for root in roots):
            return f"{function} ({file}:{line})"
    return ""


def tell_absent(absent: Sequence[str]) -> None:
    """Print the data sets that are not available, if there are no tables of others.

    Always raises `PartFailed`.
    """
    for line in together(absent):
        say(line)
    raise PartFailed(_missing_data(absent))


def together(absent: Sequence[str]) -> list[str]:
    """Return the data sets that are not available and why, those of one reason in one line with their number."""
    by_reason = dict[str, list[str]]()
    for name, _, reason in (line.partition(": ") for line in absent):
        by_reason.setdefault(reason, []).append(name)
    lines = []
    for reason, names in by_reason.items():
        more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
        lines.append(f"{', '.join(names[:NAMED])}{more}: {reason}")
    return lines


def _missing_data(absent: Sequence[str]) -> str:
    return f"{len(absent)} data sets are missing"


def conclude(account: Account, record: Provenance, place: Path, absent: Sequence[str] = ()) -> None:
    """Print the errors of the tables and where the tables are.

    Raises `PartFailed` if cells failed or are missing, experiments could not be collected, or data sets are `absent`.
    Each has a line.
    """
    if warning := uncommitted(record):
        say_note(f"{warning}; commit it, then --force computes everything again")
    others = [f"{title}: {one_line(error)}" for title, error in account.troubles.items()]
    lines = [*together(absent), *map(str, account.failed), *others]
    for line in lines[:SHOWN]:
        say(line)
    if len(lines) > SHOWN:
        say(f"and {len(lines) - SHOWN} more")
    say(f"results: {shown_path(place)}")
    problems, remedies = [_missing_data(absent)] if absent else [], list[str]()
    if account.failed:
        problems.append(f"{len(account.failed)} cells failed")
        remedies.append("--retry-failed runs failed cells again")
    if account.missing:
        problems.append(f"{len(account.missing)} cells are missing")
        remedies.append("the same command runs missing cells")
    if others:
        problems.append(f"{len(others)} experiments could not be collected: {others[0]}")
    if problems:
        raise PartFailed("; ".join([" and ".join(problems), *remedies]))
