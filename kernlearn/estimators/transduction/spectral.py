"""The estimator of all methods that learn from a graph, see `kernlearn.algorithms.transduction.spectral`."""

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from kernlearn.algorithms import ALGORITHMS, Classes, Problem
from kernlearn.algorithms.core.method import Method
from kernlearn.algorithms.core.predictor import predict
from kernlearn.algorithms.transduction.label_spreading import at_others
from kernlearn.algorithms.transduction.spectral import INPUTS
from kernlearn.errors import UserError
from kernlearn.estimators.common.advice import warn_of_rounded
from kernlearn.estimators.common.decisions import DecisionMixin
from kernlearn.estimators.common.expansion import keep_certificate
from kernlearn.estimators.common.fitting import MethodMixin
from kernlearn.estimators.common.labels import several_classes
from kernlearn.kernels import make_family, make_inputs
from kernlearn.kernels.families.neighbours import SEARCHES
from kernlearn.parameters import Choice, Parameter
from kernlearn.types import Array

#: The methods, and those that have a share of every class for every example, and no eigenvectors.
METHODS = {name: method for name, method in ALGORITHMS.items() if method.inputs == INPUTS}
SHARES = ("label_propagation", "label_spreading")
#: The label of an example without one, as in scikit-learn's module of semi-supervised learning.
UNLABELLED = -1


@dataclass(eq=False, repr=False)
class GraphClassifier(MethodMixin, DecisionMixin, ClassifierMixin, BaseEstimator):
    """Transduction on a neighbourhood graph: few examples have labels, and the labels of the others are predicted.

    `fit` takes all examples, with the label -1 for unlabelled ones, and finds their labels: `transduction_`. `predict`
    takes new examples. The Nystrom extension continues each eigenvector of the graph to them, from the values at their
    nearest neighbours among the examples of `fit`. The learned model does not change. Label propagation and spreading
    take the mean of the neighbours instead. The prediction for an example of `fit` may differ from `transduction_`.
    More than two classes are learned one-vs-rest. Scores of scikit-learn compare with all of y, so compute them only on
    labelled examples.

    The graph or its eigenvectors are not unique if distances or eigenvalues of the Laplacian are equal. This happens
    with lattices, copies, and graphs with several components. Then the values of the features decide, so results do not
    depend on the order of the examples.

    Parameters
    ----------
    method : str
        ``"storm"`` learns decreasing weights of the eigenvectors of the graph, jointly with a relative margin machine.
        ``"stoam"`` does not bound the outputs, and ``"mkl_r"`` and ``"mkl_s"`` do not order the weights. ``"kta_r"``
        and ``"kta_s"`` align the weights with the labels. ``"sgt"`` is the spectral graph transducer. ``"diffusion"``
        and ``"gaussian_field"`` have fixed weights. The others are ``"label_propagation"`` and ``"label_spreading"``. A
        method ignores parameters that it does not have.
    C : float > 0
        Weight of the loss. The kernel has trace 1 on all n examples, so C is n times as large as for other kernels.
    fraction : float in (0, 1]
        The outputs are bounded by ``B = 1 + fraction (theta - 1)``, where theta is the largest output without a bound.
    sigma : float > 0
        Width of the fixed weights of diffusion kernels and Gaussian fields; larger ones are smoother.
    alpha : float in (0, 1)
        For label spreading: the share of a label that comes from the neighbours.
    threshold : {"zero", "middle"}
        For ``"sgt"``: the value above which an example is positive, 0 or the mean of both targets.
    tol : float
        Relative duality gap to reach.
    neighbours, mutual, weights, width, metric, standardise, normalised, q, search
        Parameters of the graph and the number of eigenvectors: see `kernlearn.kernels.families.spectrum.graph`. A
        mutual graph has many components, and only components with labels can be distinguished. ``mutual`` is therefore
        False by default here. ``kernel=graph`` of the command line has the graph of the thesis, which is mutual.

    Attributes
    ----------
    classes_ : array
    transduction_ : array of shape (n,)
        The labels of all examples of `fit`; given ones may have changed.
    label_distributions_ : array of shape (n, n_classes)
        For label propagation and spreading only: the shares of the classes, all 0 if no label reaches an example.
    eigenvalues_ : array of shape (q + 1,)
        The smallest eigenvalues of the Laplacian.
    weights_ : array of shape (n_outputs, q)
        Weights of the eigenvectors; missing for ``"sgt"``, label propagation and spreading.
    objective_, dual_objective_, gap_ : float
        Sums over the classes and over the problems that were solved, and the largest relative gap.

    References
    ----------
    P. K. Shivaswamy. Large relative margin and applications. PhD thesis, Columbia University, 2010, chapter 5.
    """

    _declared = {
        **{key: parameter for method in METHODS.values() for key, parameter in method.parameters.items()},
        "search": Parameter("exact", Choice(SEARCHES), "of neighbours"),
        "method": Parameter("storm", Choice(tuple(METHODS)), "how labels are learned"),
    }

    method: str = "storm"
    C: float = 1000.0
    fraction: float = 0.5
    sigma: float = 0.3
    alpha: float = 0.9
    threshold: str = "zero"
    tol: float = 1e-6
    neighbours: int = 5
    mutual: bool = False
    weights: str = "binary"
    width: float = 1.0
    metric: str = "euclidean"
    standardise: bool = False
    normalised: bool = False
    q: int = 200
    search: str = "exact"

    @property
    def _method(self) -> Method:
        return METHODS[self.method]

    def fit(self, X: Any, y: Any) -> Self:
        """Find the labels of the examples that have none.

        Parameters
        ----------
        X : array or sparse matrix of shape (n, d)
        y : array of shape (n,)
            Class labels, numbers or texts, at least two different ones; -1 or "-1" where there is none.

        Raises
        ------
        ValueError
            If the input is not as described or a parameter is out of range.
        """
        values = self._check_parameters()
        warn_of_rounded(self, X)
        X, y = validate_data(self, X, y, dtype=np.float64, accept_sparse="csr")
        order = _canonical(X, y)
        back, X, y = np.argsort(order), X[order], y[order]
        labelled = np.flatnonzero(~_hidden(y))
        given = y[labelled]
        if given.dtype == object:  # texts, and -1 where there is none
            given = np.array(given.tolist())
        check_classification_targets(given)
        if not len(given):
            raise UserError(
                f"every label is {UNLABELLED}, which is none: give some examples the labels of their classes"
            )
        try:
            self.classes_, index = several_classes(given)
        except UserError as error:
            raise UserError(f"{error}; {UNLABELLED} is no class, but an example without a label") from None
        own = ("neighbours", "mutual", "weights", "width", "metric", "standardise", "normalised", "q")
        family: Any = make_family(INPUTS, **{key: getattr(self, key) for key in own})
        spectrum: Any = make_inputs(replace(family, search=values["search"]), _own(X))
        problem = Problem(spectrum, Classes(index, len(self.classes_)), labelled)
        point = self._learn_with_proof(problem, values, order[labelled])
        self._spectrum: Any = spectrum
        self._order = order  # that of the examples in the graph
        self._predictor, self._on_graph = point.predictor, point.predictor.outputs(spectrum)
        self.transduction_ = self.classes_[predict(self._on_graph)][back]
        self.eigenvalues_ = spectrum.theta
        for name in ("weights_", "label_distributions_"):
            self.__dict__.pop(name, None)  # of a fit before
        if "weights" in point.facts:
            self.weights_ = point.facts["weights"]
        if self.method in SHARES:
            self.label_distributions_ = _distributions([solution.x for solution in point.solutions])[back]
        keep_certificate(self, point.solutions)
        return self

    def _values(self, X: Any) -> Array:
        check_is_fitted(self)
        X = _own(validate_data(self, X, dtype=np.float64, accept_sparse="csr", reset=False))
        if not hasattr(self, "label_distributions_"):
            return np.asarray(self._predictor.outputs(self._spectrum.at(X)))
        return at_others(self._spectrum.graph, self._on_graph, X)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


