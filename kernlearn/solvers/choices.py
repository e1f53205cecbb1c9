"""The solvers of one problem among which a method lets choose, by the name of the choice."""

from collections.abc import Callable
from functools import partial

from kernlearn.solvers.band import BandSolver
from kernlearn.solvers.band_osqp import OSQPBandSolver
from kernlearn.solvers.dual_simplex import DualSimplexSolver
from kernlearn.solvers.hinge_l1 import HingeL1Solver
from kernlearn.solvers.libsvm import LibSVMSolver
from kernlearn.solvers.smo_solver import SMOSolver, band_solver
from kernlearn.solvers.svm import SVMSolver
from kernlearn.solvers.svm_osqp import OSQPSVMSolver

#: Solvers of hinge loss with a weighted l1 penalty: ``SOLVERS[name](columns, tol).solve(cost)``.
SOLVERS: dict[str, Callable[..., DualSimplexSolver | HingeL1Solver]] = {
    "simplex": DualSimplexSolver,
    "interior": partial(DualSimplexSolver, interior=True),
    "highs": HingeL1Solver,
}

#: Solvers of the support vector machine: ``SVM_SOLVERS[name](K, y, tol).solve(C)``.
SVM_SOLVERS: dict[str, type[SVMSolver] | type[LibSVMSolver] | type[OSQPSVMSolver] | type[SMOSolver]] = {
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
