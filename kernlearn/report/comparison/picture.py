"""The critical-difference picture: mean ranks on a line, with a bar over every group of methods that are alike.

Source: Demsar (2006), Statistical comparisons of classifiers over multiple data sets, JMLR 7, section 3.2.4.
"""

from collections.abc import Sequence
from math import ceil, floor
from typing import Any

from kernlearn.evaluation.comparison import Ranks, cliques
from kernlearn.report.pictures import render

#: Inches of a line of text, and of the picture's width.
LINE, WIDTH = 0.19, 6.8
#: Lines between the axis and the first name, and for each bar of a group.
ABOVE, BAR = 1.6, 0.55
#: Points that the bars are thick.
THICK = 3.0


def draw_ranks(names: Sequence[str], ranks: Ranks, title: str) -> dict[str, bytes]:
    """Return the picture by the suffix of its files.

    Parameters
    ----------
    names : sequence of str
        Of the k methods.
    ranks : Ranks
    title : str
    """
    order = sorted(range(len(names)), key=lambda i: ranks.mean[i])
    groups = cliques(ranks.mean, ranks.critical_difference)
    half = ceil(len(order) / 2)
    below = ABOVE + BAR * len(groups)
    lines = below + half + 3.5
    low, high = floor(min(ranks.mean)), ceil(max(ranks.mean))

    def paint(canvas: Any) -> None:
        axes = canvas.subplots()
        axes.set_xlim(low - 0.9 * (high - low), high + 0.9 * (high - low))
        axes.set_ylim(-lines + 3.0, 3.0)
        axes.axis("off")
        axes.plot([low, high], [0, 0], color="black", linewidth=0.8)
        for tick in range(low, high + 1):
            axes.plot([tick, tick], [0, 0.25], color="black", linewidth=0.8)
            axes.text(tick, 0.45, str(tick), ha="center", va="bottom")
        axes.text((low + high) / 2, 1.7, title, ha="center", va="bottom")
        for place, i in enumerate(order):
            left = place < half
            y = -below - (place if left else len(order) - 1 - place)
            x = low - 0.08 * (high - low) if left else high + 0.08 * (high - low)
            axes.plot([ranks.mean[i], ranks.mean[i], x], [0, y, y], color="black", linewidth=0.6)
            axes.text(x, y, f" {names[i]} {ranks.mean[i]:.2f} ", ha="right" if left else "left", va="center")
        for number, group in enumerate(groups, 1):
            ends = [ranks.mean[group[0]] - 0.03, ranks.mean[group[-1]] + 0.03]
            axes.plot(ends, [-BAR * number] * 2, color="black", linewidth=THICK, solid_capstyle="butt")

    return render((WIDTH, LINE * lines), paint)
