"""Pages of the results that a command names."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from kernlearn.papers import figure_names, table_names
from kernlearn.papers.core.contents import contents
from kernlearn.report.pages.comparisons import comparison_part
from kernlearn.report.pages.figures import drawing_of, figure_part
from kernlearn.report.pages.made import read_record
from kernlearn.report.pages.models import model_part
from kernlearn.report.pages.page import Part, render
from kernlearn.report.pages.papers import paper_part
from kernlearn.report.pages.runs import run_part
from kernlearn.report.pages.tables import table_part
from kernlearn.report.reproduction import Reproduced, reproduced
from kernlearn.report.scorecard import Line, line_of
from kernlearn.report.targets import Target


class Kept:
    """The results of papers in a results directory; the measurements of each table are read once."""

    def __init__(self, results: Path):
        self.results = results
        self._tables: dict[str, Reproduced] = {}
        self._lines: dict[str, list[Line]] = {}

    def has(self, name: str) -> bool:
        """Return whether there are results of a table or figure."""
        file = f"{name}_partitions.csv" if name in table_names() else f"{name}.csv"
        return (name in table_names() or name in figure_names()) and (self.results / file).is_file()

    def table(self, name: str) -> Reproduced:
        """Return a reproduced table."""
        if name not in self._tables:
            self._tables[name] = reproduced(name, self.results)
        return self._tables[name]

    def lines(self, paper: str) -> list[Line]:
        """Return the scorecard of a paper."""
        if paper not in self._lines:
            entries = contents()[paper]
            self._lines[paper] = [line_of(entry, self.results, lambda name, _: self.table(name)) for entry in entries]
        return self._lines[paper]

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
        record = read_record(self.results / f"{name}.provenance.json")
        if name in figure_names():
            return figure_part(name, self.results, record, whole=whole)
        kept = self.table(name)
        drawing = drawing_of(self.results / f"{name}.svg", name.replace("/", "-"), kept.table.title)
        return table_part(kept, record, drawing, made=whole, address=address)

    def paper(self, paper: str) -> list[Part]:
        """Return the parts of a page that show a paper: its scorecard, then its tables and figures."""
        names = [line.entry.name for line in self.lines(paper)]
        kept = {name: self.has(name) for name in names}
        head = paper_part(paper, self.lines(paper), kept, lambda name: f"#{name.replace('/', '-')}")
        of_figures = figure_names()
        return [
            head,
            *(replace(self.part(name, whole=name not in of_figures), depth=1) for name in names if kept[name]),
        ]


def parts_of(target: Target, kept: Kept) -> list[Part]:
    """Return the parts of a page that show a result."""
    if target.kind == "paper":
        return kept.paper(target.name)
    of_own = {"run": run_part, "comparison": comparison_part, "model": model_part}
    return [of_own[target.kind](target) if target.kind in of_own else kept.part(target.name)]


def page_of(targets: Sequence[Target], results: Path) -> bytes:
    """Return one page of some results.

    Raises `UserError` if files of a result are damaged, or the page would be too large.
    """
    kept = Kept(results)
    parts = [part for target in targets for part in parts_of(target, kept)]
    return render(parts[0].title if len(targets) == 1 else f"{len(targets)} results", parts)
