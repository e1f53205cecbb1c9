"""Facts about the progress of sweeps."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:  # verbs that have such facts import these
    from kernlearn.runner.plan.sweeps import AtWork, State, Sweep


class RunningCell(TypedDict):
    """A cell that a process is computing."""

    cell: str
    #: The machine.
    host: str
    #: Since it began.
    seconds: float
    #: Seconds since the last sign of life of the process.
    silent: float
    #: The current grid point, from 1, or null.
    point: int | None
    #: The number of grid points, or null.
    of: int | None
    #: The relative gap reached at this grid point, or null.
    gap: float | None


class SweepCells(TypedDict):
    """Numbers of cells."""

    total: int
    done: int
    running: int
    #: Of the running ones, those without a sign of life for 5 minutes.
    silent: int
    failed: int
    missing: int


class GroupCells(TypedDict):
    """Numbers of cells of one data set and algorithm."""

    done: int
    failed: int
    #: Running cells are among them.
    missing: int


class FailedCell(TypedDict):
    """A cell that failed."""

    cell: str
    error: str


class SweepProgress(TypedDict):
    """The progress of a sweep."""

    name: str
    #: The command that started it, and that continues it.
    command: str
    cells: SweepCells
    #: The estimated time to the end; null without an estimate.
    seconds_left: float | None
    #: The running cells, longest running first.
    running: list[RunningCell]
    #: The last cells that failed, the latest first.
    failures: list[FailedCell]
    #: Numbers of cells by data set and algorithm.
    groups: dict[str, GroupCells]


class ProgressFacts(TypedDict):
    """The progress of sweeps and runs."""

    #: The results directory.
    results: str
    #: One sweep, or all of them, the latest last.
    sweeps: list[SweepProgress]
    #: Running cells that belong to no sweep, such as those of kernlearn run, if all sweeps are shown.
    others: list[RunningCell]


def running_facts(cells: "Sequence[AtWork]") -> list[RunningCell]:
    """Return running cells."""
    return [
        {
            "cell": one.label,
            "host": one.host,
            "seconds": one.seconds,
            "silent": one.silent,
            "point": one.point,
            "of": one.of,
            "gap": one.gap,
        }
        for one in cells
    ]


def progress_facts(sweep: "Sweep", now: "State", seconds_left: float | None) -> SweepProgress:
    """Return the progress of a sweep."""
    return {
        "name": sweep.name,
        "command": sweep.command,
        "cells": {
            "total": len(sweep.labels),
            "done": now.done,
            "running": now.running,
            "silent": now.silent,
            "failed": now.failed,
            "missing": now.missing,
        },
        "seconds_left": seconds_left,
        "running": running_facts(now.at_work),
        "failures": [{"cell": one.label, "error": one.error} for one in now.failures],
        "groups": {
            name: {"done": counts["ok"], "failed": counts["failed"], "missing": counts["missing"]}
            for name, counts in now.by_group.items()
        },
    }
