"""Pictures of a model from its file: the training rows with the largest coefficients."""

import numpy as np

from kernlearn.models.file import load
from kernlearn.models.proof import machine_of
from kernlearn.report.plots.picture import Axis, Bars, Picture
from kernlearn.report.plots.stored import Lacking
from kernlearn.report.targets import Target

#: Training rows that are drawn.
_MOST_ROWS = 20


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
