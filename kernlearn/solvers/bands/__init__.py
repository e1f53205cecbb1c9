"""Machines whose outputs lie in a band, and working sets for these and for large support vector machines."""

from kernlearn.solvers.bands.osqp import OSQPBandSolver
from kernlearn.solvers.bands.smo_solver import SMOSolver
from kernlearn.solvers.bands.solver import BandSolver
from kernlearn.solvers.core.solution import Register

SOLVERS: Register = {
    "svm": (SMOSolver,),
    "band": (BandSolver, OSQPBandSolver, SMOSolver),
    "priced band": (BandSolver, OSQPBandSolver),
}
