"""``kernlearn predict MODEL FILE``: predict the rows of a new file, however long it is."""

import csv
import io
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from kernlearn.atomic import replacing
from kernlearn.cli.parser import Parser
from kernlearn.errors import UserError
from kernlearn.streams import tell

#: The column of predictions where the target has no name, or a column that is kept has the same.
PREDICTION = "prediction"


def make_parser() -> Parser:
    """Return the parser of the arguments."""
    parser = Parser(
        prog="kernlearn predict",
        description="Predict the rows of a file with a model of kernlearn fit or kernlearn.save. Columns are found by "
        "their names, in any order. A CSV file is read part by part, so it may be larger than the memory; ARFF and "
        "Parquet files are not.",
    )
    parser.add_argument("model", metavar="MODEL", help="a file of kernlearn fit")
    parser.add_argument("file", metavar="FILE", help="CSV, gzipped or not, ARFF or Parquet")
    parser.add_argument(
        "-o", "--output", metavar="OUT", default="-", help="the CSV file to write; - is standard output"
    )
    parser.add_argument("--scores", action="store_true", help="also write decision values")
    parser.add_argument("--proba", action="store_true", help="also write probabilities, of a model that has some")
    parser.add_argument("--keep", metavar="COLUMN", action="append", default=[], help="also write a column of FILE")
    parser.add_argument("--encoding", help="of a CSV file, as dataset.encoding")
    parser.add_argument("--delimiter", help="of a CSV file, in words, as dataset.delimiter")
    parser.add_argument("--force", action="store_true", help="replace OUT if it exists")
    return parser


def names(before: list[str]) -> tuple[str, ...]:
    """Return the completions after some arguments: files alone, which the shell knows."""
    return ()


def main(argv: list[str]) -> int:
    """Write the predictions, and say on the standard error stream what is to be known of them."""
    given = make_parser().parse_args(argv)
    if given.output != "-" and os.path.lexists(given.output) and not given.force:
        raise UserError(f"{given.output}: is there; give another name, or --force to replace it")
    from kernlearn.datasets.rows import NewRows
    from kernlearn.models.file import load
    from kernlearn.models.predictions import damaged, header_of, schema_of, table_of

    model = load(given.model)
    with damaged(given.model):
        schema, fills = schema_of(model)
        header = header_of(model, given.scores, given.proba)
    target = schema.target if schema.named and schema.target not in given.keep else PREDICTION
    rows = NewRows(Path(given.file), schema, given.keep, fills, given.encoding, given.delimiter)
    told = n = 0
    with _output(given.output) as write:
        write([[*given.keep, target or PREDICTION, *header]])
        for part in rows.parts():
            for note in rows.notes[told:]:
                tell(f"note       {note}")
            told = len(rows.notes)
            with damaged(given.model):
                columns = table_of(model, part.codes, given.scores, given.proba)
            write(zip(*part.kept, *columns, strict=True))
            n += len(part.codes)
    for note in rows.unseen_notes:
        tell(f"note       {note}")
    if given.output != "-":
        tell(f"predictions: {given.output} ({n} rows)")
    return 0


@contextmanager
def _output(name: str) -> Iterator[Callable[[Any], None]]:
    """Yield a function that writes rows as CSV, to a file that is there when all is written."""
    if name == "-":
        yield lambda rows: _write(sys.stdout, rows)
        return
    with replacing(Path(name)) as stream:
        text = io.TextIOWrapper(stream, "utf-8", newline="")
        yield lambda rows: _write(text, rows)
        text.flush()
        text.detach()


def _write(stream: Any, rows: Sequence[Sequence[Any]]) -> None:
    try:
        csv.writer(stream, lineterminator="\n").writerows(rows)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise UserError(f"the predictions cannot be written: {error.strerror}") from error
