"""Figure 2.7 of Shivaswamy (2010): SVM and RMM on all pairs of newsgroups."""

from collections import defaultdict
from functools import lru_cache
from statistics import fmean
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from kernlearn.datasets import load
from kernlearn.evaluation import best_of
from kernlearn.evaluation.significance import corrected_resampled_t, holm
from kernlearn.evaluation.splits.protocols import fixed_training_size
from kernlearn.papers.core.colours import COLOURS, GREY
from kernlearn.papers.core.figures import Rows
from kernlearn.papers.core.measured import Claim, judgement
from kernlearn.papers.rmm2010.real.digits import machines, wrong
from kernlearn.types import Array

VERSION = 1
SIZE = (7.0, 3.4)
#: Posts that train.
N = 500
CS = (1.0, 10.0, 100.0, 1000.0)
FRACTIONS = (1.0, 0.6, 0.4, 0.2, 0.1)
#: The level of a test, and the share of the problems that is taken for "almost 30 %".
LEVEL, SHARE = 0.05, 0.25


@lru_cache(maxsize=1)
def _posts() -> tuple[Any, NDArray[np.int64]]:
    """Return the frequencies of words in every post, and its group."""
    data = load("newsgroups")
    lengths = np.asarray(data.X.sum(axis=1)).ravel()
    return sparse.csr_array(data.X / np.maximum(lengths, 1.0)[:, None]), data.y


def cell(seed: int, group: int) -> Rows:
    """Return the errors on the pairs of a group with all later ones."""
    X, y = _posts()
    rows = []
    for other in range(group + 1, int(y.max()) + 1):
        pair = np.flatnonzero((y == group) | (y == other))
        errors = errors_of(X[pair], np.where(y[pair] == group, 1.0, -1.0), seed)
        rows.append({"first": group, "second": other, **errors})
    return rows


def errors_of(X: Any, y: Array, seed: int, size: int = N) -> dict[str, float]:
    """Return the errors in percent of the SVM and of the RMM, in the mean of both roles of the two large parts."""
    (split,) = fixed_training_size(len(y), seed, size, repetitions=1)
    K = _products(X[split.train], X[split.train])
    unit = float(np.trace(K)) / size
    grid = list(machines(K / unit, y[split.train], CS, FRACTIONS))
    bounded = [machine.fraction < 1.0 for machine in grid]  # False, the SVM, comes before True
    errors = []
    for part in (split.validation, split.test):
        among = _products(X[part], X[split.train]) / unit
        errors.append([100.0 * float(wrong(machine.outputs(among), y[part]).mean()) for machine in grid])
    chosen = [(test[best_of(bounded, those)], test[best_of(those)]) for those, test in (errors, errors[::-1])]
    svm, rmm = (fmean(pair) for pair in zip(*chosen, strict=True))
    ratio = len(split.test) / size
    return {"svm_pct": svm, "rmm_pct": rmm, "test_to_train": ratio, "gap": max(machine.gap for machine in grid)}


def _products(X: Any, Z: Any) -> Array:
    return np.asarray((X @ Z.T).todense())


def gains(rows: Rows) -> dict[str, list[tuple[float, float, float]]]:
    """Return for every pair the errors of SVM and RMM of every repetition, and test examples by training examples."""
    by_pair = defaultdict(list)
    for row in rows:
        by_pair[f"{row['first']:g}-{row['second']:g}"].append((row["svm_pct"], row["rmm_pct"], row["test_to_train"]))
    return dict(by_pair)


def p_values(rows: Rows, *, corrected: bool) -> list[float]:
    """Return the p-value of every pair where the RMM is better, else 1; perhaps corrected for posts that are shared."""
    values = []
    for errors in gains(rows).values():
        p = corrected_resampled_t([svm - rmm for svm, rmm, _ in errors], errors[0][2] if corrected else 0.0)
        values.append(p if sum(svm - rmm for svm, rmm, _ in errors) > 0 else 1.0)
    return values


def claims(rows: Rows) -> list[Claim]:
    """Return what section 2.4.5 says of figure 2.7."""
    better = [fmean(svm - rmm for svm, rmm, _ in errors) > 0 for errors in gains(rows).values()]
    result = [
        (
            "the RMM errs less than the SVM on most problems",
            f"on {sum(better)} of {len(better)}",
            judgement(sum(better) > len(better) / 2),
        )
    ]
    for words, corrected in (("paired t-test", False), ("with the correction for shared posts", True)):
        p = p_values(rows, corrected=corrected)
        for more, values in (("", p), (", and Holm's", holm(p))):
            clear = sum(value < LEVEL for value in values)
            text = f"significantly on almost 30 % of them, {words}{more}"
            evidence = f"on {clear} of {len(p)}, {100 * clear / len(p):.0f} %"
            result.append((text, evidence, judgement(clear >= SHARE * len(p))))
    return result


def draw(canvas: Any, rows: Rows) -> None:
    """Draw the improvement on every pair in percent, sorted, the significant ones apart."""
    axes = canvas.subplots()
    pairs, p = list(gains(rows).values()), p_values(rows, corrected=False)
    means = [(fmean(svm for svm, _, _ in errors), fmean(rmm for _, rmm, _ in errors)) for errors in pairs]
    percent = np.array([100.0 * (svm - rmm) / svm if svm > 0 else 0.0 for svm, rmm in means])
    order, clear = np.argsort(-percent), np.array(p) < LEVEL
    for which, colour, label in ((~clear, GREY, "others"), (clear, COLOURS[0], "p < 0.05, paired t-test")):
        places = np.flatnonzero(which[order])
        axes.bar(places, percent[order][places], 1.0, color=colour, label=label)
    axes.set_xlabel("pairs of groups, sorted")
    axes.set_ylabel("improvement of the RMM over the SVM, %")
    axes.legend()
