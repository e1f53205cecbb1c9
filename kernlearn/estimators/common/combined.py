"""What the estimators of kernel learning share: kernels as a family, as matrices or as features, and the prediction."""

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, column_or_1d, validate_data

from kernlearn.algorithms.core.path import Point
from kernlearn.algorithms.core.predictor import Expansion
from kernlearn.algorithms.core.problem import Classes, Problem, Reals
from kernlearn.errors import UserError
from kernlearn.estimators.common.advice import warn_of_one_class, warn_of_rounded, warn_of_unlike_columns
from kernlearn.estimators.common.decisions import DecisionMixin
from kernlearn.estimators.common.expansion import keep_certificate
from kernlearn.estimators.common.fitting import MethodMixin, Prepared
from kernlearn.estimators.common.kernels import (
    are_kernels_last,
    check_kernel,
    columns_of,
    family_of,
    is_given,
    is_of_columns,
    of_columns,
    require_semidefinite_functions,
)
from kernlearn.estimators.common.labels import example_weights, positive_weights, real_labels, several_classes
from kernlearn.estimators.common.widths import with_widths
from kernlearn.kernels import DenseStack, FeatureStack, GramStack, Stack
from kernlearn.kernels.families.vectors import precomputed
from kernlearn.kernels.matrices.streamed import kernel_stack
from kernlearn.types import Array, Index


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
        if is_of_columns(self.kernel):
            self._family = self.kernel.family(X, self._columns)
        else:
            if not is_given(self.kernel):
                warn_of_unlike_columns(self, X)
            self._family = family_of(self.kernel, parameters, ("precomputed", "features"))
        given = kernel_stack(self._family, X, X, self._method.max_matrix_bytes, together=True)
        self._family = given.family_as_trained()
        require_semidefinite_functions(self.kernel, given)
        return given

    def _keep(self, X: Any, point: Point, used: Index) -> None:
        """Set the fitted attributes of what is learned from the examples X, those with the numbers `used` of all."""
        predictor, weights = point.predictor, point.facts["weights"]
        assert isinstance(predictor, Expansion)
        self._coef, self.intercept_ = predictor.coef, predictor.intercept
        self.weights_ = np.broadcast_to(weights, (len(self._coef), weights.shape[1])).copy()
        if self.kernel == "features":
            self.coef_ = self._coef
        else:
            with_part = predictor.with_part()
            self.support_ = used[with_part]
            self.n_support_ = len(self.support_)
            self._coef = self._coef[:, :, with_part]
            if self.kernel != "precomputed":
                self.support_vectors_ = X[with_part]
        keep_certificate(self, point.solutions, stacklevel=4)
        self.n_iter_ = max(1, sum(s.iterations for s in point.solutions))

    def _validate(self, X: Any, y: Any) -> tuple[Any, Any]:
        """Return checked training examples and labels."""
        if self.kernel != "precomputed":
            warn_of_rounded(self, X)
            self._columns = columns_of(self.kernel, X)
            X, y = validate_data(self, of_columns(self, X), y, dtype=np.float64, accept_sparse=self._sparse and "csr")
            self.n_examples_ = len(y)
            return X, y
        if issparse(X):
            raise UserError("kernel matrices must be a dense array of shape (p, n, n), this one is sparse")
        y = column_or_1d(y)
        X = np.asarray(X)[..., None] if getattr(X, "ndim", 0) == 2 else X  # one matrix is one kernel
        self._kernels_last = are_kernels_last(X)
        X = DenseStack.check(np.moveaxis(X, -1, 0) if self._kernels_last else X).K
        if X.shape[1] != len(y):
            raise UserError(f"kernel matrices of {X.shape[1]} examples do not fit {len(y)} labels")
        self.n_examples_ = len(y)
        return X, y

    def _used(self, X: Any, y: Any, sample_weight: Any) -> tuple[Any, Any, Array | None, Index]:
        """Return the examples of a weight > 0, their labels and weights, and their numbers; without weights all."""
        weights, used = positive_weights(sample_weight, y)
        if len(used) < len(y):
            X = X[:, used][:, :, used] if self.kernel == "precomputed" else X[used]
        return X, y[used], weights, used

    def _inputs_of(self, prepared: Prepared, X: Any) -> Any:
        X = self._examples(X)
        return prepared.problem.inputs.at(X[:, :, prepared.used] if self.kernel == "precomputed" else X)

    def _examples(self, X: Any) -> Any:
        if self.kernel == "precomputed":
            return self._new_matrices(X)
        X = of_columns(self, X, getattr(self, "feature_names_in_", None))
        return validate_data(self, X, dtype=np.float64, accept_sparse=self._sparse and "csr", reset=False)

    def _values(self, X: Any) -> Array:
        """Return f for every output, shape (n_outputs, n)."""
        check_is_fitted(self)
        X = self._examples(X)
        if self.kernel == "features":
            return Expansion(self._coef, self.intercept_).outputs(FeatureStack(X))
        n = X.shape[1] if self.kernel == "precomputed" else len(X)
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
        return self._fit(X, y)

    def _fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        prepared = self._prepare(X, y, sample_weight)
        of_some = () if sample_weight is None else (prepared.used, self.n_examples_)
        point = self._learn_with_proof(prepared.problem, prepared.values, *of_some)
        self._keep(prepared.X, point, prepared.used)
        warn_of_one_class(self, point.predictor.outputs(prepared.problem.inputs))
        return self._calibrated(X, y, sample_weight)

    def _prepare(self, X: Any, y: Any, sample_weight: Any = None) -> Prepared:
        values = self._check_parameters()
        if sample_weight is not None and self.class_weight is not None:
            raise UserError("class_weight: is not for fits with sample_weight; multiply the weights of the examples")
        X, y = self._validate(X, y)
        check_classification_targets(y)
        X, y, weights, used = self._used(X, y, sample_weight)
        values["counted"] = weights is not None
        self.classes_, index = several_classes(y)
        weights = example_weights(self.class_weight, self.classes_, index, weights)
        problem = Problem(self._kernels(X), Classes(index, len(self.classes_)), weights=weights)
        return Prepared(problem, values, X, used)


