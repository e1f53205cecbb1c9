"""The Gram matrix of a machine with a bias: in memory, or its rows as they are needed."""

import numpy as np

from kernlearn.errors import UserError
from kernlearn.kernels import DenseStack, GramStack, KernelStack
from kernlearn.kernels.matrices.blocks import BlockStack
from kernlearn.kernels.matrices.streamed import StreamedStack
from kernlearn.solvers import DenseGram, KernelGram, SMOSolver, SVMSolver
from kernlearn.solvers.bands.smo_solver import WHOLE_SET_UP_TO
from kernlearn.solvers.bands.working_set import Sizes
from kernlearn.types import Array

#: Solvers that need the matrix in memory; others do without, or have a stand-in that does.
NEED_MATRICES = ("libsvm", "osqp")


def gram_with_bias(stack: GramStack) -> tuple[Array | KernelGram, Array]:
    """Return the matrix of the one kernel of a square stack, or its rows, and its drift, shape (n,).

    See `kernlearn.kernels.GramStack.matrix_with_bias`.
    """
    if not isinstance(stack, StreamedStack):
        return stack.matrix_with_bias(0)
    values = stack.gram_rows()
    return KernelGram(values), np.zeros(len(values))


def combined_svm(
    stack: KernelStack, mu: Array, y: Array, tol: float, start: Array | None = None, weights: Array | None = None
) -> SVMSolver | SMOSolver:
    """Return the solver of the SVM with K_mu; of kernels by blocks that is the only matrix, or none if it is large.

    With many examples pairs and active sets find the optimum: the homotopy lets examples in one by one, warm or not.

    Parameters
    ----------
    stack : KernelStack of shape (p, n, n)
    mu : array of shape (p,)
    y : array of shape (n,)
        Labels +-1.
    tol : float
        Relative duality gap.
    start : array of shape (n,), optional
        A feasible alpha.
    weights : array of shape (n,), optional
        Factors of C.
    """
    if isinstance(stack, BlockStack) or (isinstance(stack, DenseStack) and len(y) > WHOLE_SET_UP_TO):
        if isinstance(stack, BlockStack) and not stack.has_matrix:
            return SMOSolver(KernelGram(stack.rows(mu)), y, tol, weights, start=start)
        return SMOSolver(DenseGram(stack.combine(mu)), y, tol, weights, sizes=Sizes(WHOLE_SET_UP_TO), start=start)
    return SVMSolver(stack.combine(mu), y, tol, start, weights)


def require_without(solver: str | None, n: int) -> None:
    """Raise `UserError` if a solver needs the kernel matrix of n examples, where values are computed as needed."""
    if solver in NEED_MATRICES:
        raise UserError(
            f"solver={solver}: needs the kernel matrix of {n} examples in memory, and here none is; use homotopy or "
            "smo, which compute its rows as they need them"
        )


def by_rows(K: KernelGram, y: Array, tol: float, solver: str, weights: Array | None = None) -> SMOSolver:
    """Return the solver of the support vector machine and the relative margin machine that needs rows only.

    Raises `UserError` if a solver is asked for that needs the matrix.
    """
    require_without(solver, len(y))
    return SMOSolver(K, y, tol, weights)
