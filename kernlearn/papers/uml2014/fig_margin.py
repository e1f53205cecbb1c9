"""The line of largest margin: what section 15.1 says of it, on points of the plane."""

from typing import Any

import numpy as np

from kernlearn.algorithms.margin.hard_svm import solve_hard_svm
from kernlearn.papers.core.colours import COLOURS, GREY
from kernlearn.papers.core.figures import Rows
from kernlearn.papers.core.measured import OURS, Claim, judgement
from kernlearn.papers.uml2014.samples import in_the_disc

SIZE = (7.0, 4.2)


def points() -> Rows:
    """Return examples with their signed distance to the line found, and the line, for two scales of the examples.

    Of the line, ``x1`` and ``x2`` are its unit normal vector and ``distance`` is -b.
    """
    rows = []
    for scale in (1.0, 2.0):
        X, y = in_the_disc(40, 0.1, seed=0, offset=0.2)
        X = scale * X
        solution = solve_hard_svm(X @ X.T, y)
        w, b = X.T @ solution.x, solution.intercept
        norm = float(np.linalg.norm(w))
        common = {"scale": scale, "margin": 1.0 / norm, "gap": solution.gap}
        rows.append(
            {**common, "what": "line", "x1": w[0] / norm, "x2": w[1] / norm, "label": 0.0, "distance": -b / norm}
        )
        distances, support = (X @ w + b) / norm, solution.dual > 0.0
        for x, label, distance, supports in zip(X, y, distances, support, strict=True):
            what = "support vector" if supports else "example"
            rows.append({**common, "what": what, "x1": x[0], "x2": x[1], "label": label, "distance": distance})
    return [{key: value if key == "what" else float(value) for key, value in row.items()} for row in rows]


def claims(rows: Rows) -> list[Claim]:
    """Return what section 15.1 and theorem 15.8 say of it."""
    ones = [row for row in rows if row["scale"] == 1.0]
    margin = ones[0]["margin"]
    smallest = min(row["label"] * row["distance"] for row in ones if row["what"] != "line")
    support = [row for row in ones if row["what"] == "support vector"]
    off = max(abs(abs(row["distance"]) - margin) for row in support)
    twice = next(row["margin"] for row in rows if row["scale"] == 2.0)
    gap = max(abs(row["gap"]) for row in rows)
    return [
        (
            "all examples are on their side, at a distance of 1/|w0| or more (lemma 15.2)",
            f"{smallest:.6f} beside {margin:.6f}",
            judgement(smallest >= margin * (1 - 1e-6)),
        ),
        (
            "support vectors are those at the margin, few",
            f"{len(support)}, off by {off:.1e} at most",
            judgement(off <= 1e-6 and 2 <= len(support) <= 3),
        ),
        ("the margin is that of the distribution, 0.1, or larger", f"{margin:.4f}", judgement(margin >= 0.1)),
        (
            "scaled examples have a scaled margin: it means nothing without the radius",
            f"times two: {twice / margin:.6f}",
            judgement(abs(twice / margin - 2) < 1e-6),
        ),
        ("the optimum is certified", f"gap {gap:.1e}", judgement(gap <= 1e-6, OURS)),
    ]


def draw(canvas: Any, rows: Rows) -> None:
    """Draw the examples, the line, its margin and the support vectors, at both scales on the same axes."""
    scales = sorted({row["scale"] for row in rows})
    most = 1.1 * max(scales)
    panels = canvas.subplots(1, len(scales), sharey=True)
    for axes, scale in zip(panels, scales, strict=True):
        some = [row for row in rows if row["scale"] == scale]
        for colour, label, marker in zip(COLOURS, (1.0, -1.0), "os", strict=False):
            points = _plane([row for row in some if row["label"] == label])
            axes.scatter(*points, s=10, color=colour, marker=marker, label=f"$y = {label:+.0f}$")
        support = _plane([row for row in some if row["what"] == "support vector"])
        axes.scatter(*support, s=60, facecolors="none", edgecolors="black", linewidths=0.8, label="support vectors")
        line = next(row for row in some if row["what"] == "line")
        along = np.array([-2.0, 2.0]) * most
        for shift, style, name in (
            (0.0, "-", "largest margin"),
            (line["margin"], ":", "its margin"),
            (-line["margin"], ":", None),
        ):
            foot = line["distance"] + shift
            x1, x2 = foot * line["x1"] - along * line["x2"], foot * line["x2"] + along * line["x1"]
            axes.plot(x1, x2, style, color=GREY, linewidth=1.0, label=name)
        axes.set_title(f"examples times {scale:g}: margin {line['margin']:.3f}", fontsize=9.0)
        axes.set_aspect("equal")
        axes.set_xlim(-most, most)
        axes.set_ylim(-most, most)
        axes.set_xlabel("$x_1$")
    panels[0].set_ylabel("$x_2$")
    canvas.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=5, columnspacing=1.2)


def _plane(rows: Rows) -> tuple[list[float], list[float]]:
    return [row["x1"] for row in rows], [row["x2"] for row in rows]
