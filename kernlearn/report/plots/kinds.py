"""All kinds of pictures, and those that a result has."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from kernlearn.errors import UserError, closest
from kernlearn.report.plots import of_comparison, of_model, of_run, of_table, of_weights
from kernlearn.report.plots.drawing import has_drawing
from kernlearn.report.plots.of_outputs import OF_OUTPUTS, lacking
from kernlearn.report.plots.outputs import Outputs, kept_outputs, outputs_of_run
from kernlearn.report.plots.picture import Picture
from kernlearn.report.plots.stored import Lacking
from kernlearn.report.targets import Target

T = TypeVar("T")
#: Returns the pictures of a result, or raises `Lacking` if it has none of this kind.
Producer = Callable[[Target], list[Picture]]


#: The drawing of a table or figure by its own module, which is drawn alone and not among `KINDS`.
DRAWING = "drawing"


@dataclass(frozen=True)
class Kind:
    """A kind of picture: one line for lists, and what makes it by the kind of result (`Target.kind`)."""

    line: str
    of: Mapping[str, Producer]


def _on_test_rows(name: str) -> Mapping[str, Producer]:
    def of_run(target: Target) -> list[Picture]:
        n_classes, votes = kept_outputs(target)
        if reason := lacking(name, n_classes, votes=votes):
            raise Lacking(reason)
        return OF_OUTPUTS[name](outputs_of_run(target))

    return {"run": of_run}


def _of_tables(producer: Producer) -> Mapping[str, Producer]:
    """Return the producers of a picture that every printed table has."""
    return {"table": producer, "paper": partial(of_table.of_paper, producer)}


#: All kinds in the order in which the pictures of a result are shown.
KINDS: Mapping[str, Kind] = {
    "ranking": Kind("the mean scores of the methods, with intervals", {"comparison": of_comparison.ranking}),
    "validation": Kind("the validation score over the grid, with the selected point", {"run": of_run.validation}),
    "splits": Kind("the scores of every split", {"run": of_run.splits, "comparison": of_comparison.splits}),
    "ranks": Kind(
        "mean ranks over several data sets, with the critical difference", {"comparison": of_comparison.ranks}
    ),
    "sparsity": Kind("the error against the number of support vectors or coefficients", {"run": of_run.sparsity}),
    "weights": Kind(
        "the learned kernel weights", {"run": of_weights.weights_of_run, "model": of_weights.weights_of_model}
    ),
    "rows": Kind("the training rows with the largest coefficients", {"model": of_model.deciding_rows}),
    "path": Kind("objective, gap and support vectors along the grid", {"run": of_run.path}),
    "agreement": Kind("our numbers against the printed ones, with intervals", _of_tables(of_table.agreement)),
    "deviations": Kind("our numbers minus the printed ones, with intervals", _of_tables(of_table.deviations)),
    "confusion": Kind("how often each class is predicted for each true class", _on_test_rows("confusion")),
    "roc": Kind("true against false positive rate over all thresholds", _on_test_rows("roc")),
    "precision-recall": Kind("precision against recall over all thresholds", _on_test_rows("precision-recall")),
    "calibration": Kind(
        "how often a class occurs where its probability or decision value has some size", _on_test_rows("calibration")
    ),
    "residuals": Kind("true against predicted values, and their differences", _on_test_rows("residuals")),
}


def available(target: Target, kinds: Sequence[str] | None = None) -> dict[str, list[Picture] | Lacking]:
    """Return the pictures of a result by kind, or the reason why it has none of a kind.

    Nothing is computed that is not stored: pictures of outputs on test examples need the file ``predictions.csv``.

    Parameters
    ----------
    target : Target
        From `kernlearn.report.targets.find_target`.
    kinds : sequence of str, optional
        Keys of `KINDS`; by default all that such a result may have.

    Raises
    ------
    UserError
        If there is no such kind, or the files of the result are damaged.
    """
    known = {name: kind.of[target.kind] for name, kind in KINDS.items() if target.kind in kind.of}
    return _found(target, known, kinds, [*known, *([DRAWING] if has_drawing(target) else [])])


def available_on(outputs: Outputs, kinds: Sequence[str] | None = None) -> dict[str, list[Picture] | Lacking]:
    """Return the pictures of predictions; see `available`."""
    return _found(outputs, OF_OUTPUTS, kinds, list(OF_OUTPUTS))


def pictures_of(target: Target, kinds: Sequence[str] | None = None) -> list[Picture]:
    """Return the pictures that a result has, in the order of `KINDS`, or of `kinds`; see `available`."""
    return joined(available(target, kinds))


def joined(found: Mapping[str, list[Picture] | Lacking]) -> list[Picture]:
    """Return the pictures of all kinds that there are."""
    return [one for pictures in found.values() if not isinstance(pictures, Lacking) for one in pictures]


def _found(
    result: T, known: Mapping[str, Callable[[T], list[Picture]]], kinds: Sequence[str] | None, names: Sequence[str]
) -> dict[str, list[Picture] | Lacking]:
    """Return the pictures of the kinds; `names` are those that such a result may have, for messages."""
    choice = f"choose from {', '.join(names)}"
    for kind in kinds or ():
        if kind not in KINDS and kind != DRAWING:
            raise UserError(f"{kind}: no such kind of picture, {choice}{closest(kind, names)}")
    return {
        kind: _tried(known[kind], result) if kind in known else Lacking(f"it is {_whose(kind, names)}; {choice}")
        for kind in kinds or known
    }


def _whose(kind: str, names: Sequence[str]) -> str:
    """Return in words what has pictures of a kind."""
    if kind == DRAWING:
        return "drawn alone" if kind in names else "of a table or figure, drawn alone"
    words = " or ".join(f"of a {name}" for name in KINDS[kind].of)
    return f"{words}, and of a model with --data" if kind in OF_OUTPUTS else words


def _tried(producer: Callable[[T], list[Picture]], result: T) -> list[Picture] | Lacking:
    try:
        return producer(result)
    except Lacking as reason:
        return reason
