"""What tables measure beside the scores of a selected model: functions of a plan, its rows and what was selected."""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernlearn.evaluation import Selection
from kernlearn.evaluation.metrics import correlation, mean_and_deviation
from kernlearn.kernels import SCALINGS, DenseStack, GramStack, alignments, make_family
from kernlearn.kernels.families import FEATURES
from kernlearn.runner.bounds import bounds_of_cell
from kernlearn.runner.cells import Plan
from kernlearn.runner.measure import Cell, data_of

Rows = Sequence[Mapping[str, Any]]
#: Metrics by name, one value a split.
Measures = dict[str, list[float]]
Array = NDArray[np.float64]


def bounds(plan: Plan, rows: Rows, selection: Selection) -> Measures:
    """Return the margin bounds of the selected model, which is solved again for them."""
    found = [bounds_of_cell(cell, selection.values) for cell in plan.cells]
    return {key: [one[key] for one in found] for key in found[0]}


def alignment_correlation(plan: Plan, rows: Rows, selection: Selection) -> Measures:
    """Return the correlation, over single kernels, of the error with the alignment, centred and not, one number each.

    The predictor of a kernel has the regularisation with its best validation score. Source: Rostamizadeh (2010),
    table 2.1.
    """
    members = make_family(**plan.experiment["kernel"]).members
    chosen = [
        plan.select([row for row in rows if member.items() <= plan.grid[int(row["point"])].items()], selection.metric)
        for member in members
    ]
    errors = np.array([mean_and_deviation(one.values_of(selection.metric))[0] for one in chosen if one])
    found: dict[bool, list[Array]] = {True: [], False: []}
    for cell in plan.cells:
        stack, targets = training_kernels(cell)
        for centred, values in found.items():
            values.append(alignments(stack, targets, centred=centred))
    with_errors = {centred: correlation(np.mean(values, axis=0), errors) for centred, values in found.items()}
    return {"centred": [with_errors[True]], "not_centred": [with_errors[False]]}


def test_alignment(plan: Plan, rows: Rows, selection: Selection) -> Measures:
    """Return the centred alignment of the learned kernel with the labels on the test part of every split.

    Source: Rostamizadeh (2010), definition 2.4; the thesis does not say on which part its tables have it.
    """
    if plan.experiment["kernel"]["name"] == FEATURES:  # too many weights for the rows, which have it instead
        return {"test_alignment": [float(row["test_alignment"]) for row in selection.rows]}
    found = []
    for row in selection.rows:
        dataset, split = data_of(_cell(plan, row))
        _, X = SCALINGS[plan.experiment["scaling"]](dataset.X[split.train], dataset.X[split.test])
        stack = DenseStack.of(GramStack.train(make_family(**plan.experiment["kernel"]), X))
        K = stack.combine(np.array(str(row["weights"]).split(), dtype=np.float64))
        found.append(float(alignments(DenseStack(K[None]), dataset.real_target()[split.test])[0]))
    return {"test_alignment": found}


def kernel_weights(plan: Plan, rows: Rows, selection: Selection) -> Measures:
    """Return the share of every kernel in the selected combination: its weight times its trace, in sum 1.

    A kernel alone has none. Source: Cortes, Kloft and Mohri (2013), figure 2, where all kernels have the same trace.
    """
    if len(make_family(**plan.experiment["kernel"])) == 1:
        return {}
    shares = []
    for row in selection.rows:
        mu = np.array(str(row["weights"]).split(), dtype=np.float64) * _traces(_without_algorithm(_cell(plan, row)))
        shares.append(mu / mu.sum())
    return {f"weight_{k}": [float(share[k - 1]) for share in shares] for k in range(1, len(shares[0]) + 1)}


def tails(plan: Plan) -> list[dict[str, Any]]:
    """Return the tail sums of all kernels, of trace n and centred, by the cut-off theta; mean over the splits.

    Source: Cortes, Kloft and Mohri (2013), figure 2 (right).
    """
    sums = []
    for cell in plan.cells:
        stack = training_kernels(cell)[0].centred()
        eigenvalues = np.linalg.eigvalsh(stack.K)[:, ::-1]
        eigenvalues *= stack.shape[1] / stack.traces()[:, None]
        sums.append(stack.shape[1] - np.cumsum(np.pad(eigenvalues, ((0, 0), (1, 0)))[:, :-1], axis=1))
    shortest = min(one.shape[1] for one in sums)  # folds may differ by one example
    mean = np.mean([one[:, :shortest] for one in sums], axis=0)
    return [
        {"kernel": k, "theta": theta, "tail_sum": max(float(value), 0.0)}
        for k, curve in enumerate(mean, 1)
        for theta, value in enumerate(curve)
    ]


def training_kernels(cell: Cell) -> tuple[DenseStack, Array]:
    """Return the kernels of the training part of a cell, not centred, and the targets or labels +-1."""
    dataset, split = data_of(cell)
    (X,) = SCALINGS[cell["scaling"]](dataset.X[split.train])
    return DenseStack.of(GramStack.train(make_family(**cell["kernel"]), X)), dataset.real_target()[split.train]


def _cell(plan: Plan, row: Mapping[str, Any]) -> Cell:
    return next(cell for cell in plan.cells if cell["split"] == row["split"])


def _without_algorithm(cell: Cell) -> str:
    """Return all that the kernels of a cell depend on."""
    return json.dumps({**cell, "algo": None})


@lru_cache(maxsize=1000)  # the columns of a table have the same kernels
def _traces(cell: str) -> Array:
    return training_kernels(json.loads(cell))[0].centred().traces()


#: Measures by the name that a table's description gives.
MEASURES: dict[str, Callable[[Plan, Rows, Selection], Measures]] = {
    "bounds": bounds,
    "alignment_correlation": alignment_correlation,
    "kernel_weights": kernel_weights,
    "test_alignment": test_alignment,
}
#: Further points of a figure, of the first plan of its table, by the name that its description gives.
POINTS: dict[str, Callable[[Plan], list[dict[str, Any]]]] = {
    "tails": tails,
}
