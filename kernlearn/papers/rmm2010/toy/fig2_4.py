"""Figure 2.4 of Shivaswamy (2010): test error of relative margin machines against B, where C = 100."""

from typing import Any

import numpy as np

from kernlearn.papers.core.colours import COLOURS, GREY
from kernlearn.papers.core.figures import Rows
from kernlearn.papers.core.measured import Claim, judgement
from kernlearn.papers.rmm2010.toy.comparison import mean_by
from kernlearn.papers.rmm2010.toy.gaussians import CS, Draw

VERSION = 1
N = 100
#: As stated, the best C on the validation part.
C_SHOWN = 100.0
#: From the SVM down; beyond the largest output the bound changes nothing.
BS = (30.0, 20.0, 14.0, 10.0, 7.0, 5.0, 4.0, 3.0, 2.5, 2.0, 1.7, 1.4, 1.2, 1.1, 1.05, 1.02)
#: Where the axis has labels.
TICKS = (1.0, 1.5, 2.0, 3.0, 5.0, 10.0, 20.0, 30.0)


def cell(seed: int) -> Rows:
    """Return the errors of all C and B on one draw."""
    draw, grid = Draw(seed, N), [(C, B) for C in CS for B in BS]
    solved = [draw.solve(C, B) for C, B in grid]
    lines = np.column_stack([line for line, _ in solved])
    validation, test, risk = draw.validation.error_pct(lines), draw.test.error_pct(lines), draw.risk_pct(lines)
    bayes = draw.test.error_pct(draw.bayes[:, None])[0]
    return [
        {
            "C": C,
            "B": B,
            "validation_pct": validation[k],
            "pct": test[k],
            "risk_pct": risk[k],
            "bayes_pct": bayes,
            "gap": solved[k][1],
        }
        for k, (C, B) in enumerate(grid)
    ]


def claims(rows: Rows) -> list[Claim]:
    """Return what section 2.4.1 says of figure 2.4."""
    errors = {C: mean_by([row for row in rows if row["C"] == C], "B", "validation_pct") for C in CS}
    best = min(errors, key=lambda C: min(errors[C].values()))
    curve = mean_by([row for row in rows if row["C"] == C_SHOWN], "B", "pct")
    narrowest, widest = min(curve), max(curve)
    lowest = min(curve, key=lambda B: curve[B])
    half = 0.5 * (curve[lowest] + curve[widest])
    low = [B for B in curve if curve[B] < half]
    return [
        (
            f"C = {C_SHOWN:g} has the least mean validation error",
            "; ".join(f"C={C:g}: {min(errors[C].values()):.4f} %" for C in CS),
            judgement(best == C_SHOWN),
        ),
        (
            "from the SVM on the right the error falls as B does",
            f"{curve[widest]:.3f} % for the SVM, {curve[lowest]:.3f} % at B={lowest:g}",
            judgement(lowest < widest and curve[lowest] < curve[widest]),
        ),
        (
            "and rises again",
            f"{curve[narrowest]:.3f} % at B={narrowest:g}",
            judgement(narrowest < lowest and curve[narrowest] > curve[lowest]),
        ),
        (
            "the minimum is reasonably wide: more than half of the gain over a factor of 2 in B",
            f"from B={min(low):g} to {max(low):g}" if low else "nowhere",
            judgement(bool(low) and max(low) >= 2.0 * min(low)),
        ),
    ]


def draw(canvas: Any, rows: Rows) -> None:
    """Draw figure 2.4: test and validation errors against B."""
    axes, shown = canvas.subplots(), [row for row in rows if row["C"] == C_SHOWN]
    styles = zip({"pct": "test", "validation_pct": "validation"}.items(), COLOURS, ("o-", "x:"), strict=False)
    for (column, label), colour, style in styles:
        means = mean_by(shown, "B", column)
        axes.plot(list(means), list(means.values()), style, color=colour, markersize=4, label=label)
    bayes = mean_by(shown, "B", "bayes_pct")
    axes.plot(list(bayes), list(bayes.values()), "--", color=GREY, label="Bayes, test")
    axes.set_xscale("log")
    axes.set_xticks(TICKS, [f"{B:g}" for B in TICKS])
    axes.minorticks_off()
    axes.set_xlabel("bound $B$ on the outputs")
    axes.set_ylabel("mean error, %")
    axes.grid(axis="y", linewidth=0.4, color="0.88")
    axes.legend()
