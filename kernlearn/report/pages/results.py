"""Pages of the results that a command names."""

from pathlib import Path
from typing import Any

from kernlearn.papers import figure_names
from kernlearn.report.pages.figures import drawing_of, figure_part
from kernlearn.report.pages.made import read_record
from kernlearn.report.pages.page import Part, render
from kernlearn.report.pages.runs import run_part
from kernlearn.report.pages.tables import table_part
from kernlearn.report.reproduction import Reproduced, reproduced
from kernlearn.report.targets import Target


class Kept:
    """The results of papers in a results directory; the measurements of each table are read once."""

    def __init__(self, results: Path):
        self.results = results
        self._tables: dict[str, Reproduced] = {}

    def table(self, name: str, results: Path | None = None) -> Reproduced:
        """Return a reproduced table; the directory is that of this object, whatever is said."""
        if name not in self._tables:
            self._tables[name] = reproduced(name, self.results)
        return self._tables[name]

    def record(self, name: str) -> dict[str, Any]:
        """Return the provenance of a table or figure."""
        return read_record(self.results / f"{name}.provenance.json")

    def part(self, name: str, *, whole: bool = True, address: str = "") -> Part:
        """Return the part of a page that shows a table or figure.

        Parameters
        ----------
        name : str
        whole : bool
            Whether it says what made each number, and lists points.
        address : str
            Of the page that does, if this one does not.
        """
        record = self.record(name)
        if name in figure_names():
            return figure_part(name, self.results, record, whole=whole)
        kept = self.table(name)
        drawing = drawing_of(self.results / f"{name}.svg", name.replace("/", "-"), kept.table.title)
        return table_part(kept, record, drawing, made=whole, address=address)


def part_of(target: Target, kept: Kept) -> Part:
    """Return the part of a page that shows a result."""
    if target.kind == "run":
        return run_part(target)
    return kept.part(target.name)


def page_of(targets: list[Target], results: Path) -> bytes:
    """Return one page of some results.

    Raises `UserError` if files of a result are damaged, or the page would be too large.
    """
    kept = Kept(results)
    parts = [part_of(target, kept) for target in targets]
    title = parts[0].title if len(parts) == 1 else f"{len(parts)} results"
    return render(title, parts)
