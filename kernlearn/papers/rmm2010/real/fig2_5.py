"""Figure 2.5 of Shivaswamy (2010): test errors on MNIST 3 against 5, as B goes from the SVM down towards 1."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernlearn.evaluation import best_of
from kernlearn.papers.core.colours import COLOURS, GREY
from kernlearn.papers.core.figures import Rows
from kernlearn.papers.core.measured import Claim, judgement
from kernlearn.papers.rmm2010.real.digits import (
    TOL,
    Part,
    discordance,
    kernel,
    machines,
    significant,
    two_digits,
    wrong,
)
from kernlearn.solvers import SVMSolver

VERSION = 1
CS = (0.1, 1.0, 10.0, 100.0, 1000.0)
FRACTIONS = (1.0, 0.8, 0.6, 0.5, 0.4, 0.3, 0.25, 0.2, 0.15, 0.1, 0.07, 0.05)
#: Errors of the SVM and fewest errors of the RMM, as printed.
PRINTED = (15, 6)
#: Errors that make no difference to a shape.
NEAR = 3


def cell(seed: int) -> Rows:
    """Return the errors on the test part for every B; the seed is that of the part that validates."""
    train, test = two_digits(3, 5)
    return errors_along(train, test, FRACTIONS, seed)


def errors_along(train: Part, test: Part, fractions: tuple[float, ...], seed: int) -> Rows:
    """Return the errors on a test part for every B, with the C that is chosen on a third of the training part."""
    K = kernel(train.X, train.X)
    C = chosen_C(K, train.y, np.random.default_rng(seed).permutation(len(train.y)))
    among = kernel(test.X, train.X)
    rows, svm = [], None
    for machine in machines(K, train.y, [C], fractions):
        errors = wrong(machine.outputs(among), test.y)
        svm = errors if svm is None else svm
        place = {"fraction": machine.fraction, "B": machine.B, "C": C}
        rows.append({**place, **discordance(svm, errors), "gap": machine.gap})
    return rows


def chosen_C(K: NDArray[np.float64], y: NDArray[np.float64], order: NDArray[np.intp]) -> float:
    """Return the C of the SVM with fewest errors on the last third of a random order, trained on the others."""
    train, validation = np.split(order, [2 * len(order) // 3])
    solver, errors = SVMSolver(K[np.ix_(train, train)], y[train], TOL), []
    for C in CS:
        solution = solver.solve(C)
        f = K[np.ix_(validation, train)] @ solution.x + solution.intercept
        errors.append(wrong(f, y[validation]).sum())
    return CS[best_of(errors)]


def claims(rows: Rows) -> list[Claim]:
    """Return what section 2.4.3 says of figure 2.5."""
    curve = {row["B"]: int(row["rmm"]) for row in rows if row["seed"] == rows[0]["seed"]}
    widest, lowest = max(curve), min(curve, key=lambda B: (curve[B], B))
    inner = [row for row in rows if row["fraction"] < 1.0]
    return [
        (
            f"the SVM makes {PRINTED[0]} errors",
            f"{curve[widest]} at B = theta = {widest:.3g}",
            judgement(curve[widest] == PRINTED[0]),
        ),
        (
            f"the RMM makes {PRINTED[1]} at the least",
            f"{curve[lowest]} at B = {lowest:.3g}",
            judgement(curve[lowest] == PRINTED[1]),
        ),
        (
            "as B falls, so does the number of errors, by a half at least",
            ", ".join(f"{curve[B]} at {B:.3g}" for B in sorted(curve, reverse=True)),
            judgement(lowest < widest and 2 * curve[lowest] <= curve[widest]),
        ),
        (
            f"with no more than {NEAR} errors above the least down to the narrowest band",
            f"{curve[min(curve)]} at B = {min(curve):.3g}",
            judgement(curve[min(curve)] <= curve[lowest] + NEAR),
        ),
        *significant(inner, [f"B={row['B']:.3g}" for row in inner], 0.05, 0.5),
    ]


def draw(canvas: Any, rows: Rows) -> None:
    """Draw figure 2.5."""
    axes = canvas.subplots()
    for seed in sorted({row["seed"] for row in rows}):
        curve = [row for row in rows if row["seed"] == seed]
        axes.plot([row["B"] for row in curve], [row["rmm"] for row in curve], "o-", color=COLOURS[0])
        axes.axhline(curve[0]["svm"], linestyle="--", color=GREY, label="SVM")
    axes.set_xlabel("$B$")
    axes.set_ylabel("errors on the test part")
    axes.set_ylim(bottom=0)
    axes.legend()
