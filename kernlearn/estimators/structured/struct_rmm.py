"""The estimators of `kernlearn.algorithms.structured.struct_rmm`: labels of sequences, and classes."""

from dataclasses import dataclass

from kernlearn.estimators.common.expansion import SingleKernelClassifier
from kernlearn.estimators.common.search import ClassifierSearch
from kernlearn.estimators.common.sequences import SequenceTagger
from kernlearn.estimators.common.structured import Bounded


@dataclass(eq=False, repr=False)
class StructRMM(Bounded, SequenceTagger):
    """The structured relative margin machine for labels of sequences: `kernlearn.StructSVM` with bounded outputs.

    The outputs are the differences of the score of the true labels of a training sequence and those of all others.

    Parameters
    ----------
    degree, C
        As for `kernlearn.StructSVM`.
    fraction : float in (0, 1]
        The outputs are within ``B = 1 + fraction (theta - 1)``, where theta is the largest output of the SVM; 1 is the
        SVM. If theta is at most 1, the bound has no effect, and B is 2.
    B : float >= 1, optional
        The bound itself, in the place of `fraction`.
    tol, max_rounds, solver
        As for `kernlearn.StructSVM`.

    Attributes
    ----------
    B_ : float
        The bound.
    theta_ : float
        The largest output, at most the bound.
    classes_, coef_, dual_coef_, transitions_, feature_names_, objective_, dual_objective_, gap_, n_iter_
        As for `kernlearn.StructSVM`.

    References
    ----------
    P. K. Shivaswamy. Large Relative Margin and Applications. PhD thesis, Columbia University, 2010, chapter 4.
    """

    degree: int = 1
    C: float = 1.0
    fraction: float = 0.5
    B: float | None = None
    tol: float = 1e-3
    max_rounds: int = 1000
    solver: str = "descent"


@dataclass(eq=False, repr=False)
class StructRMMClassifier(Bounded, SingleKernelClassifier):
    """The relative margin machine of all classes at once: `kernlearn.StructSVMClassifier` with bounded outputs.

    The outputs are the differences of the values of the true class of a training example and those of all others.

    Parameters
    ----------
    kernel, degree, gamma, coef0, C
        As for `kernlearn.StructSVMClassifier`.
    fraction, B, tol, max_rounds, solver
        As for `kernlearn.StructRMM`.
    probability : bool
        Whether `fit` also learns probabilities for `predict_proba`, from decision values of held-out rows.

    Attributes
    ----------
    B_, theta_ : float
        As for `kernlearn.StructRMM`. If theta is at most 1, the bound has no effect, and B is 2.
    classes_, support_, n_support_, dual_coef_, intercept_, objective_, dual_objective_, gap_, n_iter_
        As for `kernlearn.StructSVMClassifier`.
    """

    kernel: str = "gaussian"
    degree: int = 3
    gamma: float | str = "scale"
    coef0: float = 1.0
    C: float = 10.0
    fraction: float = 0.5
    B: float | None = None
    tol: float = 1e-3
    max_rounds: int = 1000
    solver: str = "descent"
    probability: bool = False


class StructRMMClassifierCV(ClassifierSearch, of=StructRMMClassifier):
    """`kernlearn.StructRMMClassifier` with parameters that are chosen by cross-validation."""
