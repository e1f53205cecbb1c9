"""Boosting over stumps, and networks of radial basis functions."""

from kernlearn.solvers.core.solution import Register
from kernlearn.solvers.stumps_networks.rbf import solve_weights

SOLVERS: Register = {
    "output weights": (solve_weights,),
}
