"""All kinds of pictures, and those that a result has."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from kernlearn.errors import UserError, closest
from kernlearn.report.plots import of_comparison, of_model, of_run, of_table
from kernlearn.report.plots.of_outputs import OF_OUTPUTS, OF_REALS
from kernlearn.report.plots.outputs import NotComputed, Outputs, is_of_reals, outputs_of_run
from kernlearn.report.plots.picture import Picture
from kernlearn.report.plots.stored import Lacking
from kernlearn.report.targets import Target

T = TypeVar("T")
#: Returns the pictures of a result, or raises `Lacking` if it has none of this kind.
Producer = Callable[[Target], list[Picture]]


@dataclass(frozen=True)
class Kind:
    """A kind of picture: one line for lists, and what makes it by the kind of result (`Target.kind`)."""

    line: str
    of: Mapping[str, Producer]


def _on_test_rows(name: str) -> Mapping[str, Producer]:
    def of_run(target: Target) -> list[Picture]:
        if (name == OF_REALS) != (is_regression := is_of_reals(target)):
            raise Lacking(f"its targets are {'numbers, not classes' if is_regression else 'classes, not numbers'}")
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
    "weights": Kind("the learned kernel weights", {"run": of_run.weights, "model": of_model.weights}),
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


def available(target: Target) -> dict[str, list[Picture] | Lacking]:
    """Return the pictures of every kind that the result may have, or the reason why it has none of this kind."""
    return {name: _tried(producer, target) for name, producer in _of(target).items()}


def _of(target: Target) -> dict[str, Producer]:
    return {name: kind.of[target.kind] for name, kind in KINDS.items() if target.kind in kind.of}


def _tried(producer: Callable[[T], list[Picture]], result: T) -> list[Picture] | Lacking:
    try:
        return producer(result)
    except Lacking as reason:
        return reason


def available_on(outputs: Outputs) -> dict[str, list[Picture] | Lacking]:
    """Return the pictures of predictions, or the reason why there are none of a kind."""
    return {name: _tried(producer, outputs) for name, producer in OF_OUTPUTS.items()}


def needs_outputs(target: Target, kinds: Sequence[str]) -> bool:
    """Return whether a kind of pictures needs outputs on test rows that are not stored.

    Raises `UserError` if there is no such kind, or the result has none of a kind for another reason.
    """
    known = _of(target)
    _require_known(f"a {target.kind}", known, kinds)
    found = {kind: _tried(known[kind], target) for kind in kinds}
    for kind, pictures in found.items():
        if isinstance(pictures, Lacking) and not isinstance(pictures, NotComputed):
            raise UserError(f"{target.name}: has no picture {kind}: {pictures}")
    return any(isinstance(pictures, NotComputed) for pictures in found.values())


def pictures_of(target: Target, kinds: Sequence[str] | None = None) -> list[Picture]:
    """Return the pictures of a result in the order of `KINDS`, or of `kinds`.

    Nothing is computed that is not stored: pictures of outputs on test examples need the file ``predictions.csv``.

    Parameters
    ----------
    target : Target
        From `kernlearn.report.targets.find_target`.
    kinds : sequence of str, optional
        Keys of `KINDS`; by default all that the result has.

    Raises
    ------
    UserError
        If there is no such kind, the result has none of a kind that is asked for, or its files are damaged.
    """
    return _chosen(target, target.name, f"a {target.kind}", _of(target), kinds)


def pictures_on(outputs: Outputs, kinds: Sequence[str] | None = None) -> list[Picture]:
    """Return the pictures of predictions; see `pictures_of`."""
    return _chosen(outputs, outputs.title, "predictions", OF_OUTPUTS, kinds)


def _chosen(
    result: T,
    name: str,
    what: str,
    known: Mapping[str, Callable[[T], list[Picture]]],
    kinds: Sequence[str] | None,
) -> list[Picture]:
    if kinds is None:
        found = [_tried(producer, result) for producer in known.values()]
        return [one for pictures in found if not isinstance(pictures, Lacking) for one in pictures]
    _require_known(what, known, kinds)
    pictures = list[Picture]()
    for kind in kinds:
        try:
            pictures += known[kind](result)
        except Lacking as reason:
            raise UserError(f"{name}: has no picture {kind}: {reason}") from None
    return pictures


def _require_known(what: str, known: Collection[str], kinds: Sequence[str]) -> None:
    for kind in kinds:
        if kind not in KINDS:
            raise UserError(f"{kind}: no such kind of picture, choose from {', '.join(known)}{closest(kind, known)}")
        if kind not in known:
            raise UserError(f"{kind}: is no picture of {what}, choose from {', '.join(known)}")
