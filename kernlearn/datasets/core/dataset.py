"""The data set as the rest of the package sees it: numbers, classes or targets, and a digest of them."""

import json
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from kernlearn.datasets.core.chains import Chains, entries, with_entries
from kernlearn.datasets.core.raw import RawFeatures
from kernlearn.datasets.core.schema import TableSchema
from kernlearn.errors import UserError


class Examples(NamedTuple):
    """What a reader or generator returns; `make_dataset` brings it into the form of a `Dataset`."""

    X: Any
    y: Any
    target: Any = None
    n_views: int = 1
    columns: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    partitions: tuple[Any, ...] = ()
    universum: Any = None
    schema: TableSchema | None = None


#: Targets beyond these have squares that over- or underflow when they are added up.
LARGEST, SMALLEST = 1e100, 1e-140


@dataclass(frozen=True, eq=False)
class Dataset:
    """Examples with a class each, a real target each, or both; or sequences, with a class at every place.

    Attributes
    ----------
    name : str
        The name by which it was loaded.
    X : ndarray or scipy.sparse.csr_array of shape (n, d)
        Finite float64 values, read-only; dense ones are C-contiguous, sparse ones in canonical form. For n sequences,
        `Chains` with such values for each position. For a file with missing values or texts, `RawFeatures`.
    y : ndarray of shape (n,)
        int64 index into `classes`, read-only; empty without classes. Of two classes, index 1 is the positive one:
        f(x) > 0. For sequences, `Chains` with an index for each position.
    classes : tuple of str
        The classes by index; each has at least one example. Empty for a data set only for regression.
    source : str
        "bundled", "generated", "scikit-learn", or the file (files, joined by " + ") with the values.
    digest : str
        The sha256 of all values. It does not depend on the source or the machine.
    target : ndarray of shape (n,), optional
        Finite float64 targets of a regression, read-only.
    n_views : int
        The number of views: the columns of X are this many descriptions of equal width, side by side.
    columns : tuple of str
        The names of the columns, if the file has any; empty otherwise.
    remarks : tuple of str
        Notes for the user on how a user's file was read.
    n_train : int
        The number of first examples that are the published training part; the others are the test part. 0 if there is
        no published split.
    partitions : tuple of ndarray
        Sorted row numbers of the training parts of the known published random partitions, read-only.
    n_drawn : int
        The number of training examples in each published random partition; 0 if there are none.
    universum : ndarray or scipy.sparse.csr_array of shape (m, d), optional
        Examples of none of the classes, for methods that learn from a Universum. They belong to no split.
    schema : TableSchema, optional
        How the columns of a table became X.
    """

    name: str
    X: Any
    y: NDArray[np.int64]
    classes: tuple[str, ...]
    source: str
    digest: str
    target: NDArray[np.float64] | None = None
    n_views: int = 1
    columns: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    n_train: int = 0
    partitions: tuple[NDArray[np.int64], ...] = ()
    n_drawn: int = 0
    universum: Any = None
    schema: TableSchema | None = None

    @property
    def is_sequential(self) -> bool:
        """Whether the examples are sequences."""
        return isinstance(self.X, Chains)

    @property
    def labels(self) -> NDArray[np.int64]:
        """The index into `classes` of every example, or of every place of the sequences, one below the other."""
        labels: NDArray[np.int64] = entries(self.y)
        return labels

    def real_target(self) -> NDArray[np.float64]:
        """Return the targets of a regression: those of the data set, or -1 and +1 for its two classes.

        Raises
        ------
        UserError
            If it has no targets and more than two classes; if targets are beyond `LARGEST`, or all below `SMALLEST`; or
            if it has sequences.
        """
        if self.is_sequential:
            raise UserError(f"{self.name}: has sequences of labels and no real target: not for regression")
        if self.target is not None:
            largest = np.abs(self.target).max(initial=0.0)
            if largest > LARGEST:
                raise UserError(f"{self.name}: targets beyond {LARGEST:g} have squares that overflow: use another unit")
            if 0.0 < largest < SMALLEST:
                raise UserError(
                    f"{self.name}: targets below {SMALLEST:g} have squares that underflow: use another unit"
                )
            return self.target
        if len(self.classes) != 2:
            raise UserError(f"{self.name}: has {len(self.classes)} classes and no real target: not for regression")
        return np.where(self.y == 1, 1.0, -1.0)


