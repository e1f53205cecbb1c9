"""Weights of features, of stumps and of Gaussian units, in exact arithmetic: linear SVM, boosting, RBF networks."""

import warnings
from fractions import Fraction
from math import inf
from typing import Any

import numpy as np
from numpy.random import Generator
from sklearn.exceptions import ConvergenceWarning

import kernlearn
from attacks.exact import HALF, exponential, losses, rational
from attacks.exact_claims import ALLOWED, KERNEL_VALUES, Finding, claims, predictions
from attacks.exact_data import draw_table, penalty
from attacks.held import Array

Told = dict[str, Any]
BOOSTING = (
    "AdaBoostClassifier",
    "EBBoostClassifier",
    "AdaBoostRegClassifier",
    "LPBoostClassifier",
    "QPBoostClassifier",
)
NAMES = (*BOOSTING, "LinearSVMClassifier", "RBFNetworkClassifier")


def attack(rng: Generator, name: str) -> tuple[list[str], list[Finding]]:
    """Attack an estimator by one problem; return what it was and what is wrong."""
    table = draw_table(rng, int(rng.choice([2, 2, 3])))
    told, signs = draw(rng, name), _signs(table.y)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        estimator = getattr(kernlearn, name)(**told).fit(table.X, table.y)
    warned = any(issubclass(one.category, ConvergenceWarning) for one in said)
    designs, weights, shifts = DESIGNS.get(name, stumps)(estimator, table.X)
    told = estimator.get_params()
    parts = [_values(name, told, *part) for part in zip(designs, weights, shifts, signs, strict=True)]
    total, zero, best = (sum(values) for values in zip(*parts, strict=True))
    if name in BOOSTING and estimator.gap_ == 1.0:  # votes without an error: no finite weight is the best, as is said
        warned = True
    slack = KERNEL_VALUES if name == "RBFNetworkClassifier" else ALLOWED
    findings = claims(estimator, total, zero, [best], warned, slack)
    outputs = np.stack([G @ a + b for G, a, b in zip(designs, weights, shifts, strict=True)])
    reach = np.stack(
        [np.abs(G) @ np.abs(a) + abs(b) + (not len(a)) for G, a, b in zip(designs, weights, shifts, strict=True)]
    )
    exact = table.integer and name != "RBFNetworkClassifier"
    return [f"{name}(**{told})", *table.traits], findings + predictions(estimator, table.X, outputs, reach, exact)


def draw(rng: Generator, name: str) -> Told:
    """Draw parameters."""
    if name == "LinearSVMClassifier":
        told: Told = {"lambda_": penalty(rng), "constant": float(rng.choice([0.0, 1.0, 3.0])), "max_sweeps": 3000}
        return told | ({"tol": 1e-6} if rng.random() < 0.5 else {})
    if name == "RBFNetworkClassifier":
        return {"lambda_": penalty(rng), "n_units": int(rng.integers(1, 6)), "iterations": int(rng.choice([0, 3]))}
    told = {"rounds": int(rng.choice([1, 3, 10, 30]))}
    match name:
        case "EBBoostClassifier":
            told["lambda_"] = float(rng.choice([0.0, 0.1, 1.0, 10.0, 1e4]))
        case "AdaBoostRegClassifier":
            told["C"] = float(rng.choice([0.0, 0.1, 1.0, 100.0]))
        case "LPBoostClassifier":
            told |= {"nu": float(rng.choice([1.0, 0.5, 0.1, 0.02])), "over": str(rng.choice(["adaboost", "all"]))}
        case "QPBoostClassifier":
            told |= {"C": penalty(rng), "over": str(rng.choice(["adaboost", "all"]))}
    return told


def _signs(y: Array) -> list[list[int]]:
    classes = np.unique(y)
    return [[1 if c == own else -1 for c in y] for own in (classes[1:] if len(classes) == 2 else classes)]


def stumps(estimator: Any, X: Array) -> tuple[list[Array], list[Array], list[Fraction]]:
    """Return of every output the votes at the examples, their weights, and 0."""
    parts = estimator.features_, estimator.thresholds_, estimator.estimator_weights_
    several = list(zip(*parts, strict=True)) if len(estimator.classes_) > 2 else [parts]
    designs = [rational(np.where(X[:, features] > thresholds, 1.0, -1.0)) for features, thresholds, _ in several]
    return designs, [rational(weights) for *_, weights in several], [Fraction(0)] * len(several)


def features(estimator: Any, X: Array) -> tuple[list[Array], list[Array], list[Fraction]]:
    """Return of every output the features of the examples, their weights, and the intercept."""
    return [rational(X)] * len(estimator.coef_), list(rational(estimator.coef_)), list(rational(estimator.intercept_))


def units(estimator: Any, X: Array) -> tuple[list[Array], list[Array], list[Fraction]]:
    """Return of every output the units at the examples with 60 digits, their weights, and 0."""
    parts = estimator.centers_, estimator.widths_, estimator.coef_
    several = list(zip(*parts, strict=True)) if len(estimator.classes_) > 2 else [parts]
    designs = []
    for centres, widths, _ in several:
        D = ((rational(X)[:, None, :] - rational(centres)[None]) ** 2).sum(axis=2)
        Z = D / (2 * rational(widths) ** 2)
        designs.append(np.array([exponential(-z) for z in Z.ravel()], dtype=object).reshape(Z.shape))
    return designs, [rational(weights) for *_, weights in several], [Fraction(0)] * len(several)


