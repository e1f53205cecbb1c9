"""Figure 1.1 of Shivaswamy (2010): the largest margin depends on the scale of the data."""

from typing import Any

import numpy as np

from kernlearn.papers.core.colours import COLOURS
from kernlearn.papers.core.figures import Rows
from kernlearn.papers.core.measured import Claim, everywhere, judgement
from kernlearn.solvers import BandSolver
from kernlearn.types import Array

SIZE = (7.5, 4.8)
#: The ends of the segment of the positive class; the negative class is its reflection at the origin.
ENDS = np.array([[0.333, 1.195], [2.012, 2.579]])
PER_CLASS = 10
#: Of the first axis, from top to bottom.
STRETCHES = (1.0, 2.77, 5.11)
#: No example has a loss, and all outputs are nearly the same.
C, NARROW = 1e4, 1.0 + 1e-6
#: As printed: absolute margins, and relative ones in percent.
MARGINS, RELATIVE = (1.24, 1.51, 2.08), (41, 28, 21)
RMM_MARGIN = 0.71
LINES = {"svm": COLOURS[1], "rmm": COLOURS[2]}


def examples(stretch: float) -> tuple[Array, Array]:
    """Return examples of shape (20, 2) and labels +-1."""
    positive = np.linspace(ENDS[0], ENDS[1], PER_CLASS) * [stretch, 1.0]
    return np.concatenate([positive, -positive]), np.repeat([1.0, -1.0], PER_CLASS)


def points() -> Rows:
    """Return examples (u, v), where c is 1, and lines ``u x1 + v x2 + c = 0`` with the gap of their solution."""
    rows = []
    for stretch in STRETCHES:
        X, y = examples(stretch)
        solver = BandSolver(X @ X.T, y, 1e-9)
        lines = {}
        for name, B in (("svm", 1.0 + 2.0 * solver.theta(C)), ("rmm", NARROW)):
            solution = solver.solve(C, B)
            lines[name] = (*(X.T @ solution.x), solution.intercept, solution.gap)
        named = [("positive" if sign > 0 else "negative", (*x, 1.0, 0.0)) for x, sign in zip(X, y, strict=True)]
        rows += [
            {"stretch": stretch, "what": what, "u": u, "v": v, "c": c, "gap": gap}
            for what, (u, v, c, gap) in [*named, *lines.items()]
        ]
    return rows


def outputs(rows: Rows, stretch: float, name: str) -> tuple[Array, Array]:
    """Return the distances of the examples of both classes from a line, positive on the side of the positive class."""
    curves = {what: _points(rows, stretch, what) for what in ("positive", "negative", name)}
    (u, v, c), *_ = curves[name]
    positive, negative = ((curves[what][:, :2] @ [u, v] + c) / np.hypot(u, v) for what in ("positive", "negative"))
    return positive, negative


def _points(rows: Rows, stretch: float, what: str) -> Array:
    mine = [row for row in rows if row["stretch"] == stretch and row["what"] == what]
    return np.array([(row["u"], row["v"], row["c"]) for row in mine])


def margins(rows: Rows, name: str) -> list[tuple[float, float]]:
    """Return the absolute margin, and the relative one in percent, for every stretch."""
    of_methods = []
    for stretch in STRETCHES:
        positive, negative = outputs(rows, stretch, name)
        margin, spread = min(positive.min(), -negative.max()), max(abs(positive).max(), abs(negative).max())
        of_methods.append((float(margin), float(100.0 * margin / spread)))
    return of_methods


def claims(rows: Rows) -> list[Claim]:
    """Return what section 1.1 says of figure 1.1."""
    svm, rmm = margins(rows, "svm"), margins(rows, "rmm")
    first = rmm[0][0]
    reach = [_reach(rows, stretch) for stretch in STRETCHES]
    turned = [_angle(rows, stretch) for stretch in STRETCHES]
    return [
        everywhere(
            "absolute margins of the SVM, two digits after the point as printed",
            {f"{m:.2f} ({printed})": round(m, 2) == printed for (m, _), printed in zip(svm, MARGINS, strict=True)},
        ),
        everywhere(
            "relative margins of the SVM, in whole percent as printed",
            {f"{r:.1f} ({printed})": round(r) == printed for (_, r), printed in zip(svm, RELATIVE, strict=True)},
        ),
        (
            f"the absolute margin of the RMM is {RMM_MARGIN} in the first plot",
            ", ".join(f"{m:.2f}" for m, _ in rmm),
            judgement(round(first, 2) == RMM_MARGIN),
        ),
        everywhere(
            "the relative margin of the RMM is 100 %",
            {f"stretch {s:g} ({r:.3f})": r > 99.99 for s, (_, r) in zip(STRETCHES, rmm, strict=True)},
        ),
        everywhere(
            "the RMM's line is parallel to the lines of the classes, whatever the scale",
            {f"stretch {s:g} ({angle:.1e} degrees)": angle < 0.01 for s, angle in zip(STRETCHES, turned, strict=True)},
        ),
        (
            "the SVM errs on further examples of the same lines, and increasingly as the data are scaled",
            f"it meets the line of a class {', '.join(f'{part:.2f}' for part in reach)} of its length beyond its end",
            judgement(all(a > b for a, b in zip(reach, reach[1:], strict=False))),
        ),
    ]


def _reach(rows: Rows, stretch: float) -> float:
    """Return how far beyond its end, in lengths of a class, the SVM begins to err on the line of the class."""
    positive, _ = outputs(rows, stretch, "svm")
    return float(positive.min() / np.ptp(positive))


def _angle(rows: Rows, stretch: float) -> float:
    """Return the angle in degrees between the line of a class and that of the RMM."""
    examples, (normal,) = (_points(rows, stretch, what)[:, :2] for what in ("positive", "rmm"))
    along = examples[-1] - examples[0]
    return float(np.degrees(np.arcsin(abs(along @ normal) / np.linalg.norm(along) / np.linalg.norm(normal))))


def draw(canvas: Any, rows: Rows) -> None:
    """Draw examples and lines on the left, outputs on the right, all axes to one scale."""
    grid = canvas.subplots(len(STRETCHES), 2, width_ratios=(1.6, 1))
    wide = 1.1 * max(STRETCHES) * ENDS[1, 0]
    for (left, right), stretch in zip(grid, STRETCHES, strict=True):
        for what, marker in (("positive", "^"), ("negative", "s")):
            left.plot(*_points(rows, stretch, what)[:, :2].T, marker, color=COLOURS[0], markersize=4)
        for place, (name, colour) in enumerate(LINES.items()):
            u, v, c = _points(rows, stretch, name)[0]
            end = 4.0 * np.array([v, -u]) / np.hypot(u, v)
            middle = -c * np.array([u, v]) / (u * u + v * v)
            left.plot(*np.stack([middle - end, middle + end]).T, color=colour, label=name.upper())
            for values, marker in zip(outputs(rows, stretch, name), "^s", strict=True):
                right.plot(values, np.full(len(values), -float(place)), marker, color=colour, markersize=4)
        left.set_xlim(-wide, wide)
        left.set_ylim(-3.2, 3.2)
        left.set_aspect("equal")
        right.set_xlim(-0.5 * wide * 1.9, 0.5 * wide * 1.9)
        right.set_ylim(-1.6, 0.6)
        right.set_yticks([0.0, -1.0], ["SVM", "RMM"])
        right.axvline(0.0, color="0.85", linewidth=0.6)
    grid[0, 0].legend()
    grid[-1, 1].set_xlabel("distance from the line")
