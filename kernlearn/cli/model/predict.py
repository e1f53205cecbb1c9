"""``kernlearn predict MODEL FILE``: predict the rows of a new file, however long it is."""

import csv
import io
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NotRequired, TypedDict

from kernlearn.atomic import replacing
from kernlearn.cli.parser import Parser, add_csv_options, csv_options
from kernlearn.documents import add_note, deliver, wanted
from kernlearn.errors import UserError
from kernlearn.runner.store.tables import csv_writer
from kernlearn.streams import tell

#: The column of predictions where the target has no name, or a column that is kept has the same.
PREDICTION = "prediction"
#: The most rows of predictions in a JSON document, which is kept in memory.
MOST_ROWS = 100_000
Rows = Iterable[Sequence[Any]]


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


class Document(TypedDict):
    """The predictions of a model."""

    #: The model and the data, as they were given.
    model: str
    file: str
    #: The file with the predictions; null without -o.
    output: str | None
    #: Rows, or sentences.
    rows: int
    #: The names of the columns of the predictions; empty for sentences.
    columns: list[str]
    #: The predictions, unless there is -o: a row for each row of the file, with texts of classes and of kept columns,
    #: and numbers. Predictions are null in rows that the model does not take. For sentences: a row for each word, with
    #: the word and its label, and an empty row after each sentence.
    predictions: NotRequired[list[list[str | float | None]]]


def main(argv: list[str]) -> int:
    """Write the predictions, and say on the standard error stream what is to be known of them."""
    given = make_parser().parse_intermixed_args(argv)
    said = csv_options(given)
    if given.output != "-":
        from kernlearn.cli.model.output import output_file, require_no_input

        require_no_input(output_file(given.output, given.force, lambda file: False), given.file, given.model)
    from kernlearn.models.file import load
    from kernlearn.models.predictions import takes_sentences

    model = load(given.model)
    document: Document = {"model": given.model, "file": given.file, "output": None, "rows": 0, "columns": []}
    parts = (_labels if takes_sentences(model) else _table)(given, model, said, document)
    if given.output != "-":
        document["output"] = given.output
        with replacing(Path(given.output)) as stream:
            text = io.TextIOWrapper(stream, "utf-8", newline="")
            _write(text, parts, document)
            text.flush()
            text.detach()
        tell(f"predictions: {given.output} ({document['rows']} {'rows' if document['columns'] else 'sentences'})")
    elif wanted():
        document["predictions"] = _gathered(parts, document)
    else:
        _write(sys.stdout, parts, document)
    deliver(document)
    return 0


def _table(given: Any, model: Any, said: Mapping[str, Any], document: Document) -> Iterator[Rows]:
    """Yield the header and the predictions of a table, part by part; the document receives the number of rows."""
    from kernlearn.datasets.rows import NewRows
    from kernlearn.models.predictions import header_of, known_ranges, ordinal_of, predicting, schema_of

    with predicting(given.model):
        schema, fills = schema_of(model)
        header = header_of(model, given.scores, given.proba)
    target = schema.target if schema.named and schema.target not in given.keep else PREDICTION
    ranges = known_ranges(given.model, len(schema.columns))
    rows = NewRows(Path(given.file), schema, given.keep, fills, said, ordinal_of(model), ranges)
    document["columns"], told = [*given.keep, target or PREDICTION, *header], 0
    for part in rows.parts():
        if not document["rows"]:
            yield [document["columns"]]
        _tell_notes(rows.notes[told:])
        told = len(rows.notes)
        with predicting(given.model):
            columns = _filled(model, part, given.scores, given.proba, 1 + len(header))
        yield zip(*part.kept, *columns, strict=True)
        document["rows"] += len(part.codes)
    _tell_notes([*rows.lacking_notes("their predictions are empty"), *rows.unseen_notes])


def _tell_notes(notes: Sequence[str]) -> None:
    for note in notes:
        tell(f"note       {note}")
        add_note(note)


def _filled(model: Any, part: Any, scores: bool, proba: bool, width: int) -> list[list[Any]]:
    """Return the columns of predictions, which are empty in the rows that the model does not take."""
    from kernlearn.models.predictions import table_of

    if part.complete.all():
        return table_of(model, part.codes, scores, proba)
    columns: list[list[Any]] = [[None] * len(part.codes) for _ in range(width)]
    rows = part.complete.nonzero()[0].tolist()
    found = table_of(model, part.codes[part.complete], scores, proba) if rows else []
    for column, values in zip(columns, found, strict=False):
        for row, value in zip(rows, values, strict=True):
            column[row] = value
    return columns


def _labels(given: Any, model: Any, said: Mapping[str, Any], document: Document) -> Iterator[Rows]:
    """Yield the words of sentences with their labels, and an empty row after every sentence, part by part."""
    from kernlearn.models.predictions import predicting
    from kernlearn.models.sentences import sentences_of

    if given.scores or given.proba or given.keep or said.keys() - {"encoding"}:
        raise UserError("--scores, --proba, --keep and keys: are for tables; of sentences every word gets its label")
    for some in sentences_of(Path(given.file), model[0], said.get("encoding")):
        with predicting(given.model):
            features = model[0].transform(some)
            labels = list(features.split(model[-1].predict(features)))
            words = [[model[0].word_of(fields) for fields in sentence] for sentence in some]
        for pairs in map(zip, words, labels):
            yield [*pairs, ()]
        document["rows"] += len(some)


def _gathered(parts: Iterable[Rows], document: Document) -> list[Any]:
    """Return the rows of predictions for the document.

    Raises `UserError` if there are more than `MOST_ROWS`.
    """
    found: list[Any] = []
    for rows in parts:
        found += map(list, rows)
        if len(found) > MOST_ROWS:
            raise UserError(f"--json: has at most {MOST_ROWS:,} rows of predictions; write more to a file, with -o OUT")
    return found[1:] if document["columns"] else found


def _write(stream: Any, parts: Iterable[Rows], document: Document) -> None:
    """Write rows as CSV, or words and their labels with a tab between them."""
    for rows in parts:
        words: Any = {"delimiter": "\t", "quoting": csv.QUOTE_NONE, "quotechar": None, "lineterminator": "\n"}
        try:
            (csv_writer(stream) if document["columns"] else csv.writer(stream, **words)).writerows(rows)
        except BrokenPipeError:
            raise
        except OSError as error:
            raise UserError(f"the predictions cannot be written: {error.strerror}") from error
