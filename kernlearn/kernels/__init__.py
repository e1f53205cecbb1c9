"""Kernel families, Gram stacks, stacks for kernel learning, example scaling and complexity measures."""

from kernlearn.kernels.alignment import alignment, alignments
from kernlearn.kernels.centring import NORMALISATIONS, centre, sizes
from kernlearn.kernels.complexity import COMPLEXITIES
from kernlearn.kernels.dense import DenseStack
from kernlearn.kernels.families import FAMILIES, GRAM_FAMILIES, make_family
from kernlearn.kernels.family import KernelFamily
from kernlearn.kernels.gram import GramStack
from kernlearn.kernels.inputs import Family, Inputs, make_inputs
from kernlearn.kernels.lowrank import FeatureStack, Stack, make_stack
from kernlearn.kernels.nystrom import NystromFamily
from kernlearn.kernels.scaling import SCALINGS, scaled
from kernlearn.kernels.semidefinite import is_semidefinite, require_semidefinite, rounding_of
from kernlearn.kernels.stack import KernelStack
from kernlearn.kernels.tails import linear_tails, tail_sums, tied_tails
from kernlearn.kernels.units import in_unit
from kernlearn.kernels.whitening import Whitening

__all__ = [
    "COMPLEXITIES",
    "FAMILIES",
    "GRAM_FAMILIES",
    "NORMALISATIONS",
    "SCALINGS",
    "DenseStack",
    "Family",
    "FeatureStack",
    "GramStack",
    "Inputs",
    "KernelFamily",
    "KernelStack",
    "NystromFamily",
    "Stack",
    "Whitening",
    "alignment",
    "alignments",
    "centre",
    "in_unit",
    "is_semidefinite",
    "linear_tails",
    "make_family",
    "make_inputs",
    "make_stack",
    "require_semidefinite",
    "rounding_of",
    "scaled",
    "sizes",
    "tail_sums",
    "tied_tails",
]
