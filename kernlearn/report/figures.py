"""The files of a figure: points, report, drawings and provenance."""

from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

from kernlearn.atomic import write_atomically
from kernlearn.errors import UserError, one_line
from kernlearn.papers import Figure, load_table
from kernlearn.papers.checks.figure import is_of_checks
from kernlearn.papers.checks.theorems import standing_of_figure
from kernlearn.papers.core.claims import claims_of_figure
from kernlearn.papers.core.measured import Claim, Measured
from kernlearn.parameters import is_number
from kernlearn.report.markdown import table_line
from kernlearn.report.pictures import draw_figure
from kernlearn.report.reproduction import read_partitions
from kernlearn.report.terminal import say, show_table
from kernlearn.runner.provenance.record import warning, write_provenance
from kernlearn.runner.store.records import Provenance
from kernlearn.runner.store.tables import read_csv, write_csv

Rows = list[dict[str, Any]]
#: Where the statements of a report were checked: those of a work may stand in several reports.
IN_FIGURE = " in this report"
T = TypeVar("T")


class WrittenFigure(NamedTuple):
    """What was written of a figure."""

    #: The path of the report.
    report: Path
    claims: Sequence[Claim]
    #: The errors if claims or a picture cannot be made from the rows. The other files are still written, and the report
    #: has the errors.
    troubles: dict[str, Exception]


def write_figure(
    figure: Figure, rows: Rows, target: Path, record: Provenance, state: str, repetitions: int = 0
) -> WrittenFigure:
    """Print the paper's claims on a figure with verdicts, and write its points, report, drawings and provenance.

    Raises `UserError` if matplotlib is not installed. Nothing is written then.

    Parameters
    ----------
    rows : list of dict
        Its points.
    target : Path
        The path of the report. The other files are beside it and have the same stem.
    record : Provenance
        From `kernlearn.runner.provenance.record.provenance`.
    state : str
        How much of the figure is finished.
    repetitions : int
        The requested number of repetitions.
    """
    troubles: dict[str, Exception] = {}
    drawings = _tried("picture", lambda: draw_figure(figure, rows), troubles) or {}
    claims = _tried("claims", lambda: claims_of_figure(figure, rows), troubles) or []
    if figure.references:
        lines = [[row["setting"], f"{row['reference']:g}", f"{row['ours']:.6f}"] for row in figure.references]
        show_table(("value", "reference", "ours"), lines)
    for claim, value, judgement in claims:
        say(f"{judgement}: {claim} ({value})")
    report = figure_report(figure, claims, repetitions, warning(record), troubles)  # made before anything is written
    write_csv(target.with_suffix(".csv"), rows)
    for suffix, content in {**drawings, ".md": report.encode()}.items():
        write_atomically(target.with_suffix(suffix), content)
    write_provenance(target.with_suffix(".provenance.json"), record, {"state": state})
    return WrittenFigure(target, claims, troubles)


def _tried(what: str, make: Callable[[], T], troubles: dict[str, Exception]) -> T | None:
    """Return the result of `make`, or record its error: the computed rows are written in any case."""
    try:
        return make()
    except UserError:
        raise
    except Exception as error:
        troubles[what] = error
        return None


def judge_figure(figure: Figure, results: Path, warning: str = "") -> Path:
    """Write the report and, with matplotlib, the drawings of a figure again from its stored points; return the path.

    If a claim cannot be judged or a picture cannot be drawn, nothing is written.
    """
    target = results / f"{figure.name}.md"
    rows = read_points(target.with_suffix(".csv"))
    repetitions = len({row["seed"] for row in rows}) if figure.cell else 0
    report = figure_report(
        figure, claims_of_figure(figure, rows), repetitions, warning
    )  # all is made before anything is written
    drawings = draw_figure(figure, rows) if find_spec("matplotlib") else {}
    for suffix, content in {**drawings, ".md": report.encode()}.items():
        write_atomically(target.with_suffix(suffix), content)
    return target


def kept_tables(figure: Figure, results: Path) -> list[Measured]:
    """Return the stored tables from which a figure is made; most figures have none.

    Raises `UserError` if a table has not been reproduced yet.
    """
    tables = []
    for table in figure.tables:
        path = results / f"{table}_partitions.csv"
        if not path.exists():
            raise UserError(
                f"{figure.name} is made from {path}, which does not exist: run kernlearn reproduce {table} first"
            )
        tables.append(Measured(read_partitions(path, load_table(table))))
    return tables


def command_of(figure: Figure, repetitions: int, only: Sequence[str] = ()) -> str:
    """Return the command that computes some repetitions of a figure, or only the cells with some options."""
    seeds = f" --seeds {repetitions}" if repetitions != figure.repetitions else ""
    return " ".join([f"kernlearn reproduce {figure.name}{seeds}", *(["--only", *only] if only else [])])


def read_points(path: Path) -> Rows:
    """Return the points in a figure's file. A column with a value that is not a number is read as text.

    Raises `UserError` if the file is damaged.
    """
    rows = read_csv(path)
    numbers = {key for key in (rows[0] if rows else ()) if all(is_number(row[key]) for row in rows)}
    return [{key: float(value) if key in numbers else value for key, value in row.items()} for row in rows]


def figure_report(
    figure: Figure,
    claims: Sequence[Claim],
    repetitions: int = 0,
    warning: str = "",
    troubles: Mapping[str, Exception] = MappingProxyType({}),
) -> str:
    """Return the report of a figure: a warning if there is one, the drawing, reference values, claims and readings.

    `troubles` has the errors if the picture or the claims could not be made.
    """
    stem = figure.name.rpartition("/")[2]
    lines = [f"# {figure.name}: {figure.title}", "", f"`{command_of(figure, repetitions)}`", ""]
    lines += [f"**{warning}**", ""] if warning else []
    lines += [f"The claims are not testable: {figure.reduced}.", ""] if figure.reduced else []
    drawing = (
        f"No picture: {one_line(troubles['picture'])}" if "picture" in troubles else f"![{figure.title}]({stem}.svg)"
    )
    points = f"{'Numbers' if is_of_checks(figure) else 'Points of the curves'}: [{stem}.csv]({stem}.csv)"
    lines += [points, ""] if is_of_checks(figure) else [drawing, "", points, ""]
    if figure.references:
        lines += ["## Reference values", "", "Values of the printed formulas. The paper does not print them.", ""]
        lines += ["| value | reference | ours | |", "|---|---|---|---|"]
        for row in figure.references:
            verdict = "match" if row["agree"] else "differs"
            numbers = f"{row['reference']:g}", f"{row['ours']:.6f}"
            lines.append(table_line([row["setting"].replace(";", ", "), *numbers, verdict]))
        lines.append("")
    lines += ["## Claims", ""]
    if "claims" in troubles:
        lines.append(f"Not judged: {one_line(troubles['claims'])}")
    else:
        if words := standing_of_figure(figure.name, claims).in_words(IN_FIGURE):
            lines += [f"{words}.", ""]
        lines += ["| claim | found | |", "|---|---|---|"]
        lines += map(table_line, claims)
    lines += ["", drawing] if is_of_checks(figure) else []
    lines += ["", "## Readings", "", *(f"- **{key}**: {text}" for key, text in figure.readings.items())]
    return "\n".join(lines) + "\n"
