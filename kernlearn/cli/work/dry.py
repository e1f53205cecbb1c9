"""Time estimates of a dry run, from finished cells or from a pilot."""

from collections.abc import Mapping, Sequence

from kernlearn.cli.configuration.settings import Settings, require_writable
from kernlearn.report.terminal import say
from kernlearn.runner.cell.cell import Cell
from kernlearn.runner.engines.guard import CellFunction
from kernlearn.runner.engines.pilot import PILOT_SECONDS, pilot
from kernlearn.runner.engines.timing import counted, forecast, kind_of, measured
from kernlearn.runner.plan.capacity import processes


def tell_time(cells: Sequence[Cell], settings: Settings, of_cell: CellFunction, labels: Mapping[str, str]) -> None:
    """Print the estimated time of missing cells, from finished ones; ``--dry-run=pilot`` solves one of them first.

    The pilot is the first cell without an estimate, or else the first one. If it finishes, its shard is stored.

    Raises `Stopped` if the pilot is interrupted. Nothing of it is stored.
    """
    known = measured(settings.store, cells)
    if settings.dry_run == "pilot" and cells:
        first = next((cell for cell in cells if kind_of(cell) not in known), cells[0])
        shard, seen = pilot(first, of_cell, settings.engine)
        say(f"pilot      {labels[first.key]}: {seen}")
        seconds = known.setdefault(kind_of(first), [])
        if shard["status"] == "ok":
            require_writable(settings.results)
            settings.store.write(first.key, shard)
            seconds.append(shard["made"]["seconds"])
            cells = [cell for cell in cells if cell is not first]
    if words := forecast(cells, known, processes(settings.engine, len(cells))):
        say(f"time       {words}")
    if unknown := sum(kind_of(cell) not in known for cell in cells):
        advice = f"; --dry-run=pilot solves one of them, for at most {PILOT_SECONDS:.0f} s"
        say(f"time       no estimate for {counted(unknown, 'cell')}{advice * (settings.dry_run != 'pilot')}")
