"""The 0-1, the hinge and the ramp loss of section 15.2.3."""

from typing import Any

import numpy as np

from kernlearn.evaluation.losses import LOSSES
from kernlearn.papers.core.colours import COLOURS
from kernlearn.papers.core.figures import Rows
from kernlearn.papers.core.measured import Claim, judgement


def points() -> Rows:
    """Return the losses at margins from -2 to 2."""
    margins = np.linspace(-2.0, 2.0, 401)
    return [
        {"loss": name, "margin": float(margin), "value": float(value)}
        for name, loss in LOSSES.items()
        for margin, value in zip(margins, loss(margins), strict=True)
    ]


def claims(rows: Rows) -> list[Claim]:
    """Return what section 15.2.3 says of the losses."""
    error, hinge, ramp = (np.array([row["value"] for row in rows if row["loss"] == name]) for name in LOSSES)
    return [
        (
            "the hinge bounds the 0-1 loss",
            f"least difference {(hinge - error).min():g}",
            judgement(bool((hinge >= error).all())),
        ),
        (
            "so does the ramp, more tightly",
            f"between them at all {len(ramp)} margins",
            judgement(bool(((error <= ramp) & (ramp <= hinge)).all() and (ramp < hinge).any())),
        ),
        ("the hinge is convex", f"least second difference {np.diff(hinge, 2).min():.1e}", _convex(hinge, True)),
        ("the ramp is not", f"least second difference {np.diff(ramp, 2).min():.1e}", _convex(ramp, False)),
    ]


def _convex(values: Any, expected: bool) -> str:
    return judgement(bool(np.diff(values, 2).min() >= -1e-12) == expected)


def draw(canvas: Any, rows: Rows) -> None:
    """Draw the three losses."""
    axes = canvas.subplots()
    for colour, name, style, width in zip(COLOURS, LOSSES, ("-", "-", "--"), (1.5, 4.0, 1.5), strict=False):
        curve = [(row["margin"], row["value"]) for row in rows if row["loss"] == name]
        steps = "steps-pre" if name == "0-1" else "default"  # at the margin 0 it is 1
        # The hinge is wide and behind the others, which lie on it or on each other in part.
        order = 1.5 if name == "hinge" else 2.0
        axes.plot(
            *zip(*curve, strict=True), style, color=colour, linewidth=width, drawstyle=steps, zorder=order, label=name
        )
    axes.set_xlabel("margin $y\\langle w, x\\rangle$")
    axes.set_ylabel("loss")
    axes.legend()
