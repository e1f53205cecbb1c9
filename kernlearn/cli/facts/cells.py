"""Facts about the cells of a command."""

from typing import Literal, TypedDict


class CellCounts(TypedDict):
    """Numbers of cells."""

    total: int
    #: Those that were stored before the command.
    stored: int
    #: Those that failed, now or earlier.
    failed: int
    #: Those that are not computed yet, at the end of the command.
    missing: int


class TimeEstimate(TypedDict):
    """The estimated time of missing cells."""

    seconds: float
    #: The number of cells that it is about, and of missing cells without an estimate.
    cells: int
    unknown: int
    #: The number of processes; null if it is not known here.
    processes: int | None
    #: The number of measured cells that it rests on.
    measured_cells: int


class ComputationFacts(TypedDict):
    """The cells of a command."""

    #: "finished" if this command wrote tables, "planned" for a dry run, "submitted" for cells that jobs of a cluster
    #: compute, and "background" for a process that continues.
    state: Literal["finished", "planned", "submitted", "background"]
    cells: CellCounts
    #: The estimated memory of the largest process, in bytes; null if no cell is missing, or nothing is known.
    process_bytes: float | None
    #: Of a dry run; null if nothing is known.
    estimate: TimeEstimate | None


class CellFailure(TypedDict):
    """A cell that failed."""

    cell: str
    error: str
    #: The function, file and line if it is code of a plug-in; else null.
    where: str | None
    #: The file with the traceback, or null.
    traceback: str | None


class Trouble(TypedDict):
    """An error of a part of the results that are not cells: an experiment, claims or a picture."""

    part: str
    error: str
