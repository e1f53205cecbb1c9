"""List tables and figures, and write reports and the scorecard from stored results, without computing anything."""

from pathlib import Path

from kernlearn.atomic import write_atomically
from kernlearn.cli.configuration.settings import require_writable
from kernlearn.cli.facts.reproduction import TableState
from kernlearn.cli.work.addition import partitions_file
from kernlearn.errors import UserError
from kernlearn.papers import figure_names, load_figure, load_table, table_names
from kernlearn.report.figures import judge_figure
from kernlearn.report.layout import write_report
from kernlearn.report.reproduction import command_of_all, reproduced
from kernlearn.report.scorecard import scorecard
from kernlearn.report.terminal import say, show_table
from kernlearn.runner.provenance.record import warning
from kernlearn.runner.store.files import read_json


def list_tables(results: Path) -> list[TableState]:
    """Print every table with its state, and return them."""
    titles = {name: load_table(name).title for name in table_names()}
    titles |= {name: load_figure(name).title for name in figure_names()}
    found: list[TableState] = [
        {"name": name, "title": title, "state": _state(results / f"{name}.provenance.json")}
        for name, title in titles.items()
    ]
    show_table(("table", "state", "what it is"), [(one["name"], one["state"], one["title"]) for one in found], left=3)
    return found


def _state(record: Path) -> str:
    try:
        return str(read_json(record)["state"])
    except FileNotFoundError:
        return "not run"
    except (OSError, ValueError, KeyError, TypeError):
        return "damaged"


def judge_again(name: str | None, results: Path) -> list[str]:
    """Write the report of a table or figure, or of all if None, again from the stored rows; return their paths.

    Raises `UserError` if there are no stored rows.
    """
    kept = [table for table in table_names() if partitions_file(results, table).exists()]
    figures = [figure for figure in figure_names() if (results / f"{figure}.csv").exists()]
    if name is not None and name not in (known := [*kept, *figures]):
        raise UserError(f"--judge: {results} has no results of {name}, only of: {', '.join(known) or 'no table'}")
    if not kept and not figures:
        raise UserError(f"--judge: {results} has no partitions of any table; kernlearn reproduce TABLE computes them")
    require_writable(results)
    reports = []
    for figure in [one for one in figures if name in (one, None)]:
        warning = _warning(results / f"{figure}.provenance.json")
        reports.append(str(judge_figure(load_figure(figure), results, warning)))
        say(f"results: {reports[-1]}")
    for table, partitions, rows, claims in (reproduced(one, results) for one in kept if name in (one, None)):
        command = command_of_all(table, partitions)
        picture = (results / table.name).with_suffix(".svg")
        drawn = picture.name if picture.exists() else ""
        warning = _warning(results / f"{table.name}.provenance.json")
        report = write_report(results / table.name, table, rows, partitions, claims, command, drawn, warning)
        reports.append(str(report))
        say(f"results: {report}")
    return reports


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
