"""What is proved of scikit-learn's machines with kernels: SVC, SVR, KernelRidge."""

from collections.abc import Iterator
from copy import copy
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kernlearn.certificates.proofs.examples import (
    Examples,
    Kernel,
    OtherData,
    compared,
    is_sparse,
    require_same,
)
from kernlearn.certificates.proofs.problem import Expansion, Problem
from kernlearn.certificates.proofs.proof import Proof, prove
from kernlearn.errors import UserError
from kernlearn.types import Array, Index


class Machine(NamedTuple):
    """A solution of LibSVM, of as many problems as there are pairs of classes, or of one regression.

    Attributes
    ----------
    support : integer array of shape (n_support,)
        Which examples are support vectors.
    coef : array of shape (n_classes - 1, n_support), or (1, n_support)
        Those of an example of class c against class o are in row o, counted without c.
    intercepts : array of shape (n_pairs,)
    kernel : Kernel
    classes : array of shape (n_classes,)
        In the order of LibSVM. The first class of a pair is the positive one.
    shown : (integer array of shape (k,), array of shape (k, n_pairs)), optional
        Some examples, and the outputs that are shown for them.
    """

    support: Index
    coef: Array
    intercepts: Array
    kernel: Kernel
    classes: NDArray[Any] = np.empty(0)
    shown: tuple[Index, Array] | None = None


class Pair(NamedTuple):
    """Two classes: which examples they have, and what was found for them, in the names of `Problem`."""

    rows: Index
    solution: dict[str, Any]


def svc(estimator: Any, data: Examples) -> list[Proof]:
    """Return what is proved of an SVC: of every pair of classes."""
    factors = estimator.class_weight_[data.indices(estimator.classes_)]
    return c_machines(machine_of(estimator, data), data, estimator.C * factors * data.weights)


def svr(estimator: Any, data: Examples) -> list[Proof]:
    """Return what is proved of an SVR."""
    return epsilon_machine(machine_of(estimator, data), data, estimator.C, float(estimator.epsilon))


def c_machines(machine: Machine, data: Examples, costs: Array) -> list[Proof]:
    """Return what is proved of support vector machines of all pairs of classes, with the costs of all examples."""
    return [
        prove(Problem(loss="hinge", costs=costs[pair.rows], bias=True, **pair.solution))
        for pair in pairs(machine, data)
    ]


def epsilon_machine(machine: Machine, data: Examples, C: float, epsilon: float) -> list[Proof]:
    """Return what is proved of a support vector regression."""
    solution = regression(machine, data)
    return [prove(Problem(loss="epsilon_insensitive", costs=C * data.weights, epsilon=epsilon, **solution))]


def pairs(machine: Machine, data: Examples) -> Iterator[Pair]:
    """Yield every pair of classes with its solution."""
    index, names = data.indices(machine.classes), machine.classes.tolist()
    several = len(names) > 2
    for k, (first, second) in enumerate(combinations(range(len(names)), 2)):
        rows = np.flatnonzero((index == first) | (index == second))
        beta = np.zeros(len(index))
        for own, other in ((first, second), (second, first)):
            these = index[machine.support] == own
            beta[machine.support[these]] = machine.coef[other - (other > own), these]
        solution: dict[str, Any] = {
            "name": f"class {names[first]!r} against {names[second]!r}" if several else "",
            "target": np.where(index[rows] == first, 1.0, -1.0),
            "machine": Expansion(machine.kernel.inputs(data.X, rows), beta[rows]),
            "intercept": float(machine.intercepts[k]),
            "beta": beta[rows],
        }
        if machine.shown is not None:
            some, values = machine.shown
            own_rows = np.isin(some, rows)
            solution["shown"] = np.searchsorted(rows, some[own_rows]), values[own_rows, k]
        yield Pair(rows, solution)


