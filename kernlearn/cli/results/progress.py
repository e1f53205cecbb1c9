"""The sweeps of a results directory and the cells at work, as ``status`` and ``watch`` show them."""

from collections.abc import Sequence
from pathlib import Path

from kernlearn.errors import UserError, closest
from kernlearn.runner.plan.sweeps import AtWork, Sweep, at_work, registered
from kernlearn.runner.store.notes import running


def sweep_names(results: Path) -> list[str]:
    """Return the names of all sweeps, for completion."""
    return [sweep.name for sweep in registered(results)]


def chosen_sweeps(results: Path, name: str | None) -> list[Sweep]:
    """Return the sweep with a name, or all of them.

    Raises `UserError` if there is no such sweep, or the results are no directory.
    """
    if results.exists() and not results.is_dir():
        raise UserError(f"{results}: is not a directory; --results-dir DIR names the directory of the results")
    sweeps = registered(results)
    names = [sweep.name for sweep in sweeps]
    if name is None:
        return sweeps
    if not names:
        raise UserError(f"{name}: there are no sweeps in {results}; --results-dir DIR names another directory")
    if name not in names:
        raise UserError(f"{name}: no such sweep in {results}, there are: {', '.join(names)}{closest(name, names)}")
    return [sweep for sweep in sweeps if sweep.name == name]


def other_cells(sweeps: Sequence[Sweep], results: Path) -> list[AtWork]:
    """Return the running cells that belong to no sweep, such as those of ``kernlearn run``."""
    known = {key for sweep in sweeps for key in sweep.labels}
    notes = [note for note in running(results / "shards") if note["key"] not in known]
    return at_work(notes, {note["key"]: str(note.get("label", note["key"])) for note in notes})
