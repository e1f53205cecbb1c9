"""What predicts labels of sequences: the labelling with the largest score."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kernlearn.kernels.families.chains import Windows
from kernlearn.solvers.structured.chains import best_labels
from kernlearn.types import Array


@dataclass(frozen=True)
class Decoder:
    """The prediction ``argmax_y sum_t w_{y_t}.phi(x^t) + sum_t T[y_t, y_{t+1}]`` of sequences of features."""

    #: Shape (D, k): of every feature for every label.
    weights: Array
    #: Shape (k, k): of a label and the next one.
    transitions: Array

    def emissions(self, inputs: Windows) -> Array:
        """Return the scores ``w_y.phi(x^t)`` of all labels at all places, shape (N, k)."""
        scores: Array = inputs.chains.values @ self.weights
        return scores

    def labels(self, inputs: Windows) -> NDArray[np.intp]:
        """Return the label of every place, shape (N,)."""
        return best_labels(self.emissions(inputs), self.transitions, inputs.chains.starts)

    def outputs(self, inputs: Windows) -> Array:
        """Return 1 for the label of every place, 0 for the others, shape (k, N)."""
        return (np.arange(len(self.transitions))[:, None] == self.labels(inputs)).astype(np.float64)

    def counts(self) -> dict[str, int]:
        """Return the number of weights that are not 0; it rests on no single example."""
        return {"n_support": 0, "n_nonzero": int(np.count_nonzero(self.weights) + np.count_nonzero(self.transitions))}


@dataclass(frozen=True)
class KernelDecoder(Decoder):
    """The same with ``w_y.phi(x) = sum_s coef[s, y] K(x, x_s)`` over the places of the training sequences.

    Attributes
    ----------
    weights : array of shape (M, k)
        The coefficients.
    transitions : array of shape (k, k)
    """

    def emissions(self, inputs: Windows) -> Array:
        """Return the scores of all labels at all places, shape (N, k)."""
        return inputs.images(self.weights)

    def counts(self) -> dict[str, int]:
        """Return the number of training places with a coefficient, and that of numbers that are not 0."""
        return {**super().counts(), "n_support": int(np.count_nonzero(self.weights.any(axis=1)))}
