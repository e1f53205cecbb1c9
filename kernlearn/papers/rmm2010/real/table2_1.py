"""Table 2.1 of Shivaswamy (2010): digits by the votes of 45 machines."""

import numpy as np

from kernlearn.algorithms.core.predictor import count_votes
from kernlearn.evaluation import Selection, best_of, number, votes
from kernlearn.evaluation.metrics import expected_error_pct
from kernlearn.papers.core.measured import Claim, Measured, counted, everywhere
from kernlearn.papers.core.tables import Measures, Rows
from kernlearn.runner.cell.data import data_of
from kernlearn.runner.plan.plan import Plan

NEEDS = {"svm", "rmm"}
#: An improvement of so many of 10,000 digits counts as significant, by the thesis.
CLEAR = 10


def measure(plan: Plan, rows: Rows, selection: Selection) -> Measures:
    """Return the number of test errors of every split, with one choice for all pairs and with one for each."""
    return {
        "n_errors": [number(row, "test_expected_error_pct") * row["n_test"] / 100.0 for row in selection.rows],
        "n_errors_strong": [_by_pairs(plan, rows, split, strong=True) for split in _splits(selection)],
        "n_errors_weak": [_by_pairs(plan, rows, split, strong=False) for split in _splits(selection)],
    }


def _splits(selection: Selection) -> list[int]:
    return [int(row["split"]) for row in selection.rows]


def _by_pairs(plan: Plan, rows: Rows, split: int, *, strong: bool) -> float:
    """Return the number of errors to be expected where every pair votes by the grid point that it errs least with.

    Of equal ones that is the first, the strongest in the order of a grid, or the last, the weakest.
    """
    grid = [row for row in rows if int(row["split"]) == split]
    pairs = list(votes.read(str(grid[0]["pairs"])))
    dataset, parts = data_of(next(cell for cell in plan.cells if cell.split == split))
    y = dataset.y[parts.test]
    choices = [votes.unpack(str(row["test_votes"]), len(pairs), len(y)) for row in grid]
    errors = [votes.read(str(row["validation_pair_errors"])) for row in grid]
    order = range(len(grid)) if strong else range(len(grid), 0, -1)
    best = [best_of([one[pair] for one in errors], order) for pair in pairs]
    chosen = np.stack([choices[point][p] for p, point in enumerate(best)])
    return expected_error_pct(y, count_votes(chosen, pairs, len(dataset.classes))) * len(y) / 100.0


def claims(measured: Measured) -> list[Claim]:
    """Section 2.4.2: the relative margin is better than the SVM, and convincingly so for low degrees."""
    rows = measured.rows("n_errors", "svm", "rmm")
    gain = {row: measured.mean(row, "svm", "n_errors") - measured.mean(row, "rmm", "n_errors") for row in rows}
    curved = [row for row in rows if not row.endswith("_d1")]
    result = [
        everywhere("the RMM has fewer errors than the SVM but for the linear kernel", {r: gain[r] > 0 for r in curved})
    ]
    digits = [row for row in curved if row.startswith("mnist")]
    if digits:
        clear = [row for row in digits if gain[row] >= CLEAR]
        result.append(counted(f"by {CLEAR} or more on mnist", clear, len(clear) == len(digits)))
    three = [row for row in curved if row in measured.rows("n_errors", "sigma_svm", "klda")]
    if three:
        whitened = {r: measured.mean(r, "sigma_svm", "n_errors") - measured.mean(r, "rmm", "n_errors") for r in three}
        low = [row for row in three if row[-1] in "234"]
        result += [
            everywhere(
                "the RMM has no more errors than the whitened SVM for degrees 2 to 4",
                {r: whitened[r] >= 0 for r in low},
            ),
            everywhere(
                "the whitened SVM has no more errors than the SVM",
                {r: measured.mean(r, "sigma_svm", "n_errors") <= measured.mean(r, "svm", "n_errors") for r in three},
            ),
        ]
    return result
