"""What tables 3.1 and 3.2 of Rostamizadeh (2010) share: errors of either task, alignment on the test part."""

import numpy as np

from kernlearn.evaluation import Selection, number
from kernlearn.kernels import SCALINGS, DenseStack, GramStack, alignments, make_family
from kernlearn.kernels.families.vectors import FEATURES
from kernlearn.papers.core.measured import Measured
from kernlearn.papers.core.measures import cell_of
from kernlearn.papers.core.tables import Measures, Rows
from kernlearn.runner.cell.data import data_of
from kernlearn.runner.plan.plan import Plan


def rows_with(measured: Measured, *columns: str) -> list[tuple[str, str]]:
    """Return the rows that have these columns, with the metric of their error: RMSE for regressions."""
    regressions = measured.rows("rmse", *columns)
    return [(row, "rmse" if row in regressions else "error_pct") for row in measured.rows("alignment", *columns)]


def test_alignment(plan: Plan, rows: Rows, selection: Selection) -> Measures:
    """Return the centred alignment of the learned kernel with the labels on the test part of every split.

    Source: Rostamizadeh (2010), definition 2.4; the thesis does not say on which part its tables have it.
    """
    if plan.experiment.kernel["name"] == FEATURES:  # too many weights for the rows, which have it instead
        return {"test_alignment": [number(row, "test_alignment") for row in selection.rows]}
    values = []
    for row in selection.rows:
        dataset, split = data_of(cell_of(plan, row))
        _, X = SCALINGS[plan.experiment.scaling](dataset.X[split.train], dataset.X[split.test])
        stack = DenseStack.of(GramStack.train(make_family(**plan.experiment.kernel), X))
        K = stack.combine(np.array(str(row["weights"]).split(), dtype=np.float64))
        values.append(float(alignments(DenseStack(K[None]), dataset.real_target()[split.test])[0]))
    return {"test_alignment": values}
