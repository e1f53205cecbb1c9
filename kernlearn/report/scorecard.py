"""The scorecard: one table with the state of the reproduction of all tables and figures.

It is a pure function of the partitions, points and provenance in a results directory.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from kernlearn.papers import Table, figure_names, load_figure, load_table, table_names
from kernlearn.papers.checks.theorems import Theorem, judgements_of, standing, theorems
from kernlearn.papers.core.claims import claims_of_figure
from kernlearn.papers.core.compare import FEWEST, INSIDE, NEAR, TOO_FEW
from kernlearn.papers.core.contents import WORKS, Entry, contents
from kernlearn.papers.core.measured import (
    CORRECTION_FAILS,
    CORRECTION_HOLDS,
    FAILS,
    HOLDS,
    NOT_TESTABLE,
    OURS_FAILS,
    OURS_HOLDS,
    Claim,
)
from kernlearn.report.figures import read_points
from kernlearn.report.markdown import table_line
from kernlearn.report.reproduction import FEWER_SPLITS, Reproduced, command_of_all, printed_cell, reproduced
from kernlearn.report.story import CLEAR, Story, main_metric, stories
from kernlearn.runner.store.files import read_json

Row = Mapping[str, Any]
#: From good to bad. If several columns are compared with a printed cell, the worst of their verdicts counts; this is
#: without further readings.
OUTCOMES = ("inside", "near", "outside", "no verdict")
STORY = ("contrasts kept", "clearly", "reversed", "deviation")
NUMBERS = ("printed", "run", *OUTCOMES, "readings inside", "claims hold", "fail", "not testable", "ours hold")
HEADERS = ("", "what it is", *STORY, *NUMBERS, "data", "repetitions", "command, or why not", "minutes")
OF_THEOREMS = ("statement", "what it says", "computed in", "found", "remark")
#: By judgement, the count that a claim belongs to.
COUNTED = {
    HOLDS: "claims hold",
    FAILS: "fail",
    NOT_TESTABLE: "not testable",
    CORRECTION_HOLDS: "ours hold",
    OURS_HOLDS: "ours hold",
    CORRECTION_FAILS: "ours fail",
    OURS_FAILS: "ours fail",
}
NO_STORY = ("",) * len(STORY)
LEGEND = f"""# Scorecard

`kernlearn reproduce --scorecard`

All tables and figures of the works, including those not begun.

- Does the story hold? *contrasts kept*: of the pairs of printed columns that differ by more than {CLEAR:g} standard
  errors, those that differ in the same direction here. *clearly*: those that also differ here by a paired t-test at
  5 % over at least {FEWEST} repetitions. *reversed*: those that differ significantly in the other direction.
  *deviation*: the median distance from the printed number, in printed standard deviations (std), or in per cent if none
  are printed. These columns use the first metric of a table.
- Is a printed number in the range of ours? *printed*: the legible printed numbers. *run*: those that we have computed.
  *inside*: the printed number lies in the interval that contains {100 * INSIDE:g} % of the means of as many repetitions
  as the paper has. *near*: this interval excludes it, but the {100 * NEAR:g} % interval contains it. *outside*: both
  exclude it (the table says whether ours is lower or higher). If our methods are the paper's, about 5 % of the verdicts
  are *near* or *outside*. *no verdict*: fewer than {FEWEST} repetitions, stand-in data, or a reading that
  was chosen with the printed numbers in sight. Each table defines one repetition. If several columns are compared with
  one printed number, the worst of their verdicts counts; further readings of a paper's text are not among them.
  *readings inside*: of the verdicts on these readings, those that are inside.
- *claims*: checks of the statements in the paper's text. One sentence may be checked in several ways, such as with and
  without Holm's correction. *not testable*: claims on stand-in data, and on runs that are smaller than the paper's.
  *ours hold*: checks of our own statements, which are counted apart: corrections of what is false as printed, and
  checks of our solvers.
- *minutes*: the CPU time of all cells.
- The second table of a work has its numbered statements: theorems, lemmas, propositions, corollaries and bounds.
  *found*: what its checks by numbers say. A check that does not hold refutes the statement as it is printed. The report
  of *computed in* has the example, and a corrected statement beside it if one is known. A check of that one is a
  *correction*.
