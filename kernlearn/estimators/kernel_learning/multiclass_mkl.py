"""The estimator of `kernlearn.algorithms.kernel_learning.multiclass_mkl`."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kernlearn.algorithms.kernel_learning.conv import PARAMETERS as CONV
from kernlearn.algorithms.kernel_learning.conv import tail_sizes
from kernlearn.algorithms.kernel_learning.multiclass_mkl import PARAMETERS, outputs, prove, solve_multiclass_mkl
from kernlearn.estimators.common.combined import CombinedKernelClassifier, Fit
from kernlearn.estimators.common.expansion import example_weights
from kernlearn.kernels import KernelStack, tail_sums
from kernlearn.types import Array


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

    Attributes
    ----------
    weights_, classes_, support_, n_support_, objective_, dual_objective_, gap_
        As for `kernlearn.TwoStageClassifier`; every row of ``weights_`` is the same.
    """

    _declared = {**PARAMETERS, "thetas": CONV["thetas"]}
    _joint = True
    _may_be_none = ("C", "theta")

    def __init__(
        self,
        norm: float = 1.0,
        theta: int | None = None,
        kernel: str = "gaussian",
        gammas: ArrayLike | str = "scale",
        degrees: ArrayLike = (1, 2, 3),
        coef0: float = 1.0,
        C: float | None = None,
        centre: bool = True,
        normalise: str = "mean_diagonal",
        tol: float = 1e-4,
        class_weight: Mapping[Any, float] | str | None = None,
    ):
        self.norm = norm
        self.theta = theta
        self.kernel = kernel
        self.gammas = gammas
        self.degrees = degrees
        self.coef0 = coef0
        self.C = C
        self.centre = centre
        self.normalise = normalise
        self.tol = tol
        self.class_weight = class_weight

    def _solve_classes(self, stack: KernelStack, t: Array, index: NDArray[np.intp]) -> list[Fit]:
        C = 1.0 if self.C is None else float(self.C)
        if self.theta is not None:
            t = tail_sizes(stack, tail_sums(stack, int(self.theta)))
            C = float(len(index)) if self.C is None else C
        weights = example_weights(self.class_weight, self.classes_, index)
        options: dict[str, Any] = {"norm": self.norm, "sizes": t, "tol": self.tol, "weights": weights}
        solution = solve_multiclass_mkl(stack, index, C, **options)
        response = solution.extras["response"]
        used, mu = response.alpha.any(axis=1).astype(float), solution.x / t
        proof = prove(index, mu, solution.dual, C, t, float(self.norm), self.centre, weights)
        return [Fit(mu, beta, 0.0, solution, used, proof) for beta in outputs(response.alpha)]