class WeightedCombinedClassifier(CombinedKernelClassifier):
    """Base of the classifiers among them whose examples can have weights; their paths take ``counted``."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the classifier.

        Parameters
        ----------
        X : array of shape (n, d), or of shape (n, n, p) or (p, n, n) if ``kernel="precomputed"``
        y : array of shape (n,)
            Class labels, at least two different ones.
        sample_weight : array of shape (n,), optional
            How often every example counts, >= 0: one of weight 2 is two examples, one of weight 0 is none.
            ``gammas="scale"`` has the variance of all examples of a weight > 0 alike.

        Raises
        ------
        ValueError
            If the input is not as described or a parameter is out of range.
        """
        return self._fit(X, y, sample_weight)

    def _given(self, values: Mapping[str, Any]) -> dict[str, Any]:
        return {"counted": True} if values.get("counted") else {}


class CombinedKernelRegressor(RegressorMixin, CombinedKernelEstimator):
    """Base of the regressors: kernel ridge regression with learned weights, of centred labels where ``centre``."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the regressor.

        Parameters
        ----------
        X : array of shape (n, d), or of shape (n, n, p) or (p, n, n) if ``kernel="precomputed"``
        y : array of shape (n,)
            Real labels.
        sample_weight : array of shape (n,), optional
            How often every example counts, >= 0: one of weight 2 is two examples, one of weight 0 is none.
            ``gammas="scale"`` has the variance of all examples of a weight > 0 alike.

        Raises
        ------
        ValueError
            If the input is not as described or a parameter is out of range.
        """
        prepared = self._prepare(X, y, sample_weight)
        of_some = () if sample_weight is None else (prepared.used, self.n_examples_)
        self._keep(prepared.X, self._learn_with_proof(prepared.problem, prepared.values, *of_some), prepared.used)
        return self

    def _prepare(self, X: Any, y: Any, sample_weight: Any = None) -> Prepared:
        values = self._check_parameters()
        X, y = self._validate(X, y)
        X, y, weights, used = self._used(X, real_labels(y), sample_weight)
        return Prepared(Problem(self._kernels(X), Reals(y), weights=weights), values, X, used)

    def predict(self, X: Any) -> Array:
        """Return the predicted values, shape (n,)."""
        return self._values(X)[0]
