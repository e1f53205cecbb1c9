"""Taggers of short sequences, in exact arithmetic over all labellings written out."""

import warnings
from fractions import Fraction
from itertools import product
from math import inf
from typing import Any

import numpy as np
from numpy.random import Generator
from sklearn.exceptions import ConvergenceWarning

import kernlearn
from attacks.exact import BAND, HALF, exponential, logarithm, rational
from attacks.exact_claims import ALLOWED, KERNEL_VALUES, Finding, claims
from attacks.exact_data import penalty
from attacks.held import Array

NAMES = ("LinearChainCRF", "StructSVM", "StructRMM")


def attack(rng: Generator, name: str) -> tuple[list[str], list[Finding]]:
    """Attack an estimator by one problem; return what it was and what is wrong."""
    k, n, d = int(rng.integers(2, 4)), int(rng.integers(1, 6)), int(rng.integers(1, 4))
    lengths = rng.integers(1, 5, n).tolist()
    X = [rng.integers(-3, 4, (length, d)).astype(float) for length in lengths]
    slack = ALLOWED
    if rng.random() < 0.3:
        slack = KERNEL_VALUES
        X = [x * 10.0 ** np.arange(-1, d - 1) for x in X]
    y = [rng.integers(0, k, length) for length in lengths]
    y[0][0], y[-1][-1] = 0, 1
    if len({int(v) for one in y for v in one}) < 2:  # one place is all there is
        X, y = [*X, X[0]], [*y, 1 - np.minimum(y[0], 1)]
    told: dict[str, Any] = {"C": penalty(rng)}
    if name != "LinearChainCRF":
        told |= {"degree": int(rng.integers(1, 3)), "max_rounds": 100}
    if name == "StructRMM":
        told["B"] = float(rng.choice([1.0, 1.01, 2.0, 10.0]))
    if rng.random() < 0.5:
        told["tol"] = 1e-6
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        tagger = getattr(kernlearn, name)(**told).fit(X, y)
    warned = any(issubclass(one.category, ConvergenceWarning) for one in said)
    numbers = [np.searchsorted(tagger.classes_, one) for one in y]
    features, weights, transitions, norm = _weights(tagger, X)
    value = _Sequences(tagger, features, numbers, told["C"], norm)
    found = [value.at(factor * weights, factor * transitions) for factor in (1, 0, HALF, Fraction(999, 1000))]
    found.append(value.at(Fraction(1001, 1000) * weights, Fraction(1001, 1000) * transitions))
    labels = tagger.predict(X)
    wrong = [
        ("predict", 1.0, "a labelling that is predicted has not the best score")
        for x, one in zip(features, labels, strict=True)
        if not _is_best(x, np.searchsorted(tagger.classes_, one), weights, transitions)
    ]
    return [f"{name}(**{told})", f"lengths {lengths}", f"d={d}"], claims(
        tagger, *found[:2], found, warned, slack
    ) + wrong[:1]


def _weights(tagger: Any, X: list[Array]) -> tuple[list[Array], Array, Array, Array | None]:
    """Return features of every place, weights (k, D) of them, transitions, and the kernel whose norm it is."""
    transitions = rational(tagger.transitions_)
    if hasattr(tagger, "coef_"):
        return [rational(x) for x in X], rational(tagger.coef_), transitions, None
    places = rational(np.vstack(X))
    K = (places @ places.T + 1) ** tagger.degree
    ends = np.cumsum([len(x) for x in X])[:-1]
    return np.split(K, ends), rational(tagger.dual_coef_), transitions, K


class _Sequences:
    """The objective of a tagger."""

    def __init__(self, tagger: Any, features: list[Array], labels: list[Array], C: float, norm: Array | None):
        self.name, self.B = type(tagger).__name__, getattr(tagger, "B_", None)
        self.features, self.labels, self.C, self.norm = features, labels, Fraction(C), norm

    def at(self, weights: Array, transitions: Array) -> Any:
        """Return (P) of the random field, or (4.3), (4.4) of a structured machine."""
        inside = weights if self.norm is None else weights @ self.norm
        total = HALF * ((weights * inside).sum() + (transitions * transitions).sum())
        for x, own in zip(self.features, self.labels, strict=True):
            scores = _scores(x, weights, transitions)
            right = scores.pop(tuple(int(v) for v in own))
            if self.name == "LinearChainCRF":
                total += self.C * logarithm(1 + sum(exponential(v - right) for v in scores.values()))
                continue
            apart = [right - v for v in scores.values()]
            if self.B is not None and max(map(abs, apart)) > Fraction(self.B) * (1 + BAND):
                return inf
            total += self.C / len(self.labels) * max(Fraction(0), 1 - min(apart))
        return total


def _scores(x: Array, weights: Array, transitions: Array) -> dict[tuple[int, ...], Fraction]:
    """Return the scores of all labellings of a sequence."""
    S, k = x @ weights.T, len(transitions)
    return {
        labels: sum((S[t, c] for t, c in enumerate(labels)), Fraction(0))
        + sum((transitions[a, b] for a, b in zip(labels, labels[1:], strict=False)), Fraction(0))
        for labels in product(range(k), repeat=len(x))
    }


def _is_best(x: Array, labels: Array, weights: Array, transitions: Array) -> bool:
    """Say whether no labelling has a better score, but for rounding."""
    scores = _scores(x, weights, transitions)
    size = max(map(abs, scores.values())) + max(map(abs, (np.abs(x) @ np.abs(weights).T).ravel()))
    return max(scores.values()) - scores[tuple(int(v) for v in labels)] <= size / 10**12
