"""Figure 2.2 of Rostamizadeh (2010): test error and bounds against the number of rank-1 kernels from MNIST."""

from typing import Any

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from threadpoolctl import threadpool_limits

from kernlearn.datasets import load
from kernlearn.evaluation.risk_bounds.kernel_learning import confidence, l1_complexity, lq_complexity
from kernlearn.papers.core.colours import COLOURS
from kernlearn.papers.core.figures import Rows
from kernlearn.papers.core.measured import Claim, judgement
from kernlearn.papers.mkl2010.bounds import references_of
from kernlearn.types import Array

#: As stated: sample size, rho/R, probability that the bound fails.
M, RATIO, DELTA = 36_000, 0.2, 0.01
NUMBERS = range(200, 800, 50)
LAMBDAS = 10.0 ** np.arange(-8, 1)
#: The norms of the weights: q = 1 (Corollary 2.1) and q = 2 (Corollary 2.2).
NORMS = (1, 2)


def points() -> Rows:
    """Return test error, margin loss and bound for the first p features in a random order, weighted by correlation."""
    data = load("mnist")
    X, y = data.X.toarray() / 255.0, np.where(data.y % 2 == 1, 1.0, -1.0)
    order = np.random.default_rng(0).permutation(X.shape[1])
    X = X[:, order]
    train, validation, test = slice(M), slice(M, 60_000), slice(60_000, None)
    centred = X[train] - X[train].mean(axis=0)
    sizes = np.linalg.norm(centred, axis=0) * np.linalg.norm(y[train] - y[train].mean())
    moments = np.abs(centred.T @ (y[train] - y[train].mean()))
    magnitudes = np.divide(moments, sizes, out=np.zeros_like(sizes), where=sizes > 0)  # of the correlations
    rows = []
    with threadpool_limits(1):  # the same bytes on any number of cores
        for q in NORMS:
            for p in NUMBERS:
                mu = magnitudes[:p] / np.linalg.norm(magnitudes[:p], q)
                Z = X[:, :p] * np.sqrt(mu)  # K_mu(x, z) = sum_k mu_k x_k z_k
                w = min(
                    (_ridge(Z[train], y[train], v) for v in LAMBDAS),
                    key=lambda w: _error(Z[validation] @ w, y[validation]),
                )
                f = Z @ (w / np.linalg.norm(w))  # |w| = 1; R = 1, because x_k <= 1
                loss = float(np.mean(y[train] * f[train] < RATIO))
                complexity = l1_complexity(M, p, RATIO) if q == 1 else lq_complexity(M, p, RATIO)
                rows.append(
                    {
                        "norm": q,
                        "p": p,
                        "test_error": _error(f[test], y[test]),
                        "margin_loss": loss,
                        "complexity": float(complexity),
                        "excess": float(complexity + confidence(M, DELTA)),
                        "bound": float(loss + complexity + confidence(M, DELTA)),
                    }
                )
    return rows


def references() -> Rows:
    """Return the complexity terms at single m and p."""
    return references_of("fig2.2")


def _ridge(Z: Array, y: Array, lambda_: float) -> Array:
    A = Z.T @ Z
    A.flat[:: len(A) + 1] += lambda_ * len(y)
    return cho_solve(cho_factor(A, overwrite_a=True), Z.T @ y)


def _error(f: Array, y: Array) -> float:
    return float(np.mean((f > 0) != (y > 0)))


def claims(rows: Rows) -> list[Claim]:
    """Return what section 2.2 says of figure 2.2: the test error behaves as the bound predicts."""
    claims = []
    for q in NORMS:
        error, bound, complexity = (
            np.array([row[key] for row in rows if row["norm"] == q]) for key in ("test_error", "bound", "complexity")
        )
        same = np.corrcoef(error, bound)[0, 1]
        claims += [
            (f"L{q}: test error and bound go together over p", f"correlation {same:.2f}", judgement(bool(same > 0.9))),
            (
                f"L{q}: the complexity term grows slowly with p",
                f"from {complexity[0]:.3f} to {complexity[-1]:.3f}",
                judgement(bool(complexity[-1] < 1.5 * complexity[0])),
            ),
        ]
    return claims


def draw(canvas: Any, rows: Rows) -> None:
    """Draw figure 2.2: test errors, and what the bounds add to the margin loss, against the number of kernels."""
    axes = canvas.subplots()
    for norm, colour, marker in zip((1, 2), COLOURS, "ox", strict=False):
        curve = [row for row in rows if row["norm"] == norm]
        p = [row["p"] for row in curve]
        axes.plot(p, [row["test_error"] for row in curve], f"{marker}-", color=colour, label=f"test error, $L_{norm}$")
        label = f"Corollary 2.{norm} ($L_{norm}$)"
        axes.plot(p, [row["excess"] for row in curve], linestyle="--", color=colour, label=label)
    axes.set_ylim(bottom=0)
    axes.set_xlabel("number of kernels $p$")
    axes.set_ylabel("test error; bound on $R(h) - \\widehat{R}_\\rho(h)$")
    axes.grid(axis="y", linewidth=0.4, color="0.88")
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
