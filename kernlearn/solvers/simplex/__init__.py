"""The same problem and that of the squared hinge by vertices: a dual simplex method, HiGHS, coordinate descent."""

from kernlearn.solvers.core.solution import Register
from kernlearn.solvers.simplex.coordinate_descent import CoordinateDescent
from kernlearn.solvers.simplex.dual_simplex import DualSimplexSolver
from kernlearn.solvers.simplex.highs import HighsSolver
from kernlearn.solvers.simplex.squared_l1 import SquaredL1Solver

SOLVERS: Register = {
    "hinge and norm 1": (DualSimplexSolver, HighsSolver, CoordinateDescent),
    "hinge and squared norm 1": (SquaredL1Solver,),
}
