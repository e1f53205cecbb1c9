"""The layout of a reproduced table, in Markdown and on the terminal."""

from collections.abc import Mapping, Sequence
from math import isfinite
from pathlib import Path
from typing import Any

from kernlearn.atomic import write_atomically
from kernlearn.evaluation.trend import IMPROVING
from kernlearn.papers import Table
from kernlearn.papers.core.compare import FEWEST, INSIDE, NEAR, TOO_FEW
from kernlearn.papers.core.measured import Claim
from kernlearn.papers.core.units import DRAW, PARTITION, SAMPLE, SPLIT, printed_repetitions
from kernlearn.report.choice import end_in_words, ends_of_partitions
from kernlearn.report.markdown import table_line
from kernlearn.report.reproduction import COLUMNS, FEWER_SPLITS, Reproduced
from kernlearn.report.story import CLEAR, Story, silent_metrics, stories
from kernlearn.report.summary import largest_gap, why_unproved
from kernlearn.report.terminal import mean_std, say, say_note, show_table
from kernlearn.runner.store.tables import write_csv

Row = Mapping[str, Any]
#: The columns of the comparison with the printed table as a whole.
OF_STORY = (
    *("cells", "deviation, std", "within 0.5 std", "within 1 std", "deviation, %"),
    *("contrasts kept", "clearly", "reversed", "rank correlation", "winner"),
)
#: What the names of files of a search of readings have after that of the table.
OF_SEARCH = "_readings"
#: The legend's sentence on stand-in data.
STAND_IN = "The data here are a stand-in."
#: Further digits of an interval that ends at a printed number.
MORE = 3
#: Verdicts that the legend explains and cells do not show.
NO_WORD = (TOO_FEW, FEWER_SPLITS)
#: The unit that seeds count.
SEEDS = {SPLIT: "seed", DRAW: "seed", PARTITION: "partition", SAMPLE: "sample"}
#: The definition of a repetition, by its unit.
OF_UNIT = {
    SPLIT: "One repetition is a split. Each split is drawn and has its parameters chosen separately.",
    DRAW: "One repetition is a draw, the mean of its two roles. In each role the parameters are chosen separately.",
    PARTITION: "One repetition is a partition with one choice of parameters.",
    SAMPLE: "One repetition is a sample with all its splits, which share {shared}.",
}


def write_report(target: Path, reproduction: Reproduced, command: str, picture: str = "", warning: str = "") -> Path:
    """Write a table as CSV and in Markdown, and return the path of the latter; see `table_report` for the others."""
    written = [{key: row[key] for key in COLUMNS if key in row} for row in reproduction.rows]
    write_csv(target.with_suffix(".csv"), written, COLUMNS)
    search = target.with_name(f"{target.name}{OF_SEARCH}.md")
    report = table_report(reproduction, command, picture, warning, search.name if search.exists() else "")
    write_atomically(target.with_suffix(".md"), report.encode())
    return target.with_suffix(".md")


def table_report(reproduction: Reproduced, command: str, picture: str = "", warning: str = "", search: str = "") -> str:
    """Return a table in Markdown, laid out as in the paper: a line for each data set, a column for each algorithm.

    Parameters
    ----------
    reproduction : Reproduced
    command : str
        The command that makes the table.
    picture : str
        The file name of its picture; empty if there is none.
    warning : str
        A warning for the head of the report.
    search : str
        The file name of the report on a search of readings; empty if there is none.
    """
    table, partitions, rows, claims = reproduction
    repeated = sorted({row["n_partitions"] for row in rows}) or [0]
    lines = [f"# {table.name}: {table.title}", "", f"`{command}`", ""]
    lines += [f"**{warning}**", ""] if warning else []
    lines += [f"The table is from {table.cited}.", ""] if table.cited else []
    lines += [*legend(table, repeated), ""]
    lines += [f"**{differs_in_words(table)}**", ""] if table.differs else []
    lines += [f"The claims are not testable: {table.reduced}.", ""] if table.reduced else []
    lines += [f"![{table.title}]({picture})", ""] if picture else []
    lines += [*_story(table, rows), *_claims(claims)]
    for metric in table.metrics:
        lines += _of_metric(table, metric, [row for row in rows if row["metric"] == metric])
    lines += [
        "## Certified",
        "",
        "| | programs | not optimal | of them selected | largest gap |",
        "|---|---|---|---|---|",
    ]
    lines += map(table_line, certified_lines(table, partitions))
    if ends := grid_ends(table, partitions):
        lines += ["", "Selected values at an end of their grid:", "", *(f"- {sentence}." for sentence in ends)]
    lines += ["", "## Readings", ""]
    lines += [f"- **{key}**: {text}" for key, text in table.readings.items()]
    lines += ["", f"A search has tried other readings: [{search}]({search})."] if search else []
    return "\n".join(lines) + "\n"


def differs_in_words(table: Table) -> str:
    """Return what differs from the experiment of the paper, as a sentence."""
    return f"The experiment differs from that of the paper: {table.differs}."


