"""What every method does to kernels before it weighs them: centre them, and find the sizes they are divided by."""

from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from kernlearn.errors import UserError
from kernlearn.kernels import DenseStack, FeatureStack, GramStack, KernelFamily, KernelStack, Stack, sizes
from kernlearn.kernels.matrices.blocks import BlockStack
from kernlearn.kernels.matrices.centring import NORMALISATIONS
from kernlearn.kernels.matrices.streamed import StreamedStack
from kernlearn.parameters import Choice, Flag, Number, Numbers, Parameter
from kernlearn.types import Array

#: The strengths of regularisation that most methods are tried with: of an SVM, and of ridge regression.
CS = Parameter([1e-2, 1e-1, 1.0, 10.0, 100.0, 1e3], Numbers(Number(positive=True)), "weights of the loss", "C")
LAMBDAS = Parameter(
    [100.0, 10.0, 1.0, 1e-1, 1e-2, 1e-3], Numbers(Number(positive=True)), "weights of the squared norm", "lambda_"
)

PARAMETERS: dict[str, Parameter] = {
    "centre": Parameter(True, Flag(), "centre the kernels in feature space, and real labels"),
    "normalise": Parameter(
        "mean_diagonal", Choice(tuple(NORMALISATIONS)), "what each kernel is divided by before training"
    ),
}


#: What was last made of a Gram stack that is still there, and how: every class against the rest has the same kernels.
_PREPARED: WeakKeyDictionary[GramStack, tuple[tuple[bool, str], KernelStack, Array]] = WeakKeyDictionary()


def prepare(stack: Stack, centre: bool, normalise: str) -> tuple[KernelStack, Array]:
    """Return the kernels, centred if asked for, and their sizes t_k; those of a Gram stack as matrices.

    An SVM with bias is the same for centred kernels; their sizes and alignments are not. Nobody may write to them.
    """
    if isinstance(stack, GramStack) and stack in _PREPARED and _PREPARED[stack][0] == (centre, normalise):
        return _PREPARED[stack][1:]
    kernels = kernels_of(stack, centre)
    kernels = kernels.centred() if centre else kernels
    t = sizes(kernels, normalise)
    if isinstance(stack, GramStack):
        _PREPARED[stack] = (centre, normalise), kernels, t
    return kernels, t


def prepare_counted(stack: Stack, weights: Array, centre: bool, normalise: str) -> tuple[KernelStack, Array]:
    """Return the kernels and their sizes t_k as `prepare` does, where an example of weight 2 is there twice.

    With the reflection H that takes the roots of the weights c to equal numbers, the kernels ``H c^(1/2) K c^(1/2) H``
    and labels ``H c^(1/2) y`` (`turn_by`) have the centres, norms, alignments and ridge regressions of examples that
    are there c_i times.
    """
    plain, root = kernels_of(stack, centre), np.sqrt(weights)
    if isinstance(plain, FeatureStack):
        V: Any = plain.V
        turned: KernelStack = FeatureStack(turn_by(weights, V.toarray() if hasattr(V, "toarray") else V))
    else:
        matrices = (root[:, None] * plain.combine(one) * root for one in np.eye(len(plain)))
        turned = DenseStack(np.stack([reflected(reflected(K, root).T, root) for K in matrices]))
    kernels = turned.centred() if centre else turned
    t = sizes(kernels, normalise)
    return kernels, t * len(root) / weights.sum() if normalise == "mean_diagonal" else t


def turn_by(weights: Array, A: Array) -> Array:
    """Return ``H c^(1/2) A`` for labels or features A of examples with weights c; see `prepare_counted`."""
    root = np.sqrt(weights)
    return reflected((root * A.T).T, root)


def reflected(A: Array, root: Array) -> Array:
    """Return ``H A`` for the reflection H that takes a vector to one of equal numbers, and these back to it."""
    n = len(root)
    u = root / np.linalg.norm(root) - np.full(n, n**-0.5)
    square = float(u @ u)
    return A - np.multiply.outer(u, (2.0 / square) * (u @ A)) if square > 0.0 else A


def kernels_of(stack: Stack, centre: bool) -> KernelStack:
    """Return the kernels of training examples, those of a Gram stack as matrices, or by blocks if it is streamed."""
    if isinstance(stack, StreamedStack):
        return BlockStack(stack.family, stack.examples)
    return DenseStack.of(stack, less_constant=centre) if isinstance(stack, GramStack) else stack


def mean_of(y: Array, centre: bool) -> float:
    """Return what is taken from real labels: with centred kernels, their mean, an intercept without a penalty."""
    return float(y.mean()) if centre else 0.0


def require_positive_definite(family: KernelFamily) -> None:
    """Raise `UserError` if the kernels are not positive definite, so that their values are no inner products."""
    if not family.positive_definite:
        raise UserError(
            f"kernel={family.name}: is not positive definite, and this method is for kernels that are; use another "
            "one, or for classes algo=vkr or algo=l1_svm"
        )
