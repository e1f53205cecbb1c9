"""All results of a directory as a site: an index, and a page for each paper, table, figure, run and comparison."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from kernlearn.errors import UserError, one_line
from kernlearn.papers.core.contents import WORKS, contents
from kernlearn.report.pages.comparisons import comparison_part
from kernlearn.report.pages.page import Head, Link, Part, Reason, Sheet, Step, render
from kernlearn.report.pages.results import Kept
from kernlearn.report.pages.runs import run_part
from kernlearn.report.pages.tables import where
from kernlearn.report.targets import own_targets

INDEX = "index.html"
#: The title of the index, on every other page, too.
TITLE = "All results"
#: Counts of the scorecard on the index.
COUNTS = ("printed", "run", "inside", "near", "outside", "no verdict", "claims hold", "fail", "not testable")


class Page(NamedTuple):
    """A page of the site."""

    #: Its place in the directory of the site.
    path: str
    content: bytes


class Shown(NamedTuple):
    """A result on the index: its title, its address, and what was found."""

    title: str
    address: str
    result: str


def pages_of(results: Path, troubles: dict[str, str]) -> Iterator[Page]:
    """Yield the pages of a site, the index last.

    Parameters
    ----------
    results : Path
    troubles : dict
        Receives the results that cannot be shown because their files are damaged, and the reasons.
    """
    kept = Kept(results)
    above, papers = Link(TITLE, f"../{INDEX}"), list[tuple[Shown, Counter[str]]]()
    for paper, entries in contents().items():
        if not any(kept.has(entry.name) for entry in entries):
            continue
        parts = kept.paper(paper, lambda name: f"{quote(name.partition('/')[2])}.html")
        yield Page(f"{paper}/{INDEX}", render(parts[0].title, parts, [above]))
        counts: Counter[str] = Counter()
        for line in kept.lines(paper):
            counts.update(line.counts)
        papers.append((Shown(WORKS.get(paper, paper), f"{quote(paper)}/{INDEX}", parts[0].result), counts))
        for entry in entries:
            if kept.has(entry.name) and entry.name not in kept.troubles:
                part = kept.part(entry.name)
                yield Page(f"{entry.name}.html", render(part.title, [part], [above, Link(papers[-1][0].title, INDEX)]))
    troubles.update(kept.troubles)
    own: dict[str, list[Shown]] = {"run": [], "comparison": []}
    for target in own_targets(results):
        path = f"{target.kind}s/{target.name}.html"
        try:
            part = run_part(target) if target.kind == "run" else comparison_part(target)
            yield Page(path, render(part.title, [part], [above]))
            own[target.kind].append(Shown(f"{part.title} ({target.name})", quote(path), part.result))
        except UserError as error:
            troubles[target.name] = one_line(error)
    yield Page(INDEX, render(TITLE, [_index(papers, own, troubles)]))


def _index(
    papers: Sequence[tuple[Shown, Counter[str]]], own: Mapping[str, Sequence[Shown]], troubles: Mapping[str, str]
) -> Part:
    """Return the part that leads to all pages."""
    sheets = []
    if papers:
        heads = [Head("paper", number=False), *map(Head, COUNTS)]
        rows = [[one.title, *(str(counts[key]) for key in COUNTS)] for one, counts in papers]
        sheets.append(Sheet("Papers", heads, rows, [one.address for one, _ in papers]))
    for kind, shown in own.items():
        if shown:
            heads = [Head(kind, number=False), Head("result", number=False)]
            links = [one.address for one in shown]
            sheets.append(Sheet(f"{kind.title()}s", heads, [[one.title, one.result] for one in shown], links))
    total: Counter[str] = Counter()
    for _, counts in papers:
        total.update(counts)
    return Part(
        TITLE,
        "index",
        "index.html",
        _sentence(papers, own, total),
        [Reason(False, f"{name} is not shown: {why}.") for name, why in troubles.items()],
        []
        if papers or any(own.values())
        else [Step("Run something first:", "kernlearn run algo=vkr dataset=ionosphere")],
        {"sheets": sheets},
    )


def _sentence(
    papers: Sequence[tuple[Shown, Counter[str]]], own: Mapping[str, Sequence[Shown]], total: Counter[str]
) -> str:
    """Return what there is, and how many printed numbers and claims hold."""
    counts = {"paper": len(papers)} | {kind: len(shown) for kind, shown in own.items()}
    there = [f"{n} {what}{'' if n == 1 else 's'}" for what, n in counts.items() if n]
    words = f"Results of {', '.join(there)}" if there else "There are no results here"
    if total["run"]:
        words += f"; of {total['run']:,} printed numbers, {where(total)}"
    if tested := total["claims hold"] + total["fail"]:
        words += f"; {total['claims hold']} of {tested} testable claims hold"
    return f"{words}."