def _of_metric(table: Table, metric: str, rows: Sequence[Row]) -> list[str]:
    """Return the section on a metric, or nothing if it was not measured."""
    if not rows:
        return []
    cells, shown = {(row["dataset"], row["algorithm"]): row for row in rows}, table.metrics[metric]
    measured, in_use = ({place[i] for place in cells} for i in (0, 1))
    names = [column.name for column in table.columns if column.name in in_use]
    lines = [f"## {shown.title}", "", f"| | {' | '.join(names)} |", "|---|" + "---|" * len(names)]
    for line in table.rows:
        if line.name in measured:
            texts = [_cell(cells.get((line.name, name)), shown.digits) for name in names]
            lines.append(table_line([f"{line.name}{' (stand-in)' if line.stand_in else ''}", *texts]))
    return [*lines, ""]


def certified_lines(table: Table, partitions: Sequence[Row]) -> list[list[str]]:
    """Return for every column of a table how many programs were solved, and how well.

    Of methods of which nothing is proved only the number is known.
    """
    lines = []
    for column in table.columns:
        solved = {(row["dataset"], row["seed"]): row for row in partitions if row["algorithm"] == column.name}.values()
        if solved and why_unproved(column.method):
            lines.append([column.name, f"{sum(row['n_programs'] for row in solved):,}", "", "", "nothing is proved"])
        elif solved:
            counts = (
                sum(row[key] for row in solved) for key in ("n_programs", "n_not_optimal", "n_selected_not_optimal")
            )
            lines.append(
                [column.name, *(f"{count:,}" for count in counts), f"{largest_gap(solved, 'largest_gap'):.1e}"]
            )
    return lines


def grid_ends(table: Table, partitions: Sequence[Row], *, improving: bool = False) -> list[str]:
    """Return for every column the selected values at an end of their grid, in sentences without a full stop.

    With `improving`, only those where the validation score still improves.
    """
    sentences = []
    for column in table.columns:
        mine = {(row["dataset"], row["seed"]): row for row in partitions if row["algorithm"] == column.name}.values()
        ends = [(end, by) for end, by in ends_of_partitions(mine) if by[IMPROVING] or not improving]
        sentences += [f"{column.name}: {end_in_words(end, by)}" for end, by in ends]
    return sentences


def _claims(claims: Sequence[Claim]) -> list[str]:
    """Return the section on the claims in the paper's text."""
    if not claims:
        return []
    return ["## Claims", "", "| claim | found | |", "|---|---|---|", *map(table_line, claims), ""]


def _story(table: Table, rows: Sequence[Row]) -> list[str]:
    """Return the section that compares the printed table as a whole, or nothing if it has no printed number."""
    by_metric = stories(table, rows)
    if not by_metric:
        return []
    lines = [*("## Does the story hold?", ""), *story_legend(table), ""]
    lines += [f"| {' | '.join(('', *OF_STORY))} |", "|" + "---|" * (1 + len(OF_STORY))]
    lines += [table_line(story_cells(table, metric, story)) for metric, story in by_metric.items()]
    return [*lines, ""]


def story_legend(table: Table) -> list[str]:
    """Return what the columns `OF_STORY` mean, in lines of Markdown."""
    return [
        "*deviation*: the median distance of our number from the printed one, in printed standard deviations (std) and",
        "in per cent. *within*: the share of cells within this distance. *contrasts kept*: of the pairs of printed",
        f"columns that differ by more than {CLEAR:g} standard errors, those that differ in the same direction here. "
        "*clearly*:",
        f"contrasts that also differ here by a paired t-test at 5 % over at least {FEWEST} {table.unit}s. *reversed*:",
        "contrasts that this test finds in the other direction. Both are empty with too few repetitions. *rank",
        "correlation*: Kendall's tau-b of the printed columns and ours, averaged over the rows. *winner*: rows with",
        "the same best column.",
        *(["Metrics without a verdict stand here, too, but count nowhere else."] if silent_metrics(table) else []),
    ]


def story_cells(table: Table, metric: str, story: Story) -> list[str]:
    """Return the title of a metric and the cells of `OF_STORY`."""
    title = table.metrics[metric].title if metric in table.metrics else metric
    title += " (no verdict)" if metric in silent_metrics(table) else ""
    shares = [_number(story.within(limit), " %", 0) for limit in (0.5, 1.0)]
    return [
        title,
        str(story.cells),
        *(_number(story.deviation, "", 2), *shares, _number(story.percent, "", 1)),
        _of(story.kept, story.contrasts),
        *(_of(count, story.tested) for count in (story.clearly, story.reversed)),
        *(_number(story.tau, "", 2), _of(story.winners, story.rows)),
    ]


def _number(value: float | None, unit: str, digits: int) -> str:
    return "" if value is None else f"{value:.{digits}f}{unit}"


def _of(part: int, total: int) -> str:
    return f"{part} of {total}" if total else ""


