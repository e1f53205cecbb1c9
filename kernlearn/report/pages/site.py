"""All results of a directory as a site: an index, and a page for each paper, table, figure, run and comparison."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from kernlearn.errors import UserError, one_line
from kernlearn.papers import figure_names, table_names
from kernlearn.papers.core.contents import WORKS, contents
from kernlearn.report.pages.comparisons import comparison_part
from kernlearn.report.pages.documents import read_document
from kernlearn.report.pages.marks import Reason, of_record, where
from kernlearn.report.pages.page import Head, Link, Part, Sheet, Step, render
from kernlearn.report.pages.papers import scorecard_sheet
from kernlearn.report.pages.provenance import environments, read_record
from kernlearn.report.pages.results import StoredPapers
from kernlearn.report.pages.runs import run_part
from kernlearn.report.scorecard import Line
from kernlearn.report.targets import own_targets

INDEX = "index.html"
#: The index from a page in one of its directories; its title is that of the index, too.
ABOVE = Link("All results", f"../{INDEX}")
#: Counts of the scorecard of a paper on the index.
COUNTS = ("printed", "run", "inside", "near", "outside", "no verdict", "claims hold", "fail", "not testable")
#: The kinds of results beside those of papers, and their titles on the index.
OTHERS = {"run": "Runs", "comparison": "Comparisons", "report": "Other reports"}


class Page(NamedTuple):
    """A page of the site."""

    #: Its place in the directory of the site.
    path: str
    content: bytes


class Entry(NamedTuple):
    """A result on the index: its title, its address, and what was found."""

    title: str
    address: str
    result: str


@dataclass
class Index:
    """What the index leads to, gathered while the pages are made.

    Attributes
    ----------
    papers : list of (Entry, Counter)
        With the counts of their scorecards.
    lines : list of Line
        The scorecard of all tables and figures with pages.
    places : dict
        The addresses of these, by name.
    others : dict
        Other results, by the keys of `OTHERS`.
    troubles : dict
        Results that cannot be shown, and the reasons.
    """

    papers: list[tuple[Entry, Counter[str]]] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    places: dict[str, str] = field(default_factory=dict)
    others: dict[str, list[Entry]] = field(default_factory=lambda: {kind: [] for kind in OTHERS})
    troubles: dict[str, str] = field(default_factory=dict)


def pages_of(results: Path, troubles: dict[str, str]) -> Iterator[Page]:
    """Yield the pages of a site, the index last.

    Parameters
    ----------
    results : Path
    troubles : dict
        Receives the results that cannot be shown because their files are damaged, and the reasons.
    """
    index = Index(troubles=troubles)
    yield from _of_papers(results, index)
    yield from _of_runs_and_comparisons(results, index)
    yield from _of_documents(results, index)
    yield Page(INDEX, render(ABOVE.words, [_index(index)]))


def _of_papers(results: Path, index: Index) -> Iterator[Page]:
    papers = StoredPapers(results)
    for paper, entries in contents().items():
        if not any(papers.has(entry.name) for entry in entries):
            continue
        parts = papers.paper(paper, lambda name: f"{quote(name.partition('/')[2])}.html")
        yield Page(f"{paper}/{INDEX}", render(parts[0].title, parts, [ABOVE]))
        counts: Counter[str] = Counter()
        for line in papers.lines(paper):
            counts.update(line.counts)
            name = line.entry.name
            if papers.has(name) and name not in papers.troubles:
                part, above = papers.part(name), Link(WORKS.get(paper, paper), INDEX)
                yield Page(f"{name}.html", render(part.title, [part], [ABOVE, above]))
                index.lines.append(line)
                index.places[name] = quote(f"{name}.html")
        entry = Entry(WORKS.get(paper, paper), f"{quote(paper)}/{INDEX}", parts[0].result)
        index.papers.append((entry, counts))
    index.troubles.update(papers.troubles)


def _of_runs_and_comparisons(results: Path, index: Index) -> Iterator[Page]:
    for target in own_targets(results):
        path = f"{target.kind}s/{target.name}.html"
        try:
            part = run_part(target) if target.kind == "run" else comparison_part(target)
            yield Page(path, render(part.title, [part], [ABOVE]))
            index.others[target.kind].append(Entry(f"{part.title} ({target.name})", quote(path), part.result))
        except UserError as error:
            index.troubles[target.name] = one_line(error)


def _of_documents(results: Path, index: Index) -> Iterator[Page]:
    """Yield pages of other reports in Markdown, such as those of benchmarks and of parts of a table."""
    for path in sorted(path for path in results.glob("*/*.md") if path.with_suffix(".provenance.json").is_file()):
        name = f"{path.parent.name}/{path.stem}"
        if name in (*table_names(), *figure_names()):
            continue
        try:
            title, content = read_document(path)
            record = read_record(path.with_suffix(".provenance.json"))
            facts = {"content": content, "environments": environments(record)}
            result = "This report is shown as it was stored."
            part = Part(title, name.replace("/", "-"), "document.html", result, of_record(record), facts=facts)
            yield Page(f"{name}.html", render(title, [part], [ABOVE]))
            index.others["report"].append(Entry(title, quote(f"{name}.html"), name))
        except (UserError, OSError) as error:
            index.troubles[name] = one_line(error)


def _index(index: Index) -> Part:
    """Return the part that leads to all pages."""
    sheets, facts = [], dict[str, Any]()
    if index.papers:
        heads = [Head("paper", number=False), *map(Head, COUNTS)]
        rows = [[one.title, *(str(counts[key]) for key in COUNTS)] for one, counts in index.papers]
        sheets.append(Sheet("Papers", heads, rows, [one.address for one, _ in index.papers]))
        facts["scorecard"] = scorecard_sheet("Tables and figures", index.lines, index.places, full=True)
        sheets.append(facts["scorecard"])
    for kind, title in OTHERS.items():
        if entries := index.others[kind]:
            heads = [Head(kind, number=False), Head("file" if kind == "report" else "result", number=False)]
            links = [one.address for one in entries]
            sheets.append(Sheet(title, heads, [[one.title, one.result] for one in entries], links))
    first = Step("Run something first:", "kernlearn run algo=vkr dataset=ionosphere")
    reasons = [Reason(False, f"{name} is not shown: {why}.") for name, why in index.troubles.items()]
    steps, facts["sheets"] = [] if sheets else [first], sheets
    return Part(ABOVE.words, "index", "index.html", _sentence(index), reasons, steps, facts)


def _sentence(index: Index) -> str:
    """Return what there is, and how many printed numbers and claims hold."""
    words = [_number(len(index.papers), "paper")]
    words += [_number(len(index.others[kind]), kind) for kind in OTHERS]
    *first, last = list(filter(None, words)) or [""]
    parts = f"{', '.join(first)} and {last}" if first else last
    text = f"Results of {parts}" if parts else "There are no results here"
    total: Counter[str] = Counter()
    for _, counts in index.papers:
        total.update(counts)
    if total["run"]:
        text += f"; of {total['run']:,} printed numbers, {where(total)}"
    if tested := total["claims hold"] + total["fail"]:
        text += f"; {total['claims hold']} of {tested} testable claims and checks hold"
    return f"{text}."


def _number(n: int, what: str) -> str:
    return f"{n} {what}{'' if n == 1 else 's'}" if n else ""
