"""Hostile examples, labels and kernels, all drawn from one generator of random numbers."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator

from attacks.held import ROUNDING, Array, long
from kernlearn.kernels import GramStack, make_family
from kernlearn.kernels.families.vectors import precomputed

#: Numbers of examples and features that are drawn.
EXAMPLES, FEATURES = (4, 5, 8, 12, 20, 30, 40), (1, 2, 3, 5, 12, 60)
#: Sizes of values, kernels and targets that are drawn one time in four.
SIZES = (1e-12, 1e-6, 1e-3, 1e3, 1e6, 1e12)


@dataclass
class Sample:
    """Examples with their classes 0, 1, ... and real targets; `traits` says what is hostile about them."""

    X: Array
    classes: Array
    targets: Array
    traits: list[str]


def near_duplicates(rng: Generator, X: Array) -> None:
    """Let some examples be others but for next to nothing."""
    some = rng.integers(0, len(X), max(1, len(X) // 3))
    spread = X.std() or 1.0
    X[rng.integers(0, len(X), len(some))] = X[some] + spread * 10.0 ** rng.uniform(-15, -3) * rng.normal(
        size=X[some].shape
    )


def duplicates(rng: Generator, X: Array) -> None:
    """Let some examples be others, whatever their labels."""
    X[rng.integers(0, len(X), len(X) // 2)] = X[rng.integers(0, len(X), len(X) // 2)]


def collinear(rng: Generator, X: Array) -> None:
    """Let half of the columns depend on the others."""
    half = X.shape[1] // 2
    X[:, X.shape[1] - half :] = X[:, :half] * rng.choice([-2.0, 1.0, 1e-3], half)


def constant_columns(rng: Generator, X: Array) -> None:
    """Let some columns be constant."""
    some = rng.random(X.shape[1]) < 0.5
    X[:, some] = rng.choice([0.0, 1.0, 1e3])


def integers(rng: Generator, X: Array) -> None:
    """Let the values be small integers."""
    X[:] = np.round(X * rng.choice([1, 3]))


def unlike_columns(rng: Generator, X: Array) -> None:
    """Give every column a size of its own."""
    X *= 10.0 ** rng.uniform(-3, 3, X.shape[1])


def far_away(rng: Generator, X: Array) -> None:
    """Move the examples far from zero."""
    X += 10.0 ** rng.uniform(1, 6)


def outlier(rng: Generator, X: Array) -> None:
    """Let one example be far from all others."""
    X[rng.integers(len(X))] *= 10.0 ** rng.uniform(2, 5)


TRAITS: tuple[Callable[[Generator, Array], None], ...] = (
    near_duplicates,
    duplicates,
    collinear,
    constant_columns,
    integers,
    unlike_columns,
    far_away,
    outlier,
)


def draw_sample(rng: Generator, n_classes: int = 2, largest: int = 40) -> Sample:
    """Draw examples: blobs with some noise, and at most three traits."""
    n = int(rng.choice([size for size in EXAMPLES if size <= largest]))
    d = int(rng.choice(FEATURES))
    classes = rng.integers(0, n_classes, n)
    if unbalanced := bool(rng.random() < 0.12 and largest >= 40):
        n, classes = 51, np.zeros(51, dtype=int)
        classes[rng.integers(51)] = 1
    traits = [f"n={n}", f"d={d}", *(["1:50"] if unbalanced else [])]
    if n < 2 * n_classes:
        n_classes = 2
    classes %= n_classes
    if not unbalanced:
        classes[rng.permutation(n)[:n_classes]] = np.arange(n_classes)
    X = rng.normal(size=(n, d)) + rng.choice([0.0, 0.5, 2.0]) * rng.normal(size=(n_classes, d))[classes]
    for trait in rng.permutation(np.array(TRAITS))[: rng.choice([0, 1, 1, 2, 3])]:
        trait(rng, X)
        traits.append(trait.__name__)
    if rng.random() < 0.25:
        X *= (size := float(rng.choice([1e-6, 1e-3, 1e3, 1e6])))
        traits.append(f"values x {size:g}")
    targets = X @ rng.normal(size=d) / (np.abs(X).max() or 1.0) + rng.choice([0.0, 0.1, 1.0]) * rng.normal(size=n)
    if rng.random() < 0.3:
        targets = targets * (size := float(rng.choice(SIZES)))
        traits.append(f"targets x {size:g}")
    return Sample(X, classes, targets, traits)


def draw_family(rng: Generator, sample: Sample, most: int = 5) -> dict[str, Any]:
    """Draw a family of kernels and its parameters, moderate for the examples three times in four."""
    kind = rng.choice(["gaussian", "polynomial", "polynomial_libsvm", "linear"], p=[0.4, 0.35, 0.15, 0.1])
    p = int(rng.integers(1, most + 1))
    if kind == "gaussian":
        near = rng.random() < 0.75
        unit = 1.0 / (sample.X.var(axis=0).sum() or 1.0) if near else 1.0
        return {"name": "gaussian", "gammas": sorted({float(f"{g:.3g}") for g in unit * 10.0 ** rng.uniform(-3, 3, p)})}
    if kind == "linear":
        return {"name": "linear"}
    degrees = sorted({int(k) for k in rng.choice(range(1, 11), p)})
    return {"name": str(kind), "degrees": degrees, "coef0": float(rng.choice([0.0, 1.0]))}


@dataclass
class Kernels:
    """A stack of the package, its matrices, and how the family was asked for (None where matrices are given)."""

    stack: GramStack
    K: Array
    X: Array | None
    family: dict[str, Any] | None


def draw_kernels(rng: Generator, sample: Sample, most: int = 5) -> Kernels:
    """Draw kernels for a sample: a family, or given matrices of any size, rank and coincidence."""
    if rng.random() < 0.6:
        X = sample.X
        if rng.random() < 0.5:
            X = X / np.where((norms := np.linalg.norm(X, axis=1)) > 0, norms, 1.0)[:, None]
        family = draw_family(rng, sample, most)
        stack = GramStack.train(make_family(**family), X)
        return Kernels(stack, np.stack([stack.matrix(k) for k in range(len(stack))]), X, family)
    n, p = len(sample.X), int(rng.integers(1, most + 1))
    K = np.empty((p, n, n))
    for k in range(p):
        rank = int(rng.choice([1, 2, n, 2 * n]))
        F = rng.normal(size=(n, rank))
        if rng.random() < 0.5:
            F[:, 0] += (sample.classes - 0.5) * rng.choice([0.5, 3.0])
        K[k] = F @ F.T
        if rng.random() < 0.2:
            K[k] = np.eye(n)
        if rng.random() < 0.15:
            K[k] *= 10.0 ** rng.uniform(-6, 6)
    if p > 1 and rng.random() < 0.2:
        K[-1] = K[0]
    if rng.random() < 0.25:
        K *= (size := float(rng.choice(SIZES)))
        sample.traits.append(f"kernels x {size:g}")
    return Kernels(given(K), K, None, None)


def given(K: Array) -> GramStack:
    """Return a stack of given matrices (p, n, n)."""
    return GramStack(precomputed(len(K)), K, K)


@dataclass
class Less:
    """Kernels without a constant, which centring takes out: the matrices K - c, what they may be wrong by, and c."""

    K: Array
    E: Array
    constants: Array


def less_constant(family: dict[str, Any] | None, X: Array | None) -> Less | None:
    """Return Gaussian and polynomial kernels without the constant that they are near to for near examples."""
    if family is None or X is None or family["name"] == "linear":
        return None
    if family["name"] == "gaussian":
        D, gammas = squared_distances(X), [np.longdouble(gamma) for gamma in family["gammas"]]
        K = np.stack([np.expm1(-gamma * D) for gamma in gammas])
        return Less(K, ROUNDING * np.abs(K), np.ones(len(K)))
    B, coef0 = X @ X.T, np.longdouble(family["coef0"])
    B = long(B / X.shape[1] if family["name"] == "polynomial_libsvm" else B)
    constants = long([coef0**degree for degree in family["degrees"]])
    if coef0 > 0 and np.abs(B).max() <= coef0 / 2:
        K = np.stack([coef0**degree * np.expm1(degree * np.log1p(B / coef0)) for degree in family["degrees"]])
        return Less(K, ROUNDING * np.abs(K), constants)
    raw = np.stack([(B + coef0) ** degree for degree in family["degrees"]])
    return Less(raw - constants[:, None, None], ROUNDING * (np.abs(raw) + constants[:, None, None]), constants)


def squared_distances(X: Array) -> Array:
    """Return the squared distances of examples, by differences and in extended precision."""
    return ((long(X)[:, None, :] - long(X)[None, :, :]) ** 2).sum(axis=2)


def reference_kernels(family: dict[str, Any], X: Array) -> Array:
    """Return the matrices of a family anew, in extended precision."""
    if family["name"] == "gaussian":
        return np.stack([np.exp(-np.longdouble(gamma) * squared_distances(X)) for gamma in family["gammas"]])
    X = long(X)
    P = (X[:, None, :] * X[None, :, :]).sum(axis=2)
    if family["name"] == "linear":
        return P[None]
    if family["name"] == "polynomial_libsvm":
        P = P / X.shape[1]
    return np.stack([(P + np.longdouble(family["coef0"])) ** degree for degree in family["degrees"]])


def draw_penalty(rng: Generator, size: float, low: float = -4.0, high: float = 4.0) -> float:
    """Draw a positive number: in units of `size` two times in three, and one time in six extreme."""
    unit = size if rng.random() < 0.67 and size > 0 else 1.0
    exponent = rng.choice([-6.0, 7.0]) if rng.random() < 0.17 else rng.uniform(low, high)
    return float(f"{unit * 10.0**exponent:.3g}")
