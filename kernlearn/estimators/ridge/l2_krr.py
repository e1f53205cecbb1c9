"""The estimator of `kernlearn.algorithms.ridge.l2_krr`."""

from __future__ import annotations  # so that `help` shows names of types

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from numpy.typing import ArrayLike

from kernlearn.algorithms.core.method import Method
from kernlearn.algorithms.ridge import l1_krr, l2_krr
from kernlearn.estimators.common.combined import CombinedKernelRegressor
from kernlearn.estimators.common.search import RegressorSearch, Weighted
from kernlearn.parameters import Number, Parameter


@dataclass(eq=False, repr=False)
class LKRRRegressor(CombinedKernelRegressor):
    """Ridge regression that also learns kernel weights, as a scikit-learn regressor.

    Parameters
    ----------
    norm : {1, 2}
        The p of the norm of the kernel weights; 1 makes them sparse.
    kernel, gammas, degrees, coef0, centre, normalise, tol
        As for `kernlearn.TwoStageClassifier`.
    lambda_ : float > 0
        Weight of ``|alpha|^2``.
    Lambda : float > 0
        Radius of the ball of kernel weights.
    mu0 : float >= 0 or array of shape (p,)
        Centre of the ball, with ``norm=2`` only.
    eta : float in [0, 1), optional
        Interpolation of the steps as in the source; by default the best step is taken.

    Attributes
    ----------
    weights_, support_, n_support_, intercept_, objective_, dual_objective_, gap_, coef_
        As for `kernlearn.TwoStageClassifier`.
    """

    _declared = {
        **l1_krr.PARAMETERS,  # and any point may be the centre
        "norm": Parameter(2, Number(low=1, high=2, integer=True)),
    }

    norm: int = 2
    kernel: str = "gaussian"
    gammas: ArrayLike | str = "scale"
    degrees: ArrayLike = (1, 2, 3)
    coef0: float = 1.0
    lambda_: float = 1.0
    Lambda: float = 1.0
    mu0: ArrayLike = 0.0
    eta: float | None = None
    centre: bool = True
    normalise: str = "mean_diagonal"
    tol: float = 1e-6

    @property
    def _method(self) -> Method:
        return l1_krr.METHOD if self.norm == 1 else l2_krr.METHOD

    def _given(self, values: Mapping[str, Any]) -> dict[str, Any]:
        return {} if self.norm == 1 else {"mu0": self.mu0, "eta": self.eta}


class LKRRRegressorCV(Weighted, RegressorSearch, of=LKRRRegressor):
    """`kernlearn.LKRRRegressor` with parameters that are chosen by cross-validation."""
