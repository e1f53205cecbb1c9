"""What the estimators share: input checks, classes, the kernel expansion and its prediction."""

import warnings
from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_array
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from kernlearn.algorithms.core.path import Point
from kernlearn.algorithms.core.predictor import Expansion
from kernlearn.algorithms.core.problem import Classes, Problem, Reals
from kernlearn.certificates.votes import SEPARABLE
from kernlearn.errors import UserError
from kernlearn.estimators.common.advice import warn_of_one_class, warn_of_rounded, warn_of_unlike_columns
from kernlearn.estimators.common.decisions import DecisionMixin
from kernlearn.estimators.common.fitting import MethodMixin, Prepared
from kernlearn.estimators.common.kernels import (
    are_kernels_last,
    check_kernel,
    columns_of,
    family_of,
    is_given,
    is_of_columns,
    kernels_first,
    of_columns,
    require_semidefinite_functions,
)
from kernlearn.estimators.common.labels import example_weights, positive_weights, real_labels, several_classes
from kernlearn.estimators.common.widths import check_gamma, with_widths
from kernlearn.kernels import GramStack, KernelFamily, require_semidefinite, rounding_of
from kernlearn.kernels.families.vectors import precomputed
from kernlearn.kernels.matrices.streamed import kernel_stack
from kernlearn.parameters import Number
from kernlearn.solvers import Solution
from kernlearn.solvers.core.clock import allowed_seconds
from kernlearn.types import Array


def keep_certificate(estimator: Any, solutions: Sequence[Solution], stacklevel: int = 3, advice: str = "") -> None:
    """Set objective, dual objective and gap of an estimator: sums and the largest; warn where one is not optimal.

    The warning ends with an advice. One vote that has every example right is as good as there is, though no finite
    weight of it is optimal: there is no warning.
    """
    estimator.objective_ = float(sum(s.objective for s in solutions))
    estimator.dual_objective_ = float(sum(s.dual_objective for s in solutions))
    estimator.gap_ = float(max(s.gap for s in solutions))
    if wrong := [s.status for s in solutions if s.status not in ("optimal", SEPARABLE)]:
        if any(s.status == "capped" and s.seconds >= allowed_seconds() for s in solutions):
            advice = ", as its time was over"
        words = f"{type(estimator).__name__} stopped at a gap of {estimator.gap_:.1e}: {wrong[0]}{advice}"
        warnings.warn(words, ConvergenceWarning, stacklevel=stacklevel)


