"""The estimator of `kernlearn.algorithms.kernel_learning.lp_mkl`."""

from __future__ import annotations  # so that `help` shows names of types

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from numpy.typing import ArrayLike

from kernlearn.algorithms.kernel_learning.lp_mkl import METHODS, NORM, PARAMETERS, WAYS
from kernlearn.estimators.common.combined import WeightedCombinedClassifier
from kernlearn.estimators.common.search import ClassifierSearch, Weighted
from kernlearn.parameters import Choice, Parameter


@dataclass(eq=False, repr=False)
class MKLClassifier(WeightedCombinedClassifier):
    """Multiple kernel learning as a scikit-learn classifier; more than two classes are learned one-vs-rest.

    Parameters
    ----------
    norm : float >= 1
        The p of the lp norm of the kernel weights; 1 makes them sparse, and infinity makes them equal.
    method : {"newton", "silp"}
        Newton's method on the weights, or SILP (cutting planes, for ``norm=1`` only).
    kernel, gammas, degrees, coef0, C, centre, normalise, tol, class_weight
        As for `kernlearn.TwoStageClassifier`.
    probability : bool
        Whether `fit` also learns probabilities for `predict_proba`, from decision values of held-out rows.

    Attributes
    ----------
    weights_, classes_, support_, n_support_, intercept_, objective_, dual_objective_, gap_
        As for `kernlearn.TwoStageClassifier`.
    """

    _method = METHODS[0]  # whose norm is another one here
    _declared = {**PARAMETERS, "norm": NORM, "method": Parameter("newton", Choice(WAYS))}

    norm: float = 1.0
    method: str = "newton"
    kernel: str = "gaussian"
    gammas: ArrayLike | str = "scale"
    degrees: ArrayLike = (1, 2, 3)
    coef0: float = 1.0
    C: float = 1.0
    centre: bool = True
    normalise: str = "mean_diagonal"
    tol: float = 1e-6
    class_weight: Mapping[Any, float] | str | None = None
    probability: bool = False

    def _given(self, values: Mapping[str, Any]) -> dict[str, Any]:
        return {"norm": values["norm"], "method": values["method"], **super()._given(values)}


class MKLClassifierCV(Weighted, ClassifierSearch, of=MKLClassifier):
    """`kernlearn.MKLClassifier` with parameters that are chosen by cross-validation."""
