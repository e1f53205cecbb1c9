"""What predicts labels of sequences: the labelling with the largest score."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernlearn.datasets import Chains
from kernlearn.solvers.chains import best_labels

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Decoder:
    """The prediction ``argmax_y sum_t w_{y_t}.phi(x^t) + sum_t T[y_t, y_{t+1}]`` of sequences of features.

    Attributes
    ----------
    weights : array of shape (D, k)
        Of every feature for every label.
    transitions : array of shape (k, k)
        Of a label and the next one.
    """

    weights: Array
    transitions: Array

    def emissions(self, chains: Chains) -> Array:
        """Return the scores ``w_y.phi(x^t)`` of all labels at all places, shape (N, k)."""
        scores: Array = chains.values @ self.weights
        return scores

    def labels(self, chains: Chains) -> NDArray[np.intp]:
        """Return the label of every place, shape (N,)."""
        return best_labels(self.emissions(chains), self.transitions, chains.starts)

    def outputs(self, inputs: Any) -> Array:
        """Return 1 for the label of every place, 0 for the others, shape (k, N); `inputs` are windows of sequences."""
        labels = self.labels(inputs.chains)
        return (np.arange(self.weights.shape[1])[:, None] == labels).astype(np.float64)

    def counts(self) -> dict[str, int]:
        """Return the number of weights that are not 0; it rests on no single example."""
        return {"n_support": 0, "n_nonzero": int(np.count_nonzero(self.weights) + np.count_nonzero(self.transitions))}
