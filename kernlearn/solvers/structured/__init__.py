"""Machines and random fields for label sequences and for all classes at once: cuts, flows and descent."""

from kernlearn.solvers.core.solution import Register
from kernlearn.solvers.structured.solver import StructuredSolver

SOLVERS: Register = {
    "all classes by cuts": (StructuredSolver,),
}
