"""Small problems of which sums can be exact: integers, unlike columns, copies, contradictions, few of one class."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator

from attacks.held import Array
from kernlearn.kernels import GramStack, make_family

#: What kernels of a single-kernel estimator are called, and of one with several.
KERNELS = ("linear", "polynomial", "polynomial", "gaussian", "precomputed")


@dataclass
class Table:
    """Examples, numbers of their classes from 0, real targets, and whether all values are small integers."""

    X: Array
    y: Array
    targets: Array
    integer: bool
    traits: list[str]


def draw_table(rng: Generator, classes: int) -> Table:
    """Draw 4 to 30 examples of 1 to 5 features: integers from -6 to 6, or columns of unlike sizes and offsets."""
    n, d = int(rng.integers(2 * classes, 31)), int(rng.integers(1, 6))
    y = rng.integers(0, classes, n)
    traits = []
    if rng.random() < 0.15:
        n = 51
        y = np.zeros(n, dtype=int)
        traits.append("1:50")
    y[rng.permutation(n)[:classes]] = np.arange(classes)
    X = rng.normal(size=(n, d)) * 2 + (rng.normal(size=(classes, d)) * rng.choice([0.0, 1.0, 4.0]))[y]
    integer = bool(rng.random() < 0.6)
    if integer:
        X = np.clip(np.round(X), -6, 6)
    if rng.random() < 0.3 and d > 1:
        X[:, -1] = X[:, 0] * rng.choice([-1, 1])
        traits.append("collinear")
    if rng.random() < 0.3:
        X[rng.integers(0, n, n // 2)] = X[rng.integers(0, n, n // 2)]
        traits.append("duplicates")
    if not integer:
        X = X * 10.0 ** rng.uniform(-3, 3, d)
        if rng.random() < 0.5:
            X = X + rng.choice([-1.0, 1.0], d) * 10.0 ** rng.uniform(0, 3, d)
        traits.append("unlike columns")
    targets = X @ np.round(rng.normal(size=d) * 2) + np.round(rng.normal(size=n) * 3)
    return Table(X, y, targets, integer, [f"n={n}", f"d={d}", f"{classes} classes", *traits])


def draw_kernels(rng: Generator, table: Table, several: bool) -> tuple[dict[str, Any], Array, Array]:
    """Return parameters of an estimator that say the kernels, what it is fitted to, and kernel values (p, n, n)."""
    name, X = str(rng.choice(KERNELS)), table.X
    if several and rng.random() < 0.15:
        return {"kernel": "features"}, X, np.einsum("ik,jk->kij", X, X)
    if name == "precomputed":
        integers = np.round(rng.normal(size=(3 if several else 1, len(X), int(rng.integers(1, 4)))) * 2)
        integers[:, :, 0] += 2.0 * table.y
        K = np.einsum("kia,kja->kij", integers, integers)
        return {"kernel": name}, K if several else K[0], K
    if name == "gaussian":
        scale = 1.0 / (X.var(axis=0).sum() or 1.0)
        gammas = sorted({float(f"{g:.2g}") for g in scale * 10.0 ** rng.uniform(-2, 2, 3 if several else 1)})
        told: dict[str, Any] = {"gammas": gammas} if several else {"gamma": gammas[0]}
        family = {"gammas": gammas}
    elif name == "linear" and not several:
        told, family = {}, {}
    else:
        name, coef0 = "polynomial", float(rng.choice([0.0, 1.0]))
        degrees = sorted({int(k) for k in rng.integers(1, 5, 3 if several else 1)})
        told = {"coef0": coef0, **({"degrees": degrees} if several else {"degree": degrees[0]})}
        family = {"degrees": degrees, "coef0": coef0}
    stack = GramStack.train(make_family(name, **family), X)
    return {"kernel": name} | told, X, np.stack([stack.matrix(k) for k in range(len(stack))])


def penalty(rng: Generator) -> float:
    """Draw a penalty from 1e-6 to 1e6, often a power of ten."""
    exponent = rng.integers(-6, 7) if rng.random() < 0.5 else rng.uniform(-6, 6)
    return float(f"{10.0**exponent:.3g}")