"""


def scorecard(results: Path) -> str:
    """Return the scorecard of a results directory in Markdown."""
    lines = [LEGEND]
    total: Counter[str] = Counter()
    stated = theorems()
    for work, entries in contents().items():
        lines += [f"## {WORKS.get(work, work)}", "", *_head(HEADERS)]
        for entry in entries:
            line = line_of(entry, results)
            total.update(line.counts)
            lines.append(table_line(line.cells))
        lines.append("")
        if stated.get(work):
            judged = judged_statements(work, results)
            if words := standing(judged).in_words():
                lines += [f"{words}.", ""]
            lines += _head(OF_THEOREMS)
            lines += [table_line(theorem_cells(*one)) for one in judged]
            lines.append("")
    lines += ["## All", "", *_head(NUMBERS)]
    lines.append(table_line(_numbers(total)))
    return "\n".join(lines) + "\n"


def _head(names: Sequence[str]) -> list[str]:
    """Return the first two lines of a table in Markdown."""
    return [f"| {' | '.join(names)} |", "|" + "---|" * len(names)]


def judged_statements(work: str, results: Path) -> list[tuple[Theorem, Counter[str]]]:
    """Return the numbered statements of a work, each with how often its checks have each judgement."""
    stated, claims = theorems().get(work, []), dict[str, list[Claim]]()
    for where in dict.fromkeys(one.where for one in stated if one.where in figure_names()):
        kept = results / f"{where}.csv"
        claims[where] = claims_of_figure(load_figure(where), read_points(kept)) if kept.exists() else []
    return [(one, judgements_of(one, claims.get(one.where, []))) for one in stated]


def theorem_cells(theorem: Theorem, judgements: Counter[str]) -> list[str]:
    """Return the cells of `OF_THEOREMS`."""
    found = ", ".join(f"{count} x {verdict}" if count > 1 else verdict for verdict, count in judgements.items())
    return [theorem.name, theorem.says, theorem.where and f"`{theorem.where}`", found, theorem.note]


class Line(NamedTuple):
    """What the scorecard says of a table or figure."""

    entry: Entry
    #: Numbers of printed numbers and claims by outcome.
    counts: Counter[str]
    #: Of the first metric, if it is compared with printed numbers.
    story: Story | None = None
    #: "exact", "stand-in" and so on.
    data: str = ""
    repetitions: str = ""
    #: The command that computes it, or the reason why there is none.
    command: str = ""
    #: CPU time.
    minutes: str = ""

    @property
    def cells(self) -> list[str]:
        """The cells of `HEADERS`."""
        head = [self.entry.name.partition("/")[2], self.entry.title]
        story = _story(self.story) if self.story else NO_STORY
        return [*head, *story, *_numbers(self.counts), self.data, self.repetitions, self.command, self.minutes]


def line_of(entry: Entry, results: Path, read: Callable[[str, Path], Reproduced] = reproduced) -> Line:
    """Return the line of a table or figure; `read` reads the measurements of a table."""
    counts = Counter(printed=entry.cells)
    command, minutes = f"`kernlearn reproduce {entry.name}`", _minutes(results / f"{entry.name}.provenance.json")
    if entry.name in table_names():
        table = load_table(entry.name)
        data = "stand-in" if table.stand_in else "exact but for stand-ins" if table.stand_ins else "exact"
        if not (results / f"{entry.name}_partitions.csv").exists():
            return Line(entry, counts, data=data, command=f"not run: {command}")
        _, partitions, rows, claims = read(entry.name, results)
        counts.update(count_cells(table, rows))
        counts.update({f"reading {outcome}": n for outcome, n in only_by_readings(table, rows).items()})
        counts.update(count_claims(claims))
        by_metric = stories(table, rows)
        story = by_metric.get(main_metric(table, by_metric) or "")
        again = f"`{command_of_all(table, partitions)}`"
        return Line(entry, counts, story, data, _repetitions(table, rows), again, minutes)
    if entry.name in figure_names():
        figure, kept = load_figure(entry.name), results / f"{entry.name}.csv"
        data = "exact" if figure.data or figure.tables else "drawn" if figure.cell else "formulas"
        if not kept.exists():
            return Line(entry, counts, data=data, command=f"not run: {command}")
        points = read_points(kept)
        counts.update(count_claims(claims_of_figure(figure, points)))
        repetitions = str(len({row["seed"] for row in points})) if figure.cell else ""
        return Line(entry, counts, None, data, repetitions, command, minutes)
    return Line(entry, counts, command=entry.note)


def _repetitions(table: Table, rows: Sequence[Row]) -> str:
    """Return the smallest and the largest number of repetitions of the cells."""
    counts = sorted({len(row["repetitions"]) for row in rows if row["metric"] in table.metrics})
    if not counts:
        return ""
    number = str(counts[0]) if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
    return f"{number} {table.unit}{'' if number == '1' else 's'}"


def _story(story: Story) -> Sequence[str]:
    """Return the numbers of kept contrasts, and the median deviation, in printed standard deviations if possible."""
    kept = f"{story.kept} of {story.contrasts}" if story.contrasts else ""
    tested = [f"{count} of {story.tested}" if story.tested else "" for count in (story.clearly, story.reversed)]
    if story.deviation is not None:
        return kept, *tested, f"{story.deviation:.2f} std"
    return kept, *tested, "" if story.percent is None else f"{story.percent:.1f} %"


def outcome_of(row: Row) -> str:
    """Return the one of `OUTCOMES` that a row of a table has."""
    word = row.get("verdict", "").partition(",")[0]
    return word if word in OUTCOMES else OUTCOMES[-1]


def why_no_verdict(table: Table, row: Row) -> str:
    """Return why a row with a printed number has no verdict, or an empty text if it has one."""
    if outcome_of(row) != OUTCOMES[-1]:
        return ""
    column = next(column for column in table.columns if column.name == row["algorithm"])
    if row["dataset"] in table.stand_ins:
        return "the data are a stand-in for those of the paper"
    if why := table.why_silent(column, row["metric"]):
        return why
    if row.get("verdict") == FEWER_SPLITS:
        return "each sample has fewer splits than in the paper"
    if row.get("verdict") == TOO_FEW:
        return f"there are fewer than {FEWEST} {table.unit}s"
    return f"one of the {table.unit}s has no value"


def outcomes_of_cells(table: Table, rows: Iterable[Row]) -> dict[tuple[str, ...], str]:
    """Return the worst outcome of each printed cell (`printed_cell`), without further readings.

    `rows` are those with a printed number.
    """
    cells: dict[tuple[str, ...], str] = {}
    for row in rows:
        key, reading = printed_cell(table, row)
        if not reading:
            cells[key] = max(cells.get(key, OUTCOMES[0]), outcome_of(row), key=OUTCOMES.index)
    return cells


def count_cells(table: Table, rows: Iterable[Row]) -> Counter[str]:
    """Return the numbers of printed cells by outcome, and the number of further readings that are inside.

    Parameters
    ----------
    rows : iterable
        From `kernlearn.report.reproduction.table_rows`.
    """
    compared = [row for row in rows if "paper_mean" in row]
    readings = Counter(outcome_of(row) for row in compared if printed_cell(table, row)[1])
    cells = Counter(outcomes_of_cells(table, compared).values())
    verdicts = readings.total() - readings["no verdict"]
    return cells + Counter({"run": cells.total(), "readings": verdicts, "readings inside": readings["inside"]})


def only_by_readings(table: Table, rows: Iterable[Row]) -> Counter[str]:
    """Return the verdicts of further readings on printed cells that have no verdict otherwise, by outcome.

    Parameters
    ----------
    rows : iterable
        From `kernlearn.report.reproduction.table_rows`.
    """
    compared = [row for row in rows if "paper_mean" in row]
    silent = {cell for cell, outcome in outcomes_of_cells(table, compared).items() if outcome == "no verdict"}
    of_readings = ((outcome_of(row), *printed_cell(table, row)) for row in compared)
    counts = Counter(outcome for outcome, cell, reading in of_readings if reading and cell in silent)
    del counts["no verdict"]
    return counts


def count_claims(claims: Iterable[Claim]) -> Counter[str]:
    """Return the numbers of claims by judgement; statements of ours are apart."""
    return Counter(COUNTED[judgement] for _, _, judgement in claims if judgement in COUNTED)


def cpu_seconds(record: Path) -> float | None:
    """Return the CPU time of all cells from the provenance of a table or figure; None if it does not say it."""
    seconds = cell_seconds(record)
    return None if seconds is None else sum(seconds.values())


def cell_seconds(record: Path) -> dict[str, float] | None:
    """Return the CPU times of the cells by data set and method, from the same; None if it does not say them."""
    try:
        took = read_json(record)
        seconds = took.get("cell_cpu_seconds", took["cell_seconds"])  # records of formulas have the older one alone
        return {str(name): float(value) for name, value in seconds.items()}
    except (OSError, ValueError, LookupError, TypeError, AttributeError):  # there is none, or of another format
        return None


def _minutes(record: Path) -> str:
    seconds = cpu_seconds(record)
    return "" if seconds is None else f"{seconds / 60:.1f}"


def _numbers(counts: Counter[str]) -> list[str]:
    """Return the columns from *printed* to *ours hold*."""
    readings = f"{counts['readings inside']} of {counts['readings']}" if counts["readings"] else ""
    run = [str(counts[key]) if counts["run"] else "" for key in ("run", *OUTCOMES)]
    judged = ("claims hold", "fail", "not testable")
    claims = [str(counts[key]) if any(counts[one] for one in judged) else "" for key in judged]
    own = counts["ours hold"] + counts["ours fail"]
    return [str(counts["printed"] or ""), *run, readings, *claims, f"{counts['ours hold']} of {own}" if own else ""]
