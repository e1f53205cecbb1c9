"""The linear soft-margin SVM on features, sparse and many: the problem of `algo=sgd_svm` to a certified gap.

Problem and method are those of `kernlearn.solvers.svm.linear_svm`; no kernel matrix is formed. Source: Shalev-Shwartz
and Ben-David (2014), Understanding Machine Learning, section 15.5; Shalev-Shwartz and Zhang (2013).
"""

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from kernlearn.algorithms.common.reductions import signs
from kernlearn.algorithms.core.predictor import Expansion
from kernlearn.algorithms.margin.perceptron import CONSTANT
from kernlearn.certificates.linear import linear_svm
from kernlearn.estimators.common.advice import warn_of_one_class, warn_of_rounded, warn_of_unlike_columns
from kernlearn.estimators.common.decisions import DecisionMixin
from kernlearn.estimators.common.expansion import keep_certificate
from kernlearn.estimators.common.fitting import Solved
from kernlearn.estimators.common.labels import seed_of, several_classes
from kernlearn.kernels import FeatureStack
from kernlearn.parameters import Number, Parameter, check_attributes
from kernlearn.solvers.core.solution import certified
from kernlearn.solvers.svm.linear_svm import solve_linear_svm
from kernlearn.types import Array

PARAMETERS: dict[str, Parameter] = {
    "lambda_": Parameter(1e-4, Number(positive=True), "weight of half the squared norm"),
    "constant": CONSTANT,
    "tol": Parameter(1e-3, Number(low=1e-12, high=1.0), "relative duality gap"),
    "max_sweeps": Parameter(
        100_000, Number(low=1, high=10**9, integer=True), "over all examples, after which it stops"
    ),
}
#: What helps where sweeps were not enough.
ADVICE = "; standardise the features, or raise max_sweeps or lambda_"


@dataclass(eq=False, repr=False)
class LinearSVMClassifier(DecisionMixin, ClassifierMixin, BaseEstimator):
    """The linear soft-margin SVM as a scikit-learn classifier, for many sparse examples, with a certificate.

    More than two classes are learned one-vs-rest.

    Parameters
    ----------
    lambda_ : float > 0
        Weight of half the squared norm beside the mean hinge loss; of scikit-learn's `LinearSVC` with
        ``loss="hinge"`` it is ``1 / (C n)``.
    constant : float >= 0
        Value of an extra constant feature, whose weight is the intercept; with 0 there is no intercept.
    tol : float
        Relative duality gap to reach.
    max_sweeps : int
        Sweeps over all examples after which it stops, and `fit` warns. Many are needed if `lambda_` is small, and most
        if features have different scales or are far from zero. With up to 3000 examples an active-set method takes over
        after 300 sweeps. With more examples, standardise such features.
    random_state : int, RandomState or None
        The seed of the order of steps.
    probability : bool
        Whether `fit` also learns probabilities for `predict_proba`, from decision values of held-out rows.

    Attributes
    ----------
    classes_ : array
    coef_ : array of shape (1, d) or (n_classes, d)
    intercept_ : array of shape (1,) or (n_classes,)
    objective_, dual_objective_, gap_ : float
        As defined in `kernlearn.solvers.svm.linear_svm`: sums over the classes, and the largest gap.
    n_iter_ : int
        The number of sweeps; with more than two classes, the largest.
    """

    _declared = PARAMETERS

    lambda_: float = 1e-4
    constant: float = 1.0
    tol: float = 1e-3
    max_sweeps: int = 100_000
    random_state: Any = 0
    probability: bool = False

    def fit(self, X: Any, y: Any) -> Self:
        """Fit the classifier.

        Parameters
        ----------
        X : array or sparse matrix of shape (n, d)
        y : array of shape (n,)
            Class labels, at least two different ones.

        Raises
        ------
        ValueError
            If the input is not as described or a parameter is out of range.
        """
        check_attributes(self, self._declared)
        warn_of_rounded(self, X)
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=np.float64)
        check_classification_targets(y)
        self.classes_, index = several_classes(y)
        warn_of_unlike_columns(self, X)
        rows = sparse.csr_array(X)
        if self.constant:
            feature = sparse.csr_array(np.full((len(y), 1), float(self.constant)))
            rows = sparse.hstack([rows, feature], format="csr")
        lambda_, tol = float(self.lambda_), float(self.tol)
        order = {"max_sweeps": int(self.max_sweeps), "seed": seed_of(self.random_state)}
        solutions = [solve_linear_svm(rows, s, lambda_, tol, **order) for s in signs(index, len(self.classes_))]
        w = np.stack([solution.x for solution in solutions])
        self.coef_, self.intercept_ = w[:, : X.shape[1]], self.constant * w[:, X.shape[1] :].sum(axis=1)
        values = self._outputs(X)
        warn_of_one_class(self, values)
        pairs = zip(solutions, signs(index, len(self.classes_)), values, strict=True)
        solutions = [
            certified(one, linear_svm(rows, s, one.x, f, one.dual / lambda_, lambda_), tol) for one, s, f in pairs
        ]
        proved = tuple(replace(solution, seconds=0.0) for solution in solutions)
        self._proof = Solved("linear_svm", {"constant": float(self.constant)}, {"lambda": lambda_}, proved)
        keep_certificate(self, solutions, advice=ADVICE)
        self.n_iter_ = max(1, *(solution.iterations for solution in solutions))
        return self._calibrated(X, y)

    def _values(self, X: Any) -> Array:
        check_is_fitted(self)
        return self._outputs(validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False))

    def _outputs(self, X: Any) -> Array:
        """Return the values of the hyperplanes for checked features."""
        return Expansion(self.coef_, self.intercept_).outputs(FeatureStack(X))

    def __sklearn_is_fitted__(self) -> bool:
        # A parameter such as ``lambda_`` ends like a fitted attribute, which the usual check would take for one.
        return hasattr(self, "classes_")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
