"""How a kernel family is offered on the command line: the function that makes it, and its parameters."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from kernlearn.kernels.core.units import UNITS
from kernlearn.parameters import Choice, Number, Numbers, Parameter

POSITIVE = Numbers(Number(positive=True))
LENGTH, LENGTHS = Number(low=1, integer=True), Numbers(Number(low=1, integer=True))
DEGREE = Number(low=1, high=100, integer=True)
DEGREES, COEF0 = Numbers(DEGREE), Number(low=0)
GAMMAS = "inverse widths, one kernel for each"
#: What the gammas of Gaussian kernels are multiples of; left out of what an experiment is where it is null.
UNIT = {
    "unit": Parameter(
        None, Choice(tuple(UNITS), optional=True), "of gammas: 1 / (d var) of the training examples, 1 / d, or 1"
    )
}


@dataclass(frozen=True)
class KernelChoice:
    """A value of ``kernel=``; a module of families has a dictionary of them, ``KERNELS``."""

    #: Makes the family from its parameters. The first line of its docstring is what lists say.
    make: Callable[..., Any]
    #: What ``kernel.*`` accepts, with defaults: configuration files, checks and lists follow from it.
    parameters: Mapping[str, Parameter]
    #: Examples: ``"vectors"``, ``"sequences"``, or anything else of which no Gram matrix is made.
    takes: str = "vectors"