def make_dataset(name: str, examples: Examples, classes: tuple[str, ...], source: str) -> Dataset:
    """Bring arrays into the form that `Dataset` promises and compute the digest.

    Raises `UserError` if a class has no example.

    Parameters
    ----------
    name, source : str
        As in `Dataset`.
    examples : Examples
        Finite numbers, and indices into `classes`.
    classes : tuple of str
        The classes by index.
    """
    X = with_entries(examples.X, _matrix(entries(examples.X)))
    y = with_entries(examples.y, np.array(entries(examples.y), dtype=np.int64))
    labels = entries(y)
    empty = [
        label for label, count in zip(classes, np.bincount(labels, minlength=len(classes)), strict=True) if count == 0
    ]
    if empty:
        raise UserError(
            f"{name}: {len(labels)} examples leave class {empty[0]!r} without any; ask for more (n) or another seed"
        )
    target = None if examples.target is None else np.array(examples.target, dtype=np.float64) + 0.0
    partitions = tuple(np.sort(np.array(part, dtype=np.int64)) for part in examples.partitions)
    universum = None if examples.universum is None else _matrix(examples.universum)
    more = [] if universum is None else _arrays(universum)
    for array in (*_arrays(X), labels, *([] if target is None else [target]), *partitions, *more):
        array.flags.writeable = False
    n_views, as_read = examples.n_views, (examples.columns, examples.remarks)
    content = digest(X, y, classes, target, n_views, partitions, universum)
    return Dataset(
        *(name, X, y, classes, source, content, target, n_views, *as_read),
        partitions=partitions,
        universum=universum,
        schema=examples.schema,
    )


def digest(
    X: Any,
    y: NDArray[np.int64],
    classes: tuple[str, ...],
    target: NDArray[np.float64] | None = None,
    n_views: int = 1,
    partitions: tuple[NDArray[np.int64], ...] = (),
    universum: Any = None,
) -> str:
    """Return the sha256 (hexadecimal) of a header in JSON and of all arrays.

    The header begins with shape and class names. If they apply, it then has the number of stored values of a sparse
    matrix and the number of positions of sequences. The categories of raw features and the treatment of missing values
    follow. The last entries are whether there is a target, the number of views, the sizes of published partitions, and
    the number of examples of a Universum.

    The arrays follow in the order X, y, target, partitions, Universum, as little-endian numbers of eight bytes. X is
    stored row by row. A sparse matrix has indptr, indices and values. Sequences have their positions and their starts.
    """
    header: dict[str, Any] = {"shape": X.shape, "classes": classes}
    if isinstance(entries(X), sparse.csr_array):
        header["stored"] = int(entries(X).nnz)
    if isinstance(X, Chains):
        header["places"] = int(X.starts[-1])
    if isinstance(X, RawFeatures):
        header["raw"] = [X.categories, X.ordinal, X.missing]
    if target is not None:
        header["target"] = True
    if n_views > 1:
        header["views"] = n_views
    if partitions:
        header["partitions"] = [len(part) for part in partitions]
    if universum is not None:
        header["universum"] = universum.shape[0]
    more = [] if universum is None else _arrays(universum)
    arrays = [*_arrays(X), entries(y), *([] if target is None else [target]), *partitions, *more]
    content = sha256(json.dumps(header).encode())
    for array in arrays:
        content.update(array.astype("<f8" if array.dtype.kind == "f" else "<i8").tobytes())
    return content.hexdigest()


def _matrix(X: Any) -> Any:
    """Return a copy, dense or sparse as it came, in which equal values have equal bytes: no -0.0, no stored zero."""
    if isinstance(X, sparse.coo_array | sparse.csr_array | sparse.csc_array):
        copy: Any = X.tocsr().astype(np.float64, copy=True)
        copy.sum_duplicates()
        copy.eliminate_zeros()
        return copy
    dense = np.ascontiguousarray(X, dtype=np.float64) + 0.0
    dense[np.isnan(dense)] = np.nan
    return dense


def _arrays(X: Any) -> list[NDArray[Any]]:
    if isinstance(X, Chains):
        return [*_arrays(X.values), X.starts]
    if isinstance(X, RawFeatures):
        return [X.values]
    return [X.indptr, X.indices, X.data] if isinstance(X, sparse.csr_array) else [X]