class KernelExpansion(MethodMixin, BaseEstimator):
    """Base of estimators ``f(x) = sum_k sum_j a_kj K_k(x, x_j) + b``; subclasses name the method that learns them."""

    _family: KernelFamily
    #: What a person may do about a solution that is not optimal, as the end of the warning.
    _advice = ""
    #: Whether it takes families of one kernel only.
    _single = False
    #: Whether its problem is convex for positive semidefinite kernels only, with a multiplier of every example.
    _semidefinite = True

    @abstractmethod
    def _family_parameters(self) -> dict[str, Any]:
        """Return ``degrees``, ``gammas`` and ``coef0``."""

    def _validate(self, X: Any, y: Any) -> tuple[Any, Any]:
        """Return checked training examples and labels; several kernel matrices have the shape (n, n, p)."""
        check_kernel(self.kernel)
        rounding = rounding_of(X) if self._pairwise else 0.0
        if not self._pairwise:
            warn_of_rounded(self, X)
        self._columns = columns_of(self.kernel, X)
        if self._takes_several:
            X = check_array(X, dtype=np.float64, allow_nd=True)
            self._kernels_last = X.ndim < 3 or are_kernels_last(X)
            X = X if self._kernels_last else np.moveaxis(X, 0, -1)
            self._several = X.shape[2:]
        X = of_columns(self, X)
        X, y = validate_data(self, X, y, dtype=np.float64, order="C", allow_nd=self._takes_several)
        if self._pairwise and (X.shape[0] != X.shape[1] or X.ndim > 3):
            raise UserError(f"a precomputed kernel must be a square matrix, this one has the shape {X.shape}")
        if self._pairwise and self._semidefinite:
            X = require_semidefinite(X, "the precomputed kernel", rounding)
        return X, y

    def _stack(self, X: Any, used: NDArray[np.intp]) -> GramStack:
        """Return the kernels of some of the examples, with the family that `_make_family` has made of them."""
        if not (self._pairwise or is_given(self.kernel) or is_of_columns(self.kernel)):
            warn_of_unlike_columns(self, X)
        examples = X[np.ix_(used, used)] if self._pairwise else X[used]
        examples = kernels_first(examples)
        stack = kernel_stack(self._family, examples, examples, self._method.max_matrix_bytes)
        self._family = stack.family_as_trained()
        if self._semidefinite:
            require_semidefinite_functions(self.kernel, stack)
        return stack

    def _keep_predictor(self, point: Point, X: NDArray[Any], used: NDArray[np.intp]) -> None:
        """Keep the examples that an output has a part of, those of `X` with the indices `used` in all."""
        predictor = point.predictor
        assert isinstance(predictor, Expansion)
        with_part = predictor.with_part()
        self.support_ = used[with_part]
        self.n_support_ = len(self.support_)
        self.support_vectors_ = X[np.ix_(self.support_, self.support_)] if self._pairwise else X[self.support_]
        self._coef = predictor.coef[:, :, with_part]
        self.dual_coef_ = self._coef[0] if len(self._coef) == 1 else self._coef
        self.intercept_ = predictor.intercept

    def _examples(self, X: Any) -> Any:
        if self._takes_several:
            X = check_array(X, dtype=np.float64, allow_nd=True)
            X = X if self._kernels_last else np.moveaxis(X, 0, -1)
            if X.shape[2:] != self._several:
                raise UserError(f"kernel matrices of new examples must be as many as in fit: {len(self._family)}")
        X = of_columns(self, X, getattr(self, "feature_names_in_", None))
        return validate_data(self, X, dtype=np.float64, order="C", allow_nd=self._takes_several, reset=False)

    def _inputs_of(self, prepared: Prepared, X: Any) -> Any:
        X = self._examples(X)
        return prepared.problem.inputs.at(kernels_first(X[:, prepared.used]) if self._pairwise else X)

    def _outputs(self, X: Any) -> Array:
        """Return f for every output, shape (n_outputs, n)."""
        check_is_fitted(self)
        X = self._examples(X)
        if not self.n_support_:
            return np.repeat(self.intercept_[:, None], len(X), axis=1)
        if self._pairwise:
            X = X[:, self.support_]
        stack = kernel_stack(self._family, kernels_first(X), kernels_first(self.support_vectors_))
        return Expansion(self._coef, self.intercept_).outputs(stack)

    @property
    def _pairwise(self) -> bool:
        return isinstance(self.kernel, str) and self.kernel == "precomputed"

    @property
    def _takes_several(self) -> bool:
        return self._pairwise and not self._single

    def _make_family(self, X: Any) -> KernelFamily:
        """Return the kernels, with the widths that they have on training examples."""
        given = with_widths(self, self._family_parameters(), X)
        if self._pairwise:
            return precomputed(X.shape[2] if X.ndim == 3 else None)
        if is_of_columns(self.kernel):
            family: KernelFamily = self.kernel.family(X, self._columns)
            if self._single and len(family) > 1:
                raise UserError(f"kernel: {len(family)} groups of columns are given, and the estimator has one kernel")
            return family
        return family_of(self.kernel, given, single=self._single)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self._pairwise
        tags.input_tags.three_d_array = self._takes_several
        return tags


