"""The optimisation layer: linear programs with certificates. It knows nothing of learning."""

from kernlearn.solvers.coordinate_descent import CoordinateDescent
from kernlearn.solvers.dual_simplex import DualSimplexSolver
from kernlearn.solvers.hinge_l1 import Certificate, Columns, HingeL1Solver, certify
from kernlearn.solvers.solution import Solution, relative_gap

#: Solvers of hinge loss with a weighted l1 penalty: ``SOLVERS[name](columns, tol).solve(cost)``.
SOLVERS: dict[str, type[DualSimplexSolver] | type[HingeL1Solver]] = {
    "simplex": DualSimplexSolver,
    "highs": HingeL1Solver,
}

__all__ = [
    "SOLVERS",
    "Certificate",
    "Columns",
    "CoordinateDescent",
    "DualSimplexSolver",
    "HingeL1Solver",
    "Solution",
    "certify",
    "relative_gap",
]
