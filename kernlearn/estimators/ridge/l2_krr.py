"""The estimator of `kernlearn.algorithms.ridge.l2_krr`."""

from typing import Any

from numpy.typing import ArrayLike

from kernlearn.algorithms.common.regression import Regression
from kernlearn.algorithms.ridge.l1_krr import solve_l1_krr
from kernlearn.algorithms.ridge.l2_krr import PARAMETERS, check_mu0, solve_l2_krr
from kernlearn.certificates.ridge import Ball
from kernlearn.estimators.common.combined import CombinedKernelRegressor, Fit
from kernlearn.kernels import KernelStack
from kernlearn.kernels.matrices.streamed import HELD_BYTES
from kernlearn.parameters import Number, Parameter
from kernlearn.types import Array


class LKRRRegressor(CombinedKernelRegressor):
    """Ridge regression with kernel weights learned along with it, as a scikit-learn regressor.

    Parameters
    ----------
    norm : {1, 2}
        Of the weights: 2 is LKRR, 1 its sparse rival.
    kernel, gammas, degrees, coef0, centre, normalise, tol
        As for `kernlearn.TwoStageClassifier`.
    lambda_ : float > 0
        Weight of ``|alpha|^2``.
    Lambda : float > 0
        Radius of the weights.
    mu0 : float >= 0 or array of shape (p,)
        Centre of the ball, of ``norm=2``.
    eta : float in [0, 1), optional
        Interpolation as printed; by default the best step is taken.

    Attributes
    ----------
    weights_, support_, n_support_, intercept_, objective_, dual_objective_, gap_, coef_
        As for `kernlearn.TwoStageClassifier`.
    """

    _held = HELD_BYTES
    _declared = {
        **{key: parameter for key, parameter in PARAMETERS.items() if key != "mu0"},  # any point may be the centre here
        "norm": Parameter(2, Number(low=1, high=2, integer=True)),
    }

    def __init__(
        self,
        norm: int = 2,
        kernel: str = "gaussian",
        gammas: ArrayLike | str = "scale",
        degrees: ArrayLike = (1, 2, 3),
        coef0: float = 1.0,
        lambda_: float = 1.0,
        Lambda: float = 1.0,
        mu0: ArrayLike = 0.0,
        eta: float | None = None,
        centre: bool = True,
        normalise: str = "mean_diagonal",
        tol: float = 1e-6,
    ):
        self.norm = norm
        self.kernel = kernel
        self.gammas = gammas
        self.degrees = degrees
        self.coef0 = coef0
        self.lambda_ = lambda_
        self.Lambda = Lambda
        self.mu0 = mu0
        self.eta = eta
        self.centre = centre
        self.normalise = normalise
        self.tol = tol

    def _solve(self, stack: KernelStack, t: Array, y: Array) -> Fit:
        lambda_ = float(self.lambda_)
        options: dict[str, Any] = {"Lambda": float(self.Lambda), "sizes": t, "tol": float(self.tol)}
        tol, Lambda = float(self.tol), float(self.Lambda)
        if self.norm == 1:
            solution = solve_l1_krr(stack, y, lambda_, **options)
            problem = Regression(y, lambda_, self.centre, Ball(Lambda, t, 1), tol)
            return Fit(solution.x / t, solution.extras["response"].alpha, 0.0, solution, regression=problem)
        solution = solve_l2_krr(stack, y, lambda_, mu0=self.mu0, eta=self.eta, **options)
        problem = Regression(y, lambda_, self.centre, Ball(Lambda, t, 2, check_mu0(self.mu0, len(t))), tol)
        return Fit(solution.x / t, solution.extras["alpha"], 0.0, solution, regression=problem)
