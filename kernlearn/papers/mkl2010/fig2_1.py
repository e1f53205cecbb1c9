"""Figure 2.1 of Rostamizadeh (2010): the bound of Srebro and Ben-David and the new L1 bound against the sample size."""

from typing import Any

import numpy as np

from kernlearn.papers.core.figures import Rows
from kernlearn.papers.core.measured import Claim, judgement
from kernlearn.papers.mkl2010.bounds import MILLION, SIZES, bound_rows, curve, draw_bounds, references_of


def points() -> Rows:
    """Return the bound of Srebro and Ben-David and the new L1 bound against m, for several p."""
    return bound_rows(("Srebro-Ben-David", "new L1"), ("10", "m^(1/3)", "m^(4/5)", "m"))


def references() -> Rows:
    """Return the complexity terms at single m and p."""
    return references_of("fig2.1")


def claims(rows: Rows) -> list[Claim]:
    """Return what the caption of figure 2.1 and section 2.2 say of it."""
    small = curve(rows, "Srebro-Ben-David", "10")
    low, cbrt = small[SIZES <= 15e6].min(), curve(rows, "Srebro-Ben-David", "m^(1/3)")
    apart = float(np.abs(cbrt / small - 1).max())
    m = curve(rows, "new L1", "m")
    growth = float((m / curve(rows, "new L1", "10")).max())
    steep = curve(rows, "Srebro-Ben-David", "m")
    factor = steep[-1] / small[-1]
    new = max(row["bound"] for row in rows if row["term"] == "new L1" and row["m"] >= SIZES[MILLION])
    return [
        ("Srebro and Ben-David's bound is above 1 for m up to 15 million", f"at least {low:.3f}", judgement(low > 1)),
        (
            "its curves for p = 10 and p = m^(1/3) roughly coincide",
            f"within {100 * apart:.1f} %",
            judgement(apart < 0.01),
        ),
        (
            "its curve for p = m is quasi-flat",
            f"from {steep[MILLION]:.1f} at m = 1 million to {steep[-1]:.1f} at m = 20 million",
            judgement(abs(steep[-1] / steep[MILLION] - 1) < 0.15),
        ),
        (
            "p matters little to the new bound, even p = m, and much to the other",
            f"from p = 10 to p = m times {growth:.1f} at most, the other times {factor:.1f} at m = 20 million",
            judgement(growth < 3 < factor),
        ),
        ("the new bound is informative at these m", f"at most {new:.3f} from m = 1 million on", judgement(new < 1)),
    ]


def draw(canvas: Any, rows: Rows) -> None:
    """Draw figure 2.1, with a line at 1, above which a bound says nothing."""
    axes = canvas.subplots()
    draw_bounds(axes, rows, ((3.7, 1.6), ()))
    axes.axhline(1, color="0.25", linewidth=0.6)
    text = "a bound above 1 says nothing"
    axes.annotate(text, (0.3, 1), (0, -3), textcoords="offset points", va="top", color="0.25", fontsize=7.5)
