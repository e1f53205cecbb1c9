"""Figure 2.3 of Shivaswamy (2010): test error against the stretch of the data along the line of the Bayes rule."""

from typing import Any

from kernlearn.papers.core.figures import Rows
from kernlearn.papers.core.measured import Claim, judgement
from kernlearn.papers.rmm2010.toy.comparison import better, compare, curves, mean_by

VERSION = 1
#: As stated: the number of training examples, and the level.
N, LEVEL = 100, 0.01


def cell(seed: int, stretch: float) -> Rows:
    """Return the errors of both machines where the data are so many times as long."""
    return [{"stretch": stretch, **compare(seed, N, stretch)}]


def claims(rows: Rows) -> list[Claim]:
    """Return what section 2.4.1 says of figure 2.3."""
    svm, rmm = (mean_by(rows, "stretch", f"{name}_pct") for name in ("svm", "rmm"))
    smallest, most = min(svm), max(svm)
    return [
        *better(rows, "stretch", LEVEL),
        (
            "the SVM deteriorates as s grows",
            f"{svm[smallest]:.3f} % at s={smallest:g}, {svm[most]:.3f} % at s={most:g}",
            judgement(svm[most] > 1.1 * svm[smallest]),
        ),
        (
            "the RMM remains as good",
            f"{rmm[smallest]:.3f} % at s={smallest:g}, at most {max(rmm.values()):.3f} %",
            judgement(max(rmm.values()) < 1.1 * rmm[smallest]),
        ),
    ]


def draw(canvas: Any, rows: Rows) -> None:
    """Draw figure 2.3."""
    curves(canvas, rows, "stretch", "stretch $s$ along the line of the Bayes rule")
