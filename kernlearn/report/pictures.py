"""Drawings of the tables that a paper shows as figures."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from kernlearn.papers.localrad2013 import SINGLE
from kernlearn.report.figures import COLOURS, render

Rows = Sequence[Mapping[str, Any]]

GREY = "0.45"
#: Of figure 2 of Cortes, Kloft and Mohri (2013): how the kernels and the methods are named and drawn.
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
#: Of figure 3.1 of Rostamizadeh (2010).
LEARNERS = {"unif": (GREY, "uniform"), "l1_krr": (COLOURS[3], "$L_1$"), "l2_krr": (COLOURS[0], "$L_2$")}


def draw_table(name: str, rows: Rows, points: Rows) -> dict[str, bytes]:
    """Return the drawings of a table by the suffix of their files; none if it has no picture or nothing is measured.

    Parameters
    ----------
    name : str
    rows : sequence
        From `kernlearn.report.reproduction.table_rows`.
    points : sequence
        From `kernlearn.papers.measures.POINTS`.
    """
    if name not in PICTURES or not rows:
        return {}
    size, paint = PICTURES[name]
    return render(size, lambda canvas: paint(canvas, rows, points))


def paint_localrad_fig2(canvas: Any, rows: Rows, points: Rows) -> None:
    """Draw AUC against n, kernel weights at n = 100, and tail sums, as figure 2 of Cortes, Kloft and Mohri (2013)."""
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
    left.set_ylabel("test AUC, %")
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
        curve = [row for row in points if row["kernel"] == k and row["tail_sum"] > 0]
        right.plot([row["theta"] for row in curve], [row["tail_sum"] for row in curve], color=colour)
    right.set_yscale("log")
    right.set_ylim(bottom=0.1)
    right.set_xlabel(r"cut-off $\theta$")
    right.set_ylabel("tail sum of the eigenvalues, $n = 100$")


def paint_mkl_fig3_1(canvas: Any, rows: Rows, _: Rows) -> None:
    """Draw RMSE, and RMSE over that of uniform weights, against the number of bigrams, as figure 3.1."""
    domains = list(dict.fromkeys(row["dataset"].rpartition("_")[0] for row in rows))
    axes = canvas.subplots(2, len(domains), sharex=True, squeeze=False)
    for domain, above, below in zip(domains, *axes, strict=True):
        for learner, (colour, label) in LEARNERS.items():
            curves = {
                metric: [row for row in rows if _is(row, domain, learner, metric)] for metric in ("rmse", "rmse_ratio")
            }
            for place, curve in zip((above, below), curves.values(), strict=True):
                n = [int(row["dataset"].rpartition("_")[2]) for row in curve]
                values, noise = ([row[key] for row in curve] for key in ("mean", "std"))
                place.errorbar(n, values, noise, color=colour, label=label, elinewidth=0.8, capsize=2)
        above.set_title(domain, fontsize=9)
        below.set_xlabel("bigrams $N$")
    axes[0, 0].set_ylabel("test RMSE")
    axes[1, 0].set_ylabel("RMSE / uniform")
    axes[0, 0].legend(fontsize=8)


def _is(row: Mapping[str, Any], domain: str, learner: str, metric: str) -> bool:
    return (row["dataset"].rpartition("_")[0], row["algorithm"], row["metric"]) == (domain, learner, metric)


def _value(rows: Rows, dataset: str, algorithm: str, metric: str) -> float | None:
    asked = (dataset, algorithm, metric)
    return next((row["mean"] for row in rows if (row["dataset"], row["algorithm"], row["metric"]) == asked), None)


#: Size in inches and painter of the tables that have a picture.
PICTURES: dict[str, tuple[tuple[float, float], Callable[[Any, Rows, Rows], None]]] = {
    "localrad2013/fig2": ((11.0, 3.6), paint_localrad_fig2),
    "mkl2010/fig3_1": ((9.5, 4.6), paint_mkl_fig3_1),
}
