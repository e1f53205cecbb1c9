"""What a method learns from, made of examples: kernels as matrices, kernels as features, or something else."""

from collections.abc import Mapping, Sequence
from math import inf
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from kernlearn.kernels.core.family import KernelFamily
from kernlearn.kernels.matrices.lowrank import make_stack


class Inputs(Protocol):
    """Examples in the form in which a method learns from them."""

    def at(self, X: Any) -> Any:
        """Return the same of other examples, as a predictor needs it."""
        ...

    def take(self, rows: NDArray[np.intp]) -> Any:
        """Return the same of some of the examples alone."""
        ...


class Family(Protocol):
    """What makes `Inputs` of examples: a choice of the group ``kernel`` that is no `KernelFamily`."""

    name: str
    #: The parameters of every kernel, where it has some that can be used one at a time.
    members: Sequence[Mapping[str, Any]]
    #: Whether all its kernels are.
    positive_definite: bool

    def __len__(self) -> int: ...

    def fit(self, X: Any, seed: int) -> Inputs:
        """Return the inputs of training examples; what is drawn at random follows from the seed."""
        ...


def make_inputs(
    family: KernelFamily | Family, X: Any, seed: int = 0, max_matrix_bytes: float = inf, *, together: bool = False
) -> Inputs:
    """Return what a method learns from: of a family of kernels their Gram stack, or features.

    Parameters
    ----------
    family : KernelFamily or Family
    X : array or sparse matrix of shape (n, d)
        The training examples, and those that are seen without their labels.
    seed : int
        Of what a family draws at random.
    max_matrix_bytes : float
        Bytes of one kernel matrix above which none is made, see `kernlearn.kernels.matrices.streamed.kernel_stack`.
    together : bool
        Whether the matrices of all kernels would be in memory together.
    """
    if not isinstance(family, KernelFamily):
        return family.fit(X, seed)
    return make_stack(family, X, X, max_matrix_bytes, together=together)
