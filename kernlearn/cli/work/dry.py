"""Time estimates of a dry run, from finished cells or from a pilot."""

from collections.abc import Mapping, Sequence
from math import inf
from statistics import fmean
from time import perf_counter

from kernlearn.cli.configuration.settings import Settings, require_writable
from kernlearn.cli.facts.cells import TimeEstimate
from kernlearn.report.terminal import say
from kernlearn.runner.cell.cell import Cell
from kernlearn.runner.engines.guard import CellFunction
from kernlearn.runner.engines.pilot import PILOT_SECONDS, pilot, pilot_store
from kernlearn.runner.engines.timing import counted, forecast, kind_of, measured
from kernlearn.runner.plan.capacity import processes

#: Seconds that are too few for another pilot.
SHORTEST = 2.0
#: Seconds that pilots may take whatever the run would take.
CHEAP = 10.0


def tell_time(
    cells: Sequence[Cell], settings: Settings, of_cell: CellFunction, labels: Mapping[str, str]
) -> TimeEstimate | None:
    """Print the estimated time of missing cells, from finished ones; ``--dry-run=pilot`` solves some of them first.

    The pilots are the first cells of every kind of work without an estimate, as many as there is time for, or else the
    first cell. They end when they have taken as long as the whole run would take, but not before `CHEAP` seconds. The
    shards of those that finish are stored.

    Raises `Stopped` if a pilot is interrupted. Nothing of it is stored.
    """
    known, start = measured(settings.store, cells), perf_counter()
    if settings.dry_run == "pilot" and cells:
        firsts: dict[str, Cell] = {}
        for cell in cells:
            if (kind := kind_of(cell)) not in known:
                firsts.setdefault(kind, cell)
        at_once = processes(settings.engine, len(cells))
        with pilot_store() as store:
            for cell in list(firsts.values()) or cells[:1]:
                spent = perf_counter() - start
                if PILOT_SECONDS - spent < SHORTEST or spent > max(CHEAP, _of_run(cells, known, at_once)):
                    break
                shard, seen = pilot(cell, of_cell, settings.engine, store, PILOT_SECONDS - spent)
                say(f"pilot      {labels[cell.key]}: {seen}")
                seconds = known.setdefault(kind_of(cell), [])
                if shard["status"] == "ok":
                    require_writable(settings.results)
                    settings.store.write(cell.key, shard)
                    seconds.append(shard["made"]["seconds"])
                    cells = [one for one in cells if one is not cell]
    if found := forecast(cells, known, processes(settings.engine, len(cells))):
        say(f"time       {found}")
    if unknown := sum(kind_of(cell) not in known for cell in cells):
        advice = f"; --dry-run=pilot solves some of them, for at most {PILOT_SECONDS:.0f} s"
        say(f"time       no estimate for {counted(unknown, 'cell')}{advice * (settings.dry_run != 'pilot')}")
    if not found:
        return None
    return {
        "seconds": found.seconds,
        "cells": found.cells,
        "unknown": unknown,
        "processes": found.processes or None,
        "measured_cells": found.n_measured,
    }


def _of_run(cells: Sequence[Cell], known: Mapping[str, Sequence[float]], at_once: int) -> float:
    """Return about how long a run of cells would take: those of unknown kinds count as the mean of the others."""
    seconds = [one for values in known.values() for one in values]
    return fmean(seconds) * len(cells) / max(1, at_once) if seconds else inf
