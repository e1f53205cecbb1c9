"""Kernel families, Gram stacks, example scaling and complexity measures."""

from kernlearn.kernels.complexity import COMPLEXITIES
from kernlearn.kernels.families import FAMILIES, make_family
from kernlearn.kernels.family import KernelFamily
from kernlearn.kernels.gram import GramStack
from kernlearn.kernels.scaling import SCALINGS

__all__ = ["COMPLEXITIES", "FAMILIES", "SCALINGS", "GramStack", "KernelFamily", "make_family"]
