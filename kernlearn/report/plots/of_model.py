"""Pictures of a model from its file: kernel weights, and the training rows with the largest coefficients."""

from typing import Any

import numpy as np

from kernlearn.models.file import load
from kernlearn.models.proof import machine_of
from kernlearn.report.plots.of_run import kernels_in_words
from kernlearn.report.plots.picture import Axis, Bars, Grid, Picture
from kernlearn.report.plots.stored import Lacking
from kernlearn.report.targets import Target

#: Training rows that are drawn.
_MOST_ROWS = 20


def weights(target: Target) -> list[Picture]:
    """Return the learned kernel weights."""
    machine = machine_of(load(target.path))
    learned = getattr(machine, "weights_", None)
    if not isinstance(learned, np.ndarray) or learned.ndim != 2:
        raise Lacking("its method learns no kernel weights")
    family = getattr(machine, "_family", None)
    names = kernels_in_words(family, learned.shape[1])
    title = f"Kernel weights: {target.name}"
    used = int(np.count_nonzero(learned.any(axis=0)))
    words = f"{used} of {len(names)} kernels have a weight other than 0."
    if len(learned) == 1 or (learned == learned[0]).all():
        return [Bars("weights", title, Axis("weight"), names, learned[0].tolist(), words=words)]
    shown = [[f"{value:.2g}" for value in row] for row in learned.tolist()]
    problems = _outputs_of(machine, len(learned))
    axes = Axis("kernel", names=names), Axis("class", names=problems)
    return [Grid("weights", title, *axes, learned.tolist(), shown, "weight", words=words)]


def _outputs_of(machine: Any, count: int) -> list[str]:
    classes = getattr(machine, "classes_", None)
    if classes is not None and len(classes) == count:
        return [str(name) for name in classes.tolist()]
    return [f"output {i + 1}" for i in range(count)]


def deciding_rows(target: Target) -> list[Picture]:
    """Return the training rows with the largest coefficients, on which the predictions rest."""
    machine = machine_of(load(target.path))
    coef, support = getattr(machine, "_coef", None), getattr(machine, "support_", None)
    if not isinstance(coef, np.ndarray) or coef.ndim != 3 or support is None or len(support) != coef.shape[2]:
        raise Lacking("its predictions are no sum over training rows")
    sizes = np.abs(coef).sum(axis=(0, 1))
    order = np.argsort(-sizes, kind="stable")
    share = 100.0 * sizes[order] / (sizes.sum() or 1.0)
    half = int(np.searchsorted(np.cumsum(share), 50.0)) + 1
    names = [f"row {int(support[i]) + 1}" for i in order]
    equal = int(np.count_nonzero(share >= share[0] * (1 - 1e-6)))
    same = f" {equal} of them have the largest one." if equal > 1 else ""
    words = (
        f"The model rests on {len(names)} training rows with a coefficient.{same} The {half} largest coefficients make "
        "half of the sum of all. Rows are numbered from 1, in the order of the training data as they were read."
    )
    names, share = names[:_MOST_ROWS], share[:_MOST_ROWS]
    title = f"Training rows with the largest coefficients: {target.name}"
    x = Axis("share of the sum of absolute coefficients, %")
    return [Bars("rows", title, x, names, share.tolist(), words=words)]
