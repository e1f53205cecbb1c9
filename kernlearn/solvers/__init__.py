"""The optimisation layer: linear programs with certificates. It knows nothing of learning."""

from kernlearn.solvers.hinge_l1 import Certificate, Columns, HingeL1Solver, certify
from kernlearn.solvers.solution import Solution, relative_gap

__all__ = ["Certificate", "Columns", "HingeL1Solver", "Solution", "certify", "relative_gap"]
