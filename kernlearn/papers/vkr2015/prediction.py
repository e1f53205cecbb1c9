"""What the predictions of a sparse model cost beside those of others: time, memory and kernel values."""

import warnings
from time import process_time
from typing import Any

import numpy as np

from kernlearn.datasets import load
from kernlearn.kernels import SCALINGS
from kernlearn.papers.core.colours import COLOURS
from kernlearn.papers.core.figures import Rows
from kernlearn.papers.core.measured import Claim, judgement
from kernlearn.types import Array

SIZE = (6.4, 3.4)
DEGREES = tuple(range(1, 11))
#: The part of the examples that trains.
TRAINED = 0.8
#: Examples of which the predictions are timed, and how often.
TIMED, REPEATS = 10_000, 5
#: The methods as a reader knows them.
NAMES = {"l2_svm": "L2-SVM", "l1_svm": "L1-SVM", "vkr": "VKR"}


def cell(seed: int, dataset: str) -> Rows:
    """Return errors and costs of the selected model of every method on one division of a data set."""
    from kernlearn.estimators import L1SVMClassifierCV, L2SVMClassifierCV, VKRClassifierCV

    data, rng = load(dataset), np.random.default_rng(seed)
    (X,) = SCALINGS["unit"](data.X)
    order = rng.permutation(len(X))
    train, test = np.split(order, [round(TRAINED * len(X))])
    timed = X[rng.choice(test, TIMED)]
    searches = {
        "l2_svm": L2SVMClassifierCV(degrees=DEGREES, cv=5),
        "l1_svm": L1SVMClassifierCV(degrees=DEGREES, cv=5),
        "vkr": VKRClassifierCV(degrees=DEGREES, cv=5),
    }
    rows = []
    for method, search in searches.items():
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message=".*the largest columns dominate")  # examples have the norm 1
            model = search.fit(X[train], data.y[train]).best_estimator_
        rows.append(
            {"dataset": dataset, "method": method, "n_train": len(train)}
            | {"error_pct": 100.0 * float(np.mean(model.predict(X[test]) != data.y[test]))}
            | {"n_support": len(model.support_), "kilobytes": _kilobytes(model), "seconds": _seconds(model, timed)}
        )
    return rows


def _kilobytes(model: Any) -> float:
    """Return what the numbers that predict take: the support vectors, and their coefficients for all kernels."""
    return 8 * (model.support_vectors_.size + int(np.count_nonzero(model.dual_coef_))) / 1024


def _seconds(model: Any, X: Array) -> float:
    """Return the least CPU time of decision values, after a first call that compiles."""
    model.decision_function(X[:2])
    times = []
    for _ in range(REPEATS):
        start = process_time()
        model.decision_function(X)
        times.append(process_time() - start)
    return min(times)


def _ratios(rows: Rows, column: str, other: str) -> dict[str, float]:
    """Return by how much more another method has of a column than VKR on every data set: the median of repetitions."""
    found: dict[str, list[float]] = {}
    for row in rows:
        if row["method"] == "vkr":
            same = ("seed", "dataset")
            (beside,) = (one for one in rows if one["method"] == other and all(one[key] == row[key] for key in same))
            found.setdefault(row["dataset"], []).append(beside[column] / max(row[column], 1e-12))
    return {dataset: float(np.median(ratios)) for dataset, ratios in found.items()}


def claims(rows: Rows) -> list[Claim]:
    """Return what sections 1 and 4 say; of times, what does not hang on the machine."""
    times = _ratios(rows, "seconds", "l2_svm")
    half = sum(ratio > 2.0 for ratio in times.values())
    return [
        _on_every_set("VKR has fewer support vectors than the L2-SVM on every set", rows, "n_support", "l2_svm"),
        (
            "VKR predicts in less than half of the time of the L2-SVM on most sets",
            f"on {half} of {len(times)}: {_words(times)}",
            judgement(2 * half > len(times)),
        ),
        _on_every_set("VKR needs less memory than the L2-SVM on every set", rows, "kilobytes", "l2_svm"),
        _on_every_set("VKR has fewer support vectors than the L1-SVM on every set", rows, "n_support", "l1_svm"),
    ]


def _on_every_set(words: str, rows: Rows, column: str, other: str) -> Claim:
    ratios = _ratios(rows, column, other)
    return words, _words(ratios), judgement(min(ratios.values()) > 1.0)


def _words(ratios: dict[str, float]) -> str:
    return ", ".join(f"{dataset} {ratio:.1f}" for dataset, ratio in ratios.items()) + " times as much"


def draw(canvas: Any, rows: Rows) -> None:
    """Draw how many times as much the L2-SVM needs, by data set."""
    axes = canvas.subplots()
    columns = {"n_support": "support vectors", "seconds": "time of a prediction", "kilobytes": "memory"}
    for k, (colour, (column, words)) in enumerate(zip(COLOURS, columns.items(), strict=False)):
        ratios = _ratios(rows, column, "l2_svm")
        axes.bar(np.arange(len(ratios)) + 0.27 * (k - 1), ratios.values(), width=0.25, color=colour, label=words)
    axes.axhline(1.0, color="0.3", linewidth=0.8)
    axes.set_xticks(range(len(ratios)), list(ratios))
    axes.set_ylabel("the L2-SVM needs so many times as much as VKR")
    axes.set_yscale("log")
    axes.legend()
