"""What solvers of several rooms use: the shape of a solution, clocks, factors, and linear and quadratic programs."""

from kernlearn.solvers.core.nnqp import solve_nnqp
from kernlearn.solvers.core.qp import QuadraticProgram
from kernlearn.solvers.core.solution import Register

SOLVERS: Register = {
    "non-negative quadratic program": (solve_nnqp,),
    "quadratic program": (QuadraticProgram,),
}
