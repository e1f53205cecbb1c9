"""The kernels of estimators: families of the package, kernels of scikit-learn, and functions of the user."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from inspect import signature
from typing import Any

import numpy as np
from sklearn.utils import check_array

from kernlearn.errors import UserError
from kernlearn.kernels import GramStack, KernelFamily, make_family, require_semidefinite
from kernlearn.kernels.core.family import same, side_by_side
from kernlearn.kernels.core.scikit_learn import OF_SCIKIT_LEARN
from kernlearn.kernels.core.semidefinite import asymmetry_of, rounding_of
from kernlearn.kernels.families.polynomial import poly
from kernlearn.kernels.families.registry import VECTOR_FAMILIES
from kernlearn.parameters import Text
from kernlearn.types import Array, Index

#: Families by name: those of configurations, and those that scikit-learn has beside them.
KERNELS: dict[str, Callable[..., KernelFamily]] = {
    **VECTOR_FAMILIES,
    **OF_SCIKIT_LEARN,
    "poly": poly,
}
#: Names of scikit-learn for families that have others here.
SYNONYMS = {"rbf": "gaussian"}


def check_kernel(kernel: Any) -> None:
    """Raise `UserError` unless a kernel is a name, a function, a list of functions, or kernels of columns."""
    if not callable(kernel) and not _are_functions(kernel) and not is_of_columns(kernel):
        Text().check("kernel", kernel)


def takes_widths(kernel: Any) -> bool:
    """Return whether a kernel is the name of a family with gammas."""
    family = KERNELS.get(SYNONYMS.get(kernel, kernel)) if isinstance(kernel, str) else None
    return family is not None and "gammas" in signature(family).parameters


def is_given(kernel: Any) -> bool:
    """Return whether a kernel consists of functions of the user, of which nothing is known."""
    return callable(kernel) or _are_functions(kernel)


def is_of_columns(kernel: Any) -> bool:
    """Return whether a kernel is of groups of columns, see `kernlearn.ColumnKernels`."""
    return hasattr(kernel, "columns_of")


def columns_of(kernel: Any, X: Any) -> list[Index] | None:
    """Return the columns of every group of a kernel, None if it is of all columns; X are examples as they are given."""
    found: list[Index] | None = kernel.columns_of(X) if is_of_columns(kernel) else None
    return found


def of_columns(estimator: Any, X: Any, names: Sequence[str] | None = None) -> Any:
    """Return a DataFrame as kernels of columns take it, other examples as they are.

    Its columns are in the order of `names`, those of the fit, and 0 where they are in no group and no numbers.
    """
    if not is_of_columns(estimator.kernel) or not hasattr(X, "iloc"):
        return X
    if names is not None and not set(names) - set(X.columns):
        X = X[list(names)]
    used = {int(number) for some in estimator._columns for number in some}
    unused = [i for i, kind in enumerate(X.dtypes) if i not in used and not _is_numeric(kind, X.iloc[:, i])]
    if unused:
        X = X.copy()
        for i in unused:
            X.isetitem(i, 0.0)
    return X


def _is_numeric(kind: Any, column: Any) -> bool:
    return kind.kind in "biuf" and bool(column.notna().all())


def family_of(
    kernel: Any, given: Mapping[str, Any], others: Sequence[str] = ("precomputed",), *, single: bool = False
) -> KernelFamily:
    """Return the family of a kernel with the parameters of an estimator.

    Offered are the families on vectors that the estimator has all the parameters of, with `single` those that can be of
    one kernel; the rest can be precomputed, or functions.

    Parameters
    ----------
    kernel : str, callable or sequence of callables
        A callable takes examples of shapes (n, d) and (m, d) and returns their kernel values, shape (n, m).

    Raises
    ------
    UserError
        If a name is none of them, nor one of `others`, or several functions are given for one kernel.
    """
    if is_given(kernel):
        functions = [kernel] if callable(kernel) else list(kernel)
        if single and len(functions) > 1:
            raise UserError(f"kernel: {len(functions)} functions are given, and the estimator has one kernel; give one")
        parts = [KernelFamily("callable", ({},), Function(function), same) for function in functions]
        return parts[0] if len(parts) == 1 else side_by_side("callables", parts)
    name = SYNONYMS.get(kernel, kernel)
    keys = {name: signature(family).parameters.keys() for name, family in KERNELS.items()}
    known = [name for name in KERNELS if keys[name] <= given.keys() and not (single and name == "mixed")]
    if name not in known:
        raise UserError(f"kernel={kernel}: must be one of {', '.join([*known, *SYNONYMS, *others])}, or a function")
    parameters = {key: given[key] for key in keys[name]}
    if name in VECTOR_FAMILIES:
        return make_family(name, **parameters)
    return replace(KERNELS[name](**parameters), recipe=(name, parameters))


def require_semidefinite_functions(kernel: Any, stack: GramStack) -> None:
    """Raise `UserError` if functions of the user are not positive semidefinite on the training examples."""
    if is_given(kernel):
        for k in range(len(stack)):
            K, name = stack.matrix(k), "the kernel" if len(stack) == 1 else f"kernel {k}"
            require_semidefinite(K, name, rounding_of(K))


def are_kernels_last(X: Any) -> bool:
    """Say whether kernel matrices have the shape (n, n, p), and not (p, n, n); of n kernels symmetry decides."""
    if getattr(X, "ndim", 0) != 3:  # a list is one of matrices
        return False
    rows, columns, kernels = X.shape
    return rows == columns and (columns != kernels or (_symmetric(X, 0, 1) and not _symmetric(X, 1, 2)))


def sliceable(estimator: Any, X: Any) -> Any:
    """Return examples as scikit-learn can select some of them: several kernel matrices in the shape (n, n, p)."""
    if not estimator.__sklearn_tags__().input_tags.pairwise:
        return X
    X = check_array(X, dtype=np.float64, allow_nd=True)
    return np.moveaxis(X, 0, -1) if X.ndim == 3 and not are_kernels_last(X) else X


def kernels_first(X: Array) -> Array:
    """Return kernel matrices of shape (n, m, p) in the shape (p, n, m), and other examples as they are."""
    return np.moveaxis(X, -1, 0) if X.ndim == 3 else X


def _symmetric(X: Array, i: int, j: int) -> bool:
    allowed = asymmetry_of(rounding_of(X)) * np.abs(X).max(initial=0.0)
    return np.allclose(X, np.swapaxes(X, i, j), rtol=0.0, atol=allowed)


@dataclass(frozen=True)
class Function:
    """A function of the user as the base of a family; what it returns is checked."""

    function: Callable[[Any, Any], Any]

    def __call__(self, X: Any, Z: Any) -> Array:
        """Return the kernel values, shape (len(X), len(Z))."""
        shape = X.shape[0], Z.shape[0]
        wanted = f"it gets two matrices, and must return their kernel values, here of the shape {shape}"
        try:
            K = np.asarray(self.function(X, Z), dtype=np.float64)
        except (TypeError, ValueError) as error:  # as of a function of two rows
            raise UserError(f"kernel: the function fails ({' '.join(str(error).split())}); {wanted}") from error
        if K.shape != shape:
            raise UserError(f"kernel: the function returns the shape {K.shape}; {wanted}")
        if not np.isfinite(K).all():
            raise UserError("kernel: the function returns values that are NaN or infinite")
        return K


def _are_functions(kernel: Any) -> bool:
    return isinstance(kernel, list | tuple) and len(kernel) > 0 and all(map(callable, kernel))
