"""What is proved of a pair of arrays: coefficients and multipliers, of whatever origin."""

from typing import Any

import numpy as np

from kernlearn.certificates.proofs.examples import Kernel, examples
from kernlearn.certificates.proofs.losses import LOSSES
from kernlearn.certificates.proofs.problem import Expansion, Problem, Weights
from kernlearn.certificates.proofs.proof import Proof, prove
from kernlearn.errors import UserError

#: The losses of problems that have a name of their own.
PROBLEMS = {"svm": "hinge", "svr": "epsilon_insensitive", "ridge": "squared", "lasso": "squared"}


def certify_arrays(
    problem: str,
    X: Any,
    y: Any,
    coefficients: Any,
    multipliers: Any = None,
    *,
    kernel: bool = False,
    intercept: float | None = None,
    C: float = 1.0,
    l1: float | None = None,
    l2: float | None = None,
    epsilon: float = 0.1,
    sample_weight: Any = None,
) -> Proof:
    """Return how far coefficients are from the optimum of a problem at most.

    The problem is ``penalty(f) + C sum_i w_i loss(y_i, f(x_i) + b)``. With a kernel the penalty is ``1/2 |f|^2``, and
    of features it is ``l1 |w|_1 + l2/2 |w|^2``.

    Parameters
    ----------
    problem : str
        A loss: ``"svm"`` or ``"hinge"``, ``"squared_hinge"``, ``"logistic"``, ``"modified_huber"``, with labels +-1;
        ``"ridge"``, ``"lasso"`` or ``"squared"``, which is ``1/2 (y - f)^2``, ``"svr"`` or ``"epsilon_insensitive"``
        and ``"squared_epsilon_insensitive"``, with real targets.
    X : array or sparse matrix of shape (n, d), or the kernel matrix of shape (n, n)
    y : array of shape (n,)
    coefficients : array of shape (d,), or (n,) with a kernel
        Weights of the features, or the coefficients of the kernel expansion.
    multipliers : array of shape (n,), optional
        The signed multipliers beta of a dual solution: an optimal function is ``sum_i beta_i K(x_i, .)``. They are cut
        to their bounds. Without them the dual point is made from the function.
    kernel : bool
        Whether X is a kernel matrix.
    intercept : float, optional
        b, which is not penalised. None means that the problem has no intercept.
    C : float > 0
    l1, l2 : float >= 0, optional
        By default 0 and 1; for ``"lasso"`` 1 and 0.
    epsilon : float >= 0
        Half the width of the tube of the losses that have one.
    sample_weight : array of shape (n,), optional

    Returns
    -------
    Proof

    Raises
    ------
    UserError
        If a name is unknown, shapes do not fit, or a kernel matrix is not positive semidefinite.
    """
    loss = PROBLEMS.get(problem, problem)
    if loss not in LOSSES:
        raise UserError(f"problem={problem}: must be one of {', '.join([*PROBLEMS, *LOSSES])}")
    data = examples(X, y, sample_weight)
    n, d = data.X.shape
    coef = _vector("coefficients", coefficients, n if kernel else d)
    if LOSSES[loss].labels and not np.isin(data.y, (-1, 1)).all():
        raise UserError(f"problem={problem}: needs labels y of -1 and 1")
    if not (C > 0.0 and np.isfinite(C) and epsilon >= 0.0):
        raise UserError(f"C={C}, epsilon={epsilon}: must be numbers, C above 0 and epsilon not below")
    if kernel and (l1 is not None or l2 is not None):
        raise UserError("l1 and l2: are penalties of features; with a kernel the penalty is 1/2 |f|^2")
    lasso = float(problem == "lasso")
    penalties = lasso if l1 is None else float(l1), 1.0 - lasso if l2 is None else float(l2)
    if kernel:
        machine: Any = Expansion(Kernel("precomputed", 1.0, 1.0, 0.0).inputs(data.X, np.arange(n)), coef)
    elif min(penalties) < 0.0 or max(penalties) == 0.0:
        raise UserError(f"l1={l1}, l2={l2}: must be numbers >= 0, and one of them above 0")
    else:
        machine = Weights(data.X, coef, *penalties)
    solution = Problem(
        loss=loss,
        target=data.real(),
        costs=C * data.weights,
        machine=machine,
        intercept=0.0 if intercept is None else float(intercept),
        bias=intercept is not None,
        beta=None if multipliers is None else _vector("multipliers", multipliers, n),
        epsilon=float(epsilon),
    )
    return prove(solution)


def _vector(name: str, values: Any, size: int) -> Any:
    vector = np.asarray(values, dtype=np.float64)
    if vector.shape != (size,) or not np.isfinite(vector).all():
        raise UserError(f"{name}: must be {size} finite numbers, and have the shape {vector.shape}")
    return vector
