"""The part of a page that shows how the reproduction of a paper stands: its scorecard and what follows from it."""

from collections import Counter
from collections.abc import Mapping, Sequence

from kernlearn.papers.checks.theorems import Standing
from kernlearn.papers.core.contents import WORKS
from kernlearn.report.pages.documents import Notes
from kernlearn.report.pages.marks import (
    Reason,
    claim_reasons,
    claims_in_words,
    reading_reason,
    statement_reasons,
    story_reasons,
    verdict_reasons,
    where,
)
from kernlearn.report.pages.page import Head, Part, Sheet, Step
from kernlearn.report.scorecard import HEADERS, Line
from kernlearn.report.story import Story
from kernlearn.report.terminal import capitalised

#: What the scorecard counts: claims of the text, and checks of numbered statements.
ALL = "testable claims and checks"
#: Columns of the scorecard with words; the others are numbers.
OF_WORDS = ("", "what it is", "data", "repetitions", "command, or why not")


def paper_part(
    paper: str,
    lines: Sequence[Line],
    places: Mapping[str, str],
    troubles: Mapping[str, str],
    stated: Standing,
    notes: Notes | None = None,
) -> Part:
    """Return the part of a page that shows the scorecard of a paper.

    Parameters
    ----------
    paper : str
    lines : sequence of `kernlearn.report.scorecard.Line`
    places : mapping
        The addresses of the tables and figures that are shown, by their names.
    troubles : mapping
        Why others are not shown although they have files.
    stated : Standing
        Of its numbered statements.
    notes : Notes, optional
        What a person has written on what reproduces.
    """
    total: Counter[str] = Counter()
    for line in lines:
        total.update(line.counts)
    stories = [line.story for line in lines if line.story]
    missing = [line for line in lines if line.entry.name not in places]
    stand_ins = [line for line in lines if "stand-in" in line.data and line.entry.name in places]
    return Part(
        WORKS.get(paper, paper),
        f"paper-{paper}",
        "paper.html",
        _result(total, stories, stated, len(lines) - len(missing), len(lines)),
        [
            *story_reasons(stories, "main metrics"),
            *_trust(total, stated, stand_ins, missing, troubles),
        ],
        _steps(lines, missing),
        {"scorecards": _scorecards(paper, lines, places), "notes": notes},
    )


def _scorecards(paper: str, lines: Sequence[Line], places: Mapping[str, str]) -> list[Sheet]:
    """Return the scorecard: what has printed numbers, and apart from it what has none, which has other columns."""
    printed = [line for line in lines if line.counts["printed"]]
    others = [line for line in lines if not line.counts["printed"]]
    named = {f"Scorecard of {paper}: printed numbers": printed, f"Scorecard of {paper}: claims and checks": others}
    return [scorecard_sheet(caption, some, places) for caption, some in named.items() if some]


def scorecard_sheet(caption: str, lines: Sequence[Line], places: Mapping[str, str], *, full: bool = False) -> Sheet:
    """Return the scorecard of some tables and figures, without columns of numbers that are empty.

    `places` has the addresses of those that are shown; `full` names begin with the paper.
    """
    state = HEADERS.index("command, or why not")
    rows = [list(line.cells) for line in lines]
    for row, line in zip(rows, lines, strict=True):
        row[state] = _plain(line.command)
        row[0] = line.entry.name if full else row[0]
    links = [places.get(line.entry.name, "") for line in lines]
    kept = [i for i, one in enumerate(HEADERS) if one in OF_WORDS or any(row[i] for row in rows)]
    heads = [Head(HEADERS[i] or "name", HEADERS[i] not in OF_WORDS) for i in kept]
    return Sheet(caption, heads, [[row[i] for i in kept] for row in rows], links)


def _result(total: Counter[str], stories: Sequence[Story], stated: Standing, n_shown: int, n: int) -> str:
    """Return in a few sentences how much of the paper holds."""
    words = [f"{n_shown} of {n} tables, figures and experiments were run"]
    if total["run"]:
        words.append(f"of {total['run']} printed numbers, {where(total)}")
    if contrasts := sum(story.contrasts for story in stories):
        agreeing = sum(story.kept for story in stories)
        words.append(f"{agreeing} of the {contrasts} clear differences of main metrics keep their direction")
    if of_claims := claims_in_words(total, ALL):
        words.append(of_claims)
    return " ".join(f"{capitalised(one)}." for one in (*words, stated.in_words()) if one)


def _trust(
    total: Counter[str],
    stated: Standing,
    stand_ins: Sequence[Line],
    missing: Sequence[Line],
    troubles: Mapping[str, str],
) -> list[Reason]:
    reasons = verdict_reasons(total)
    if total["reading outside"]:
        reasons.append(reading_reason(total["reading outside"]))
    reasons += [*claim_reasons(total, ALL), *statement_reasons(stated)]
    if total["no verdict"]:
        reasons.append(Reason(False, f"{total['no verdict']} printed numbers have no verdict; their tables say why."))
    if stand_ins:
        names = ", ".join(_short(line) for line in stand_ins)
        reasons.append(Reason(False, f"Some data are stand-ins for those of the paper: {names}."))
    for line in missing:
        why = troubles.get(line.entry.name, _plain(line.command))
        reasons.append(Reason(False, f"There are no results of {_short(line)} ({why})."))
    return reasons


def _short(line: Line) -> str:
    return line.entry.name.partition("/")[2]


def _plain(command: str) -> str:
    """Return the command of a line, or the reason why there is none, without the signs of Markdown."""
    return command.replace("`", "")


def _steps(lines: Sequence[Line], missing: Sequence[Line]) -> list[Step]:
    steps, shown = [], [line for line in lines if line not in missing]
    if shown:
        largest = max(shown, key=lambda line: line.counts["run"])
        what = "the table with the most printed numbers" if largest.counts["run"] else "one of the results"
        steps.append(Step(f"Look at {what} alone:", f"kernlearn report {largest.entry.name}"))
    begun = [line for line in missing if line.command.startswith("not run")]
    if begun:
        steps.append(Step("Compute what is missing:", f"kernlearn reproduce {begun[0].entry.name}"))
    return steps
