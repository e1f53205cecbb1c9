"""The solvers of one problem among which a method lets choose, by the name of the choice."""

from collections.abc import Callable

from kernlearn.solvers.bands.osqp import OSQPBandSolver
from kernlearn.solvers.bands.smo_solver import SMOSolver, band_solver
from kernlearn.solvers.bands.solver import BandSolver
from kernlearn.solvers.core.solution import Solver
from kernlearn.solvers.hinge_l1.interior_solver import InteriorSolver
from kernlearn.solvers.hinge_l1.problem import INTERIOR_TOL, VERTEX_TOL, ManyColumns
from kernlearn.solvers.hinge_l1.scaled import Scaled
from kernlearn.solvers.simplex.dual_simplex import DualSimplexSolver
from kernlearn.solvers.simplex.highs import HighsSolver
from kernlearn.solvers.svm.libsvm import LibSVMSolver
from kernlearn.solvers.svm.osqp import OSQPSVMSolver
from kernlearn.solvers.svm.solver import SVMSolver

#: Examples up to which solver=auto is the simplex method alone, the fastest along a path, and different examples up to
#: which an interior point method ends at a vertex; beyond, bases are so large that the pivots would take most of the
#: time (``scripts/bench/interior.py``).
SIMPLEX_EXAMPLES, VERTEX_EXAMPLES = 2000, 5000


def begin_with_interior_points(columns: ManyColumns, tol: float = VERTEX_TOL) -> DualSimplexSolver | InteriorSolver:
    """Return the solver that begins with an interior point method.

    Up to `VERTEX_EXAMPLES` examples that differ it ends at a vertex.
    """
    scaled = Scaled.of(columns)
    if len(scaled.u) <= VERTEX_EXAMPLES:
        return DualSimplexSolver(columns, tol, interior=True, scaled=scaled)
    return InteriorSolver(columns, tol, scaled)


#: Solvers of hinge loss with a weighted l1 penalty: ``HINGE_SOLVERS[name](columns, tol).solve(cost)``.
HINGE_SOLVERS: dict[str, Callable[..., Solver]] = {
    "simplex": DualSimplexSolver,
    "interior": begin_with_interior_points,
    "highs": HighsSolver,
}
#: The same, and the choice that is left to the number of examples.
HINGE_CHOICES = ("auto", *HINGE_SOLVERS)


def resolve_hinge(n: int, solver: str, tol: float | None) -> tuple[str, float]:
    """Return the solver and the tolerance, where ``"auto"`` and None leave them to the number n of examples."""
    if solver == "auto":
        solver = "simplex" if n <= SIMPLEX_EXAMPLES else "interior"
    if tol is None:
        tol = VERTEX_TOL if n <= VERTEX_EXAMPLES or solver != "interior" else INTERIOR_TOL
    return solver, tol


def hinge_solver(columns: ManyColumns, solver: str = "auto", tol: float | None = None) -> Solver:
    """Return a solver by its name, on some columns; see `resolve_hinge`."""
    name, reached = resolve_hinge(columns.shape[1], solver, tol)
    return HINGE_SOLVERS[name](columns, reached)


#: Solvers of the support vector machine: ``SVM_SOLVERS[name](K, y, tol).solve(C)``.
SVM_SOLVERS: dict[str, Callable[..., Solver]] = {
    "homotopy": SVMSolver,
    "libsvm": LibSVMSolver,
    "osqp": OSQPSVMSolver,
    "smo": SMOSolver,
}

#: Solvers of machines with their outputs in a band: ``PRICED_SOLVERS[name](K, y, tol).solve_priced(C, D)``.
PRICED_SOLVERS: dict[str, type[BandSolver] | type[OSQPBandSolver]] = {"homotopy": BandSolver, "osqp": OSQPBandSolver}
#: Those of them, and one more, where the band has a given width and is hard.
BAND_SOLVERS: dict[str, Callable[..., BandSolver | OSQPBandSolver | SMOSolver]] = {
    **PRICED_SOLVERS,
    "smo": SMOSolver,
    "auto": band_solver,
}