def regression(machine: Machine, data: Examples) -> dict[str, Any]:
    """Return the solution of a regression, in the names of `Problem`."""
    beta = np.zeros(len(data.y))
    beta[machine.support] = machine.coef[0]
    return {
        "target": data.single().real(),
        "machine": Expansion(machine.kernel.inputs(data.X, np.arange(len(beta))), beta),
        "intercept": float(machine.intercepts[0]),
        "bias": True,
        "beta": beta,
        "shown": machine.shown and (machine.shown[0], machine.shown[1][:, 0]),
    }


def machine_of(estimator: Any, data: Examples) -> Machine:
    """Return the solution of an estimator of scikit-learn, which turns the signs of two classes.

    Raises
    ------
    UserError
        If its support vectors are not those rows of X.
    """
    X = data.X
    if estimator.shape_fit_[0] != X.shape[0]:
        raise UserError(f"the estimator was fitted to {estimator.shape_fit_[0]} examples, and X has {X.shape[0]}")
    seen = np.flatnonzero(data.weights)  # LibSVM never sees an example of weight 0
    if estimator.support_.max(initial=-1) >= len(seen):
        raise OtherData(f"sample_weight: the fit had more than {len(seen)} weights above 0; give the same ones")
    support: Index = seen[estimator.support_]
    vectors = estimator.support_vectors_  # of a kernel matrix or a function there are none
    if vectors.shape[1]:
        require_same(vectors, X[support], "the support vectors of the estimator are not those rows of X")
    gamma = estimator.gamma
    if gamma == "scale":
        variance = float(X.multiply(X).mean() - X.mean() ** 2 if is_sparse(X) else X.var())
        gamma = 1.0 / (X.shape[1] * variance) if variance else 1.0
    elif gamma == "auto":
        gamma = 1.0 / X.shape[1]
    kernel = Kernel(estimator.kernel, float(gamma), estimator.degree, estimator.coef0, of_matrices=True)
    coef = estimator.dual_coef_.toarray() if is_sparse(estimator.dual_coef_) else estimator.dual_coef_
    some, classes = compared(X.shape[0]), getattr(estimator, "classes_", np.empty(0))
    one_vs_one = copy(estimator)
    one_vs_one.decision_function_shape = "ovo"
    outputs = one_vs_one.decision_function if len(classes) else estimator.predict
    shown = outputs(X[some]).reshape(len(some), -1)
    sign = -1.0 if len(classes) == 2 else 1.0
    return Machine(support, sign * coef, sign * estimator.intercept_, kernel, classes, (some, sign * shown))


def kernel_ridge(estimator: Any, data: Examples) -> list[Proof]:
    """Return what is proved of a KernelRidge: of every target."""
    Y, coef = data.real(), np.asarray(estimator.dual_coef_, dtype=np.float64)
    Y, coef = Y.reshape(len(Y), -1), coef.reshape(len(coef), -1)
    if coef.shape != Y.shape:
        raise UserError(f"the estimator has coefficients of the shape {coef.shape}, and y has the shape {Y.shape}")
    require_same(estimator.X_fit_, data.X, "X is not the data that the estimator was fitted to")
    gamma = estimator.gamma
    if gamma is None:
        gamma = 1.0 if estimator.kernel == "chi2" else 1.0 / data.X.shape[1]
    kernel = Kernel(estimator.kernel, gamma, estimator.degree, estimator.coef0, estimator.kernel_params)
    inputs = kernel.inputs(data.X, np.arange(len(Y)))
    alphas = np.broadcast_to(np.asarray(estimator.alpha, dtype=np.float64), Y.shape[1]).tolist()
    proofs = []
    for k, (beta, alpha) in enumerate(zip(np.ascontiguousarray(coef.T), alphas, strict=True)):
        solution = {"machine": Expansion(inputs, beta), "beta": beta, "name": "" if len(alphas) == 1 else f"target {k}"}
        costs = data.weights / alpha
        proofs.append(prove(Problem(loss="squared", target=Y[:, k], costs=costs, unit=2.0 * alpha, **solution)))
    return proofs
