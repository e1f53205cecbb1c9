"""Join the rows of a grid point: those of all folds of a split, and that of its whole training part."""

from collections.abc import Sequence
from math import isnan, nan
from typing import Any

import numpy as np

from kernlearn.algorithms.core.approximated import EXACT_GAP
from kernlearn.evaluation import METRICS, tallies, votes

Rows = list[dict[str, Any]]


def joined(rows: Rows, n_fits: int) -> Rows:
    """Return one row for each grid point from the rows of all fits of a split, fit by fit."""
    fits = [rows[i : i + len(rows) // n_fits] for i in range(0, len(rows), len(rows) // n_fits)]
    return [{"point": j, **_over_folds(*parts)} for j, parts in enumerate(zip(*fits, strict=True))]


def _over_folds(*parts: dict[str, Any]) -> dict[str, Any]:
    """Return the row of the last fit, with the validation scores of the folds before it, if there are any.

    It has the total number of errors of the folds. Other scores are means over the folds that have them, weighted by
    size. It also has the largest gaps of all fits, and the first status that is not optimal.
    """
    *folds, summary = parts
    if not folds:
        return summary
    sizes = [fold["n_validation"] for fold in folds]
    names = [name for name in folds[0] if name.startswith("validation_")]
    if "validation_votes" in names:  # the votes of a fold are not used further
        names = [name for name in names if name not in ("validation_votes", "validation_pair_errors")]
        summed = votes.added([votes.read(fold["validation_pair_errors"]) for fold in folds])
        summary = {**summary, "validation_pair_errors": votes.to_text(summed)}
    if "validation_tallies" in names:
        names.remove("validation_tallies")
        counted = tallies.added([tallies.read(fold["validation_tallies"]) for fold in folds])
        summary = {**summary, "validation_tallies": tallies.to_text(counted)}
    means = {name: _over_sizes(name, [fold[name] for fold in folds], sizes) for name in names}
    if "validation_errors" in names:
        means["validation_errors"] = sum(fold["validation_errors"] for fold in folds)
    gaps = {name: max(part[name] for part in parts) for name in ("gap", EXACT_GAP) if name in summary}
    status = next((part["status"] for part in parts if part["status"] != "optimal"), "optimal")
    return {**folds[0], **means, **summary, "n_validation": sum(sizes), **gaps, "status": status}


def _over_sizes(name: str, values: Sequence[float], sizes: Sequence[int]) -> float:
    """Return the mean of a score over folds, weighted by size. Folds with a single class may not have the score."""
    metric = METRICS.get(name.removeprefix("validation_"))
    may_lack = metric is not None and metric.needs_classes
    defined = [i for i, value in enumerate(values) if not (may_lack and isnan(value))]
    return float(np.average([values[i] for i in defined], weights=[sizes[i] for i in defined])) if defined else nan
