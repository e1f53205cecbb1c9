"""A difference in words: for the terminal, as Markdown for a pull request, and as facts for programs."""

from collections.abc import Iterator, Sequence
from math import isfinite

from kernlearn.report.differences.changes import Change, Part, Status
from kernlearn.report.differences.compare import Difference, counts_of, flips_of
from kernlearn.report.differences.facts import ChangeFacts, DifferenceFacts, PartFacts
from kernlearn.report.exports.texts import markdown, one_line
from kernlearn.report.markdown import table_line
from kernlearn.report.terminal import say, show_table

#: The headings of a table of changes.
HEADERS = ("what", "A", "B", "difference")
#: Characters of a value and of a place, and pages and pictures that are named.
LONGEST, LONGEST_PLACE, NAMED = 60, 110, 5


def facts_of(difference: Difference) -> DifferenceFacts:
    """Return a difference as facts for programs."""
    return {
        "before": difference.before,
        "after": difference.after,
        "status": str(difference.status),
        "counts": {str(status): n for status, n in counts_of(difference.parts).items()},
        "verdicts": flips_of(difference.parts),
        "parts": [_part_facts(part) for part in difference.parts],
        "derived": difference.derived,
        "notes": difference.notes,
    }


def _part_facts(part: Part) -> PartFacts:
    return {
        "name": part.name,
        "status": str(part.status),
        "notes": part.notes,
        "n_changes": part.n_changes,
        "changes": [_change_facts(change) for change in part.changes],
    }


def _change_facts(change: Change) -> ChangeFacts:
    known = change.difference is not None and isfinite(change.difference)
    return {
        "kind": str(change.kind),
        "place": change.place,
        "before": change.before,
        "after": change.after,
        "difference": change.difference if known else None,
    }


def summary_of(difference: Difference) -> str:
    """Return the numbers of parts by status, in words."""
    counts = [f"{n} {status}" for status, n in counts_of(difference.parts).items()]
    n, flips = len(difference.parts), [f"{n} {word}" for word, n in flips_of(difference.parts).items() if n]
    verdicts = f"; verdicts: {', '.join(flips)}" if flips else ""
    return f"{n} part{'s' * (n != 1)}: {', '.join(counts)}{verdicts}"


def _different(difference: Difference) -> list[Part]:
    """Return the parts that are shown."""
    return [part for part in difference.parts if part.status not in (Status.SAME, Status.WITHIN)]


def show(difference: Difference) -> None:
    """Print what differs."""
    say(f"A          {difference.before}")
    say(f"B          {difference.after}")
    for part in _different(difference):
        say()
        say(f"{part.name}: {part.status}{_counted(part)}")
        for note in part.notes:
            say(f"note       {one_line(note)}")
        if part.changes:
            show_table(HEADERS, [[one_line(cell) for cell in _cells(change)] for change in part.changes])
        if more := _left_out(part):
            say(more)
    say()
    for note in _notes(difference):
        say(f"note       {one_line(note)}")
    say(f"result     {summary_of(difference)}")


def markdown_page(differences: Sequence[Difference]) -> str:
    """Return differences in Markdown, for a pull request."""
    return "\n".join(line for one in differences for line in _markdown(one)) + "\n"


def _markdown(difference: Difference) -> Iterator[str]:
    yield f"## {markdown(difference.before)} (A) and {markdown(difference.after)} (B)"
    yield ""
    yield f"{markdown(summary_of(difference))}."
    yield ""
    for note in _notes(difference):
        yield f"- {markdown(note)}"
    if _notes(difference):
        yield ""
    for part in _different(difference):
        yield f"### {markdown(part.name)}: {part.status}{_counted(part)}"
        yield ""
        for note in part.notes:
            yield f"- {markdown(note)}"
        if part.notes:
            yield ""
        if part.changes:
            yield table_line(HEADERS)
            yield "|" + "---|" * len(HEADERS)
            for change in part.changes:
                yield f"| {' | '.join(map(markdown, _cells(change)))} |"
            yield ""
        if more := _left_out(part):
            yield more
            yield ""


def _counted(part: Part) -> str:
    return f", {part.n_changes} cells" if part.n_changes > 1 else ""


def _left_out(part: Part) -> str:
    more = part.n_changes - len(part.changes)
    return f"and {more} more (--top shows more)" if more else ""


def _notes(difference: Difference) -> list[str]:
    derived = difference.derived
    more = f" and {len(derived) - NAMED} more" if len(derived) > NAMED else ""
    pages = [f"pages and pictures with other bytes: {', '.join(derived[:NAMED])}{more}"] if derived else []
    return [*difference.notes, *pages]


def _cells(change: Change) -> list[str]:
    """Return the cells of a line: what changed, both values, and their difference."""
    words = str(change.kind)
    if change.difference is not None:
        words = f"{change.difference:+.3g}" + (f" ({words})" if words != "number" else "")
    return [_short(change.place, LONGEST_PLACE), _short(change.before), _short(change.after), words]


def _short(text: str, longest: int = LONGEST) -> str:
    return text if len(text) <= longest else f"{text[: longest - 3]}..."
