"""The files and the output of a search of readings: what was tried, how near it comes, and how sure that is."""

from collections.abc import Sequence
from math import isnan
from pathlib import Path
from typing import Any

from kernlearn.atomic import write_atomically
from kernlearn.papers import Table
from kernlearn.papers.core.axes import Axis, in_words, status_of
from kernlearn.report.markdown import table_line
from kernlearn.report.plots.picture import Axis as PictureAxis
from kernlearn.report.plots.picture import Bars
from kernlearn.report.plots.svg import svg_file
from kernlearn.report.readings.distances import (
    LEVEL,
    Difference,
    Halves,
    Stage,
    Tried,
    alike,
    difference,
    importance,
    nearest,
)
from kernlearn.report.terminal import capitalised, say, show_table
from kernlearn.runner.provenance.record import warning, write_provenance
from kernlearn.runner.store.records import Provenance
from kernlearn.runner.store.tables import write_csv

#: The readings of a stage that are printed on the terminal; the files have all.
SHOWN = 12
COLUMNS = (
    "stage,reading,status,cells,draws,distance,distance_choosing,distance_testing,farther,farther_error,p,alike"
).split(",")
#: Standard errors on either side of a change in the picture.
ERRORS = 2.0


def write_search(
    target: Path,
    table: Table,
    stages: Sequence[Stage],
    halves: Halves,
    command: str,
    record: Provenance,
) -> tuple[Path, list[dict[str, Any]]]:
    """Print what a search has found, and write its table, page, picture and provenance.

    Returns
    -------
    Path
        Of the page.
    list of dict
        The rows of the table, from `stage_rows`.
    """
    rows = [row for stage in stages for row in stage_rows(table, stage, halves)]
    for stage in stages:
        _show(stage, [row for row in rows if row["stage"] == stage.title])
    for sentence in conclusions(table, stages, halves):
        say(f"result     {sentence}")
    picture = importance_picture(table, stages[0])
    page = _page(target.name, table, stages, rows, halves, command, warning(record), bool(picture.names))
    write_csv(target.with_name(f"{target.name}.csv"), rows, COLUMNS)
    if picture.names:
        write_atomically(target.with_name(f"{target.name}.svg"), svg_file([picture]).encode())
    write_atomically(target.with_name(f"{target.name}.md"), page.encode())
    write_provenance(target.with_name(f"{target.name}.provenance.json"), record, {})
    return target.with_name(f"{target.name}.md"), rows


def stage_rows(table: Table, stage: Stage, halves: Halves) -> list[dict[str, Any]]:
    """Return one row for each reading of a stage, the nearest first.

    ``distance_choosing`` and ``distance_testing`` are the distances on the two halves of the data sets; ``farther`` is
    the difference from the nearest reading on the first half, with its standard error.
    """
    if not stage.readings:
        return []
    choosing = [one.on(halves.choosing) for one in stage.readings]
    best, same = nearest(choosing), [one.reading for one in alike(choosing)]
    rows = []
    for one, chosen in zip(stage.readings, choosing, strict=True):
        change = difference(chosen, best)
        rows.append(
            {
                "stage": stage.title,
                "reading": in_words(one.reading),
                "status": status_of(table.axes, one.reading),
                "cells": len(one.cells),
                "draws": one.n_draws,
                "distance": one.distance,
                "distance_choosing": chosen.distance,
                "distance_testing": _blank(one.on(halves.testing).distance),
                "farther": change.value,
                "farther_error": _blank(change.error),
                "p": change.p,
                "alike": one.reading in same,
            }
        )
    return sorted(rows, key=lambda row: row["distance_choosing"])


def conclusions(table: Table, stages: Sequence[Stage], halves: Halves) -> list[str]:
    """Return what the search says, in sentences."""
    sentences = [
        f"{_tried(stages)} were tried, {sum(len(stage.unfinished) for stage in stages)} of them not to the end"
    ]
    changes = {name: one for name, one in importance(table.axes, stages[0].readings).items() if one.p < LEVEL}
    if changes:
        name = max(changes, key=lambda axis: abs(changes[axis].value))
        sentences.append(
            f"the decision that matters most is {name}: it changes the distance by {_change(changes[name])}"
        )
    else:
        sentences.append("no decision changes the distance by more than the noise of the draws")
    whole = stages[-1]
    if len(stages) > 1 and whole.readings:
        choosing = [one.on(halves.choosing) for one in whole.readings]
        best = nearest(choosing)
        others = [in_words(one.reading) for one in alike(choosing) if one is not best]
        sentences.append(f"the nearest reading of the whole table is: {in_words(best.reading)}")
        if others:
            sentences.append(f"the draws cannot tell it from: {'; '.join(others)}")
        sentences += _on_other_half(whole.readings, best, halves)
    return sentences