DESIGNS = {"LinearSVMClassifier": features, "RBFNetworkClassifier": units}


def _values(name: str, told: Told, G: Array, a: Array, b: Fraction, y: list[int]) -> tuple[Any, Any, Any]:
    """Return the objective at the predictor, at zero, and the least of feasible predictors."""
    value = VALUES[name]
    at = value(told, G, a, b, y)
    if name in ("AdaBoostClassifier", "EBBoostClassifier", "AdaBoostRegClassifier"):
        if name == "AdaBoostRegClassifier" or not len(a):
            return at, Fraction(1), at
        found = [at]  # what is proved is that the last weight is the best
        for factor in (Fraction(9, 10), Fraction(999, 1000), Fraction(1001, 1000)):
            other = a.copy()
            other[-1] = factor * a[-1]
            if abs(other[-1]) < 18:
                found.append(value(told, G, other, b, y))
        return at, Fraction(1), min(found)
    if name == "LPBoostClassifier":
        return at, Fraction(1), min(at, *(value(told, G, c, b, y) for c in _corners(a)))
    found = [
        value(told, G, factor * a, factor * b, y) for factor in (0, HALF, Fraction(999, 1000), Fraction(1001, 1000))
    ]
    if name != "QPBoostClassifier":
        found += [value(told, G, _moved(a, k), b, y) for k in range(len(a))]
    return at, found[0], min(at, *found)


def _corners(a: Array) -> list[Array]:
    """Return votes of one stump each, as the vote has it, and a vote that is nearly the one that is given."""
    signs = [(v > 0) - (v < 0) for v in a]
    corners = [np.array([s * (i == k) for i, s in enumerate(signs)], dtype=object) for k in range(len(a)) if signs[k]]
    return [*corners, *((a * 999 + c) / 1000 for c in corners)]


def _moved(a: Array, k: int) -> Array:
    other = a.copy()
    other[k] = a[k] * Fraction(1001, 1000)
    return other


def _bernstein(told: Told, G: Array, a: Array, b: Fraction, y: list[int]) -> Any:
    """(6.8) over n^2: the squared mean of the exponential losses and lambda times their variance."""
    e = np.array([exponential(-s * v) for s, v in zip(y, G @ a + b, strict=True)], dtype=object)
    mean = e.sum() / len(y)
    return mean**2 + Fraction(told.get("lambda_", 0.0)) * ((e - mean) ** 2).sum() / len(y)


def _soft_margins(told: Told, G: Array, a: Array, b: Fraction, y: list[int]) -> Any:
    """Return the mean of the losses with the influence that the examples have had in all rounds."""
    soft, signs = np.array([Fraction(0)] * len(y), dtype=object), np.array(y, dtype=object)
    for column, alpha in zip(G.T, a, strict=True):
        e = np.array([exponential(-v) for v in soft], dtype=object)
        soft = soft + alpha * signs * column + abs(alpha) * Fraction(told["C"]) * e / e.sum()
        soft = np.array([Fraction(float(v)) + Fraction(float(v - Fraction(float(v)))) for v in soft], dtype=object)
    return sum(exponential(-v) for v in soft) / len(y)


def _soft_margin(told: Told, G: Array, a: Array, b: Fraction, y: list[int]) -> Any:
    """``1 - rho + sum_i max(0, rho - y_i f(x_i)) / (nu n)`` at the best rho, of weights divided by their sum."""
    size = sum(map(abs, a))
    if size == 0 or abs(size - 1) > Fraction(1, 10**9):
        return inf
    margins = [s * v / size for s, v in zip(y, G @ a, strict=True)]
    upper = 1 / (Fraction(told["nu"]) * len(y))
    return min(1 - rho + upper * sum(max(Fraction(0), rho - m) for m in margins) for rho in set(margins))


def _norm(told: Told, G: Array, a: Array, b: Fraction, y: list[int]) -> Any:
    """``|a|^2 + C sum_i hinge``."""
    return (a * a).sum() + Fraction(told["C"]) * losses(G @ a + b, y).sum()


def _linear(told: Told, G: Array, a: Array, b: Fraction, y: list[int]) -> Any:
    """``lambda/2 |w|^2 + mean hinge`` (15.12), the intercept being the weight of a constant feature."""
    constant = Fraction(told["constant"])
    own = (b / constant) ** 2 if constant else Fraction(0)
    return Fraction(told["lambda_"]) / 2 * ((a * a).sum() + own) + losses(G @ a + b, y).sum() / len(y)


def _network(told: Told, G: Array, a: Array, b: Fraction, y: list[int]) -> Any:
    """``1/(2n) sum_i (f(x_i) - y_i)^2 + lambda/2 |w|^2``."""
    residual = G @ a - np.array(y, dtype=object)
    return (residual**2).sum() / (2 * len(y)) + Fraction(told["lambda_"]) / 2 * (a * a).sum()


VALUES = {
    "AdaBoostClassifier": _bernstein,
    "EBBoostClassifier": _bernstein,
    "AdaBoostRegClassifier": _soft_margins,
    "LPBoostClassifier": _soft_margin,
    "QPBoostClassifier": _norm,
    "LinearSVMClassifier": _linear,
    "RBFNetworkClassifier": _network,
}
