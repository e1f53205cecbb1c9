"""A penalised loss: the value of (P) at a predictor, and of (D) at its multipliers.

::

    (P)  min_{f,b}   1/2 |f|^2 + sum_i c_i loss_i(f(x_i) + b)
    (D)  max_beta    sum_i (gain_i(beta_i) [+ y_i beta_i]) - 1/2 |sum_i beta_i K(x_i, .)|^2
         subject to  |beta_i| <= upper c_i,   sum_i beta_i = 0 if there is an intercept

and of linear functions with weights w::

    (P)  min_{w,b}   l1 |w|_1 + l2/2 |w|^2 + sum_i c_i loss_i(w.x_i + b)
    (D)  max_beta    sum_i (gain_i(beta_i) [+ y_i beta_i]) - sum_j max(0, |v_j| - l1)^2 / (2 l2)
         subject to  the same,   |v_j| <= l1 if l2 = 0 ,   v = sum_i beta_i x_i

Terms in brackets are those of real targets. Losses and gains are those of `kernlearn.certificates.proofs.losses`.
Source: Rockafellar (1970), Convex Analysis, section 31.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Protocol

import numpy as np

from kernlearn.certificates.certificate import Certificate, counted
from kernlearn.certificates.outputs import EPS, Inputs, Outputs, outputs
from kernlearn.certificates.proofs.losses import LOSSES, Loss
from kernlearn.certificates.svm import balanced, imbalance
from kernlearn.kernels import FeatureStack
from kernlearn.twofold import total
from kernlearn.types import Array, Index

#: Relative rounding error of a loss and of a gain, in units in the last place.
VALUE = 8.0 * EPS


class Machine(Protocol):
    """A function of the examples without its intercept, and its penalty."""

    @property
    def symbol(self) -> str:
        """The function in words."""
        ...

    def outputs(self) -> Outputs:
        """Return the function on the examples."""
        ...

    def penalty(self, f: Outputs) -> tuple[float, float]:
        """Return the penalty of the function with the outputs f, and what rounding may add to it."""
        ...

    def conjugate(self, beta: Array, f: Outputs) -> tuple[float, float, float]:
        """Return the conjugate of the penalty at ``sum_i beta_i K(x_i, .)``, what rounding may add, and a factor.

        The factor is what beta must be multiplied by to be feasible, and the conjugate is that of the multiple.
        """
        ...

    def penalties(self) -> list[tuple[float, str]]:
        """Return the terms of the penalty: factors, and norms in words."""
        ...

    def norm(self, f: Outputs) -> float:
        """Return the norm of the function."""
        ...

    @property
    def convexity(self) -> float:
        """The modulus of strong convexity of the penalty in this norm."""
        ...


@dataclass(frozen=True)
class Expansion:
    """A function ``f = sum_j coef_j K(x_j, .)`` of the examples, with the penalty ``1/2 |f|^2``."""

    inputs: Inputs
    coef: Array
    symbol: ClassVar[str] = "f(x_i)"

    def outputs(self) -> Outputs:
        """Return f on the examples."""
        return outputs(self.inputs, self.coef[None])

    def penalty(self, f: Outputs) -> tuple[float, float]:
        """Return the penalty of f, and what rounding may add to it."""
        square, unsure = f.inner(self.coef)
        return 0.5 * max(square, 0.0), 0.5 * unsure

    def conjugate(self, beta: Array, f: Outputs) -> tuple[float, float, float]:
        """Return what `Machine` says; all multipliers are feasible."""
        g = f if np.array_equal(beta, self.coef) else outputs(self.inputs, beta[None])
        square, unsure = g.inner(beta)
        return 0.5 * max(square, 0.0), 0.5 * unsure, 1.0

    def penalties(self) -> list[tuple[float, str]]:
        """Return the terms of the penalty: factors, and norms in words."""
        return [(0.5, "|f|^2")]

    def norm(self, f: Outputs) -> float:
        """Return ``|f|``."""
        return (2.0 * self.penalty(f)[0]) ** 0.5

    @property
    def convexity(self) -> float:
        """The modulus of strong convexity of the penalty in the norm of f."""
        return 1.0


@dataclass(frozen=True)
class Weights:
    """A linear function ``f(x) = w.x`` of features X, with the penalty ``l1 |w|_1 + l2/2 |w|^2``."""

    X: Any
    w: Array
    l1: float = 0.0
    l2: float = 1.0
    symbol: ClassVar[str] = "w.x_i"

    def outputs(self) -> Outputs:
        """Return f on the examples."""
        return outputs(FeatureStack(self.X), self.w)

    def penalty(self, _: Outputs | None = None) -> tuple[float, float]:
        """Return the penalty of w, and what rounding may add to it."""
        value = self.l1 * total(np.abs(self.w)) + 0.5 * self.l2 * total(self.w * self.w)
        return value, VALUE * value

    def conjugate(self, beta: Array, _: Outputs | None = None) -> tuple[float, float, float]:
        """Return what `Machine` says; beta must be made smaller where the penalty is that of the 1-norm alone."""
        v = np.abs(self.X.T @ beta) + EPS * len(beta) ** 0.5 * (abs(self.X).T @ np.abs(beta))
        if self.l2 == 0.0:
            largest = float(v.max(initial=0.0))
            return 0.0, 0.0, min(1.0, self.l1 / largest) if largest > 0.0 else 1.0
        beyond = np.maximum(0.0, v - self.l1)
        value = total(beyond * beyond) / (2.0 * self.l2)
        return value, VALUE * value, 1.0

    def penalties(self) -> list[tuple[float, str]]:
        """Return the terms of the penalty: factors, and norms in words."""
        return [(self.l1, "|w|_1"), (0.5 * self.l2, "|w|^2")]

    def norm(self, _: Outputs | None = None) -> float:
        """Return ``|w|``."""
        return float(np.linalg.norm(self.w))

    @property
    def convexity(self) -> float:
        """The modulus of strong convexity of the penalty in the norm of w."""
        return self.l2


@dataclass(frozen=True, kw_only=True)
class Problem:
    """One problem of two classes, or of real targets, and the solution that somebody found.

    Attributes
    ----------
    name : str
        What tells it from the other problems of one estimator.
    loss : str
        One of `LOSSES`.
    target : array of shape (n,)
        Labels +-1, or real numbers.
    costs : array of shape (n,)
        Factors c_i >= 0 of the losses.
    machine : Machine
        The function without its intercept.
    intercept : float
    bias : bool
        Whether there is an intercept that is not penalised.
    beta : array of shape (n,), optional
        The signed multipliers that came with the solution.
    epsilon : float
        Half width of the tube of losses that have one.
    unit : float
        The objective of the estimator is this times that of the problem.
    """

    loss: str
    target: Array
    costs: Array
    machine: Machine
    intercept: float = 0.0
    bias: bool = False
    beta: Array | None = None
    epsilon: float = 0.0
    unit: float = 1.0
    shown: tuple[Index, Array] | None = None
    name: str = ""

    @property
    def kind(self) -> Loss:
        """The loss."""
        return LOSSES[self.loss]

    @property
    def words(self) -> str:
        """What is minimised, in the unit of the estimator."""
        terms = [f"{times(self.unit * part)}{norm}" for part, norm in self.machine.penalties() if part]
        f = f"({self.machine.symbol} + b)" if self.bias else self.machine.symbol
        loss = self.kind.words.format(f=f, epsilon=self.epsilon)
        low, high = (self.unit * self.kind.factor * float(c) for c in (self.costs.min(), self.costs.max()))
        if low == high:
            return " + ".join([*terms, f"{times(low)}sum_i {loss}"])
        return " + ".join([*terms, f"sum_i c_i {loss}"]) + f" with c_i from {low:.6g} to {high:.6g}"

    def excess(self, f: Outputs) -> Array:
        """Return the margins, or the absolute residuals."""
        if self.kind.labels:
            return f.margins(self.target)
        return np.abs((f.high - self.target) + f.low)

    def total_loss(self, f: Outputs) -> tuple[float, float]:
        """Return the losses of outputs with the intercept, and what rounding may add to them."""
        z, off = self.excess(f), -f.rounding if self.kind.labels else f.rounding
        losses = self.costs * self.kind.values(z, self.epsilon)
        more = self.costs * self.kind.values(z + off, self.epsilon) - losses
        value = total(losses)
        return value, total(more) + (0.0 if self.loss == "hinge" else VALUE * value)

    def feasible(self, beta: Array) -> Array:
        """Return multipliers within their bounds, and balanced if there is an intercept."""
        largest = self.kind.upper * self.costs if np.isfinite(self.kind.upper) else np.inf
        if self.kind.labels:
            beta = self.target * np.clip(self.target * beta, 0.0, largest)
        beta = np.where(self.costs > 0.0, np.clip(beta, -largest, largest), 0.0)
        return balanced(beta) if self.bias else beta

    def violation(self, beta: Array) -> float:
        """Return by how much multipliers miss the dual constraints, as a part of the largest of them."""
        size = float(np.abs(beta).max(initial=0.0))
        if size == 0.0:
            return 0.0
        unbalanced = replace(self, bias=False).feasible(beta)
        sum_off = abs(total(beta)) / total(np.abs(beta)) if self.bias else 0.0
        return max(float(np.abs(unbalanced - beta).max()) / size, sum_off)

    def gain(self, beta: Array) -> tuple[float, float]:
        """Return the first sum of (D) for feasible multipliers, and what rounding may add to it."""
        used = (self.costs > 0.0) & (beta != 0.0)
        a, c, y = np.abs(beta[used]), self.costs[used], self.target[used]
        gains = self.kind.gains(a, c, self.epsilon)
        linear = 0.0 if self.kind.labels else total(y * beta[used])
        return linear + total(gains), EPS * (total(np.abs(gains)) + abs(linear))


def number(value: float) -> str:
    """Return a factor in words."""
    return "1/2" if value == 0.5 else f"{value:.6g}"


def times(factor: float) -> str:
    """Return a factor in words before what it multiplies, nothing for 1."""
    return "" if factor == 1.0 else f"{number(factor)} "


def lower_bound(problem: Problem, beta: Array, f: Outputs) -> tuple[float, float]:
    """Return the value of (D) at multipliers after they are made feasible, and what rounding may be worth.

    It is that of the best of their multiples, of factors up to 1: the gain is concave, and 0 without multipliers.

    Parameters
    ----------
    problem : Problem
    beta : array of shape (n,)
    f : Outputs
        Of the machine, without the intercept.
    """
    beta = problem.feasible(beta)
    penalty, unsure, factor = problem.machine.conjugate(beta, f)
    beta = factor * beta
    gain, more = problem.gain(beta)
    if problem.bias:
        largest = 0.0 if problem.kind.labels else float(np.abs(problem.target).max())
        more += imbalance(beta, f) * (1.0 + largest)
    multiple = min(1.0, gain / (2.0 * penalty)) if 0.0 < gain < 2.0 * penalty else 1.0
    return multiple * gain - multiple**2 * penalty, unsure + more


def certificate_of(problem: Problem, f: Outputs, points: Iterable[Array]) -> Certificate:
    """Return what is proved of a problem by the best of some dual points, in the unit of the estimator.

    Parameters
    ----------
    problem : Problem
    f : Outputs
        Of the machine, without the intercept.
    points : arrays of shape (n,)
        Signed multipliers; they are made feasible.
    """
    penalty, unsure = problem.machine.penalty(f)
    loss, more = problem.total_loss(f.plus(problem.intercept))
    zeros = np.zeros(len(problem.target))
    zero = problem.total_loss(Outputs(zeros, zeros, zeros))[0]
    objective = penalty + loss
    bounds = [lower_bound(problem, beta, f) for beta in points]
    lower, off = max([(0.0, 0.0), *bounds], key=lambda bound: bound[0] - bound[1])  # no problem has a value below 0
    violation = 0.0 if problem.beta is None else problem.violation(problem.beta)
    rounding = counted(unsure + more + off, objective, zero)
    return Certificate(objective, lower - rounding, zero, violation).times(problem.unit)
