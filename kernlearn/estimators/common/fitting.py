"""From an estimator to a solver: the points of its method's path that have the values of its parameters."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from types import FunctionType
from typing import Any

from kernlearn.algorithms.common.reductions import join, signs
from kernlearn.algorithms.core.method import Method
from kernlearn.algorithms.core.path import Point
from kernlearn.algorithms.core.predictor import joined
from kernlearn.algorithms.core.problem import Classes, Problem, Signs, Target
from kernlearn.parameters import Parameter, check_attributes
from kernlearn.solvers import Solution
from kernlearn.types import Array, Index


@dataclass(frozen=True)
class Solved:
    """The points that prove a fitted estimator, of the problems that were solved, in their order.

    Attributes
    ----------
    method : str
        The name of the `Method`.
    options : mapping
        What its path was given, by key.
    values : mapping
        The grid point, e.g. ``{"degree": 3, "C": 1.0}``.
    solutions : tuple of Solution
        One for every output, or for all.
    weights : array of shape (n,), optional
        Factors of the losses of the n examples that were learned from; by default 1.
    rows : array of shape (n,), optional
        Which rows of the training data these are; by default all.
    """

    method: str
    options: Mapping[str, Any]
    values: Mapping[str, Any]
    solutions: tuple[Solution, ...]
    weights: Array | None = None
    rows: Index | None = None


@dataclass(frozen=True)
class Prepared:
    """What an estimator has checked before it solves anything.

    Attributes
    ----------
    problem : Problem
    values : dict
        The checked parameters.
    X : array
        The checked examples, or their kernel matrices.
    used : integer array
        Which of the examples the problem has: those of a weight > 0.
    """

    problem: Problem
    values: dict[str, Any]
    X: Any
    used: Index


def path_points(
    method: Method,
    problem: Problem,
    values: Mapping[str, Any],
    /,
    *,
    binary: Callable[[Array], Target] = Signs,
    **more: Any,
) -> Iterator[Point]:
    """Yield the points of the path of a method, in the order of its grid.

    A method for two classes takes each of several against the rest. It solves one problem after the other, so that only
    one of them is in memory.

    Parameters
    ----------
    method : Method
    problem : Problem
    values : mapping
        The checked parameters of the estimator, by name. A list is a grid. Parameters that are None may be left out.
    binary : callable
        Makes the target of one class against the rest from labels +-1, shape (n,).
    **more
        Arguments of the path in addition to the parameters that the method declares, or instead of them.
    """
    path = partial(method.path, **{**options_of(method, values), **more})
    if method.joint or not isinstance(problem.target, Classes):
        yield from path(problem)
        return
    every = [
        [replace(point, state=None) for point in path(replace(problem, target=binary(labels)))]  # it holds the solver
        for labels in signs(problem.y, problem.target.number)
    ]
    for points in zip(*every, strict=True):
        yield join(points, joined([point.predictor for point in points]))


def options_of(method: Method, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the path of a method takes, a list where it takes a grid."""
    return {
        key: _in_grid(values.get(parameter.single)) if parameter.single else values.get(key, parameter.default)
        for key, parameter in method.parameters.items()
    }


def _in_grid(value: Any) -> list[Any] | None:
    return value if value is None or isinstance(value, list) else [value]


def own_fit(cls: type[Any]) -> None:
    """Give a class the inherited `fit` under its own name, which Python's errors of arguments show."""
    inherited = getattr(cls, "fit", None)
    if inherited is None or "fit" in vars(cls):
        return
    parts = inherited.__code__, inherited.__globals__, "fit", inherited.__defaults__, inherited.__closure__
    fit = FunctionType(*parts)
    for name in ("__doc__", "__module__", "__annotations__", "__kwdefaults__"):
        setattr(fit, name, getattr(inherited, name))
    fit.__qualname__ = f"{cls.__qualname__}.fit"
    setattr(cls, "fit", fit)  # noqa: B010


class MethodMixin:
    """Estimators of a method: their parameters, checked, and the point of the method's path that has these values."""

    #: What is declared of the parameters, by default by the method, and which of them may be None.
    _declared: Mapping[str, Parameter] = {}
    _may_be_none: tuple[str, ...] = ()

    def __init_subclass__(cls, **options: Any):
        super().__init_subclass__(**options)
        own_fit(cls)
        if "_declared" not in vars(cls) and isinstance(vars(cls).get("_method"), Method):
            cls._declared = cls.__dict__["_method"].parameters

    @property
    def _method(self) -> Method:
        """The method whose path is run; the parameters may choose it."""
        raise NotImplementedError

    def _check_parameters(self) -> dict[str, Any]:
        """Return the parameters as Python's numbers, or raise `UserError` if one is out of range."""
        return check_attributes(self, self._declared, self._may_be_none)

    def _given(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return arguments of the path in addition to the parameters that the method declares, or instead of them."""
        return {}

    def _prepare(self, X: Any, y: Any, sample_weight: Any = None) -> Prepared:
        """Check parameters and examples, and return what is learned from them."""
        raise NotImplementedError

    def _points(self, problem: Problem, values: Mapping[str, Any]) -> Iterator[Point]:
        """Yield the points for checked parameters, some of which may be grids."""
        return path_points(self._method, problem, values, **self._given(values))

    def _learn(self, problem: Problem, values: Mapping[str, Any]) -> Point:
        """Return the one point for checked parameters."""
        (point,) = self._points(problem, values)
        return point

    def _examples(self, X: Any) -> Any:
        """Return new examples, checked."""
        raise NotImplementedError

    def _inputs_of(self, prepared: Prepared, X: Any) -> Any:
        """Return the inputs of new examples for a predictor of the problem."""
        return prepared.problem.inputs.at(self._examples(X))

    def _learn_with_proof(
        self, problem: Problem, values: Mapping[str, Any], rows: Index | None = None, n_rows: int | None = None
    ) -> Point:
        """Return the point for checked parameters, and keep what proves it; see `Solved`.

        `n_rows` says how many rows of training data `rows` are some of.
        """
        point, method = self._learn(problem, values), self._method
        solutions = tuple(replace(solution, extras={}, seconds=0.0) for solution in point.solutions)
        options = {**options_of(method, values), **self._given(values)}
        self._proof = Solved(method.name, options, point.values, solutions, problem.weights, rows)
        self._n_rows = n_rows
        return point

    def __sklearn_is_fitted__(self) -> bool:
        # A parameter such as ``lambda_`` ends like a fitted attribute, which the usual check would take for one.
        return hasattr(self, "objective_")
