"""``kernlearn paper new DIR --from printed.csv``: start a paper of your own from a table of printed numbers."""

from pathlib import Path
from typing import TypedDict

from kernlearn.cli.parser import Parser
from kernlearn.datasets.userfile import ENCODINGS
from kernlearn.documents import deliver
from kernlearn.errors import UserError
from kernlearn.evaluation import METRICS
from kernlearn.papers.core.directories import check_paper
from kernlearn.papers.draft.wide import read_table
from kernlearn.papers.draft.write import draft
from kernlearn.papers.own.files import check_name, create_files
from kernlearn.papers.own.remarks import check_possible
from kernlearn.report.terminal import say, shown_path


class Document(TypedDict):
    """The draft of a table."""

    #: The files that were written: the description, and the printed values.
    files: list[str]
    metric: str
    rows: int
    columns: int
    #: Printed values, and how many of them have a deviation.
    values: int
    deviations: int
    #: How the file was understood, in words.
    remarks: list[str]
    #: What was guessed from the names of rows and columns, in words.
    guesses: list[str]
    #: The rows and columns without a guess, in words.
    to_fill_in: list[str]


def make_parser() -> Parser:
    """Return the parser of the arguments."""
    parser = Parser(prog="kernlearn paper", description="Write the files of a paper of your own.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    new = commands.add_parser(
        "new",
        help="write a table's description and its values from a file of printed numbers",
        description="Write DIR/TABLE.yaml and DIR/TABLE.csv. Methods and data sets are guessed by their names, and "
        "what is guessed is marked. Files that exist are not changed.",
    )
    new.add_argument("directory", metavar="DIR", help="directory of the paper; its name is that of the paper")
    new.add_argument(
        "--from",
        dest="source",
        required=True,
        metavar="FILE",
        help="rows are data sets, columns methods, cells such as 5.05 or 5.05 ± 0.65: CSV, Markdown or LaTeX",
    )
    new.add_argument("--table", default="table1", metavar="NAME", help="name of the table (default table1)")
    new.add_argument(
        "--metric", default="error_pct", choices=sorted(METRICS), help="what is printed (default error_pct)"
    )
    new.add_argument("--turned", action="store_true", help="rows of FILE are methods, columns data sets")
    new.add_argument("--delimiter", choices=("comma", "semicolon", "tab", "pipe"), help="sign between cells")
    new.add_argument("--encoding", choices=tuple(ENCODINGS), metavar="NAME", help="encoding of FILE, such as cp1252")
    return parser


def main(argv: list[str]) -> int:
    """Write the draft of a table, and print how the file was understood and what was guessed."""
    given = make_parser().parse_args(argv)
    directory = Path(given.directory).expanduser()
    check_paper(directory.absolute().name, directory)
    table = check_name(given.table, f"--table {given.table}: the name of a table")
    printed = read_table(
        Path(given.source).expanduser(), delimiter=given.delimiter, encoding=given.encoding, turned=given.turned
    )
    for (row, column), cell in printed.cells.items():
        if cell.mean:
            check_possible(f"{given.source}: {row}, {column}", METRICS[given.metric], cell.mean)
    made = draft(printed, given.metric)
    files = {directory / f"{table}.yaml": made.description, directory / f"{table}.csv": made.values}
    try:
        create_files(files)
    except FileExistsError as error:
        raise UserError(f"{error.filename}: exists and is not changed; give --table NAME or another DIR") from None
    values = [cell for cell in printed.cells.values() if cell.mean]
    deviations = sum(bool(cell.std) for cell in values)
    size = f"{len(printed.rows)} rows x {len(printed.columns)} columns"
    say(f"read       {size}: {len(values)} values of {given.metric}, {deviations} with a deviation")
    for word, lines in (("note", printed.remarks), ("guess", made.guesses), ("fill in", made.open)):
        for line in lines:
            say(f"{word:<10} {line}")
    for file in files:
        say(f"wrote      {shown_path(file)}")
    say(f"next       read {shown_path(directory)}/{table}.yaml, and run kernlearn reproduce {given.directory} --list")
    document: Document = {
        "files": [str(file) for file in files],
        "metric": given.metric,
        "rows": len(printed.rows),
        "columns": len(printed.columns),
        "values": len(values),
        "deviations": deviations,
        "remarks": list(printed.remarks),
        "guesses": list(made.guesses),
        "to_fill_in": list(made.open),
    }
    deliver(document)
    return 0
