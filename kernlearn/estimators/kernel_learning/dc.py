"""The estimator of `kernlearn.algorithms.kernel_learning.dc`."""

from __future__ import annotations  # so that `help` shows names of types

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from numpy.typing import ArrayLike

from kernlearn.algorithms.core.method import Method
from kernlearn.algorithms.core.path import Point
from kernlearn.algorithms.core.problem import Problem
from kernlearn.algorithms.kernel_learning import conv, dc
from kernlearn.estimators.common.combined import CombinedKernelClassifier
from kernlearn.estimators.common.search import ClassifierSearch
from kernlearn.parameters import Choice, Parameter


@dataclass(eq=False, repr=False)
class LocalRademacherClassifier(CombinedKernelClassifier):
    """Kernel learning with local Rademacher complexity; more than two classes are learned one-vs-rest.

    Parameters
    ----------
    method : {"conv", "dc"}
        The convex bound on the complexity, or the complexity itself, up to a critical point.
    theta : int >= 0
        The number of largest eigenvalues of a kernel that the complexity leaves out.
    norm : float >= 1
        The p of the lp norm of the weights times the tails.
    step : {"solve", "alternate"}
        For ``method="dc"``: solve each linearisation, or take a single step of the printed alternation.
    max_iter : int
        For ``method="dc"``: maximum number of linearisations.
    C : float > 0, optional
        By default the number n of training examples. A tail sums n eigenvalues, so kernels divided by their tails are
        n times smaller than kernels divided by their mean diagonal, as in other methods.
    kernel, gammas, degrees, coef0, centre, tol, class_weight
        As for `kernlearn.TwoStageClassifier`.
    probability : bool
        Whether `fit` also learns probabilities for `predict_proba`, from decision values of held-out rows.

    Attributes
    ----------
    weights_, classes_, support_, n_support_, intercept_, objective_, dual_objective_, gap_
        As for `kernlearn.TwoStageClassifier`. With ``method="dc"`` the gap is that of the linearised problem.
    """

    _declared = {**dc.PARAMETERS, "method": Parameter("conv", Choice(("conv", "dc")))}
    _may_be_none = ("C",)

    method: str = "conv"
    theta: int = 1
    norm: float = 1.0
    step: str = "solve"
    max_iter: int = 200
    kernel: str = "gaussian"
    gammas: ArrayLike | str = "scale"
    degrees: ArrayLike = (1, 2, 3)
    coef0: float = 1.0
    C: float | None = None
    centre: bool = True
    tol: float = 1e-6
    class_weight: Mapping[Any, float] | str | None = None
    probability: bool = False

    @property
    def _method(self) -> Method:
        return dc.METHOD if self.method == "dc" else conv.METHOD

    def _points(self, problem: Problem, values: Mapping[str, Any]) -> Iterator[Point]:
        return super()._points(problem, {"C": float(len(problem.y)), **values})


class LocalRademacherClassifierCV(ClassifierSearch, of=LocalRademacherClassifier):
    """`kernlearn.LocalRademacherClassifier` with parameters that are chosen by cross-validation."""
