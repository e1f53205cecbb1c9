"""What the estimators of kernel learning share: kernels as a family, as matrices or as features, and the prediction."""

from typing import Any, Self

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, column_or_1d, validate_data

from kernlearn.algorithms.core.path import Point
from kernlearn.algorithms.core.predictor import Expansion
from kernlearn.algorithms.core.problem import Classes, Problem, Reals
from kernlearn.datasets.core.dataset import LARGEST, SMALLEST
from kernlearn.errors import UserError
from kernlearn.estimators.common.advice import warn_of_one_class, warn_of_rounded, warn_of_unlike_columns
from kernlearn.estimators.common.decisions import DecisionMixin
from kernlearn.estimators.common.expansion import example_weights, keep_certificate, several_classes
from kernlearn.estimators.common.fitting import MethodMixin
from kernlearn.estimators.common.kernels import check_kernel, family_of, is_given, require_semidefinite_functions
from kernlearn.estimators.common.widths import with_widths
from kernlearn.kernels import DenseStack, FeatureStack, GramStack, Stack
from kernlearn.kernels.core.semidefinite import asymmetry_of, rounding_of
from kernlearn.kernels.families.registry import precomputed
from kernlearn.kernels.matrices.streamed import kernel_stack
from kernlearn.types import Array


class CombinedKernelEstimator(MethodMixin, BaseEstimator):
    """Base of the predictors ``f(x) = sum_k mu_k sum_j beta_j K_k(x, x_j) + b`` with learned weights mu.

    ``kernel`` is a family of kernels on vectors, ``"precomputed"`` or ``"features"``. With ``"precomputed"``, X has
    kernel matrices: the shape is (n, n, p), and (m, n, p) for new examples. The kernels can also come first, (p, n, n)
    and (p, m, n), or there is one matrix, (n, n) and (m, n). If the kernels are last, scikit-learn's cross-validation
    and grid search select the rows and columns of each fold. ``"features"`` is a rank-1 kernel for each column of X,
    which may be sparse.
    """

    def _check_parameters(self) -> dict[str, Any]:
        check_kernel(self.kernel)
        return super()._check_parameters()

    def _kernels(self, X: Any) -> Stack:
        """Return the kernels of the training examples."""
        parameters = with_widths(self, self.get_params(deep=False), X)
        if self.kernel == "features":
            return FeatureStack(X)
        if self.kernel == "precomputed":
            self._family = precomputed(len(X))
            return GramStack(self._family, X, X)
        if not is_given(self.kernel):
            warn_of_unlike_columns(self, X)
        self._family = family_of(self.kernel, parameters, ("precomputed", "features"))
        given = kernel_stack(self._family, X, X, self._method.held, together=True)
        self._family = given.family_as_trained()
        require_semidefinite_functions(self.kernel, given)
        return given

    def _keep(self, X: Any, n: int, point: Point) -> None:
        """Set the fitted attributes of what is learned from n examples."""
        predictor, weights = point.predictor, point.facts["weights"]
        assert isinstance(predictor, Expansion)
        self._coef, self.intercept_ = predictor.coef, predictor.intercept
        self.weights_ = np.broadcast_to(weights, (len(self._coef), weights.shape[1])).copy()
        if self.kernel == "features":
            self.coef_ = self._coef
        else:
            self.support_ = predictor.with_part()
            self.n_support_ = len(self.support_)
            self._coef = self._coef[:, :, self.support_]
            if self.kernel != "precomputed":
                self.support_vectors_ = X[self.support_]
        self.n_examples_ = n
        keep_certificate(self, point.solutions, stacklevel=4)
        self.n_iter_ = max(1, sum(s.iterations for s in point.solutions))

    def _validate(self, X: Any, y: Any) -> tuple[Any, Any]:
        """Return checked training examples and labels."""
        if self.kernel != "precomputed":
            warn_of_rounded(self, X)
            return validate_data(self, X, y, dtype=np.float64, accept_sparse=self._sparse and "csr")
        if issparse(X):
            raise UserError("kernel matrices must be a dense array of shape (p, n, n), this one is sparse")
        y = column_or_1d(y)
        X = np.asarray(X)[..., None] if getattr(X, "ndim", 0) == 2 else X  # one matrix is one kernel
        self._kernels_last = are_kernels_last(X)
        X = DenseStack.check(np.moveaxis(X, -1, 0) if self._kernels_last else X).K
        if X.shape[1] != len(y):
            raise UserError(f"kernel matrices of {X.shape[1]} examples do not fit {len(y)} labels")
        return X, y

    def _values(self, X: Any) -> Array:
        """Return f for every output, shape (n_outputs, n)."""
        check_is_fitted(self)
        if self.kernel != "precomputed":
            X = validate_data(self, X, dtype=np.float64, accept_sparse=self._sparse and "csr", reset=False)
        if self.kernel == "features":
            return Expansion(self._coef, self.intercept_).outputs(FeatureStack(X))
        if self.kernel == "precomputed":
            X = self._new_matrices(X)
            n = X.shape[1]
        else:
            n = len(X)
        if not len(self.support_):
            return np.repeat(self.intercept_[:, None], n, axis=1)
        support = X[:, :, self.support_] if self.kernel == "precomputed" else X
        stack = kernel_stack(self._family, support, getattr(self, "support_vectors_", support))
        return Expansion(self._coef, self.intercept_).outputs(stack)

    def _new_matrices(self, X: Any) -> Array:
        X = np.asarray(X, dtype=np.float64)
        p, n = len(self._family), self.n_examples_
        X = X[..., None] if X.ndim == 2 and self._kernels_last and p == 1 else X
        shape, wanted = (X.shape[1:], (n, p)) if self._kernels_last else (X.shape[:1] + X.shape[2:], (p, n))
        if X.ndim != 3 or shape != wanted:
            words = f"(m, {n}, {p})" if self._kernels_last else f"({p}, m, {n})"
            raise UserError(f"kernels of new examples must have the shape {words}, these have {X.shape}")
        if not np.isfinite(X).all():
            raise UserError("the kernels of the new examples have values that are NaN or infinite")
        return np.moveaxis(X, -1, 0) if self._kernels_last else X

    @property
    def _sparse(self) -> bool:
        return self.kernel == "features"

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self._sparse
        tags.input_tags.three_d_array = tags.input_tags.pairwise = self.kernel == "precomputed"
        return tags


