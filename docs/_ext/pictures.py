"""The pictures of methods' pages: errors and certified gaps along the grid of a run."""

from pathlib import Path

import matplotlib
import numpy as np
import pandas as pd

matplotlib.use("agg")
import matplotlib.pyplot as plt  # noqa: E402

#: What a picture shows of a run: the first of these that its rows have, with the words beside the axis.
SCORES = (("error_pct", "error in %"), ("rmse", "root mean squared error"))
#: Gaps below this one are drawn here: most are rounding, some are 0 or less.
FLOOR = 1e-16
#: The same file for the same numbers: no date, and names of parts that do not change.
SETTINGS = {"svg.hashsalt": "kernlearn", "svg.fonttype": "none", "font.size": 10, "axes.spines.top": False}


def path(name: str, rows: Path, to: Path) -> None:
    """Draw the mean scores of all grid points in their order, and the largest gap of each."""
    table = pd.read_csv(rows)
    score, words = next((key, words) for key, words in SCORES if f"test_{key}" in table)
    points = table.groupby("point")
    with plt.rc_context({**SETTINGS, "axes.spines.right": False}):
        figure, (upper, lower) = plt.subplots(2, 1, sharex=True, figsize=(7, 4.2), height_ratios=(2, 1))
        marker = "o" if len(points) < 60 else ""
        for part, style in (("validation", "--"), ("test", "-")):
            mean = points[f"{part}_{score}"].mean()
            upper.plot(mean.index, mean, style, marker=marker, markersize=4, label=part)
        upper.set_ylabel(words)
        upper.legend(frameon=False)
        upper.set_title(f"{name}: mean over {table['split'].nunique()} splits")
        gap = points["gap"].max().clip(lower=FLOOR)
        lower.semilogy(gap.index, gap.fillna(FLOOR), marker=marker, markersize=4, color="C2")
        lower.set_ylabel("largest gap")
        lower.set_xlabel("grid point, in the order of the path")
        _save(figure, to)


def universum(to: Path) -> None:
    """Draw the path of an SVM with a Universum over its cost, of digits 3 and 8 with 5 as the Universum."""
    from sklearn.datasets import load_digits

    from kernlearn import USVMClassifier

    X, y = load_digits(return_X_y=True)
    X = X / 16.0
    pair, other = np.isin(y, (3, 8)), X[y == 5][:40]
    X, y = X[pair], y[pair]
    costs = np.logspace(-4, 1, 6)
    errors, gaps = [], []
    for cost in costs:
        machine = USVMClassifier(kernel="rbf", C=10.0, C_universum=cost).fit(X[:30], y[:30], other)
        errors.append(100.0 * np.mean(machine.predict(X[30:]) != y[30:]))
        gaps.append(max(machine.gap_, FLOOR))
    with plt.rc_context({**SETTINGS, "axes.spines.right": False}):
        figure, (upper, lower) = plt.subplots(2, 1, sharex=True, figsize=(7, 4.2), height_ratios=(2, 1))
        upper.semilogx(costs, errors, "-o", markersize=4)
        upper.set_ylabel("test error in %")
        upper.set_title("u_svm: digits 3 and 8, 30 examples, 5 is the Universum")
        lower.loglog(costs, gaps, "-o", markersize=4, color="C2")
        lower.set_ylabel("gap")
        lower.set_xlabel("cost of an output on the Universum")
        _save(figure, to)


def _save(figure: plt.Figure, to: Path) -> None:
    figure.tight_layout()
    to.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(to, metadata={"Date": None})
    plt.close(figure)
