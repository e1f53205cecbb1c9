"""``kernlearn look FILE``: show how your own file is read, before you train on it."""

from typing import TypedDict

from kernlearn.cli.configuration.own import own_options
from kernlearn.cli.facts.data import DataFacts, data_facts
from kernlearn.cli.parser import Parser
from kernlearn.cli.work.reading import KEYS, look_at
from kernlearn.datasets import OWN, Column
from kernlearn.documents import deliver


def make_parser() -> Parser:
    """Return the parser of the arguments."""
    parser = Parser(
        prog="kernlearn look",
        description="Show how a data file is read: every column with its role, its type and the key that changes it, "
        "and the examples, features and classes.",
    )
    parser.add_argument("file", metavar="FILE", help="CSV, ARFF, libsvm or Parquet; with format=conll, sentences")
    parser.add_argument(
        "keys",
        nargs="*",
        default=[],
        metavar="KEY=VALUE",
        help=f"{', '.join(KEYS)}, as in dataset.KEY=VALUE of kernlearn run",
    )
    parser.add_argument("--all", action="store_true", help="show every column of a wide file, not only its kinds")
    return parser


def names(before: list[str]) -> tuple[str, ...]:
    """Return the completions after some arguments."""
    return tuple(f"{key}=" for key in KEYS) if before else ()


class FileColumn(TypedDict):
    """How a column of a file is read."""

    #: From 0; null for a line about several columns.
    number: int | None
    name: str
    #: "feature", "target", "index" or "dropped".
    role: str
    #: "number", "boolean", "date", "category", "text", or "class" for a target of classes; null if it is not read.
    type: str | None
    #: Missing cells, or the number of different values, in words.
    content: str
    #: How role and type were found out, in words.
    found_by: str
    #: The key that changes role or type; null if there is none.
    key: str | None
    #: The number of rows without a value.
    missing: int


class Document(TypedDict):
    """How a file is read. The document of a refused file has its columns, if they could be read."""

    #: The file, as it was given.
    file: str
    #: The columns of a table; empty for sentences and sparse files.
    columns: list[FileColumn]
    data: DataFacts


def main(argv: list[str]) -> int:
    """Print how a file is read, even if it is refused afterwards."""
    given = make_parser().parse_args(argv)
    columns: list[FileColumn] = []

    def use(found: list[Column]) -> None:
        columns.extend(map(_column, found))
        deliver({"file": given.file, "columns": columns})

    options = {"path": given.file, **own_options(given.keys, KEYS)}
    data = look_at(OWN, options, given.all, use)
    document: Document = {
        "file": given.file,
        "columns": columns,
        "data": data_facts(data, options.get("task") == "regression"),
    }
    deliver(document)
    return 0


def _column(one: Column) -> FileColumn:
    return {
        "number": int(one.number) if one.number.isdigit() else None,
        "name": one.name,
        "role": one.role,
        "type": one.type or None,
        "content": one.content,
        "found_by": one.reason,
        "key": one.key.replace("NAME", one.word or "NAME") or None,
        "missing": one.n_missing,
    }