def averaged_over(table: Table, repeated: list[int]) -> str:
    """Return what the numbers of a table are, in words without a full stop; see `legend` for the parameters."""
    seeds = f"{repeated[0]} to {repeated[-1]}" if len(repeated) > 1 else str(repeated[0])
    what = SEEDS[table.unit] + ("" if repeated == [1] else "s")
    return f"Mean (standard deviation over the splits), averaged over {seeds} {what}"


def legend(table: Table, repeated: list[int], place: str = "brackets") -> list[str]:
    """Return what the numbers of a table and their verdicts mean, in lines of Markdown.

    Parameters
    ----------
    repeated : list of int
        The numbers of partitions that its cells have, sorted.
    place : str
        Of the printed value and the verdict.
    """
    over = averaged_over(table, repeated)
    printed = any(column.printed is not None for column in table.columns)
    if table.stand_in:
        context = f"; the printed value in {place} is from *other data* and only gives context" if printed else ""
        return [f"{over}{context}.", STAND_IN]
    if not printed:
        return [f"{over}."]
    unit = table.unit
    counts = {
        printed_repetitions(unit, table.splits_printed(row)) for row in table.rows if row.name not in table.stand_ins
    }
    one = f"one {unit}" if counts == {1} else f"{' or '.join(map(str, sorted(counts)))} {unit}s"
    lines = [
        f"{over}; the {place} have the printed value, the verdict and the interval that decides it.",
        f"{OF_UNIT[unit].format(shared=table.shared)}",
        f"*inside*: the printed value lies in this interval, which contains the mean of {one} like ours",
        f"with probability {100 * INSIDE:g} % (predictive interval by Student's t).",
        f"*near*: it lies beyond, but in the {100 * NEAR:g} % interval. *outside*: it lies in neither, and ours is",
        f"*lower* or *higher*. No verdict: fewer than {FEWEST} {unit}s"
        f"{', or fewer splits in each than in the paper' if unit == SAMPLE else ''}.",
    ]
    silent = {f"`{column.name}`": column.no_verdict for column in table.columns if column.no_verdict}
    silent |= {f'"{shown.title}"': shown.no_verdict for shown in table.metrics.values() if shown.no_verdict}
    return lines + [f"No verdict on {name}: {why}." for name, why in silent.items()]


def _cell(row: Row | None, digits: int) -> str:
    if row is None:
        return "-"
    text = ours(row, digits)
    if "paper_mean" not in row:
        return text
    printed = mean_std(row["paper_mean"], row["paper_std"], digits)
    return f"{text} [{' '.join(filter(None, (printed, verdict_in_words(row, digits))))}]"


def verdict_in_words(row: Row, digits: int) -> str:
    """Return the verdict on a printed number and the interval that decides it, such as ``inside 1.2 to 3.4``.

    It is empty if there is no verdict.
    """
    word, _, side = row.get("verdict", "").partition(", ")
    if not word or row["verdict"] in NO_WORD:
        return ""
    return ", ".join(filter(None, (f"{word} {interval(row, digits)}".rstrip(), side)))


def interval(row: Row, digits: int) -> str:
    """Return the interval that decides whether a printed number is inside; empty if there is none.

    It has up to `MORE` further digits if it would contradict the verdict after rounding.
    """
    if "interval_low" not in row:
        return ""
    for more in range(MORE + 1):
        low, high = (f"{row[key]:.{digits + more}f}" for key in ("interval_low", "interval_high"))
        if (float(low) <= row["paper_mean"] <= float(high)) == (row.get("verdict") == "inside"):
            break
    return f"{low} to {high}"


def ours(row: Row, digits: int) -> str:
    """Return our mean and deviation. A number that all splits share has no deviation."""
    return mean_std(row["mean"], row["std"] if isfinite(row["std"]) else None, digits)


def show_outcome(reproduction: Reproduced) -> None:
    """Print a table beside the printed one, its claims, and what is to be known of it."""
    table, partitions, rows, claims = reproduction
    show_table(("data set", "algorithm", "metric", "paper", "ours", "delta", "verdict"), lines_of(table, rows), left=3)
    for claim, found, judgement in claims:
        say(f"{judgement}: {claim} ({found})")
    if table.differs:
        say_note(differs_in_words(table).rstrip("."))
    for sentence in grid_ends(table, partitions):
        say_note(sentence)


def lines_of(table: Table, rows: Sequence[Row]) -> list[list[str]]:
    """Return the cells of the terminal's table: data set, algorithm, metric, paper, ours, delta, verdict."""
    lines = []
    for row in rows:
        if row["metric"] in table.metrics:
            shown = table.metrics[row["metric"]]
            printed = "paper_mean" in row
            paper = mean_std(row["paper_mean"], row["paper_std"], shown.digits) if printed else ""
            delta = f"{row['delta']:+.{shown.digits}f}" if printed else ""
            numbers = paper, ours(row, shown.digits), delta
            word = verdict_in_words(row, shown.digits) or row.get("verdict", "")
            lines.append([row["dataset"], row["algorithm"], shown.title, *numbers, word])
    return lines
