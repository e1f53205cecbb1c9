"""The estimator of `kernlearn.algorithms.kernel_learning.multiclass_mkl`."""

from __future__ import annotations  # so that `help` shows names of types

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from numpy.typing import ArrayLike

from kernlearn.algorithms.core.method import Method
from kernlearn.algorithms.core.path import Point
from kernlearn.algorithms.core.problem import Problem
from kernlearn.algorithms.kernel_learning.conv import PARAMETERS as CONV
from kernlearn.algorithms.kernel_learning.multiclass_mkl import METHODS, PARAMETERS
from kernlearn.estimators.common.combined import CombinedKernelClassifier
from kernlearn.estimators.common.search import ClassifierSearch


@dataclass(eq=False, repr=False)
class MulticlassMKLClassifier(CombinedKernelClassifier):
    """Multiple kernel learning of all classes at once, as a scikit-learn classifier.

    Parameters
    ----------
    norm : float >= 1
        Of the weights.
    theta : int >= 0, optional
        Divide the kernels by their tails beyond theta eigenvalues (``conv``) instead of normalising them.
    C : float > 0, optional
        By default 1; with `theta` the number of training examples, as for `kernlearn.LocalRademacherClassifier`.
    kernel, gammas, degrees, coef0, centre, normalise, tol, class_weight
        As for `kernlearn.TwoStageClassifier`. There is no bias: centring matters. With centred kernels every output has
        the mean 0 over the training examples, so that no class weight makes them all one class.
    probability : bool
        Whether `fit` also learns probabilities for `predict_proba`, from decision values of held-out rows.

    Attributes
    ----------
    weights_, classes_, support_, n_support_, objective_, dual_objective_, gap_
        As for `kernlearn.TwoStageClassifier`; every row of ``weights_`` is the same.
    """

    _declared = {**PARAMETERS, "thetas": CONV["thetas"]}
    _may_be_none = ("C", "theta")

    norm: float = 1.0
    theta: int | None = None
    kernel: str = "gaussian"
    gammas: ArrayLike | str = "scale"
    degrees: ArrayLike = (1, 2, 3)
    coef0: float = 1.0
    C: float | None = None
    centre: bool = True
    normalise: str = "mean_diagonal"
    tol: float = 1e-4
    class_weight: Mapping[Any, float] | str | None = None
    probability: bool = False

    @property
    def _method(self) -> Method:
        mkl, conv = METHODS
        return mkl if self.theta is None else conv

    def _points(self, problem: Problem, values: Mapping[str, Any]) -> Iterator[Point]:
        C = 1.0 if self.theta is None else float(len(problem.y))
        return super()._points(problem, {"C": C, **values})


class MulticlassMKLClassifierCV(ClassifierSearch, of=MulticlassMKLClassifier, single=("theta",)):
    """`kernlearn.MulticlassMKLClassifier` with parameters that are chosen by cross-validation."""
