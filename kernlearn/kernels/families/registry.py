"""All families of kernels, with their parameters; those of plug-ins, too."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from kernlearn.errors import UserError, closest
from kernlearn.kernels.core.family import KernelFamily
from kernlearn.kernels.families.chains import KERNELS as CHAINS
from kernlearn.kernels.families.dna import KERNELS as DNA
from kernlearn.kernels.families.intersections import KERNELS as INTERSECTIONS
from kernlearn.kernels.families.nystrom import APPROXIMATIONS, nystrom
from kernlearn.kernels.families.polynomial import KERNELS as PRODUCTS
from kernlearn.kernels.families.sequences import KERNELS as SEQUENCES
from kernlearn.kernels.families.spectrum import KERNELS as GRAPHS
from kernlearn.kernels.families.stumps import KERNELS as STUMPS
from kernlearn.kernels.families.substrings import KERNELS as SUBSTRINGS
from kernlearn.kernels.families.vectors import KERNELS as VECTORS
from kernlearn.parameters import Choice, Flag, Number, Parameter
from kernlearn.plugins import Registry

KERNELS = PRODUCTS | VECTORS | INTERSECTIONS | DNA | SEQUENCES | SUBSTRINGS | STUMPS | GRAPHS | CHAINS
VECTOR_FAMILIES = {name: kernel.make for name, kernel in KERNELS.items() if kernel.takes == "vectors"}
#: Families of which Gram matrices are made.
GRAM_FAMILIES = {name: kernel.make for name, kernel in KERNELS.items() if kernel.takes in ("vectors", "sequences")}
#: What positive definite kernels accept of which matrices are made; left out of what an experiment is where it is null.
APPROXIMATION = {
    "approximate": Parameter(None, Choice(APPROXIMATIONS, optional=True), "another problem, of the rank, in its place"),
    "rank": Parameter(None, Number(low=1, high=10**5, integer=True, optional=True), "landmarks of the approximation"),
    "exact_gap": Parameter(
        None, Flag(optional=True), "gap to the problem with the kernel itself; true: from all pairs, however many"
    ),
}
#: Kernel families, and what is no kernel, by name, one configuration file each; those of plug-ins, too.
FAMILIES: Registry[Callable[..., Any]] = Registry("FAMILIES", {name: kernel.make for name, kernel in KERNELS.items()})


def _approximable(name: str) -> bool:
    usual = {key: parameter.default for key, parameter in KERNELS[name].parameters.items() if key != "unit"}
    return name in GRAM_FAMILIES and GRAM_FAMILIES[name](**usual).positive_definite


#: What ``kernel.*`` accepts, by name of the family; those of plug-ins, too.
KERNEL_PARAMETERS = Registry(
    "KERNEL_PARAMETERS",
    {name: {**kernel.parameters, **(APPROXIMATION if _approximable(name) else {})} for name, kernel in KERNELS.items()},
)


def make_family(
    name: str,
    approximate: str | None = None,
    rank: int | None = None,
    exact_gap: bool | None = None,
    unit: str | None = None,
    **parameters: Any,
) -> KernelFamily:
    """Build the family `name` of ``FAMILIES``.

    Parameters
    ----------
    name : str
    approximate : str, optional
        One of `APPROXIMATIONS`: other kernels of a `rank` in the place of these, see
        `kernlearn.kernels.families.nystrom`.
    rank : int, optional
    exact_gap : bool, optional
        Whether it is said how far solutions are from the optimum with the kernels themselves. By default it is, from a
        limited number of kernel values; with True from as many as there are.
    unit : str, optional
        What the parameters are multiples of. It changes the examples, not the family: see `kernlearn.kernels.scaled`.
    **parameters
        Those of the family.

    Raises
    ------
    UserError
        If the name is unknown (the message lists the known ones) or a parameter is out of range, or if kernels that are
        not positive definite are to be approximated.
    """
    if name not in FAMILIES:
        known = sorted(FAMILIES)
        raise UserError(
            f"kernel.name={name}: unknown kernel family, choose one of {', '.join(known)}{closest(name, known)}"
        )
    family = FAMILIES[name](**parameters)
    if isinstance(family, KernelFamily):
        family = replace(family, recipe=(name, parameters))
    if approximate is None:
        return family
    Choice(APPROXIMATIONS).check("kernel.approximate", approximate)
    return nystrom(family, Number(low=1, integer=True).check("kernel.rank", rank), exact_gap)
