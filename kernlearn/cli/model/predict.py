"""``kernlearn predict MODEL FILE``: predict the rows of a new file, however long it is."""

import csv
import io
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from kernlearn.atomic import replacing
from kernlearn.cli.parser import Parser, add_csv_options, csv_options
from kernlearn.errors import UserError
from kernlearn.streams import tell

#: The column of predictions where the target has no name, or a column that is kept has the same.
PREDICTION = "prediction"


def make_parser() -> Parser:
    """Return the parser of the arguments."""
    parser = Parser(
        prog="kernlearn predict",
        description="Predict the rows of a file with a model of kernlearn fit or kernlearn.save. Columns are found by "
        "their names, in any order. A CSV or libsvm file is read part by part, so it may be larger than the memory; "
        "ARFF and Parquet files are not.",
    )
    parser.add_argument("model", metavar="MODEL", help="a file of kernlearn fit")
    parser.add_argument("file", metavar="FILE", help="CSV or libsvm text, gzipped or not, ARFF, Parquet; or sentences")
    parser.add_argument(
        "-o", "--output", metavar="OUT", default="-", help="the CSV file to write; - is standard output"
    )
    parser.add_argument("--scores", action="store_true", help="also write decision values")
    parser.add_argument("--proba", action="store_true", help="also write probabilities, of a model that has some")
    parser.add_argument("--keep", metavar="COLUMN", action="append", default=[], help="also write a column of FILE")
    add_csv_options(parser)
    parser.add_argument("--force", action="store_true", help="replace OUT if it exists")
    return parser


def main(argv: list[str]) -> int:
    """Write the predictions, and say on the standard error stream what is to be known of them."""
    given = make_parser().parse_intermixed_args(argv)
    said = csv_options(given)
    if given.output != "-":
        from kernlearn.cli.model.output import output_file, require_no_input

        require_no_input(output_file(given.output, given.force, lambda file: False), given.file, given.model)
    from kernlearn.datasets.rows import NewRows
    from kernlearn.models.file import load
    from kernlearn.models.predictions import header_of, known_ranges, ordinal_of, predicting, schema_of, takes_sentences

    model = load(given.model)
    if takes_sentences(model):
        return _label_sentences(given, model, said)
    with predicting(given.model):
        schema, fills = schema_of(model)
        header = header_of(model, given.scores, given.proba)
    target = schema.target if schema.named and schema.target not in given.keep else PREDICTION
    ranges = known_ranges(given.model, len(schema.columns))
    rows = NewRows(Path(given.file), schema, given.keep, fills, said, ordinal_of(model), ranges)
    told = n = 0
    with _output(given.output) as write:
        for part in rows.parts():
            if not n:
                write([[*given.keep, target or PREDICTION, *header]])
            for note in rows.notes[told:]:
                tell(f"note       {note}")
            told = len(rows.notes)
            with predicting(given.model):
                columns = _filled(model, part, given.scores, given.proba, 1 + len(header))
            write(zip(*part.kept, *columns, strict=True))
            n += len(part.codes)
    for note in [*rows.lacking_notes("their predictions are empty"), *rows.unseen_notes]:
        tell(f"note       {note}")
    if given.output != "-":
        tell(f"predictions: {given.output} ({n} rows)")
    return 0


def _filled(model: Any, part: Any, scores: bool, proba: bool, width: int) -> list[list[Any]]:
    """Return the columns of predictions, which are empty in the rows that the model does not take."""
    from kernlearn.models.predictions import table_of

    if part.complete.all():
        return table_of(model, part.codes, scores, proba)
    columns: list[list[Any]] = [[""] * len(part.codes) for _ in range(width)]
    rows = part.complete.nonzero()[0].tolist()
    found = table_of(model, part.codes[part.complete], scores, proba) if rows else []
    for column, values in zip(columns, found, strict=False):
        for row, value in zip(rows, values, strict=True):
            column[row] = value
    return columns


def _label_sentences(given: Any, model: Any, said: Mapping[str, Any]) -> int:
    """Write a word and its label in every line, separated by a tab, and an empty line after every sentence."""
    from kernlearn.models.predictions import predicting
    from kernlearn.models.sentences import sentences_of

    if given.scores or given.proba or given.keep or said.keys() - {"encoding"}:
        raise UserError("--scores, --proba, --keep and keys: are for tables; of sentences every word gets its label")
    n = 0
    with _output(given.output) as write:
        for some in sentences_of(Path(given.file), model[0], said.get("encoding")):
            with predicting(given.model):
                features = model[0].transform(some)
                labels = list(features.split(model[-1].predict(features)))
                words = [[model[0].word_of(fields) for fields in sentence] for sentence in some]
            for pairs in map(zip, words, labels):
                write([*pairs, []], delimiter="\t", quoting=csv.QUOTE_NONE, quotechar=None)
            n += len(some)
    if given.output != "-":
        tell(f"predictions: {given.output} ({n} sentences)")
    return 0


@contextmanager
def _output(name: str) -> Iterator[Callable[..., None]]:
    """Yield a function that writes rows as CSV, to a file that is there when all is written."""
    if name == "-":
        yield partial(_write, sys.stdout)
        return
    with replacing(Path(name)) as stream:
        text = io.TextIOWrapper(stream, "utf-8", newline="")
        yield partial(_write, text)
        text.flush()
        text.detach()


def _write(stream: Any, rows: Sequence[Sequence[Any]], **style: Any) -> None:
    try:
        csv.writer(stream, lineterminator="\n", **style).writerows(rows)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise UserError(f"the predictions cannot be written: {error.strerror}") from error
