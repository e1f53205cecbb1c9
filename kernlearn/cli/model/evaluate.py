"""``kernlearn evaluate MODEL FILE``: how well a model does on rows with known targets."""

from collections.abc import Sequence

from kernlearn.cli.facts.model import Evaluation
from kernlearn.cli.parser import Parser, add_csv_options, csv_options
from kernlearn.documents import deliver

#: The largest number of classes whose confusion matrix is printed.
MOST_CLASSES = 20


def make_parser() -> Parser:
    """Return the parser of the arguments."""
    parser = Parser(
        prog="kernlearn evaluate",
        description="Evaluate a model on a file with known targets: all scores with 95 % intervals, the confusion "
        "matrix, and precision and recall of every class. It warns if the model was trained on these rows.",
    )
    parser.add_argument("model", metavar="MODEL", help="a file of kernlearn fit or kernlearn.save")
    parser.add_argument("file", metavar="FILE", help="CSV or libsvm text, gzipped or not, ARFF or Parquet")
    parser.add_argument("--target", metavar="COLUMN", help="the column with the targets, if its name is another one")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="of the resampled rows")
    add_csv_options(parser)
    return parser


#: What ``--json`` prints.
Document = Evaluation


def main(argv: list[str]) -> int:
    """Print the evaluation."""
    given = make_parser().parse_intermixed_args(argv)
    from kernlearn.cli.model.labelled import read_labelled
    from kernlearn.cli.model.measured import measured, trained_on
    from kernlearn.cli.model.tagged import read_tagged
    from kernlearn.models.file import load, load_header
    from kernlearn.models.predictions import predicting, takes_sentences

    model, said = load(given.model), csv_options(given, "target")
    if takes_sentences(model):
        rows = read_tagged(given.model, model, given.file, {"target": given.target, **said})
    else:
        rows = read_labelled(given.model, given.file, given.target, said, model)
    with predicting(given.model):
        document = measured(rows, given.model, given.file, given.seed)
        trained = trained_on(rows, load_header(given.model), given.file, "the scores")
    _show(document, [*trained, *rows.notes])
    deliver(document)
    return 0


def _show(found: Evaluation, notes: Sequence[str]) -> None:
    from kernlearn.evaluation import METRICS
    from kernlearn.evaluation.metrics import digits_of, rounded
    from kernlearn.report.terminal import say, say_note, show_table

    say(f"model      {found['model']['file']}: {found['model']['class']}")
    data = found["data"]
    size = f"{data['rows']} sentences of {data['words']} words" if "words" in data else f"{data['rows']} rows"
    say(f"data       {data['file']}: {size}")
    for note in notes:
        say_note(note)
    lines = []
    for name, score in found["scores"].items():
        metric, value = METRICS[name], score["value"]
        low, high = score["low"], score["high"]
        half = None if low is None or high is None else (high - low) / 4
        digits = digits_of(name, value or 0.0, half)
        shown = [rounded(one, digits) if one is not None else "" for one in (value, low, high)]
        interval = f"{shown[1]} to {shown[2]}" if shown[1] else ""
        lines.append([f"{metric.title} {metric.unit}".strip(), shown[0] or "undefined", interval, score["interval"]])
    show_table(["score", "value", "95 % interval", "by"], lines)
    if not found["classes"]:
        return
    say()
    lines = [
        [
            one["name"],
            *("-" if one[key] is None else f"{one[key]:.2f}" for key in ("precision_pct", "recall_pct", "f1_pct")),
            str(one["rows"]),
        ]
        for one in found["classes"]
    ]
    kind, count = ("label", "words") if "words" in data else ("class", "rows")
    show_table([kind, "precision %", "recall %", "F1 %", count], lines)
    classes = [one["name"] for one in found["classes"]]
    if len(classes) <= MOST_CLASSES:
        say()
        counts = [[name, *map(str, row)] for name, row in zip(classes, found["confusion"], strict=True)]
        show_table(["true \\ predicted", *classes], counts)
