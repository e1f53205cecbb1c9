"""The linear-chain conditional random field as an estimator; see `kernlearn.algorithms.structured.crf`."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernlearn.algorithms.structured.crf import METHOD
from kernlearn.estimators.common.sequences import SequenceTagger
from kernlearn.solvers.structured.chains import marginals


@dataclass(eq=False, repr=False)
class LinearChainCRF(SequenceTagger):
    """The conditional random field: a probability for every labelling of a sequence, with a certificate.

    Sequences are given as a list with one element for each sequence: an array or sparse matrix of shape (T, d), or a
    list with the features of each position. The features of a position are a list of names or a dictionary. In a
    dictionary, a text stands for ``name=text``, and a number for itself.

    Parameters
    ----------
    C : float > 0
        Weight of the log-likelihood beside half the squared norm; of CRFsuite's ``c2`` it is ``1 / (2 c2)``.
    tol : float
        Relative duality gap to reach.
    max_iter : int
        Iterations of L-BFGS after which it stops, and `fit` warns.

    Attributes
    ----------
    classes_ : array of shape (k,)
        The labels.
    coef_ : array of shape (k, d)
        Weights of the features for every label.
    transitions_ : array of shape (k, k)
        Weights of pairs of neighbouring labels; the row is the first label.
    feature_names_ : array of shape (d,)
        The names of the features, if they are given by name.
    objective_, dual_objective_, gap_ : float
    n_iter_ : int

    Examples
    --------
    >>> X = [[{"word": "the"}, {"word": "dog", "long": False}], [{"word": "dogs"}]]
    >>> LinearChainCRF().fit(X, [["DT", "NN"], ["NNS"]]).predict(X)
    [['DT', 'NN'], ['NNS']]
    """

    _method = METHOD
    _advice = "; scale the features, or raise max_iter"

    C: float = 1.0
    tol: float = 1e-6
    max_iter: int = 10_000

    def predict_proba(self, X: Any) -> list[NDArray[np.float64]]:
        """Return the probability of every label at every place, an array of shape (T, k) for every sequence."""
        windows = self._windows(X)
        sequences = windows.chains
        found = marginals(self._decoder.emissions(windows), self._decoder.transitions, sequences.starts)
        return list(sequences.split(found.places))
