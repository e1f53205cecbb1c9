"""The test error of the hard- and the soft-margin SVM against the number of examples, beside their bounds."""

from collections.abc import Iterator
from math import log, sqrt
from typing import Any

import numpy as np

from kernlearn.algorithms.margin.hard_svm import solve_hard_svm
from kernlearn.algorithms.margin.soft_svm import solve_soft_svm
from kernlearn.evaluation.losses import hinge, zero_one
from kernlearn.papers.core.colours import COLOURS, GREY
from kernlearn.papers.core.figures import Rows
from kernlearn.papers.core.measured import OURS, Claim, judgement
from kernlearn.papers.uml2014.samples import on_the_sphere

GAMMA, RHO, DIMENSION, DELTA, TEST = 0.1, 1.0, 50, 0.05, 20_000
SIZES = (25, 50, 100, 200, 400, 800, 1600)


def cell(seed: int, method: str, noise: float) -> Rows:
    """Return test error and hinge loss of what is learned from samples of every size, and the bounds."""
    rows = []
    for m in SIZES:
        rng = np.random.default_rng([seed, m, round(100 * noise)])
        X, y = on_the_sphere(m, DIMENSION, GAMMA, noise, rng)
        Z, truth = on_the_sphere(TEST, DIMENSION, GAMMA, noise, rng)
        lambda_ = sqrt(2.0 * RHO**2 * GAMMA**2 / m)
        if method == "hard_svm":
            solution = solve_hard_svm(X @ X.T, y, homogenous=True)
            bound = sqrt(4.0 * (RHO / GAMMA) ** 2 / m) + sqrt(2.0 * log(2.0 / DELTA) / m)  # theorem 15.4
        else:
            solution = solve_soft_svm(X @ X.T, y, lambda_, homogenous=True)
            of_u = float(hinge(truth * Z[:, 0] / GAMMA).mean())
            bound = of_u + lambda_ / GAMMA**2 + 2.0 * RHO**2 / (lambda_ * m)  # corollary 15.7
        margins = truth * (Z @ (X.T @ solution.x))
        risks = {"error": float(zero_one(margins).mean()), "hinge": float(hinge(margins).mean())}
        rows.append({"method": method, "noise": noise, "m": m, **risks, "bound": bound, "gap": solution.gap})
    return rows


def claims(rows: Rows) -> list[Claim]:
    """Return theorem 15.4, corollary 15.7, and that both learn."""
    hard = [row for row in rows if row["method"] == "hard_svm"]
    within = np.mean([row["error"] <= row["bound"] for row in hard])
    result: list[Claim] = [
        (
            "theorem 15.4: the error of hard-SVM is below its bound with probability 0.95",
            f"in {100 * within:.0f} % of {len(hard)} samples",
            judgement(within >= 1.0 - DELTA),
        )
    ]
    for name, m, error, loss, bound in _means(rows):
        if name.startswith("soft"):
            most = float((loss / bound).max())
            text = f"corollary 15.7: the mean hinge loss of {name} is below its bound, and the error below the loss"
            holds = most <= 1.0 and bool((error <= loss).all())
            result.append((text, f"at most {most:.2f} of the bound", judgement(holds)))
        falls = f"from {error[0]:.4f} at m = {m[0]:.0f} to {error[-1]:.4f} at {m[-1]:.0f}"
        result.append((f"the error of {name} falls with m", falls, judgement(error[-1] < error[0])))
    gap = max(abs(row["gap"]) for row in rows)
    return [*result, ("all optima are certified", f"gap {gap:.1e} at most", judgement(gap <= 1e-6, OURS))]


def _means(rows: Rows) -> Iterator[tuple[str, Any, Any, Any, Any]]:
    """Yield for every method and noise the sizes, and the means of error, hinge loss and bound over the samples."""
    for method, noise in dict.fromkeys((row["method"], row["noise"]) for row in rows):
        mine = [row for row in rows if (row["method"], row["noise"]) == (method, noise)]
        m = sorted({row["m"] for row in mine})
        values = [[[row[key] for row in mine if row["m"] == n] for n in m] for key in ("error", "hinge", "bound")]
        error, loss, bound = np.mean(values, axis=2)
        name = method.replace("_", "-") + (f" with {noise:.0%} noise" if noise else "")
        yield name, np.array(m), error, loss, bound


def draw(canvas: Any, rows: Rows) -> None:
    """Draw the mean errors, those that are not 0, and the bounds."""
    axes = canvas.subplots()
    for colour, marker, (name, m, error, _, bound) in zip(COLOURS, "osv", _means(rows), strict=False):
        shown = name.replace("svm", "SVM").capitalize().replace("svm", "SVM").replace("%", " %")
        axes.plot(m, np.where(error > 0.0, error, np.nan), f"{marker}-", color=colour, markersize=4, label=shown)
        axes.plot(m, bound, "--", color=colour)
    axes.plot([], [], "--", color=GREY, label="bounds, of the same colour")
    axes.axhline(1.0, color=GREY, linewidth=0.6)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xticks(m, [f"{n:.0f}" for n in m])
    axes.minorticks_off()
    axes.set_xlabel("training examples $m$")
    axes.set_ylabel("mean test error, as a part of 1")
    axes.grid(axis="y", linewidth=0.4, color="0.88")
    axes.legend()
