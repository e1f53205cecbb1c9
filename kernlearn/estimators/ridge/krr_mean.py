"""The estimator of `kernlearn.algorithms.ridge.krr_mean`."""

from dataclasses import dataclass

from kernlearn.algorithms.ridge.krr_mean import METHOD
from kernlearn.estimators.common.expansion import SingleKernelRegressor
from kernlearn.estimators.common.search import RegressorSearch, Weighted


@dataclass(eq=False, repr=False)
class KRRMeanRegressor(SingleKernelRegressor):
    """Kernel ridge regression with a mean loss, in the scaling of the textbook.

    The objective is ``lambda_ |w|^2 + 1/(2n) sum_i (<w, psi(x_i)> - y_i)^2``: the penalty does not grow with n.

    Parameters
    ----------
    kernel, degree, gamma, coef0
        As for `kernlearn.L2SVMClassifier`.
    lambda_ : float > 0
        Weight of the squared norm.
    centre : bool
        Centre the kernel in feature space, and the labels: an intercept without a penalty.

    Attributes
    ----------
    support_, n_support_, dual_coef_, intercept_, objective_, dual_objective_, gap_, gamma_
        As for `kernlearn.KRRRegressor`.

    References
    ----------
    S. Shalev-Shwartz and S. Ben-David. Understanding Machine Learning. 2014, chapter 16, exercise 3.
    """

    _method = METHOD

    kernel: str = "gaussian"
    degree: int = 3
    gamma: float | str = "scale"
    coef0: float = 1.0
    lambda_: float = 1e-3
    centre: bool = False


class KRRMeanRegressorCV(Weighted, RegressorSearch, of=KRRMeanRegressor):
    """`kernlearn.KRRMeanRegressor` with parameters that are chosen by cross-validation."""