def are_kernels_last(X: Any) -> bool:
    """Say whether kernel matrices have the shape (n, n, p), and not (p, n, n); of n kernels symmetry decides."""
    if getattr(X, "ndim", 0) != 3:  # a list is one of matrices
        return False
    rows, columns, kernels = X.shape
    return rows == columns and (columns != kernels or (_symmetric(X, 0, 1) and not _symmetric(X, 1, 2)))


def _symmetric(X: Array, i: int, j: int) -> bool:
    allowed = asymmetry_of(rounding_of(X)) * np.abs(X).max(initial=0.0)
    return np.allclose(X, np.swapaxes(X, i, j), rtol=0.0, atol=allowed)


class CombinedKernelClassifier(ClassifierMixin, CombinedKernelEstimator, DecisionMixin):
    """Base of the classifiers; more than two classes by one-versus-rest unless the method takes all at once."""

    def fit(self, X: Any, y: Any) -> Self:
        """Fit the classifier.

        Parameters
        ----------
        X : array of shape (n, d), or of shape (n, n, p) or (p, n, n) if ``kernel="precomputed"``
        y : array of shape (n,)
            Class labels, at least two different ones.

        Raises
        ------
        ValueError
            If the input is not as described or a parameter is out of range.
        """
        values = self._check_parameters()
        X, y = self._validate(X, y)
        check_classification_targets(y)
        self.classes_, index = several_classes(y)
        given = self._kernels(X)
        weights = example_weights(self.class_weight, self.classes_, index)
        problem = Problem(given, Classes(index, len(self.classes_)), weights=weights)
        point = self._learn_with_proof(problem, values)
        self._keep(X, len(y), point)
        warn_of_one_class(self, point.predictor.outputs(given))
        return self


class CombinedKernelRegressor(RegressorMixin, CombinedKernelEstimator):
    """Base of the regressors: kernel ridge regression with learned weights, of centred labels where ``centre``."""

    def fit(self, X: Any, y: Any) -> Self:
        """Fit the regressor.

        Parameters
        ----------
        X : array of shape (n, d), or of shape (n, n, p) or (p, n, n) if ``kernel="precomputed"``
        y : array of shape (n,)
            Real labels.

        Raises
        ------
        ValueError
            If the input is not as described or a parameter is out of range.
        """
        values = self._check_parameters()
        X, y = self._validate(X, y)
        try:
            y = np.asarray(y, dtype=np.float64)
        except (TypeError, ValueError, OverflowError) as error:
            raise UserError(f"the labels of a regression must be numbers: {error}") from None
        if not np.isfinite(y).all():
            raise UserError("the labels have values that are NaN or infinite")
        if np.abs(y).max(initial=0.0) > LARGEST:
            raise UserError(f"labels beyond {LARGEST:g} have squares that overflow: use another unit")
        if 0.0 < np.abs(y).max(initial=0.0) < SMALLEST:
            raise UserError(f"labels below {SMALLEST:g} have squares that underflow: use another unit")
        self._keep(X, len(y), self._learn_with_proof(Problem(self._kernels(X), Reals(y)), values))
        return self

    def predict(self, X: Any) -> Array:
        """Return the predicted values, shape (n,)."""
        return self._values(X)[0]
