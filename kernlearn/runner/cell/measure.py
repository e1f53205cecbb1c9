"""Measure a cell: every grid point, on every validation and test part of its split."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from kernlearn.algorithms import REDUCTIONS, Classes, Point, Problem
from kernlearn.algorithms.core.approximated import EXACT_GAP
from kernlearn.algorithms.core.checked import checked_path
from kernlearn.algorithms.core.path import Resume
from kernlearn.algorithms.core.predictor import Pairs, Predictor, count_votes
from kernlearn.datasets import Dataset
from kernlearn.evaluation import Row, votes
from kernlearn.evaluation.splits.protocols import Fit
from kernlearn.kernels import (
    FeatureStack,
    KernelFamily,
    make_family,
)
from kernlearn.runner.cell.cell import PathCell
from kernlearn.runner.cell.class_weight import weights_of
from kernlearn.runner.cell.data import data_of, exact_kernels, inputs_of, seen_of
from kernlearn.runner.cell.folds import joined
from kernlearn.runner.cell.targets import Targets, scores_of, targets_of
from kernlearn.runner.store.partial import Kept, Partial
from kernlearn.runner.store.progress import Position
from kernlearn.solvers.core.clock import program_limit, watched

Array = NDArray[Any]
#: Returns the state from which a path continues, if it can.
StateOf = Callable[[], Any] | None

#: Facts for which the worst of several outputs counts, not their mean.
WORST = ("kkt", "ellipsoid_gap", EXACT_GAP)
#: Maximum number of kernels whose weights are written into the rows.
SHOWN_WEIGHTS = 100
#: The alignment is left out for parts with more examples and features: each grid point would need a matrix of all pairs
#: of either.
ALIGNED = 5000


def measure(cell: PathCell, kept: Partial | None = None) -> list[Row]:
    """Return a row for each grid point of a cell.

    The paths of its split are solved one after the other, each block by block (see `Method.blocks`). `kept` stores the
    finished part. This has complete blocks, and also grid points or iterations if the path or the program can resume
    from them.
    """
    dataset, split = data_of(cell)
    algorithm, values = cell.method, cell.values
    family, task = make_family(**cell.kernel), cell.task
    pieces = algorithm.blocks(family, task, values)  # with a warm start a point depends on all before it in its block
    total = len(split.fits) * len(algorithm.points(family, task, values))
    reduced = task == "classification" and not algorithm.joint
    done, points, state, rows = kept.load() if kept else Kept(0, 0, None, [])
    resume = (points, state) if points or state is not None else None

    def look(gap: float | None, state_of: StateOf, at_end: bool = False) -> None:
        if kept:
            here = partial(_kept, done, points, state_of, rows) if at_end or state_of else None
            kept.look(Position(point=len(rows) + 1, of=total, gap=gap), here)

    def of_program(gap: float | None, state_of: StateOf) -> None:
        look(gap, _of_path(state_of, len(dataset.classes)) if state_of and reduced else state_of)

    limited = nullcontext() if cell.limit is None else program_limit(cell.limit)
    with watched(of_program), limited:
        for number, fit in enumerate(split.fits):
            left = pieces[max(0, done - number * len(pieces)) :]
            for row, state_of in _fit_rows(cell, dataset, fit, family, seen_of(split), left, resume) if left else ():
                resume = None
                if row is None:
                    done, points = done + 1, 0
                else:
                    rows.append(row)
                    points += 1
                look(None, state_of, at_end=row is None)
    return cast(list[Row], joined(rows, len(split.fits)))


def rows_of_fit(cell: PathCell, dataset: Dataset, fit: Fit, seen: Array) -> list[Row]:
    """Return a row for each grid point of the path of one training part, whatever the split of the cell.

    Parameters
    ----------
    cell : PathCell
    dataset : Dataset
    fit : (array, dict of arrays)
        The training part, and the parts that are measured, by name.
    seen : array
        The indices of all examples, sorted.
    """
    family = make_family(**cell.kernel)
    pieces = cell.method.blocks(family, cell.task, cell.values)
    with nullcontext() if cell.limit is None else program_limit(cell.limit):
        rows = [row for row, _ in _fit_rows(cell, dataset, fit, family, seen, pieces, None) if row is not None]
    return [cast(Row, {"point": point, **row}) for point, row in enumerate(rows)]


def _kept(done: int, points: int, state_of: StateOf, rows: list[dict[str, Any]]) -> Kept:
    return Kept(done, points, state_of() if state_of else None, list(rows))


def _of_path(state_of: Callable[[], Any], n_classes: int) -> StateOf:
    """Return a function that gives the state of a path; the state of one of several programs would not be enough."""
    return (lambda: [state_of()]) if n_classes <= 2 else None


def _fit_rows(
    cell: PathCell,
    dataset: Dataset,
    fit: Fit,
    family: KernelFamily,
    seen: Array,
    pieces: Sequence[int | None],
    resume: Resume | None,
) -> Iterator[tuple[dict[str, Any] | None, Callable[[], Any] | None]]:
    """Yield the rows of the path of one training part, each with the state from which the next row starts.

    None follows the last row of each block.
    """
    train, parts = fit
    targets, n_classes = targets_of(dataset, cell.is_regression), len(dataset.classes)
    sizes = {f"n_{part}": targets.at(index).size for part, index in {"train": train, **parts}.items()}
    for point, measured in solved_points(cell, dataset, fit, family, seen, pieces, resume):
        if point is None:
            yield None, None
            continue
        scores: dict[str, Any] = {}
        for part, other in measured.items():
            truth = targets.at(parts[part])
            found = {**part_scores(point.predictor, other, truth, n_classes), **_alignment(point, other, truth)}
            scores |= {f"{part}_{name}": value for name, value in found.items()}
        yield {**point.values, **sizes, **scores, **_facts(point)}, point.state


def solved_points(
    cell: PathCell,
    dataset: Dataset,
    fit: Fit,
    family: KernelFamily,
    seen: Array,
    pieces: Sequence[int | None],
    resume: Resume | None = None,
) -> Iterator[tuple[Point | None, dict[str, Any]]]:
    """Yield the points of the path of one training part, each with the inputs of the measured parts by name.

    None follows the last point of each block.
    """
    train, parts = fit
    inputs, labelled, against = inputs_of(cell, dataset, fit, seen)
    trained, n_classes = targets_of(dataset, cell.is_regression).at(train), len(dataset.classes)
    weights = weights_of(cell.class_weight, dataset.classes, trained.classes)
    exact = exact_kernels(cell, dataset.X[train])
    for k in pieces:
        measured = {part: _select(Z, k) for part, Z in zip(parts, against, strict=True)}
        problem = Problem(
            _select(inputs, k),
            trained.as_target(n_classes),
            labelled,
            cell.seed,
            weights,
        )
        for point in _points(cell, problem, _block(family, k), resume):
            yield exact.with_gap(problem, point, cell.algo["name"], cell.values) if exact else point, measured
        yield None, {}
        resume = None


def _block(family: KernelFamily, k: int | None) -> KernelFamily:
    return family if k is None else replace(family, members=(family.members[k],))


def _select(inputs: Any, k: int | None) -> Any:
    return inputs if k is None else inputs.select(k)


def _points(cell: PathCell, problem: Problem, family: KernelFamily, resume: Resume | None) -> Iterator[Point]:
    """Solve a path. If there are more classes than the method takes, reduce the problem to two classes."""
    algorithm, values = cell.method, cell.values
    grid = algorithm.points(family, cell.task, values)
    path = partial(checked_path, method=algorithm, grid=grid, values=values)
    if isinstance(problem.target, Classes) and not algorithm.joint:
        return REDUCTIONS[cell.multiclass](path, problem, resume)
    return path(problem, resume=resume)


def part_scores(predictor: Predictor, inputs: Any, y: Targets, n_classes: int) -> dict[str, Any]:
    """Return all scores on a part; if pairs of classes vote, also the summary of their votes."""
    if not isinstance(predictor, Pairs):
        return scores_of(predictor.outputs(inputs), y, n_classes=n_classes)
    assert y.classes is not None
    choices = predictor.choices(inputs)
    outputs = count_votes(choices, predictor.pairs, predictor.n_classes)
    return {
        **scores_of(outputs, y, voted=True),
        "pair_errors": votes.to_text(votes.pair_errors(choices, predictor.pairs, y.classes)),
        "votes": votes.pack(choices),
    }


def _alignment(point: Point, stack: Any, y: Targets) -> dict[str, float]:
    """Return the centred alignment of the learned kernel with the labels of a part, if kernels are features.

    For other kernels it is computed later from the weights in the rows. Features are too many for that.
    """
    weights = point.facts.get("weights")
    if not isinstance(stack, FeatureStack) or weights is None or len(weights) > 1:
        return {}
    if min(stack.V.shape) > ALIGNED:
        return {}
    labels = np.where(y.classes == 1, 1.0, -1.0) if y.real is None else y.real
    return {"alignment": float(stack.alignment(weights[0], labels)[0])}


def _facts(point: Point) -> dict[str, Any]:
    pairs = point.predictor.pairs if isinstance(point.predictor, Pairs) else []
    return {
        **({"pairs": votes.to_text({pair: 0 for pair in pairs})} if pairs else {}),
        **point.predictor.counts(),
        "objective": sum(s.objective for s in point.solutions),
        "dual_objective": sum(s.dual_objective for s in point.solutions),
        "gap": max(s.gap for s in point.solutions),
        "iterations": sum(s.iterations for s in point.solutions),
        "rounds": sum(s.rounds for s in point.solutions),
        "status": point.status,
        **_combination(point),
    }


def _combination(point: Point) -> dict[str, Any]:
    """Return the facts of a point as means over the outputs, with the number of weighted kernels and their weights."""
    known = {name: values for name, values in point.facts.items() if name != "weights"}
    facts: dict[str, Any] = {name: float((np.max if name in WORST else np.mean)(v)) for name, v in known.items()}
    if (weights := point.facts.get("weights")) is not None:
        facts["n_kernels"] = int(np.count_nonzero(weights.any(axis=0)))
        if weights.shape[1] <= SHOWN_WEIGHTS:
            facts["weights"] = "; ".join(" ".join(map(repr, row.tolist())) for row in weights)
    return facts
