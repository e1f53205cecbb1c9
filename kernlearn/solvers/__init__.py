"""The optimisation layer: linear and quadratic programs with certificates. It knows nothing of learning."""

from kernlearn.solvers.band import BandSolver
from kernlearn.solvers.band_osqp import OSQPBandSolver
from kernlearn.solvers.band_values import broken_conditions, kkt_violation
from kernlearn.solvers.choices import (
    BAND_SOLVERS,
    HINGE_CHOICES,
    HINGE_SOLVERS,
    PRICED_SOLVERS,
    SVM_SOLVERS,
    HingeSolver,
    hinge_solver,
    resumable,
    settle_hinge,
)
from kernlearn.solvers.clock import program_limit
from kernlearn.solvers.coordinate_descent import CoordinateDescent
from kernlearn.solvers.definite import definite_inverse
from kernlearn.solvers.design import solve_design
from kernlearn.solvers.dual_simplex import DualSimplexSolver
from kernlearn.solvers.duplicates import first_equal
from kernlearn.solvers.ellipsoid import Ellipsoid, solve_ellipsoid
from kernlearn.solvers.gram import DenseGram, KernelGram
from kernlearn.solvers.hinge_l1_highs import HighsSolver
from kernlearn.solvers.interior_solver import InteriorSolver
from kernlearn.solvers.libsvm import LibSVMSolver
from kernlearn.solvers.multiclass_svm import multiclass_derivative, solve_multiclass_svm
from kernlearn.solvers.nnqp import solve_nnqp
from kernlearn.solvers.qp import Bounds, QuadraticProgram
from kernlearn.solvers.smo_solver import SMOSolver
from kernlearn.solvers.solution import Solution
from kernlearn.solvers.sphere import minimise_on_sphere
from kernlearn.solvers.squared_l1 import SquaredL1Solver
from kernlearn.solvers.squared_l1_ridge import solve_squared_l1_ridge
from kernlearn.solvers.svm import SVMSolver
from kernlearn.solvers.svm_osqp import OSQPSVMSolver
from kernlearn.solvers.svm_values import AT_BOUND, Evaluator, added_up, zero_value
from kernlearn.solvers.weighted_features import Bounded, Chains, WeightedFeatures
from kernlearn.solvers.weights import Response, alternate, cutting_planes, evaluate, newton

__all__ = [
    "AT_BOUND",
    "BAND_SOLVERS",
    "HINGE_CHOICES",
    "HingeSolver",
    "InteriorSolver",
    "hinge_solver",
    "resumable",
    "settle_hinge",
    "BandSolver",
    "Bounded",
    "Chains",
    "Bounds",
    "HINGE_SOLVERS",
    "SVM_SOLVERS",
    "CoordinateDescent",
    "DenseGram",
    "DualSimplexSolver",
    "Ellipsoid",
    "Evaluator",
    "HighsSolver",
    "KernelGram",
    "LibSVMSolver",
    "OSQPBandSolver",
    "OSQPSVMSolver",
    "PRICED_SOLVERS",
    "QuadraticProgram",
    "Response",
    "SMOSolver",
    "SVMSolver",
    "Solution",
    "SquaredL1Solver",
    "WeightedFeatures",
    "added_up",
    "alternate",
    "broken_conditions",
    "definite_inverse",
    "cutting_planes",
    "evaluate",
    "first_equal",
    "kkt_violation",
    "minimise_on_sphere",
    "multiclass_derivative",
    "newton",
    "program_limit",
    "solve_design",
    "solve_ellipsoid",
    "solve_multiclass_svm",
    "solve_nnqp",
    "solve_squared_l1_ridge",
    "zero_value",
]
