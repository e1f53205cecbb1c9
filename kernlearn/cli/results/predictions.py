"""The predictions of a run on its test parts: computed once, and kept beside its tables."""

import os
from collections import Counter
from collections.abc import Iterator
from typing import Any

from kernlearn.algorithms.core.predictor import predict
from kernlearn.cli.model.training import plan_of_run
from kernlearn.errors import UserError
from kernlearn.evaluation import Row
from kernlearn.report.plots.outputs import DECISION, FILE, VOTES, has_predictions, part_of
from kernlearn.report.plots.stored import StoredRun, read_run
from kernlearn.report.targets import Target
from kernlearn.report.terminal import say, say_note, shown_path
from kernlearn.runner.cell.outputs import PartOutputs, outputs_of
from kernlearn.runner.engines.timing import duration
from kernlearn.runner.plan.identity import run_id
from kernlearn.runner.plan.plan import Plan
from kernlearn.runner.store.files import refuse_links
from kernlearn.runner.store.tables import write_csv
from kernlearn.types import Array

#: The scores that are compared with those of the run.
_SCORES = ("errors", "rmse", "mae", "auc")


def require_predictions(target: Target) -> None:
    """Compute the predictions of the selected models of a run on their test parts, unless they are stored.

    The path of every split is solved again up to its selected grid point, by the code that computed the run. The test
    scores must be those of the run; a note says where they are not.

    Raises
    ------
    UserError
        If the data of the run are not there or have changed, another version of a method would compute other numbers,
        or the directory cannot be written to.
    """
    run = read_run(target)
    if has_predictions(target):
        return
    todo = plan_of_run(target.path).plan
    name = run.rows[0]["run"]
    if (now := run_id(todo)) != name:
        raise UserError(
            f"{target.path}: is run {name}, and this version of kernlearn would compute run {now}; repeat the run first"
        )
    refuse_links(target.path, target.path.parent)
    if not os.access(target.path, os.W_OK):
        raise UserError(f"{target.path}: cannot be written to, so predictions cannot be kept there; copy the run")
    cells = {cell.split: cell for cell in todo.cells}
    chosen: dict[int, list[Row]] = {}
    for row in run.selection.rows:
        chosen.setdefault(row["split"], []).append(row)
    say(f"outputs    {_cost(run, len(chosen))}")
    rows, unlike = list[dict[str, Any]](), list[str]()
    for done, (split, selected) in enumerate(sorted(chosen.items()), start=1):
        by = {(row["point"], part_of(row)): row for row in selected}
        for one in outputs_of(cells[split], list(by)):
            row = by[one.point, one.part]
            unlike += [f"split {split}: {words}" for words in _differences(row, one)]
            rows += _rows(todo, name, split, one)
        say(f"outputs    {done}/{len(chosen)} splits")
    for words in unlike[:3]:
        say_note(f"the outputs are not those of the run: {words}")
    write_csv(target.path / FILE, rows)
    if not unlike:
        say("outputs    all test scores are the same as in the run")
    say(f"outputs: {shown_path(target.path / FILE)}")


def _cost(run: StoredRun, count: int) -> str:
    """Return what is computed and how long that may take, in words."""
    seconds = run.provenance.get("cell_cpu_seconds")
    took = ""
    if isinstance(seconds, dict) and all(isinstance(value, int | float) for value in seconds.values()):
        took = f"; all cells of the run took {duration(sum(seconds.values()))} of CPU time"
    return f"on the test rows of {count} splits are not stored: solving each path again up to its selected point{took}"


def _differences(row: Row, one: PartOutputs) -> Iterator[str]:
    """Yield the scores that are not those of the row."""
    stored: dict[str, Any] = dict(row)
    for name in _SCORES:
        column = f"test_{name}"  # of a swapped row, too: the parts have changed names
        if column in stored and name in one.scores and stored[column] != one.scores[name]:
            if stored[column] != stored[column] and one.scores[name] != one.scores[name]:
                continue  # both are NaN
            yield f"test {name} {one.scores[name]!r} instead of {stored[column]!r}"


def _rows(todo: Plan, run: str, split: int, one: PartOutputs) -> Iterator[dict[str, Any]]:
    """Yield the rows of the file: an example each, with its true and predicted value and all outputs."""
    data, regression = todo.dataset, todo.experiment.is_regression
    classes = [str(name) for name in data.classes]
    if regression:
        truth, said = data.real_target()[one.rows].tolist(), one.values[0].tolist()
        outputs: dict[str, list[float]] = {}
    else:
        truth = [classes[int(k)] for k in data.y[one.rows]]
        said = [classes[int(k)] for k in predict(one.values)]
        outputs = _columns(one.values, classes, VOTES if one.voted else DECISION)
    for i, number in enumerate(one.rows.tolist()):
        head = {
            "run": run,
            "split": split,
            "part": one.part,
            "row": number + 1,
            "truth": truth[i],
            "prediction": said[i],
        }
        yield {**head, **{name: values[i] for name, values in outputs.items()}}


def _columns(values: Array, classes: list[str], prefix: str) -> dict[str, list[float]]:
    """Return the columns of outputs by name: of two classes one, which is positive for the second class."""
    names = classes[1:] if len(values) == 1 else classes
    twice = {name for name, count in Counter(names).items() if count > 1}
    labels = [f"{prefix}{name}_{k}" if name in twice else f"{prefix}{name}" for k, name in enumerate(names)]
    return {label: row.tolist() for label, row in zip(labels, values, strict=True)}
