"""The estimator of `kernlearn.algorithms.ridge.krr`."""

from dataclasses import dataclass

from kernlearn.algorithms.ridge.krr import METHOD
from kernlearn.estimators.common.expansion import SingleKernelRegressor
from kernlearn.estimators.common.search import RegressorSearch, Weighted


@dataclass(eq=False, repr=False)
class KRRRegressor(SingleKernelRegressor):
    """Kernel ridge regression as a scikit-learn regressor, with a certificate.

    Without centring and with ``normalise="none"`` it is scikit-learn's `KernelRidge` with ``alpha=lambda_``.

    Parameters
    ----------
    kernel, degree, gamma, coef0
        As for `kernlearn.L2SVMClassifier`.
    lambda_ : float > 0
        Weight of the penalty: ``alpha = (K + lambda_ I)^-1 y``.
    centre : bool
        Centre the kernel in feature space, and the labels: an intercept without a penalty.
    normalise : {"trace", "mean_diagonal", "frobenius", "none"}
        The divisor of the (centred) kernel: trace, trace / n, Frobenius norm, or none.

    Attributes
    ----------
    support_, n_support_, dual_coef_, intercept_, objective_, dual_objective_, gap_
        As for `kernlearn.L2SVMClassifier`; all examples have a coefficient.
    gamma_ : float
        The value of gamma that was used, if the kernel has one.
    """

    _method = METHOD

    kernel: str = "gaussian"
    degree: int = 3
    gamma: float | str = "scale"
    coef0: float = 1.0
    lambda_: float = 1.0
    centre: bool = True
    normalise: str = "mean_diagonal"


class KRRRegressorCV(Weighted, RegressorSearch, of=KRRRegressor):
    """`kernlearn.KRRRegressor` with parameters that are chosen by cross-validation."""
