"""The estimator of `kernlearn.algorithms.kernel_learning.ufo_mkl`."""

from __future__ import annotations  # so that `help` shows names of types

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from numpy.typing import ArrayLike

from kernlearn.algorithms.core.path import Point
from kernlearn.algorithms.core.problem import Problem
from kernlearn.algorithms.kernel_learning.ufo_mkl import METHOD
from kernlearn.estimators.common.combined import CombinedKernelClassifier
from kernlearn.estimators.common.labels import seed_of
from kernlearn.estimators.common.search import ClassifierSearch


@dataclass(eq=False, repr=False)
class UFOMKLClassifier(CombinedKernelClassifier):
    """UFO-MKL: multiple kernel learning of all classes at once by stochastic subgradients, with a duality gap.

    Parameters
    ----------
    alpha : float >= 0
        Weight of the sum of the norms of all kernels: the larger, the fewer kernels have a weight.
    n_epochs : int
        Most passes over the examples. A run ends as soon as its gap is at most `tol`.
    finish : {"none", "exact"}
        With "exact", a run that ends above `tol` is followed by turns of kernel weights and exact SVMs, to `tol`.
    C : float > 0
        ``1 / (lambda n)`` for n training examples, lambda the weight of half the squared norm beside the mean loss.
    kernel, gammas, degrees, coef0, centre, normalise, class_weight
        As for `kernlearn.MulticlassMKLClassifier`.
    tol : float
        Relative duality gap at which a run ends; `fit` warns if it ends above.
    random_state : int, RandomState or None
        The seed of the orders in which the examples are taken.
    probability : bool
        Whether `fit` also learns probabilities for `predict_proba`, from decision values of held-out rows.

    Attributes
    ----------
    weights_, classes_, support_, n_support_, objective_, dual_objective_, gap_
        As for `kernlearn.MulticlassMKLClassifier`; the objective is that of UFO, with a mean loss.
    """

    _method = METHOD

    alpha: float = 0.01
    n_epochs: int = 300
    finish: str = "none"
    kernel: str = "gaussian"
    gammas: ArrayLike | str = "scale"
    degrees: ArrayLike = (1, 2, 3)
    coef0: float = 1.0
    C: float = 1.0
    centre: bool = True
    normalise: str = "mean_diagonal"
    tol: float = 1e-2
    random_state: Any = 0
    class_weight: Mapping[Any, float] | str | None = None
    probability: bool = False

    def _points(self, problem: Problem, values: Mapping[str, Any]) -> Iterator[Point]:
        return super()._points(replace(problem, seed=seed_of(self.random_state)), values)


class UFOMKLClassifierCV(ClassifierSearch, of=UFOMKLClassifier):
    """`kernlearn.UFOMKLClassifier` with parameters that are chosen by cross-validation."""
