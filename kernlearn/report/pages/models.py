"""The part of a page that shows a model: what it is, its data, how good it is, what is proved, and its limits."""

import os
import shlex
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

from kernlearn.datasets.core.cells import EPOCH
from kernlearn.errors import UserError
from kernlearn.evaluation import METRICS
from kernlearn.evaluation.metrics import digits_of, rounded
from kernlearn.models.file import SCHEMA, load, load_header
from kernlearn.report.model import (
    against_baseline,
    baseline_in_words,
    exact_in_words,
    facts_of,
    grid_ends,
    test_in_words,
)
from kernlearn.report.pages.marks import Reason
from kernlearn.report.pages.page import Head, Part, Sheet, Step
from kernlearn.report.targets import Target
from kernlearn.report.terminal import capitalised, shown_path

#: So many texts of a column are listed.
LISTED = 12
#: Gaps up to this one count as exact.
EXACT = 1e-6
#: A gap to the problem with the exact kernel that is no reason against a model with an approximate one.
CLOSE = 0.01


def model_part(target: Target) -> Part:
    """Return the part of a page that shows a model.

    Raises `UserError` if the file is no model, or is damaged.
    """
    header, size = load_header(target.path), os.stat(target.path).st_size
    about = header["about"]
    try:
        better, words = against_baseline(about)
        facts = [(title, " ".join(words.split())) for title, words in facts_of(about)]
        versions = ", ".join(f"{name} {number}" for name, number in header["versions"].items())
        facts.append(("file", f"{size:,} bytes, schema {SCHEMA}; written by {versions}"))
        kind = str(about.get("algorithm") or about.get("class"))
        columns, fills, reads_table = _columns(target.path)
        return Part(
            f"{target.name}: a model of {kind}",
            f"model-{target.name}",
            "model.html",
            _result(about, kind),
            [
                *_rare(about),
                Reason(better, f"{capitalised(words)}."),
                *_proof(about, reads_table),
                *([] if _rare(about) and not better else _ends(about)),
                *_origin(about),
            ],
            _steps(target.path, about, reads_table),
            {
                "facts": facts,
                "columns": columns,
                "limits": _limits(about, columns, fills),
                "uses": _uses(target.path, about, reads_table),
            },
            starts=str(Path.cwd()),
        )
    except (TypeError, ValueError, KeyError, AttributeError) as error:
        if isinstance(error, UserError):
            raise
        raise UserError(f"{target.path}: its header is damaged ({error})") from error


def _columns(path: Path) -> tuple[Sheet | None, bool, bool]:
    """Return the columns that a model takes, whether it fills in missing values, and whether it takes a table."""
    from kernlearn.models.predictions import known_ranges, ordinal_of, schema_of, takes_sentences

    model = load(path)
    try:
        schema, fills = schema_of(model)
    except UserError:  # it takes no table
        return None, False, takes_sentences(model)
    if takes_sentences(model):
        return None, fills, True
    ordinal = ordinal_of(model)
    rows = []
    for column, ends in zip(schema.columns, known_ranges(path, len(schema.columns)), strict=True):
        values = ", ".join(column.values[:LISTED])
        left = len(column.values) - LISTED
        known = f"{len(column.values)}: {values}{f' and {left} more' if left > 0 else ''}" if column.values else ""
        numbers = " to ".join(_end(column.kind, end) for end in ends) if ends else ""
        kind = f"{column.kind}, as a number" if column.name in ordinal else column.kind
        rows.append([column.name, kind, numbers, known])
    heads = [Head(title, number=False) for title in ("column", "kind", "range in training", "texts in training")]
    return Sheet("The columns that the model takes", heads, rows), fills, True


def _end(kind: str, number: float) -> str:
    """Return the end of a range; dates are days since 1970-01-01."""
    try:
        return (EPOCH + timedelta(days=number)).date().isoformat() if kind == "date" else f"{number:.6g}"
    except (OverflowError, ValueError):
        return f"{number:.6g}"


def _result(about: Mapping[str, Any], kind: str) -> str:
    """Return what the model is and how good, in one sentence."""
    data, selection = about.get("data"), about.get("selection")
    task = f" for {about['task']}" if about.get("task") else ""
    words = f"A model of {kind}{task}"
    if isinstance(data, Mapping):
        words += f", trained on {data.get('rows')} rows of {data.get('name')}"
    baseline = about.get("baseline")
    if isinstance(test := about.get("test"), Mapping):
        return f"{words}, with {test_in_words(test)}."
    if isinstance(selection, Mapping) and isinstance(baseline, Mapping) and "validation_score" in selection:
        metric, score = METRICS[baseline["metric"]], float(selection["validation_score"])
        ours = f"{rounded(score, digits_of(metric.name, score, None))} {metric.unit}".rstrip()
        return f"{words}. Its validation {metric.title} is {ours}; {baseline_in_words(baseline)}."
    if isinstance(selection, Mapping):
        words += f"; selected: {selection.get('words')}"
    if isinstance(baseline, Mapping):
        words += f"; {baseline_in_words(baseline)}"
    return f"{words}."


