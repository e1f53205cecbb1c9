"""Support vector machines: homotopy, descent, OSQP, LibSVM, the linear kernel, all classes at once, online."""

from kernlearn.solvers.core.solution import Register
from kernlearn.solvers.svm.libsvm import LibSVMSolver
from kernlearn.solvers.svm.linear_svm import solve_linear_svm
from kernlearn.solvers.svm.multiclass import solve_multiclass_svm
from kernlearn.solvers.svm.osqp import OSQPSVMSolver
from kernlearn.solvers.svm.soft_margin import largest_soft_margin
from kernlearn.solvers.svm.solver import SVMSolver

SOLVERS: Register = {
    "svm": (SVMSolver, LibSVMSolver, OSQPSVMSolver),
    "linear svm": (solve_linear_svm,),
    "all classes": (solve_multiclass_svm,),
    "soft margin": (largest_soft_margin,),
}
