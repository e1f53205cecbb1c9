"""The optimisation layer: linear and quadratic programs with certificates. It knows nothing of learning."""

from kernlearn.solvers.band import BandSolver
from kernlearn.solvers.band_osqp import OSQPBandSolver
from kernlearn.solvers.band_values import kkt_violation
from kernlearn.solvers.coordinate_descent import CoordinateDescent
from kernlearn.solvers.definite import definite_inverse
from kernlearn.solvers.design import solve_design
from kernlearn.solvers.dual_simplex import DualSimplexSolver
from kernlearn.solvers.ellipsoid import Ellipsoid, solve_ellipsoid
from kernlearn.solvers.hinge_l1 import Certificate, Columns, HingeL1Solver, certify
from kernlearn.solvers.libsvm import LibSVMSolver
from kernlearn.solvers.multiclass_svm import multiclass_derivative, solve_multiclass_svm
from kernlearn.solvers.nnqp import solve_nnqp
from kernlearn.solvers.qp import Bounds, QuadraticProgram
from kernlearn.solvers.solution import Solution, relative_gap, status_of
from kernlearn.solvers.sphere import minimise_on_sphere
from kernlearn.solvers.squared_l1 import SquaredL1Solver
from kernlearn.solvers.squared_l1_ridge import solve_squared_l1_ridge
from kernlearn.solvers.svm import SVMSolver
from kernlearn.solvers.svm_osqp import OSQPSVMSolver
from kernlearn.solvers.svm_values import AT_BOUND, Evaluator, zero_value
from kernlearn.solvers.weighted_features import Bounded, WeightedFeatures
from kernlearn.solvers.weights import Response, alternate, cutting_planes, evaluate, newton

#: Solvers of hinge loss with a weighted l1 penalty: ``SOLVERS[name](columns, tol).solve(cost)``.
SOLVERS: dict[str, type[DualSimplexSolver] | type[HingeL1Solver]] = {
    "simplex": DualSimplexSolver,
    "highs": HingeL1Solver,
}

#: Solvers of the support vector machine: ``SVM_SOLVERS[name](K, y, tol).solve(C)``.
SVM_SOLVERS: dict[str, type[SVMSolver] | type[LibSVMSolver] | type[OSQPSVMSolver]] = {
    "homotopy": SVMSolver,
    "libsvm": LibSVMSolver,
    "osqp": OSQPSVMSolver,
}

#: Solvers of machines with their outputs in a band: ``BAND_SOLVERS[name](K, y, tol).solve(C, B)``.
BAND_SOLVERS: dict[str, type[BandSolver] | type[OSQPBandSolver]] = {"homotopy": BandSolver, "osqp": OSQPBandSolver}

__all__ = [
    "AT_BOUND",
    "BAND_SOLVERS",
    "BandSolver",
    "Bounded",
    "Bounds",
    "SOLVERS",
    "SVM_SOLVERS",
    "Certificate",
    "Columns",
    "CoordinateDescent",
    "DualSimplexSolver",
    "Ellipsoid",
    "Evaluator",
    "HingeL1Solver",
    "LibSVMSolver",
    "OSQPBandSolver",
    "OSQPSVMSolver",
    "QuadraticProgram",
    "Response",
    "SVMSolver",
    "Solution",
    "SquaredL1Solver",
    "WeightedFeatures",
    "alternate",
    "certify",
    "definite_inverse",
    "cutting_planes",
    "evaluate",
    "kkt_violation",
    "minimise_on_sphere",
    "multiclass_derivative",
    "newton",
    "relative_gap",
    "solve_design",
    "solve_ellipsoid",
    "solve_multiclass_svm",
    "solve_nnqp",
    "solve_squared_l1_ridge",
    "status_of",
    "zero_value",
]