def _on_other_half(readings: Sequence[Tried], best: Tried, halves: Halves) -> list[str]:
    """Return how the reading that was chosen does on the data sets that took no part in the choice."""
    own = next((one.on(halves.testing) for one in readings if not one.reading), None)
    chosen = next(one.on(halves.testing) for one in readings if one.reading == best.reading)
    if own is None or not own.cells or not best.reading:
        return []
    change = difference(chosen, own)
    word = "nearer" if change.value < 0 else "farther"
    sure = "which is more" if change.p < LEVEL else "which is not more"
    return [
        f"on the other data sets its distance is {chosen.distance:.3f}: {abs(change.value):.3f} {word} than the "
        f"table's own reading, {sure} than the noise of the draws"
    ]


def importance_picture(table: Table, stage: Stage) -> Bars:
    """Return the picture of how much each decision changes the distance."""
    changes = importance(table.axes, stage.readings) if stage.readings else {}
    order = sorted(changes, key=lambda name: -abs(changes[name].value))
    values = [abs(changes[name].value) for name in order]
    errors = [0.0 if isnan(changes[name].error) else ERRORS * changes[name].error for name in order]
    first = f"{order[0]} changes it most, by {values[0]:.3f}." if order else ""
    return Bars(
        "readings",
        f"What each decision changes in {table.name}",
        PictureAxis("change of the mean |log(ours / printed)|"),
        order,
        values,
        [max(0.0, value - error) for value, error in zip(values, errors, strict=True)],
        [value + error for value, error in zip(values, errors, strict=True)],
        words=f"The largest change of the distance that one alternative of a decision makes by itself. {first}".strip(),
    )


def _show(stage: Stage, rows: Sequence[dict[str, Any]]) -> None:
    say()
    say(f"{stage.title}:")
    show_table(_HEADERS, [_line(row) for row in rows[:SHOWN]], left=2)
    if len(rows) > SHOWN:
        say(f"and {len(rows) - SHOWN} more")
    for name in stage.unfinished:
        say(f"note       not finished: {name}")


_HEADERS = ("reading", "status", "distance", "on the other half", "farther than the nearest", "alike")


def _line(row: dict[str, Any]) -> list[str]:
    other = row["distance_testing"]
    error = row["farther_error"]
    farther = f"{row['farther']:.3f}" + ("" if error == "" else f" ({error:.3f})")
    return [
        row["reading"],
        row["status"],
        f"{row['distance_choosing']:.3f}",
        "" if other == "" else f"{other:.3f}",
        farther,
        "yes" if row["alike"] else "",
    ]


def _page(
    stem: str,
    table: Table,
    stages: Sequence[Stage],
    rows: Sequence[dict[str, Any]],
    halves: Halves,
    command: str,
    warned: str,
    has_picture: bool,
) -> str:
    lines = [f"# {table.name}: what the paper leaves open", "", f"`{command}`", ""]
    lines += [f"**{warned}**", ""] if warned else []
    lines += [f"- {capitalised(sentence)}." for sentence in conclusions(table, stages, halves)] + [""]
    lines += [f"![What each decision changes]({stem}.svg)", ""] if has_picture else []
    lines += [
        "The *distance* of a reading is the mean of |log(ours / printed)| over the cells and draws. *farther*: its",
        "difference from the nearest reading, draw by draw, with the standard error of the draws. *alike*: a t-test at",
        "5 %, over all comparisons of the stage together, does not tell the reading from the nearest one.",
        f"A reading is chosen by its distance on {', '.join(names_of(table, halves.choosing))}.",
        f"The other half takes no part in the choice: {', '.join(names_of(table, halves.testing))}.",
        "A reading that was chosen by this search gets no verdict.",
        "",
        "## The decisions",
        "",
        "| decision | alternatives (the first one is that of the table) | why |",
        "|---|---|---|",
        *(table_line([axis.name, _alternatives(axis), axis.why]) for axis in table.axes),
        "",
    ]
    for stage in stages:
        mine = [row for row in rows if row["stage"] == stage.title]
        lines += [f"## {capitalised(stage.title)}", ""]
        lines += [table_line(_HEADERS), "|---|---|---|---|---|---|", *(table_line(_line(row)) for row in mine), ""]
        lines += [f"Not finished: {'; '.join(stage.unfinished)}.", ""] if stage.unfinished else []
    return "\n".join(lines).rstrip("\n") + "\n"


def names_of(table: Table, groups: Sequence[str]) -> list[str]:
    """Return what printed data sets are called elsewhere: as their row, where they have a single one."""
    rows = {group: [row.name for row in table.rows if row.printed == group] for group in groups}
    return [names[0] if len(names) == 1 else group for group, names in rows.items()]


def _alternatives(axis: Axis) -> str:
    return "; ".join(
        f"{one.name} ({one.status}{': ' + ' '.join(one.overrides) if one.overrides else ''})"
        for one in axis.alternatives
    )


def _tried(stages: Sequence[Stage]) -> str:
    names = {in_words(one.reading) for stage in stages for one in stage.readings}
    names |= {name for stage in stages for name in stage.unfinished}
    return f"{len(names)} readings"


def _change(change: Difference) -> str:
    return f"{abs(change.value):.3f}" + ("" if isnan(change.error) else f" ({change.error:.3f})")


def _blank(value: float) -> float | str:
    """Return a number for a table, and nothing for one that is not defined."""
    return "" if isnan(value) else value
