"""What is proved, in the problem of the exact kernel, of linear models on features that approximate a kernel.

Features of Nystroem's method have functions of the kernel itself, and so does a linear model on them: its objective is
that of the exact problem. Random Fourier features have no such functions. With the same multipliers beta goes the
function ``sum_i beta_i K(x_i, .)`` of the exact kernel, and what is proved is proved of this function.

Source: Williams and Seeger (2001); Rahimi and Recht (2008), Random features for large-scale kernel machines.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from kernlearn.certificates.own.estimators import of_estimator
from kernlearn.certificates.own.stored import trained
from kernlearn.certificates.proofs.centres import Centres, best_multipliers, prove_centres
from kernlearn.certificates.proofs.examples import Examples, OtherData, compared, examples, is_sparse
from kernlearn.certificates.proofs.problem import Problem, Weights
from kernlearn.certificates.proofs.proof import Proof
from kernlearn.certificates.proofs.restated import restated
from kernlearn.errors import UserError
from kernlearn.kernels import KernelFamily, make_family
from kernlearn.kernels.core.scikit_learn import OF_SCIKIT_LEARN
from kernlearn.kernels.families.polynomial import poly
from kernlearn.types import Array

#: What approximates a kernel, by class of scikit-learn.
NYSTROEM, RANDOM = "Nystroem", "RBFSampler"
WITH_MULTIPLIERS = (
    "the function of the exact kernel with the same multipliers, since random features have no function in its space"
)


def approximation_of(transformer: Any) -> str | None:
    """Return which approximation of a kernel a transformer of scikit-learn is; None for any other."""
    names = {kind.__name__ for kind in type(transformer).__mro__ if kind.__module__.partition(".")[0] == "sklearn"}
    return next((name for name in (NYSTROEM, RANDOM) if name in names), None)


def prove_approximation(
    transformer: Any, X: Any, problems: Sequence[Problem | Proof], most_kernel_values: float
) -> list[Proof]:
    """Return what is proved of linear models on the features of a transformer, in the problem of the exact kernel.

    Parameters
    ----------
    transformer : Nystroem or RBFSampler
    X : array or sparse matrix of shape (n, d)
        What it transforms.
    problems : sequence of Problem
        Those of the linear models on its features.
    most_kernel_values : float
        See `kernlearn.certify`.

    Raises
    ------
    UserError
        If a model is not linear, or has another penalty than the squared norm of its weights; if the transformer has a
        kernel that is a function; or if random features need too many kernel values.
    """
    family, random = _family(transformer, X), approximation_of(transformer) == RANDOM
    found = []
    for problem in problems:
        weights = problem.machine if isinstance(problem, Problem) else None
        if isinstance(problem, Proof) or not isinstance(weights, Weights) or weights.l1:
            raise UserError(
                "exact=True: the estimator after the features must be a linear model, with a squared penalty alone and "
                "one output for each problem"
            )
        w, b, constant = _split(weights, transformer)
        beta = best_multipliers(problem)
        if random:
            used = np.flatnonzero(beta)
            _require_few(X.shape[0], len(used), most_kernel_values)
            coef, b = beta[used] / weights.l2, constant * float(beta.sum()) / weights.l2
            machine = Centres(family, X, X[used], coef, weights.l2, constant, b, most_kernel_values, used)
            beta[used] = weights.l2 * coef  # as they are rounded
        else:
            Z, coef = _landmarks(transformer), transformer.normalization_.T @ w
            machine = Centres(family, X, Z, coef, weights.l2, constant, b, most_kernel_values)
        shown = None if random else _shown(problem)
        proof = prove_centres(replace(problem, machine=machine, beta=beta, shown=shown), made=True)
        found.append(replace(proof, only=WITH_MULTIPLIERS) if random else proof)
    return found


def own_approximation(
    transformer: Any, X: Any, estimator: Any, data: Examples, most_kernel_values: float
) -> list[Proof]:
    """Return the same of an estimator of ours with a linear kernel, by the dual points that it keeps.

    `data` has the features in the place of X.
    """
    stored = of_estimator(estimator, data.X)
    if stored is None or stored.family is None or stored.family.name != "linear":
        raise UserError('exact=True: the estimator after the features must be linear: give it kernel="linear"')
    if approximation_of(transformer) == RANDOM:
        raise UserError("exact=True: for random features, use a linear model of scikit-learn after them")
    family, found = _family(transformer, X), []
    for one in trained(stored, data):
        coef = transformer.normalization_.T @ (one.solved.coef @ data.X)
        centres = Centres(family, X, _landmarks(transformer), coef, most=most_kernel_values)
        found.append(prove_centres(restated(one.solved, centres)))
    return found


def _landmarks(transformer: Any) -> Any:
    """Return the landmarks of Nystroem's method as kernels take them."""
    Z = transformer.components_
    return examples(Z, np.zeros(Z.shape[0])).X


def _shown(problem: Problem) -> tuple[Any, Array]:
    """Return some examples, and the outputs that the linear model has for them."""
    f = problem.machine.outputs().plus(problem.intercept)
    some = compared(len(problem.target))
    return some, f.high[some]


def _split(weights: Weights, transformer: Any) -> tuple[Array, float, float]:
    """Return the weights of the features, the intercept, and the square of the constant feature that it is due to.

    The constant is that of LIBLINEAR, which penalises its intercept; without one both are 0.
    """
    nystroem = approximation_of(transformer) == NYSTROEM
    n_features = transformer.components_.shape[0] if nystroem else transformer.n_components
    if len(weights.w) == n_features:
        return weights.w, 0.0, 0.0
    column = float(weights.X[0, -1])
    return weights.w[:-1], column * float(weights.w[-1]), column**2


def _require_few(n: int, m: int, most: float) -> None:
    if float(n) * m > most:
        raise UserError(
            f"exact=True: the function of {m} multipliers takes {n} x {m} kernel values; allow them with "
            f"most_kernel_values={float(n) * m:.0e}, or use fewer examples"
        )


def _family(transformer: Any, X: Any) -> KernelFamily:
    """Return the kernel that a transformer approximates."""
    d, gamma = X.shape[1], transformer.gamma
    if approximation_of(transformer) == RANDOM:
        if gamma == "scale":
            variance = float(X.multiply(X).mean() - X.mean() ** 2 if is_sparse(X) else X.var())
            gamma = 1.0 / (d * variance) if variance else 1.0
        return make_family("gaussian", gammas=[float(gamma)])
    name = transformer.kernel
    if gamma is None:
        gamma = 1.0 if name == "chi2" else 1.0 / d
    if name == "rbf":
        return make_family("gaussian", gammas=[float(gamma)])
    if name == "linear":
        return make_family("linear")
    if name in ("poly", "polynomial"):
        degree = 3 if transformer.degree is None else transformer.degree
        return poly([float(gamma)], [degree], 1.0 if transformer.coef0 is None else transformer.coef0)
    if isinstance(name, str) and name in OF_SCIKIT_LEARN:
        return OF_SCIKIT_LEARN[name]() if name == "cosine" else OF_SCIKIT_LEARN[name]([float(gamma)])
    raise OtherData(f"exact=True: the kernel {name!r} of {type(transformer).__name__} is none of which this is known")
