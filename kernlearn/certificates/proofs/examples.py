"""The data that a solution is said to be of: checked, and as the problems need them."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from kernlearn.certificates.outputs import Inputs, Matrix
from kernlearn.errors import UserError
from kernlearn.kernels import require_semidefinite, rounding_of
from kernlearn.kernels.core.products import inner_products, squared_distances
from kernlearn.memory import require
from kernlearn.types import Array, Index

#: Rows of kernel values that are at hand at a time.
ROWS = 512
#: Examples whose outputs are compared with what an estimator shows.
COMPARED = 500
#: Outputs may differ by so many of their own roundings, or by this part of the largest.
ROUNDINGS, RELATIVE = 1e4, 1e-6


class OtherData(UserError):
    """The data are not those that a solution is of."""


class Examples(NamedTuple):
    """Training examples: features or a kernel matrix, targets, and weights of the losses."""

    X: Any
    y: NDArray[Any]
    weights: Array

    def indices(self, classes: NDArray[Any]) -> NDArray[np.intp]:
        """Return the number of the class of every example.

        Raises
        ------
        UserError
            If a label is none of the classes, or a class has no example.
        """
        names = classes.tolist()
        place, labels = {name: k for k, name in enumerate(names)}, self.single().y.tolist()
        try:  # labels of any kind, which may have no order
            index = np.array([place.get(label, -1) for label in labels], dtype=np.intp)
        except TypeError as error:
            raise OtherData("y must have one label for every example") from error
        if (index < 0).any():
            raise OtherData(f"y has the label {labels[int(index.argmin())]!r}, which is no class of the estimator")
        counts = np.bincount(index, minlength=len(names))
        if not counts.all():
            raise OtherData(f"y has no example of class {names[int(counts.argmin())]!r}: give the training data")
        return index

    def single(self) -> "Examples":
        """Return the examples, or raise `UserError` if they have several targets each."""
        if self.y.ndim > 1:
            raise OtherData(f"y must have one column for this estimator, and has {self.y.shape[1]}")
        return self

    @property
    def unweighted(self) -> bool:
        """Whether all weights are 1."""
        return bool((self.weights == 1.0).all())

    def real(self) -> Array:
        """Return the targets as numbers, shape (n,) or (n, n_targets)."""
        try:
            y: Array = self.y.astype(np.float64, casting="same_kind" if self.y.dtype.kind in "cmM" else "unsafe")
        except (TypeError, ValueError) as error:
            raise UserError("y must be numbers for this estimator") from error
        if not np.isfinite(y).all():
            raise UserError("y has values that are NaN or infinite")
        return y


def is_sparse(matrix: Any) -> bool:
    """Return whether a matrix is one of scipy's sparse ones."""
    return bool(sparse.issparse(matrix))


