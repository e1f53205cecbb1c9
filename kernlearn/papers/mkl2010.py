"""Rostamizadeh (2010), Learning with Multiple Kernels: figures of chapter 2.

Every figure is a function that returns the points of its curves as rows, and one that returns what the thesis says of
it as claims (what is claimed, what was found, whether it holds).
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernlearn.evaluation.mkl_bounds import confidence, l1_complexity, lq_complexity, srebro_ben_david
from kernlearn.papers.compare import printed_rows
from kernlearn.papers.measured import Claim, judgement
from kernlearn.papers.mkl2010_mnist import claims2_2, fig2_2

Array = NDArray[np.float64]
Rows = list[dict[str, Any]]

#: Of figures 2.1 to 2.3: rho/R and the probability that the bound fails.
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

#: For what is to be equal but for rounding.
TOLERANCE = 1e-12

#: Sample sizes of figures 2.1 and 2.3.
SIZES = np.linspace(1e5, 2e7, 200)
MILLION = 9  # the index of m = 1 million


def fig2_1() -> Rows:
    """Return the bound of Srebro and Ben-David and the new L1 bound against m, for several p."""
    return _bounds(("Srebro-Ben-David", "new L1"), ("10", "m^(1/3)", "m^(4/5)", "m"))


def fig2_3() -> Rows:
    """Return the new L1 and L2 bounds against m, for several p."""
    return _bounds(("new L1", "new L2"), ("20", "m^(1/3)", "m^(4/5)", "m"))


def fig2_4() -> Rows:
    """Return the alignments A and rho of a kernel with the labels against the share alpha of negative points."""
    return [dict(zip(("alpha", "A", "rho"), (a, *alignments(a)), strict=True)) for a in np.arange(1, 200) / 200]


def _bounds(terms: Sequence[str], numbers: Sequence[str]) -> Rows:
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


def claims2_1(rows: Rows) -> list[Claim]:
    """Return what the caption of figure 2.1 and section 2.2 say of it."""
    small = _curve(rows, "Srebro-Ben-David", "10")
    low, cbrt = small[SIZES <= 15e6].min(), _curve(rows, "Srebro-Ben-David", "m^(1/3)")
    apart = float(np.abs(cbrt / small - 1).max())
    m = _curve(rows, "new L1", "m")
    growth = float((m / _curve(rows, "new L1", "10")).max())
    steep = _curve(rows, "Srebro-Ben-David", "m")
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


def claims2_3(rows: Rows) -> list[Claim]:
    """Return what the caption of figure 2.3 and section 2.2 say of it."""
    ratios = {number: _curve(rows, "new L2", number) / _curve(rows, "new L1", number) for number in ("20", "m")}
    few, many = float(ratios["20"].max()), float(ratios["m"].min())
    return [
        ("for p = 20 the L1 and the L2 bound roughly coincide", f"L2/L1 at most {few:.3f}", judgement(few < 1.1)),
        ("for p = m the L2 bound is clearly larger", f"L2/L1 at least {many:.1f}", judgement(many > 2)),
    ]


def claims2_4(rows: Rows) -> list[Claim]:
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


def references(figure: str) -> Rows:
    """Return the reference values of a figure beside ours: values of the formulas at single m and p, not printed."""
    rows = []
    for row in printed_rows("mkl2010_formulas"):
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


def _curve(rows: Rows, term: str, number: str) -> Array:
    return np.array([row["bound"] for row in rows if (row["term"], row["number"]) == (term, number)])


#: The points of every figure, and what is claimed of it.
FIGURES: Mapping[str, tuple[Callable[[], Rows], Callable[[Rows], list[Claim]]]] = {
    "fig2_1": (fig2_1, claims2_1),
    "fig2_2": (fig2_2, claims2_2),
    "fig2_3": (fig2_3, claims2_3),
    "fig2_4": (fig2_4, claims2_4),
}
