"""``kernlearn explain MODEL FILE``: which columns and kernels a model uses, and which training rows decide a row."""

from kernlearn.cli.facts.model import Explanation
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


#: What ``--json`` prints.
Document = Explanation


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
