"""How near UFO-MKL, by which the paper computes its multi-class results, comes to the optimum of its problem."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from kernlearn.algorithms.core.path import Point
from kernlearn.algorithms.core.prepare import prepare
from kernlearn.algorithms.core.problem import Classes, Problem
from kernlearn.algorithms.kernel_learning import multiclass_mkl, ufo_mkl
from kernlearn.certificates.multiclass import group_exponent
from kernlearn.datasets import load
from kernlearn.kernels import GramStack, make_family
from kernlearn.papers.core.colours import COLOURS
from kernlearn.papers.core.figures import Rows
from kernlearn.papers.core.measured import OURS, Claim, judgement

#: Passes after which a run is looked at.
EPOCHS = tuple(2**k for k in range(10))
VIEWS = 12
#: Relative gap of the optimum, and one that no run comes to.
TOL, NEVER = 1e-4, 1e-9
#: Passes from which on the gap is to fall as one over their number, and what its exponent may be off.
SETTLED, OFF = 8, 0.2
#: Passes after which the test accuracy is compared, and the points it may be below that of the optimum.
FEW, POINTS = 32, 1.0
SIZE = (8.4, 3.4)


def cell(seed: int, C: float, alpha: float) -> Rows:
    """Return gap and test accuracy of one run after some numbers of passes, and those of the optimum (epochs = 0).

    ``turns`` is the optimal value by the turns of ``finish=exact``.
    """
    data = load("protein_fold")
    y, number = data.y, int(data.y.max()) + 1
    train, test = np.split(np.random.default_rng(seed).permutation(len(y)), [len(y) // 2])
    stack = GramStack.train(make_family("views", n_views=VIEWS), data.X[train])
    problem, new = Problem(stack, Classes(y[train], number), seed=seed), stack.at(data.X[test])

    def row(epochs: int, point: Point, unit: float = 1.0) -> dict[str, Any]:
        (solution,) = point.solutions
        accuracy = 100.0 * float(np.mean(point.predictor.outputs(new).argmax(axis=0) == y[test]))
        return {
            **{"C": C, "alpha": alpha, "epochs": epochs, "objective": unit * solution.objective},
            **{"bound": unit * solution.dual_objective, "gap": solution.gap, "accuracy": accuracy},
            **{"kernels": int(np.count_nonzero(point.facts["weights"])), "turns": turns.solutions[0].objective},
        }

    (turns,) = ufo_mkl.path(problem, Cs=[C], alphas=[alpha], epochs=[SETTLED], finish="exact", tol=TOL)
    optimum = row(0, turns)
    if alpha == 0.0:
        p = (q := group_exponent(VIEWS)) / (q - 1.0)
        (exact,) = multiclass_mkl.path(problem, Cs=[C], norm=p / (2.0 - p), tol=TOL)
        optimum = row(0, exact, 1.0 / (C * len(train)))
    kernels, t = prepare(stack, True, "mean_diagonal")
    run = ufo_mkl.solve_path(kernels, problem, C, alpha, t, epochs=EPOCHS, tol=NEVER)
    joint = partial(multiclass_mkl.joint_point, problem, kernels, {})
    return [optimum, *(row(epochs, joint(one.x / t, one.extras["A"], one)) for epochs, one in run)]


def _lines(rows: Rows) -> Iterator[tuple[str, float, Any, Any, float]]:
    """Yield for every C and alpha a name, alpha, means over repetitions of gap and accuracy, and the best accuracy."""
    for C, alpha in dict.fromkeys((row["C"], row["alpha"]) for row in rows):
        mine = [row for row in rows if (row["C"], row["alpha"]) == (C, alpha)]
        means = [
            [np.mean([row[key] for row in mine if row["epochs"] == epochs]) for epochs in (0, *EPOCHS)]
            for key in ("gap", "accuracy")
        ]
        (_, *gap), (best, *accuracy) = means
        yield f"C = {C:g}, alpha = {alpha:g}", alpha, np.array(gap), np.array(accuracy), float(best)


def _of_optimum(rows: Rows) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Yield every row with the optimum that stands before it."""
    optimum: dict[str, Any] = {}
    for row in rows:
        if row["epochs"] == 0:
            optimum = row
        else:
            yield row, optimum


def claims(rows: Rows) -> list[Claim]:
    """Return what we state of the algorithm: the paper says nothing of how near it comes."""
    result: list[Claim] = []
    lines, late = list(_lines(rows)), np.array(EPOCHS) >= SETTLED
    for name, _, gap, accuracy, best in lines:
        slope = float(np.polyfit(np.log(np.array(EPOCHS)[late]), np.log(gap[late]), 1)[0])
        text = f"{name}: the gap falls as one over the number of passes"
        result.append(
            (text, f"exponent {slope:.2f}, gap {gap[-1]:.1e} at last", judgement(abs(slope + 1.0) <= OFF, OURS))
        )
        few = float(accuracy[EPOCHS.index(FEW)])
        text = f"{name}: after {FEW} passes the test accuracy is that of the optimum, within {POINTS:g} point"
        result.append((text, f"{few:.1f} and {best:.1f} %", judgement(abs(few - best) <= POINTS, OURS)))
    pairs = list(_of_optimum(rows))
    above = min(row["objective"] / optimum["bound"] - 1.0 for row, optimum in pairs)
    below = min(1.0 - row["bound"] / optimum["objective"] for row, optimum in pairs)
    apart = max(abs(optimum["turns"] / optimum["objective"] - 1.0) for _, optimum in pairs)
    sparse, whole = (
        [row["kernels"] for row in rows if row["epochs"] == 0 and (row["alpha"] > 0.0) == fewer]
        for fewer in (True, False)
    )
    return [
        *result,
        (
            "every certified optimum is between the objective and the bound of every run",
            f"at least {above:.1e} below the objective and {below:.1e} above the bound, relatively",
            judgement(min(above, below) >= 0.0, OURS),
        ),
        (
            "with alpha = 0 the optimum is that of multi-class MKL with kernel weights of norm p/(2-p)",
            f"{apart:.1e} apart, relatively",
            judgement(apart <= 2.0 * TOL, OURS),
        ),
        (
            "alpha takes kernels out",
            f"{np.mean(sparse):.1f} of {VIEWS} kernels at the optimum, {np.mean(whole):.1f} without alpha",
            judgement(bool(np.mean(sparse) < np.mean(whole)), OURS),
        ),
    ]


def draw(canvas: Any, rows: Rows) -> None:
    """Draw the gaps on the left and the accuracies on the right, dashed with alpha; dotted lines are the optima."""
    left, right = canvas.subplots(1, 2)
    for number, (name, alpha, gap, accuracy, best) in enumerate(_lines(rows)):
        colour, style = COLOURS[number // 2], "--" if alpha else "-"
        left.plot(EPOCHS, gap, style, color=colour, marker="o", markersize=3, label=name)
        right.plot(EPOCHS, accuracy, style, color=colour, marker="o", markersize=3)
        right.axhline(best, color=colour, linestyle=":", linewidth=1.0 if alpha else 1.6)
    left.set_yscale("log")
    left.set_ylabel("relative duality gap")
    right.set_ylabel("test accuracy, %")
    for axes in (left, right):
        axes.set_xscale("log", base=2)
        axes.set_xlabel("passes over the examples")
        axes.grid(axis="y", linewidth=0.4, color="0.88")
    canvas.legend(*left.get_legend_handles_labels(), loc="outside lower center", ncols=4)
