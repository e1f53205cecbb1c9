"""Table 2.3 of Shivaswamy (2010): stars and bold face of kernel methods, as the thesis tests them, and corrected."""

from math import inf
from statistics import fmean
from typing import NamedTuple

from kernlearn.papers.core.compare import printed_rows
from kernlearn.papers.core.measured import NO_CLAIM, Claim, Measured, everywhere, judgement

KERNEL_METHODS = ("svm", "kfda", "sigma_svm", "rmm_c_eq_d", "rmm")
NETWORKS = ("rbf_network", "adaboost", "lpboost", "qpboost", "adaboost_reg")
NEEDS = frozenset(KERNEL_METHODS)
LEVEL = 0.05
#: Test to training examples of the benchmark's partitions.
RATIOS = {
    "banana": 4900 / 400,
    "breast_cancer": 77 / 200,
    "diabetes": 300 / 468,
    "flare_solar": 400 / 666,
    "german": 300 / 700,
    "heart": 100 / 170,
    "image": 1010 / 1300,
    "ringnorm": 7000 / 400,
    "splice": 2175 / 1000,
    "thyroid": 75 / 140,
    "titanic": 2051 / 150,
    "twonorm": 7000 / 400,
    "waveform": 4600 / 400,
}


class Marks(NamedTuple):
    """The columns with the smallest mean of a row, and those not significantly different from it."""

    star: frozenset[str]
    bold: frozenset[str]

    @property
    def words(self) -> str:
        """Name both."""
        others = [name for name in KERNEL_METHODS if name in self.bold - self.star]
        star = ", ".join(name for name in KERNEL_METHODS if name in self.star) or "none of these"
        return f"star {star}; bold {', '.join(others) or 'none'}"


def marks(measured: Measured, row: str, ratio: float = 0.0) -> Marks:
    """Return the marks of a row by the paired t-test, corrected where there is a ratio of test to training examples."""
    best = measured.best(row, KERNEL_METHODS)
    same = [name for name in KERNEL_METHODS if name != best]
    bold = [name for name in same if measured.p_value(row, best, name, ratio=ratio) >= LEVEL]
    return Marks(frozenset([best]), frozenset(bold))


def printed_marks() -> dict[str, Marks]:
    """Return the marks of the kernel methods in the text, by row."""
    cells_of: dict[str, list[dict[str, str]]] = {}
    for cell in printed_rows("rmm2010/table2_3"):
        if cell["algorithm"] in KERNEL_METHODS:
            cells_of.setdefault(cell["dataset"], []).append(cell)
    return {
        row: Marks(
            frozenset(cell["algorithm"] for cell in cells if "*" in cell["marker"]),
            frozenset(cell["algorithm"] for cell in cells if "bold" in cell["marker"]),
        )
        for row, cells in cells_of.items()
    }


def claims(measured: Measured) -> list[Claim]:
    """Section 2.4.6: "the RMM exhibits clear performance advantages over other methods"; and the marks of every row."""
    rows, printed = measured.rows("error_pct", *KERNEL_METHODS), printed_marks()
    ours = {row: marks(measured, row) for row in rows}
    corrected = {row: marks(measured, row, RATIOS[row]) for row in rows}
    gain = {row: measured.mean(row, "svm") - measured.mean(row, "rmm") for row in rows}
    better = {row: gain[row] > 0 and measured.p_value(row, "svm", "rmm", ratio=0.0) < LEVEL for row in rows}
    worse = {row: gain[row] < 0 and measured.p_value(row, "svm", "rmm", ratio=0.0) < LEVEL for row in rows}
    leads = {row: "rmm" in one.star | one.bold for row, one in ours.items()}
    result = [
        everywhere("no other kernel method is significantly better than the RMM", leads),
        everywhere(
            "the same with the correction for partitions that share examples",
            {row: "rmm" in one.star | one.bold for row, one in corrected.items()},
        ),
        (
            "the RMM is significantly better than the SVM in more rows than it is worse in",
            f"better in {_names(better)}; worse in {_names(worse)}",
            judgement(sum(better.values()) > sum(worse.values())),
        ),
    ]
    result += _against_networks(measured)
    for row in rows:
        agrees = bool(printed[row].star & (ours[row].star | ours[row].bold))
        claim = f"{row}: the printed star is the best or not significantly worse ({printed[row].words})"
        result.append((claim, ours[row].words, judgement(agrees) if printed[row].star else NO_CLAIM))
    return result


def _against_networks(measured: Measured) -> list[Claim]:
    """Return whether RBF networks are ahead of the RMM where they are in print, over the partitions that all have."""
    rows = measured.rows("error_pct", "rmm", *NETWORKS)
    if not rows:
        return []
    means: dict[str, dict[str, float]] = {}
    for cell in printed_rows("rmm2010/table2_3"):
        if cell["mean"]:
            means.setdefault(cell["dataset"], {})[cell["algorithm"]] = float(cell["mean"])
    ahead = {}
    for row in rows:
        common = min(len(measured.values(row, name)) for name in ("rmm", *NETWORKS))
        rmm, *others = (fmean(measured.values(row, name)[:common]) for name in ("rmm", *NETWORKS))
        ahead[row] = min(others) < rmm
    printed = {row: min(means[row].get(name, inf) for name in NETWORKS) < means[row]["rmm"] for row in rows}
    claim = f"RBF networks, alone or boosted, err less than the RMM in these rows alone: {_names(printed)}"
    return [(claim, _names(ahead), judgement(ahead == printed))]


def _names(true: dict[str, bool]) -> str:
    return ", ".join(row for row, holds in true.items() if holds) or "none"
