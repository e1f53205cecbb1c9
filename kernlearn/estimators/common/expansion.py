"""What the estimators share: input checks, classes, the kernel expansion and its prediction."""

import warnings
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from kernlearn.algorithms.core.example_weights import balanced_factors
from kernlearn.algorithms.core.path import Point
from kernlearn.algorithms.core.predictor import Expansion
from kernlearn.algorithms.core.problem import Classes, Problem
from kernlearn.certificates.votes import SEPARABLE
from kernlearn.errors import UserError
from kernlearn.estimators.common.advice import warn_of_one_class, warn_of_rounded, warn_of_unlike_columns
from kernlearn.estimators.common.decisions import DecisionMixin
from kernlearn.estimators.common.fitting import MethodMixin
from kernlearn.estimators.common.kernels import check_kernel, family_of, is_given, require_semidefinite_functions
from kernlearn.estimators.common.widths import check_gamma, with_widths
from kernlearn.kernels import KernelFamily, require_semidefinite, rounding_of
from kernlearn.kernels.families.registry import precomputed
from kernlearn.kernels.matrices.streamed import kernel_stack
from kernlearn.parameters import Number
from kernlearn.solvers import Solution
from kernlearn.solvers.core.clock import allowed_seconds
from kernlearn.types import Array


def example_weights(
    class_weight: Any, classes: NDArray[Any], index: NDArray[np.intp], sample_weight: Array | None = None
) -> Array | None:
    """Return the factors of the losses of examples, those of their classes times their own; None if all are 1.

    Parameters
    ----------
    class_weight : "balanced", dict or None
        "balanced" gives all classes the same total, which leaves the total of all as it is; a dictionary has the
        factors of some classes, those of the others are 1.
    classes, index : arrays
        The classes, and which one an example has.
    sample_weight : array of shape (n,), optional
        All > 0.

    Raises
    ------
    UserError
        If `class_weight` is something else, or has a factor that is no number > 0.

    Warns
    -----
    UserWarning
        If it has a class that no example is of, as one fold of few may lack it.
    """
    if class_weight is None:
        return sample_weight
    weights = np.ones(len(index)) if sample_weight is None else sample_weight
    if isinstance(class_weight, str) and class_weight == "balanced":
        factors = balanced_factors(index, len(classes), weights)
    elif isinstance(class_weight, Mapping):
        if absent := [name for name in class_weight if name not in classes.tolist()]:
            warnings.warn(
                f"class_weight: no example is of class {', '.join(map(repr, absent))}, whose weight has no effect; "
                f"the classes are {', '.join(map(repr, classes.tolist()))}",
                UserWarning,
                stacklevel=4,
            )
        number = Number(positive=True)
        factors = np.array([number.check(f"class_weight[{c!r}]", class_weight.get(c, 1.0)) for c in classes.tolist()])
    else:
        raise UserError(f"class_weight={class_weight}: must be 'balanced', a dictionary or None")
    return weights * factors[index]


def seed_of(random_state: Any) -> int:
    """Return the seed that a ``random_state`` is, or one that it, or numpy's global state for None, draws.

    Raises
    ------
    UserError
        If it is neither a whole number from 0 to 2^32 - 1, nor a ``RandomState``, nor None.
    """
    if random_state is None or isinstance(random_state, np.random.RandomState):
        return int(check_random_state(random_state).randint(2**31))
    return int(Number(low=0, high=2**32 - 1, integer=True).check("random_state", random_state))


