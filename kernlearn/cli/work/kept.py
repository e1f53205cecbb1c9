"""List tables and figures, and write reports and the scorecard from stored results, without computing anything."""

from collections.abc import Sequence
from math import prod
from pathlib import Path

from kernlearn.atomic import write_atomically
from kernlearn.cli.configuration.settings import require_writable
from kernlearn.cli.facts.reproduction import TableState, TheoremFacts
from kernlearn.cli.work.addition import partitions_file
from kernlearn.cli.work.table import available, plan_table, what_is_measured
from kernlearn.errors import UserError
from kernlearn.papers import figure_names, load_figure, load_table, table_names
from kernlearn.papers.checks.theorems import theorems
from kernlearn.papers.core.claims import require_answers
from kernlearn.papers.core.directories import keep_description
from kernlearn.report.figures import judge_figure, read_points
from kernlearn.report.layout import show_outcome, write_report
from kernlearn.report.pictures import draw_table
from kernlearn.report.reproduction import Reproduced, command_of_all, reproduced
from kernlearn.report.scorecard import scorecard
from kernlearn.report.terminal import say, show_table
from kernlearn.runner.provenance.record import warning
from kernlearn.runner.store.files import read_json


def list_paper(names: Sequence[str], seeds: Sequence[int], results: Path) -> list[TableState]:
    """Print the tables of a paper in a directory, and return them: their sizes, what they cost, and their state.

    Data that are not available have a line at the end, and cost nothing.
    """
    found, rows, lines = list[TableState](), [], list[str]()
    for name in names:
        table = load_table(name)
        datasets, absent = available(table.rows)
        planned = plan_table(table, datasets, seeds)
        require_answers(table, what_is_measured(table, planned))
        plans = [one.experiment.plan for one in planned]
        lines += [f"{name}: {remark}" for remark in table.remarks]
        lines += [f"{name}: no data for {line}" for line in absent]
        cells, problems = sum(len(plan.cells) for plan in plans), sum(prod(plan.problems.values()) for plan in plans)
        state = _state(results / f"{name}.provenance.json")
        found.append({"name": name, "title": table.title, "state": state, "cells": cells, "problems": problems})
        counts = len(table.rows), len(table.columns), table.n_printed, cells, problems
        rows.append((name, *(f"{count:,}" for count in counts), state, table.title))
    show_table(("table", "rows", "columns", "printed", "cells", "problems", "state", "what it is"), rows)
    for line in lines:
        say(line)
    return found


def list_tables(results: Path) -> list[TableState]:
    """Print every table with its state, and return them."""
    titles = {name: load_table(name).title for name in table_names()}
    titles |= {name: load_figure(name).title for name in figure_names()}
    found: list[TableState] = [
        {
            "name": name,
            "title": title,
            "state": _state(results / f"{name}.provenance.json"),
            "cells": None,
            "problems": None,
        }
        for name, title in titles.items()
    ]
    show_table(("table", "state", "what it is"), [(one["name"], one["state"], one["title"]) for one in found], left=3)
    return found


def list_theorems() -> list[TheoremFacts]:
    """Print every numbered statement of the papers with the table or figure that computes it, and return them."""
    found: list[TheoremFacts] = [
        {"paper": paper, "name": one.name, "says": one.says, "where": one.where, "note": one.note}
        for paper, stated in theorems().items()
        for one in stated
    ]
    rows = [(f"{one['paper']} {one['name']}", one["where"] or "not computed", one["says"]) for one in found]
    show_table(("statement", "computed in", "what it says"), rows, left=3)
    return found


def _state(record: Path) -> str:
    try:
        return str(read_json(record)["state"])
    except FileNotFoundError:
        return "not run"
    except (OSError, ValueError, KeyError, TypeError):
        return "damaged"


def judge_again(names: Sequence[str], results: Path) -> list[str]:
    """Write the reports of tables and figures, or of all if none is named, again; return their paths.

    Raises `UserError` if there are no stored rows.
    """
    kept = [table for table in table_names() if partitions_file(results, table).exists()]
    figures = [figure for figure in figure_names() if (results / f"{figure}.csv").exists()]
    known = [*kept, *figures]
    asked = [name for name in names if name in known]
    if names and not asked:
        raise UserError(f"--judge: {results} has no results of {names[0]}, only of: {', '.join(known) or 'no table'}")
    if not kept and not figures:
        raise UserError(f"--judge: {results} has no partitions of any table; kernlearn reproduce TABLE computes them")
    require_writable(results)
    reports = []
    for figure in [one for one in figures if one in asked or not names]:
        warning = _warning(results / f"{figure}.provenance.json")
        reports.append(str(judge_figure(load_figure(figure), results, warning)))
        say(f"results: {reports[-1]}")
    for one in (reproduced(name, results) for name in kept if name in asked or not names):
        if names:
            show_outcome(one)
        reports.append(str(write_again(one, results)))
        say(f"results: {reports[-1]}")
    return reports


def write_again(one: Reproduced, results: Path) -> Path:
    """Write the report and the drawings of a table from its stored measurements; return the path of the report."""
    table, command = one.table, command_of_all(one.table, one.partitions)
    picture = (results / table.name).with_suffix(".svg")
    drawn = picture.name if picture.exists() else ""
    if drawn:
        _draw_again(one, results)
    keep_description(table.name, results)
    return write_report(results / table.name, one, command, drawn, _warning(results / f"{table.name}.provenance.json"))


def _draw_again(reproduction: Reproduced, results: Path) -> None:
    """Write the drawings of a table again."""
    table = reproduction.table
    files = {name: results / f"{table.name}_{name}.csv" for name in table.points}
    points = {name: read_points(file) for name, file in files.items() if file.exists()}
    for ending, content in draw_table(table, reproduction.rows, points).items():
        write_atomically((results / table.name).with_suffix(ending), content)


def _warning(path: Path) -> str:
    """Return the warning of a stored record for the head of its table."""
    try:
        return warning(read_json(path))
    except (OSError, ValueError, LookupError, TypeError, AttributeError):  # no record, or of another format
        return ""


def write_scorecard(results: Path) -> str:
    """Write the scorecard of all tables and figures, and return its path."""
    target = results / "SCORECARD.md"
    require_writable(results)
    write_atomically(target, scorecard(results).encode())
    say(f"results: {target}")
    return str(target)
