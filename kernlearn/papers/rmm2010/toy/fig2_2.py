"""Figure 2.2 of Shivaswamy (2010): test error against the number of training examples."""

from typing import Any

from kernlearn.papers.core.figures import Rows
from kernlearn.papers.core.measured import Claim, judgement
from kernlearn.papers.rmm2010.toy.comparison import better, compare, curves, mean_by

VERSION = 1
#: The thesis names the level, and the largest size at which it is met.
LEVEL, LARGEST = 0.05, 6400


def cell(seed: int, n: int) -> Rows:
    """Return the errors of both machines for n training examples."""
    return [compare(seed, n)]


def claims(rows: Rows) -> list[Claim]:
    """Return what section 2.4.1 says of figure 2.2."""
    svm, rmm, bayes = (mean_by(rows, "n", f"{name}_pct") for name in ("svm", "rmm", "bayes"))
    gain = {n: svm[n] - rmm[n] for n in svm}
    few, many = min(gain), max(gain)
    return [
        *better([row for row in rows if row["n"] <= LARGEST], "n", LEVEL),
        (
            "the advantage is largest where training data are scarce, and vanishes",
            f"{gain[few]:.3f} of a percent at {few:g} examples, {gain[many]:.3f} at {many:g}",
            judgement(max(gain, key=lambda n: gain[n]) == few and gain[many] < 0.1 * gain[few]),
        ),
        (
            "both come near to the Bayes error",
            f"{svm[many]:.3f} and {rmm[many]:.3f} at {many:g} examples, Bayes {bayes[many]:.3f}",
            judgement(max(svm[many], rmm[many]) < 1.02 * bayes[many]),
        ),
    ]


def draw(canvas: Any, rows: Rows) -> None:
    """Draw figure 2.2."""
    curves(canvas, rows, "n", "training examples")
