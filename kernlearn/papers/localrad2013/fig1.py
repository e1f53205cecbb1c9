"""Figure 1 of Cortes, Kloft and Mohri (2013): the area of the bound (3) for three cut-offs of the eigenvalues."""

from typing import Any

import numpy as np

from kernlearn.datasets import load
from kernlearn.kernels import SCALINGS, GramStack, make_family
from kernlearn.papers.core.colours import COLOURS, GREY
from kernlearn.papers.core.figures import Rows
from kernlearn.papers.core.measured import Claim, judgement

#: Eigenvalues that are drawn; the radius lies between two of them.
SHOWN, BEST = 20, 6
#: The cut-offs by what they are.
CUTS = {"too small": 2, "appropriate": BEST, "too large": 14}
SIZE = (9.0, 3.0)


def points() -> Rows:
    """Return the eigenvalues of a kernel, and for every cut-off the height of the area at each, and the whole area."""
    data = load("ionosphere")
    (X,) = SCALINGS["unit"](data.X)
    K = GramStack.train(make_family("gaussian", gammas=[1.0]), X).matrix(0)
    values = np.maximum(np.linalg.eigvalsh(K)[::-1] / len(K), 0.0)
    r = float(np.sqrt(values[BEST - 1] * values[BEST]))
    rows: Rows = []
    for name, theta in CUTS.items():
        heights = np.where(np.arange(len(values)) < theta, r, values)
        common = {"cut": name, "theta": float(theta), "r": r, "area": float(heights.sum())}
        rows += [
            {**common, "j": float(j), "eigenvalue": float(value), "height": float(height)}
            for j, (value, height) in enumerate(zip(values, heights, strict=True), start=1)
        ]
    return rows


def claims(rows: Rows) -> list[Claim]:
    """Return what section 2.2 says of the cut-offs."""
    area = {row["cut"]: row["area"] for row in rows}
    best = [row for row in rows if row["cut"] == "appropriate"]
    least = sum(min(row["r"], row["eigenvalue"]) for row in best)
    off = abs(area["appropriate"] / least - 1.0)
    tail = sum(row["eigenvalue"] for row in best if row["j"] > row["theta"])
    head = best[0]["theta"] * best[0]["r"]
    trace = sum(row["eigenvalue"] for row in best)
    return [
        (
            "the area is smallest at the appropriate cut-off",
            ", ".join(f"{name}: {value:.3f}" for name, value in area.items()),
            judgement(area["appropriate"] < min(area["too small"], area["too large"])),
        ),
        (
            "there it is the sum of min(r, lambda_j)",
            f"off by {off:.1e}, relatively",
            judgement(off <= 1e-9),
        ),
        (
            "the area is theta r and the tail sum",
            f"{head:.3f} and {tail:.3f}",
            judgement(abs(head + tail - area["appropriate"]) <= 1e-9),
        ),
        (
            "it is smaller than the trace, which is the area of the global bound",
            f"{area['appropriate']:.3f} of {trace:.3f}",
            judgement(area["appropriate"] < trace),
        ),
    ]


def draw(canvas: Any, rows: Rows) -> None:
    """Draw the eigenvalues as bars, the radius, and the area of every cut-off."""
    panels = canvas.subplots(1, len(CUTS), sharey=True)
    for axes, name in zip(panels, CUTS, strict=True):
        mine = [row for row in rows if row["cut"] == name and row["j"] <= SHOWN]
        j, theta, r = [row["j"] for row in mine], mine[0]["theta"], mine[0]["r"]
        axes.bar(j, [row["height"] for row in mine], 1.0, color="0.75", label="area of the bound")
        axes.step(
            j, [row["eigenvalue"] for row in mine], where="mid", color=COLOURS[0], label=r"eigenvalues $\lambda_j$"
        )
        axes.axhline(r, color=GREY, linestyle=":", label="radius $r$")
        axes.axvline(theta + 0.5, color=COLOURS[1], linestyle="--", label=r"cut-off $\theta$")
        axes.set_title(rf"$\theta = {theta:.0f}$, {name}: area {mine[0]['area']:.3f}", fontsize=9.0)
        axes.set_xlabel("$j$")
        axes.set_xticks(range(5, SHOWN + 1, 5))
        axes.set_ylim(0.0, 4.0 * r)
    panels[0].set_ylabel("height")
    canvas.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=4)
