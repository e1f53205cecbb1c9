"""The hinge loss with a weighted 1-norm: interior points over the columns that matter, priced round by round."""

from kernlearn.solvers.core.solution import Register
from kernlearn.solvers.hinge_l1.interior_solver import InteriorSolver

SOLVERS: Register = {
    "hinge and norm 1": (InteriorSolver,),
}