def several_classes(y: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Return the classes, sorted, and which one an example has, or raise `UserError` if there is one only."""
    classes, index = np.unique(y, return_inverse=True)
    if len(classes) < 2:
        known = ", ".join(map(repr, classes.tolist()))
        raise UserError(f"the labels have one class only ({known}); a classifier needs two or more")
    return classes, index


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


class KernelExpansionClassifier(MethodMixin, DecisionMixin, ClassifierMixin, BaseEstimator):
    """Base of classifiers ``f(x) = sum_k sum_j a_kj K_k(x, x_j) + b``; subclasses name the method that learns them."""

    #: Factors of the losses of classes, of those that have the parameter.
    class_weight: Any = None
    #: What a person may do about a solution that is not optimal, as the end of the warning.
    _advice = ""
    #: Whether it takes families of one kernel only.
    _single = False
    #: Whether its problem is convex for positive semidefinite kernels only, with a multiplier of every example.
    _semidefinite = True

    @abstractmethod
    def _family_parameters(self) -> dict[str, Any]:
        """Return ``degrees``, ``gammas`` and ``coef0``."""

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
        return self._fit(X, y, self.class_weight)

    def _fit(self, X: Any, y: Any, class_weight: Any = None, sample_weight: Any = None, unlabelled: Any = None) -> Self:
        check_kernel(self.kernel)
        values = self._check_parameters()
        rounding = rounding_of(X) if self._pairwise else 0.0
        if not self._pairwise:
            warn_of_rounded(self, X)
        X, y = validate_data(self, X, y, dtype=np.float64, order="C")
        check_classification_targets(y)
        if self._pairwise and X.shape[0] != X.shape[1]:
            raise UserError(f"a precomputed kernel must be a square matrix, this one has the shape {X.shape}")
        if self._pairwise and self._semidefinite:
            X = require_semidefinite(X, "the precomputed kernel", rounding)
        used = np.arange(len(y))
        if sample_weight is not None:
            sample_weight = _check_sample_weight(sample_weight, X, ensure_non_negative=True)
            used = np.flatnonzero(sample_weight)  # an example of weight 0 is none
            sample_weight, y = sample_weight[used], y[used]
        self.classes_, index = several_classes(y)
        weights = example_weights(class_weight, self.classes_, index, sample_weight)
        self._family = self._make_family(X[used])
        if unlabelled is not None:  # the examples after those with labels
            if self._pairwise:
                raise UserError("kernel=precomputed: has no values for examples without labels; give a kernel's name")
            unlabelled = validate_data(self, unlabelled, dtype=np.float64, order="C", reset=False)
            X, used = np.concatenate([X, unlabelled]), np.append(used, len(X) + np.arange(len(unlabelled)))
        if not self._pairwise and not is_given(self.kernel):
            warn_of_unlike_columns(self, X)
        examples = X[np.ix_(used, used)] if self._pairwise else X[used]
        stack = kernel_stack(self._family, examples, examples, self._method.held)
        self._family = stack.family_as_trained()
        if self._semidefinite:
            require_semidefinite_functions(self.kernel, stack)
        labelled = None if unlabelled is None else np.arange(len(index))
        problem = Problem(stack, Classes(index, len(self.classes_)), labelled, weights=weights)
        point = self._learn_with_proof(problem, values, used[: len(index)])
        self._keep_predictor(point, X, used)
        warn_of_one_class(self, point.predictor.outputs(stack)[:, : len(index)])
        keep_certificate(self, point.solutions, advice=self._advice)
        self.n_iter_ = max(1, sum(s.iterations for s in point.solutions))
        return self

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

    def _values(self, X: Any) -> Array:
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, order="C", reset=False)
        if not self.n_support_:
            return np.repeat(self.intercept_[:, None], len(X), axis=1)
        if self._pairwise:
            X = X[:, self.support_]
        stack = kernel_stack(self._family, X, self.support_vectors_)
        return Expansion(self._coef, self.intercept_).outputs(stack)

    @property
    def _pairwise(self) -> bool:
        return isinstance(self.kernel, str) and self.kernel == "precomputed"

    def _make_family(self, X: Any) -> KernelFamily:
        """Return the kernels, with the widths that they have on training examples."""
        given = with_widths(self, self._family_parameters(), X)
        return precomputed() if self._pairwise else family_of(self.kernel, given, single=self._single)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self._pairwise
        # Powers of inner products want scaled examples. On those of scikit-learn's check of class weights, which are
        # not, no SVM with them scores what is asked for: SVC(kernel="poly", gamma=1, coef0=1) does not.
        tags.classifier_tags.poor_score = self._single and str(self.kernel).startswith("poly")
        return tags


class SingleKernelClassifier(KernelExpansionClassifier):
    """Base of the classifiers that use one kernel of a family."""

    _single = True

    def _family_parameters(self) -> dict[str, Any]:
        degree = Number(low=1, integer=True).check("degree", self.degree)
        return {"degrees": [degree], "gammas": [check_gamma("gamma", self.gamma)], "coef0": self.coef0}
