"""Figure 2 of Cortes, Kloft and Mohri (2013): AUC, kernel weights and tail sums of five kernels on DNA."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from kernlearn.evaluation import Selection
from kernlearn.kernels import make_family
from kernlearn.papers.core.colours import COLOURS, GREY
from kernlearn.papers.core.measured import Claim, Measured, everywhere, judgement
from kernlearn.papers.core.measures import cell_of, training_kernels
from kernlearn.papers.core.tables import Comparisons, Measures, Points, Rows
from kernlearn.papers.localrad2013.forms import CONV, DC
from kernlearn.runner.cell.cell import Group, PathCell
from kernlearn.runner.plan.plan import Plan
from kernlearn.types import Array

BASELINES = ("unif", "l1_mkl", "l2_mkl")
NEEDS = {*BASELINES, *CONV, *DC}
#: The single kernels in the order of their numbers.
SINGLE = ("only_signal", "only_first_half", "only_second_half", "only_angle", "only_energy")
#: A kernel with a smaller share of the trace counts as dropped.
DROPPED = 0.05
#: How the kernels and the methods are named and drawn.
SIGNALS = ("signal (WD)", "first half", "second half", "angles", "energies")
SIGNAL_COLOURS = (*COLOURS, GREY)
METHODS = {
    "unif": (GREY, "s", "unif"),
    "l1_mkl": (COLOURS[0], "v", "$l_1$"),
    "l2_mkl": (COLOURS[0], "^", "$l_2$"),
    "conv_l1": (COLOURS[1], "v", "conv, $l_1$"),
    "conv_l2": (COLOURS[1], "^", "conv, $l_2$"),
    "dc_l1": (COLOURS[3], "v", "dc, $l_1$"),
    "dc_l2": (COLOURS[3], "^", "dc, $l_2$"),
}
SIZE = (11.0, 3.6)


def claims(measured: Measured) -> list[Claim]:
    """Section 5.1, with the forms of conv and dc that validation chooses."""
    rows = measured.rows("auc", *BASELINES, *CONV, *DC)
    chosen = {
        (row, forms): max(forms, key=lambda c: measured.validation(row, c)) for row in rows for forms in (CONV, DC)
    }

    def mean(row: str, columns: Sequence[str]) -> float:
        return max(measured.mean(row, column, "auc") for column in columns)

    claims = []
    for name, forms in (("conv", CONV), ("dc", DC)):
        ours = {row: mean(row, [chosen[row, forms]]) for row in rows}
        noise = {row: measured.deviation(row, chosen[row, forms], "auc") / 10 for row in rows}
        best = {row: ours[row] > mean(row, BASELINES) for row in rows}
        level = {row: ours[row] >= mean(row, BASELINES) - noise[row] for row in rows}
        claims += [
            everywhere(f"{name} has the largest AUC, before unif, l1_mkl and l2_mkl", best),
            everywhere(f"{name} is at least as good, but for a tenth of a standard deviation", level),
        ]
    larger = [row for row in rows if row != "n100"]
    above = {
        row: min(measured.mean(row, c, "auc") for c in ("unif", "l2_mkl")) > mean(row, ["l1_mkl"]) for row in larger
    }
    if larger:
        claims.append(everywhere("unif and l2_mkl have a larger AUC than l1_mkl for n above 100", above))
    if "n100" in measured.rows("auc", *SINGLE) and "n100" in rows:
        claims += _claims_weights(measured, [chosen["n100", forms] for forms in (CONV, DC)])
    return claims


def _claims_weights(measured: Measured, chosen: Sequence[str]) -> list[Claim]:
    """Return what section 5.1 says of the kernel weights at n = 100."""
    auc = {column: measured.mean("n100", column, "auc") for column in SINGLE}
    weakest = sorted(auc, key=lambda column: auc[column])[:2]
    shares = {c: [measured.mean("n100", c, f"weight_{k}") for k in range(1, 6)] for c in (*chosen, "l1_mkl")}
    text = "; ".join(f"{column} {' '.join(f'{share:.2f}' for share in shares[column])}" for column in chosen)
    top = max(auc, key=lambda column: auc[column])
    focus = max(range(5), key=lambda k: shares["l1_mkl"][k])
    return [
        (
            "the linear kernels of angles and energies are the weakest alone",
            ", ".join(f"{column} {value:.1f}" for column, value in auc.items()),
            judgement(set(weakest) == {"only_angle", "only_energy"}),
        ),
        (
            "conv and dc drop them: shares below 5 %",
            text,
            judgement(all(max(shares[column][3:]) < DROPPED for column in chosen)),
        ),
        (
            "conv and dc distribute their weight over the three others: shares of 5 % and more",
            text,
            judgement(all(min(shares[column][:3]) >= DROPPED for column in chosen)),
        ),
        (
            "l1_mkl has its largest weight on a kernel that is not the best one alone",
            f"largest on {SINGLE[focus]}, the best alone is {top}",
            judgement(SINGLE[focus] != top),
        ),
    ]


def measure(plan: Plan, rows: Rows, selection: Selection) -> Measures:
    """Return the share of every kernel in the selected combination: its weight times its trace, in sum 1.

    A kernel alone has none. Source: Cortes, Kloft and Mohri (2013), figure 2, where all kernels have the same trace.
    """
    if len(make_family(**plan.experiment.kernel)) == 1:
        return {}
    shares = []
    for row in selection.rows:
        mu = np.array(str(row["weights"]).split(), dtype=np.float64) * _traces(_without_algorithm(cell_of(plan, row)))
        shares.append(mu / mu.sum())
    return {f"weight_{k}": [float(share[k - 1]) for share in shares] for k in range(1, len(shares[0]) + 1)}


def _without_algorithm(cell: PathCell) -> PathCell:
    """Return all that the kernels of a cell depend on."""
    return replace(cell, algo=Group({}), versions=Group({}))


@lru_cache(maxsize=1000)  # the columns of a table have the same kernels
def _traces(cell: PathCell) -> Array:
    return training_kernels(cell)[0].centred().traces()


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


POINTS = {"tails": tails}


def draw(canvas: Any, rows: Comparisons, points: Points) -> None:
    """Draw AUC against n, kernel weights at n = 100, and tail sums."""
    left, centre, right = canvas.subplots(1, 3, width_ratios=(1, 1.35, 1))
    for i, (method, (colour, marker, label)) in enumerate(METHODS.items()):
        curve = [row for row in rows if (row["algorithm"], row["metric"]) == (method, "auc")]
        if curve:
            n = [int(row["dataset"].removeprefix("n")) * 1.03 ** (i - 3) for row in curve]  # side by side
            values, noise = ([row[key] for row in curve] for key in ("mean", "std"))
            left.errorbar(n, values, noise, color=colour, marker=marker, label=label, markersize=4, elinewidth=0.6)
    left.set_xscale("log")
    left.set_xticks([100, 250, 1000], ["100", "250", "1000"])
    left.minorticks_off()
    left.set_xlabel("training examples $n$")
    left.set_ylabel("test AUC, %, mean and std")
    left.legend(fontsize=7, ncols=2, loc="lower right")

    shown = [method for method in METHODS if _value(rows, "n100", method, "weight_1") is not None]
    for k, colour in enumerate(SIGNAL_COLOURS, 1):
        heights = [_value(rows, "n100", method, f"weight_{k}") for method in shown]
        places = [i + 0.15 * (k - 3) for i in range(len(shown))]
        single = _value(rows, "n100", SINGLE[k - 1], "auc")
        label = SIGNALS[k - 1] + (f": {single:.1f}" if single is not None else "")
        centre.bar(places, heights, 0.15, color=colour, label=label)
    centre.set_xticks(range(len(shown)), [METHODS[method][2] for method in shown], rotation=45, ha="right")
    centre.set_ylabel("share of the kernel, $n = 100$")
    centre.set_ylim(0, 1.45)  # room for the legend
    centre.legend(title="AUC of the kernel alone, %", fontsize=7, title_fontsize=7)

    for k, colour in enumerate(SIGNAL_COLOURS, 1):
        curve = [row for row in points.get("tails", ()) if row["kernel"] == k and row["tail_sum"] > 0]
        right.plot([row["theta"] for row in curve], [row["tail_sum"] for row in curve], color=colour)
    right.set_yscale("log")
    right.set_ylim(bottom=0.1)
    right.set_xlabel(r"cut-off $\theta$")
    right.set_ylabel("tail sum of the eigenvalues, $n = 100$")


def _value(rows: Comparisons, dataset: str, algorithm: str, metric: str) -> float | None:
    asked = (dataset, algorithm, metric)
    return next((row["mean"] for row in rows if (row["dataset"], row["algorithm"], row["metric"]) == asked), None)
