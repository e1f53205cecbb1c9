"""Signatures and docstrings of the estimators that choose parameters, made from those of the estimators themselves."""

from collections.abc import Callable, Sequence
from inspect import Parameter as Argument
from inspect import Signature, signature
from textwrap import fill
from typing import Any

#: Parameters of kernels with a list of values to choose from, where an estimator has one kernel.
OF_KERNELS = {"degree": "degrees", "gamma": "gammas"}
#: Parameters of every search beside those of the estimator.
OWN = ("cv", "scoring", "n_jobs")
DOC = """{summary}

On each fold one path solves the whole grid: each solve starts from the previous solution. The scores are those of
scikit-learn's `GridSearchCV` with `kernlearn.{of}` and the same folds, up to `tol`. If several points have the best
mean score, the one with the strongest penalty is chosen.

`kernlearn.save` writes `best_estimator_` and the chosen parameters.

Parameters
----------
{parameters}
cv : int, splitter or iterable, optional
    As for scikit-learn's `GridSearchCV`: a number of folds, by default 5, {folds}a splitter, or pairs of training and
    test rows.
scoring : str or callable, optional
    The name of one score of scikit-learn, or ``f(estimator, X, y)``; the estimator has {has} only. By default
    {default}. The method `score` uses it, too.
n_jobs : int, optional
    The number of folds that are solved at the same time.

Attributes
----------
best_params_ : dict
best_score_ : float
    The mean score of the folds.
best_index_ : int
    The index of the best point in `cv_results_`.
cv_results_ : dict of arrays
    Points of the grid (``params``, ``param_*``), their scores (``split*_test_score``, ``mean_test_score``,
    ``std_test_score``, ``rank_test_score``), and the largest relative duality gap of their fits (``max_gap``).
best_estimator_ : {of}
    Fitted on all rows with the best parameters.
n_splits_ : int
scorer_ : callable
{shared}
    As of `best_estimator_`.
"""


def declare(cls: Any, of: type[Any], single: Sequence[str] = ()) -> None:
    """Give a class the parameters of an estimator, with lists of values in the place of those that have a grid.

    Parameters
    ----------
    cls : subclass of `kernlearn.estimators.common.search.PathSearch`
    of : type
        The estimator.
    single : sequence of str
        Its parameters that have a grid in configurations and keep one value here.
    """
    declared = {parameter.single: (key, parameter.default) for key, parameter in of._declared.items()}
    arguments: list[Argument] = []
    lists: dict[str, str] = {}
    for name, argument in list(signature(of.__init__).parameters.items()):
        if name in declared and name and name not in single:
            key, default = declared[name]
            lists[name] = key
            argument = argument.replace(name=key, default=tuple(default), annotation=Argument.empty)
        elif name in OF_KERNELS:
            lists[name] = OF_KERNELS[name]
            argument = argument.replace(name=lists[name], default=(argument.default,), annotation=Argument.empty)
        arguments.append(argument)
    arguments += [Argument(name, Argument.KEYWORD_ONLY, default=None) for name in OWN]
    cls._of, cls._lists = of, lists
    cls.__init__ = _initialiser(Signature(arguments))
    cls.__doc__ = _doc(cls, of, [argument.name for argument in arguments[1 : -len(OWN)]])


def _initialiser(signature_of_class: Signature) -> Callable[..., None]:
    """Return an ``__init__`` that keeps its arguments, with the signature that scikit-learn and ``help`` read."""

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        bound = signature_of_class.bind(self, *args, **kwargs)
        bound.apply_defaults()
        vars(self).update({name: value for name, value in bound.arguments.items() if name != "self"})

    vars(__init__)["__signature__"] = signature_of_class
    return __init__


def _doc(cls: Any, of: type[Any], names: list[str]) -> str:
    same = [name for name in names if name not in cls._lists.values()]
    entries = []
    if same:
        entries.append(f"{', '.join(same)}\n    As for `kernlearn.{of.__name__}`.")
    for name, key in cls._lists.items():
        default = ", ".join(f"{value!r}" for value in signature(cls).parameters[key].default)
        text = f"The values of `{name}` to choose from, by default {default}."
        entries.append(f"{key} : sequence\n{fill(text, 116, initial_indent='    ', subsequent_indent='    ')}")
    classifier = "decision_function" in dir(of)
    return DOC.format(
        summary=cls.__doc__ or "",
        of=of.__name__,
        parameters="\n".join(entries),
        folds="stratified by class, " if classifier else "",
        has="`predict`, `decision_function` and `classes_`" if classifier else "`predict`",
        default="the accuracy" if classifier else "R2",
        shared=f"{'classes_, ' if classifier else ''}n_features_in_, objective_, dual_objective_, gap_",
    )
