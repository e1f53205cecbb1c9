"""Pages of the results that a command names."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from kernlearn.errors import UserError, one_line
from kernlearn.papers import figure_names, table_names
from kernlearn.papers.checks.theorems import Standing, standing
from kernlearn.papers.core.contents import Entry, contents
from kernlearn.report.layout import OF_SEARCH
from kernlearn.report.pages.comparisons import comparison_part
from kernlearn.report.pages.documents import read_notes
from kernlearn.report.pages.figures import figure_part, inline_drawing
from kernlearn.report.pages.models import model_part
from kernlearn.report.pages.page import Part, TooLarge, render
from kernlearn.report.pages.papers import paper_part
from kernlearn.report.pages.provenance import read_record
from kernlearn.report.pages.runs import run_part
from kernlearn.report.pages.steps import results_option
from kernlearn.report.pages.tables import read_search, table_part
from kernlearn.report.reproduction import Reproduced, reproduced
from kernlearn.report.scorecard import Line, judged_statements, line_of
from kernlearn.report.targets import Target

#: What shows the results of one's own, whose commands name their places themselves.
OWN = {"run": run_part, "comparison": comparison_part, "model": model_part}


class StoredPapers:
    """The results of papers in a results directory; the measurements of each table are read once."""

    def __init__(self, results: Path):
        self.results = results
        self._tables: dict[str, Reproduced] = {}
        self._lines: dict[str, list[Line]] = {}
        #: Why there is nothing to show of a table or figure that has files.
        self.troubles: dict[str, str] = {}

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
        """Return the scorecard of a paper; damaged files are noted in `troubles`."""
        if paper not in self._lines:
            self._lines[paper] = [self._line(entry) for entry in contents()[paper]]
        return self._lines[paper]

    def _line(self, entry: Entry) -> Line:
        try:
            return line_of(entry, self.results, lambda name, _: self.table(name))
        except (UserError, OSError) as error:
            self.troubles[entry.name] = one_line(error)
            return Line(entry, Counter(printed=entry.cells), command=self.troubles[entry.name])

    def part(self, name: str, *, details: bool = True, address: str = "") -> Part:
        """Return the part of a page that shows a table or figure.

        Parameters
        ----------
        name : str
        details : bool
            Whether it says what made each number, and lists points.
        address : str
            Of the page that does, if this one does not and there is one.
        """
        record = read_record(self.results / f"{name}.provenance.json")
        if name in figure_names():
            return figure_part(name, self.results, record, details=details, address=address)
        reproduction = self.table(name)
        drawing = inline_drawing(self.results / f"{name}.svg", name.replace("/", "-"), reproduction.table.title)
        search = read_search(self.results / f"{name}{OF_SEARCH}.csv")
        return table_part(reproduction, record, drawing, details=details, address=address, search=search)

    def paper(self, paper: str, address: Callable[[str], str] | None = None, *, details: bool = True) -> list[Part]:
        """Return the parts of a page that show a paper: its scorecard, then its tables and figures.

        Parameters
        ----------
        paper : str
        address : callable, optional
            Returns the address of the page of a table or figure, which says what made each number. Without one, this
            page says it.
        details : bool
            Whether this page says it, if there is no other one.
        """
        lines, parts = self.lines(paper), list[Part]()
        to = address or (lambda name: f"#{name.replace('/', '-')}")
        names = [line.entry.name for line in lines if self.has(line.entry.name)]
        for name in names:
            here = details and address is None and name in table_names()
            try:
                part = self.part(name, details=here, address=address(name) if address else "")
                parts.append(replace(part, depth=1))
            except (UserError, OSError) as error:
                self.troubles[name] = one_line(error)
        shown = {name: to(name) for name in names if name not in self.troubles}
        try:
            files = {f"{name.partition('/')[2]}.md": place for name, place in shown.items()}
            notes = read_notes(self.results / paper, 2, files)
        except (UserError, OSError) as error:
            self.troubles[f"{paper}/NOTES.md"], notes = one_line(error), None
        try:
            stated = standing(judged_statements(paper, self.results))
        except (UserError, OSError):  # its file is among the troubles
            stated = Standing([], [], [])
        return [paper_part(paper, lines, shown, self.troubles, stated, notes), *parts]


def parts_of(target: Target, papers: StoredPapers, *, details: bool = True) -> list[Part]:
    """Return the parts of a page that show a result; `details` as of `StoredPapers.paper`."""
    if target.kind == "paper":
        return papers.paper(target.name, details=details)
    return [OWN[target.kind](target) if target.kind in OWN else papers.part(target.name, details=details)]


def _of_directory(part: Part, results: Path) -> Part:
    """Return the part of a paper whose commands name its results directory, if that is not the default one."""
    option = results_option(results)
    return replace(part, steps=[one._replace(command=one.command and one.command + option) for one in part.steps])


def page_of(targets: Sequence[Target], results: Path) -> bytes:
    """Return one page of some results.

    If it would be too large, the page of each table has to be asked for what made its numbers.

    Raises `UserError` if files of a result are damaged, or the page would still be too large.
    """
    papers = StoredPapers(results)
    title = f"{len(targets)} results"
    for details in (True, False):
        parts = [
            _of_directory(part, results) if target.kind not in OWN else part
            for target in targets
            for part in parts_of(target, papers, details=details)
        ]
        try:
            return render(parts[0].title if len(targets) == 1 else title, parts)
        except TooLarge:
            if not details:
                raise
    raise AssertionError
