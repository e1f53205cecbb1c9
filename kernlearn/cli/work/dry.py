"""What a dry run says of the time that cells take: what was measured, or what a pilot sees."""

from collections.abc import Mapping, Sequence

from kernlearn.cli.configuration.settings import Settings, require_writable
from kernlearn.report.terminal import say
from kernlearn.runner.cell.cell import Cell
from kernlearn.runner.engines.guard import Work
from kernlearn.runner.engines.pilot import PILOT_SECONDS, pilot
from kernlearn.runner.engines.timing import counted, forecast, kind_of, measured
from kernlearn.runner.plan.capacity import processes


def tell_time(cells: Sequence[Cell], settings: Settings, of_cell: Work, labels: Mapping[str, str]) -> None:
    """Say how long missing cells take, by finished ones; for ``--dry-run=pilot`` solve one of them before.

    The pilot is the first cell of which nothing is known, or else the first; if it is finished its shard is kept.

    Raises
    ------
    Stopped
        If the pilot is interrupted: nothing is kept of it.
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
        say(f"time       nothing is known of {counted(unknown, 'cell')}{advice * (settings.dry_run != 'pilot')}")
