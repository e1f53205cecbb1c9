"""Voted Kernel Regularization (Cortes, Goyal, Kuznetsov and Mohri, 2015).

Predictor ``f(x) = sum_k sum_j a_kj K_k(x, x_j)`` over all p kernels and m training points, without a bias, from::

    min_a  F(a) = (1/m) sum_i max(0, 1 - y_i f(x_i)) + sum_k Lambda_k sum_j |a_kj|          (eq. 1)
    Lambda_k = lambda r_k + beta

where r_k bounds the Rademacher complexity of kernel k, so coefficients of complex kernels cost more. With ``lambda =
0`` it is the norm-1 SVM over all kernels together. The kernels need not be positive definite or symmetric.

With ``complexity="local"``, r_k is the local complexity ``r_k(s)`` for a radius s, which is one more hyper-parameter
(eq. 2).
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from kernlearn.algorithms.core.example_weights import mean_and_parts
from kernlearn.algorithms.core.method import Method
from kernlearn.algorithms.core.path import Point, Resume, rebuilt
from kernlearn.algorithms.core.predictor import Expansion
from kernlearn.algorithms.core.problem import Problem
from kernlearn.errors import UserError
from kernlearn.kernels import COMPLEXITIES, GramStack, KernelFamily
from kernlearn.kernels.matrices.columns import KernelColumns
from kernlearn.kernels.matrices.complexity import require_defined
from kernlearn.parameters import Choice, Number, Numbers, Parameter
from kernlearn.solvers import CoordinateDescent, Resumable, Solution, Solver, hinge_solver, resolve_hinge
from kernlearn.solvers.choices import HINGE_CHOICES, SIMPLEX_EXAMPLES, VERTEX_EXAMPLES
from kernlearn.solvers.hinge_l1.problem import INTERIOR_TOL, VERTEX_TOL
from kernlearn.types import Array

_TOL, _LARGE_TOL = (f"{tol:.0e}".replace("e-0", "e-") for tol in (VERTEX_TOL, INTERIOR_TOL))
TOL = Parameter(
    None,
    Number(low=1e-12, high=1e-3, optional=True),
    f"relative duality gap; null: {_TOL}, or {_LARGE_TOL} for interior points with more than {VERTEX_EXAMPLES} "
    "examples",
)
SOLVER = Parameter(
    "auto",
    Choice(HINGE_CHOICES),
    f"simplex: our dual simplex method; interior: interior points, finished by the simplex method if at most "
    f"{VERTEX_EXAMPLES} examples differ; highs: cutting planes on HiGHS; auto: simplex up to {SIMPLEX_EXAMPLES} "
    "examples, then interior",
)
#: Bytes of one kernel matrix above which its values are computed as they are needed: from where interior points end at
#: no vertex on. To hold it there takes more memory and no less time (``scripts/bench/interior.py --held``).
MAX_MATRIX_BYTES = 8.0 * VERTEX_EXAMPLES**2
STRENGTHS = [1.0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6]
PARAMETERS: dict[str, Parameter] = {
    "complexity": Parameter(
        "lemma3",
        Choice(tuple(COMPLEXITIES)),
        "measure r_k of the complexity of a kernel; lemma4: as printed, massart: for any kernel",
    ),
    "lambdas": Parameter(STRENGTHS, Numbers(Number(low=0)), "weights of the complexities", "lambda_"),
    "betas": Parameter(STRENGTHS, Numbers(Number(low=0)), "weights of the l1 norm", "beta"),
    "local_radii": Parameter(
        None, Numbers(Number(positive=True), optional=True), "radii s, with complexity=local only", "local_radius"
    ),
    "tol": TOL,
    "method": Parameter("lp", Choice(("lp", "cd")), "lp: linear programming; cd: the paper's coordinate descent"),
    "solver": SOLVER,
    "max_iter": Parameter(1000, Number(low=1, integer=True), "largest number of steps, with method=cd only"),
}


def resolve_auto(n: int, solver: str, tol: float | None, method: str = "lp", **_: Any) -> dict[str, Any]:
    """Return the tolerance for n training examples, and the solver, by `kernlearn.solvers.resolve_hinge`."""
    resolved, reached = resolve_hinge(n, solver, tol)
    return {"tol": reached} | ({"solver": resolved} if method == "lp" else {})


def solve_vkr(
    stack: GramStack, y: Array, r: ArrayLike, lambda_: float, beta: float, *, solver: Solver | None = None
) -> Solution:
    """Solve (1) for one pair (lambda, beta).

    Parameters
    ----------
    stack : GramStack of shape (p, m, m)
        Training kernels.
    y : array of shape (m,)
        Labels +-1.
    r : array of shape (p,)
        Complexities r_k >= 0.
    lambda_, beta : float >= 0
    solver : CoordinateDescent or solver of `HINGE_SOLVERS`, optional
        One used before on the same stack and labels, to start from where it stands.

    Returns
    -------
    Solution
        ``x`` has shape (p, m).
    """
    solver = solver or hinge_solver(KernelColumns(stack, y))
    Lambda = lambda_ * np.asarray(r, dtype=float) + beta
    return solver.solve(np.repeat(Lambda[:, None], stack.shape[2], axis=1))


def grid(
    family: KernelFamily,
    lambdas: Sequence[float],
    betas: Sequence[float],
    complexity: str,
    local_radii: Sequence[float] | None = None,
    **_: Any,
) -> list[dict[str, float]]:
    """Return all pairs (lambda, beta), with local complexities all triples (radius, lambda, beta), strongest first.

    Raises `UserError` if the complexity measure is not defined for the family, or radii are missing or of no use.
    """
    require_defined(complexity, family)
    if complexity == "local" and local_radii is None:
        raise UserError("algo.complexity=local: needs radii, such as algo.local_radii=[1,0.1,0.01,0.001]")
    if complexity != "local" and local_radii is not None:
        raise UserError(f"algo.local_radii={list(local_radii)}: must be null unless algo.complexity=local")
    radii: list[dict[str, float]] = [{}]
    if local_radii is not None:
        radii = [{"radius": float(radius)} for radius in sorted(local_radii, reverse=True)]
    return [
        {**radius, "lambda": float(lambda_), "beta": float(beta)}
        for radius in radii
        for lambda_ in sorted(lambdas, reverse=True)
        for beta in sorted(betas, reverse=True)
    ]


def path(
    problem: Problem,
    *,
    complexity: str,
    lambdas: Sequence[float],
    betas: Sequence[float],
    local_radii: Sequence[float] | None = None,
    tol: float | None = None,
    method: str = "lp",
    solver: str = "auto",
    max_iter: int = 1000,
    resume: Resume | None = None,
    counts: Array | None = None,
) -> Iterator[Point]:
    """Solve (1), or (2) for every radius, on the whole grid.

    By linear programming (``method="lp"``, with a `solver` of `HINGE_CHOICES`) every point starts from the best basis
    found before; by coordinate descent (``"cd"``, at most `max_iter` steps) from zero, and stops where it stops. With
    ``solver="simplex"`` and ``"interior"`` the path can go on from its middle (`resume`).
    Solvers take weights of mean 1: with others the problem is divided by their mean. `counts` say how often every
    example counts in the complexities.
    """
    stack, y = problem.inputs, problem.y
    points = grid(stack.family, lambdas, betas, complexity, local_radii)
    r = _complexities(stack, complexity, local_radii, counts)
    mean, parts = mean_and_parts(problem.weights)
    columns = KernelColumns(stack, y, parts)
    solver, tol = resolve_hinge(len(y), solver, tol)
    warm: Solver = CoordinateDescent(columns, tol, max_iter) if method == "cd" else hinge_solver(columns, solver, tol)
    kept, done = warm if isinstance(warm, Resumable) else None, 0
    if resume and kept:
        done, state = resume
        kept.restore(state)
    for values in points[done:]:
        penalties = values["lambda"] / mean, values["beta"] / mean
        solution = solve_vkr(stack, y, r[values.get("radius")], *penalties, solver=warm).times(mean)
        yield Point(values, Expansion(solution.x[None], np.zeros(1)), (solution,), state=kept.state if kept else None)


def _complexities(
    stack: GramStack, complexity: str, local_radii: Sequence[float] | None, counts: Array | None
) -> dict[float | None, Array]:
    """Return the complexities r_k, shape (p,), of every local radius; for other measures under the key None."""
    if local_radii is None:
        return {None: COMPLEXITIES[complexity](stack, counts=counts)}
    r = COMPLEXITIES[complexity](stack, radius=local_radii, counts=counts)
    return dict(zip(local_radii, r, strict=True))


METHOD = Method(
    "vkr",
    "Voted Kernel Regularization: one coefficient per kernel and point, penalised by the kernel's complexity",
    "linear programs",
    PARAMETERS,
    grid,
    path,
    version=4,
    variant=lambda complexity, **_: f"vkr_{complexity}",
    max_matrix_bytes=MAX_MATRIX_BYTES,
    rows_only=True,
    class_weight=True,
    resolve=resolve_auto,
    certificate=rebuilt("vkr"),
)
