"""Figure 2.4 of Rostamizadeh (2010): alignment of a kernel with the labels, with and without centring."""

from typing import Any

import numpy as np

from kernlearn.papers.core.colours import COLOURS
from kernlearn.papers.core.figures import Rows
from kernlearn.papers.core.measured import Claim, judgement
from kernlearn.types import Array

#: For what is to be equal but for rounding.
TOLERANCE = 1e-12


def points() -> Rows:
    """Return the alignments A and rho of a kernel with the labels against the share alpha of negative points."""
    return [dict(zip(("alpha", "A", "rho"), (a, *alignments(a)), strict=True)) for a in np.arange(1, 200) / 200]


def alignments(alpha: float) -> tuple[float, float]:
    """Return the alignments of ``K(x, x') = x.x' + 1`` and ``K'(x, x') = y y'`` without and with centring.

    A share alpha in (0, 1) of the points is at (-1, 0) with y = -1, the others are at (1, 0) with y = 1.

    Returns
    -------
    A : float
        ``E[K K'] / sqrt(E[K^2] E[K'^2])`` (2.41).
    rho : float
        The same of the centred kernels (Definition 2.3).
    """
    x, share = np.array([-1.0, 1.0]), np.array([alpha, 1 - alpha])
    K, labels = np.outer(x, x) + 1, np.outer(x, x)  # y is the coordinate of x that is not 0

    def cosine(K: Array, other: Array) -> float:
        weight = np.outer(share, share)
        return float((weight * K * other).sum() / np.sqrt((weight * K**2).sum() * (weight * other**2).sum()))

    def centred(K: Array) -> Array:
        mean = K @ share
        return K - mean[:, None] - mean[None, :] + share @ mean  # (2.37), (2.38)

    return cosine(K, labels), cosine(centred(K), centred(labels))


def claims(rows: Rows) -> list[Claim]:
    """Return what section 2.5.1 says of figure 2.4."""
    A, rho = (np.array([row[key] for row in rows]) for key in ("A", "rho"))
    formula = np.sqrt((1 + (1 - 2 * np.array([row["alpha"] for row in rows])) ** 2) / 2)
    half = A[len(A) // 2]
    return [
        ("A = sqrt((1 + (1 - 2 alpha)^2) / 2)", *_equal(A, formula)),
        ("rho = 1 for every alpha", *_equal(rho, np.ones_like(rho))),
        ("A is 0.707 at alpha = 1/2, its smallest value", f"{half:.3f}", judgement(half == A.min() < 0.7075)),
    ]


def _equal(ours: Array, claimed: Array) -> tuple[str, str]:
    difference = float(np.abs(ours - claimed).max())
    return f"within {max(difference, TOLERANCE):.0e}", judgement(difference <= TOLERANCE)


def draw(canvas: Any, rows: Rows) -> None:
    """Draw figure 2.4 in the colours of the thesis: A black, rho blue."""
    axes = canvas.subplots()
    alpha = [row["alpha"] for row in rows]
    for key, colour, label, place in [
        ("A", "black", r"$A = \sqrt{(1 + (1 - 2\alpha)^2)/2}$, not centred", (0.5, 0.825)),
        ("rho", COLOURS[0], r"$\rho = 1$, centred", (0.5, 0.975)),
    ]:
        axes.plot(alpha, [row[key] for row in rows], color=colour)
        axes.annotate(label, place, color=colour, ha="center", va="center")
    axes.set_xlim(0, 1)
    axes.set_ylim(0.65, 1.02)
    axes.set_xlabel(r"share $\alpha$ of the points at $(-1, 0)$, label $-1$")
    axes.set_ylabel("alignment with the labels")
    axes.grid(axis="y", linewidth=0.4, color="0.88")
