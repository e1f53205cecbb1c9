"""Table 2.1 of Shivaswamy (2010), its rows of two thirds and of all of MNIST: a batch of pairs of digits.

The matrices of 45 pairs with 8000 or 12,000 images each are too large to be there at once, as they are in the other
rows. So every pair is a cell: it chooses parameters for itself and keeps what it votes for on the test part.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from math import nan
from statistics import fmean
from time import process_time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernlearn.algorithms import ALGORITHMS, Point, Problem, Signs
from kernlearn.algorithms.core.predictor import count_votes, predict
from kernlearn.datasets import Dataset, load
from kernlearn.evaluation import PROTOCOLS, Row, select, votes
from kernlearn.evaluation.metrics import expected_error_pct
from kernlearn.kernels import SCALINGS, GramStack, KernelFamily, make_family
from kernlearn.memory import MB, peak
from kernlearn.papers.core.colours import COLOURS
from kernlearn.papers.core.compare import table_values
from kernlearn.papers.core.figures import Rows
from kernlearn.papers.core.measured import NO_CLAIM, Claim, everywhere, judgement
from kernlearn.papers.rmm2010.real.digits import Part
from kernlearn.papers.rmm2010.real.table2_1 import CLEAR
from kernlearn.types import Array, Index

VERSION = 1
SIZE = (9.0, 5.4)
CS = [0.1, 1.0, 10.0, 100.0, 1000.0]
#: By the name of a column of table 2.1: the method, and its options beside the defaults.
METHODS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "svm": ("l2_svm", {"Cs": CS, "solver": "smo"}),
    "klda": ("klda", {}),
    "sigma_svm": ("sigma_svm", {"Cs": CS}),
    "rmm": ("rmm", {"Cs": CS, "solver": "smo"}),
}
#: Those that train with all images, too: for others there are matrices of more than 6 GB, and none in the thesis.
WITH_ALL = ("svm", "rmm")
#: How the time of a method grows with the examples: that of matrices that are computed, or factorised.
GROWTH = {"svm": 2, "klda": 3, "sigma_svm": 3, "rmm": 2}
#: Training images of a pair in the mean of all pairs, by what trains.
MEAN_N = {"two_thirds": 8000, "full": 12000}
PAIRS = [(first, second) for first in range(10) for second in range(first + 1, 10)]


@lru_cache(maxsize=1)
def mnist() -> Dataset:
    """Return all digits, the published training part first."""
    return load("mnist")


def part(rows: Index, positive: int) -> Part:
    """Return some of them, not sparse: products of these are several times faster; one digit has the label +1."""
    data = mnist()
    X: Any = SCALINGS["unit"](data.X[rows])[0]
    dense = X.toarray() if hasattr(X, "toarray") else X
    return Part(dense, np.where(data.y[rows] == positive, 1.0, -1.0))


def family_of(kernel: str) -> KernelFamily:
    """Return the kernels of a row: ``d3`` is the polynomial of degree 3, ``rbf`` Gaussians of several widths."""
    if kernel == "rbf":
        return make_family("gaussian", gammas=[0.5, 1, 2, 4, 8])
    return make_family("polynomial_unit", degrees=[int(kernel.removeprefix("d"))])


def cell(seed: int, kernel: str, method: str, pair: str) -> Rows:
    """Return what a pair chooses on two thirds of its images and how it does on the test part, and then with all."""
    data, digits = mnist(), [int(digit) for digit in pair.split("-")]
    (split,) = PROTOCOLS["published_two_thirds"].draw(len(data.y), seed, data.n_train)
    ((two_thirds, others),) = split.fits
    fit, rest, every = (
        part(rows[np.isin(data.y[rows], digits)], digits[1])
        for rows in (two_thirds, others["validation"], np.arange(data.n_train))
    )
    family, start = family_of(kernel), process_time()
    chosen, facts = choose(path(family, method, fit, seed), GramStack(family, rest.X, fit.X), rest)
    rows = [{"training": "two_thirds", **facts, **tested(family, fit, chosen, digits), **cost(start)}]
    if method in WITH_ALL:
        start = process_time()
        family = replace(family, members=tuple(m for m in family.members if m.items() <= chosen.values.items()))
        (again,) = path(family, method, every, seed, chosen.values)
        facts = {"validation_errors": nan, "largest_gap": again.solutions[0].gap}
        facts["n_not_optimal"] = int(again.status != "optimal")
        rows.append({"training": "full", **facts, **tested(family, every, again, digits), **cost(start)})
    return [{"kernel": kernel, "method": method, "pair": pair, **row} for row in rows]


def path(
    family: KernelFamily, method: str, train: Part, seed: int, values: Mapping[str, float] | None = None
) -> Iterator[Point]:
    """Yield the points of a method on a training part: those of its grid, or the one with these values."""
    name, options = METHODS[method]
    parameters = ALGORITHMS[name].parameters
    asked = {key: options.get(key, parameter.default) for key, parameter in parameters.items()}
    if values is not None:
        asked |= {key: [values[p.single]] for key, p in parameters.items() if p.single in values}
    return ALGORITHMS[name].path(Problem(GramStack.train(family, train.X), Signs(train.y), None, seed), **asked)


def choose(points: Iterator[Point], among: GramStack, rest: Part) -> tuple[Point, dict[str, Any]]:
    """Return the point that the rule of every other row of the table chooses, with what is to be said of all points.

    By `kernlearn.evaluation.select`: fewest errors on a part, then fewest support vectors, then the first in the grid.
    """
    tried = [replace(point, state=None) for point in points]
    rows: list[Row] = [
        {
            "point": number,
            "split": 0,
            "n_support": point.predictor.counts()["n_support"],
            "n_validation": len(rest.y),
            "validation_errors": int(wrong(point.predictor.outputs(among), rest.y).sum()),
        }
        for number, point in enumerate(tried)
    ]
    choice = select(rows, [point.values for point in tried], rule="per_split")
    assert choice is not None and choice.point is not None
    return tried[choice.point], {
        "validation_errors": choice.rows[0]["validation_errors"],
        "largest_gap": max(0.0, *(point.solutions[0].gap for point in tried)),
        "n_not_optimal": sum(point.status != "optimal" for point in tried),
    }


def wrong(outputs: Array, y: Array) -> NDArray[np.bool_]:
    """Return which examples are predicted as the other digit, as every other score counts them."""
    return (predict(outputs) == 1) != (y > 0.0)


def tested(family: KernelFamily, train: Part, point: Point, digits: list[int]) -> dict[str, Any]:
    """Return the errors of a machine on the test images of its two digits, and its votes on all, digit by digit."""
    data = mnist()
    order = data.n_train + np.argsort(data.y[data.n_train :], kind="stable")
    test, theirs = part(order, digits[1]), np.isin(data.y[order], digits)
    outputs = point.predictor.outputs(GramStack(family, test.X, train.X))
    return {
        "selected": ";".join(f"{key}={value:g}" for key, value in point.values.items()),
        "n_train": len(train.y),
        "n_test": int(theirs.sum()),
        "test_errors": int(wrong(outputs, test.y)[theirs].sum()),
        "n_support": point.predictor.counts()["n_support"],
        "images": " ".join(map(str, np.bincount(data.y[order]))),
        "votes": votes.pack(outputs > 0.0),
    }


def cost(start: float) -> dict[str, float]:
    """Return the CPU seconds since a time of `time.process_time`, and the peak memory of the cell until now."""
    return {"cpu_seconds": round(process_time() - start, 1), "peak_mb": round((peak() or nan) / MB)}


#: How far markers of methods stand apart, where that of two pairs is 1.
BESIDE = 0.12
#: Rows of the table, by training part and kernel, and of each the rows of a method, by pair.
Found = dict[tuple[str, str], dict[str, dict[str, dict[str, Any]]]]


def claims(rows: Rows) -> list[Claim]:
    """Return what section 2.4.2 says of these rows, where all pairs are there; and of pairs, errors and cost."""
    cells: Found = {}
    for row in rows:
        place = cells.setdefault((row["training"], row["kernel"]), {})
        place.setdefault(row["method"], {})[row["pair"]] = row
    complete = {
        place: {method: n_errors(pairs) for method, pairs in methods.items() if len(pairs) == len(PAIRS)}
        for place, methods in sorted(cells.items())
    }
    return [*_of_votes(complete), *_of_pairs(cells), *_of_cost(rows)]


def n_errors(pairs: Mapping[str, Mapping[str, Any]]) -> float:
    """Return the number of errors to be expected of the votes of all pairs, ties at random."""
    images = [int(number) for number in next(iter(pairs.values()))["images"].split()]
    y, order = np.repeat(np.arange(len(images)), images), [f"{first}-{second}" for first, second in PAIRS]
    choices = np.concatenate([votes.unpack(pairs[pair]["votes"], 1, len(y)) for pair in order])
    return expected_error_pct(y, count_votes(choices, PAIRS, len(images))) * len(y) / 100.0


def _of_votes(complete: Mapping[tuple[str, str], Mapping[str, float]]) -> Iterator[Claim]:
    gain = {}
    for (training, kernel), errors in complete.items():
        for method, number in errors.items():
            setting = kernel if kernel == "rbf" else f"poly_{kernel}"
            values = table_values("rmm2010/table2_1", f"mnist_{training}", method, setting)
            text = f"{training} {kernel}: errors of the votes, {method}"
            if values:
                printed = values["n_errors"].mean
                yield f"{text}: {printed:g}, within {CLEAR}", f"{number:g}", judgement(abs(number - printed) <= CLEAR)
            else:
                yield f"{text}: none is printed", f"{number:g}", NO_CLAIM
        if {"svm", "rmm"} <= errors.keys():
            gain[f"{training} {kernel}"] = errors["svm"] - errors["rmm"]
    yield everywhere(
        f"the RMM has fewer errors than the SVM, by {CLEAR} or more", {r: g >= CLEAR for r, g in gain.items()}
    )


def _of_pairs(cells: Found) -> Iterator[Claim]:
    """Of a pair alone nothing is printed in the table; figure 2.6 has the RMM ahead on most, which is asked here."""
    for training in MEAN_N:
        errors = {
            f"{pair} {kernel}": {method: int(methods[method][pair]["test_errors"]) for method in ("svm", "rmm")}
            for (part_of, kernel), methods in cells.items()
            if part_of == training
            for pair in methods.get("svm", {}).keys() & methods.get("rmm", {}).keys()
        }
        fewer = sorted(name for name, both in errors.items() if both["rmm"] < both["svm"])
        more = sorted(name for name, both in errors.items() if both["rmm"] > both["svm"])
        if errors:
            sums = ", ".join(f"{m} {sum(both[m] for both in errors.values())}" for m in ("svm", "rmm"))
            text = f"{training}: the RMM has fewer errors than the SVM on most of {len(errors)} pairs and kernels"
            words, holds = (
                f"{len(fewer)}; more on {', '.join(more) or 'none'}; all together {sums}",
                len(fewer) > len(errors) / 2,
            )
            yield text, words, judgement(holds)


def _of_cost(rows: Rows) -> Iterator[Claim]:
    """Say what 45 pairs cost: by those that were run, in the mean over kernels, at the size of the mean pair."""
    for method in METHODS:
        for training, n in MEAN_N.items():
            run = [row for row in rows if (row["method"], row["training"]) == (method, training)]
            if run:
                larger = (n / fmean(row["n_train"] for row in run)) ** GROWTH[method]
                hours = len(PAIRS) * fmean(row["cpu_seconds"] for row in run) * larger / 3600.0
                text = f"cost of all {len(PAIRS)} pairs with one kernel: {method}, {training}"
                peak_gb = max(row["peak_mb"] for row in run) / 1024.0
                words = f"{hours:.2g} CPU hours, {peak_gb:.2g} GB, by the {len(run)} that were run"
                yield text, words, NO_CLAIM


def draw(canvas: Any, rows: Rows) -> None:
    """Draw the test errors of every pair that was run, kernel by kernel, on two thirds above and on all below."""
    from matplotlib.ticker import MaxNLocator

    places, methods = sorted({(row["kernel"], row["pair"]) for row in rows}), {row["method"] for row in rows}
    panels = canvas.subplots(2, 1, sharex=True)
    for axes, training in zip(panels, MEAN_N, strict=True):
        for i, (method, colour, marker) in enumerate(zip(METHODS, (*COLOURS, "k"), "os^D", strict=False)):
            mine = [row for row in rows if (row["training"], row["method"]) == (training, method)]
            beside = BESIDE * (i - (len(METHODS) - 1) / 2)  # equal errors hide none
            across = [places.index((row["kernel"], row["pair"])) + beside for row in mine]
            label = method if method in methods else None
            errors = [row["test_errors"] for row in mine]
            axes.plot(across, errors, marker, color=colour, label=label, clip_on=False)  # a marker of none is whole
        axes.set_ylabel(f"test errors, {training.replace('_', ' ')}")
        axes.set_ylim(bottom=0)
        axes.yaxis.set_major_locator(MaxNLocator(integer=True))
        axes.grid(axis="y", linewidth=0.4, color="0.88")
    axes.set_xlim(-0.5, len(places) - 0.5)
    axes.set_xticks(range(len(places)), [f"{pair} {kernel}" for kernel, pair in places], rotation=90, fontsize=7)
    canvas.legend(handles=panels[0].get_legend_handles_labels()[0], loc="outside upper center", ncols=len(METHODS))
