"""The estimator of `kernlearn.algorithms.margin.rmm`."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kernlearn.algorithms.core.method import Method
from kernlearn.algorithms.margin.rmm import METHODS, PARAMETERS, PRICED
from kernlearn.errors import UserError
from kernlearn.estimators.common.expansion import SingleKernelClassifier, WeightedClassifier
from kernlearn.estimators.common.fitting import Prepared
from kernlearn.estimators.common.search import ClassifierSearch, Weighted
from kernlearn.parameters import Number, Parameter
from kernlearn.solvers import PRICED_SOLVERS


@dataclass(eq=False, repr=False)
class RMMClassifier(WeightedClassifier, SingleKernelClassifier):
    """The relative margin machine as a scikit-learn classifier; more than two classes are learned one-vs-rest.

    Parameters
    ----------
    kernel, degree, gamma, coef0
        As for `kernlearn.L2SVMClassifier`.
    C : float > 0
        Weight of the loss.
    fraction : float in (0, 1]
        The outputs are bounded by ``B = 1 + fraction (theta - 1)`` where theta is the largest output of the SVM; 1 is
        the SVM. If theta is at most 1, the bound has no effect, and B is 2.
    B : float > 1, optional
        The bound itself, instead of `fraction`.
    D : float > 0, optional
        The weight of the bound in the objective. B >= 1 is then learned, instead of given by `fraction` or `B`.
    nu : float >= 1, optional
        With `D`: at most n/nu training outputs may be beyond the bound; by default none.
    tol : float
        Relative duality gap to reach.
    solver : {"homotopy", "osqp", "smo", "auto"}
        "homotopy" follows the solution along the bound. "osqp" is slow and independent of it; the solution is refined.
        "smo" is our SMO with active sets. "auto" is "smo" from 400 examples on, where it is faster along several
        bounds, and "homotopy" below. With `D`, use one of the first two.
    class_weight : "balanced", dict or None
        Weights of the losses, by class; "balanced" gives all classes the same total.
    probability : bool
        Whether `fit` also learns probabilities for `predict_proba`, from decision values of held-out rows.

    Attributes
    ----------
    classes_, support_, n_support_, dual_coef_, objective_, dual_objective_, gap_
        As for `kernlearn.L2SVMClassifier`.
    intercept_ : array of shape (1,) or (n_classes,)

    References
    ----------
    P. K. Shivaswamy. Large Relative Margin and Applications. PhD thesis, Columbia University, 2010.
    """

    _declared = {
        **PRICED,
        **PARAMETERS,
        "B": Parameter(None, Number(low=1.0)),
    }
    _may_be_none = ("B", "D", "nu")

    kernel: str = "polynomial"
    degree: int = 3
    gamma: float | str = "scale"
    coef0: float = 1.0
    C: float = 1.0
    fraction: float = 0.5
    B: float | None = None
    D: float | None = None
    nu: float | None = None
    tol: float = 1e-6
    solver: str = "homotopy"
    class_weight: Mapping[Any, float] | str | None = None
    probability: bool = False

    def _check_parameters(self) -> dict[str, Any]:
        values = super()._check_parameters()
        if self.B is not None and self.D is not None:
            raise UserError(f"B={self.B}: with D={self.D} the bound is free; give one of the two")
        if self.nu is not None and self.D is None:
            raise UserError(f"nu={self.nu}: needs D, the price of the bound")
        if self.D is not None and self.solver not in PRICED_SOLVERS:
            raise UserError(
                f"solver={self.solver}: needs a given bound; with D={self.D} use {' or '.join(PRICED_SOLVERS)}"
            )
        return values

    @property
    def _method(self) -> Method:
        bounded, priced, *_ = METHODS
        return bounded if self.D is None else priced

    def _prepare(self, X: Any, y: Any, sample_weight: Any = None, unlabelled: Any = None) -> Prepared:
        if sample_weight is not None and self.nu is not None:
            raise UserError("sample_weight: is not for nu, a share of examples that count alike; leave one of them out")
        return super()._prepare(X, y, sample_weight, unlabelled)

    def _given(self, values: Mapping[str, Any]) -> dict[str, Any]:
        return {"B": values["B"]} if "B" in values else {}


class RMMClassifierCV(Weighted, ClassifierSearch, of=RMMClassifier, single=("D", "nu")):
    """`kernlearn.RMMClassifier` with parameters that are chosen by cross-validation."""
