"""Figure 2.3 of Rostamizadeh (2010): the L1 and the L2 bound against the sample size."""

from typing import Any

from kernlearn.papers.core.figures import Rows
from kernlearn.papers.core.measured import Claim, judgement
from kernlearn.papers.mkl2010.bounds import bound_rows, curve, draw_bounds, references_of


def points() -> Rows:
    """Return the new L1 and L2 bounds against m, for several p."""
    return bound_rows(("new L1", "new L2"), ("20", "m^(1/3)", "m^(4/5)", "m"))


def references() -> Rows:
    """Return the complexity terms at single m and p."""
    return references_of("fig2.3")


def claims(rows: Rows) -> list[Claim]:
    """Return what the caption of figure 2.3 and section 2.2 say of it."""
    ratios = {number: curve(rows, "new L2", number) / curve(rows, "new L1", number) for number in ("20", "m")}
    few, many = float(ratios["20"].max()), float(ratios["m"].min())
    return [
        ("for p = 20 the L1 and the L2 bound roughly coincide", f"L2/L1 at most {few:.3f}", judgement(few < 1.1)),
        ("for p = m the L2 bound is clearly larger", f"L2/L1 at least {many:.1f}", judgement(many > 2)),
    ]


def draw(canvas: Any, rows: Rows) -> None:
    """Draw the bounds."""
    draw_bounds(canvas.subplots(), rows, ((), (1.0, 1.4)))
