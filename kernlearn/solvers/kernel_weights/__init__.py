"""Weights of kernels and of features: simplices, balls, cones and quotients."""

from kernlearn.solvers.core.solution import Register
from kernlearn.solvers.kernel_weights.design import solve_design
from kernlearn.solvers.kernel_weights.ellipsoid import solve_ellipsoid
from kernlearn.solvers.kernel_weights.sphere import minimise_on_sphere
from kernlearn.solvers.kernel_weights.squared_l1_ridge import solve_squared_l1_ridge
from kernlearn.solvers.kernel_weights.weighted_features import WeightedFeatures
from kernlearn.solvers.kernel_weights.weights import alternate, cutting_planes, evaluate, newton

SOLVERS: Register = {
    "weights": (newton, cutting_planes, alternate, evaluate),
    "weighted features": (WeightedFeatures,),
    "ridge and squared norm 1": (solve_squared_l1_ridge,),
    "design": (solve_design,),
    "ellipsoid": (solve_ellipsoid,),
    "sphere": (minimise_on_sphere,),
}
