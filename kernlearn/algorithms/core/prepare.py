"""What every method does to kernels before it weighs them: centre them, and find the sizes they are divided by."""

from weakref import WeakKeyDictionary

from kernlearn.errors import UserError
from kernlearn.kernels import NORMALISATIONS, DenseStack, GramStack, KernelFamily, KernelStack, Stack, sizes
from kernlearn.kernels.matrices.blocks import BlockStack
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
