"""A stored solution of one of our methods, and the data that it is said to be of."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernlearn.certificates.proofs.examples import Examples, OtherData, is_sparse, require_same
from kernlearn.certificates.proofs.restated import Solved
from kernlearn.kernels import FeatureStack, KernelFamily, Stack
from kernlearn.kernels.matrices.streamed import MAX_MATRIX_BYTES, kernel_stack
from kernlearn.types import Array, Index


@dataclass(frozen=True)
class Stored:
    """A predictor ``f_o(x) = sum_kj coef[o, k, j] K_k(x, x_j) + intercept[o]`` with its dual points.

    Attributes
    ----------
    method : str
    options, values : mapping
        What its path was given, and the grid point.
    primals, duals : list of arrays
        Of every problem that was solved, in the order of the outputs, as its solver has them.
    coef : array of shape (outputs, kernels, support), or (outputs, features)
    intercept : array of shape (outputs,)
    family : KernelFamily, optional
        The kernels; None for features.
    support : integer array of shape (support,), optional
        Which rows of the training data the coefficients are of.
    points : array of shape (support, d), optional
        These rows, as the kernel takes them.
    rows : integer array of shape (n,), optional
        Which rows of the training data are learned from; by default all.
    weights : array of shape (n,), optional
        Factors of the losses.
    kernel_weights : array of shape (outputs, kernels), optional
    classes : array, optional
    ensembles : list of Ensemble
        Votes, or networks, in the place of coefficients; one for every output.
    all_examples : array or sparse matrix, optional
        What stumps were drawn from, if these are more examples than the solution is of.
    n_rows : int, optional
        How many rows the training data have; by default as many as are learned from.
    universum : array of shape (m, d), optional
        Examples of none of the classes that are learned from, too; their numbers follow those of the training data.
    shown : array of shape (outputs, n), optional
        What the estimator itself has as outputs on all rows of the data.
    """

    method: str
    options: Mapping[str, Any]
    values: Mapping[str, Any]
    primals: list[Array]
    duals: list[Array]
    coef: Array
    intercept: Array
    family: KernelFamily | None = None
    support: Index | None = None
    points: Any = None
    rows: Index | None = None
    weights: Array | None = None
    kernel_weights: Array | None = None
    classes: NDArray[Any] | None = None
    ensembles: Sequence[Any] = ()
    all_examples: Any = None
    n_rows: int | None = None
    universum: Array | None = None
    shown: Array | None = None


@dataclass(frozen=True)
class Trained:
    """One output of a stored solution, or all that were learned together, on the training data.

    Attributes
    ----------
    inputs : GramStack or FeatureStack
        On the n examples that are learned from.
    y : array of shape (n,)
        Labels +-1, or real targets; numbers of classes where all were learned together.
    coef : array of shape (p, n), or (D,)
        Of all outputs where all were learned together.
    intercept : float, or array of shape (outputs,)
    dual : array
    counts : array of shape (n,), optional
        How often the examples count in what kernels are penalised by; by default once.
    """

    stored: Stored
    inputs: Stack
    y: Any
    coef: Array
    intercept: Any
    primal: Array
    dual: Array
    mu: Array | None
    name: str = ""
    counts: Array | None = None

    @property
    def values(self) -> Mapping[str, Any]:
        """The grid point."""
        return self.stored.values

    @property
    def options(self) -> Mapping[str, Any]:
        """What the path of the method was given."""
        return self.stored.options

    @property
    def weights(self) -> Array | None:
        """Factors of the losses."""
        return self.stored.weights

    @property
    def solved(self) -> Solved:
        """The solution of a method that uses one kernel, without the kernel."""
        given = self.stored.method, self.values, self.options, self.y, self.coef.sum(axis=0), self.dual
        return Solved(*given, self.intercept, self.weights, self.name)


def rows_of(stored: Stored, n: int) -> Index:
    """Return the rows of the training data that a solution is of.

    Raises
    ------
    UserError
        If the data have other numbers of rows.
    """
    rows = np.arange(n) if stored.rows is None else stored.rows
    size = len(rows) + (0 if stored.universum is None else len(stored.universum))
    short = any(dual.shape[-1 if dual.shape[-1:] == (size,) else 0] != size for dual in stored.duals)
    # Of a fit that left no row out, it is known how many rows there were.
    wanted = len(rows) if stored.n_rows is None and np.array_equal(rows, np.arange(len(rows))) else stored.n_rows
    if not are_numbers_of(rows, n) or short or wanted not in (None, n):
        fit = "" if wanted in (None, n) else f", and the fit had {wanted}"
        raise OtherData(f"the solution is of other data: X has {n} rows{fit}; give the training data")
    return rows


def are_numbers_of(rows: Index, n: int) -> bool:
    """Return whether numbers of rows are some of n, each once and in their order."""
    return rows.dtype.kind == "i" and rows.ndim == 1 and bool((np.diff(rows, prepend=-1, append=n) > 0).all())


def trained(stored: Stored, data: Examples, *, hold: bool = False, joint: bool = False) -> list[Trained]:
    """Return the outputs of a stored solution on training data.

    Parameters
    ----------
    stored : Stored
    data : Examples
        All rows of the training data, in their order.
    hold : bool
        Whether kernel matrices are used more than once, so that they are kept if they are not too large.
    joint : bool
        Whether all classes were learned together.

    Raises
    ------
    UserError
        If the examples that were stored are not those of the data, or numbers of rows do not fit.
    """
    X, n = data.X, data.X.shape[0]
    labelled = rows = rows_of(stored, n)
    counts = None if (data.weights == 1.0).all() else data.weights[rows]
    if stored.universum is not None:
        if np.ndim(stored.universum) != 2 or stored.universum.shape[1] != X.shape[1] or is_sparse(X):
            raise OtherData("the Universum of the model has other features than X")
        X, n = np.concatenate([X, stored.universum]), n + len(stored.universum)
        rows = np.append(rows, np.arange(n - len(stored.universum), n))
    precomputed = stored.family is not None and stored.family.name == "precomputed"
    support = np.zeros(0, dtype=np.intp) if stored.support is None else stored.support
    if not (are_numbers_of(support, n) and np.isin(support, rows).all()):
        raise OtherData("the examples of the solution are not different rows of X that it was learned from")
    if len(support) and stored.points is not None:
        here = X[np.ix_(support, support)] if precomputed else X[support]
        require_same(stored.points, here, "the examples of the solution are not those rows of X")
    examples = X[np.ix_(rows, rows)] if precomputed else X[rows]
    coef = stored.coef
    kernels = (X.shape[1],) if stored.family is None else (len(stored.family), len(support))
    if coef.shape[1:] != kernels:
        raise OtherData(f"the coefficients of the solution have the shape {coef.shape}, and must end with {kernels}")
    if stored.family is None:
        inputs: Stack = FeatureStack(examples)
    else:
        inputs = kernel_stack(stored.family, examples, examples, MAX_MATRIX_BYTES if hold else 0.0)
        places = np.searchsorted(rows, support)
        coef = np.zeros((*stored.coef.shape[:2], len(rows)))
        coef[:, :, places] = stored.coef
    if joint and stored.classes is not None:
        n_outputs = 1 if len(stored.classes) == 2 else len(stored.classes)
        if {len(coef), *stored.intercept.shape} != {n_outputs} or len(stored.primals) != 1:
            raise OtherData(f"the solution has other numbers of outputs than the {n_outputs} of its classes")
        points = stored.primals[0], stored.duals[0], None if stored.kernel_weights is None else stored.kernel_weights[0]
        index = data.indices(stored.classes)[rows]
        return [Trained(stored, inputs, index, coef, stored.intercept, *points, counts=counts)]
    targets, names = targets_of(stored, data, labelled)
    if len({len(targets), len(coef), *stored.intercept.shape, len(stored.primals), len(stored.duals)}) > 1:
        raise OtherData(f"the solution has other numbers of outputs than the {len(targets)} that X and y have")
    mu, found = stored.kernel_weights, []
    for o, (y, name) in enumerate(zip(targets, names, strict=True)):
        points = stored.primals[o], stored.duals[o], None if mu is None else mu[o]
        found.append(Trained(stored, inputs, y, coef[o], float(stored.intercept[o]), *points, name, counts))
    return found


def targets_of(stored: Stored, data: Examples, rows: Index) -> tuple[list[Array], list[str]]:
    """Return the targets of every problem that was solved, and what tells it from the others."""
    if stored.classes is None:
        return [data.single().real()[rows]], [""]
    index = data.indices(stored.classes)[rows]
    if len(stored.classes) == 2:
        return [np.where(index == 1, 1.0, -1.0)], [""]
    names = [f"class {name!r} against the rest" for name in stored.classes.tolist()]
    return [np.where(index == k, 1.0, -1.0) for k in range(len(names))], names
