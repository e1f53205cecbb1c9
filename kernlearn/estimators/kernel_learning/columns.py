"""Kernels on groups of columns, for the estimators that weigh kernels or vote with them."""

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils._indexing import _get_column_indices

from kernlearn.errors import UserError
from kernlearn.estimators.common.kernels import family_of, takes_widths
from kernlearn.estimators.common.widths import check_gamma, in_number
from kernlearn.kernels import KernelFamily
from kernlearn.kernels.core.grouped import grouped
from kernlearn.parameters import Number, Text, shown
from kernlearn.types import Array, Index

#: Parameters of a kernel, and what they are by default, as of `kernlearn.L2SVMClassifier`.
DEFAULTS: dict[str, Any] = {"degree": 3, "gamma": "scale", "coef0": 1.0}


class ColumnKernels(BaseEstimator):
    """One kernel for every group of columns, as ``kernel=`` of estimators.

    `kernlearn.MKLClassifier` and its relatives learn a weight for every group, `kernlearn.VKRClassifier` coefficients.
    An estimator with one kernel takes one group. Groups may overlap, and columns in no group are not used: in a
    DataFrame they may be texts. New examples may have the columns of a DataFrame in another order.

    Parameters
    ----------
    kernels : list of (name, kernel, columns) or (name, kernel, columns, parameters)
        The kernel is a name or a function, as for `kernlearn.L2SVMClassifier`. Columns are names of a DataFrame,
        numbers, a slice, a boolean mask, or a function of the examples such as scikit-learn's `make_column_selector`.
        The parameters are a dictionary with ``degree``, ``gamma`` and ``coef0``; without it there are those that
        `kernlearn.L2SVMClassifier` has by default. ``gamma="scale"`` is that of the columns of the group.

    Examples
    --------
    >>> import numpy as np
    >>> from kernlearn import MKLClassifier
    >>> X = np.random.default_rng(0).normal(size=(60, 3))
    >>> kernel = ColumnKernels([("size", "linear", [0]), ("shape", "rbf", [1, 2], {"gamma": 0.5})])
    >>> MKLClassifier(kernel=kernel).fit(X, X[:, 0] > 0).weights_.shape
    (1, 2)
    """

    def __init__(self, kernels: Sequence[tuple[Any, ...]]):
        self.kernels = kernels

    def columns_of(self, X: Any) -> list[Index]:
        """Return the numbers of the columns of every group.

        Parameters
        ----------
        X : array or DataFrame of shape (n, d)

        Raises
        ------
        UserError
            If X has no such columns, a group has none, or a group is not as described.
        """
        if not isinstance(self.kernels, list | tuple) or not self.kernels:
            raise UserError(f"kernels={shown(self.kernels)}: must be a list of groups (name, kernel, columns)")
        found = [_columns(X, number, group) for number, group in enumerate(self.kernels)]
        names = [name for name, *_ in self.kernels]
        if twice := next((name for name in names if names.count(name) > 1), None):
            raise UserError(f"group {twice}: two groups have this name; give each its own")
        return found

    def with_columns(self, columns: Sequence[Index]) -> Self:
        """Return the same groups with numbers of columns in the place of functions, which a file cannot hold."""
        groups = [
            (name, kernel, some.tolist() if callable(given) else given, *more)
            for (name, kernel, given, *more), some in zip(self.kernels, columns, strict=True)
        ]
        return type(self)(groups)

    def family(self, X: Array, columns: Sequence[Index]) -> KernelFamily:
        """Return the kernels, a family with one for every group, with the widths that they have on examples.

        Parameters
        ----------
        X : array of shape (n, d)
        columns : sequence of integer arrays
            Of the groups, see `columns_of`.
        """
        parts = []
        for (name, kernel, _, *more), some in zip(self.kernels, columns, strict=True):
            try:
                parts.append(_part(kernel, dict(*more), X[:, some]))
            except UserError as error:
                raise UserError(f"group {name}: {error}") from error
        return grouped(parts, columns)


def _columns(X: Any, number: int, group: Any) -> Index:
    if not isinstance(group, list | tuple) or len(group) not in (3, 4):
        raise UserError(f"kernels[{number}]={shown(group)}: must be (name, kernel, columns) or have parameters, too")
    name, _, columns, *more = group
    Text().check(f"kernels[{number}][0]", name)
    if more and (not isinstance(more[0], dict) or more[0].keys() - DEFAULTS.keys()):
        raise UserError(f"group {name}: {shown(more[0])} must be a dictionary of {', '.join(DEFAULTS)}")
    try:
        found = np.asarray(_get_column_indices(_array(X), columns(X) if callable(columns) else columns), dtype=np.intp)
    except (TypeError, ValueError, IndexError) as error:
        raise UserError(f"group {name}: {' '.join(str(error).split())}") from error
    if not len(found):
        raise UserError(f"group {name}: has no column")
    return found


def _array(X: Any) -> Any:
    return X if hasattr(X, "shape") else np.asarray(X)


def _part(kernel: Any, given: dict[str, Any], X: Array) -> KernelFamily:
    """Return the one kernel of a group whose columns are X."""
    parameters = {**DEFAULTS, **given}
    degree = Number(low=1, integer=True).check("degree", parameters["degree"])
    gamma = check_gamma("gamma", parameters["gamma"])
    gammas = [in_number("gamma", gamma, kernel, X)] if takes_widths(kernel) else [1.0]
    return family_of(kernel, {"degrees": [degree], "gammas": gammas, "coef0": parameters["coef0"]}, (), single=True)
