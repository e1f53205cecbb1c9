"""Figure 2.1 of Shivaswamy (2010): examples of two Gaussians, with the lines of SVM, RMM and the Bayes rule."""

from typing import Any

import numpy as np

from kernlearn.papers.core.colours import COLOURS, GREY
from kernlearn.papers.core.figures import Rows
from kernlearn.papers.core.measured import Claim, everywhere
from kernlearn.papers.rmm2010.toy.gaussians import Draw

VERSION = 1
SIZE = (7.0, 4.1)
N = 100
LINES = {"svm": ("SVM", COLOURS[0], "-"), "rmm": ("RMM", COLOURS[1], "-"), "bayes": ("Bayes", GREY, "--")}


def cell(seed: int) -> Rows:
    """Return examples (u, v), where c is 1, and lines ``u x1 + v x2 + c = 0``, by ``what`` they are."""
    draw = Draw(seed, N)
    lines = {name: machine.line for name, machine in draw.best().items()} | {"bayes": draw.bayes}
    named = [("positive" if y > 0 else "negative", x) for x, y in zip(draw.train.X, draw.train.y, strict=True)]
    return [{"what": what, "u": u, "v": v, "c": c} for what, (u, v, c) in [*named, *lines.items()]]


def claims(rows: Rows) -> list[Claim]:
    """Return what the caption says: the line of the RMM is closer to that of the Bayes rule."""
    seeds = sorted({row["seed"] for row in rows})
    angles = {seed: [_angle(rows, seed, name) for name in ("svm", "rmm")] for seed in seeds}
    return [
        everywhere(
            "the line of the RMM makes a smaller angle with that of the Bayes rule",
            {f"draw {seed:g} ({svm:.1f} and {rmm:.1f} degrees)": rmm < svm for seed, (svm, rmm) in angles.items()},
        )
    ]


def _line(rows: Rows, seed: float, what: str) -> tuple[float, float, float]:
    return next((row["u"], row["v"], row["c"]) for row in rows if row["seed"] == seed and row["what"] == what)


def _angle(rows: Rows, seed: float, what: str) -> float:
    first, second = (np.array(_line(rows, seed, name)[:2]) for name in (what, "bayes"))
    return float(np.degrees(np.arccos(min(1.0, first @ second / np.linalg.norm(first) / np.linalg.norm(second)))))


def draw(canvas: Any, rows: Rows) -> None:
    """Draw figure 2.1, one panel for every draw."""
    seeds = sorted({row["seed"] for row in rows})
    panels = canvas.subplots(1, len(seeds), squeeze=False, sharey=True)[0]
    for axes, seed in zip(panels, seeds, strict=True):
        for what, marker, colour in (("positive", "o", COLOURS[2]), ("negative", "x", COLOURS[3])):
            points = [(row["u"], row["v"]) for row in rows if row["seed"] == seed and row["what"] == what]
            axes.plot(*zip(*points, strict=True), marker, color=colour, markersize=3, label=what)
        for what, (label, colour, style) in LINES.items():
            w1, w2, b = _line(rows, seed, what)
            axes.plot([0.0, 1.0], [-b / w2, -(w1 + b) / w2], style, color=colour, label=label)
        axes.set_title(f"draw {seed:g}", fontsize=9.0)
        axes.set_xlim(0.0, 1.0)
        axes.set_ylim(0.0, 1.0)
        axes.set_aspect("equal")
        axes.set_xlabel("$x_1$, rescaled")
    panels[0].set_ylabel("$x_2$, rescaled")
    canvas.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=5)
