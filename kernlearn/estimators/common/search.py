"""Estimators that choose their parameters by cross-validation: one path over the grid of a method on every fold."""

import warnings
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from joblib import Parallel, delayed
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin, clone, is_classifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import check_cv
from sklearn.utils import indexable
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

from kernlearn.certificates.votes import SEPARABLE
from kernlearn.errors import UserError
from kernlearn.estimators.common.decisions import DecisionMixin
from kernlearn.estimators.common.declare import OWN, declare
from kernlearn.estimators.common.fitting import own_fit
from kernlearn.estimators.common.kernels import sliceable
from kernlearn.estimators.common.scoring import Path, fold_of, path_scores, scorer_of, table_of
from kernlearn.parameters import Number, plain, shown
from kernlearn.types import Array, Index

#: As many processes as there are are meant by -1, one less by -2.
JOBS = Number(low=-1024, high=1024, integer=True, optional=True)
#: Attributes of the estimator that was fitted on all rows which are those of the search, too.
SHARED = (
    "probA_",
    "probB_",
    "classes_",
    "n_features_in_",
    "feature_names_in_",
    "n_iter_",
    "objective_",
    "dual_objective_",
    "gap_",
)


class PathSearch(BaseEstimator):
    """Base of the estimators that choose from a grid by cross-validation.

    The path of the method solves the whole grid of a fold, each point from the one before. Scores are those that
    scikit-learn's `GridSearchCV` gives for the same estimator and the same folds, up to the tolerance of the solver.
    """

    #: The estimator that parameters are chosen for, and the names here of those of its parameters that are lists.
    _of: ClassVar[type[Any]]
    _lists: ClassVar[Mapping[str, str]]
    cv: Any
    scoring: Any
    n_jobs: int | None

    if TYPE_CHECKING:  # `declare` makes that of every class

        def __init__(self, *args: Any, **kwargs: Any) -> None: ...

    def __init_subclass__(cls, of: type[Any] | None = None, single: Sequence[str] = (), **options: Any):
        super().__init_subclass__(**options)
        if of is not None:
            declare(cls, of, single)
            own_fit(cls)

    def fit(self, X: Any, y: Any, *, groups: Any = None) -> Self:
        """Choose the parameters by cross-validation, then fit on all rows.

        Parameters
        ----------
        X : array of shape (n, d)
            Or kernel matrices, as the estimator itself takes them.
        y : array of shape (n,)
            Labels.
        groups : array of shape (n,), optional
            For a splitter in `cv` that keeps groups together, such as ``GroupKFold``; a number of folds ignores them.

        Raises
        ------
        ValueError
            If the input is not as described or a parameter is out of range.
        """
        return self._search(X, y, groups)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the score of `scoring`, by default the accuracy or R2, of the best estimator, as `GridSearchCV` does.

        Parameters
        ----------
        X : array of shape (n, d)
        y : array of shape (n,)
        sample_weight : array of shape (n,), optional
        """
        check_is_fitted(self)
        options = {} if sample_weight is None else {"sample_weight": sample_weight}
        return float(self.scorer_(self.best_estimator_, X, y, **options))

    def _search(self, X: Any, y: Any, groups: Any, sample_weight: Any = None) -> Self:
        n_jobs = JOBS.check("n_jobs", self.n_jobs)
        if n_jobs == 0:
            raise UserError("n_jobs=0: must be at least 1, or -1 for all processors")
        outer, inner, base = self._grid()
        given = sliceable(base, X)
        if y is None:
            raise UserError(f"{type(self).__name__} requires y to be passed, but the target y is None")
        given, y, groups = indexable(given, y, groups)
        weights = None if sample_weight is None else _check_sample_weight(sample_weight, given)
        scorer = scorer_of(base, self.scoring)
        splits = _splits(base, self.cv, given, y, groups)
        folds = [fold_of(base, given, y, weights, train, test) for train, test in splits]
        run = delayed(partial(path_scores, grid=inner, scorer=scorer))
        jobs = (run(clone(base).set_params(**place), place, fold) for place in outer for fold in folds)
        paths: list[Path] = Parallel(n_jobs=n_jobs)(jobs)
        self.cv_results_ = table_of([paths[k : k + len(folds)] for k in range(0, len(paths), len(folds))])
        means = self.cv_results_["mean_test_score"]
        if np.isnan(means).all():
            raise UserError(f"scoring={shown(self.scoring)}: is NaN for every point of the grid; use another score")
        self.best_index_ = int(np.nanargmax(means))  # of equal ones the first: the strongest penalty
        self.best_params_ = self.cv_results_["params"][self.best_index_]
        self.best_score_ = float(means[self.best_index_])
        self.n_splits_, self.scorer_ = len(folds), scorer
        best = self._estimator(self.best_params_)
        self.best_estimator_ = best.fit(X, y) if weights is None else best.fit(X, y, sample_weight=weights)
        for name in SHARED:
            self.__dict__.pop(name, None)  # of a fit before
            if hasattr(self.best_estimator_, name):
                setattr(self, name, getattr(self.best_estimator_, name))
        self._warn_of_gaps([status for path in paths for status in path.statuses])
        return self

    def _grid(self) -> tuple[list[dict[str, Any]], dict[str, list[Any]], Any]:
        """Return kernels to choose from, the grid of the method for each of them, and the estimator with some point."""
        lists = {name: _values_of(key, getattr(self, key)) for name, key in self._lists.items()}
        base, inner = self._estimator({}), {}
        base._check_parameters()
        for key, parameter in base._method.parameters.items():
            if parameter.single in lists:
                inner[parameter.single] = parameter.kind.check(key, lists.pop(parameter.single))
        usual = self._of().get_params(deep=False)
        several = {name: values for name, values in lists.items() if len(values) > 1 or values[0] != usual[name]}
        outer = [dict(zip(several, chosen, strict=True)) for chosen in product(*several.values())]
        return outer, inner, base

    def _warn_of_gaps(self, statuses: list[str]) -> None:
        wrong = [status for status in statuses if status not in ("optimal", SEPARABLE)]
        if wrong:
            warnings.warn(
                f"{type(self).__name__}: {len(wrong)} of {len(statuses)} fits of the folds stopped before their "
                f"tolerance ({wrong[0]}); cv_results_['max_gap'] has their gaps",
                ConvergenceWarning,
                stacklevel=4,
            )

    def _estimator(self, chosen: Mapping[str, Any]) -> Any:
        """Return the estimator itself, not fitted, with some chosen parameters and the first values of others."""
        own = {*OWN, *self._lists.values()}
        same = {key: value for key, value in self.get_params(deep=False).items() if key not in own}
        first = {name: _values_of(key, getattr(self, key))[0] for name, key in self._lists.items()}
        return self._of(**same, **{**first, **chosen})

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "best_estimator_")

    def __sklearn_tags__(self) -> Any:
        return self._estimator({}).__sklearn_tags__()


class ClassifierSearch(DecisionMixin, ClassifierMixin, PathSearch):
    """Base of the classifiers among them; folds are stratified unless `cv` says otherwise."""

    score = PathSearch.score  # not that of the mixin, which is the accuracy whatever `scoring` is

    def _values(self, X: Any) -> Array:
        check_is_fitted(self)
        values: Array = self.best_estimator_._values(X)
        return values

    def __sklearn_tags__(self) -> Any:
        return PathSearch.__sklearn_tags__(self)  # those of the estimator, without what the mixin says of any


class RegressorSearch(RegressorMixin, PathSearch):
    """Base of the regressors among them."""

    score = PathSearch.score

    def predict(self, X: Any) -> Array:
        """Return the predicted values, shape (n,)."""
        check_is_fitted(self)
        values: Array = self.best_estimator_.predict(X)
        return values


class Weighted(PathSearch):
    """Adds weights of examples to `fit`."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None, *, groups: Any = None) -> Self:
        """Choose the parameters by cross-validation, then fit on all rows.

        Parameters
        ----------
        X : array of shape (n, d)
            Or kernel matrices, as the estimator itself takes them.
        y : array of shape (n,)
            Labels.
        sample_weight : array of shape (n,), optional
            How often every example counts, >= 0, in the fits and, unless `scoring` is a function of your own without
            ``sample_weight``, in the scores. ``"scale"`` in `gammas` has the variance of all examples alike.
        groups : array of shape (n,), optional
            For a splitter in `cv` that keeps groups together, such as ``GroupKFold``; a number of folds ignores them.

        Raises
        ------
        ValueError
            If the input is not as described or a parameter is out of range.
        """
        return self._search(X, y, groups, sample_weight)


def _values_of(key: str, given: Any) -> list[Any]:
    """Return values to choose from as a list, or raise `UserError` if there are none."""
    values = plain(given)
    if not isinstance(values, list) or not values:
        raise UserError(f"{key}={shown(given)}: must be a list of values to choose from, such as [1, 2]")
    return values


def _splits(base: Any, cv: Any, X: Any, y: Any, groups: Any) -> list[tuple[Index, Index]]:
    """Return the training and the test rows of every fold, or raise `UserError` if there are none."""
    try:
        pairs = check_cv(cv, y, classifier=is_classifier(base)).split(X, y, groups)
        splits = [(np.arange(len(y))[train], np.arange(len(y))[test]) for train, test in pairs]
    except (TypeError, ValueError, IndexError) as error:
        raise UserError(f"cv={shown(cv)}: {' '.join(str(error).split())}") from error
    if not splits:
        raise UserError(f"cv={shown(cv)}: has no split")
    return splits
