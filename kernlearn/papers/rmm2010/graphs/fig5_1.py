"""Figure 5.1 of Shivaswamy (2010): the weights of eigenvectors that KTA, STORM and MKL-R learn."""

from functools import lru_cache
from statistics import fmean
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernlearn.algorithms.transduction.kta import solve_kta
from kernlearn.algorithms.transduction.spectral import band
from kernlearn.algorithms.transduction.storm import largest_output, solve_storm
from kernlearn.datasets import load
from kernlearn.evaluation.splits.transduction import CHOOSING, few_labels
from kernlearn.kernels import SCALINGS, make_family, make_inputs
from kernlearn.papers.core.colours import COLOURS
from kernlearn.papers.core.figures import Rows
from kernlearn.papers.core.measured import Claim, everywhere
from kernlearn.solvers import Solution
from kernlearn.types import Array

VERSION = 2
SIZE = (8.0, 5.0)
LABELS, C, FRACTION = 110, 1000.0, 0.5
#: How many weights are shown; how many are few, and from which eigenvector on the mean one is far back.
SHOWN, FEW, BACK = 15, 3, 20.0
DIGITS = {"scaling": "none", "kernel": {"standardise": True, "mutual": False}}
TEXTS = {"scaling": "tfidf", "kernel": {"metric": "cosine", "mutual": False}}
PROBLEMS: dict[str, dict[str, Any]] = {
    "d1_2": {"data": {"name": "mnist_pair", "first": 1, "second": 2}, **DIGITS},
    "d3_8": {"data": {"name": "mnist_pair", "first": 3, "second": 8}, **DIGITS},
    "m_m": {"data": {"name": "newsgroups_pair", "first": 17, "second": 18}, **TEXTS},
    "p_m": {"data": {"name": "newsgroups_pair", "first": 3, "second": 4}, **TEXTS},
}
#: The methods that are drawn, and those that the text compares them with.
NAMES = {"kta": "KTA", "storm": "STORM", "mkl_r": "MKL-R"}
METHODS = (*NAMES, "stoam", "mkl_s")
#: What rounding leaves of weights that fall, and of objectives to their tolerance.
ROUNDING, TOLERANCE = 1e-12, 1e-6


@lru_cache(maxsize=2)
def _graph(problem: str) -> tuple[Any, Array, list[NDArray[np.intp]]]:
    """Return the spectrum of a problem, its labels, and which examples are labelled in the splits of the tables."""
    how = PROBLEMS[problem]
    data = load(**how["data"])
    splits = few_labels(len(data.y), 0, LABELS)
    seen = np.sort(np.concatenate([splits[0].train, splits[0].test]))
    (X,) = SCALINGS[how["scaling"]](data.X[seen])
    spectrum = make_inputs(make_family("graph", **how["kernel"]), X)
    y = np.where(data.y[seen] == 1, 1.0, -1.0)
    return spectrum, y, [np.searchsorted(seen, split.train) for split in splits[CHOOSING:]]


def cell(seed: int, problem: str) -> Rows:
    """Return the largest weights of one choice of labelled examples, and which eigenvectors they are of."""
    spectrum, y, labelled = _graph(problem)
    F, s = spectrum.U[labelled[seed]], y[labelled[seed]]
    rows = []
    for method, solution in spectra(F, s).items():
        delta = solution.x
        largest = np.argsort(-delta, kind="stable")[:SHOWN]
        facts = {"rise": float(np.diff(delta[1:]).max()), "objective": solution.objective, "gap": solution.gap}
        for rank, j in enumerate(largest):
            row = {"problem": problem, "method": method, "rank": rank + 1, "eigenvector": int(j) + 1}
            rows.append({**row, "weight": float(delta[j]), **facts})
    return rows


def spectra(F: Array, y: Array) -> dict[str, Solution]:
    """Return the weights that every method learns from eigenvectors on labelled examples, with what they cost."""
    solutions = {"kta": solve_kta(F, y)}
    for free, bound, order in (("stoam", "storm", True), ("mkl_s", "mkl_r", False)):
        wide = solve_storm(F, y, C, order=order)
        solutions[free] = wide
        solutions[bound] = solve_storm(F, y, C, band(largest_output(F, wide), FRACTION), order=order)
    return {method: solutions[method] for method in METHODS}


def means(rows: Rows, problem: str, method: str, key: str = "weight") -> list[float]:
    """Return the means over the runs, the largest weight first."""
    some = [row for row in rows if row["problem"] == problem and row["method"] == method]
    return [fmean(row[key] for row in some if row["rank"] == rank) for rank in sorted({row["rank"] for row in some})]