class KernelExpansionClassifier(DecisionMixin, ClassifierMixin, KernelExpansion):
    """Base of the classifiers among them; more than two classes by one-versus-rest, unless a method takes them all."""

    #: Factors of the losses of classes, of those that have the parameter.
    class_weight: Any = None
    #: Whether its loss is a mean over the examples, and not a sum.
    _mean_loss = False

    def fit(self, X: Any, y: Any) -> Self:
        """Fit the classifier.

        Parameters
        ----------
        X : array of shape (n, d), or the Gram matrix of shape (n, n) if ``kernel="precomputed"``
        y : array of shape (n,)
            Class labels, at least two different ones.

        Raises
        ------
        ValueError
            If the input is not as described or a parameter is out of range.
        """
        return self._fit(self._prepare(X, y))._calibrated(X, y)

    def _prepare(self, X: Any, y: Any, sample_weight: Any = None, unlabelled: Any = None) -> Prepared:
        values = self._check_parameters()
        X, y = self._validate(X, y)
        check_classification_targets(y)
        weights, used = positive_weights(sample_weight, y)
        values["counts"] = weights
        if weights is not None and self._mean_loss:
            weights = weights / weights.mean()
        self.classes_, index = several_classes(y[used])
        weights = example_weights(self.class_weight, self.classes_, index, weights)
        self._family = self._make_family(X[used])
        if unlabelled is not None:  # the examples after those with labels
            if self._pairwise:
                raise UserError("kernel=precomputed: has no values for examples without labels; give a kernel's name")
            unlabelled = validate_data(self, unlabelled, dtype=np.float64, order="C", reset=False)
            X, used = np.concatenate([X, unlabelled]), np.append(used, len(X) + np.arange(len(unlabelled)))
        stack = self._stack(X, used)
        labelled = None if unlabelled is None else np.arange(len(index))
        problem = Problem(stack, Classes(index, len(self.classes_)), labelled, weights=weights)
        return Prepared(problem, values, X, used)

    def _fit(self, prepared: Prepared) -> Self:
        problem, n_unlabelled = prepared.problem, len(prepared.used) - len(prepared.problem.y)
        rows, n_rows = prepared.used[: len(problem.y)], len(prepared.X) - n_unlabelled
        point = self._learn_with_proof(problem, prepared.values, rows, n_rows)
        self._keep_predictor(point, prepared.X, prepared.used)
        warn_of_one_class(self, point.predictor.outputs(problem.inputs)[:, : len(problem.y)])
        keep_certificate(self, point.solutions, advice=self._advice)
        self.n_iter_ = max(1, sum(s.iterations for s in point.solutions))
        return self

    def _values(self, X: Any) -> Array:
        return self._outputs(X)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        # Powers of inner products want scaled examples. On those of scikit-learn's check of class weights, which are
        # not, no SVM with them scores what is asked for: SVC(kernel="poly", gamma=1, coef0=1) does not.
        tags.classifier_tags.poor_score = self._single and str(self.kernel).startswith("poly")
        return tags


class WeightedClassifier(KernelExpansionClassifier):
    """Base of the classifiers whose examples can have weights."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the classifier.

        Parameters
        ----------
        X : array of shape (n, d), or the Gram matrix of shape (n, n) if ``kernel="precomputed"``
        y : array of shape (n,)
            Class labels, at least two different ones.
        sample_weight : array of shape (n,), optional
            How often every example counts, >= 0: one of weight 2 is the same as two examples, one of weight 0 as none.
            ``gamma="scale"`` has the variance of all examples of a weight > 0 alike.

        Raises
        ------
        ValueError
            If the input is not as described or a parameter is out of range.
        """
        return self._fit(self._prepare(X, y, sample_weight))._calibrated(X, y, sample_weight)


class OneKernel(KernelExpansion):
    """Base of the estimators that use one kernel of a family."""

    _single = True

    def _family_parameters(self) -> dict[str, Any]:
        degree = Number(low=1, integer=True).check("degree", self.degree)
        return {"degrees": [degree], "gammas": [check_gamma("gamma", self.gamma)], "coef0": self.coef0}


class SingleKernelClassifier(OneKernel, KernelExpansionClassifier):
    """Base of the classifiers that use one kernel of a family."""


class SingleKernelRegressor(RegressorMixin, OneKernel):
    """Base of the regressors that use one kernel of a family."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the regressor.

        Parameters
        ----------
        X : array of shape (n, d), or the Gram matrix of shape (n, n) if ``kernel="precomputed"``
        y : array of shape (n,)
            Real labels.
        sample_weight : array of shape (n,), optional
            How often every example counts, >= 0: one of weight 2 is two examples, one of weight 0 is none.
            ``gamma="scale"`` has the variance of all examples of a weight > 0 alike.

        Raises
        ------
        ValueError
            If the input is not as described or a parameter is out of range.
        """
        prepared = self._prepare(X, y, sample_weight)
        point = self._learn_with_proof(prepared.problem, prepared.values, prepared.used, len(prepared.X))
        self._keep_predictor(point, prepared.X, prepared.used)
        keep_certificate(self, point.solutions, advice=self._advice)
        return self

    def _prepare(self, X: Any, y: Any, sample_weight: Any = None) -> Prepared:
        values = self._check_parameters()
        X, y = self._validate(X, y)
        y = real_labels(y)
        weights, used = positive_weights(sample_weight, y)
        self._family = self._make_family(X[np.ix_(used, used)] if self._pairwise else X[used])
        return Prepared(Problem(self._stack(X, used), Reals(y[used]), weights=weights), values, X, used)

    def predict(self, X: Any) -> Array:
        """Return the predicted values, shape (n,)."""
        return self._outputs(X)[0]
