"""The scorecard: what is reproduced of every table and figure of the works, in one table.

It is a pure function of the files of a results directory: the partitions, points and provenance that are kept there.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from kernlearn.papers import Table, figure_names, load_figure, load_table, table_names
from kernlearn.papers.claims import check_claims
from kernlearn.papers.compare import FEWEST, INSIDE, NEAR
from kernlearn.papers.contents import WORKS, Entry, contents
from kernlearn.papers.measured import Claim
from kernlearn.report.figures import read_points
from kernlearn.report.markdown import table_line
from kernlearn.report.reproduction import printed_cell, read_partitions, table_rows
from kernlearn.report.story import CLEAR, Story, stories
from kernlearn.runner.files import read_json

Row = Mapping[str, Any]
#: From good to bad; a printed cell that several columns are compared with has the worst of their verdicts.
OUTCOMES = ("inside", "near", "outside", "no verdict")
NUMBERS = ("printed", "run", "contrasts kept", "deviation", *OUTCOMES, "readings inside", "claims hold", "fail")
HEADERS = ("", "what it is", *NUMBERS, "data", "partitions", "command, or why not", "minutes")
NO_STORY = ("", "")
LEGEND = f"""# Scorecard

`kernlearn reproduce --scorecard`

Every table and figure of the works, those not begun too. *printed*: the numbers it prints that can be read; *run*:
those of which we have our own. *contrasts kept*: of the pairs of printed columns that differ by more than {CLEAR:g}
standard errors, those that differ in the same direction here; *deviation*: the median one from the printed number, in
printed standard deviations, or in per cent where none are printed; both of the first metric. *inside*: the printed
number lies in the interval that holds {100 * INSIDE:g} % of the numbers of single partitions like ours; *near*: in
that of {100 * NEAR:g} %; *outside*: beyond (lower or higher, as the table says); *no verdict*: fewer than {FEWEST}
partitions, or stand-in data. Where several columns are compared with one printed number, the worst of their verdicts
counts. Further readings of what a paper states have a column of their own: of their verdicts, those inside. *claims*:
what the paper says in words, as checks.
*minutes*: of one core, for all cells.
"""


def scorecard(results: Path) -> str:
    """Return the scorecard of a results directory in Markdown."""
    lines = [LEGEND]
    total: Counter[str] = Counter()
    for work, entries in contents().items():
        lines += [f"## {WORKS.get(work, work)}", "", f"| {' | '.join(HEADERS)} |", "|" + "---|" * len(HEADERS)]
        for entry in entries:
            counts, story, rest = _line(entry, results)
            total.update(counts)
            numbers = _numbers(counts)
            lines.append(
                table_line([entry.name.partition("/")[2], entry.title, *numbers[:2], *story, *numbers[2:], *rest])
            )
        lines.append("")
    counted = [*NUMBERS[:2], *NUMBERS[4:]]
    lines += ["## All", "", f"| {' | '.join(counted)} |", "|" + "---|" * len(counted)]
    lines.append(table_line(_numbers(total)))
    return "\n".join(lines) + "\n"


def _line(entry: Entry, results: Path) -> tuple[Counter[str], Sequence[str], Sequence[str]]:
    """Return the counts of a table or figure, the words of its story, and those of the last columns.

    These are data, partitions, command, minutes.
    """
    counts = Counter(printed=entry.cells)
    command = f"`kernlearn reproduce {entry.name}`"
    if entry.name in table_names():
        table, kept = load_table(entry.name), results / f"{entry.name}_partitions.csv"
        some = any(line.stand_in for line in table.rows)
        data = "stand-in" if table.stand_in else "exact but for stand-ins" if some else "exact"
        if not kept.exists():
            return counts, NO_STORY, (data, "", f"not run: {command}", "")
        partitions = read_partitions(kept)
        n = len({row["seed"] for row in partitions})
        rows = table_rows(table, partitions)
        counts.update(count_cells(table, rows))
        counts.update(_count_claims(check_claims(table, partitions)))
        found = stories(table, rows)
        story = next((_story(found[metric]) for metric in table.metrics if metric in found), NO_STORY)
        again = f"{command[:-1]} --seeds {n}`"
        return counts, story, (data, str(n), again, _minutes(results / f"{entry.name}.provenance.json"))
    if entry.name in figure_names():
        figure, kept = load_figure(entry.name), results / f"{entry.name}.csv"
        data = "exact" if figure.data or figure.tables else "drawn" if figure.cell else "formulas"
        if not kept.exists():
            return counts, NO_STORY, (data, "", f"not run: {command}", "")
        points = read_points(kept)
        counts.update(_count_claims(figure.claims(points)))
        repetitions = str(len({row["seed"] for row in points})) if figure.cell else ""
        return counts, NO_STORY, (data, repetitions, command, _minutes(results / f"{entry.name}.provenance.json"))
    return counts, NO_STORY, ("", "", entry.note, "")


def _story(story: Story) -> tuple[str, str]:
    """Return the contrasts that are kept and the median deviation, in printed standard deviations where there are."""
    kept = f"{story.kept} of {story.contrasts}" if story.contrasts else ""
    if story.deviation is not None:
        return kept, f"{story.deviation:.2f} s"
    return kept, "" if story.percent is None else f"{story.percent:.1f} %"


def count_cells(table: Table, rows: Iterable[Row]) -> Counter[str]:
    """Return how many printed cells have which outcome, and how many comparisons of further readings are inside.

    Parameters
    ----------
    table : Table
    rows : iterable
        From `kernlearn.report.reproduction.table_rows`.
    """
    counts: Counter[str] = Counter()
    cells: dict[tuple[str, ...], str] = {}
    for row in rows:
        if "paper_mean" not in row:
            continue
        key, reading = printed_cell(table, row)
        word = row.get("verdict", "").partition(",")[0]
        outcome = word if word in OUTCOMES else "no verdict"
        if reading:
            counts.update({"readings": outcome != "no verdict", "readings inside": outcome == "inside"})
        else:
            cells[key] = max(cells.get(key, OUTCOMES[0]), outcome, key=OUTCOMES.index)
    counts.update(cells.values())
    counts["run"] = len(cells)
    return counts


def _count_claims(claims: Iterable[Claim]) -> Counter[str]:
    words = {"holds": "claims hold", "does not hold": "fail"}
    return Counter(words[judgement] for _, _, judgement in claims if judgement in words)


def _minutes(record: Path) -> str:
    """Return the time of all cells, as the provenance of a table has it."""
    if not record.exists():
        return ""
    try:
        return f"{sum(read_json(record)['cell_seconds'].values()) / 60:.1f}"
    except (OSError, ValueError, LookupError, TypeError, AttributeError):  # of another form
        return ""


def _numbers(counts: Counter[str]) -> list[str]:
    """Return the columns from *printed* to *fail*."""
    readings = f"{counts['readings inside']} of {counts['readings']}" if counts["readings"] else ""
    run = [str(counts[key]) if counts["run"] else "" for key in ("run", *OUTCOMES)]
    claims = [str(counts[key]) if counts["claims hold"] + counts["fail"] else "" for key in ("claims hold", "fail")]
    return [str(counts["printed"] or ""), *run, readings, *claims]
