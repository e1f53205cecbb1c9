"""The part of a page that shows how the reproduction of a paper stands: its scorecard and what follows from it."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from kernlearn.papers.core.contents import WORKS
from kernlearn.report.pages.page import Head, Part, Reason, Sheet, Step
from kernlearn.report.pages.tables import where
from kernlearn.report.scorecard import HEADERS, Line

#: Columns of the scorecard with words; the others are numbers.
OF_WORDS = ("", "what it is", "data", "repetitions", "command, or why not")


def paper_part(paper: str, lines: Sequence[Line], kept: Mapping[str, bool], address: Callable[[str], str]) -> Part:
    """Return the part of a page that shows the scorecard of a paper.

    Parameters
    ----------
    paper : str
    lines : sequence of `kernlearn.report.scorecard.Line`
    kept : mapping
        Whether there are results, by the name of a table or figure.
    address : callable
        Returns the address of a table or figure with results.
    """
    total: Counter[str] = Counter()
    for line in lines:
        total.update(line.counts)
    names = [line.entry.name for line in lines]
    missing = [line for line in lines if not kept.get(line.entry.name)]
    stand_ins = [line for line in lines if "stand-in" in line.data and kept.get(line.entry.name)]
    return Part(
        WORKS.get(paper, paper),
        f"paper-{paper}",
        "paper.html",
        _result(total, lines, kept),
        [*_trust(total, stand_ins, missing)],
        _steps(paper, missing),
        {
            "scorecard": scorecard_sheet(
                f"Scorecard of {paper}", lines, [address(name) if kept.get(name) else "" for name in names]
            ),
        },
    )


def scorecard_sheet(caption: str, lines: Sequence[Line], links: Sequence[str]) -> Sheet:
    """Return the scorecard of some tables and figures."""
    state = HEADERS.index("command, or why not")
    rows = [list(line.cells) for line in lines]
    for row, line in zip(rows, lines, strict=True):
        row[state] = _plain(line.command)
    return Sheet(caption, [Head(one or "name", one not in OF_WORDS) for one in HEADERS], rows, links)


def _result(total: Counter[str], lines: Sequence[Line], kept: Mapping[str, bool]) -> str:
    """Return in one sentence how much of the paper holds."""
    there = sum(bool(kept.get(line.entry.name)) for line in lines)
    words = [f"{there} of {len(lines)} tables, figures and experiments are reproduced"]
    if total["run"]:
        words.append(f"of {total['run']} printed numbers, {where(total)}")
    if tested := total["claims hold"] + total["fail"]:
        words.append(f"{total['claims hold']} of {tested} testable claims hold")
    return f"{'; '.join(words)}."


def _trust(total: Counter[str], stand_ins: Sequence[Line], missing: Sequence[Line]) -> list[Reason]:
    reasons = []
    if total["run"]:
        judged = total["inside"] + total["near"]
        outside = total["outside"]
        words = f"{judged} of {judged + outside} printed numbers with a verdict could be one of ours"
        reasons.append(Reason(judged >= outside, f"{words}."))
    if stand_ins:
        names = ", ".join(_short(line) for line in stand_ins)
        reasons.append(Reason(False, f"Some data are stand-ins for those of the paper: {names}."))
    reasons += [Reason(False, f"There are no results of {_short(line)} ({_plain(line.command)}).") for line in missing]
    return reasons


def _short(line: Line) -> str:
    return line.entry.name.partition("/")[2]


def _plain(command: str) -> str:
    """Return the command of a line, or the reason why there is none, without the signs of Markdown."""
    return command.replace("`", "")


def _steps(paper: str, missing: Sequence[Line]) -> list[Step]:
    steps = []
    begun = [line for line in missing if line.command.startswith("not run")]
    if begun:
        steps.append(Step("Compute what is missing:", f"kernlearn reproduce {begun[0].entry.name}"))
    steps.append(
        Step("Write the scorecard of all papers from the stored measurements:", "kernlearn reproduce --scorecard")
    )
    return steps
