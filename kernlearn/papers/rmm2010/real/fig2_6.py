"""Figure 2.6 of Shivaswamy (2010): test errors of SVM and RMM on all pairs of MNIST digits."""

from typing import Any

import numpy as np

from kernlearn.evaluation import best_of
from kernlearn.papers.core.colours import COLOURS
from kernlearn.papers.core.figures import Rows
from kernlearn.papers.core.measured import Claim, counted, judgement
from kernlearn.papers.rmm2010.real.digits import Part, discordance, kernel, machines, significant, two_digits, wrong

VERSION = 1
SIZE = (9.0, 3.4)
#: Images that train.
N = 2000
CS = (1.0, 10.0, 100.0)
FRACTIONS = (1.0, 0.6, 0.4, 0.2, 0.1)
#: Part of the test images that makes a difference, by the thesis.
CLEAR = 0.001


def cell(seed: int, digit: int) -> Rows:
    """Return the errors on the pairs of a digit with all larger ones."""
    rows = []
    for other in range(digit + 1, 10):
        train, test = two_digits(digit, other)
        order = np.random.default_rng([seed, digit, other]).permutation(len(train.y))
        chosen = chosen_machines(train[np.sort(order[:N])], train[np.sort(order[N:])], test)
        rows.append({"first": digit, "second": other, "n_test": len(test.y), **chosen})
    return rows


def chosen_machines(train: Part, validation: Part, test: Part) -> dict[str, Any]:
    """Return the test errors of the SVM and of the RMM with fewest validation errors, of equal ones the first."""
    grid = list(machines(kernel(train.X, train.X), train.y, CS, FRACTIONS))
    among = kernel(validation.X, train.X)
    errors = [wrong(machine.outputs(among), validation.y).sum() for machine in grid]
    bounded = [machine.fraction < 1.0 for machine in grid]  # False, the SVM, comes before True
    svm, rmm = grid[best_of(bounded, errors)], grid[best_of(errors)]
    among = kernel(test.X, train.X)
    counts = discordance(*(wrong(machine.outputs(among), test.y) for machine in (svm, rmm)))
    places = {"svm_C": svm.C, "rmm_C": rmm.C, "rmm_fraction": rmm.fraction, "rmm_B": rmm.B}
    return {**counts, **places, "gap": max(machine.gap for machine in grid)}


def claims(rows: Rows) -> list[Claim]:
    """Return what section 2.4.4 says of figure 2.6."""
    names = [f"{row['first']:g}-{row['second']:g}" for row in rows]
    named = list(zip(names, rows, strict=True))
    fewer = [name for name, row in named if row["rmm"] < row["svm"]]
    clear = [name for name, row in named if row["svm"] - row["rmm"] >= CLEAR * row["n_test"]]
    more = [name for name, row in named if row["rmm"] > row["svm"]]
    half = [name for name, row in named if 2 * row["rmm"] <= row["svm"] and row["svm"] > 0]
    svm, rmm = (int(sum(row[name] for row in rows)) for name in ("svm", "rmm"))
    most = 0.5 * len(rows)
    return [
        counted("the RMM makes fewer errors than the SVM on more than half of the pairs", fewer, len(fewer) > most),
        counted(f"by {100 * CLEAR:g} % of the test images at least", clear, len(clear) > most),
        counted("half of its errors or fewer on some", half, bool(half)),
        counted("and more than the SVM on fewer than a tenth", more, len(more) < 0.1 * len(rows)),
        ("fewer errors of all pairs together", f"SVM {svm}, RMM {rmm}", judgement(rmm < svm)),
        *significant(rows, names, 0.05, 0.5),
    ]


def draw(canvas: Any, rows: Rows) -> None:
    """Draw figure 2.6: two bars for every pair."""
    axes = canvas.subplots()
    for name, shift, colour in (("svm", -0.2, COLOURS[1]), ("rmm", 0.2, COLOURS[0])):
        axes.bar(np.arange(len(rows)) + shift, [row[name] for row in rows], 0.4, color=colour, label=name.upper())
    labels = [f"{row['first']:g}-{row['second']:g}" for row in rows]
    axes.set_xticks(range(len(rows)), labels, rotation=90, fontsize=7)
    axes.set_ylabel("errors on the test part")
    axes.legend()
