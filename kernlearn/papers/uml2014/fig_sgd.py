"""How near stochastic gradient descent comes to the optimum of the soft-margin SVM, beside its bound."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernlearn.algorithms.margin.sgd_svm import KernelSGD, solve_sgd_svm
from kernlearn.algorithms.margin.soft_svm import solve_soft_svm
from kernlearn.datasets import load
from kernlearn.kernels import SCALINGS, GramStack, make_family
from kernlearn.papers.core.colours import COLOURS, GREY
from kernlearn.papers.core.figures import Rows
from kernlearn.papers.core.measured import OURS, Claim, judgement

LAMBDA = 0.01
#: The forms as a reader knows them.
NAMES = {"features": "on features", "gaussian": "on a Gaussian kernel"}
#: Steps after which the mean of all w_t is looked at.
STEPS = tuple(2**k for k in range(4, 18))


def cell(seed: int, form: str) -> Rows:
    """Return the suboptimality of one run, and how far the run on features is from that on kernels."""
    data = load("ionosphere")
    (X,) = SCALINGS["unit"](data.X)
    y = np.where(data.y == 1, 1.0, -1.0)
    family = make_family("linear") if form == "features" else make_family("gaussian", gammas=[1.0])
    K = GramStack.train(family, X).matrix(0)
    optimum = solve_soft_svm(K, y, 0.5 * LAMBDA, homogenous=True)
    rng, run, drawn = np.random.default_rng(seed), KernelSGD(K, y, LAMBDA), []
    rows = []
    for more in np.diff((0, *STEPS)):
        indices = rng.integers(len(y), size=more)
        drawn.append(indices)
        run.step(indices)
        apart = 0.0
        if form == "features":  # lemma 16.3
            w = solve_sgd_svm(X, y, LAMBDA, drawn)
            apart = float(np.linalg.norm(w - X.T @ run.coef) / np.linalg.norm(w))
        above = run.solution(tol=1.0).objective - optimum.objective
        bound = 2.0 * (1.0 + np.log(run.t)) / (LAMBDA * run.t)
        rows.append(
            {"form": form, "t": run.t, "above": above, "bound": bound, "apart": apart, "optimum": optimum.objective}
            | {"gap": optimum.gap}
        )
    return rows


def claims(rows: Rows) -> list[Claim]:
    """Return what theorem 14.11 and lemma 16.3 say."""
    apart, gap = max(row["apart"] for row in rows), max(abs(row["gap"]) for row in rows)
    result: list[Claim] = []
    for form, t, above, bound in _means(rows):
        most = float((above / bound).max())
        text = f"the mean over runs on {form} is within its bound"
        result.append((text, f"at most {most:.3f} of it", judgement(most <= 1.0)))
        last = float(above[-1] / above[0])
        text = f"on {form} it goes to the optimum"
        result.append((text, f"times {last:.1e} from t = {t[0]:.0f} to {t[-1]:.0f}", judgement(0.0 <= last < 0.01)))
    smallest = min(row["above"] / row["optimum"] for row in rows)
    return [
        *result,
        ("lemma 16.3: the same indices give the same predictor", f"{apart:.1e} apart", judgement(apart <= 1e-9)),
        (
            "nothing is below the certified optimum",
            f"at least {smallest:.1e} above, relatively; gap {gap:.1e}",
            judgement(smallest >= -1e-9 and gap <= 1e-6, OURS),
        ),
    ]


def _means(rows: Rows) -> Iterator[tuple[str, Any, Any, Any]]:
    """Yield for every form the steps, the mean suboptimality over runs, and the bound."""
    for form in dict.fromkeys(row["form"] for row in rows):
        t = sorted({row["t"] for row in rows if row["form"] == form})
        at: list[NDArray[np.float64]] = [
            np.array([(row["above"], row["bound"]) for row in rows if row["form"] == form and row["t"] == s]) for s in t
        ]
        above, bound = np.stack([values.mean(axis=0) for values in at]).T
        yield form, np.array(t), above, bound


def draw(canvas: Any, rows: Rows) -> None:
    """Draw every run, the means, and the bound."""
    axes = canvas.subplots()
    means = list(_means(rows))
    for colour, (form, t, above, _) in zip(COLOURS, means, strict=False):
        mine = [row for row in rows if row["form"] == form]
        axes.scatter([row["t"] for row in mine], [row["above"] for row in mine], s=3, color=colour, alpha=0.4)
        axes.plot(t, above, color=colour, label=f"{NAMES[form]}: runs and their mean")
    _, t, _, bound = means[0]  # the same for all
    axes.plot(t, bound, "--", color=GREY, label="bound of theorem 14.11")
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("steps $t$")
    axes.set_ylabel("objective above the certified optimum")
    axes.grid(axis="y", linewidth=0.4, color="0.88")
    axes.legend()