def _proof(about: Mapping[str, Any], reads_table: bool) -> list[Reason]:
    """Return whether the model is proved to be the solution of its optimisation problem."""
    if about.get("unproved"):
        return [Reason(False, f"Nothing is proved of its optimality: {about['unproved']}.")]
    if (gap := _gap(about)) is None:
        return [Reason(False, "The file says nothing of how exactly its optimisation problem was solved.")]
    words = f"Its objective is proved to be within a relative {abs(gap):.1e} of the best possible one"
    check = "; kernlearn verify computes this again, and says if it is small enough" if reads_table else ""
    proved = about["certificate"]
    of_approximate = [Reason(abs(gap) <= EXACT, f"{words}{check}.")]
    if not (exact := exact_in_words(proved)):
        return of_approximate
    return [*of_approximate, Reason(float(proved["exact_gap"]) <= CLOSE, f"Its kernel is approximate: {exact}.")]


def _gap(about: Mapping[str, Any]) -> float | None:
    """Return the proved gap of a model; None if nothing is proved of it, or the file says nothing."""
    proved = about.get("certificate")
    gap = proved.get("gap") if isinstance(proved, Mapping) and not about.get("unproved") else None
    return gap if isinstance(gap, int | float) else None


def _ends(about: Mapping[str, Any]) -> list[Reason]:
    """Return which selected values are at an end of their grid."""
    selection = about.get("selection")
    ends = grid_ends(selection) if isinstance(selection, Mapping) else []
    return [Reason(settled, f"{capitalised(words)}.") for words, settled in ends]


def _rare(about: Mapping[str, Any]) -> list[Reason]:
    """Return the advice to select by another score if a class of the training rows is rare."""
    return [Reason(False, f"{capitalised(str(words))}.") for words in about.get("rare_class", [])]


def _origin(about: Mapping[str, Any]) -> list[Reason]:
    """Return how honest the score of a model is."""
    selection, baseline, test = (about.get(key) for key in ("selection", "baseline", "test"))
    if isinstance(test, Mapping):
        words = "Its test score is that of models of the same configuration, trained on parts of the rows"
        if float(test["test_rows_in_choice_pct"]) or int(test["methods"]) > 1:
            return [Reason(False, f"{words}. It is optimistic, since the test rows took part in a choice.")]
        return [Reason(True, f"{words}. No test row took part in the choice of hyper-parameters.")]
    if isinstance(selection, Mapping) and "validation" in str(selection.get("words")):
        points = baseline.get("points") if isinstance(baseline, Mapping) else None
        among = f" among {points} grid points" if points is not None else ""
        data = about.get("data")
        on = f" on {data.get('rows')} rows" if isinstance(data, Mapping) else ""
        words = f"The validation score{on} selected the model{among}, so it is optimistic"
        return [Reason(False, f"{words}; test rows give an honest one.")]
    return [Reason(False, "The file has no score; test rows give one.")]


def _in_shell(file: Path) -> str:
    return shlex.quote(str(shown_path(file)))


def _in_python(file: Path) -> str:
    return f"kernlearn.load({str(shown_path(file))!r})"


def _steps(file: Path, about: Mapping[str, Any], reads_table: bool) -> list[Step]:
    """Return what to do with the model; its proof is checked if it has one."""
    if not reads_table:
        return [Step("Use it in Python:", _in_python(file))]
    path = _in_shell(file)
    steps = [
        Step("Measure it on rows with known targets that are new to it:", f"kernlearn evaluate {path} TEST_FILE"),
        Step("Predict new rows:", f"kernlearn predict {path} NEW_FILE -o predictions.csv"),
    ]
    if _gap(about) is not None:
        steps.append(Step("Check the proof on the training file:", f"kernlearn verify {path} TRAINING_FILE"))
    return steps


def _limits(about: Mapping[str, Any], columns: Sheet | None, fills: bool) -> list[str]:
    """Return what the model refuses, and what it takes with a note."""
    if columns is None:
        return ["It takes no table of columns; what it takes is what its estimator takes in Python."]
    limits = [
        "A file without one of its columns is refused. Additional columns are ignored.",
        "Missing values are filled in as in training."
        if fills
        else "A row with a missing value gets an empty prediction, because the training file had none.",
        "A number far outside of the range in training is counted in a note; predictions for such rows are guesses.",
    ]
    if any(row[3] for row in columns.rows):
        limits.append("A text that is not among those in training counts as different from all of them.")
    if about.get("probability") is not True and about.get("task") == "classification":
        limits.append("It has no probabilities; fit it with probability=true to have them.")
    return limits


def _uses(file: Path, about: Mapping[str, Any], reads_table: bool) -> list[tuple[str, str]]:
    """Return commands that use the model."""
    path, uses = _in_shell(file), [("in Python", f"{_in_python(file)}.predict(rows)")]
    if reads_table:
        proba = " --proba" if about.get("probability") is True else ""
        uses.insert(0, ("on the command line", f"kernlearn predict {path} NEW_FILE{proba} -o predictions.csv"))
        uses.append(("what its predictions depend on", f"kernlearn explain {path} TEST_FILE"))
    return uses