def claims(rows: Rows) -> list[Claim]:
    """Check what section 5.5 says of figure 5.1."""
    problems = list(dict.fromkeys(row["problem"] for row in rows))
    weights = {problem: {method: means(rows, problem, method) for method in METHODS} for problem in problems}
    few = {problem: {m: sum(spectrum[:FEW]) for m, spectrum in one.items()} for problem, one in weights.items()}
    slow = {problem: {m: spectrum[-1] / spectrum[0] for m, spectrum in one.items()} for problem, one in weights.items()}
    return [
        everywhere(
            f"KTA concentrates on few eigenvectors: its {FEW} largest weights are more of the sum than those of STORM",
            {problem: one["kta"] > one["storm"] for problem, one in few.items()},
        ),
        everywhere(
            f"the weights of STORM decay slowly: the {SHOWN}th is a larger part of the first than with KTA",
            {problem: one["storm"] > one["kta"] for problem, one in slow.items()},
        ),
        everywhere(
            f"and than with MKL-R, whose {SHOWN} largest are of any eigenvectors",
            {problem: one["storm"] > one["mkl_r"] for problem, one in slow.items()},
        ),
        everywhere(
            "those of MKL-R are irregular: the largest are not of the first eigenvectors",
            {problem: fmean(means(rows, problem, "mkl_r", "eigenvector")) > BACK for problem in problems},
        ),
        everywhere(
            "in every run the weights of STORM and STOAM fall from the second eigenvector on, those of MKL do not",
            {
                problem: _falls(rows, problem, "storm", "stoam") and not _falls(rows, problem, "mkl_r")
                for problem in problems
            },
        ),
        everywhere(
            "the spectrum of STOAM is nearer to that of STORM than those of KTA and MKL-R are",
            {
                problem: _apart(one, "stoam", "storm") < min(_apart(one, m, "storm") for m in ("kta", "mkl_r"))
                for problem, one in weights.items()
            },
        ),
        everywhere(
            "the spectrum of MKL-S is nearer to that of MKL-R than those of KTA and STORM are",
            {
                problem: _apart(one, "mkl_s", "mkl_r") < min(_apart(one, m, "mkl_r") for m in ("kta", "storm"))
                for problem, one in weights.items()
            },
        ),
        everywhere(
            "MKL-S, which has no order to keep to, has no larger objective than STOAM in any run",
            {problem: _least(rows, problem, "mkl_s", "stoam") for problem in problems},
        ),
    ]


def _falls(rows: Rows, problem: str, *methods: str) -> bool:
    """Return whether no weight is above the one before it, from the second on, in all runs."""
    return all(row["rise"] <= ROUNDING for row in rows if row["problem"] == problem and row["method"] in methods)


def _apart(weights: dict[str, list[float]], one: str, other: str) -> float:
    """Return the distance of two spectra: what their mean weights differ by, the largest first."""
    return sum(abs(a - b) for a, b in zip(weights[one], weights[other], strict=True))


def _least(rows: Rows, problem: str, one: str, other: str) -> bool:
    """Return whether one method has no larger objective than another in any run."""
    of = {
        method: [row["objective"] for row in rows if (row["problem"], row["method"]) == (problem, method)]
        for method in (one, other)
    }
    return all(a <= b * (1.0 + TOLERANCE) for a, b in zip(of[one], of[other], strict=True))


def draw(canvas: Any, rows: Rows) -> None:
    """Draw the mean weights, a picture for a problem."""
    problems = list(dict.fromkeys(row["problem"] for row in rows))
    pictures = canvas.subplots(2, (len(problems) + 1) // 2, sharex=True, squeeze=False)
    for axes, problem in zip(pictures.flat, problems, strict=False):
        for (method, name), colour, marker in zip(NAMES.items(), COLOURS, "osx", strict=False):
            spectrum = means(rows, problem, method)
            places = np.arange(1, len(spectrum) + 1)
            axes.plot(places, spectrum, f"{marker}-", color=colour, markersize=3, label=name)
        axes.set_title(problem.replace("_", "-").removeprefix("d"), fontsize=9)
        axes.grid(linewidth=0.4, color="0.88")
    for axes in pictures[-1]:
        axes.set_xlabel("weights, the largest first")
    for axes in pictures[:, 0]:
        axes.set_ylabel("mean weight")
    pictures[0, -1].legend(fontsize=8)
