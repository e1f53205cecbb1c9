"""What figures 2.1 to 2.3 of Rostamizadeh (2010) share: bounds against the sample size."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from kernlearn.evaluation.risk_bounds.kernel_learning import confidence, l1_complexity, lq_complexity, srebro_ben_david
from kernlearn.papers.core.colours import COLOURS
from kernlearn.papers.core.compare import printed_rows
from kernlearn.papers.core.figures import Rows
from kernlearn.types import Array

#: rho/R and the probability that the bound fails.
RATIO, DELTA = 0.2, 0.01

#: How the number of kernels p depends on the sample size m.
NUMBERS: dict[str, Callable[[Array], Array]] = {
    "10": lambda m: np.full_like(m, 10.0),
    "20": lambda m: np.full_like(m, 20.0),
    "m^(1/3)": lambda m: np.cbrt(m),
    "m^(4/5)": lambda m: m**0.8,
    "m": lambda m: m,
}

#: Complexity terms by the names in the file of reference values.
TERMS: dict[str, Callable[[Any, Any, float], Any]] = {
    "Srebro-Ben-David": srebro_ben_david,
    "new L1": l1_complexity,
    "new L2": lq_complexity,
}

#: Sample sizes of figures 2.1 and 2.3.
SIZES = np.linspace(1e5, 2e7, 200)
MILLION = 9  # the index of m = 1 million

#: How the number of kernels is written.
SYMBOLS = {"10": "$p = 10$", "20": "$p = 20$", "m^(1/3)": "$p = m^{1/3}$", "m^(4/5)": "$p = m^{4/5}$", "m": "$p = m$"}
TITLES = {"Srebro-Ben-David": "Srebro & Ben-David", "new L1": "$L_1$, Corollary 2.1", "new L2": "$L_2$, Corollary 2.2"}


def bound_rows(terms: Sequence[str], numbers: Sequence[str]) -> Rows:
    """Return the bounds by the names in `TERMS` against m, for the numbers of kernels by the names in `NUMBERS`."""
    rows = []
    for term in terms:
        # The expression of Srebro and Ben-David has no delta; to the new ones belongs a confidence term.
        more = confidence(SIZES, DELTA) if term.startswith("new") else np.zeros_like(SIZES)
        for number in numbers:
            p = NUMBERS[number](SIZES)
            complexity = TERMS[term](SIZES, p, RATIO)
            for values in zip(SIZES, p, complexity, more, complexity + more, strict=True):
                point = zip(("m", "p", "complexity", "confidence", "bound"), map(float, values), strict=True)
                rows.append({"term": term, "number": number, **dict(point)})
    return rows


def curve(rows: Rows, term: str, number: str) -> Array:
    """Return the values of one bound for one number of kernels, in the order of m."""
    return np.array([row["bound"] for row in rows if (row["term"], row["number"]) == (term, number)])


def references_of(figure: str) -> Rows:
    """Return the reference values of a figure beside ours: values of the formulas at single m and p, not printed."""
    rows = []
    for row in printed_rows("mkl2010/formulas"):
        if row["table"] == figure and row["note"].startswith("NOT PRINTED"):
            term, *settings = row["setting"].split(";")
            values = {key: float(value) for key, _, value in (setting.partition("=") for setting in settings)}
            term = term.removesuffix(" term")
            ours = (
                confidence(values["m"], values["delta"])
                if term == "confidence"
                else TERMS[term](values["m"], values["p"], RATIO)
            )
            digits = len(row["mean"].partition(".")[2])
            reference = float(row["mean"])
            agree = bool(abs(ours - reference) <= 0.5000001 * 10**-digits)  # the reference is rounded
            rows.append({"setting": row["setting"], "reference": reference, "ours": float(ours), "agree": agree})
    return rows


def draw_bounds(axes: Any, rows: Rows, dashes: Sequence[Sequence[float]]) -> None:
    """Draw bounds against the sample size: dashes for every bound, a colour for every number of kernels.

    The dashes of different colours begin at different places, so that curves that coincide can both be seen.
    """
    from matplotlib.lines import Line2D
    from matplotlib.ticker import MultipleLocator

    terms = list(dict.fromkeys(row["term"] for row in rows))
    numbers = list(dict.fromkeys(row["number"] for row in rows))
    for term, pattern in zip(terms, dashes, strict=True):
        for i, number in enumerate(numbers):
            curve = [row for row in rows if (row["term"], row["number"]) == (term, number)]
            style = (i * sum(pattern) / 2, pattern) if pattern else "-"
            values = ([row["m"] / 1e6 for row in curve], [row["bound"] for row in curve])
            axes.plot(*values, linestyle=style, color=COLOURS[i])
    axes.set_yscale("log")
    axes.set_xlim(0, rows[-1]["m"] / 1e6)
    axes.xaxis.set_major_locator(MultipleLocator(5))
    axes.set_xlabel("sample size $m$ (millions)")
    axes.set_ylabel(r"bound on $R(h) - \widehat{R}_\rho(h)$")
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.grid(axis="y", linewidth=0.4, color="0.88")
    handles = [Line2D([], [], color="0.25", linestyle=(0, tuple(pattern)) if pattern else "-") for pattern in dashes]
    handles += [Line2D([], [], color=colour) for colour in COLOURS[::-1]]  # from above, as the curves
    labels = [TITLES[term] for term in terms] + [SYMBOLS[number] for number in numbers[::-1]]
    axes.legend(handles, labels, loc="center left", bbox_to_anchor=(1.0, 0.5))