def _hidden(y: NDArray[Any]) -> NDArray[np.bool_]:
    """Return which labels are -1, as a number or, as numpy makes it of -1 among texts, as a text."""
    if y.dtype.kind in "biuf":
        return np.asarray(y == UNLABELLED)
    return np.array([str(label) == str(UNLABELLED) for label in y], dtype=np.bool_)


def _canonical(X: Any, y: NDArray[Any]) -> NDArray[np.intp]:
    """Return an order of examples that depends on their features and labels alone, not on the names of the labels.

    Copies with different labels stand in the order of their classes: the smaller class first, of equal ones that whose
    examples come first themselves.
    """
    X = sparse.csr_array(X)  # projections tell rows apart, and are the same for equal ones, dense or sparse
    projections = X @ np.random.default_rng(0).standard_normal((X.shape[1], 2))
    _, label = np.unique(y.astype(str), return_inverse=True)
    hidden = _hidden(y)

    def key(c: int) -> tuple[bool, int, list[list[float]]]:
        mine = label == c
        return not hidden[mine].any(), int(mine.sum()), sorted(projections[mine].tolist())

    place = np.empty(label.max() + 1, dtype=np.intp)
    place[sorted(range(len(place)), key=key)] = np.arange(len(place))
    return np.lexsort((place[label], *projections.T))


def _own(X: Any) -> Any:
    """Return examples as arrays: scikit-learn may hand on its user's matrix."""
    return sparse.csr_array(X) if hasattr(X, "tocsr") else X


def _distributions(F: list[Array]) -> Array:
    """Return the shares of all classes from the indicators of one, or of every one against the rest."""
    shares = F[0] if len(F) == 1 else np.column_stack([one[:, 1] for one in F])
    totals = shares.sum(axis=1, keepdims=True)
    return shares / np.where(totals > 0, totals, 1.0)