def examples(X: Any, y: Any, sample_weight: Any = None) -> Examples:
    """Return checked examples: of float64, sparse ones as a csr_array.

    Raises
    ------
    UserError
        If shapes do not fit, a value is NaN or infinite, or all weights are 0.
    """
    try:
        X = sparse.csr_array(X, dtype=np.float64) if is_sparse(X) else np.asarray(X, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise UserError("X must be a matrix of numbers; put what encodes texts into the pipeline") from error
    try:
        y = np.asarray(y)
        weights = np.ones(y.shape[:1]) if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise UserError("y and sample_weight must have one value for every example") from error
    if X.ndim != 2 or y.ndim not in (1, 2) or len(y) != X.shape[0]:
        raise UserError(f"X and y must have as many rows as each other; their shapes are {X.shape} and {y.shape}")
    if y.shape[1:] == (1,):
        y = y[:, 0]
    if weights.shape != (len(y),) or not (np.isfinite(weights) & (weights >= 0.0)).all():
        raise UserError(f"sample_weight must have a number >= 0 for each of the {len(y)} examples")
    if len(y) and not weights.any():
        raise UserError("sample_weight must have a number above 0")
    if not np.isfinite(X.data if is_sparse(X) else X).all():
        raise UserError("X has values that are NaN or infinite")
    return Examples(X, y, weights)


@dataclass(frozen=True)
class Rows:
    """One kernel on n examples, whose values are computed when they are needed."""

    X: Any
    function: Callable[[Any, Any], Array]

    @property
    def shape(self) -> tuple[int, int, int]:
        """The triple (1, n, n)."""
        return 1, self.X.shape[0], self.X.shape[0]

    def terms(self, coef: Array) -> Iterator[tuple[slice, Array, Array]]:
        """Yield some rows, the kernel values of the examples with a coefficient, and their coefficients."""
        used = np.flatnonzero(coef[0])
        points = self.X[used]
        for start in range(0, self.X.shape[0] if len(used) else 0, ROWS):
            rows = slice(start, start + ROWS)
            yield rows, self.function(self.X[rows], points), coef[0, used]


class Kernel(NamedTuple):
    """A kernel of scikit-learn: its name or function, and its parameters as numbers.

    A function takes two matrices, or else two rows and the parameters `more`.
    """

    name: Any
    gamma: float
    degree: float
    coef0: float
    more: Mapping[str, Any] | None = None
    of_matrices: bool = False

    def inputs(self, X: Any, rows: Index) -> Inputs:
        """Return the kernel on some of the examples X, or of the matrix X for ``"precomputed"``.

        Raises
        ------
        UserError
            If it is not positive semidefinite: its problem would have no dual.
        """
        function = self._function()
        if function is not None and self._is_semidefinite():
            return Rows(X[rows], function)
        require(8.0 * len(rows) ** 2, f"the kernel matrix of {len(rows)} examples", "use fewer examples")
        if self.name == "precomputed":
            if X.shape[0] != X.shape[1]:
                raise UserError(f"a precomputed kernel must be a square matrix, this one has the shape {X.shape}")
            K = X[np.ix_(rows, rows)]
        elif function is not None:
            K = function(X[rows], X[rows])
        else:
            K = self._of_scikit_learn(X[rows])
        K = np.asarray(K, dtype=np.float64)
        return Matrix(
            require_semidefinite(K, f"kernel={'the function' if callable(self.name) else self.name}", rounding_of(K))
        )

    def _function(self) -> Callable[[Any, Any], Array] | None:
        gamma, degree, coef0 = self.gamma, self.degree, self.coef0
        functions: dict[Any, Callable[[Any, Any], Array]] = {
            "linear": inner_products,
            "rbf": lambda A, B: np.exp(-gamma * squared_distances(A, B)),
            "poly": lambda A, B: (gamma * inner_products(A, B) + coef0) ** degree,
            "polynomial": lambda A, B: (gamma * inner_products(A, B) + coef0) ** degree,
            "sigmoid": lambda A, B: np.tanh(gamma * inner_products(A, B) + coef0),
        }
        return functions.get(self.name) if isinstance(self.name, str) else None

    def _is_semidefinite(self) -> bool:
        if self.name in ("poly", "polynomial"):
            return self.coef0 >= 0.0 and self.degree == int(self.degree)
        return self.name in ("linear", "rbf")

    def _of_scikit_learn(self, X: Any) -> Any:
        from sklearn.metrics.pairwise import pairwise_kernels

        if self.of_matrices:
            return self.name(X, X)
        options = {"gamma": self.gamma, "degree": self.degree, "coef0": self.coef0}
        if callable(self.name):
            options = dict(self.more or {})
        return pairwise_kernels(X, metric=self.name, filter_params=True, **options)


def compared(n: int) -> Index:
    """Return some of n examples, evenly spaced, whose outputs are compared with what an estimator shows."""
    return np.unique(np.linspace(0, n - 1, min(n, COMPARED)).astype(np.intp))


def require_same(rows: Any, X: Any, otherwise: str) -> None:
    """Raise `UserError` unless two matrices are the same."""
    if rows.shape != X.shape or (abs(rows - X) > 0.0).sum():
        raise OtherData(f"{otherwise}; give the training data, in the same order and prepared as for the fit")


def require_shown(shown: Array, computed: Array, rounding: Array) -> None:
    """Raise `UserError` unless outputs that an estimator shows are those of its coefficients on the data given."""
    off = np.abs(shown - computed)
    allowed = ROUNDINGS * rounding + RELATIVE * float(np.abs(computed).max(initial=0.0))
    if (off > allowed).any():
        raise OtherData(
            f"the outputs of the estimator differ from those of its coefficients on X by up to {off.max():.2g}; "
            "give the training data, in the same order and prepared as for the fit"
        )
