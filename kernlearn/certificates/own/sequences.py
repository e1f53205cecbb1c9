"""Labels of sequences, by a random field or by a structured machine: what is proved of the weights that predict.

The problems are at the heads of `kernlearn.algorithms.structured.crf` and `kernlearn.certificates.own.labellings`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np

from kernlearn.certificates.certificate import Certificate, counted
from kernlearn.certificates.crf import STEP
from kernlearn.certificates.crf import crf as field_certificate
from kernlearn.certificates.own.labellings import expected, flows_of, largest, margins, scores
from kernlearn.certificates.own.parts import BAND, Proved
from kernlearn.certificates.proofs.examples import OtherData
from kernlearn.certificates.proofs.problem import number, times
from kernlearn.kernels.families.chains import Windows
from kernlearn.twofold import total
from kernlearn.types import Array, Index

#: What the score of predicted labels may lack of the best one, as a part of the sizes of its terms.
LESS = 1e-9


@dataclass(frozen=True)
class Tagged:
    """The weights of a tagger, and the sequences that they are said to be learned from.

    Attributes
    ----------
    method : str
    options, values : mapping
        What its path was given, and the grid point.
    dual : array
        That of the solution.
    weights, transitions : arrays of shapes (D, k), or (N, k) with a kernel, and (k, k)
    inputs : Windows
        Of the training sequences.
    truth, predicted : arrays of shape (N,)
        The labels of all places, and those that the tagger gives them.
    """

    method: str
    options: Mapping[str, Any]
    values: Mapping[str, Any]
    dual: Array
    weights: Array
    transitions: Array
    inputs: Windows
    truth: Index
    predicted: Index

    @property
    def starts(self) -> Index:
        """Where each sequence begins, and N."""
        return self.inputs.chains.starts

    def emissions(self, coef: Array) -> Array:
        """Return the part of the scores that is of places, shape (N, k)."""
        values: Array = self.inputs.images(coef) if self.inputs.degree > 1 else self.inputs.chains.values @ coef
        return values

    def sizes(self, coef: Array) -> Array:
        """Return what the terms of these add up to without their signs."""
        if self.inputs.degree > 1:
            return self.inputs.images(np.abs(coef))
        return np.asarray(abs(self.inputs.chains.values) @ np.abs(coef))

    def square(self, coef: Array, transitions: Array, E: Array) -> float:
        """Return ``|w|^2``."""
        products = coef * E if self.inputs.degree > 1 else coef * coef
        return max(0.0, total(products.ravel())) + total((transitions * transitions).ravel())


def crf(one: Tagged) -> Proved:
    """Return what is proved of a linear-chain conditional random field."""
    C, X, (N, k) = float(one.values["C"]), one.inputs.chains.values, (len(one.truth), len(one.transitions))
    found = expected(one.emissions(one.weights), one.transitions, one.starts)
    indicators = np.zeros((N, k))
    indicators[np.arange(N), one.truth] = 1.0
    pairs = np.zeros((k, k))
    inner = np.delete(np.arange(N), one.starts[1:] - 1)
    np.add.at(pairs, (one.truth[inner], one.truth[inner + 1]), 1.0)
    w, seen, mean, sizes = (
        np.concatenate([a.ravel(), b.ravel()])
        for a, b in (
            (one.weights, one.transitions),
            (X.T @ indicators, pairs),
            (X.T @ found.places, found.pairs),
            (abs(X).T @ found.places, found.pairs),
        )
    )
    longest = int(np.diff(one.starts).max())
    zero = C * N * float(np.log(k))
    proof = field_certificate(w, seen, mean, sizes, found.log_partition, C, longest, zero)
    return Proved(proof, f"1/2 |w|^2 - {times(C)}sum_i log p(y_i | x_i)", 1.0)


def structured(one: Tagged) -> Proved:
    """Return what is proved of a structured machine.

    Its bound is the one that was given, or none where the fraction is 1 or no output comes up to it. Otherwise it is
    the largest output.
    """
    C, n, w, T = float(one.values["C"]), len(one.starts) - 1, one.weights, one.transitions
    E, sizes, c = one.emissions(w), one.sizes(w), C / n
    least, most = margins(E, T, one.starts, one.truth)
    widest = max(float(most.max()), -float(least.min()), 0.0)
    given = one.options.get("B")
    bounded = given is not None or float(one.values.get("fraction", 1.0)) < 1.0
    flows = flows_of(one.dual, one.starts, one.truth, len(T), c, bounded)
    bounded = bounded and (given is not None or flows.outer > 0.0)  # a bound that is not felt is none
    B = inf if not bounded else widest if given is None else float(given)
    shrink = min(1.0, B / widest) if widest > 0.0 else 1.0
    square = one.square(w, T, E)
    objective = 0.5 * shrink**2 * square + c * total(np.maximum(0.0, 1.0 - shrink * least))
    images = flows.places if one.inputs.degree > 1 else one.inputs.chains.values.T @ flows.places
    dual_square = one.square(images, flows.pairs, one.emissions(images) if one.inputs.degree > 1 else E)
    linear = flows.inner - (B * flows.outer if flows.outer else 0.0)
    multiple = min(1.0, max(0.0, linear / dual_square)) if dual_square > 0.0 else 1.0  # as feasible, and better
    size = float(np.abs(T).max()) + float(sizes.max())
    longest = int(np.diff(one.starts).max())
    rounding = STEP * longest * (square + dual_square + C * longest * size)
    lower = multiple * linear - 0.5 * multiple**2 * dual_square - multiple * flows.lost * _worth(one, objective)
    bound = lower - counted(rounding, objective, C)
    words = f"1/2 |w|^2 + {number(c)} sum_i max_y ([y != y_i] + s_i(y) - s_i(y_i)) over labellings y with scores s_i"
    words += f" subject to |s_i(y) - s_i(y_i)| <= {number(B)}" if bounded else ""
    only = BAND if bounded and given is None else ""
    return Proved(Certificate(objective, bound, C, stretch=shrink), words, 1.0, only)


def _worth(one: Tagged, objective: float) -> float:
    """Return what a unit of flow that belongs to no labelling may be worth in a lower bound.

    Without such units the multipliers are feasible. They add up to at most two units less for each, and their images
    are others. The best w has no larger square than twice an objective, so its scores of these images are bounded,
    however small those of the predictor are.
    """
    chains = one.inputs.chains
    squares = np.asarray(chains.values.power(2).sum(axis=1)).ravel()
    if one.inputs.degree > 1:
        squares = (squares + 1.0) ** one.inputs.degree
    longest, largest = int(np.diff(chains.starts).max()), float(np.sqrt(squares.max(initial=0.0)))
    return 2.0 + 2.0 * longest * (largest + 1.0) * float(np.sqrt(2.0 * objective))


#: What proves a tagger, by the name of the method.
TAGGERS = {"crf": crf, "struct_svm": structured, "struct_rmm": structured}


def require_predicted(one: Tagged) -> None:
    """Raise `UserError` unless the labels that a tagger itself gives are the best by the weights that are proved."""
    E = one.emissions(one.weights)
    size = one.sizes(one.weights).max() + np.abs(one.transitions).max()
    best: Array = largest(E, one.transitions, one.starts)
    lacking = np.subtract(best, scores(E, one.transitions, one.starts, one.predicted))
    if float(lacking.max()) > LESS * float(size) * int(np.diff(one.starts).max()):
        raise OtherData("the labels that the model predicts are not the best by its weights; give the training data")
