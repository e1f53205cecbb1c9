"""The estimators of `kernlearn.algorithms.structured.struct_svm`: labels of sequences, and classes."""

from dataclasses import dataclass

from kernlearn.estimators.common.expansion import SingleKernelClassifier
from kernlearn.estimators.common.search import ClassifierSearch
from kernlearn.estimators.common.sequences import SequenceTagger
from kernlearn.estimators.common.structured import Unbounded


@dataclass(eq=False, repr=False)
class StructSVM(Unbounded, SequenceTagger):
    """The structured support vector machine for sequences: a margin of 1 between the true labels and all others.

    Sequences are given as for `kernlearn.LinearChainCRF`: a list of arrays or sparse matrices of shape (T, d), or of
    lists with the features of each position. These are a dictionary or a list of names.

    Parameters
    ----------
    degree : int >= 1
        The degree of the kernel ``(x.z + 1)^degree`` between two positions; 1 is ``x.z``, with a weight for every
        feature.
    C : float > 0
        Weight of the mean loss of the sequences beside half the squared norm.
    tol : float
        Relative duality gap to reach, over all labellings.
    max_rounds : int
        Rounds of cutting planes after which it stops, and `fit` warns.
    solver : {"descent", "osqp"}
        The solver of the problems over cuts. "descent": our coordinate descent. "osqp": OSQP, which is slow.

    Attributes
    ----------
    classes_ : array of shape (k,)
        The labels.
    coef_ : array of shape (k, d)
        With ``degree=1``: weights of the features for every label.
    dual_coef_ : array of shape (k, N)
        With a higher degree: coefficients of the N positions of all training sequences, one after the other.
    transitions_ : array of shape (k, k)
        Weights of pairs of neighbouring labels; the row is the first label.
    theta_ : float
        The largest difference between the score of the true labels of a training sequence and the score of any other
        labels.
    feature_names_ : array of shape (d,)
        The names of the features, if they are given by name.
    objective_, dual_objective_, gap_ : float
    n_iter_ : int
        Steps of the solver.

    Examples
    --------
    >>> X = [[{"word": "the"}, {"word": "dog", "long": False}], [{"word": "dogs"}]]
    >>> StructSVM(degree=2).fit(X, [["DT", "NN"], ["NNS"]]).predict(X)
    [['DT', 'NN'], ['NNS']]
    """

    degree: int = 1
    C: float = 1.0
    tol: float = 1e-3
    max_rounds: int = 1000
    solver: str = "descent"


@dataclass(eq=False, repr=False)
class StructSVMClassifier(Unbounded, SingleKernelClassifier):
    """The support vector machine of all classes at once: a margin of 1 between the true class and every other.

    With two classes it is the SVM without bias whose C is ``2 C / n``.

    Parameters
    ----------
    kernel, degree, gamma, coef0
        As for `kernlearn.L2SVMClassifier`. There is no bias.
    C : float > 0
        Weight of the mean loss of the examples beside half the squared norm.
    tol, max_rounds, solver
        As for `kernlearn.StructSVM`.
    probability : bool
        Whether `fit` also learns probabilities for `predict_proba`, from decision values of held-out rows.

    Attributes
    ----------
    classes_, support_, n_support_, dual_coef_, intercept_
        As for `kernlearn.L2SVMClassifier`; the intercepts are 0.
    theta_ : float
        The largest difference between the output of the true class of a training example and the output of any other
        class.
    objective_, dual_objective_, gap_, n_iter_
        Values of the single problem of all classes.
    """

    kernel: str = "gaussian"
    degree: int = 3
    gamma: float | str = "scale"
    coef0: float = 1.0
    C: float = 10.0
    tol: float = 1e-3
    max_rounds: int = 1000
    solver: str = "descent"
    probability: bool = False


class StructSVMClassifierCV(ClassifierSearch, of=StructSVMClassifier):
    """`kernlearn.StructSVMClassifier` with parameters that are chosen by cross-validation."""
