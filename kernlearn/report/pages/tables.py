"""The part of a page that shows a reproduced table in the layout of the paper, with ours beside the printed numbers."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from kernlearn.papers import Table
from kernlearn.papers.core.measured import Claim
from kernlearn.papers.core.tables import Display
from kernlearn.report.layout import (
    NO_WORD,
    OF_STORY,
    certified_lines,
    differs_in_words,
    grid_ends,
    legend,
    ours,
    story_cells,
    story_legend,
    verdict_in_words,
)
from kernlearn.report.pages.marks import (
    Mark,
    Reason,
    claim_reasons,
    claims_in_words,
    effect,
    judged,
    mark_of,
    of_record,
    reading_reason,
    readings_in_words,
    story_reasons,
    verdict_reasons,
    where,
)
from kernlearn.report.pages.page import Head, Part, Sheet, Step
from kernlearn.report.pages.provenance import environments, provenance_of, run_id
from kernlearn.report.reproduction import Reproduced, command_of_all
from kernlearn.report.scorecard import count_cells, count_claims, only_by_readings
from kernlearn.report.story import Story, evidence, main_metric, stories
from kernlearn.report.terminal import capitalised, mean_std
from kernlearn.runner.engines.timing import duration
from kernlearn.runner.store.tables import read_csv

Row = Mapping[str, Any]
#: So many selected values at an end of a grid are named above the table.
SHOWN_ENDS = 4


class Cell(NamedTuple):
    """A number of ours beside the printed one."""

    ours: str
    #: Empty if the paper prints none.
    printed: str
    #: The distance from it, if there is no verdict.
    effect: str
    mark: Mark | None
    #: The id of what was run for it; empty if this is not on the page.
    address: str


class Layout(NamedTuple):
    """The numbers of one metric, in the layout of the paper."""

    title: str
    #: Of the metric in the table.
    number: int
    columns: list[str]
    #: A name, whether the data are a stand-in, and a cell for each column.
    lines: list[tuple[str, bool, list[Cell | None]]]

    @property
    def numbers(self) -> range:
        """The columns of numbers, as `Sheet.numbers`."""
        return range(2, len(self.columns) + 2)


def table_part(
    reproduction: Reproduced,
    record: Row,
    drawing: str = "",
    *,
    details: bool = True,
    address: str = "",
    search: Sheet | None = None,
) -> Part:
    """Return the part of a page that shows a reproduced table.

    Parameters
    ----------
    reproduction : Reproduced
    record : mapping
        Its provenance, see `kernlearn.report.pages.provenance.read_record`.
    drawing : str
        Its picture, as HTML; empty if there is none.
    details : bool
        Whether the page says what made each number.
    address : str
        Of the page that says it, if this one does not.
    search : Sheet, optional
        What a search of readings has tried, from `read_search`.
    """
    table, partitions, rows, claims = reproduction
    anchor = table.name.replace("/", "-")
    by_metric, provenance = stories(table, rows), provenance_of(reproduction, record, anchor) if details else []
    return Part(
        f"{table.name}: {table.title}",
        anchor,
        "table.html",
        _result(table, rows, by_metric, claims),
        _trust(reproduction, record),
        _steps(reproduction, record),
        {
            "name": table.name,
            "address": address,
            "cited": table.cited,
            "command": command_of_all(table, partitions),
            "legend": " ".join(legend(table, sorted({row["n_partitions"] for row in rows}) or [0], "lines below ours")),
            "story_legend": " ".join(story_legend(table)),
            "drawing": drawing,
            "story": _story(table, by_metric),
            "claims": judged(claims),
            "layouts": [
                _layout(table, rows, metric, shown, anchor if details else "")
                for metric, shown in table.metrics.items()
            ],
            "certified": _certified(table, partitions),
            "readings": list(table.readings.items()),
            "tried": _tried(table),
            "search": search,
            "provenance": provenance,
            "environments": environments(record),
        },
    )


def _result(table: Table, rows: Sequence[Row], by_metric: Mapping[str, Story], claims: Sequence[Claim]) -> str:
    """Return in one sentence how ours compares with what is printed."""
    counts = count_cells(table, rows)
    words = []
    if counts["run"]:
        words.append(f"Of {counts['run']} printed numbers, {where(counts)}")
    metric = main_metric(table, by_metric)
    if of_readings := readings_in_words(only_by_readings(table, rows)):
        words.append(of_readings)
    if metric and (story := by_metric[metric]).contrasts:
        of = table.metrics[metric].title.partition(", %")[0] if len(by_metric) > 1 else "methods"
        of = f"{of[:1].lower()}{of[1:]}"
        words.append(f"{story.kept} of the {story.contrasts} clear differences of {of} keep their direction")
    if of_claims := claims_in_words(count_claims(claims)):
        words.append(of_claims)
    if not words:
        n = sum(row["metric"] in table.metrics for row in rows)
        words.append(f"{n} numbers were measured; the paper prints none to compare them with")
    text = "; ".join(words)
    return " ".join([f"{capitalised(text)}.", *([differs_in_words(table)] if table.differs else [])])


def _trust(reproduction: Reproduced, record: Row) -> list[Reason]:
    """Return the reasons to trust the numbers, and those not to."""
    table, partitions, rows, claims = reproduction
    by_metric = stories(table, rows)
    telling = evidence(table, by_metric)
    of = "metrics with verdicts" if len(telling) < len(by_metric) else "all metrics" if len(by_metric) > 1 else ""
    reasons = [*verdict_reasons(count_cells(table, rows)), *story_reasons(list(telling.values()), of)]
    reasons += claim_reasons(count_claims(claims))
    if outside := only_by_readings(table, rows)["outside"]:
        reasons.append(reading_reason(outside))
    silent = {(key, shown.no_verdict): None for key, shown in table.metrics.items() if shown.no_verdict}
    for key, why in silent:
        if any(row["metric"] == key and "paper_mean" in row for row in rows):
            reasons.append(Reason(False, f"{table.metrics[key].title}: no verdict, since {why}."))
    stand_ins = [line.name for line in table.rows if line.name in table.stand_ins]
    if stand_ins:
        which = "All data" if len(stand_ins) == len(table.rows) else f"The data of {', '.join(stand_ins)}"
        reasons.append(Reason(False, f"{which} are a stand-in for those of the paper, so they get no verdict."))
    elif table.data_stated:
        reasons.append(Reason(True, "The data are those of the paper."))
    else:
        words = "The description names no stand-in, and it does not say that the data are exactly those of the paper"
        reasons.append(Reason(False, f"{words} (stand_in: false says so)."))
    if table.differs:
        reasons.append(Reason(False, differs_in_words(table)))
    if table.reduced:
        reasons.append(Reason(False, f"The claims are not testable: {table.reduced}."))
    if any(row.get("verdict") in NO_WORD for row in rows):
        reasons.append(Reason(False, "Some cells have too few repetitions for a verdict."))
    of_seeds = {(row["dataset"], row["algorithm"], row["seed"]): row for row in partitions}.values()
    total, inexact, selected = (
        sum(row.get(key, 0) for row in of_seeds) for key in ("n_programs", "n_not_optimal", "n_selected_not_optimal")
    )
    if total:
        words = f"{total:,} optimisation problems were solved; {total - inexact:,} are proved optimal"
        if inexact:
            words += (
                f", and {selected or 'none'} of the {inexact:,} others {'was' if selected < 2 else 'were'} selected"
            )
        reasons.append(Reason(selected == 0, f"{words}."))
    if ends := grid_ends(table, partitions, improving=True):
        more = f"; and {len(ends) - SHOWN_ENDS} more, see below" if len(ends) > SHOWN_ENDS else ""
        reasons.append(Reason(False, f"Values beyond the grids may be better: {'; '.join(ends[:SHOWN_ENDS])}{more}."))
    missing = [line.name for line in table.rows if line.name not in {row["dataset"] for row in rows}]
    if missing:
        reasons.append(
            Reason(False, f"{len(missing)} of {len(table.rows)} rows are not computed: {', '.join(missing)}.")
        )
    return [*reasons, *of_record(record)]


def _steps(reproduction: Reproduced, record: Row) -> list[Step]:
    table, partitions, rows, _ = reproduction
    by_cell = record.get("cell_cpu_seconds")
    known = by_cell.values() if isinstance(by_cell, dict) else ()
    seconds = sum(value for value in known if isinstance(value, int | float))
    cost = f", which took {duration(seconds)} of CPU time here" if seconds else ""
    steps = [Step(f"Compute all of it again{cost}:", command_of_all(table, partitions))]
    if any(row.get("verdict") == "too few" for row in rows):
        steps.insert(
            0, Step("More seeds give the other cells a verdict:", f"kernlearn reproduce {table.name} --seeds 5 --add")
        )
    return steps


def _story(table: Table, by_metric: Mapping[str, Story]) -> Sheet | None:
    """Return the comparison with the printed table as a whole, or None if it has no printed number."""
    if not by_metric:
        return None
    heads = (Head("", number=False), *map(Head, OF_STORY))
    rows = [story_cells(table, metric, story) for metric, story in by_metric.items()]
    return Sheet("Does the story hold?", heads, rows)


def _layout(table: Table, rows: Sequence[Row], metric: str, shown: Display, prefix: str) -> Layout:
    cells = {(row["dataset"], row["algorithm"]): row for row in rows if row["metric"] == metric}
    columns = sorted(
        ((i, one.name) for i, one in enumerate(table.columns) if any(name == one.name for _, name in cells)),
        key=lambda column: table.columns[column[0]].reading,  # those of the paper first
    )
    lines = []
    for i, line in enumerate(table.rows):
        if any(name == line.name for name, _ in cells):
            of_line = []
            for j, name in columns:
                address = run_id(prefix, i, j) if prefix else ""
                of_line.append(_cell(cells.get((line.name, name)), shown.digits, address))
            lines.append((line.name, line.name in table.stand_ins, of_line))
    titles = [f"{name} (reading)" if table.columns[j].reading else name for j, name in columns]
    return Layout(shown.title, list(table.metrics).index(metric), titles, lines)


def _cell(row: Row | None, digits: int, address: str) -> Cell | None:
    if row is None:
        return None
    if "paper_mean" not in row:
        return Cell(ours(row, digits), "", "", None, address)
    printed = mean_std(row["paper_mean"], row["paper_std"], digits)
    mark, words = mark_of(row).in_short, verdict_in_words(row, digits)
    # With a verdict stands the interval that decides it, and not a distance in other units.
    distance, mark = ("", mark._replace(words=words)) if words else (effect(row), mark)
    return Cell(ours(row, digits), printed, distance, mark, address)


def _certified(table: Table, partitions: Sequence[Row]) -> Sheet:
    """Return how well the programs of each column were solved."""
    heads = (
        Head("column", number=False),
        *map(Head, ("programs", "not proved optimal", "selected of these", "largest gap")),
    )
    lines = certified_lines(table, partitions)
    return Sheet("How well the optimisation problems were solved", heads, lines)


def read_search(path: Path) -> Sheet | None:
    """Return what a search of readings has tried, or None if there is no file of one that can be read."""
    heads = ("stage", "reading", "status", "distance_choosing", "distance_testing", "alike")
    try:
        rows = read_csv(path, heads)
        lines = [
            [
                *(row[key] for key in ("reading", "stage", "status")),
                *(_short(row[key]) for key in heads[3:5]),
                "yes" if row["alike"] == "True" else "",
            ]
            for row in rows
        ]
    except (OSError, ValueError):
        return None
    titles = ("reading", "stage", "status", "distance", "on the other half", "as near as the nearest")
    note = (
        "The distance is the mean of |log(ours / printed)|, on the half of the data sets that chooses and on the other "
        "half. The table itself has the reading of its description. A reading of a search has no verdict."
    )
    columns = [Head(one, number="dist" in one or "half" in one) for one in titles]
    return Sheet("Readings that a search has tried", columns, lines, note=note)


def _short(number: str) -> str:
    return f"{float(number):.3f}" if number else ""


def _tried(table: Table) -> list[tuple[str, str]]:
    """Return the further readings of the paper's text that were tried, and why they have no verdict."""
    columns = [(one.name, one.no_verdict) for one in table.columns if one.reading]
    return columns + [(one.title, one.no_verdict) for one in table.metrics.values() if one.reading]
