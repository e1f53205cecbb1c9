"""Figure 3.1 of Shivaswamy (2010): two labellings of the same examples, with the same absolute margin."""

from typing import Any

import numpy as np

from kernlearn.algorithms.margin.hard_svm import solve_hard_svm
from kernlearn.papers.core.colours import COLOURS, GREY
from kernlearn.papers.core.figures import Rows
from kernlearn.papers.core.measured import Claim, everywhere, judgement
from kernlearn.papers.rmm2010.toy.table3_1 import EXAMPLES, SAME, examples

SIZE = (6.5, 4.2)
#: How far apart two boundaries are, at least, that are completely different.
ANGLE = 45.0


def points() -> Rows:
    """Return examples (u, v), and boundaries ``u x1 + v x2 = 0`` of norm 1 with margin and gap, of both labellings."""
    X, rows = examples(), []
    for name, axis in EXAMPLES.items():
        y = np.sign(X[:, axis])
        solution = solve_hard_svm(X @ X.T, y, homogenous=True)
        w = X.T @ solution.x
        margin, gap = float((y * (X @ w)).min() / np.linalg.norm(w)), solution.gap
        named = [("positive" if sign > 0 else "negative", x, 0.0, 0.0) for x, sign in zip(X, y, strict=True)]
        rows += [
            {"example": name, "what": what, "u": float(u), "v": float(v), "margin": margin, "gap": gap}
            for what, (u, v), margin, gap in [*named, ("boundary", w / np.linalg.norm(w), margin, gap)]
        ]
    return rows


def _of(rows: Rows, example: str, what: str) -> Rows:
    return [row for row in rows if (row["example"], row["what"]) == (example, what)]


def _points(rows: Rows, example: str, what: str) -> Any:
    return np.array([(row["u"], row["v"]) for row in _of(rows, example, what)]).reshape(-1, 2)


def claims(rows: Rows) -> list[Claim]:
    """Return what section 3.5 says of figure 3.1."""
    normals = [_points(rows, example, "boundary")[0] for example in EXAMPLES]
    margins = [_of(rows, example, "boundary")[0]["margin"] for example in EXAMPLES]
    angle = float(np.degrees(np.arccos(min(1.0, abs(normals[0] @ normals[1])))))
    every = [
        np.vstack([_points(rows, example, "positive"), _points(rows, example, "negative")]) for example in EXAMPLES
    ]
    same = [{tuple(x) for x in X.tolist()} for X in every]
    separated = {
        f"{example} ({margin:.4f})": min(
            float((_points(rows, example, "positive") @ w).min()),
            float((_points(rows, example, "negative") @ -w).min()),
        )
        >= margin - SAME
        > 0.0
        for example, w, margin in zip(EXAMPLES, normals, margins, strict=True)
    }
    return [
        ("both labellings are of the same examples", f"{len(same[0])} examples", judgement(same[0] == same[1])),
        everywhere("the boundary separates the classes with its margin", separated),
        (
            "the absolute margin is the same in both",
            ", ".join(f"{margin:.6f}" for margin in margins),
            judgement(abs(margins[0] / margins[1] - 1.0) <= SAME),
        ),
        (
            "the classification boundaries are completely different",
            f"{angle:.1f} degrees apart",
            judgement(angle > ANGLE),
        ),
    ]


def draw(canvas: Any, rows: Rows) -> None:
    """Draw circles and squares, the boundary, and the margin on both sides of it."""
    for axes, example in zip(canvas.subplots(2, 1, sharex=True), EXAMPLES, strict=True):
        for what, marker, colour in (("positive", "o", COLOURS[0]), ("negative", "s", COLOURS[1])):
            axes.plot(*_points(rows, example, what).T, marker, color=colour, markersize=2.0, label=what)
        line = _of(rows, example, "boundary")[0]
        normal, margin = np.array([line["u"], line["v"]]), line["margin"]
        along = 9.0 * np.array([normal[1], -normal[0]])
        for offset, style in ((0.0, "-"), (margin, "--"), (-margin, "--")):
            ends = offset * normal + np.array([along, -along])
            axes.plot(*ends.T, style, color=GREY, linewidth=1.0, label={0.0: "boundary", margin: "margin"}.get(offset))
        axes.annotate("", margin * normal, (0.0, 0.0), arrowprops={"arrowstyle": "<->", "color": "black"})
        place = normal * [margin, 0.5 * margin]  # beside the arrow
        axes.annotate(f"$\\gamma$ = {margin:.2f}", place, (6, 2), textcoords="offset points", fontsize=8)
        axes.set_title(example.replace("_", " "), fontsize=9)
        axes.set_xlim(-7.6, 7.6)
        axes.set_ylim(-2.1, 2.1)
        axes.set_aspect("equal")
    canvas.legend(*axes.get_legend_handles_labels(), loc="outside lower center", ncols=4)
