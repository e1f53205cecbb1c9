"""The SVM on partly whitened examples: a large margin relative to the spread of the data.

With the mean mu and the covariance Sigma of the training examples in feature space, and ``0 <= D < 1``::

    (P)  min_{w,b}  1/2 w'M w + C sum_i max(0, 1 - y_i (w.(Phi(x_i) - mu) + b)),   M = (1 - D) I + D Sigma / t    (2.4)

It is the SVM with the kernel ``<Phi(x) - mu, M^-1 (Phi(z) - mu)>`` (2.5). D = 0 is the SVM; D = 1 would not change
under affine maps of the examples. The divisor t, the mean of ``K(x_i, x_i)``, is not in the source. With it, the effect
of D does not depend on the scale of the kernel. It is 1 for kernels of trace n, as in the source. The kernel in t is
not centred. So for a kernel that grows with the distance from the origin, such as the linear one, the whitening is weak
if the examples are far from the origin. Centre such features first. Source: Shivaswamy (2010), Large Relative Margin
and Applications, section 2.3.
"""

from collections.abc import Iterator, Sequence

from kernlearn.algorithms.core.certified import in_kernel_given
from kernlearn.algorithms.core.grid import grid_of
from kernlearn.algorithms.core.method import PROGRAMS, Method
from kernlearn.algorithms.core.path import Point, single_kernel_point
from kernlearn.algorithms.core.prepare import CS
from kernlearn.algorithms.core.problem import Problem
from kernlearn.kernels import GramStack, Whitening
from kernlearn.parameters import Number, Numbers, Parameter
from kernlearn.solvers import SVMSolver
from kernlearn.twofold import dot
from kernlearn.types import Array

PARAMETERS: dict[str, Parameter] = {
    "Cs": CS,
    "shares": Parameter(
        [0.0, 0.5, 0.9, 0.99, 0.999],
        Numbers(Number(low=0.0, high=1 - 1e-9)),
        "shares D of the whitening; 0 is the SVM",
        "D",
    ),
    "tol": Parameter(1e-6, Number(low=1e-12, high=1.0), "relative duality gap"),
}


class Whitened:
    """The kernel (2.5) on training examples, in the units of the kernel as given.

    Parameters
    ----------
    stack : GramStack of shape (1, n, n)
    """

    def __init__(self, stack: GramStack, D: float):
        self._unit = float(stack.diagonal(0).mean()) or 1.0  # t
        K, self._drift = stack.centred_matrix(0)
        self._whitening = Whitening(K / self._unit, D)
        self.matrix = self._unit * self._whitening.matrix

    def expansion(self, beta: Array) -> tuple[Array, float]:
        """Return a combination of its columns as coefficients of the kernel as given, shape (n,), and a constant."""
        coef, constant = self._whitening.coefficients(beta)
        return coef, self._unit * constant - dot(self._drift, coef)


def path(problem: Problem, *, Cs: Sequence[float], shares: Sequence[float], tol: float = 1e-6) -> Iterator[Point]:
    """Solve (P) for every kernel and D, warm in C."""
    stack, y, weights = problem.inputs, problem.y, problem.weights
    for k, member in enumerate(stack.family.members):
        single = stack.select(k)
        for D in sorted(shares):
            whitened = Whitened(single, D)
            solver = SVMSolver(whitened.matrix, y, tol, weights=weights)
            for C in sorted(Cs):
                solution = solver.solve(float(C))
                coef, b, proved = in_kernel_given(whitened, single, solution, y, float(C), tol, weights)
                values = {**member, "D": float(D), "C": float(C)}
                yield single_kernel_point(values, len(stack), k, coef, b, proved, solution.dual)


METHOD = Method(
    "sigma_svm",
    "SVM on examples that are partially whitened in feature space (one kernel)",
    PROGRAMS,
    PARAMETERS,
    grid_of({"D": "shares", "C": "Cs"}),
    path,
    class_weight=True,
)
