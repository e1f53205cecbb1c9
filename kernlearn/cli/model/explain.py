"""``kernlearn explain MODEL FILE``: which columns and kernels a model uses, and which training rows decide a row."""

from typing import TypedDict

from kernlearn.cli.parser import Parser, add_csv_options, csv_options
from kernlearn.documents import deliver
from kernlearn.errors import UserError

#: Training rows that are shown of one decision.
SHOWN = 10


def make_parser() -> Parser:
    """Return the parser of the arguments."""
    parser = Parser(
        prog="kernlearn explain",
        description="Explain a model on a file with known targets: how much the error grows when the values of a "
        "column are shuffled, and the learned weights of kernels. With --row K: which training rows decide row K.",
    )
    parser.add_argument("model", metavar="MODEL", help="a file of kernlearn fit or kernlearn.save")
    parser.add_argument("file", metavar="FILE", help="CSV or libsvm text, gzipped or not, ARFF or Parquet")
    parser.add_argument("--row", type=int, metavar="K", help="the number of a row, the first one below the header is 1")
    parser.add_argument("--top", type=int, default=SHOWN, metavar="N", help=f"training rows to show ({SHOWN})")
    parser.add_argument("--repeats", type=int, default=10, metavar="R", help="times that every column is shuffled (10)")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="of the shuffling")
    parser.add_argument("--target", metavar="COLUMN", help="the column with the targets, if its name is another one")
    add_csv_options(parser)
    return parser


class ColumnImportance(TypedDict):
    """By how much the error grows if the values of one column are shuffled."""

    column: str
    #: The mean over all shuffles.
    increase: float
    std: float


class Importance(TypedDict):
    """The importance of columns."""

    #: "error_pct" or "rmse".
    score: str
    #: The score without shuffling.
    value: float
    #: The number of rows, which are drawn if the file has more.
    rows: int
    #: The number of times that each column is shuffled.
    repeats: int
    #: The most important column first.
    columns: list[ColumnImportance]


class KernelShare(TypedDict):
    """The share of a kernel in an expansion."""

    #: The kernel, in words.
    kernel: str
    #: Its weights or its share, in the order of ``titles``.
    values: list[float]


class Kernels(TypedDict):
    """The kernels of an expansion, the one with the largest value first."""

    #: The number of kernels that the model chose from.
    of: int
    #: What the values are: "weight", "weight for CLASS", or "share %" of the absolute coefficients. Empty for a single
    #: kernel.
    titles: list[str]
    kernels: list[KernelShare]


class Term(TypedDict):
    """The contribution of a training row to a decision."""

    #: From 1.
    training_row: int
    contribution: float
    #: Of the sum of all absolute contributions.
    share_pct: float
    #: A class, "not CLASS", "larger" or "smaller".
    in_favour_of: str
    #: Null if several kernels are used.
    kernel_value: float | None


class RowDecision(TypedDict):
    """Why the model decides about a row as it does."""

    #: The number of the row, from 1.
    row: int
    predicted: str | float
    true: str | float
    #: The decision value that is explained, and the class that it is for; null for a regression or two classes.
    decision: float
    of_class: str | None
    intercept: float
    #: The number of training rows that contribute.
    training_rows: int
    #: Those with the largest contributions.
    terms: list[Term]


class Document(TypedDict):
    """What a model rests on: its columns and kernels, or the training rows that decide one row."""

    #: The model and the data, as they were given.
    model: str
    file: str
    #: Null with --row.
    importance: Importance | None
    #: Null with --row, and for a model without kernels.
    kernels: Kernels | None
    #: Null without --row.
    row: RowDecision | None


def main(argv: list[str]) -> int:
    """Print the explanation."""
    given = make_parser().parse_intermixed_args(argv)
    for key, value in (("--top", given.top), ("--repeats", given.repeats)):
        if value < 1:
            raise UserError(f"{key} {value}: must be at least 1")
    if not 0 <= given.seed < 2**32:
        raise UserError(f"--seed {given.seed}: must be at least 0 and less than 2^32")
    from kernlearn.cli.model.explained import importance_of, kernels_of, place_of, row_of, show
    from kernlearn.cli.model.labelled import read_labelled
    from kernlearn.cli.model.measured import trained_on
    from kernlearn.models.file import load_header
    from kernlearn.models.predictions import predicting
    from kernlearn.report.terminal import say_note

    rows = read_labelled(given.model, given.file, given.target, csv_options(given, "target"))
    document: Document = {
        "model": given.model,
        "file": given.file,
        "importance": None,
        "kernels": None,
        "row": None,
    }
    try:
        place = None if given.row is None else place_of(rows, given.row)
    except UserError as error:
        raise UserError(f"{given.file}: {error}") from None
    with predicting(given.model):
        known = trained_on(rows, load_header(given.model), given.file, "the importances") if place is None else []
        for note in [*known, *rows.notes]:
            say_note(note)
        if place is not None:
            document["row"] = row_of(rows, place, given.top)
        else:
            document["importance"] = importance_of(rows, given.repeats, given.seed)
            document["kernels"] = kernels_of(rows)
    show(document, len(rows.codes))
    deliver(document)
    return 0
