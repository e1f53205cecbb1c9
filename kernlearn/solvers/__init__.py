"""The optimisation layer: linear and quadratic programs with certificates. It knows nothing of learning."""

from kernlearn.solvers.bands.osqp import OSQPBandSolver
from kernlearn.solvers.bands.smo_solver import SMOSolver
from kernlearn.solvers.bands.solver import BandSolver
from kernlearn.solvers.bands.values import broken_conditions
from kernlearn.solvers.choices import (
    BAND_SOLVERS,
    HINGE_SOLVERS,
    PRICED_SOLVERS,
    SVM_SOLVERS,
    hinge_solver,
    resolve_hinge,
)
from kernlearn.solvers.core.clock import program_limit
from kernlearn.solvers.core.definite import definite_inverse
from kernlearn.solvers.core.gram import DenseGram, KernelGram
from kernlearn.solvers.core.nnqp import solve_nnqp
from kernlearn.solvers.core.qp import Bounds, QuadraticProgram
from kernlearn.solvers.core.solution import Resumable, Solution, Solver
from kernlearn.solvers.hinge_l1.interior_solver import InteriorSolver
from kernlearn.solvers.kernel_weights.design import solve_design
from kernlearn.solvers.kernel_weights.ellipsoid import solve_ellipsoid
from kernlearn.solvers.kernel_weights.sphere import minimise_on_sphere
from kernlearn.solvers.kernel_weights.squared_l1_ridge import solve_squared_l1_ridge
from kernlearn.solvers.kernel_weights.weighted_features import Chains, WeightedFeatures
from kernlearn.solvers.kernel_weights.weights import Response, alternate, cutting_planes, evaluate, newton
from kernlearn.solvers.simplex.coordinate_descent import CoordinateDescent
from kernlearn.solvers.simplex.dual_simplex import DualSimplexSolver
from kernlearn.solvers.simplex.highs import HighsSolver
from kernlearn.solvers.simplex.squared_l1 import SquaredL1Solver
from kernlearn.solvers.svm.libsvm import LibSVMSolver
from kernlearn.solvers.svm.multiclass import multiclass_derivative, solve_multiclass_svm
from kernlearn.solvers.svm.solver import SVMSolver
from kernlearn.solvers.svm.values import AT_BOUND

__all__ = [
    "AT_BOUND",
    "BAND_SOLVERS",
    "InteriorSolver",
    "hinge_solver",
    "resolve_hinge",
    "BandSolver",
    "Chains",
    "Bounds",
    "HINGE_SOLVERS",
    "SVM_SOLVERS",
    "CoordinateDescent",
    "DenseGram",
    "DualSimplexSolver",
    "HighsSolver",
    "KernelGram",
    "LibSVMSolver",
    "OSQPBandSolver",
    "PRICED_SOLVERS",
    "QuadraticProgram",
    "Response",
    "Resumable",
    "SMOSolver",
    "SVMSolver",
    "Solution",
    "Solver",
    "SquaredL1Solver",
    "WeightedFeatures",
    "alternate",
    "broken_conditions",
    "definite_inverse",
    "cutting_planes",
    "evaluate",
    "minimise_on_sphere",
    "multiclass_derivative",
    "newton",
    "program_limit",
    "solve_design",
    "solve_ellipsoid",
    "solve_multiclass_svm",
    "solve_nnqp",
    "solve_squared_l1_ridge",
]
