"""``kernlearn look FILE``: show how your own file is read, before you train on it."""

from kernlearn.cli.configuration.own import own_options
from kernlearn.cli.parser import Parser
from kernlearn.cli.work.reading import KEYS, look_at
from kernlearn.datasets import OWN


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


def main(argv: list[str]) -> int:
    """Print how a file is read, even if it is refused afterwards."""
    given = make_parser().parse_args(argv)
    look_at(OWN, {"path": given.file, **own_options(given.keys, KEYS)}, given.all)
    return 0
