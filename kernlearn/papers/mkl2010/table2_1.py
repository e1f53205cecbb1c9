"""Table 2.1 of Rostamizadeh (2010): the alignment of single kernels and the error of their predictors."""

import numpy as np

from kernlearn.evaluation import Selection
from kernlearn.evaluation.metrics import correlation, mean_and_deviation
from kernlearn.kernels import alignments, make_family
from kernlearn.papers.core.measured import Claim, Measured, everywhere, judgement
from kernlearn.papers.core.measures import training_kernels
from kernlearn.papers.core.tables import Measures, Rows
from kernlearn.runner.plan.plan import Plan
from kernlearn.types import Array

#: No column in particular: a row has one of them.
NEEDS: set[str] = set()


def claims(measured: Measured) -> list[Claim]:
    """Section 2.5.1: the centred alignment tells the error, the other one not always."""
    rho, A = (
        {
            row: measured.mean(row, column, metric)
            for column in measured.algorithms
            for row in measured.rows(metric, column)
        }
        for metric in ("centred", "not_centred")
    )
    return [
        everywhere(
            "the centred alignment has a correlation below -0.9", {row: value < -0.9 for row, value in rho.items()}
        ),
        everywhere("it is better correlated than the one without centring", {row: rho[row] < A[row] for row in rho}),
        *(
            [
                (
                    "without centring the correlation is positive on splice",
                    f"{A['splice']:+.2f}",
                    judgement(A["splice"] > 0),
                )
            ]
            if "splice" in A
            else []
        ),
    ]


def measure(plan: Plan, rows: Rows, selection: Selection) -> Measures:
    """Return the correlation, over single kernels, of the error with the alignment, centred and not, one number each.

    The predictor of a kernel has the regularisation with its best validation score. Source: Rostamizadeh (2010),
    table 2.1.
    """
    members = make_family(**plan.experiment.kernel).members
    chosen = [
        plan.select([row for row in rows if member.items() <= plan.grid[int(row["point"])].items()])
        for member in members
    ]
    errors = np.array([mean_and_deviation(one.values_of(selection.metric))[0] for one in chosen if one])
    margins: dict[bool, list[Array]] = {True: [], False: []}
    for cell in plan.cells:
        stack, targets = training_kernels(cell)
        for centred, values in margins.items():
            values.append(alignments(stack, targets, centred=centred))
    with_errors = {centred: correlation(np.mean(values, axis=0), errors) for centred, values in margins.items()}
    return {"centred": [with_errors[True]], "not_centred": [with_errors[False]]}
