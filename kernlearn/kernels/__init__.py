"""Kernel families, Gram stacks, stacks for kernel learning, example scaling and complexity measures."""

from kernlearn.kernels.core.family import KernelFamily
from kernlearn.kernels.core.scaling import SCALINGS, apply_scaling, fit_scaling, scaled
from kernlearn.kernels.core.semidefinite import is_semidefinite, require_semidefinite, rounding_of
from kernlearn.kernels.core.stack import KernelStack
from kernlearn.kernels.families.nystrom import NystromFamily
from kernlearn.kernels.families.registry import FAMILIES, GRAM_FAMILIES, make_family
from kernlearn.kernels.matrices.centring import alignment, alignments, centre, sizes
from kernlearn.kernels.matrices.complexity import COMPLEXITIES
from kernlearn.kernels.matrices.dense import DenseStack
from kernlearn.kernels.matrices.gram import GramStack
from kernlearn.kernels.matrices.inputs import Family, make_inputs
from kernlearn.kernels.matrices.lowrank import FeatureStack, Stack
from kernlearn.kernels.matrices.tails import linear_tails, tail_sums, tied_tails
from kernlearn.kernels.matrices.whitening import Whitening

__all__ = [
    "COMPLEXITIES",
    "FAMILIES",
    "GRAM_FAMILIES",
    "SCALINGS",
    "DenseStack",
    "Family",
    "FeatureStack",
    "GramStack",
    "KernelFamily",
    "KernelStack",
    "NystromFamily",
    "Stack",
    "Whitening",
    "alignment",
    "alignments",
    "apply_scaling",
    "centre",
    "fit_scaling",
    "is_semidefinite",
    "linear_tails",
    "make_family",
    "make_inputs",
    "require_semidefinite",
    "rounding_of",
    "scaled",
    "sizes",
    "tail_sums",
    "tied_tails",
]
