"""Problems of our methods with one kernel in the form of `kernlearn.certificates.proofs.problem`, and their solutions.

The problem of a method is at the head of its module in ``kernlearn/algorithms``. In this form the function and the
multipliers may be of different kernels, as those of an approximation and of the kernel that it approximates. Where a
kernel is divided by its size, that of the approximation stays the divisor: the objective of a function is the same.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from kernlearn.certificates.proofs.centres import Centres
from kernlearn.certificates.proofs.problem import Problem
from kernlearn.errors import UserError
from kernlearn.types import Array


class Solved(NamedTuple):
    """One output of a solution ``f = sum_i coef_i K(x_i, .)``, with the grid point and the options of the path."""

    method: str
    values: Mapping[str, Any]
    options: Mapping[str, Any]
    y: Array
    coef: Array
    dual: Array
    intercept: float
    weights: Array | None = None
    name: str = ""

    @property
    def counts(self) -> Array:
        """The factors of the losses."""
        return np.ones(len(self.y)) if self.weights is None else self.weights

    @property
    def size(self) -> float:
        """What the kernel of a ridge regression is divided by: its coefficients are the multipliers over this."""
        inner = float(self.coef @ self.dual)
        return float(self.dual @ self.dual) / inner if inner > 0.0 else 1.0


def restated(one: Solved, machine: Centres) -> Problem:
    """Return the problem of a method, with the function that is given.

    Raises
    ------
    UserError
        If the problem of the method does not have this form.
    """
    if why := why_not_restated(one.method):
        raise UserError(why)
    return RESTATED[one.method](one, machine)


def why_not_restated(method: str) -> str:
    """Return why the problem of a method does not have this form; empty if it does."""
    return "" if method in RESTATED else f"{method} is none of {', '.join(RESTATED)}"


def _hinge(one: Solved, machine: Centres, C: float, *, unit: float = 1.0, bias: bool = True) -> Problem:
    given: dict[str, Any] = {"intercept": one.intercept, "bias": bias, "name": one.name}
    beta = one.dual * one.y / unit
    return Problem(loss="hinge", target=one.y, costs=C * one.counts, machine=machine, beta=beta, unit=unit, **given)


def _l2_svm(one: Solved, machine: Centres) -> Problem:
    return _hinge(one, machine, float(one.values["C"]))


def _soft_svm(one: Solved, machine: Centres) -> Problem:
    unit = 2.0 * float(one.values["lambda"])
    return _hinge(one, machine, 1.0 / (unit * len(one.y)), unit=unit, bias=not one.options["homogenous"])


def _sgd_svm(one: Solved, machine: Centres) -> Problem:
    unit, constant = float(one.values["lambda"]), float(one.options["constant"]) ** 2
    own = replace(machine, constant=constant, offset=one.intercept if constant else 0.0)
    return _hinge(one._replace(intercept=0.0), own, 1.0 / (unit * len(one.y)), unit=unit, bias=False)


def _krr(one: Solved, machine: Centres) -> Problem:
    return _ridge(one, machine, one.size * float(one.values["lambda"]), 2.0 * one.size)


def _krr_mean(one: Solved, machine: Centres) -> Problem:
    lambda_ = float(one.values["lambda"])
    return _ridge(one, machine, 2.0 * lambda_ * float(one.counts.sum()), 2.0 * lambda_)


def _ridge(one: Solved, machine: Centres, lambda_: float, unit: float) -> Problem:
    given: dict[str, Any] = {"intercept": one.intercept, "bias": bool(one.options["centre"]), "name": one.name}
    costs = one.counts / lambda_
    return Problem(loss="squared", target=one.y, costs=costs, machine=machine, beta=one.coef, unit=unit, **given)


#: The problems, by the name of the method.
RESTATED: dict[str, Callable[[Solved, Centres], Problem]] = {
    "l2_svm": _l2_svm,
    "soft_svm": _soft_svm,
    "sgd_svm": _sgd_svm,
    "krr": _krr,
    "krr_mean": _krr_mean,
}
