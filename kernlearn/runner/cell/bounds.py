"""Margin bounds of a selected model. The selected grid point is solved again, and the bounds are evaluated there."""

from collections.abc import Mapping

import numpy as np
from threadpoolctl import threadpool_limits

from kernlearn.algorithms import ALGORITHMS, Problem, Signs
from kernlearn.evaluation.risk_bounds.rademacher import theorem1, theorem2
from kernlearn.kernels import GramStack
from kernlearn.runner.cell.cell import PathCell
from kernlearn.runner.cell.data import training_part
from kernlearn.types import Array

DELTA = 0.05
#: The margins at which the bounds are evaluated.
RHOS = np.logspace(-3, 0, 20)


def bounds_of_cell(cell: PathCell, values: Mapping[str, float]) -> dict[str, float]:
    """Return the bounds of the model of one cell, in percent, and their terms.

    Parameters
    ----------
    cell : PathCell
        A cell of Voted Kernel Regularization on two classes.
    values : mapping
        The selected ``lambda`` and ``beta``.
    """
    options = cell.values | {"lambdas": [values["lambda"]], "betas": [values["beta"]]}
    with threadpool_limits(1):  # same bits on any number of cores
        stack, y = training_part(cell)
        (point,) = ALGORITHMS["vkr"].path(Problem(stack, Signs(y)), **options)
        return evaluate(stack, y, point.solutions[0].x)


def evaluate(stack: GramStack, y: Array, coef: Array) -> dict[str, float]:
    """Return the bounds of an expansion without bias on its own training examples.

    Coefficients have the shape (p, n), and labels are +-1.
    """
    diagonals = [stack.diagonal(k) for k in range(len(stack))]
    kappa2 = np.array([diagonal.max() for diagonal in diagonals])
    weights = np.abs(coef).sum(axis=1) * kappa2  # weights of the normalised kernels K_k / kappa_k^2
    total = weights.sum()
    if total == 0.0:  # f = 0 has no margin
        return {"rho": 0.0, "complexity": 0.0, "margin_loss_pct": 100.0, "theorem1_pct": np.inf, "theorem2_pct": np.inf}
    m = len(y)
    # Lemma 3 for K_k / kappa_k^2, whose own kappa is 1: sqrt(Tr K_k / kappa_k^2) / m
    r = np.sqrt([diagonal.sum() / k2 for diagonal, k2 in zip(diagonals, kappa2, strict=True)]) / m
    complexity = float(weights @ r / total)
    margins = y * stack.expand(coef) / total
    losses = [float((margins <= rho).mean()) for rho in RHOS]
    p, delta = len(stack), DELTA / len(RHOS)
    first = [theorem1(loss, complexity, rho, p, m, delta) for loss, rho in zip(losses, RHOS, strict=True)]
    second = [theorem2(loss, complexity, rho, p, m, delta) for loss, rho in zip(losses, RHOS, strict=True)]
    best = int(np.argmin(first))
    return {
        "rho": float(RHOS[best]),
        "complexity": complexity,
        "margin_loss_pct": 100.0 * losses[best],
        "theorem1_pct": 100.0 * first[best],
        "theorem2_pct": 100.0 * min(second),
    }
